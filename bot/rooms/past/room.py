"""Looking back, as the house finds it."""

from __future__ import annotations

from bot.chat.answers import acknowledge, show_privately
from bot.chat.press import Press
from bot.chat.room import Room
from bot.core.desks import stop_lines
from bot.rooms.past.browser import browser_screen, place_of
from bot.rooms.past.charts import chart_screen
from bot.rooms.past.finish import final_screen
from bot.rooms.past.history import Wanted, history_screen
from bot.rooms.past.since import since_own_screen


async def _chart(given: Press) -> None:
    """Another chart, as far as whoever presses may know."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    await show_privately(given.interaction, await chart_screen(table, given.parts[0], mine[0] if mine else None))


async def _history(given: Press) -> None:
    """Another page of the history, with the same filters."""
    await acknowledge(given.interaction, shows=True)
    page, *wanted = given.parts
    screen = await history_screen(await given.table(), int(page), Wanted(*wanted))
    await show_privately(given.interaction, screen)


async def _past(given: Press) -> None:
    """Another move of the history, in pictures."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    await show_privately(
        given.interaction, await browser_screen(table, place_of(given.parts), mine[0] if mine else None)
    )


async def _since(given: Press) -> None:
    """What happened since the person's own last move."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    screen = await since_own_screen(table, mine[0] if mine else None)
    stopped = stop_lines(table.orders.desk(mine[0])) if mine else []
    screen.text = "\n".join([screen.text, *stopped])
    await show_privately(given.interaction, screen)


async def _as_text(given: Press) -> None:
    """The page of the history with a move."""
    await acknowledge(given.interaction, shows=True)
    screen = await history_screen(await given.table(), 1, Wanted(), around=int(given.parts[0]))
    await show_privately(given.interaction, screen)


ROOM = Room(
    presses={
        "chart": _chart,
        "history": _history,
        "past": _past,
        "since": _since,
        "astext": _as_text,
    },
    final=final_screen,
)
