"""Opponents and advice, as the house finds them."""

from __future__ import annotations

from bot.chat.answers import acknowledge, show_privately
from bot.chat.press import Press
from bot.chat.room import Room
from bot.core.errors import TableError
from bot.core.moments import all_of
from bot.rooms.opponents import advice
from bot.rooms.opponents.thinkers import Thinkers


async def _suggest(given: Press) -> None:
    """What the bot would do, for whoever is up; their move says that they asked."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    question = advice.asked(table, seat)
    await table.suggest(seat, given.interaction.id)
    choices = await given.bot.its(Thinkers).advice(question)
    given.check_fresh(table)
    await show_privately(given.interaction, await advice.suggest_screen(table, seat, choices))


async def _reasons(given: Press) -> None:
    """Why an opponent made a move, once the game is over."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    seq = int(given.parts[0])
    moment = next((one for one in await all_of(table) if one.move.seq == seq), None)
    question = None if moment is None else advice.explained(table, moment)
    if moment is None or question is None:
        raise TableError(advice.NOT_NOW)
    choices = await given.bot.its(Thinkers).advice(question)
    await show_privately(given.interaction, await advice.why_screen(table, moment, choices))


ROOM = Room(
    presses={
        "suggest": _suggest,
        "reasons": _reasons,
    }
)
