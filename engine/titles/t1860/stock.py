"""Stock rounds of 1860: sell, then buy one certificate; privates change hands with the bank; exchanges beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

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
from engine.facts import Announced, PresidentChanged, PrivateClosed, PrivateSold
from engine.flow import enter
from engine.ids import BANK, IPO, POOL, CorpId, PlayerId, PrivateId
from engine.market import price
from engine.money import pay
from engine.powers import Exchange
from engine.rounds import stock
from engine.shares import certificates, float_if_due, settle_presidency, shift, successor
from engine.state import CLOSED, State
from engine.titles.t1860.auction import par_in_range
from engine.titles.t1860.companies import (
    british,
    check_bankruptcy,
    has,
    in_receivership,
    layer_of,
    move_price,
    open_layers,
    par_cells,
)
from engine.titles.t1860.printed import FISHBOURNE, LEAST_NEW_PAR, PAR_RANGE
from engine.titles.t1860.ways import ways
from engine.verbs import Question, Round, Step, Verb, of_seat

if TYPE_CHECKING:
    from engine.title import Title


def exchange_of(t: Title, private: PrivateId) -> CorpId | None:
    """The company whose reserved share the private can be swapped for."""
    return next((power.corp for power in t.privates[private].powers if isinstance(power, Exchange)), None)


def reserved(t: Title, s: State, corp: CorpId) -> int:
    """1 while a private still holds a share of the company back. {1860-SET-05, 1860-PRV-09}"""
    return sum(1 for private, owner in s.owner.items() if owner != CLOSED and exchange_of(t, private) == corp)


# Buying shares


def layer_open(t: Title, s: State, a: Par) -> str | None:
    """Companies start layer by layer."""
    if layer_of(a.corp) <= s.own["layer"]:
        return None
    return f"{a.corp} belongs to layer {layer_of(a.corp)}; open now is layer {s.own['layer']}."


@of_seat
def others_under_way(t: Title, s: State, a: Action) -> str | None:
    """Without layers: all but one of the started companies have operated, or none has shares left."""
    started = list(s.par)
    idle = [corp for corp in started if corp not in s.operated]
    if len(idle) <= 1 or not any(s.held(corp, IPO) for corp in started):
        return None
    return f"{' and '.join(idle)} have not operated yet: only one started company may be idle when another starts."


def not_the_reserved(t: Title, s: State, a: BuyShare) -> str | None:
    """The reserved share lies at the bottom of the pile for its private."""
    if a.source != IPO or s.held(a.corp, IPO) > reserved(t, s, a.corp):
        return None
    return f"The last share of {a.corp} in the offering is reserved for a private company."


def not_the_directors(t: Title, s: State, a: BuyShare) -> str | None:
    """The director's certificate in the pool cannot be bought, only swapped for two shares."""
    if a.source != POOL or not in_receivership(s, a.corp) or s.held(a.corp, POOL) > 2:
        return None
    return f"Only the director's certificate of {a.corp} lies in the pool: get two other shares to swap for it."


def not_the_directors_unless_swapped(t: Title, s: State, a: BuyShare) -> str | None:
    """Option `online`: who has a share may buy into the director's certificate, which gives him the second."""
    return None if s.held(a.corp, a.by) else not_the_directors(t, s, a)


