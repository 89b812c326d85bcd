"""/game status."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import Interaction, table_here
from bot.core.times import status_lines
from bot.rooms.past.finish import final_screen
from bot.rooms.seats import lobby
from bot.rooms.turn import screen as turn
from bot.rooms.turn.shown import plain_screen
from bot.words.lexicon import listed


class Status(commands.Cog):
    """Where the game stands."""

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
            await show_privately(interaction, await final_screen(table))
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
        lines += ["", *await status_lines(table)]
        lines += filter(None, [interaction.client.sender.trouble(table.game.id)])
        await show_privately(interaction, plain_screen(table, "\n".join(lines)))
        await interaction.client.present.look(table.game.id)
