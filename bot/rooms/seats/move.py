"""/game move: continue a game in another channel, for example if its own is gone or closed."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.client import Bot
from bot.chat.commands import TEXT, Interaction, matching
from bot.chat.posting import MISSING_ACCESS, must_be_able_to_post
from bot.chat.rights import roles
from bot.chat.screen import Screen
from bot.core import constitution
from bot.core.errors import TAKEN, TableError, Unreadable
from bot.core.notices import say_notice
from storage import ChannelTaken, Game


class MoveCommands(commands.Cog):
    """The command that moves a game of this server here."""

    @app_commands.command()
    @app_commands.describe(game="The game's id, at the bottom of its first message")
    async def move(self, interaction: Interaction, game: TEXT) -> None:
        """Move a game of this server to this channel"""
        await acknowledge(interaction, shows=True)
        bot = interaction.client
        moved = await bot.store.game(game.strip().lower())
        if moved.guild_id != interaction.guild_id or moved.status == "abandoned":
            raise TableError(f"There is no game {moved.id} on this server.")
        if not await _may_move(interaction, moved):
            raise TableError(constitution.CONSTITUTION["move"][0].refusal)
        await must_be_able_to_post(interaction)
        try:
            await _move(interaction, moved)
        except ChannelTaken as error:
            raise TableError(TAKEN) from error
        try:
            if moved.status != "open":
                await bot.sender.announce(moved.id)
        except Unreadable as error:
            await show_privately(interaction, Screen(f"✓ The game has moved here. {error}"))
            return
        await show_privately(interaction, Screen("✓ The game continues here."))

    @move.autocomplete("game")
    async def _games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        mine = await interaction.client.store.games_of_user(interaction.user.id)
        named = [(f"{one.title}, game {one.id}", one.id) for one in mine if one.guild_id == interaction.guild_id]
        return matching(named, current)


async def _may_move(interaction: Interaction, game: Game) -> bool:
    if constitution.may("move", game, roles(interaction, game)):
        return True
    seats = await interaction.client.store.seats(game.id)
    return any(seat.user_id == interaction.user.id for seat in seats) and await _is_gone(interaction.client, game)


async def _move(interaction: Interaction, game: Game) -> None:
    """Give the game this channel, and say so in it. Raises ChannelTaken."""
    store, place = interaction.client.store, interaction.channel_id
    said = say_notice(f"<@{interaction.user.id}> moved the game here from <#{game.channel_id}>.")

    async def write() -> None:
        await store.change_game(game.id, channel_id=place, interaction_id=interaction.id)
        await store.outbox.post(game.id, [said])

    await store.together(write)
    interaction.client.sender.wake()


async def _is_gone(bot: Bot, game: Game) -> bool:
    """Whether the game's channel is deleted or closed to the bot. Discord is asked: an archived thread is neither."""
    try:
        await bot.fetch_channel(game.channel_id)
    except discord.NotFound:
        return True
    except discord.Forbidden as error:
        return error.code == MISSING_ACCESS
    return False
