"""The opening auction in which only the cheapest private can be bought and all others bid on.

When a purchase uncovers a private with bids it is sold at once: to its only bidder, or in an auction among its
bidders. When everybody passes, the privates sold so far pay; while the first is unsold, it gets cheaper instead.
"""

from engine.actions import Action, Bid, BuyPrivate, Pass
from engine.depot import export
from engine.facts import AuctionBegan, BidMade, Passed, PriceLowered
from engine.flow import enter
from engine.ids import BANK, SR, PlayerId, PrivateId
from engine.money import free_cash, sell_private
from engine.rounds.operating import pay_privates
from engine.state import State
from engine.steps.common import just_pass
from engine.title import Round, Step, Title, Verb


def unsold(s: State) -> list[PrivateId]:
    """The privates that nobody has bought, in offering order."""
    return [private for private, owner in s.owner.items() if owner == BANK]


def price_of(t: Title, s: State, private: PrivateId) -> int:
    """What the private costs to buy outright now."""
    return t.privates[private].value - s.discount.get(private, 0)


def least_bid(t: Title, s: State, private: PrivateId) -> int:
    """The lowest bid that would be accepted."""
    return max([t.privates[private].value, *s.bids.get(private, {}).values()]) + t.policy.auctions.bid_step


def cheapest_only(t: Title, s: State, a: BuyPrivate) -> str | None:
    """Only the first unsold private can be bought."""
    first, *others = unsold(s)
    if a.private == first:
        return None
    state = "is open to bids" if a.private in others else "has already been sold"
    return f"Only {first} can be bought now; {a.private} {state}."


def price_affordable(t: Title, s: State, a: BuyPrivate) -> str | None:
    """Money set aside for bids cannot be spent."""
    price, free = price_of(t, s, a.private), free_cash(s, a.by)
    if price > free:
        return f"{a.private} costs {t.money(price)}; apart from your bids you have {t.money(free)}."
    return None


def open_to_bids(t: Title, s: State, a: Bid) -> str | None:
    """A bid needs an unsold private that is not the first; in an auction, the one that is auctioned."""
    if s.contested is not None:
        return None if a.private == s.contested else f"Only {s.contested} is being auctioned now."
    left = unsold(s)
    if a.private not in left:
        return f"{a.private} has already been sold."
    if a.private == left[0]:
        return f"{a.private} is first in line: buy it for {t.money(price_of(t, s, a.private))} or leave it."
    return None


def bid_high_enough(t: Title, s: State, a: Bid) -> str | None:
    """A bid tops the face value and the highest bid by the step."""
    least = least_bid(t, s, a.private)
    return (
        None
        if a.amount >= least
        else f"A bid on {a.private} must be at least {t.money(least)}, not {t.money(a.amount)}."
    )


def bid_affordable(t: Title, s: State, a: Bid) -> str | None:
    """A bid is set aside; raising one's own frees the old amount."""
    free = free_cash(s, a.by) + s.bids.get(a.private, {}).get(a.by, 0)
    if a.amount > free:
        aside = ": the rest of your cash is set aside for other bids" if free < s.cash[a.by] else ""
        return f"You can bid at most {t.money(free)}{aside}."
    return None


def purchases(t: Title, s: State, player: PlayerId) -> list[Action]:
    """The first private in line."""
    return [BuyPrivate(player, unsold(s)[0])]


def bids(t: Title, s: State, player: PlayerId) -> list[Action]:
    """The least bid for each private and some above it."""
    open_now = [s.contested] if s.contested else unsold(s)[1:]
    steps = (0, 1, 2, 4, 9, 19)
    return [
        Bid(player, private, least_bid(t, s, private) + step * t.policy.auctions.bid_step)
        for private in open_now
        for step in steps
    ]


def buy_private(t: Title, s: State, a: BuyPrivate) -> None:
    """The player takes the first private in line."""
    s.last_actor = a.by
    _next_after(s, a.by)
    hand_over(t, s, a.private, a.by, price_of(t, s, a.private))


def place_bid(t: Title, s: State, a: Bid) -> None:
    """Set the bid aside."""
    _set_bid(s, a)
    _next_after(s, a.by)


def raise_bid(t: Title, s: State, a: Bid) -> None:
    """Outbid the others for the contested private."""
    _set_bid(s, a)
    s.speaker = a.by
    s.speaker = t.policy.auctions.next_bidder(t, s)


