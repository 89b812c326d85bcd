"""Clocks and reminders, as the house finds them."""

from __future__ import annotations

from bot.chat.room import Room
from bot.core.notices import ArchivedNotice, LateNotice, RingNotice
from bot.rooms.time import presses, saying, ticker
from bot.rooms.time.commands import PaceCommands

ROOM = Room(
    presses=presses.HANDLERS,
    says={RingNotice: saying.say_ring, LateNotice: saying.say_late, ArchivedNotice: saying.say_archived},
    stands=saying.stands,
    left=saying.left,
    due=ticker.due,
    cogs=(PaceCommands,),
)
