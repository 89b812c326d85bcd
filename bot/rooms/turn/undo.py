"""/game undo and redo."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import Interaction, table_here
from bot.chat.screen import Screen
from bot.rooms.turn import asking


class Undoing(commands.Cog):
    """Taking back."""

    @app_commands.command()
    @app_commands.describe(move="Back to before this move, as `/game history` counts them; otherwise your own last one")
    async def undo(self, interaction: Interaction, move: app_commands.Range[int, 1, 100_000] | None = None) -> None:
        """Undo your last move, or ask the others to go back further"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        seq = None if move is None else table.seq_of(move)
        await show_privately(interaction, await asking.undo_screen(table, interaction.user.id, seq))

    @app_commands.command()
    async def redo(self, interaction: Interaction) -> None:
        """Redo what was undone last"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        await table.redo(user=interaction.user.id, interaction=interaction.id)
        interaction.client.sender.witnessed(table.game.id, interaction)
        await show_privately(interaction, Screen("✓ Redone."))
