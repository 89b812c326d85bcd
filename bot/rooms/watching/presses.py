"""Following a game."""

from __future__ import annotations

from bot.chat.answers import acknowledge
from bot.chat.press import Press
from bot.chat.room import Handler
from bot.rooms.watching import watching


async def _follow(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await watching.follow(given.bot, given.interaction, given.game, "".join(given.parts))


HANDLERS: dict[str, Handler] = {
    "follow": _follow,
}
