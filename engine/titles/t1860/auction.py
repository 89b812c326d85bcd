"""The opening: six auctions for the right to choose a private or a director's certificate. {1860-AUC}"""

from dataclasses import replace

from engine.actions import Action, BidToChoose, BuyPrivate, Par, Pass
from engine.facts import Passed, RightBid
from engine.flow import enter
from engine.ids import BANK, RESERVED, SR, CorpId, PlayerId
from engine.money import pay, sell_private
from engine.rounds import stock
from engine.rounds.waterfall import unsold
from engine.shares import buy_presidency
from engine.state import State
from engine.steps.common import just_pass
from engine.steps.shares import set_par
from engine.title import Round, Step, Title, Verb
from engine.titles.t1860.companies import layer_of, par_cells, par_range
from engine.titles.t1860.own import Auction, own
from engine.titles.t1860.printed import FISHBOURNE


def offered_companies(t: Title, s: State) -> list[CorpId]:
    """Companies of the first layer still to be chosen."""
    return [corp for corp in t.corporations if layer_of(corp) == 1 and corp not in s.par]


def least_price(t: Title, s: State, corp: CorpId) -> int:
    """Twice the lowest par."""
    return 2 * par_range(s, corp)[0]


def cheapest(t: Title, s: State) -> int:
    """Price of the cheapest certificate still offered. {1860-AUC-04}"""
    privates = [t.privates[private].value for private in unsold(s)]
    return min([*privates, *(least_price(t, s, corp) for corp in offered_companies(t, s))])


def _auction(s: State) -> Auction:
    auction = own(s).auction
    assert auction is not None
    return auction


def least_bid(t: Title, s: State) -> int:
    """The highest bid and a step more; the step alone while nobody has bid. {1860-AUC-03}"""
    return max(_auction(s).bids.values(), default=0) + t.policy.auctions.bid_step


def right_bids(t: Title, s: State) -> dict[PlayerId, int]:
    """What each player who is still in has bid for the right to choose; nobody while the winner chooses."""
    auction = own(s).auction
    if auction is None or s.step != "bid":
        return {}
    return {player: auction.bids.get(player, 0) for player in s.players if player not in auction.out}


# Bidding


def high_enough(t: Title, s: State, a: BidToChoose) -> str | None:
    """A bid raises the highest one by 5 at least."""
    least = least_bid(t, s)
    return None if a.amount >= least else f"A bid must be at least {t.money(least)}, not {t.money(a.amount)}."


def leaves_enough(t: Title, s: State, a: BidToChoose) -> str | None:
    """A bidder must be able to pay the cheapest certificate beside the bid."""
    most = s.cash[a.by] - cheapest(t, s)
    if a.amount <= most:
        return None
    return f"The cheapest certificate costs {t.money(cheapest(t, s))}, so you can bid at most {t.money(max(most, 0))}."


def bids(t: Title, s: State, player: PlayerId) -> list[Action]:
    """The least bid and some above it."""
    least = least_bid(t, s)
    return [BidToChoose(player, least + extra) for extra in (0, 5, 10, 20, 50)]


def bid(t: Title, s: State, a: BidToChoose) -> None:
    """Note the bid, which only the winner pays, and ask the next player who is still in. {1860-AUC-05}"""
    auction = _auction(s)
    s.own = replace(own(s), auction=replace(auction, bids={**auction.bids, a.by: a.amount}))
    s.facts.append(RightBid(a.by, a.amount))
    _next_bidder(s, a.by)


def drop_out(t: Title, s: State, a: Pass) -> None:
    """The player is out of this auction only; it may be over with that. {1860-AUC-03, 1860-AUC-08}"""
    s.facts.append(Passed(a.by, s.step))
    auction = _auction(s)
    s.own = replace(own(s), auction=replace(auction, out=(*auction.out, a.by)))
    _next_bidder(s, a.by)


def _next_bidder(s: State, last: PlayerId) -> None:
    """The next seat still in; the only one left that has bid wins, and if nobody bid, the first to pass."""
    auction = _auction(s)
    left = [player for player in s.after(last) if player not in auction.out]
    if not left:
        _win(s, auction.out[0], 0)
    elif len(left) == 1 and left[0] in auction.bids:
        _win(s, left[0], auction.bids[left[0]])
    else:
        s.up = left[0]


def _win(s: State, winner: PlayerId, amount: int) -> None:
    pay(s, winner, BANK, amount, "bid")
    s.up = winner
    s.step = "choose"


# Choosing


def offered(t: Title, s: State, a: BuyPrivate) -> str | None:
    """One of the certificates still offered is chosen."""
    return None if a.private in unsold(s) else f"{a.private} is no longer offered."


