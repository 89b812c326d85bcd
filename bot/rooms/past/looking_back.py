"""/game chart and since: the game so far, at a glance."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately, show_publicly
from bot.chat.commands import PUBLIC, TEXT, Interaction, matching, table_here
from bot.chat.layout import shorten
from bot.rooms.past.charts import NAMES, chart_screen
from bot.rooms.past.since import since_own_screen, since_round, since_screen
from engine.past import rounds_of


class LookingBack(commands.Cog):
    """The game so far, at a glance."""

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

    @app_commands.command()
    @app_commands.describe(round="Since this round began (4.1, SR 2); otherwise since your last move")
    async def since(self, interaction: Interaction, round: TEXT | None = None) -> None:
        """What happened since your last move, or since a round: money, prices, trains, presidencies, offers"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        seat = mine[0] if mine else None
        if round is None:
            screen = await since_own_screen(table, seat)
        else:
            screen = await since_screen(table, since_round(table, round), seat, f"since {shorten(round.strip(), 20)}")
        await show_privately(interaction, screen)

    @since.autocomplete("round")
    async def _rounds(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            rounds = rounds_of((await table_here(interaction)).states())
        except Exception:
            return []
        return matching([(one.name, one.name) for one in reversed(rounds)], current)
