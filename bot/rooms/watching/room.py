"""Watching, as the house finds it."""

from __future__ import annotations

from bot.chat.room import Room
from bot.core.notices import BoardNotice, FollowNotice
from bot.rooms.watching import presses, saying, watching

ROOM = Room(
    presses=presses.HANDLERS,
    says={FollowNotice: saying.say_follow, BoardNotice: saying.say_board},
    lost=saying.lost,
    due=watching.tell_watchers,
)
