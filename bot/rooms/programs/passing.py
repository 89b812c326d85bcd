"""Passing ahead: a program that passes until something happens that its owner would want to know."""

from __future__ import annotations

from bot.chat.client import Bot
from bot.core import desks
from bot.core.errors import TableError
from bot.core.table import Table
from bot.words.programs import sentence, stops_when
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
