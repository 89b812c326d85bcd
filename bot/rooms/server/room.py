"""A server's games and results, as the house finds them."""

from __future__ import annotations

from bot.chat.room import Room
from bot.rooms.server import presses
from bot.rooms.server.commands import ServerCommands, Stats

ROOM = Room(presses=presses.HANDLERS, cogs=(ServerCommands, Stats))
