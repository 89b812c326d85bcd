"""A person's own settings, as the house finds them."""

from __future__ import annotations

from bot.chat.room import Room
from bot.rooms.mine import mine, presses
from bot.rooms.mine.commands import My, Turns

ROOM = Room(presses=presses.HANDLERS, forms={"mine": mine.submitted}, acted=mine.moved_while_away, cogs=(My, Turns))
