"""/game chart: what became of worth, prices, revenue and trains."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.screens.charts import NAMES, chart_screen
from bot.ui.answers import acknowledge, show_privately, show_publicly
from bot.ui.commands.common import Interaction, table_here
from bot.ui.commands.show import PUBLIC


class LookingBack(commands.Cog):
    """The game so far, in pictures."""

    @app_commands.command()
    @app_commands.describe(about="Which chart", public=PUBLIC)
    @app_commands.choices(about=[app_commands.Choice(name=name, value=key) for key, name in NAMES.items()])
    async def chart(self, interaction: Interaction, about: str = "worth", public: bool = False) -> None:
        """Charts of the game so far: worth, share prices, revenue, trains"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        viewer = mine[0] if mine and not public else None
        screen = await chart_screen(table, about if about in NAMES else "worth", viewer)
        if public:
            screen.rows.clear()
            await show_publicly(interaction, screen, "✓ Shown to everybody.")
        else:
            await show_privately(interaction, screen)
