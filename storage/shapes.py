"""The records that the storage takes and returns.

Times are whole seconds since 1970, UTC. Ids of people, guilds, channels and messages are Discord's
numbers. A `body`, `options`, `settings`, `orders` or `result` is JSON text that the storage never parses.
`Seat.seat` is a number, from 1 in seat order; everywhere else a seat is whatever text the game calls it ("p1").
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict

Status = Literal["open", "running", "finished", "abandoned"]
OfferStatus = Literal["open", "accepted", "declined", "stale"]
ProposalKind = Literal["give", "lend", "take"]
HandoverKind = Literal["given", "lent", "returned", "left", "taken"]
WatchKind = Literal["follow", "board", "post"]
InteractionId = int | str
ARRIVED = "arrived"
"""The hint, in the place of a game's id, that something came over HTTP."""
VACANT = 0
"""The user id in a seat that somebody has left and nobody has taken yet."""
UNFINISHED: tuple[Status, ...] = ("open", "running")


@dataclass(frozen=True, slots=True)
class Game:
    """One game; `seq` is the last row of its log, 0 before the first.

    `version` grows with every change of the game itself, its seats, log or standing orders.
    """

    id: str
    guild_id: int | None
    channel_id: int
    title: str
    options: str
    settings: str
    status: Status
    host_id: int
    created_at: int
    started_at: int | None
    finished_at: int | None
    result: str | None
    seq: int
    version: int
    rules: str | None = None
    """By which rules it was last written or read; None where that is not known."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One person's time in a seat; `left_at` is None until they leave it."""

    game: str
    seat: int
    user_id: int
    name: str
    joined_at: int
    left_at: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """A row to append: `kind` is "action", "undo", "redo" or any other word."""

    kind: str
    body: str
    by_seat: str | None = None
    by_user: int | None = None
    note: str | None = None
    rules: int | None = None
    """The revision of the rules that accepted it."""
    position: str | None = None
    """A fingerprint of the position after it."""
    told: str | None = None
    """What players were told of it."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """A row of the log; of rows appended together only the first carries the `interaction_id`."""

    game: str
    seq: int
    kind: str
    body: str
    by_seat: str | None
    by_user: int | None
    note: str | None
    at: int
    interaction_id: str | None
    hash: str
    rules: int | None = None
    position: str | None = None
    told: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The position after row `seq`, in the engine's own `format`."""

    seq: int
    format: int
    blob: bytes
    told: str | None = None
    """What is to be told of rows that do not say it themselves; None leaves it as it is."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to be sent. Notices of one game and `lane` go out one at a time, in order."""

    kind: str
    body: str
    lane: str = "table"


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """A notice claimed for sending; `attempts` counts this one."""

    id: int
    game: str
    seq: int
    kind: str
    body: str
    lane: str
    created_at: int
    attempts: int
    unsure_since: int | None
    """When the first earlier attempt was made that may have got through; None if all are known to have failed."""

    @property
    def nonce(self) -> str:
        """25 characters, the same at every attempt and unlike any other notice's."""
        text = json.dumps([self.id, self.game, self.seq, self.kind, self.body, self.created_at])
        return hashlib.sha256(text.encode()).hexdigest()[:25]


@dataclass(frozen=True, slots=True)
class InboxItem:
    """An interaction that came over HTTP, `age` seconds ago, and is to be done."""

    id: int
    body: str
    age: float = 0.0
    borrowed: bool = False
    """Whether a process that does not serve its server has acknowledged it."""


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of Discord's `count` shards, by their numbers. A game is on the shard of its server."""

    own: tuple[int, ...]
    count: int

    def has(self, guild_id: int | None) -> bool:
        """Whether a server is on one of them."""
        return self.number(guild_id, self.count) in self.own

    @staticmethod
    def number(guild_id: int | None, count: int) -> int:
        """The shard of a server, of so many; what belongs to no server is the first's."""
        return ((guild_id or 0) >> 22) % count


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a shard at Discord, which whoever serves the shard next may go on with."""

    id: str
    sequence: int
    """The number of the last event that came."""
    gateway: str
    """The address at which it is gone on with."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that was posted at position `seq`."""

    message_id: int
    channel_id: int
    game: str
    seq: int
    kind: str


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that `from_seat` proposed at position `seq` and that needs `to_seat`'s consent."""

    id: int
    game: str
    seq: int
    body: str
    from_seat: str
    to_seat: str
    status: OfferStatus
    made_at: int


@dataclass(frozen=True, slots=True)
class Opening:
    """A seat that others may take."""

    game: str
    seat: str
    opened_at: int


