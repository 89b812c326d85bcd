"""Looking back, as the house finds it."""

from __future__ import annotations

from bot.chat.room import Room
from bot.rooms.past import presses
from bot.rooms.past.finish import final_screen

ROOM = Room(presses=presses.HANDLERS, final=final_screen)
