"""Stock rounds of 1860: sell, then buy one certificate; privates change hands with the bank; exchanges beside it."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from engine import money
from engine.actions import (
    Action,
    BuyPrivate,
    BuyShare,
    ClosePrivate,
    ExchangePrivate,
    Par,
    Pass,
    SellPrivate,
    SellShares,
)
from engine.facts import Announced, PresidentChanged
from engine.flow import enter, finish, once_done, possible
from engine.ids import BANK, IPO, OR, POOL, SR, CorpId, PlayerId, PrivateId
from engine.market import move, price
from engine.powers import Exchange
from engine.rounds import stock
from engine.shares import buy, certificates, settle_presidency, shift, successor
from engine.state import CLOSED, State
from engine.steps import privates, shares
from engine.title import SHARES, Candidates, Predicate, Round, Step, Title, Verb, of_seat
from engine.titles.t1860 import companies
from engine.titles.t1860.auction import par_in_range
from engine.titles.t1860.own import own
from engine.titles.t1860.printed import FISHBOURNE, LEAST_NEW_PAR, PAR_RANGE
from engine.titles.t1860.ways import ways


def exchange_of(t: Title, private: PrivateId) -> CorpId | None:
    """The company whose reserved share the private can be swapped for."""
    power = t.power(private, Exchange)
    return power.corp if power else None


def reserved(t: Title, s: State, corp: CorpId) -> int:
    """1 while a private still holds a share of the company back. {1860-SET-05, 1860-PRV-09}"""
    return sum(1 for private, owner in s.owner.items() if owner != CLOSED and exchange_of(t, private) == corp)


# Buying shares


def layer_open(t: Title, s: State, a: Par) -> str | None:
    """Companies start layer by layer."""
    if companies.layer_of(a.corp) <= own(s).layer:
        return None
    return f"{a.corp} belongs to layer {companies.layer_of(a.corp)}; no layer above {own(s).layer} is open yet."


@of_seat
def others_under_way(t: Title, s: State, a: Action) -> str | None:
    """Without layers: all but one of the started companies have operated, or none has a share left to be bought."""
    started = list(s.par)
    idle = [corp for corp in started if corp not in s.operated]
    if len(idle) <= 1 or not any(s.held(corp, IPO) > reserved(t, s, corp) for corp in started):
        return None
    return f"{' and '.join(idle)} have not operated yet: only one started company may be idle when another starts."


def not_the_reserved(t: Title, s: State, a: BuyShare) -> str | None:
    """The reserved share lies at the bottom of the pile for its private."""
    if a.source != IPO or s.held(a.corp, IPO) > reserved(t, s, a.corp):
        return None
    return f"The last share of {a.corp} in the offering is reserved for a private company."


def not_the_directors(t: Title, s: State, a: BuyShare) -> str | None:
    """The director's certificate in the pool cannot be bought, only swapped for two shares."""
    if a.source != POOL or not companies.in_receivership(s, a.corp) or s.held(a.corp, POOL) > 2:
        return None
    return f"Only the director's certificate of {a.corp} lies in the open market: get two other shares to swap for it."


def not_the_directors_unless_swapped(t: Title, s: State, a: BuyShare) -> str | None:
    """Option `online`: who has a share may buy into the director's certificate, which gives him the second; he pays one
    share, but must have the price of the whole.
    """
    text = not_the_directors(t, s, a)
    if text is None or not s.held(a.corp, a.by):
        return text
    whole = 2 * price(t, s, a.corp)
    if whole <= s.cash[a.by]:
        return None
    return f"You pay for one share but must have {t.money(whole)}, the price of the whole director's certificate."


