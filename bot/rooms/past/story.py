"""/game history."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import TEXT, Interaction, companies_here, company_named, table_here
from bot.chat.layout import shorten
from bot.core.errors import TableError
from bot.rooms.past.browser import at_move, browser_screen
from bot.rooms.past.history import ABOUT, Wanted, history_screen


class Story(commands.Cog):
    """What has happened."""

    @app_commands.command()
    @app_commands.describe(
        page="1 is the newest page",
        player="Only what this player did, and what names them",
        company="Only what names this company",
        about="Only what is about money, or about track and tokens",
        move="This move, in pictures",
    )
    @app_commands.choices(about=[app_commands.Choice(name=name, value=key) for key, name in ABOUT.items()])
    async def history(
        self,
        interaction: Interaction,
        page: app_commands.Range[int, 1, 1000] = 1,
        player: discord.Member | None = None,
        company: TEXT = "",
        about: str = "",
        move: app_commands.Range[int, 1, 100_000] | None = None,
    ) -> None:
        """What has happened, with the newest last, and each move in pictures"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        if move is not None:
            mine = table.seats_of(interaction.user.id)
            await show_privately(
                interaction, await browser_screen(table, at_move(table, move), mine[0] if mine else None)
            )
            return
        seats = table.seats_of(player.id) if player is not None else [""]
        if not seats:
            raise TableError("That person has no seat in this game.")
        corp = company_named(table, company) if company else ""
        if corp and corp not in table.title.corporations:
            raise TableError(f"There is no company “{shorten(company, 20)}” in this game.")
        wanted = Wanted(seats[0], corp, about if about in ABOUT else "")
        await show_privately(interaction, await history_screen(table, page, wanted))

    @history.autocomplete("company")
    async def _companies(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await companies_here(interaction, current)
