"""The handler of every press."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.chat import codes
from bot.chat.answers import in_private
from bot.core.errors import Outdated, TableError, UnknownControl
from bot.rooms.programs import presses as programs
from bot.rooms.trying import presses as board
from bot.rooms.trying import trying
from bot.rooms.turn import acting, choosing
from bot.rooms.turn.press import Handler, Press
from bot.ui.presses import people, showing
from engine.actions import ACTIONS

if TYPE_CHECKING:
    from bot.chat.client import Bot

HANDLERS: dict[str, Handler] = {
    **board.HANDLERS,
    **acting.HANDLERS,
    **choosing.HANDLERS,
    **showing.HANDLERS,
    **people.HANDLERS,
    **programs.HANDLERS,
}
"""By the first word of a code; the kinds of actions are words of their own, see `acting.do`."""


async def press(bot: Bot, interaction: discord.Interaction[Any], game: str, seq: int, code: str) -> None:
    """Do what the code says. Raises errors that `answers.explain` can explain."""
    word, parts = codes.read(code)
    given = Press(bot, interaction, game, seq, word, parts)
    if word not in ACTIONS and word not in HANDLERS:
        raise UnknownControl()
    if trying.is_line(game):
        await trying.guarded(bot, interaction, game, lambda: _handle(given, code))
        return
    try:
        await _handle(given, code)
    except Outdated as error:
        table = await given.table()
        if seq <= table.position.seq or in_private(interaction) or interaction.message is None:
            await bot.present.look(table.game.id)  # they are referred to the newest message
            raise
        # A game only goes backwards if a backup was restored, or by damage; no message has working controls then.
        await bot.sender.show_anew(table, interaction.message)
        raise TableError(
            "Nothing was done: an older copy of this game has been restored, and this position was lost. "
            "The game continues in a new message."
        ) from error


async def _handle(given: Press, code: str) -> None:
    await (acting.do(given, given.word, code) if given.word in ACTIONS else HANDLERS[given.word](given))
