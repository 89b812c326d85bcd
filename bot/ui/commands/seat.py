"""/seat: who sits where."""

from __future__ import annotations

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.play.errors import TableError
from bot.play.settings import SEAT_ORDERS, TableSettings
from bot.screens.screen import Screen
from bot.ui.act import redraw_lobby
from bot.ui.answers import acknowledge, show_privately
from bot.ui.client import Bot
from bot.ui.commands.common import LONG_TEXT, Interaction, mentioned
from bot.ui.layout import shorten


@app_commands.guild_only()
class Seats(commands.GroupCog, group_name="seat", group_description="Who sits where"):
    """The /seat commands."""

    @app_commands.command()
    @app_commands.describe(how="The seat order", players="For “chosen”: mention the players in seat order")
    @app_commands.choices(how=[app_commands.Choice(name=name, value=name) for name in SEAT_ORDERS])
    async def order(self, interaction: Interaction, how: str, players: LONG_TEXT = "") -> None:
        """Choose how people are seated: at random, as they joined, or in your order"""
        await acknowledge(interaction, shows=True)
        store = interaction.client.store
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        if interaction.user.id != game.host_id or game.status != "open":
            raise TableError("Only the host can choose the seat order, and only before the game starts.")
        if TableSettings.read(game.settings).invited:
            raise TableError("The seats of an imported game are those of its record.")
        chosen = next((one for one in SEAT_ORDERS if one == how), None)
        if chosen is None:
            raise TableError(f"“{shorten(how, 60)}” is no seat order. Possible: {', '.join(SEAT_ORDERS)}.")
        settings = replace(TableSettings.read(game.settings), seats=chosen)
        if how == "chosen":
            wanted = mentioned(players)
            joined = {seat.user_id for seat in await store.seats(game.id)}
            if set(wanted) != joined or len(wanted) != len(joined):
                raise TableError("Mention everyone who has joined, once each, in seat order.")
            settings = replace(settings, order=tuple(wanted))
        await store.change_game(game.id, settings=settings.text())
        await redraw_lobby(interaction.client, game.id)
        await show_privately(interaction, Screen(f"✓ Seat order: {how}."))


async def setup(bot: Bot) -> None:
    await bot.add_cog(Seats())
