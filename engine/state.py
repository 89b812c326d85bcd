"""One position of a game: plain ids, numbers, strings, tuples and flat dicts of those, and a Board.

Rules change its dicts in place and replace all other values, so that copies share those. No rule lives here. `to_dict`
serves snapshots (`stored.py`) and comparisons; the log, not the state, is what is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from operator import attrgetter
from typing import Any

from engine.actions import Route
from engine.board.board import Board
from engine.facts import Fact
from engine.frozen import dataclass
from engine.ids import CorpId, Holder, PlayerId, PrivateId, Rank, TileId
from engine.plain import plain

CLOSED: Holder = "closed"
"""Owner of a private that is closed or was left out of the game."""

NO_STEP = ""
TURN_OVER = "end"
"""`State.step` before a step begins, and once the company's turn is over."""

FIRST = PlayerId("p1")
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pending:
    """A decision that interrupts the turn: `step` is the name of an interrupt of the title."""

    step: str
    player: PlayerId
    subject: str
    """The company or private that it is about."""


@dataclass(frozen=True, slots=True)
class Own:
    """What one title alone keeps of a position; this one keeps nothing.

    A title that has something to keep names a record of its own in `Title.own`: a dataclass of `engine.frozen`, each
    field with a default and of a type that `engine.plain` reads. Its accessor tells the type checker which record it
    is, and what changes is replaced: `s.own = replace(own(s), layer=2)`.
    """


@dataclass(slots=True)
class State:
    """One position of a game."""

    names: Mapping[PlayerId, str]
    """Display names by seat, in seat order."""
    board: Board
    cash: dict[Holder, int] = field(default_factory=dict)
    """Of players, floated companies and the bank."""
    shares: dict[CorpId, dict[Holder, int]] = field(default_factory=dict)
    """Shares of each company by holder; zero holdings are left out."""
    president: dict[CorpId, Holder] = field(default_factory=dict)
    """Who holds the president's certificate (some of the holder's shares)."""
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
    step: str = NO_STEP
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
    own: Own = field(default_factory=Own)
    """What the title alone keeps."""
    facts: list[Fact] = field(default_factory=list)
    """What happened in the action that made this state."""

    def copy(self) -> State:
        """An independent state with no facts yet."""
        new = State(*_values(self))
        new.cash = self.cash.copy()
        new.shares = {corp: held.copy() for corp, held in self.shares.items()}
        new.president = self.president.copy()
        new.par = self.par.copy()
        new.cell = self.cell.copy()
        new.arrived = self.arrived.copy()
        new.tokens = self.tokens.copy()
        new.trains = self.trains.copy()
        new.depot = self.depot.copy()
        new.owner = self.owner.copy()
        new.revenue = self.revenue.copy()
        new.supply = self.supply.copy()
        new.last_run = self.last_run.copy()
        new.last_paid = self.last_paid.copy()
        new.discount = self.discount.copy()
        new.bids = {private: bids.copy() for private, bids in self.bids.items()}
        new.sold = self.sold.copy()
        new.facts = []
        return new

    def share(self, before: State) -> None:
        """Use every part of an earlier position that is the same; positions are never changed once they are made."""
        for name, old, new in zip(_PARTS, _parts(before), _parts(self), strict=True):
            if old is not new and (_share_inner(old, new) if name in _NESTED else old == new and _in_order(old, new)):
                setattr(self, name, old)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All seats in order."""
        return tuple(self.names)

    def held(self, corp: CorpId, holder: Holder) -> int:
        """Shares of the company that the holder has."""
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
        """A JSON value; `stored.state_of` reads it. Facts are left out: they belong to the action, not the position."""
        body = {name: plain(getattr(self, name)) for name in self.__slots__ if name not in ("board", "facts")}
        body["board"] = {"placed": plain(self.board.placed), "tokens": plain(self.board.tokens)}
        return body


_PARTS = tuple(name for name in State.__slots__ if name not in ("board", "own", "facts"))
_parts = attrgetter(*_PARTS)
_NESTED = ("shares", "bids")
"""Those that are dictionaries of dictionaries."""


def _share_inner(old: Mapping[Any, Any], new: dict[Any, Any]) -> bool:
    """Use each dictionary within an earlier one that is the same; whether all are."""
    all_same = True
    for key, one in new.items():
        earlier = old.get(key)
        if earlier == one and _in_order(earlier, one):
            new[key] = earlier
        else:
            all_same = False
    return all_same and old.keys() == new.keys() and _in_order(old, new)


def _in_order(old: Any, new: Any) -> bool:
    """Whether equal values, if they are dictionaries, have their entries in the same order as well."""
    return not isinstance(new, dict) or list(old) == list(new)


_values = attrgetter(*State.__slots__)
"""The values of all fields, in the order of the fields."""
