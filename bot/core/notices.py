"""What the outbox holds: a turn, an offer, a question, a text, a ping. Only this module writes and reads it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from bot.core.moves import TABLE, TurnKey
from engine.plain import read_fields
from storage import Notice

ARCHIVED = "archived"
LOBBY = "lobby"
"""The kind of the message where people join."""


@dataclass(frozen=True, slots=True)
class TurnNotice:
    """Post a turn's message, or update it as the turn goes on."""

    key: str
    """A `TurnKey` as text, shared by all messages of one turn; "imported:17" for an imported game of so many moves."""
    again: bool = False
    """Whether it may have been shown: whoever it pinged then is not pinged again."""

    @property
    def start(self) -> int | None:
        """How many moves came before the turn; None if the key does not say."""
        digits = self.key.rpartition(":")[2]
        return int(digits) if digits.isdecimal() else None

    @property
    def together(self) -> bool:
        """Whether it was nobody's: the game was about to go on as all had agreed."""
        return self.key.startswith(f"{TABLE}:")


@dataclass(frozen=True, slots=True)
class OfferNotice:
    """Post an offer that needs an answer from a seat; `action` is its body."""

    to_seat: str
    action: str


@dataclass(frozen=True, slots=True)
class UndoNotice:
    """Ask some people to agree to an undo; `seq` is the row of the first move that it takes back."""

    seq: int
    ping: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SayNotice:
    """Post a text that pings some people."""

    text: str
    ping: tuple[int, ...] = ()
    about: str = ""
    """If it asks or offers something about a seat, what: see `seat_notice`."""
    later: str = ""
    """What it is, in a word, for those who may not be disturbed when it is posted."""
    by: int | None = None
    """Because of whom, if of somebody."""


@dataclass(frozen=True, slots=True)
class VoteNotice:
    """Ask some people for their vote."""

    question: str
    """The kind of the votes: "end", "runout", "pace" or "settings"."""
    ping: tuple[int, ...] = ()
    by: int | None = None
    mark: str = ""
    """Which of several proposals it asks about, where there may be several."""


@dataclass(frozen=True, slots=True)
class FollowNotice:
    """Tell a follower what has happened."""

    watch: int
    text: str


@dataclass(frozen=True, slots=True)
class BoardNotice:
    """Bring a live board up to date."""

    watch: int


@dataclass(frozen=True, slots=True)
class PostNotice:
    """Bring the tags of a post in a forum up to date."""

    watch: int


@dataclass(frozen=True, slots=True)
class RingNotice:
    """Tell one person what waits for them; in the channel it answers the turn's message."""

    user: int
    text: str
    dm: bool
    silence: bool = False
    """Whether it has a button that silences reminders for this turn."""
    waits: bool = False
    """Whether it only says that the game waits for them, which it may no longer do."""
    private: bool = False
    """Whether it may be said by direct message alone."""
    turns: tuple[str, ...] = ()
    """The games of which it says that they wait for the person."""
    pings: tuple[tuple[str, str, str], ...] = ()
    """What was owed to them, which is owed again if they may not be disturbed by then: game, kind and body."""


@dataclass(frozen=True, slots=True)
class LateNotice:
    """Ask the others what to do about a seat whose time is up."""

    seat: str
    ping: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ArchivedNotice:
    """Say that a game was archived, with a button that wakes it."""


@dataclass(frozen=True, slots=True)
class LobbyNotice:
    """Post the message where people join a game."""

    opened: bool = False
    """Whether its channel is a thread, or a post in a forum, that was opened for the game."""
    again: bool = False
    """Whether it is there, and only shows who has joined once it can be edited."""


TableNotice = LobbyNotice | TurnNotice | OfferNotice | SayNotice | UndoNotice | VoteNotice
AnyNotice = TableNotice | FollowNotice | BoardNotice | PostNotice | RingNotice | LateNotice | ArchivedNotice
TURNS = "turn:%"
"""The kinds of all messages that show turns, as a pattern."""
_KINDS: dict[str, tuple[type[Any], str]] = {
    "turn": (TurnNotice, "key"),
    "offer": (OfferNotice, "to_seat"),
    "undo": (UndoNotice, "seq"),
    "vote": (VoteNotice, "question"),
    "seat": (SayNotice, "about"),
    "say": (SayNotice, ""),
    "follow": (FollowNotice, "watch"),
    "board": (BoardNotice, "watch"),
    "post": (PostNotice, "watch"),
    "ring": (RingNotice, ""),
    "late": (LateNotice, "seat"),
    ARCHIVED: (ArchivedNotice, ""),
    LOBBY: (LobbyNotice, ""),
}
"""What a word in the outbox stands for, and which field of it follows the word: "late:p2"."""


def queued(notice: AnyNotice) -> Notice:
    """The notice as the outbox holds it. Those for people outside the table wait for no turn, nor do offers."""
    values = {one.name: value for one in fields(notice) if (value := getattr(notice, one.name)) != one.default}
    for word, (made, about) in _KINDS.items():
        if isinstance(notice, made) and (not about or about in values):
            what = f"{word}:{values.pop(about)}" if about else word
            return Notice(what, json.dumps(values), lane=_lane_of(notice))
    raise AssertionError(notice)


def _lane_of(notice: AnyNotice) -> str:
    match notice:
        case OfferNotice():
            return "offers"
        case LobbyNotice(again=True):
            return LOBBY
        case FollowNotice(watch=watch) | BoardNotice(watch=watch) | PostNotice(watch=watch):
            return f"watch {watch}"
        case RingNotice(dm=True):
            return f"dm {notice.user}"
    return "table"


def read_notice(kind: str, body: str) -> AnyNotice:
    """The notice that a row of the outbox holds."""
    word, _, about = kind.partition(":")
    (made, its), values = _KINDS[word], json.loads(body)
    if its:
        values[its] = int(about) if its in ("seq", "watch") else about
    notice: AnyNotice = made(**read_fields(made, values))
    return notice


def turn_notice(key: TurnKey, *, again: bool = False) -> Notice:
    """Show this turn, or update its message; `again` where that may have been done."""
    return queued(TurnNotice(str(key), again))


def say_notice(text: str, ping: Sequence[int] = (), *, by: int | None = None) -> Notice:
    """Say the text, and ping these user ids; `by` is the person because of whom, if of one."""
    return queued(SayNotice(text, tuple(ping), by=by))


def seat_notice(about: str, text: str, ping: Sequence[int] = (), *, later: str = "", by: int | None = None) -> Notice:
    """Say something about a seat, with buttons; whoever may not be disturbed now is told `later`, a word.

    `about` is a word and what it is about, a seat or a proposal: "open:p2", "left:p2", "gone:p2", "absent:p2",
    "new:p2", "lost:p2", "offer:17", "ask:17", "sub:p2" (may the bot play on?), "back:p2" (it does for somebody),
    "free:p2" (for nobody).
    """
    return queued(SayNotice(text, tuple(ping), about, later, by))


def asked_anew(kind: str, body: str) -> Notice:
    """The notice of a row, to be said once more: it pings nobody who was pinged."""
    notice: Any = read_notice(kind, body)
    return queued(replace(notice, ping=()) if hasattr(notice, "ping") else notice)


def is_watch(kind: str) -> bool:
    """Whether it is for somebody outside the table, and says nothing about the table's channel."""
    return kind.partition(":")[0] in ("follow", "board", "post")


def turn_of(kind: str) -> TurnNotice | None:
    """The turn that an outbox row or posted message is about; None if it is not about a turn."""
    word, _, key = kind.partition(":")
    return TurnNotice(key) if word == "turn" else None
