"""The pages of a server's games."""

from __future__ import annotations

from bot.chat.answers import acknowledge
from bot.chat.press import Press
from bot.chat.room import Handler
from bot.rooms.server import server_games


async def _games(given: Press) -> None:
    """Another page of the server's games."""
    await acknowledge(given.interaction, shows=True)
    await server_games.show(given.bot, given.interaction, int(given.parts[0]))


HANDLERS: dict[str, Handler] = {
    "games": _games,
}
