"""Joining a game that has not started, and leaving one."""

from __future__ import annotations

from typing import Any

import discord

from bot.chat.answers import show_privately, show_publicly
from bot.chat.client import Bot
from bot.chat.layout import view
from bot.chat.screen import Screen
from bot.core.notices import LOBBY
from bot.core.settings import TableSettings, players_of
from bot.rooms.seats import lobby, opening, seating
from bot.rooms.seats.screen import leaving_screen
from bot.rooms.turn.asking import leave_screen
from bot.words.lexicon import clean_name
from storage import Game


async def join(bot: Bot, game_id: str, interaction: discord.Interaction[Any], *, once: bool = True) -> None:
    """Give the person a seat. Raises TableError and storage errors. `once`: remember that this interaction joined."""
    game, user = await bot.store.game(game_id), interaction.user
    opening.must_be_able_to_join(game, user.id, await bot.store.seats(game_id))
    number = interaction.id if once else None
    if TableSettings.read(game.settings).invited:
        if await opening.accept(bot.store, game, user.id, number):
            await (await bot.tables.get(game.id)).reclock()
            bot.sender.witnessed(game.id, interaction)
        return
    _, limit = players_of(game)
    name = clean_name(user.display_name, user.name)
    await bot.store.join(game.id, user.id, name, limit=limit, interaction_id=number)


async def ask_to_leave(bot: Bot, game_id: str, interaction: discord.Interaction[Any]) -> None:
    """Ask whether the person gives up their seat, or declines the one kept for them. Raises TableError."""
    game, user = await bot.store.game(game_id), interaction.user.id
    opening.must_be_able_to_leave(game, user, await bot.store.seats(game_id))
    running = game.status == "running"
    screen = leaving_screen(await bot.tables.get(game_id), user) if running else leave_screen(game, user)
    await show_privately(interaction, screen)


async def leave(bot: Bot, game_id: str, interaction: discord.Interaction[Any]) -> None:
    """Give up the person's seat, or decline the one kept for them. Raises TableError and storage errors."""
    game, user = await bot.store.game(game_id), interaction.user.id
    opening.must_be_able_to_leave(game, user, await bot.store.seats(game_id))
    if game.status == "running":
        await seating.leave(bot, interaction, await bot.tables.get(game_id))
        return
    if TableSettings.read(game.settings).invited:
        await opening.decline(bot.store, game, user, interaction.id)
        bot.sender.wake()
        done = "✓ You have declined."
    else:
        await bot.store.leave(game.id, user, interaction_id=interaction.id)
        done = "✓ You have left."
    await redraw_lobby(bot, game_id)
    await show_privately(interaction, Screen(done))


async def redraw_lobby(bot: Bot, game_id: str) -> None:
    """Update the message where people join the game."""
    game = await bot.store.game(game_id)
    screen = lobby.lobby_screen(game, await bot.store.seats(game_id))
    for message in await bot.store.messages.live(game_id):
        if message.kind == LOBBY:
            try:
                channel = await bot.messages.channel(message.channel_id)
                await channel.get_partial_message(message.message_id).edit(
                    view=view(screen), allowed_mentions=discord.AllowedMentions.none()
                )
            except discord.HTTPException:
                return


async def open_lobby(interaction: discord.Interaction[Bot], game: Game, told: str) -> None:
    """Post the message where people join or accept, which pings nobody."""
    store = interaction.client.store
    screen = lobby.lobby_screen(game, await store.seats(game.id))
    message = await show_publicly(interaction, screen, told)
    await store.messages.add(game.id, 0, LOBBY, message.channel.id, message.id)
