"""Rules, help and lessons, as the house finds them."""

from __future__ import annotations

from bot.chat.room import Room
from bot.rooms.learning import presses
from bot.rooms.learning.commands import Rules

ROOM = Room(presses=presses.HANDLERS, cogs=(Rules,))
