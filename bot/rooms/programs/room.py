"""Programs, as the house finds them."""

from __future__ import annotations

from dataclasses import replace

from bot.chat.answers import acknowledge, show_privately
from bot.chat.press import Press
from bot.chat.room import Room
from bot.chat.screen import Screen
from bot.core import desks
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.programs import programming
from bot.rooms.programs.commands import Passing, pass_ahead
from bot.rooms.programs.making import fitted
from bot.rooms.programs.screen import begun, changed, making_screen, programs_screen, toggled
from bot.rooms.turn.act import NO_HAND
from engine.ids import PlayerId
from programs import Program

OFF = "✓ It is off."


async def _program(given: Press) -> None:
    """Show or change the person's programs."""
    way, *rest = given.parts
    if way == "form":
        table, seat = await _own(given)
        await programming.ask(given.interaction, table, seat, rest[0])
        return
    await acknowledge(given.interaction, shows=True)
    table, seat = await _own(given)
    if way in ("new", "set", "stops"):
        await _put_together(given, table, seat, way, rest[0])
        await show_privately(given.interaction, await making_screen(table, seat))
        return
    done = ""
    if way == "on":
        done = await programming.switch_on(given.bot, table, seat, given.interaction.id)
    elif way == "off":
        number = int(rest[0])
        await desks.change(table, seat, lambda desk: desk.without(number), interaction=given.interaction.id)
        done = OFF
    elif way == "drop":
        await desks.change(table, seat, lambda desk: replace(desk, draft=None), interaction=given.interaction.id)
    elif way == "seen":
        await desks.change(table, seat, lambda desk: replace(desk, told=()), interaction=given.interaction.id)
    await show_privately(given.interaction, await programs_screen(table, seat, done))


async def _own(given: Press) -> tuple[Table, PlayerId]:
    """The table and the person's own seat. Raises TableError."""
    table = await given.table()
    await table.read_on()
    mine = table.seats_of(given.user)
    if not mine:
        raise TableError(NO_HAND)
    return table, mine[0]


async def _put_together(given: Press, table: Table, seat: PlayerId, way: str, what: str) -> None:
    """Begin a program, or change the one that is being put together. Raises TableError."""
    if way == "new":
        draft: Program | None = begun(table, seat, what)
    else:
        draft = table.orders.desk(seat).draft
        if draft is not None and way == "stops":
            draft = toggled(draft, what)
        elif draft is not None:
            values: dict[str, object] = {
                name: value for name, _, value in (one.partition("=") for one in what.split(","))
            }
            draft = fitted(table, draft, changed(draft, values))
    await desks.change(table, seat, lambda desk: replace(desk, draft=draft), interaction=given.interaction.id)


async def _pass(given: Press) -> None:
    """Pass ahead, or no longer."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    text = await pass_ahead(given.bot, table, given.user, given.parts[0], given.interaction.id)
    await show_privately(given.interaction, Screen(text))


ROOM = Room(
    presses={"program": _program, "pass": _pass},
    forms={"program": programming.submitted},
    due=programming.due,
    cogs=(Passing,),
)
