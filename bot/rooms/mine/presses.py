"""A person's own settings."""

from __future__ import annotations

from bot.chat.answers import acknowledge
from bot.chat.press import Press
from bot.chat.room import Handler
from bot.rooms.mine import mine


async def _mine(given: Press) -> None:
    """Change the person's own settings, or open a form for them."""
    if given.parts[0] in ("quiet", "away"):
        await mine.ask(given.bot, given.interaction, given.parts[0])
        return
    await acknowledge(given.interaction, shows=True)
    await mine.pressed(given.bot, given.interaction, given.parts)


HANDLERS: dict[str, Handler] = {
    "mine": _mine,
}
