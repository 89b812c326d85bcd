"""/turns: the games that wait for a person, wherever they are."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.commands.common import Interaction
from bot.components import acknowledge, show_privately
from bot.errors import explain
from bot.lexicon import listed
from bot.packet import task_of
from bot.parts import Screen


class Turns(commands.Cog):
    """What somebody has to do."""

    @app_commands.command(description="Your games everywhere, and which of them wait for you")
    async def turns(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        bot = interaction.client
        waiting, others = [], []
        for game in await bot.store.games_of_user(interaction.user.id):
            place = f"<#{game.channel_id}>"
            if game.status == "open":
                others.append(f"- {place}: not begun yet")
                continue
            try:
                table = await bot.tables.get(game.id)
            except Exception as error:
                others.append(f"- {place}: cannot be opened. {explain(error) or ''}")
                continue
            position, names = table.position, table.position.lexicon()
            mine = table.seats_of(interaction.user.id)
            view = position.table()
            if set(mine) & set(position.up):
                waiting.append(f"- {place}: **{view.title}**, {view.round}: {task_of(position)}")
            else:
                others.append(f"- {place}: {view.title}, waits for {listed(names.player(one) for one in position.up)}")
        lines = (["**Your turn**", *waiting] if waiting else ["Nothing waits for you."]) + (
            ["**Other games**", *others] if others else []
        )
        await show_privately(interaction, Screen("\n".join(lines)))


async def setup(bot: Bot) -> None:
    await bot.add_cog(Turns())
