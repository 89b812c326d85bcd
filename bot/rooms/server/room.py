"""A server's games and results, as the house finds them."""

from __future__ import annotations

from bot.chat.answers import acknowledge
from bot.chat.press import Press
from bot.chat.room import Room
from bot.rooms.server import commands
from bot.rooms.server.commands import ServerCommands, Stats


async def _games(given: Press) -> None:
    """Another page of the server's games."""
    await acknowledge(given.interaction, shows=True)
    await commands.show(given.bot, given.interaction, int(given.parts[0]))


ROOM = Room(
    presses={
        "games": _games,
    },
    cogs=(ServerCommands, Stats),
)
