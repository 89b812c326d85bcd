"""What the outbox holds: a turn, an offer, a question, a text, a ping. Only this module writes and reads it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.core.moves import TurnKey
from storage import Notice

OFFERS_LANE = "offers"
ARCHIVED = "archived"
LOBBY = "lobby"
"""The kind of the message where people join; it is posted when the game is created."""


@dataclass(frozen=True, slots=True)
class TurnNotice:
    """Post a turn's message, or update it as the turn goes on."""

    key: str
    """A `TurnKey` as text, shared by all messages of one turn."""

    @property
    def start(self) -> int | None:
        """How many moves came before the turn; None if the key does not say."""
        digits = self.key.rpartition(":")[2]
        return int(digits) if digits.isdecimal() else None


@dataclass(frozen=True, slots=True)
class OfferNotice:
    """Post an offer that needs an answer; `action` is its body."""

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
    """The kind of the votes: "end", "pace" or "settings"."""
    text: str
    ping: tuple[int, ...] = ()
    by: int | None = None


@dataclass(frozen=True, slots=True)
class FollowNotice:
    """Tell a follower what has happened: in a thread, or (`channel` 0) by direct message."""

    watch: int
    user: int
    channel: int
    text: str


@dataclass(frozen=True, slots=True)
class BoardNotice:
    """Bring a live board up to date."""

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


TableNotice = TurnNotice | OfferNotice | SayNotice | UndoNotice | VoteNotice
AnyNotice = TableNotice | FollowNotice | BoardNotice | RingNotice | LateNotice | ArchivedNotice


TURNS = "turn:%"
"""The kinds of all messages that show turns, as a pattern."""
AGAIN = '{"again": true}'
"""The body of a notice to show a turn that may have been shown: whoever it pinged then is not pinged again."""


def turn_notice(key: TurnKey, *, again: bool = False) -> Notice:
    """Show this turn, or update its message; `again` where that may have been done."""
    return Notice(f"turn:{key}", AGAIN if again else "{}")


def imported_notice(moves: int) -> Notice:
    """Show the first turn of a game imported with this many moves."""
    return Notice(f"turn:imported:{moves}", "{}")


def offer_notice(to_seat: str, action: str) -> Notice:
    """Ask `to_seat` about an offer; `action` is its body. It does not wait for turns in the same channel."""
    return Notice(f"offer:{to_seat}", json.dumps({"action": action}), lane=OFFERS_LANE)


def say_notice(text: str, ping: Sequence[int] = (), *, by: int | None = None) -> Notice:
    """Say the text, and ping these user ids; `by` is the person because of whom, if of one."""
    return Notice("say", _body(text, ping, by=by))


def _body(text: str, ping: Sequence[int], **more: str | int | None) -> str:
    return json.dumps({"text": text, "ping": list(ping)} | {name: one for name, one in more.items() if one})


def undo_notice(seq: int, ping: Sequence[int] = ()) -> Notice:
    """Ask these user ids to agree that the decision in row `seq` and what followed is taken back."""
    return Notice(f"undo:{seq}", json.dumps({"ping": list(ping)}))


def vote_notice(question: str, text: str, ping: Sequence[int] = (), *, by: int | None = None) -> Notice:
    """Ask these user ids for their vote on "end", "pace" or "settings"."""
    return Notice(f"vote:{question}", _body(text, ping, by=by))


def seat_notice(about: str, text: str, ping: Sequence[int] = (), *, later: str = "", by: int | None = None) -> Notice:
    """Say something about a seat, with buttons; whoever may not be disturbed now is told `later`, a word.

    `about` is a word and what it is about, a seat or a proposal: "open:p2", "left:p2", "gone:p2", "absent:p2",
    "new:p2", "lost:p2", "offer:17", "ask:17", "sub:p2" (may the bot play on?), "back:p2" (it does for somebody),
    "free:p2" (for nobody).
    """
    return Notice(f"seat:{about}", _body(text, ping, later=later, by=by))


def follow_notice(watch: int, user: int, channel: int, text: str) -> Notice:
    """Tell a follower; no table and no other follower waits for it."""
    return Notice(
        f"follow:{watch}", json.dumps({"user": user, "channel": channel, "text": text}), lane=f"watch {watch}"
    )


def board_notice(watch: int) -> Notice:
    """Bring a live board up to date with the game as it then is."""
    return Notice(f"board:{watch}", "{}", lane=f"watch {watch}")


def ring_notice(ring: RingNotice) -> Notice:
    """Tell a person what waits for them, in the game's channel or by direct message."""
    return Notice("ring", json.dumps(asdict(ring)), lane=f"dm {ring.user}" if ring.dm else "table")


def late_notice(seat: str, ping: Sequence[int]) -> Notice:
    """Ask the others what to do about a seat whose time is up."""
    return Notice(f"late:{seat}", json.dumps({"seat": seat, "ping": list(ping)}))


def archived_notice() -> Notice:
    """Say that the game is archived."""
    return Notice(ARCHIVED, "{}")


_READ: dict[str, Callable[[str, dict[str, Any]], AnyNotice]] = {
    "turn": lambda key, _: TurnNotice(key),
    "offer": lambda _, values: OfferNotice(**values),
    "undo": lambda seq, values: UndoNotice(int(seq), **values),
    "follow": lambda watch, values: FollowNotice(int(watch), **values),
    "board": lambda watch, _: BoardNotice(int(watch)),
    "ring": lambda _, values: RingNotice(**values),
    "late": lambda _, values: LateNotice(**values),
    ARCHIVED: lambda *_: ArchivedNotice(),
    "vote": lambda question, values: VoteNotice(question, **values),
    "seat": lambda about, values: SayNotice(about=about, **values),
    "say": lambda _, values: SayNotice(**values),
}
"""By the word that a kind begins with: the notice of what follows it and of the body."""


def read_notice(kind: str, body: str) -> AnyNotice:
    """The notice that a row of the outbox holds."""
    word, _, about = kind.partition(":")
    values = {name: tuple(one) if isinstance(one, list) else one for name, one in json.loads(body).items()}
    return _READ[word](about, values)


def is_watch(kind: str) -> bool:
    """Whether it is for somebody outside the table, and says nothing about the table's channel."""
    return kind.partition(":")[0] in ("follow", "board")


def seat_matter(kind: str) -> str:
    """What an outbox row or posted message says about a seat: "open:p2"; "" if it is about none."""
    word, _, about = kind.partition(":")
    return about if word == "seat" else ""


def vote_matter(kind: str) -> str:
    """What an outbox row or posted message asks for votes on: "end", "pace", "settings"; "" if for none."""
    word, _, question = kind.partition(":")
    return question if word == "vote" else ""


def turn_of(kind: str) -> TurnNotice | None:
    """The turn that an outbox row or posted message is about; None if it is not about a turn."""
    word, _, key = kind.partition(":")
    return TurnNotice(key) if word == "turn" else None
