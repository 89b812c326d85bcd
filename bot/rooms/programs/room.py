"""Programs, as the house finds them."""

from __future__ import annotations

from bot.chat.room import Room
from bot.rooms.programs import presses, programming
from bot.rooms.programs.commands import Passing

ROOM = Room(presses=presses.HANDLERS, forms={"program": programming.submitted}, due=programming.due, cogs=(Passing,))