def pays_value(t: Title, s: State, a: BuyPrivate) -> str | None:
    """The chooser pays the value too; who cannot pay anything takes the cheapest for all his cash."""
    value = t.privates[a.private].value
    if value <= max(s.cash[a.by], cheapest(t, s)):
        return None
    return f"{a.private} costs {t.money(value)}; you have {t.money(s.cash[a.by])}."


def company_offered(t: Title, s: State, a: Par) -> str | None:
    """The director's certificates of the first layer are chosen like privates."""
    return None if a.corp in offered_companies(t, s) else f"{a.corp} is not offered now."


def par_in_range(t: Title, s: State, a: Par) -> str | None:
    """Par is one of the company's prices."""
    cells = par_cells(t, s, a.corp)
    if (a.row, a.col) in cells:
        return None
    return f"The par of {a.corp} must be one of {', '.join(map(t.money, cells.values()))}."


def pays_twice_par(t: Title, s: State, a: Par) -> str | None:
    """The par must be affordable; only who can pay nothing may take the lowest for all his cash."""
    cost = 2 * t.market.price(a.row, a.col)
    least = least_price(t, s, a.corp)
    if cost <= s.cash[a.by] or (cost == least == cheapest(t, s)):
        return None
    return f"The director's certificate would cost {t.money(cost)}; you have {t.money(s.cash[a.by])}."


def privates_to_choose(t: Title, s: State, player: PlayerId) -> list[Action]:
    """Each private still offered."""
    return [BuyPrivate(player, private) for private in unsold(s)]


def pars_to_choose(t: Title, s: State, player: PlayerId) -> list[Action]:
    """Each par of each company still offered."""
    return [Par(player, corp, *at) for corp in offered_companies(t, s) for at in par_cells(t, s, corp)]


def choose_private(t: Title, s: State, a: BuyPrivate) -> None:
    """Pay its value, or all cash if that is less; the next auction follows. {1860-AUC-05, 1860-AUC-09}"""
    sell_private(s, a.private, BANK, a.by, min(t.privates[a.private].value, s.cash[a.by]))
    _next_auction(t, s, a.by)


def choose_company(t: Title, s: State, a: Par) -> None:
    """Set the par and pay twice as much, or all cash if that is less. {1860-AUC-07, 1860-AUC-09}"""
    set_par(t, s, a)
    buy_presidency(t, s, a.by, a.corp, min(2 * s.par[a.corp], s.cash[a.by]))
    _next_auction(t, s, a.by)


def _next_auction(t: Title, s: State, winner: PlayerId) -> None:
    if unsold(s) or offered_companies(t, s):
        _open_auction(s, s.after(winner)[0])
    else:
        s.own = replace(own(s), auction=None)


def _open_auction(s: State, first: PlayerId) -> None:
    s.own = replace(own(s), auction=Auction())
    s.up = first
    s.step = "bid"


# The round


def begin(t: Title, s: State) -> None:
    """Set Fishbourne aside and open the first auction, with the priority holder. {1860-SET-09, 1860-AUC-02}"""
    s.owner[FISHBOURNE] = RESERVED  # 1860-SET-09
    _open_auction(s, s.priority)


def proceed(t: Title, s: State) -> None:
    """Once all is chosen, the first stock round follows. {1860-AUC-13}"""
    if own(s).auction is None:
        s.priority = first_priority(t, s)
        enter(t, s, SR)


def first_priority(t: Title, s: State) -> PlayerId:
    """Most cash; on a tie the lowest total of privates among those who have one. {1860-AUC-11, -12}"""
    ranked = sorted(s.players, key=lambda player: -s.cash[player])
    if s.cash[ranked[0]] > s.cash[ranked[1]]:
        return ranked[0]
    values: dict[PlayerId, int] = {}
    for private, owner in s.owner.items():
        if owner in s.names:
            values[PlayerId(owner)] = values.get(PlayerId(owner), 0) + t.privates[private].value
    owners = [player for player in s.players if player in values]
    return min(owners, key=lambda player: values[player])


BID = Verb(BidToChoose, bids, (high_enough, leaves_enough), bid, open_ended=True)
DROP_OUT = Verb(Pass, just_pass, (), drop_out)
CHOOSE_PRIVATE = Verb(BuyPrivate, privates_to_choose, (offered, pays_value), choose_private)
CHOOSE_COMPANY = Verb(Par, pars_to_choose, (company_offered, par_in_range, pays_twice_par), choose_company)

AUCTION = Round(
    "ISR",
    (Step("bid", (BID, DROP_OUT)), Step("choose", (CHOOSE_PRIVATE, CHOOSE_COMPANY))),
    begin,
    proceed,
    stock.actors,
    "Opening auctions",
)
