"""Marks: a hash of each row that neither the log's hashes nor the seals cover, by which damage to it is found.

What is waiting or could be made anew (notices, positions, clocks, programs, people) still decides what happens next, so
a byte that the disk changed there must not go unseen. Triggers renew the mark of a row within the statement that
changes it, as long as it is this program's. NULL is left out of a mark, so that a later version may add columns.
"""

from __future__ import annotations

from storage.db import Database
from storage.errors import Unavailable
from storage.shapes import Marked

SHOWN = 10
"""How many rows of one table are listed."""


async def broken(db: Database, *games: str) -> list[str]:
    """Rows that are not as this program wrote them, of these games or of everything, a sentence each."""
    wrong: list[str] = []
    for table in await db.marked():
        if games and "game" not in table.columns:
            continue
        try:
            wrong += await _of_table(db, table, games)
        except Unavailable as error:
            if not error.damaged:
                raise
            wrong.append(f"The table {table.name} is damaged and cannot be read.")
    return wrong


async def _of_table(db: Database, table: Marked, games: tuple[str, ...]) -> list[str]:
    made = await db.marks_of(table)
    kept: dict[str, str] = dict(await db.all("SELECT row_key, hash FROM marks WHERE of_table = ?", table.name))
    changed = [key for key in made if kept.get(key) != made[key]]
    found = [f"{_row(table, key)} was changed by another program, or damaged." for key in changed]
    found += [f"{_row(table, key)} is missing." for key in kept if key not in made]
    if games:
        found = [one for one in found if any(game in one for game in games)]
    more = len(found) - SHOWN
    return found[:SHOWN] + ([f"So are {more} more rows of {table.name}."] if more > 0 else [])


def _row(table: Marked, key: str) -> str:
    named = ", ".join(f"{name} {value}" for name, value in zip(table.key, key.split(" "), strict=False))
    return f"A row of {table.name} ({named})"
