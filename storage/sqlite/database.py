"""The adapter for SQLite."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from storage.db import Clock, Tx
from storage.shapes import Relation
from storage.sqlite import marks, seals
from storage.sqlite.connection import connection
from storage.sqlite.file import SqliteFile
from storage.sqlite.migrate import migrate, migrations


class SqliteDatabase(SqliteFile):
    """An open file, made by `connect`."""

    async def bring_up_to_date(self) -> None:
        await migrate(self, migrations())
        await seals.watch(self)
        await marks.watch(self)

    async def seals_of(self, game: str) -> tuple[str, str]:
        return await seals.of_game(self, game)

    async def marked(self) -> list[Relation]:
        return await marks.marked(self)

    async def marks_of(self, table: Relation) -> dict[str, str]:
        return await marks.of_table(self, table)

    async def games_made(self) -> int:
        row = await self.one("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'seals'")
        return int(row[0])

    async def problems(self) -> list[str]:
        damaged = [str(row[0]) for row in await self.all("PRAGMA integrity_check") if row[0] != "ok"]
        dangling = await self.all("PRAGMA foreign_key_check")
        return damaged + [f"A row of {table} refers to a missing row of {parent}." for table, _, parent, _ in dangling]

    async def hints(self) -> AsyncIterator[str]:
        return
        yield ""  # makes it an iterator

    async def last_numbers(self) -> dict[str, int]:
        counted: dict[str, int] = dict(await self.all("SELECT name, seq FROM sqlite_sequence WHERE name <> 'seals'"))
        (seats,) = await self.one("SELECT coalesce(max(id), 0) FROM seats")  # whose numbers SQLite does not remember
        return {**counted, "seats": seats}

    async def count_on(self, tx: Tx, last: dict[str, int]) -> None:
        for table, number in last.items():
            if number and table != "seats":
                await tx.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
                await tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, number)


@asynccontextmanager
async def connect(path: Path, clock: Clock, busy_seconds: float) -> AsyncIterator[SqliteDatabase]:
    """Open the file; writes wait `busy_seconds` for another process before they fail."""
    async with (
        connection(path, busy_seconds, "foreign_keys = ON", "synchronous = FULL") as writer,
        connection(path, busy_seconds, "query_only = ON") as reader,
    ):
        db = SqliteDatabase(path, clock, writer, reader)
        try:
            yield db
        finally:
            await db.close()
