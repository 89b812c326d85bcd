"""/stats: what somebody has played here."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import Interaction
from bot.rooms.server import server_games
from bot.rooms.server.results import results, seconds_to_move
from bot.rooms.server.stats import ratings_screen, stats_screen


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


@app_commands.guild_only()
class ServerCommands(commands.GroupCog, group_name="server", group_description="All games of this server"):
    """The /server commands."""

    @app_commands.command()
    @app_commands.describe(page="1 is the first page")
    async def games(self, interaction: Interaction, page: app_commands.Range[int, 1, 1000] = 1) -> None:
        """All games of this server: where, who must decide, and since when"""
        await acknowledge(interaction, shows=True)
        await server_games.show(interaction.client, interaction, page)

    @app_commands.command()
    async def table(self, interaction: Interaction) -> None:
        """The ratings of this server's players, title by title"""
        await acknowledge(interaction, shows=True)
        played = await results(interaction.client.store, interaction.guild_id or 0)
        await show_privately(interaction, ratings_screen(played))
