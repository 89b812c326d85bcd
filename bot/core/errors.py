"""What somebody asked for and the bot cannot do now; the text is for that person.

TableError
  NoGame          the channel has no game
  NotSeated       the person has no seat
  NotYourTurn     somebody else must decide
  Outdated        the control belongs to an earlier position
  UnknownControl  this version makes no such control
"""

from __future__ import annotations

import json

from engine import EngineError, Refused
from storage.errors import BrokenLog, ChannelTaken, Duplicate, Stale, StorageError, Unavailable

OVER = "The game is already over."
NO_RESULT = "This game has ended without a result, so nothing more happens in it."
TAKEN = "This channel already has a game. Create a thread for another one: each channel or thread holds one game."
CHANNEL_TAKEN = (
    "Another game is in this channel now, so this one cannot go on here. `/game move` takes it to another channel "
    "or thread; then it can be taken back there."
)
DAMAGED = "The stored games are damaged; please tell the bot's host, who may have a backup."
NOT_THERE = "That person has no seat in this game."
STALE = "The game has moved on, so nothing was done. Its newest message shows where it stands."
DONE = "That has already been done."


class TableError(Exception):
    """Something that cannot be done now; the text says why, and what can be done instead."""

    said = ""
    """What is said unless something else is."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text or self.said)


class NoGame(TableError):
    """The channel has no game."""

    said = "There is no game in this channel. `/game create` starts one."


class NotSeated(TableError):
    """The person has no seat."""

    said = "You have no seat in this game: you can watch, but not play."


class NotYourTurn(TableError):
    """Somebody else must decide."""

    @classmethod
    def waits_for(cls, who: str) -> NotYourTurn:
        return cls(f"It is not your turn: the game is waiting for {who}.")


class Unreadable(TableError):
    """This version of the bot cannot read the game's log, or nothing can, as it is damaged."""

    def __init__(self, why: Exception, *, ended: bool = False) -> None:
        self.damaged = isinstance(why, BrokenLog)
        if isinstance(why, BrokenLog):
            ends = "" if ended else " Its host or a moderator can end it without a result: `/game end`."
            super().__init__(_damaged(why) + ends)
            return
        ends = "" if ended else "`/game end` ends it, and then "
        super().__init__(
            f"This version of the bot cannot show the game ({why}). Nothing is lost: the bot's host can go back "
            f"to the previous version, or {ends}`/game export` saves its log."
        )


class NotDrawn(TableError):
    """The processes that draw died over a picture, twice."""

    said = "The picture could not be drawn this time. Everything else goes on; ask for it again."


class Outdated(TableError):
    """The control belongs to an earlier position."""

    said = STALE


class UnknownControl(TableError):
    """The control was made by an earlier version of the bot, or by nobody."""

    said = "This button is out of date. Look at the game's newest message."


def _damaged(error: BrokenLog) -> str:
    return f"This game's log is damaged at entry {error.seq}; please tell the bot's host, who may have a backup."


def explain(error: BaseException) -> str | None:
    """What to tell the person, or None if the error is our own fault."""
    if isinstance(error, Refused):
        return f"{error.text}\n-# Rule {error.rule}" if error.rule else error.text
    if isinstance(error, Duplicate):
        return DONE
    if isinstance(error, Stale):
        return STALE
    if isinstance(error, ChannelTaken):
        return TAKEN
    if isinstance(error, BrokenLog):
        return _damaged(error)
    if isinstance(error, Unavailable):
        return DAMAGED if error.damaged else "I cannot read or save games right now; please try again in a moment."
    if isinstance(error, json.JSONDecodeError):  # only what is stored is read unguarded
        return DAMAGED
    if isinstance(error, TableError | EngineError | StorageError):
        return str(error)
    return None
