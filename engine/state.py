"""One position of a game: plain ids, numbers, strings, tuples and flat dicts of those, and a Board.

`copy` is written by hand because every action makes one. No rule lives here. `to_dict` and `from_dict` serve
snapshots and comparisons; the log, not the state, is what is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.actions import Route
from engine.board.board import Board, Grid
from engine.facts import Fact
from engine.ids import CorpId, Holder, PlayerId, PrivateId, Rank, TileId

CLOSED: Holder = "closed"
"""Owner of a private that is closed or was left out of the game."""

FIRST = PlayerId("p1")
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pending:
    """A decision that interrupts the turn: `step` is the name of an interrupt of the title."""

    step: str
    player: PlayerId
    subject: str
    """The company or private that it is about."""


@dataclass(slots=True)
class State:
    names: dict[PlayerId, str]
    """Display names by seat, in seat order."""
    board: Board
    cash: dict[Holder, int] = field(default_factory=dict)
    """Of players, floated companies and the bank."""
    shares: dict[CorpId, dict[Holder, int]] = field(default_factory=dict)
    """Tenths of each company by holder; zero holdings are left out."""
    president: dict[CorpId, Holder] = field(default_factory=dict)
    """Who holds the president's certificate (two of the holder's tenths)."""
    par: dict[CorpId, int] = field(default_factory=dict)
    cell: dict[CorpId, Cell] = field(default_factory=dict)
    """Row and column of the price token."""
    arrived: dict[CorpId, int] = field(default_factory=dict)
    """Ticket numbers: in one cell the lowest lies on top."""
    tickets: int = 0
    floated: frozenset[CorpId] = frozenset()
    operated: frozenset[CorpId] = frozenset()
    """Companies that have had an operating turn."""
    tokens: dict[CorpId, tuple[int, ...]] = field(default_factory=dict)
    """Prices of the station tokens not yet placed, in order of use."""
    trains: dict[CorpId, tuple[Rank, ...]] = field(default_factory=dict)
    depot: dict[Rank, int] = field(default_factory=dict)
    """Trains of the bank never sold yet, in order; unlimited ranks are left out."""
    train_pool: tuple[Rank, ...] = ()
    phase: int = 0
    """Index in the title's phases."""
    owner: dict[PrivateId, Holder] = field(default_factory=dict)
    """A player, a company, BANK while unsold, or CLOSED."""
    revenue: dict[PrivateId, int] = field(default_factory=dict)
    """Incomes that differ from the printed ones."""
    used: frozenset[PrivateId] = frozenset()
    """Privates whose single-use power is spent or lost."""
    supply: dict[TileId, int] = field(default_factory=dict)
    last_run: dict[CorpId, int] = field(default_factory=dict)
    last_paid: dict[CorpId, int] = field(default_factory=dict)
    broken: bool = False
    # Order of play
    round: str = ""
    turn: int = 1
    """Number of the stock round."""
    or_number: int = 1
    or_count: int = 1
    step: str = ""
    priority: PlayerId = FIRST
    up: PlayerId = FIRST
    """Whose turn it is in a round of players."""
    last_actor: PlayerId | None = None
    """The last to do more than pass in this round of players."""
    passes: int = 0
    """Consecutive passes."""
    pending: tuple[Pending, ...] = ()
    """Interrupting decisions; the last is asked first."""
    over: str = ""
    """Why the game ended; empty while it goes on."""
    bankrupt: frozenset[PlayerId] = frozenset()
    # Auction
    discount: dict[PrivateId, int] = field(default_factory=dict)
    bids: dict[PrivateId, dict[PlayerId, int]] = field(default_factory=dict)
    """Standing bids, the highest last."""
    contested: PrivateId | None = None
    """The private that its bidders are auctioning now."""
    speaker: PlayerId | None = None
    """Who must raise or drop out."""
    # A player's turn in a stock round
    bought: bool = False
    sold_first: bool = False
    """Sold in this turn before buying."""
    sold_now: tuple[CorpId, ...] = ()
    """Sold in this turn."""
    sold: dict[PlayerId, frozenset[CorpId]] = field(default_factory=dict)
    """Sold in this round."""
    # A company's turn in an operating round
    operating: CorpId | None = None
    begun: bool = False
    """Whether the company has done anything in this turn."""
    queue: tuple[CorpId, ...] = ()
    """Companies that have yet to operate in this round, next first."""
    lays: tuple[str, ...] = ()
    """Colours of the tiles laid in this turn as track actions."""
    tokened: bool = False
    routes: tuple[Route, ...] = ()
    income: int = 0
    """Revenue of this turn's routes."""
    own: dict[str, Any] = field(default_factory=dict)
    """What one title alone keeps, JSON values."""
    facts: list[Fact] = field(default_factory=list)
    """What happened in the action that made this state."""

    def copy(self) -> State:
        """An independent state with no facts yet."""
        return State(
            self.names,
            self.board,
            dict(self.cash),
            {corp: dict(held) for corp, held in self.shares.items()},
            dict(self.president),
            dict(self.par),
            dict(self.cell),
            dict(self.arrived),
            self.tickets,
            self.floated,
            self.operated,
            dict(self.tokens),
            dict(self.trains),
            dict(self.depot),
            self.train_pool,
            self.phase,
            dict(self.owner),
            dict(self.revenue),
            self.used,
            dict(self.supply),
            dict(self.last_run),
            dict(self.last_paid),
            self.broken,
            self.round,
            self.turn,
            self.or_number,
            self.or_count,
            self.step,
            self.priority,
            self.up,
            self.last_actor,
            self.passes,
            self.pending,
            self.over,
            self.bankrupt,
            dict(self.discount),
            {private: dict(bids) for private, bids in self.bids.items()},
            self.contested,
            self.speaker,
            self.bought,
            self.sold_first,
            self.sold_now,
            dict(self.sold),
            self.operating,
            self.begun,
            self.queue,
            self.lays,
            self.tokened,
            self.routes,
            self.income,
            dict(self.own),
            [],
        )

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All seats in order."""
        return tuple(self.names)

    def held(self, corp: CorpId, holder: Holder) -> int:
        """Tenths of the company that the holder has."""
        return self.shares[corp].get(holder, 0)

    def president_of(self, corp: CorpId) -> PlayerId | None:
        """The player who is president; None if there is none."""
        holder = self.president[corp]
        return PlayerId(holder) if holder in self.names else None

    def after(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """The seats clockwise from the left neighbour of the player round to the player."""
        seats = self.players
        index = seats.index(player) + 1
        return seats[index:] + seats[:index]

    def to_dict(self) -> dict[str, Any]:
        """A JSON value; `from_dict` reads it. Facts are left out: they belong to the action, not the position."""
        body = {name: _plain(getattr(self, name)) for name in self.__slots__ if name not in ("board", "facts")}
        body["board"] = {
            "placed": {hex_id: list(tile) for hex_id, tile in self.board.placed.items()},
            "tokens": {stop: list(places) for stop, places in self.board.tokens.items()},
        }
        return body

    @classmethod
    def from_dict(cls, grid: Grid, body: Mapping[str, Any]) -> State:
        """The state that `to_dict` wrote, on the title's grid."""
        board = Board(
            grid,
            {hex_id: (tile, rotation) for hex_id, (tile, rotation) in body["board"]["placed"].items()},
            {stop: tuple(places) for stop, places in body["board"]["tokens"].items()},
        )
        values: dict[str, Any] = {name: value for name, value in body.items() if name != "board"}
        for name in ("floated", "operated", "used", "bankrupt"):
            values[name] = frozenset(values[name])
        for name in ("train_pool", "sold_now", "queue", "lays"):
            values[name] = tuple(values[name])
        values["cell"] = {corp: tuple(cell) for corp, cell in values["cell"].items()}
        values["tokens"] = {corp: tuple(costs) for corp, costs in values["tokens"].items()}
        values["trains"] = {corp: tuple(ranks) for corp, ranks in values["trains"].items()}
        values["sold"] = {player: frozenset(corps) for player, corps in values["sold"].items()}
        values["pending"] = tuple(Pending(*item) for item in values["pending"])
        values["routes"] = tuple(Route(train, tuple(path), halts) for train, path, halts in values["routes"])
        return cls(board=board, **values)


def _plain(value: Any) -> Any:
    if isinstance(value, Pending):
        return [value.step, value.player, value.subject]
    if isinstance(value, Route):
        return [value.train, list(value.path), value.halts]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