def drop_out(t: Title, s: State, a: Pass) -> None:
    """Leave the contest; the last bidder gets the private."""
    assert s.contested is not None
    s.facts.append(Passed(a.by, s.step))
    s.speaker = a.by
    left = s.bids[s.contested]
    del left[a.by]
    if len(left) > 1:
        s.speaker = t.policy.auctions.next_bidder(t, s)
        return
    _sell_to_bidder(t, s, s.contested)
    s.contested = s.speaker = None


def let_pass(t: Title, s: State, a: Pass) -> None:
    """Pass; when all have passed, the auction stalls."""
    s.facts.append(Passed(a.by, s.step))
    s.up = s.after(a.by)[0]
    s.passes += 1
    if s.passes == len(s.players):
        s.passes = 0
        _everybody_passed(t, s)


def _next_after(s: State, player: PlayerId) -> None:
    s.passes = 0
    s.up = s.after(player)[0]


def _set_bid(s: State, a: Bid) -> None:
    standing = s.bids.setdefault(a.private, {})
    standing.pop(a.by, None)
    standing[a.by] = a.amount
    s.facts.append(BidMade(a.by, a.private, a.amount))


def hand_over(t: Title, s: State, private: PrivateId, player: PlayerId, price: int) -> None:
    """The player gets the private for this price, with what comes with it."""
    s.bids.pop(private, None)
    sell_private(s, private, BANK, player, price)
    t.policy.auctions.bought(t, s, private, player)


def _sell_to_bidder(t: Title, s: State, private: PrivateId) -> None:
    ((player, amount),) = s.bids[private].items()
    hand_over(t, s, private, player, amount)


def _resolve(t: Title, s: State) -> None:
    """Sell what has bids, in line, until one has none or somebody is asked."""
    for private in unsold(s):
        standing = s.bids.get(private)
        if not standing or s.contested or s.pending:
            return
        if len(standing) > 1:
            s.contested = private
            s.speaker = None
            s.facts.append(AuctionBegan(private, tuple(standing)))
            s.speaker = t.policy.auctions.next_bidder(t, s)
            return
        _sell_to_bidder(t, s, private)


def _everybody_passed(t: Title, s: State) -> None:
    first = unsold(s)[0]
    if first != next(iter(s.owner)):
        pay_privates(t, s)
        export(t, s)
        return
    s.discount[first] = s.discount.get(first, 0) + t.policy.auctions.bid_step
    price = price_of(t, s, first)
    s.facts.append(PriceLowered(first, price))
    if t.policy.auctions.every_stall_ends_set:
        export(t, s)
    if price <= 0:  # nobody may refuse a gift
        taker = s.up
        _next_after(s, taker)
        hand_over(t, s, first, taker, 0)


def begin(t: Title, s: State) -> None:
    """Start with the holder of the priority deal."""
    s.up = s.priority
    s.passes = 0
    s.last_actor = None
    s.step = "offer"


def proceed(t: Title, s: State) -> None:
    """Sell what has bids, in line; go on to the first stock round once every private is sold."""
    _resolve(t, s)
    s.step = "auction" if s.contested else "offer"
    if not unsold(s) and not s.pending:
        s.priority = s.up
        enter(t, s, SR)


def actors(t: Title, s: State) -> tuple[PlayerId, ...]:
    """Who is asked: the next to raise or drop out, otherwise the player whose turn it is."""
    if s.contested:
        assert s.speaker is not None
        return (s.speaker,)
    return (s.up,)


BUY = Verb(BuyPrivate, purchases, (cheapest_only, price_affordable), buy_private)
BID = Verb(Bid, bids, (open_to_bids, bid_high_enough, bid_affordable), place_bid, open_ended=True)
RAISE = Verb(Bid, bids, (open_to_bids, bid_high_enough, bid_affordable), raise_bid, open_ended=True)
PASS = Verb(Pass, just_pass, (), let_pass)
DROP_OUT = Verb(Pass, just_pass, (), drop_out)


WATERFALL = Round(
    "ISR",
    steps=(Step("offer", (BUY, BID, PASS)), Step("auction", (RAISE, DROP_OUT))),
    begin=begin,
    proceed=proceed,
    actors=actors,
    called="Opening auction",
)
