"""The adapter for SQLite: one connection for writing, behind a lock, and one for reading.

`BEGIN IMMEDIATE` takes the file's write lock before anything is read, so no row needs a lock of its own.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiosqlite

from storage.db import Clock, Database, T, Tx, Values
from storage.errors import Unavailable
from storage.sqlite import seals
from storage.sqlite.backup import copy_to
from storage.sqlite.connection import connection, in_plain_words
from storage.sqlite.migrate import migrate, migrations


class SqliteTx(Tx):
    """A transaction of the writing connection."""

    LOCK = LOCK_FREE = ""

    def __init__(self, db: Database, now: int, writer: aiosqlite.Connection) -> None:
        super().__init__(db, now)
        self._writer = writer

    async def run(self, sql: str, *values: Any) -> int:
        async with self._writer.execute(sql, values) as cursor:
            return cursor.rowcount

    async def many(self, sql: str, rows: Iterable[Values]) -> None:
        async with self._writer.executemany(sql, rows):
            pass

    async def all(self, sql: str, *values: Any) -> list[Values]:
        return [tuple(row) for row in await self._writer.execute_fetchall(sql, values)]


class SqliteDatabase(Database):
    """An open file, made by `connect`."""

    TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"

    def __init__(self, path: Path, clock: Clock, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        super().__init__(path, clock)
        self.path = path
        self._writer = writer
        self._reader = reader
        self._lock = asyncio.Lock()

    async def bring_up_to_date(self) -> None:
        await migrate(self, migrations())
        await seals.watch(self)

    async def seals_of(self, game: str) -> tuple[str, str]:
        return await seals.of_game(self, game)

    async def games_made(self) -> int:
        row = await self.one("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'seals'")
        return int(row[0])

    async def problems(self) -> list[str]:
        damaged = [str(row[0]) for row in await self.all("PRAGMA integrity_check") if row[0] != "ok"]
        dangling = await self.all("PRAGMA foreign_key_check")
        return damaged + [f"A row of {table} refers to a missing row of {parent}." for table, _, parent, _ in dangling]

    async def backup(self, path: Path) -> None:
        await copy_to(self.path, path)

    async def shared_time(self) -> int:
        return self.clock()

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

    async def use_wal(self) -> None:
        """Turn on write-ahead logging, so that readers never block. The setting is stored in the file."""
        async with self._lock:
            with in_plain_words(self.path):
                mode = await self._writer.execute_fetchall("PRAGMA journal_mode = WAL")
        if [tuple(row) for row in mode] != [("wal",)]:
            raise Unavailable(f"The file system of {self.path} does not support a write-ahead log.")

    async def prepare(self, statements: Iterable[str]) -> None:
        """Execute statements that concern the writing connection alone."""
        async with self._lock:
            with in_plain_words(self.path):
                for statement in statements:
                    await self._writer.execute_fetchall(statement)

    async def define(self, name: str, function: Callable[[Any], Any]) -> None:
        """Let statements of the writing connection call a function of one value."""
        async with self._lock:
            with in_plain_words(self.path):
                await self._writer.create_function(name, 1, function)

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
