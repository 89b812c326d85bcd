"""/game status and /game history."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.screens import lobby, turn
from bot.text.lexicon import listed
from bot.ui.answers import acknowledge, show_privately
from bot.ui.commands.common import Interaction, table_here
from bot.ui.commands.show import plain_screen

PAGE = 25


class Story(commands.Cog):
    """Where the game stands, and what has happened."""

    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """Who must decide, and where the game stands"""
        await acknowledge(interaction, shows=True)
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        if game.status == "open":
            await show_privately(interaction, lobby.lobby_screen(game, await interaction.client.store.seats(game.id)))
            return
        table = await table_here(interaction)
        if table.position.over:
            await show_privately(interaction, await turn.final_screen(table))
            return
        if table.change is not None:
            await show_privately(interaction, await turn.waiting_screen(table, table.change.sentence))
            return
        names = table.position.lexicon()
        waiting = listed(names.player(seat) for seat in table.position.up)
        if table.past:
            last = (await interaction.client.work.do(turn.whole_story, table))[-6:]
        else:
            last = turn.story(table, table.moves[-3:])[-6:]
        lines = [f"The game is waiting for {waiting}.", *(f"- {line}" for line in last)]
        lines += filter(None, [interaction.client.sender.troubles.get(table.game.id)])
        await show_privately(interaction, plain_screen(table, "\n".join(lines)))

    @app_commands.command()
    @app_commands.describe(page="1 is the newest page")
    async def history(self, interaction: Interaction, page: app_commands.Range[int, 1, 1000] = 1) -> None:
        """What has happened, with the newest last"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        lines = await interaction.client.work.do(turn.whole_story, table)
        pages = max(1, -(-len(lines) // PAGE))
        shown = min(page, pages)
        end = len(lines) - PAGE * (shown - 1)
        text = "\n".join(f"- {line}" for line in lines[max(0, end - PAGE) : end]) or "Nothing has happened yet."
        screen = plain_screen(table, text)
        screen.footer = f"Page {shown} of {pages} · {screen.footer}"
        await show_privately(interaction, screen)
