"""What a room of `bot/rooms` adds to the bot: what it answers, what it says, and what it does by itself.

`bot.house` lists the rooms. Nothing else knows them all, and a press, a form or a notice finds its room by a word.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.chat import codes
from bot.chat.screen import Button, Screen
from bot.core.errors import NO_RESULT, UnknownControl
from bot.core.position import Scene
from bot.core.table import Table
from engine import Action
from storage import Message, OutboxItem


@dataclass(frozen=True, slots=True)
class Boards:
    """Boards beside games, whose controls carry a place of their own instead of a game's id."""

    back: Button
    """Leads from a list or a picture back to the board."""
    place: re.Pattern[str]
    scene: Callable[[Any, str, int], Awaitable[Scene]]
    """What is at the place for this person; takes the bot first. Raises TableError."""
    move: Callable[[Any, Any, Sequence[Action], int | None], Awaitable[None]]
    """Plays the actions of one press in the scene, and shows it; takes the interaction first, and what was seen last.

    Raises Refused and TableError.
    """
    guarded: Callable[[Any, str, Callable[[], Awaitable[None]]], Awaitable[None]]
    """Does what was pressed, by an interaction at a place; what cannot be done is said on the board."""


Handler = Callable[[Any], Awaitable[None]]
"""Takes a `Press`."""
Saying = Callable[[Any, Any, Any], Awaitable[None]]
"""Takes the bot, the item of the outbox and its notice: posts it, or edits what it is about, or drops it."""
Doing = Callable[[Any, Any], Awaitable[None]]
"""Takes the bot and the key of a row that is due: a game's, a person's or a watch's id."""
Left = Callable[[Table, Message, str], Awaitable[Screen]]
"""What is left of a past message of a game; takes last what it is about, as its kind says after the first word."""
Stands = Callable[[Table, Message, str], Awaitable[bool]]
"""Whether such a message is a question that is still open."""
Asks = Callable[[Table, Message, str], Awaitable[Screen | None]]
"""What such a question says by now; None where that is what it said at first."""


MOVED = "*The game has moved to <#{}>.*"


async def _nothing(*_: Any) -> Any:
    """What a room does that has nothing to do then."""


@dataclass(frozen=True, slots=True)
class Room:
    """One capability. It does not have what is left out."""

    presses: Mapping[str, Handler] = field(default_factory=dict)
    """By the first word of a control's code."""
    forms: Mapping[str, Handler] = field(default_factory=dict)
    """By the first word of a form's code."""
    codes: Mapping[str, str] = field(default_factory=dict)
    """What may follow such a word, as a pattern; nothing where it is left out."""
    says: Mapping[type[Any], Saying] = field(default_factory=dict)
    """By the type of notice."""
    left: Mapping[str, Left] = field(default_factory=dict)
    """By the first word of a message's kind."""
    stands: Mapping[str, Stands] = field(default_factory=dict)
    """Likewise, where such messages ask something."""
    asks: Mapping[str, Asks] = field(default_factory=dict)
    """Likewise, where answers change what they say."""
    lost: Callable[[Any, OutboxItem, Any], Awaitable[bool]] = _nothing
    """Deals with a notice for somebody outside the table that cannot be posted; whether it did."""
    final: Callable[[Table], Awaitable[Screen]] | None = None
    """What a game's end is shown as."""
    cogs: tuple[type[Any], ...] = ()
    """Its slash commands, but for those in groups that several rooms share."""
    due: Mapping[str, Doing] = field(default_factory=dict)
    """By the area of the storage in which rows come due ("clocks"): what is done about one of them."""
    keeps: Callable[[Any], Iterable[object]] = lambda bot: ()
    """What it needs as long as the bot runs, one of each type, which it asks for by `bot.its`."""
    looks: Callable[[Any], Awaitable[int]] = _nothing
    """Does what comes due otherwise; how much that was."""
    boards: Boards | None = None
    """Where people act beside games."""
    advance: Callable[[Any, str], None] = lambda bot, game: None
    """Makes the moves of a game that waits for no person."""
    acted: Callable[[Any, Any], Awaitable[None]] = _nothing
    """Whatever is for a person who has just moved: takes the bot and the interaction."""
    ends: Callable[[Any], Awaitable[None]] = _nothing
    """Breaks off what it has under way."""


class Rooms:
    def __init__(self, rooms: Iterable[Room]) -> None:
        self.all = tuple(rooms)
        self._presses: dict[str, Handler] = _together(one.presses for one in self.all)
        self._forms: dict[str, Handler] = _together(one.forms for one in self.all)
        shapes = _together(one.codes for one in self.all)
        words = {*self._presses, *self._forms}
        assert shapes.keys() <= words, shapes.keys() - words
        self._shapes = {word: re.compile(shapes.get(word, ""), re.ASCII) for word in words}
        self._says = _together(one.says for one in self.all)
        self._left: dict[str, Left] = _together(one.left for one in self.all)
        self._stands: dict[str, Stands] = _together(one.stands for one in self.all)
        self._asks: dict[str, Asks] = _together(one.asks for one in self.all)
        self.due: dict[str, Doing] = _together(one.due for one in self.all)
        """What is done about what is due, by area of the storage."""

    def read(self, code: str) -> tuple[str, list[str]]:
        """The word and the arguments of a code. Raises UnknownControl unless the bot makes such codes."""
        word, _, rest = code.partition(codes.SEPARATOR)
        if len(code) > codes.LIMIT or word not in self._shapes or not self._shapes[word].fullmatch(rest):
            raise UnknownControl()
        return word, rest.split(codes.SEPARATOR) if rest else []

    def handler(self, word: str, *, form: bool = False) -> Handler:
        """Who handles a control, or a form. Raises UnknownControl."""
        handlers = self._forms if form else self._presses
        if word not in handlers:
            raise UnknownControl()
        return handlers[word]

    def board_at(self, place: str) -> Boards | None:
        """The boards that a control belongs to; None for that of a game."""
        boards = (one.boards for one in self.all if one.boards is not None)
        return next((one for one in boards if one.place.fullmatch(place)), None)

    def saying(self, notice: object) -> Saying:
        said: Saying = self._says[type(notice)]
        return said

    async def left(self, table: Table, message: Message) -> Screen:
        word, _, about = message.kind.partition(":")
        if word in self._stands and table.game.status == "abandoned":
            return Screen(f"*{NO_RESULT}*")
        if word in self._stands and message.channel_id != table.game.channel_id:
            return Screen(MOVED.format(table.game.channel_id))
        return await self._left[word](table, message, about)

    async def stands(self, table: Table, message: Message) -> bool:
        """Whether it is a question that is still open, in the game's channel: once the game moves, it asks there."""
        word, _, about = message.kind.partition(":")
        goes_on = table.game.status != "abandoned" and message.channel_id == table.game.channel_id
        return word in self._stands and goes_on and await self._stands[word](table, message, about)

    async def asks(self, table: Table, message: Message) -> Screen | None:
        word, _, about = message.kind.partition(":")
        return await self._asks[word](table, message, about) if word in self._asks else None

    async def final(self, table: Table) -> Screen:
        return await next(room.final for room in self.all if room.final is not None)(table)


def _together(parts: Iterable[Mapping[Any, Any]]) -> dict[Any, Any]:
    every: dict[Any, Any] = {}
    for part in parts:
        assert not every.keys() & part.keys(), every.keys() & part.keys()
        every |= part
    return every
