"""Whose time runs, and until when, as Discord's own time stamps, which everybody reads in their own zone."""

from __future__ import annotations

from bot.core import clock as clocks
from bot.core import clockwork
from bot.core.clock import Around, GameClock, Run
from bot.core.hours import HOUR
from bot.core.pace import Pace, told
from bot.core.person import Person
from bot.core.table import Table
from storage import Break

ARCHIVED = "This game is archived, since nobody has moved for 45 days. Any move goes on with it."


async def clock_lines(table: Table) -> list[str]:
    """How much time whoever is up has, and whether they are away; nothing without a clock."""
    store, position = table.store, table.position
    clock = await clockwork.clock_of(store, table.game.id)
    given = await clockwork.around(store, table.game, table.seats.values())
    now, breaks = store.clock(), await store.clocks.breaks()
    names = position.lexicon()
    lines = []
    for seat in position.up:
        if seat not in table.seats:
            continue
        lines.append(absence(names.player(seat), given.person(table.seats[seat].user_id), now))
        run = clock.run_of(seat)
        if run is not None:
            whose = f"{names.player(seat)}: " if len(position.up) > 1 else ""
            lines.append(time_line(clock, run, given, now, breaks, whose))
    return [one for one in lines if one]


def time_line(clock: GameClock, run: Run, given: Around, now: int, breaks: list[Break], whose: str = "") -> str:
    """How much time a seat has, and until when."""
    if not given.pace.timed:
        return ""
    if run.late_at is not None:
        return f"{whose}Time is up."
    left = clocks.left(clock, run, given, now, breaks)
    until = clocks.until(clock, run, given, now, breaks)
    when = f", until <t:{until}:f>, <t:{until}:R>" if until is not None else ", which stand still"
    return f"{whose}Time: {hours(left)}{when}."


def hours(seconds: int) -> str:
    """A span in words: "71 h"; in minutes below two hours."""
    return f"{seconds // HOUR} h" if seconds >= 2 * HOUR else f"{seconds // 60} min"


async def status_lines(table: Table) -> list[str]:
    """The table's pace, everybody's time, and who is away."""
    store, names = table.store, table.position.lexicon()
    clock = await clockwork.clock_of(store, table.game.id)
    given = await clockwork.around(store, table.game, table.seats.values())
    now, breaks = store.clock(), await store.clocks.breaks()
    lines = [ARCHIVED] if clock.archived is not None else []
    lines.append(f"**Pace:** {told(given.pace)}.")
    for seat, row in table.seats.items():
        run, account = clock.run_of(seat), clock.accounts.get(seat)
        if given.pace.timed and run is not None:
            lines.append(f"- {time_line(clock, run, given, now, breaks, f'{names.player(seat)}, whose turn it is. ')}")
        elif given.pace.timed:
            bank = given.pace.bank * HOUR if account is None else account.bank
            lines.append(f"- {names.player(seat)}: {hours(bank)}")
        away = absence(names.player(seat), given.person(row.user_id), now)
        lines += [f"- {away}"] if away else []
    return lines


def pace_line(pace: Pace) -> str:
    """The pace, for the lobby; "" without one."""
    return "" if pace.name == "none" else f"- **Pace:** {told(pace)}."


def absence(name: str, person: Person, now: int) -> str:
    """What the others read of somebody who is away; "" for somebody who is not."""
    if not person.is_away(now):
        return ""
    assert person.away is not None
    until = "" if person.away[1] is None else f", back <t:{person.away[1]}:D>"
    return f"{name} is away{until}."