def pars(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Each par of each company without one."""
    for corp in t.corporations:
        if corp not in s.par:
            for at in companies.par_cells(t, s, corp):
                yield Par(player, corp, *at)


def buy_share(t: Title, s: State, a: BuyShare) -> None:
    """Buy the share; a company sold out opens the next layer. {1860-SR-25}"""
    shares.buy_share(t, s, a)
    companies.open_layers(t, s, operated=False)


def start_company(t: Title, s: State, a: Par) -> None:
    """Set the par and buy the director's certificate. {1860-SR-15}"""
    shares.start_company(t, s, a)
    s.own = replace(own(s), bought=a.corp)


BUY = Verb(
    BuyShare,
    shares.shares_on_offer,
    (
        shares.one_purchase, shares.must_sell_first, shares.not_sold_before, shares.share_there, shares.started,
        not_the_reserved, not_the_directors, shares.share_affordable, shares.within_cert_limit,
    ),
    buy_share,
)  # fmt: skip
PAR = Verb(
    Par,
    pars,
    (
        shares.one_purchase, shares.must_sell_first, shares.not_sold_before, shares.not_started, layer_open,
        par_in_range, shares.par_affordable, shares.within_cert_limit,
    ),
    start_company,
)  # fmt: skip


# Selling shares


def change_in_pool(t: Title, s: State, a: SellShares) -> str | None:
    """Half a director's certificate can be sold only against a share from the pool."""
    if s.held(a.corp, a.by) == 2 and _needs_change(t, s, a):
        return f"The open market has no share of {a.corp} to give back for half of your director's certificate."
    return None


def _needs_change(t: Title, s: State, a: SellShares) -> bool:
    left = s.held(a.corp, a.by) - a.count
    if s.president[a.corp] != a.by or left != 1 or s.held(a.corp, POOL):
        return False
    return successor(t, s, a.corp, a.by, left) is None


def share_price(t: Title, s: State, corp: CorpId) -> int:
    """What the bank pays for a share: half without a train, rounded down. {1860-SR-06}"""
    full = price(t, s, corp)
    return full if s.trains[corp] else full // 2


def share_price_unoperated_full(t: Title, s: State, corp: CorpId) -> int:
    """1860-VAR-04"""
    return price(t, s, corp) if corp not in s.operated else share_price(t, s, corp)


def places_fallen(t: Title, s: State, corp: CorpId, count: int) -> int:
    """One place a share once the company has operated; a red-letter price lets the first go free. {1860-SR-10, -11}

    A restarted company has no quote until it floats again. {1860-EMR-25}
    """
    if corp not in s.operated or own(s).no_limits:
        return 0
    if corp not in s.floated and ways(t).restarts_at_par:
        return 0
    cell = t.market.cell(*s.cell[corp])
    return count - 1 if cell is not None and cell.zone == "red letter" else count


def sell_block(t: Title, s: State, a: SellShares) -> None:
    """Sell the shares: money, a new director or none, the fall of the price, and perhaps bankruptcy.

    {1860-SR-18, 1860-SR-19, 1860-MKT-02, 1860-EMR-15}
    """
    each = ways(t).holdings.sale_price(t, s, a.corp)
    falls = places_fallen(t, s, a.corp, a.count)
    money.pay(s, BANK, a.by, a.count * each, "shares sold")
    shift(s, a.corp, a.by, POOL, a.count, a.count * each)
    settle_presidency(t, s, a.corp)
    if s.president[a.corp] == a.by and s.held(a.corp, a.by) < 2:
        s.president[a.corp] = POOL
        s.facts.append(PresidentChanged(a.corp, a.by, POOL))
    move(t, s, a.corp, companies.moved(t, s.cell[a.corp], -falls), "sold")
    shares.note_sale(s, a.by, a.corp)
    companies.check_bankruptcy(t, s, a.corp)


SELL = Verb(
    SellShares,
    shares.blocks_of_shares,
    (shares.sales_before_purchase, shares.has_shares, shares.one_block, change_in_pool),
    sell_block,
)


# Privates and the bank


def own_private(t: Title, s: State, a: SellPrivate | ClosePrivate | ExchangePrivate) -> str | None:
    """Only the owner disposes of a private."""
    return None if s.owner[a.private] == a.by else f"You do not own {a.private}."


@of_seat
def not_first_round(t: Title, s: State, a: Action) -> str | None:
    """Privates are sold back after the first stock round."""
    return None if s.turn > 1 else "Privates can be sold to the bank only after the first stock round."


def bank_has_it(t: Title, s: State, a: BuyPrivate) -> str | None:
    """The bank sells privates that were sold to it, and Fishbourne from phase 6 on."""
    return None if s.owner[a.private] == BANK else f"The bank does not offer {a.private}."


def not_sold_private(t: Title, s: State, a: BuyPrivate) -> str | None:
    """A seller does not buy the private back in the same round."""
    return f"You sold {a.private} this round." if a.private in s.sold.get(a.by, ()) else None


def all_privates(kind: Callable[[PlayerId, PrivateId], Action]) -> Candidates:
    """Candidates of this kind of action, one for each private."""

    def candidates(t: Title, s: State, player: PlayerId) -> list[Action]:
        return [kind(player, private) for private in t.privates]

    return candidates


def sell_private(t: Title, s: State, a: SellPrivate) -> None:
    """The bank pays the value less its fee. {1860-PRV-02}"""
    money.sell_private(s, a.private, a.by, BANK, t.privates[a.private].value - t.policy.privates.sale_fee)
    shares.note_sale(s, a.by, CorpId(a.private))


def buy_private(t: Title, s: State, a: BuyPrivate) -> None:
    """Pay the value to the bank, as the purchase of the turn. {1860-PRV-03, 1860-SR-04}"""
    money.sell_private(s, a.private, BANK, a.by, t.privates[a.private].value)
    shares.note_purchase(s, a.by)
    s.own = replace(own(s), bought=a.private)
    if a.private == FISHBOURNE:
        t.events["fishbourne bought"](t, s)


def close_others(t: Title, s: State) -> None:
    """Buying Fishbourne closes all other privates. {1860-PRV-12}"""
    for private, owner in s.owner.items():
        if private != FISHBOURNE and owner != CLOSED:
            privates.close(s, private)


def close_own(t: Title, s: State, a: ClosePrivate) -> None:
    """Option `variable_privates`: it counts its face value at the end. {1860-VAR-02c}"""
    privates.close(s, a.private)
    s.own = replace(own(s), kept_values={**own(s).kept_values, a.private: a.by})


SELL_PRIVATE = Verb(
    SellPrivate,
    all_privates(SellPrivate),
    (shares.sales_before_purchase, own_private, not_first_round, shares.must_sell_first),
    sell_private,
)
BUY_PRIVATE = Verb(
    BuyPrivate,
    all_privates(BuyPrivate),
    (
        bank_has_it, shares.one_purchase, shares.must_sell_first, not_sold_private, privates.face_value_affordable,
        privates.room_for_private,
    ),
    buy_private,
)  # fmt: skip


# Exchange: no action of the turn


@of_seat
def own_turn(t: Title, s: State, a: Action) -> str | None:
    """In one's own turn of a stock round."""
    if s.round == SR and s.up == a.by and not s.pending:
        return None
    return "You can do that only on your own turn in a stock round."


@of_seat
def in_stock_round(t: Title, s: State, a: Action) -> str | None:
    """Option `online`: in anybody's turn of a stock round."""
    return None if s.round == SR and not s.pending else "You can do that only during a turn of a stock round."


def exchangeable(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The company has its par, which after a bankruptcy is a new one, and a share in the offering."""
    corp = exchange_of(t, a.private)
    if corp is None:
        return f"{a.private} cannot be exchanged."
    if (a.corp, a.source) != (None, None):
        return f"The share that {a.private} brings is fixed; you cannot choose it."
    if corp not in s.par:
        return f"The director's certificate of {corp} has not been sold, so {a.private} cannot be exchanged."
    return None if s.held(corp, IPO) else f"No share of {corp} is left in the offering."


def exchange(t: Title, s: State, a: ExchangePrivate) -> None:
    """Swap the private for its share, which may bring a new director, float the company and open a layer.

    {1860-PRV-06, 1860-PRV-07, 1860-PRV-08}
    """
    corp = exchange_of(t, a.private)
    assert corp is not None
    privates.close(s, a.private)
    buy(t, s, a.by, corp, IPO, 0)
    companies.open_layers(t, s, operated=False)


EXCHANGE = Verb(
    ExchangePrivate, all_privates(ExchangePrivate), (own_private, own_turn, exchangeable), exchange, anybody=True
)
EXCHANGE_ONLINE = EXCHANGE.swap(own_turn, in_stock_round)
CLOSE_PRIVATE = Verb(
    ClosePrivate, all_privates(ClosePrivate), (own_private, own_turn, shares.must_sell_first), close_own, anybody=True
)


# The round


def something_to_do(t: Title, s: State) -> bool:
    """Whether the player whose turn it is can buy or sell anything, or exchange a private."""
    verbs = [verb for verb in t.share_step().verbs if verb.action is not Pass]
    exchanges = (verb for verb in t.anytime if verb.action is ExchangePrivate)
    return stock.can_any(t, s, (*verbs, *exchanges)) or _closing_helps(t, s)


def _closing_helps(t: Title, s: State) -> bool:
    """Option `variable_privates`: whether he can once he has closed a private, whose share is free then."""
    if s.bought or CLOSE_PRIVATE not in t.anytime:
        return False
    closings = possible(t, s, CLOSE_PRIVATE, s.up)
    return any(something_to_do(t, once_done(t, s, CLOSE_PRIVATE, closing)) for closing in closings)


def something_to_do_online(t: Title, s: State) -> bool:
    """Option `online`: a private in the bank, a director's certificate there or a company of a closed layer is reason
    enough to be asked; an exchange alone is none, but see `_last_exchange`.
    """
    verbs = [verb for verb in t.share_step().verbs if verb.action is not Pass]
    if stock.can_any(t, s, verbs) or _last_exchange(t, s) or _closing_helps(t, s):
        return True
    if s.bought or not s.cash[s.up] or certificates(t, s, s.up) >= t.policy.holdings.cert_limit(t, s):
        return False
    sold = s.sold.get(s.up, frozenset())
    if any(owner == BANK and CorpId(private) not in sold for private, owner in s.owner.items()):
        return True
    return any(corp not in sold and _can_pay_to_direct(t, s, corp) for corp in t.corporations)


def _can_pay_to_direct(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the company's director's certificate is to be had, and the player has what it costs by price alone."""
    if corp not in s.par:
        return s.cash[s.up] >= 2 * _least_par(s, corp)
    alone = companies.in_receivership(s, corp) and s.held(corp, POOL) == 2
    return alone and s.cash[s.up] >= 2 * price(t, s, corp)


def _last_exchange(t: Title, s: State) -> bool:
    """From phase 6 on whoever bought a private, or started a company that a private of his is swapped for, is asked
    whether he exchanges before somebody buys Fishbourne; Fishbourne itself ends that, and 1860-VAR-02c all of it.
    """
    bought = own(s).bought
    if bought is None or int(t.phase(s).name) < 6 or EXCHANGE_ONLINE not in t.anytime:
        return False
    if bought in t.privates:
        return bought != FISHBOURNE
    return any(owner == s.up and exchange_of(t, private) == bought for private, owner in s.owner.items())


def _least_par(s: State, corp: CorpId) -> int:
    """The lowest par of any company, or of one that was bankrupt."""
    return LEAST_NEW_PAR if companies.has(s, "bankrupt", corp) else PAR_RANGE[4][0]


def begin(t: Title, s: State) -> None:
    """Begin the round; if Southern has formed, building is over. {1860-SR-01, 1860-PHS-10}"""
    stock.begin(t, s)
    if own(s).southern == "formed":
        companies.end_building(s)


def begin_online(t: Title, s: State) -> None:
    """Option `online`, where whoever can do nothing may be asked: begin the round unless so it would go on for ever.
    {1860-END-21}
    """
    begin(t, s)
    if _idle_for_ever(t, s):
        finish(t, s, "stuck")


def _idle_for_ever(t: Title, s: State) -> bool:
    """Whether the rounds to come would end the game if only those were asked who can do something."""
    ahead = s.copy()
    for player in s.players:
        ahead.up = player
        if something_to_do(t, ahead):
            return False
    step = replace(t.share_step(), asks=something_to_do)
    enter(replace(t, rounds={**t.rounds, SR: replace(t.rounds[SR], steps=(step,), begin=begin)}), ahead, SR)
    return ahead.over == "stuck"


def proceed(t: Title, s: State) -> None:
    """Ask the player whose turn it is; a bankruptcy begins the round anew."""
    if own(s).new_priority:
        s.own = replace(own(s), new_priority=False)
        enter(t, s, SR)
        return
    if not s.bought:
        _forget_purchase(s)
    while s.passes < len(s.players):
        if s.pending or t.share_step().asks(t, s):
            return
        stock.next_turn(t, s)
        _forget_purchase(s)
    _end(t, s)


def _forget_purchase(s: State) -> None:
    if own(s).bought is not None:  # rarely so: most actions are no purchase
        s.own = replace(own(s), bought=None)


def _end(t: Title, s: State) -> None:
    if s.last_actor is not None:
        s.priority = s.after(s.last_actor)[0]
    s.or_count = t.phase(s).operating_rounds
    nationalise_if_due(t, s)
    enter(t, s, OR)


def nationalise_if_due(t: Title, s: State) -> None:
    """After Southern: once every company with a director has a train, British Rail forms, and where no stock round
    has ended building before, it does. {1860-END-07, -09, -10, 1860-PHS-11}
    """
    if own(s).southern and not companies.british(s) and not without_trains(t, s):
        s.own = replace(own(s), british=True)
        s.facts.append(Announced("british"))
        if ways(t).british_ends_building and not companies.southern_over(s):
            companies.end_building(s)


def without_trains(t: Title, s: State) -> list[CorpId]:
    """The companies with directors that have no train, which hold British Rail up. {1860-END-07, -09, -10}"""
    return [corp for corp in t.corporations if corp in s.par and s.president_of(corp) and not s.trains[corp]]


def stock_round(*verbs: Verb, asks: Predicate) -> Round:
    """A stock round whose turns offer these verbs while `asks` finds something to decide."""
    first = begin_online if asks is something_to_do_online else begin
    return Round(SR, (Step(SHARES, verbs, asks),), first, proceed, stock.actors, *stock.NAMED)
