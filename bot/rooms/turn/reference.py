"""/game help and phases: what can be looked up besides the rules."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

import engine
from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import TEXT, Interaction, matching, table_here, titles_matching
from bot.chat.screen import Image, Screen
from bot.core.errors import TableError
from bot.rooms.learning.game_here import help_here
from bot.rooms.learning.help import found
from bot.rooms.learning.pages import FIRST, PAGES
from bot.rooms.turn import pictures
from bot.rooms.turn.shown import shown


class Reference(commands.Cog):
    """What newcomers look up."""

    @app_commands.command()
    @app_commands.describe(title="Of which game; otherwise of this channel's")
    async def phases(self, interaction: Interaction, title: TEXT | None = None) -> None:
        """The chart of phases and trains"""
        await acknowledge(interaction, shows=True)
        if title is None:
            table = await table_here(interaction)
            screen = await shown(table, "phases", None)
        else:
            screen = Screen(images=[await _printed(interaction, title)])
        await show_privately(interaction, screen)

    @phases.autocomplete("title")
    async def _phases_of(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return titles_matching(current)

    @app_commands.command()
    @app_commands.describe(about="A topic, or a term such as par or float")
    async def help(self, interaction: Interaction, about: TEXT | None = None) -> None:
        """How to play: the aim, the rounds, the terms, what is special in each game"""
        await acknowledge(interaction, shows=True)
        key = FIRST if about is None else found(about)
        await show_privately(interaction, await help_here(interaction.client, interaction, key))

    @help.autocomplete("about")
    async def _about(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return matching([(page.heading, key) for key, page in PAGES.items()], current)


async def _printed(interaction: Interaction, title: str) -> Image:
    """The chart as it is before the game. Raises TableError for an unknown title."""
    if title not in engine.TITLES:
        raise TableError(f"I do not know a game “{title[:60]}”. Possible: {', '.join(engine.TITLES)}.")
    return await interaction.client.work.do(pictures.printed_phases, title)