@dataclass(frozen=True, slots=True)
class Loan:
    """A seat that goes back to its owner at `ends_at`, or earlier if the owner wants."""

    game: str
    seat: str
    owner_id: int
    owner_name: str
    ends_at: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal that `user_id` sit in a seat: its player offers it ("give", "lend"), or they ask for it ("take")."""

    id: int
    game: str
    seat: str
    kind: ProposalKind
    by_user: int
    user_id: int
    name: str
    days: int
    status: OfferStatus
    made_at: int


@dataclass(frozen=True, slots=True)
class Handover:
    """A seat that changed hands after row `seq` of the log."""

    id: int
    game: str
    seq: int
    seat: str
    how: HandoverKind
    from_id: int
    from_name: str
    to_id: int
    to_name: str
    at: int


@dataclass(frozen=True, slots=True)
class Tenures:
    """On what terms the seats of one game are held; the proposals are the open ones."""

    openings: tuple[Opening, ...] = ()
    loans: tuple[Loan, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    handovers: tuple[Handover, ...] = ()

    def opening(self, seat: str) -> Opening | None:
        """Since when others may take the seat; None if they may not."""
        return next((one for one in self.openings if one.seat == seat), None)

    def loan(self, seat: str) -> Loan | None:
        """Whose the seat is, if it is lent."""
        return next((one for one in self.loans if one.seat == seat), None)

    def proposal(self, number: int) -> Proposal | None:
        return next((one for one in self.proposals if one.id == number), None)


@dataclass(frozen=True, slots=True)
class Watch:
    """A game that is followed, or shown on a live board, in a channel or (`channel_id` 0) by direct messages."""

    id: int
    game: str
    kind: WatchKind
    user_id: int
    """Who wanted it."""
    channel_id: int
    events: str
    """Words of the caller's, separated by commas."""
    every: int
    """Seconds between two messages at least."""
    seq: int
    """The row of the log up to which it has told."""
    told_at: int
    message_id: int | None


@dataclass(frozen=True, slots=True)
class Order:
    """What a seat wants done on its behalf."""

    body: str
    due_at: int | None = None
    """When somebody has to look at it next; None for never."""


@dataclass(frozen=True, slots=True)
class Branch:
    """What a person tries out privately from a game; `revision` counts its changes."""

    id: int
    game: str
    user_id: int
    body: str
    revision: int
    changed_at: int


@dataclass(frozen=True, slots=True)
class Guide:
    """How far a person is in the guided first game; `revision` counts its changes."""

    user_id: int
    body: str
    revision: int
    changed_at: int


@dataclass(frozen=True, slots=True)
class PuzzleChannel:
    """A channel that wants a puzzle a day, at the time of day of `due_at`."""

    channel_id: int
    guild_id: int
    user_id: int
    """Who wanted it."""
    due_at: int
    refused_since: int | None
    """Since when the bot may not post there."""
    error: str | None


@dataclass(frozen=True, slots=True)
class PuzzleDay:
    """The puzzle of a day in a channel; days count from 1970."""

    channel_id: int
    day: int
    puzzle: str
    begun_at: int
    message_id: int | None
    """None until it is known to be posted."""


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """What a person answered to the puzzle of a day in a channel."""

    channel_id: int
    day: int
    user_id: int
    answer: int
    """Its place among the answers."""
    hit: int
    """1 if it is right."""
    at: int


@dataclass(frozen=True, slots=True)
class Vote:
    """One seat's answer to the question `kind`, at position `seq`."""

    game: str
    kind: str
    seat: str
    choice: str
    seq: int
    at: int


@dataclass(frozen=True, slots=True)
class Break:
    """A time when every clock stood still. If the machine's clock was set back, it ends before it began."""

    id: int
    stopped_at: int
    resumed_at: int


@dataclass(frozen=True, slots=True)
class Ping:
    """What a person is to be told of a game, not before `at`; of one `kind` only the latest counts."""

    user_id: int
    kind: str
    body: str
    at: int


@dataclass(frozen=True, slots=True)
class OwedPing:
    user_id: int
    game: str
    kind: str
    body: str
    at: int


@dataclass(frozen=True, slots=True)
class Ticked:
    """What a step makes of a game's clock, and what is stored with it."""

    body: str
    due_at: int | None
    pings: tuple[Ping, ...] = ()
    notices: tuple[Notice, ...] = ()
    forget: tuple[str, ...] = ()
    """Kinds of pings of the game that no longer matter; done before new ones are added."""


@dataclass(frozen=True, slots=True)
class PersonTicked:
    """What a step makes of a person's record, and what is stored with it."""

    body: str
    due_at: int | None
    notices: tuple[tuple[str, Notice], ...] = ()
    """Each with its game."""
    told: tuple[OwedPing, ...] = ()
    """Pings that no longer wait."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A table: its columns, and those of its key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


ClockStep = Callable[[str | None, int, Sequence[Break]], Ticked | None]
"""From a clock's text, the time and the breaks to what is to be stored; None changes nothing."""
PersonStep = Callable[[str, int, Sequence[OwedPing]], PersonTicked | None]


class Along(TypedDict, total=False):
    """What may go along with a change of a game, in the same transaction."""

    interaction_id: InteractionId | None
    """Which asks for it: it is done once."""
    expected_version: int | None
    """The game's, as whoever asks has seen it."""
    notices: Sequence[Notice]
    """Messages that are queued."""
    clock: ClockStep | None
    """A step of the game's clock."""


TABLES: Mapping[type[Any], str] = {
    Branch: "branches",
    Guide: "guides",
    Break: "breaks",
    Game: "games",
    Handover: "handovers",
    Loan: "loans",
    LogRow: "log",
    Message: "messages",
    Offer: "offers",
    Opening: "openings",
    OutboxItem: "outbox",
    OwedPing: "pings",
    Proposal: "proposals",
    PuzzleAnswer: "puzzle_answers",
    PuzzleChannel: "puzzle_channels",
    PuzzleDay: "puzzle_days",
    Seat: "seats",
    Vote: "votes",
    Watch: "watches",
}
"""The table that each record is a row of; its fields are columns there, by their names."""


def columns(shape: type[Any]) -> str:
    """A record's fields as the column list of a SELECT, so that `Shape(*row)` reads a row back."""
    return ", ".join(field.name for field in fields(shape))


def places(count: int) -> str:
    """Marks for so many values of a statement."""
    return ", ".join("?" * count)
