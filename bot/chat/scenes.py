"""Where a control acts: at the table of its game, or on the board of a line that somebody tries out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.scene import Scene
from bot.rooms.trying.trying import is_line, line_of

if TYPE_CHECKING:
    from bot.chat.client import Bot


async def scene_of(bot: Bot, place: str, user: int) -> Scene:
    """The table of a game, or the person's line, by what controls carry. Raises what `Tables.get` and `line_of` do."""
    return await line_of(bot, place, user) if is_line(place) else await bot.tables.get(place)
