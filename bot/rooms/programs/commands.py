"""/pass, now or ahead."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import Interaction, table_here
from bot.chat.screen import Screen
from bot.rooms.programs.passing import pass_ahead
from bot.rooms.turn.typed import submit
from engine import actions as a


class Passing(commands.Cog):
    """Passing."""

    @app_commands.command(name="pass")
    @app_commands.describe(when="When to pass; now by default")
    @app_commands.choices(
        when=[
            app_commands.Choice(name="now", value="now"),
            app_commands.Choice(name="ahead: my next turn", value="once"),
            app_commands.Choice(name="ahead: for the rest of this round", value="round"),
            app_commands.Choice(name="stop passing ahead", value="stop"),
        ]
    )
    @app_commands.guild_only()
    async def pass_(self, interaction: Interaction, when: str = "now") -> None:
        """Pass, finish a step, or pass ahead"""
        if when == "now":
            await submit(interaction, lambda table, seat: a.Pass(seat))
            return
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        text = await pass_ahead(interaction.client, table, interaction.user.id, when, interaction.id)
        await show_privately(interaction, Screen(text))
