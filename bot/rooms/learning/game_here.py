"""Rules and help as they are in the game of a channel."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import discord

from bot.chat.client import Bot
from bot.chat.screen import Screen
from bot.core.building import title_of
from bot.core.errors import Unreadable
from bot.rooms.learning.help import help_screen
from engine.errors import EngineError
from engine.title import Title
from storage import StorageError


async def game_here(bot: Bot, channel: int, game: str = "") -> Title | None:
    """The title, with its options, of the control's game or else of the channel's; None where there is none."""
    with suppress(StorageError, EngineError):
        found = (
            await bot.store.game(game)
            if game and not bot.boards.has(game)
            else await bot.store.game_in_channel(channel)
        )
        return title_of(found) if found is not None else None
    return None


async def help_here(bot: Bot, interaction: discord.Interaction[Any], key: str) -> Screen:
    """A page of help for whoever is in this channel. Raises TableError."""
    game = await bot.store.game_in_channel(interaction.channel_id or 0)
    round_name = ""
    if game is not None and game.status == "running":
        with suppress(Unreadable):
            round_name = (await bot.tables.get(game.id)).position.state.round
    return help_screen(key, await game_here(bot, interaction.channel_id or 0), round_name)
