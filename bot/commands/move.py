"""/game move: a game goes on in another channel, where its own is gone or closed."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.commands.common import Interaction, matching
from bot.components import acknowledge, show_privately
from bot.errors import TableError
from bot.parts import Screen
from storage import ChannelTaken, Game


class Move(commands.Cog):
    """Brings a game of this server here."""

    @app_commands.command(description="Bring a game of this server into this channel, with all that happened")
    @app_commands.describe(game="The game's id, which is at the foot of its first message")
    async def move(self, interaction: Interaction, game: str) -> None:
        await acknowledge(interaction, shows=True)
        bot = interaction.client
        found = await bot.store.game(game.strip().lower())
        if found.guild_id != interaction.guild_id or found.status == "abandoned":
            raise TableError(f"There is no game {found.id} in this server.")
        seated = {seat.user_id for seat in await bot.store.seats(found.id)}
        if interaction.user.id != found.host_id and not (
            interaction.user.id in seated and _is_gone(interaction, found)
        ):
            raise TableError("Only the host can move a game; where its channel is gone, every player can.")
        try:
            await bot.store.change_game(found.id, channel_id=interaction.channel_id)
        except ChannelTaken as error:
            raise TableError("This channel has a game already. Each channel or thread holds one.") from error
        bot.tables.forget(found.id)
        if found.status != "open":
            await bot.herald.announce(found.id)
        await show_privately(interaction, Screen("✓ The game goes on here."))

    @move.autocomplete("game")
    async def _games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        mine = await interaction.client.store.games_of_user(interaction.user.id)
        named = [(f"{one.title}, game {one.id}", one.id) for one in mine if one.guild_id == interaction.guild_id]
        return matching(named, current)


def _is_gone(interaction: Interaction, game: Game) -> bool:
    """Whether the bot cannot see the game's channel any more."""
    guild = interaction.guild
    return isinstance(guild, discord.Guild) and guild.get_channel_or_thread(game.channel_id) is None
