"""Trying out, as the house finds it."""

from __future__ import annotations

from bot.chat.room import Room
from bot.rooms.trying import presses, trying

ROOM = Room(presses=presses.HANDLERS, forms={"board": trying.submitted})
