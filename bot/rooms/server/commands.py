"""/stats: what somebody has played here."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.client import Bot
from bot.chat.commands import Interaction
from bot.rooms.server.results import results, seconds_to_move
from bot.rooms.server.stats import stats_screen


class Stats(commands.Cog):
    """Figures of one person."""

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(player="Whose; your own if left out")
    async def stats(self, interaction: Interaction, player: discord.Member | None = None) -> None:
        """Games finished on this server: places, titles, ratings, and how quickly the moves came"""
        await acknowledge(interaction, shows=True)
        store, user = interaction.client.store, (player or interaction.user).id
        played = await results(store, interaction.guild_id or 0)
        mine = [one.game for one in played if any(who == user for who, _ in one.places)]
        await show_privately(interaction, stats_screen(user, played, await seconds_to_move(store, mine, user)))


async def setup(bot: Bot) -> None:
    await bot.add_cog(Stats())
