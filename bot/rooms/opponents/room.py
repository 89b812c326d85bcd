"""Opponents and advice, as the house finds them."""

from __future__ import annotations

from bot.chat.room import Room
from bot.rooms.opponents import presses

ROOM = Room(presses=presses.HANDLERS)
