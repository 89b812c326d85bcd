"""/my: your own cards, and your games on every server. `/turns` is the same as `/my games`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.play.errors import TableError
from bot.screens import cards
from bot.screens.screen import Screen
from bot.screens.turn import task_of
from bot.text.lexicon import listed
from bot.ui.act import NO_HAND
from bot.ui.answers import acknowledge, explain, show_privately
from bot.ui.client import Bot
from bot.ui.commands.common import Interaction, table_here


@app_commands.guild_only()
class My(commands.GroupCog, group_name="my", group_description="Your cards and your games"):
    """The /my commands."""

    @app_commands.command()
    async def hand(self, interaction: Interaction) -> None:
        """Your own cards, and what only you may see"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        if not mine:
            raise TableError(NO_HAND)
        await show_privately(interaction, await cards.hand_screen(table, mine[0]))

    @app_commands.command()
    async def games(self, interaction: Interaction) -> None:
        """Your games everywhere, and which of them wait for you"""
        await show_games(interaction)


class Turns(commands.Cog):
    """/turns, which also works in direct messages."""

    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def turns(self, interaction: Interaction) -> None:
        """Your games everywhere, and which of them wait for you"""
        await show_games(interaction)


async def show_games(interaction: Interaction) -> None:
    """Show the person's games, with those that are waiting for them first."""
    await acknowledge(interaction, shows=True)
    bot = interaction.client
    waiting, others = [], []
    for game in await bot.store.games_of_user(interaction.user.id):
        place = f"<#{game.channel_id}>"
        if game.status == "open":
            others.append(f"- {place}: not started yet")
            continue
        try:
            table = await bot.tables.get(game.id)
        except Exception as error:
            others.append(f"- {place}: cannot be opened. {explain(error) or ''}")
            continue
        position, names = table.position, table.position.lexicon()
        trouble = bot.sender.troubles.get(game.id, "")
        unseen = f"\n  {trouble}" if trouble else ""
        mine = table.seats_of(interaction.user.id)
        view = position.table()
        if set(mine) & set(position.up):
            waiting.append(f"- {place}: **{view.title}**, {view.round}: {task_of(position)}{unseen}")
        else:
            waits = listed(names.player(one) for one in position.up)
            others.append(f"- {place}: {view.title}, waiting for {waits}{unseen}")
    lines = (["**Your turn**", *waiting] if waiting else ["No game is waiting for you."]) + (
        ["**Other games**", *others] if others else []
    )
    await show_privately(interaction, Screen("\n".join(lines)))


async def setup(bot: Bot) -> None:
    await bot.add_cog(My())
    await bot.add_cog(Turns())
