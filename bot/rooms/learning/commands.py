"""/rule: the rules by ID or in words."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

import engine
from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import TEXT, Interaction, offered, titles_matching
from bot.rooms.learning import rules
from bot.rooms.learning.help import game_here


class Rules(commands.Cog):
    """Looking up rules."""

    @app_commands.command()
    @app_commands.describe(words="What about, or a rule's ID", title="Of which game; otherwise of this channel's")
    @app_commands.guild_only()
    async def rule(self, interaction: Interaction, words: TEXT, title: TEXT | None = None) -> None:
        """Look up a rule by words or by its ID"""
        await acknowledge(interaction, shows=True)
        game, here = await _title(interaction, title), await game_here(interaction.client, interaction.channel_id or 0)
        screen = await interaction.client.work.do(rules.search_screen, words, game, here)
        await show_privately(interaction, screen)

    @rule.autocomplete("words")
    async def _words(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        title = await _title(interaction, str(getattr(interaction.namespace, "title", "") or ""))
        found = await interaction.client.work.do(rules.suggested, current, title)
        return offered(found)

    @rule.autocomplete("title")
    async def _titles(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return titles_matching(current)


async def _title(interaction: Interaction, named: str | None) -> str:
    """The title that was named, or that of the channel's game; "" if there is none."""
    if named in engine.TITLES:
        return str(named)
    game = await interaction.client.store.game_in_channel(interaction.channel_id or 0)
    return game.title if game is not None and game.title in engine.TITLES else ""
