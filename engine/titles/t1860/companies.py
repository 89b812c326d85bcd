"""What a company of 1860 can be beside floated: insolvent, in receivership, bankrupt, closed; layers and prices."""

from dataclasses import replace
from typing import Any

from engine.board.routes import StopRef
from engine.depot import cheapest
from engine.facts import Announced, CompanyChanged, PriceMoved, TokenPlaced
from engine.flow import can
from engine.ids import IPO, POOL, CorpId, Holder, PlayerId, stop_id
from engine.market import price, put
from engine.shares import shift
from engine.state import Cell, Pending, State
from engine.title import Title
from engine.titles.t1860.own import Condition, own
from engine.titles.t1860.printed import LAYERS, LEAST_NEW_PAR, PAR_RANGE
from engine.titles.t1860.ways import ways


def has(s: State, what: Condition, corp: CorpId) -> bool:
    """Whether the company is in this condition."""
    return corp in getattr(own(s), what)


def mark(s: State, what: Condition, corp: CorpId) -> None:
    """Put the company into this condition, unless it is in it."""
    if not has(s, what, corp):
        _put_down(s, what, (*getattr(own(s), what), corp))
        s.facts.append(CompanyChanged(corp, what, True))


def unmark(s: State, what: Condition, corp: CorpId) -> None:
    """Take the company out of this condition, if it is in it."""
    if has(s, what, corp):
        _put_down(s, what, tuple(other for other in getattr(own(s), what) if other != corp))
        s.facts.append(CompanyChanged(corp, what, False))


def _put_down(s: State, what: Condition, those: tuple[CorpId, ...]) -> None:
    changed: dict[str, Any] = {what: those}
    s.own = replace(own(s), **changed)


def in_receivership(s: State, corp: CorpId) -> bool:
    """The director's certificate lies in the pool. {1860-EMR-10}"""
    return s.president[corp] == POOL


def southern_over(s: State) -> bool:
    """The stock round after the Southern Railway formed has come: nothing is built, halts do not count."""
    return own(s).southern == "over"


def end_building(s: State) -> None:
    """No tiles and no bases any more, and halts do not count. {1860-PHS-10, 1860-PHS-11}"""
    s.own = replace(own(s), southern="over")
    s.facts.append(Announced("southern over"))


def british(s: State) -> bool:
    """British Rail has formed: only operating rounds are left, the bank is infinite. {1860-END-11}"""
    return own(s).british


# Routes and trains


def home_stop(t: Title, s: State, corp: CorpId) -> StopRef | None:
    """The stop of the company's home base; None before it is placed."""
    home = t.corporations[corp].homes[0][0]
    return next((stop for stop in s.board.token_stops(corp) if stop[0] == home), None)


