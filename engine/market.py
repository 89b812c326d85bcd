"""The only place where price tokens move; and the order that prices give."""

from collections.abc import Iterable

from engine.facts import Move, PriceMoved
from engine.ids import CorpId
from engine.printed import PriceCell, Zone
from engine.state import Cell, State
from engine.title import Title

_PLAIN = Zone("normal")


def price_cell(t: Title, s: State, corp: CorpId) -> PriceCell | None:
    """The cell that the company's token lies on; None before its par is set."""
    at = s.cell.get(corp)
    return None if at is None else t.market.cell(*at)


def price(t: Title, s: State, corp: CorpId) -> int:
    """The market price; 0 before a par is set."""
    cell = price_cell(t, s, corp)
    return 0 if cell is None else cell.price


def zone(t: Title, s: State, corp: CorpId) -> Zone:
    """The zone of the company's price."""
    cell = price_cell(t, s, corp)
    return t.market.zones.get(cell.zone, _PLAIN) if cell else _PLAIN


def put(s: State, corp: CorpId, at: Cell) -> None:
    """Lay the token on a cell, below those already there."""
    s.cell[corp] = at
    s.tickets += 1
    s.arrived[corp] = s.tickets


def move(t: Title, s: State, corp: CorpId, target: Cell, why: Move) -> None:
    """Move the token; one that does not change its cell keeps its place in the stack."""
    source = s.cell[corp]
    if target == source or t.policy.prices.frozen(s):
        return
    put(s, corp, target)
    s.facts.append(PriceMoved(corp, source, target, t.market.price(*target), why))
    t.policy.prices.moved(t, s, corp)


def up(t: Title, at: Cell) -> Cell:
    """One space up; the top of the column stays."""
    return (at[0] - 1, at[1]) if t.market.cell(at[0] - 1, at[1]) else at


def down(t: Title, at: Cell, steps: int = 1) -> Cell:
    """Moves a token this many spaces down; a ledge or the bottom stops it."""
    row, col = at
    while steps and t.market.cell(row + 1, col):
        row, steps = row + 1, steps - 1
    return row, col


def right(t: Title, at: Cell) -> Cell:
    """One space right; at the right end of the row one up."""
    return (at[0], at[1] + 1) if t.market.cell(at[0], at[1] + 1) else up(t, at)


def left(t: Title, at: Cell) -> Cell:
    """One space left; at the left end of the row one down."""
    return (at[0], at[1] - 1) if t.market.cell(at[0], at[1] - 1) else down(t, at)


def in_order(t: Title, s: State, corps: Iterable[CorpId]) -> list[CorpId]:
    """Share price order: highest price, then furthest right, then top of the stack. Companies without par last."""

    def key(corp: CorpId) -> tuple[int, int, int]:
        at = s.cell.get(corp)
        if at is None:
            return 1, 0, 0
        return -price(t, s, corp), -at[1], s.arrived[corp]

    return sorted(corps, key=key)
