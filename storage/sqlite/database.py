"""The adapter for SQLite: one connection to the file for writing, behind a lock, and one for reading.

`BEGIN IMMEDIATE` takes the file's write lock before anything is read, so no row needs a lock of its own.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite

from storage.db import Clock, Database, T, Tx, Values
from storage.errors import Unavailable
from storage.shapes import Relation
from storage.sqlite import marks, seals
from storage.sqlite.connection import connection, in_plain_words
from storage.sqlite.migrate import migrations, step, version_of


class SqliteTx(Tx):
    """A transaction of the writing connection.

    No cursor is closed: each way to the connection's thread and back takes as long as most statements do.
    """

    LOCK = LOCK_FREE = ""

    def __init__(self, db: Database, now: int, writer: aiosqlite.Connection) -> None:
        super().__init__(db, now)
        self._writer = writer

    async def run(self, sql: str, *values: Any) -> int:
        return (await self._writer.execute(sql, values)).rowcount

    async def many(self, sql: str, rows: Iterable[Values]) -> None:
        await self._writer.executemany(sql, rows)

    async def all(self, sql: str, *values: Any) -> list[Values]:
        return [tuple(row) for row in await self._writer.execute_fetchall(sql, values)]


class SqliteDatabase(Database):
    """An open file, made by `connect`."""

    def __init__(self, path: Path, clock: Clock, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        super().__init__(path, clock)
        self.path = path
        self._writer = writer
        self._reader = reader
        self._lock = asyncio.Lock()

    async def bring_up_to_date(self) -> None:
        await self.migrate(migrations())
        watch = (*seals.WATCH, *(one for table in await self.marked() for one in marks.triggers(table)))
        async with self._lock:
            with in_plain_words(self.path):
                await self._writer.create_function("seal_of", 1, seals.seal_of)
                await self._writer.create_function("mark_of", 1, marks.mark_of)
                await self._writer.executescript(";\n".join(watch))

    async def migrate(self, scripts: list[str]) -> None:
        """Apply the scripts that the file lacks. Raises Unavailable if it is not ours or of a newer version."""
        has = await version_of(self, self.path, len(scripts))
        await self._use_wal()
        for version, script in enumerate(scripts[has:], start=has + 1):
            await self.write(partial(step, version=version, script=script))

    async def _use_wal(self) -> None:
        """Turn on write-ahead logging, so that readers never block. The setting is stored in the file."""
        async with self._lock:
            with in_plain_words(self.path):
                mode = await self._writer.execute_fetchall("PRAGMA journal_mode = WAL")
        if [tuple(row) for row in mode] != [("wal",)]:
            raise Unavailable(f"The file system of {self.path} does not support a write-ahead log.")

    async def seals_of(self, game: str) -> tuple[str, str]:
        return seals.sealed(await self.all(seals.ROW, game)), seals.sealed(await self.all(seals.SEATS, game))

    async def marked(self) -> list[Relation]:
        return await marks.marked(self)

    async def marks_of(self, table: Relation) -> dict[str, str]:
        return {key: marks.mark_of(text) for key, text in await self.all(marks.rows(table))}

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

    async def _transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        async with self._lock:
            with in_plain_words(self.path):
                try:
                    await self._writer.execute_fetchall("BEGIN IMMEDIATE")
                    result = await work(SqliteTx(self, self.clock(), self._writer))
                    await self._writer.execute_fetchall("COMMIT")
                except BaseException:
                    # Queued behind whatever is still running in the thread; a no-op if that was the COMMIT.
                    with suppress(sqlite3.Error):
                        await self._writer.execute_fetchall("ROLLBACK")
                    raise
                return result

    async def _query(self, sql: str, values: Values) -> list[Values]:
        with in_plain_words(self.path):
            return [tuple(row) for row in await self._reader.execute_fetchall(sql, values)]


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