def pars(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    for corp in t.corporations:
        if corp not in s.par:
            for at in par_cells(t, s, corp):
                yield Par(player, corp, *at)


def buy_share(t: Title, s: State, a: BuyShare) -> None:
    stock.buy_share(t, s, a)
    _opened(s)


def _opened(s: State) -> None:
    before = s.own["layer"]
    open_layers(s, operated=False)
    if s.own["layer"] != before:
        s.facts.append(Announced(f"layer {s.own['layer']}"))


BUY = Verb(
    BuyShare,
    stock.shares_on_offer,
    (
        stock.one_purchase, stock.must_sell_first, stock.not_sold_before, stock.share_there, stock.started,
        not_the_reserved, not_the_directors, stock.share_affordable, stock.within_cert_limit,
    ),
    buy_share,
)  # fmt: skip
PAR = Verb(
    Par,
    pars,
    (
        stock.one_purchase, stock.must_sell_first, stock.not_sold_before, stock.not_started, layer_open, par_in_range,
        stock.par_affordable, stock.within_cert_limit,
    ),
    stock.start_company,
)  # fmt: skip


# Selling shares


@of_seat
def sell_first(t: Title, s: State, a: Action) -> str | None:
    """Sales come before the purchase."""
    return "You have bought in this turn: sales come first." if s.bought else None


def change_in_pool(t: Title, s: State, a: SellShares) -> str | None:
    """Half a director's certificate can be sold only against a share from the pool."""
    if s.held(a.corp, a.by) == 2 and _needs_change(s, a):
        return f"The pool has no share of {a.corp} to give back for half of your director's certificate."
    return None


def _needs_change(s: State, a: SellShares) -> bool:
    left = s.held(a.corp, a.by) - a.count
    if s.president[a.corp] != a.by or left != 1 or s.held(a.corp, POOL):
        return False
    return successor(s, a.corp, a.by, left) is None


def share_price(t: Title, s: State, corp: CorpId) -> int:
    """What the bank pays for a share: half without a train, rounded down. {1860-SR-06}"""
    full = price(t, s, corp)
    return full if s.trains[corp] else full // 2


def share_price_unoperated_full(t: Title, s: State, corp: CorpId) -> int:
    """1860-VAR-04"""
    return price(t, s, corp) if corp not in s.operated else share_price(t, s, corp)


def places_fallen(t: Title, s: State, corp: CorpId, count: int) -> int:
    """One place a share once the company has operated; a red-letter price lets the first go free. {1860-SR-10, -11}"""
    if corp not in s.operated or s.own.get("no limits"):
        return 0
    cell = t.market.cell(*s.cell[corp])
    return count - 1 if cell is not None and cell.zone == "red letter" else count


def sell_block(t: Title, s: State, a: SellShares) -> None:
    each = ways(t).sale_price(t, s, a.corp)
    falls = places_fallen(t, s, a.corp, a.count)
    pay(s, BANK, a.by, a.count * each, "shares sold")
    shift(s, a.corp, a.by, POOL, a.count, a.count * each)
    settle_presidency(s, a.corp)
    if s.president[a.corp] == a.by and s.held(a.corp, a.by) < 2:
        s.president[a.corp] = POOL
        s.facts.append(PresidentChanged(a.corp, a.by, POOL))
    move_price(t, s, a.corp, -falls, "sold")
    _sold(s, a.by, a.corp)
    s.sold_now += (a.corp,)
    check_bankruptcy(t, s, a.corp)


def _sold(s: State, player: PlayerId, paper: CorpId | PrivateId) -> None:
    s.sold[player] = s.sold.get(player, frozenset()) | {CorpId(paper)}
    s.sold_first = True
    s.last_actor = player
    s.passes = 0


SELL = Verb(
    SellShares,
    stock.blocks_of_shares,
    (sell_first, stock.has_shares, stock.has_price, stock.one_block, change_in_pool),
    sell_block,
)


# Privates and the bank


def own_private(t: Title, s: State, a: SellPrivate | ClosePrivate | ExchangePrivate) -> str | None:
    """Only the owner disposes of a private."""
    return None if s.owner[a.private] == a.by else f"You do not own {a.private}."


@of_seat
def not_first_round(t: Title, s: State, a: Action) -> str | None:
    """Privates are sold back after the first stock round."""
    return None if s.turn > 1 else "Privates can be sold to the bank after the first stock round."


def bank_has_it(t: Title, s: State, a: BuyPrivate) -> str | None:
    """The bank sells privates that were sold to it, and Fishbourne from phase 6 on."""
    return None if s.owner[a.private] == BANK else f"The bank does not offer {a.private}."


def not_sold_private(t: Title, s: State, a: BuyPrivate) -> str | None:
    """A seller does not buy the private back in the same round."""
    return f"You sold {a.private} in this round." if a.private in s.sold.get(a.by, ()) else None


@of_seat
def one_purchase(t: Title, s: State, a: Action) -> str | None:
    """A private from the bank is the turn's one purchase."""
    return "You have bought a certificate in this turn." if s.bought else None


@of_seat
def must_sell_first(t: Title, s: State, a: Action) -> str | None:
    """Who is over the limit sells first."""
    return stock.must_sell_first(t, s, a)


def pays_value(t: Title, s: State, a: BuyPrivate) -> str | None:
    """The bank asks the value."""
    value = t.privates[a.private].value
    return None if value <= s.cash[a.by] else f"{a.private} costs {t.money(value)}; you have {t.money(s.cash[a.by])}."


@of_seat
def room_for_private(t: Title, s: State, a: Action) -> str | None:
    """Privates count to the certificate limit."""
    count, limit = certificates(t, s, a.by), t.policy.cert_limit(t, s)
    return None if count < limit else f"You hold {count} certificates; the limit is {limit}."


def all_privates(kind: type[BuyPrivate] | type[SellPrivate] | type[ClosePrivate] | type[ExchangePrivate]):  # type: ignore[no-untyped-def]
    def candidates(t: Title, s: State, player: PlayerId) -> list[Action]:
        return [kind(player, private) for private in t.privates]

    return candidates


def sell_private(t: Title, s: State, a: SellPrivate) -> None:
    value = t.privates[a.private].value - t.policy.private_fee
    pay(s, BANK, a.by, value, "private")
    s.owner[a.private] = BANK
    s.facts.append(PrivateSold(a.private, a.by, BANK, value))
    _sold(s, a.by, a.private)
    s.sold_now += (CorpId(a.private),)


def buy_private(t: Title, s: State, a: BuyPrivate) -> None:
    value = t.privates[a.private].value
    pay(s, a.by, BANK, value, "private")
    s.owner[a.private] = a.by
    s.facts.append(PrivateSold(a.private, BANK, a.by, value))
    s.bought = True
    s.last_actor = a.by
    s.passes = 0
    if a.private == FISHBOURNE:
        t.events["fishbourne bought"](t, s)


def close_others(t: Title, s: State) -> None:
    """Buying Fishbourne closes all other privates. {1860-PRV-12}"""
    for private, owner in s.owner.items():
        if private != FISHBOURNE and owner != CLOSED:
            close(s, private)


def close(s: State, private: PrivateId) -> None:
    s.owner[private] = CLOSED
    s.facts.append(PrivateClosed(private))


def close_own(t: Title, s: State, a: ClosePrivate) -> None:
    """Option `variable_privates`: it counts its face value at the end. {1860-VAR-02c}"""
    close(s, a.private)
    s.own["kept values"] = {**s.own.get("kept values", {}), a.private: a.by}


SELL_PRIVATE = Verb(SellPrivate, all_privates(SellPrivate), (sell_first, own_private, not_first_round), sell_private)
BUY_PRIVATE = Verb(
    BuyPrivate,
    all_privates(BuyPrivate),
    (bank_has_it, one_purchase, must_sell_first, not_sold_private, pays_value, room_for_private),
    buy_private,
)


# Exchange: no action of the turn


@of_seat
def own_turn(t: Title, s: State, a: Action) -> str | None:
    """In one's own turn of a stock round."""
    if s.round == "SR" and s.up == a.by and not s.pending:
        return None
    return "That is possible in your own turn of a stock round."


def exchangeable(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The company has its par, which after a bankruptcy is a new one, and a share in the offering."""
    corp = exchange_of(t, a.private)
    if corp is None:
        return f"{a.private} cannot be exchanged."
    if (a.corp, a.source) != (None, None):
        return f"The share that {a.private} brings is fixed and not chosen."
    if corp not in s.par:
        return f"{corp} has no director's certificate sold, so {a.private} cannot be exchanged."
    return None if s.held(corp, IPO) else f"No share of {corp} is left in the offering."


def exchange(t: Title, s: State, a: ExchangePrivate) -> None:
    corp = exchange_of(t, a.private)
    assert corp is not None
    close(s, a.private)
    shift(s, corp, IPO, a.by, 1, 0)
    settle_presidency(s, corp)
    float_if_due(t, s, corp)
    _opened(s)


EXCHANGE = Verb(
    ExchangePrivate,
    all_privates(ExchangePrivate),
    (own_private, own_turn, exchangeable),
    exchange,
    anybody=True,
)
CLOSE_PRIVATE = Verb(ClosePrivate, all_privates(ClosePrivate), (own_private, own_turn), close_own, anybody=True)


# The round


def something_to_do(t: Title, s: State) -> bool:
    """Whether the player whose turn it is can buy or sell anything, or exchange a private."""
    verbs = [verb for verb in t.rounds["SR"].steps[0].verbs if verb.action not in (Pass, ClosePrivate)]
    return stock.can_any(t, s, (*verbs, *(verb for verb in t.anytime if verb.action is ExchangePrivate)))


def something_to_do_online(t: Title, s: State) -> bool:
    """Option `online`: a private in the bank or a company of a closed layer is reason enough to be asked; an exchange
    alone is none.
    """
    verbs = [verb for verb in t.rounds["SR"].steps[0].verbs if verb.action not in (Pass, ClosePrivate)]
    if stock.can_any(t, s, verbs):
        return True
    if s.bought or not s.cash[s.up] or certificates(t, s, s.up) >= t.policy.cert_limit(t, s):
        return False
    sold = s.sold.get(s.up, frozenset())
    if any(owner == BANK and CorpId(private) not in sold for private, owner in s.owner.items()):
        return True
    return any(
        corp not in s.par and corp not in sold and s.cash[s.up] >= 2 * _least_par(s, corp) for corp in t.corporations
    )


def _least_par(s: State, corp: CorpId) -> int:
    """The lowest par of any company, or of one that was bankrupt."""
    return LEAST_NEW_PAR if has(s, "bankrupt", corp) else PAR_RANGE[4][0]


def begin(t: Title, s: State) -> None:
    stock.begin(t, s)
    if s.own.get("southern") == "formed":
        s.own["southern"] = "over"
        s.facts.append(Announced("southern over"))


def proceed(t: Title, s: State) -> None:
    """Ask the player whose turn it is; a bankruptcy begins the round anew."""
    if s.own.pop("new priority", False):
        enter(t, s, "SR")
        return
    while s.passes < len(s.players):
        if s.pending:
            return
        if t.rounds["SR"].steps[0].asks(t, s):
            return
        stock.next_turn(s)
    _end(t, s)


def _end(t: Title, s: State) -> None:
    if s.last_actor is not None:
        s.priority = s.after(s.last_actor)[0]
    s.or_count = t.phase(s).operating_rounds
    nationalise_if_due(t, s)
    enter(t, s, "OR")


def nationalise_if_due(t: Title, s: State) -> None:
    """After Southern: once every company with a director has a train, British Rail forms. {1860-END-07, -09, -10}"""
    if british(s) or not s.own.get("southern"):
        return
    directed = [corp for corp in t.corporations if corp in s.par and s.president_of(corp) is not None]
    if all(s.trains[corp] for corp in directed):
        s.own["british"] = True
        s.facts.append(Announced("british"))


def stock_round(*verbs: Verb, asks: Question) -> Round:
    return Round("SR", (Step("shares", verbs, asks),), begin, proceed, stock.actors, stock.label)
