"""Copying all games from one database to another, of either engine, row by row.

The seals and marks are made anew: the triggers of the target make them of what arrives, and engines hash in ways of
their own. What one engine keeps for itself (its version, who serves which shards) stays where it is.
"""

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace

from storage.db import Area, Database, Tx, Values
from storage.errors import Unavailable
from storage.shapes import Relation, places
from storage.sqlite.database import SqliteDatabase
from storage.sqlite.marks import tables

BATCH = 1000
"""Rows that are held in memory at a time."""
MADE_ANEW = ("seals", "marks")
"""Tables that the triggers of the target fill."""


class Moving(Area):
    """Everything, to be copied into another store, of the other engine."""

    async def copy_to(self, other: Area) -> int:
        """Copy every row into a store without games, in one transaction; return how many.

        Raises Unavailable if there are games, StorageError if a row cannot be kept there.
        """
        source, target = self._db, other._db
        chosen = await tables_of(source, target)

        async def work(tx: Tx) -> int:
            if await tx.one("SELECT 1 FROM games LIMIT 1"):
                raise Unavailable(f"The database {target.place} already has games: nothing was moved.")
            copied = 0
            for table in chosen:
                names = ", ".join(table.columns)
                async for rows in _batches(source, table):
                    await tx.many(f"INSERT INTO {table.name} ({names}) VALUES ({places(len(table.columns))})", rows)
                    copied += len(rows)
            await target.count_on(tx, await source.last_numbers())
            return copied

        return await target.write(work)

    async def differences(self, other: Area) -> list[str]:
        """In which tables another store has other rows, a sentence each."""
        return [
            f"The table {table.name} is not the same in both."
            for table in await tables_of(self._db, other._db)
            if await _digest(self._db, table) != await _digest(other._db, table)
        ]


async def tables_of(one: Database, other: Database) -> list[Relation]:
    """What is copied: what the file has, but the seals and marks. Games come first, since other rows refer to them."""
    found = await tables(one if isinstance(one, SqliteDatabase) else other)
    return [
        replace(table, key=("rowid",)) if table.name == "games" else table
        for table in sorted(found, key=lambda table: (table.name != "games", table.name))
        if table.name not in MADE_ANEW
    ]


async def _batches(db: Database, table: Relation) -> AsyncIterator[list[Values]]:
    """All rows of a table, some at a time, in order."""
    order, names = ", ".join(table.key), ", ".join((*table.columns, *table.key))
    last: Values = ()
    while True:
        after = f" WHERE ({order}) > ({places(len(last))})" if last else ""
        rows = await db.all(f"SELECT {names} FROM {table.name}{after} ORDER BY {order} LIMIT {BATCH}", *last)
        if rows:
            yield [row[: len(table.columns)] for row in rows]
        if len(rows) < BATCH:
            return
        last = rows[-1][len(table.columns) :]


async def _digest(db: Database, table: Relation) -> str:
    digest = hashlib.sha256()
    async for rows in _batches(db, table):
        for row in rows:
            digest.update(repr(row).encode())
    return digest.hexdigest()