def can_pay_bank_train(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the treasury covers the cheapest train of the bank."""
    rank = cheapest(t, s)
    return rank is not None and t.trains[rank].price <= s.cash[corp]


# Layers


def layer_of(corp: CorpId) -> int:
    """The number of the company's layer, from 1. {1860-SR-25}"""
    return LAYERS[corp]


def open_layers(t: Title, s: State, *, operated: bool) -> None:
    """Open the layer after one with a company sold out of the offering; `operated`: or one that has operated.

    Announces a layer that was not open before, where layers matter.
    """
    begun = [layer_of(corp) for corp in LAYERS if not s.held(corp, IPO) or (operated and corp in s.operated)]
    highest = max((min(layer + 1, 4) for layer in begun), default=1)
    if highest > own(s).layer:
        s.own = replace(own(s), layer=highest)
        if ways(t).in_layers:
            s.facts.append(Announced(f"layer {highest}"))


def par_range(s: State, corp: CorpId) -> tuple[int, int]:
    """Lowest and highest par: after a bankruptcy from 40 on. {1860-SR-15, 1860-EMR-22}"""
    low, high = PAR_RANGE[layer_of(corp)]
    return (LEAST_NEW_PAR if has(s, "bankrupt", corp) else low), high


def par_cells(t: Title, s: State, corp: CorpId) -> dict[Cell, int]:
    """The cells that can be the company's par, the cheapest first, with their prices. {1860-SR-15}"""
    low, high = par_range(s, corp)
    again = has(s, "bankrupt", corp)
    cells = ((col, cell) for col, cell in enumerate(t.market.rows[0]) if cell and (cell.par or again))
    return {(0, col): cell.price for col, cell in cells if low <= cell.price <= high}


# The market is one list: a place is one step, a space two. {1860-MKT-01 to -03}


def moved(t: Title, at: Cell, places: int) -> Cell:
    """So many places to the right, or left if negative; both ends stop the token."""
    return at[0], min(max(at[1] + places, 0), len(t.market.rows[0]) - 1)


def go_under(t: Title, s: State, corp: CorpId) -> None:
    """Lay the token below the others of its space."""
    at = s.cell[corp]
    put(s, corp, at)
    s.facts.append(PriceMoved(corp, at, at, price(t, s, corp), "dividend"))


# Floating


def sold_to_players(t: Title, s: State, corp: CorpId) -> int:
    """Tenths bought from the offering and not sold back. {1860-FLT-01}"""
    return 10 - s.held(corp, IPO) - s.held(corp, POOL)


def floated(t: Title, s: State, corp: CorpId) -> None:
    """The token goes under, the home base is placed, the director lays the home tile. {1860-FLT-02 to -04}"""
    put(s, corp, moved(t, moved(t, s.cell[corp], -1), 1))  # at 0, as may be with `online`, it comes up to 7
    unmark(s, "bankrupt", corp)
    if southern_over(s):
        return
    if not s.board.token_stops(corp):  # a refloated company's base lies there already {1860-EMR-23}
        place_home_base(t, s, corp)
    ask_for_home_tile(t, s, corp)


def place_home_base(t: Title, s: State, corp: CorpId) -> None:
    """Place the first base at home, for nothing. {1860-FLT-02}"""
    hex_id, index = t.corporations[corp].homes[0]
    s.board = s.board.with_token(hex_id, index, corp)
    s.tokens[corp] = s.tokens[corp][1:]
    s.facts.append(TokenPlaced(corp, stop_id(hex_id, index), 0, home=True))


def ask_for_home_tile(t: Title, s: State, corp: CorpId) -> None:
    """Ask the director for a tile where the home hex is still empty. {1860-FLT-03, -04}"""
    hex_id = t.corporations[corp].homes[0][0]
    director = s.president_of(corp)
    if director is not None and s.board.face(hex_id).face.colour == "white":
        s.pending += (Pending("home tile", director, corp),)
        if not any(can(t, s, verb, director) for verb in t.interrupts["home tile"].verbs):
            s.pending = s.pending[:-1]


# Bankruptcy


def check_bankruptcy(t: Title, s: State, corp: CorpId) -> None:
    """At price 0 the company is bankrupt; a restarted one once it has floated. {1860-EMR-15 to -20, 1860-VAR-15}"""
    if corp not in s.cell or price(t, s, corp) > 0 or has(s, "bankrupt", corp):
        return
    for holder in [holder for holder in s.shares[corp] if holder != IPO]:
        shift(s, corp, holder, IPO, s.held(corp, holder), 0)
    s.president[corp] = IPO
    del s.cell[corp], s.par[corp]
    s.floated -= {corp}
    mark(s, "bankrupt", corp)
    s.priority = fewest_shares(s)
    if s.round == "SR":
        s.own = replace(own(s), new_priority=True)


def fewest_shares(s: State) -> PlayerId:
    """Who has the fewest tenths; ties: the holder of the priority first, then clockwise. {1860-EMR-19}"""
    held = {player: sum(shares.get(player, 0) for shares in s.shares.values()) for player in s.players}
    order = (s.priority, *s.after(s.priority)[:-1])
    return min(order, key=lambda player: held[player])


def tokened_out(s: State, corp: CorpId, hex_id: str, index: int) -> bool:
    """Whether others' active bases fill the stop; face-down bases do not count. {1860-RTE-13}"""
    places: tuple[Holder | None, ...] = s.board.tokens.get(stop_id(hex_id, index), ())
    if not places or None in places or corp in places:
        return False
    return not any(has(s, "bankrupt", CorpId(token)) for token in places if token)
