"""/pass, now or ahead."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.client import Bot
from bot.chat.commands import Interaction, table_here
from bot.chat.screen import Screen
from bot.core import desks
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.turn.typed import submit
from bot.words.programs import sentence, stops_when
from engine import actions as a
from programs import PassAhead

NOT_PASSING = "✓ You are no longer passing ahead."


async def pass_ahead(bot: Bot, table: Table, user: int, span: str, interaction: int) -> str:
    """Have a program pass for the person, or switch it off ("stop"); return what to tell them."""
    mine = table.seats_of(user)
    if not mine:
        raise table.not_seated(user)
    seat = mine[0]
    passing = [one.number for one in table.orders.desk(seat).kept if isinstance(one.program, PassAhead)]
    if span == "stop":
        await desks.change(table, seat, lambda desk: desk.without(*passing), interaction=interaction)
        return NOT_PASSING
    if seat in table.position.up and span == "once":
        raise TableError("It is your turn now: pass with the button in the turn's message, or with `/pass`.")
    program = PassAhead(span="once" if span == "once" else "round")
    await desks.enable(table, seat, program, instead=passing, interaction=interaction)
    await table.go_on()
    bot.sender.wake()
    return f"✓ {sentence(program, table.position.lexicon())} {stops_when(program)}"


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
