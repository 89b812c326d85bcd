"""Seals and marks: hashes by which what was changed behind the program's back is found. The log has hashes of its own.

A seal is of a game's row and seats. A mark is of a row that neither seals nor the log's hashes cover: what is waiting
or could be made anew (notices, positions, clocks, programs, people) still decides what happens next, so a byte that the
disk changed there must not go unseen. NULL is left out of a mark, so that a later version may add columns.

Triggers renew both within the statement that changes a row, as long as it is this program's; how, and what is hashed,
is the engine's business.
"""

from storage.db import Area, Database
from storage.errors import Unavailable
from storage.shapes import Relation

SHOWN = 10
"""How many rows of one table are listed."""


class Proofs(Area):
    """What was not written by this program, as seals and marks tell."""

    async def changed_elsewhere(self, *games: str) -> list[str]:
        """What another program changed in the rows and seats of these games, or of all, a sentence each."""
        wrong = [] if games else await _missing(self._db)
        for game in games or [one for (one,) in await self._db.all("SELECT id FROM games ORDER BY rowid")]:
            if await _broken(self._db, game):  # once more: somebody may have moved between seal and row
                wrong += await _broken(self._db, game)
        return wrong

    async def damaged_beside(self, *games: str) -> list[str]:
        """Rows beside games, seats and logs that are not as this program wrote them, of these games or of all.

        That is what waits, or could be made anew: notices, positions, clocks, programs, people. A sentence each.
        """
        wrong: list[str] = []
        for table in await self._db.marked():
            if games and "game" not in table.columns:
                continue
            try:
                wrong += await _of_table(self._db, table, games)
            except Unavailable as error:
                if not error.damaged:
                    raise
                wrong.append(f"The table {table.name} is damaged and cannot be read.")
        return wrong


async def _broken(db: Database, game: str) -> list[str]:
    sealed = await db.one("SELECT row, seats FROM seals WHERE game = ?", game)
    if not sealed:
        return [f"Game {game} was not made by this program."]
    row, seats = await db.seals_of(game)
    wrong = []
    if sealed[0] != row:
        wrong.append(f"The settings, the host or the status of game {game} were changed by another program.")
    if sealed[1] != seats:
        wrong.append(f"The seats of game {game} were changed by another program.")
    return wrong


async def _missing(db: Database) -> list[str]:
    there = (await db.one("SELECT count(*) FROM seals JOIN games ON games.id = seals.game"))[0]
    made = await db.games_made()
    return [f"Of {made} games that were made, {made - there} are missing."] if there < made else []


async def _of_table(db: Database, table: Relation, games: tuple[str, ...]) -> list[str]:
    found = await _changed(db, table)
    if found:  # once more, as above
        again = await _changed(db, table)
        found = [one for one in found if one in again]
    if games:
        found = [one for one in found if any(game in one for game in games)]
    more = len(found) - SHOWN
    return found[:SHOWN] + ([f"So are {more} more rows of {table.name}."] if more > 0 else [])


async def _changed(db: Database, table: Relation) -> list[str]:
    made = await db.marks_of(table)
    kept: dict[str, str] = dict(await db.all("SELECT row_key, hash FROM marks WHERE of_table = ?", table.name))
    changed = [key for key in made if kept.get(key) != made[key]]
    return [
        *(f"{_row(table, key)} was changed by another program, or damaged." for key in changed),
        *(f"{_row(table, key)} is missing." for key in kept if key not in made),
    ]


def _row(table: Relation, key: str) -> str:
    named = ", ".join(f"{name} {value}" for name, value in zip(table.key, key.split(" "), strict=False))
    return f"A row of {table.name} ({named})"
