"""A person's own settings, as the house finds them."""

from __future__ import annotations

from bot.chat.answers import acknowledge
from bot.chat.press import Press
from bot.chat.room import Room
from bot.rooms.mine import mine
from bot.rooms.mine.commands import My, Turns


async def _mine(given: Press) -> None:
    """Change the person's own settings, or open a form for them."""
    if given.parts[0] in ("quiet", "away"):
        await mine.ask(given.bot, given.interaction, given.parts[0])
        return
    await acknowledge(given.interaction, shows=True)
    await mine.pressed(given.bot, given.interaction, given.parts)


ROOM = Room(
    presses={
        "mine": _mine,
    },
    forms={"mine": mine.submitted},
    acted=mine.moved_while_away,
    cogs=(My, Turns),
)
