"""An open file of SQLite: one connection for writing, behind a lock, and one for reading.

`BEGIN IMMEDIATE` takes the file's write lock before anything is read, so no row needs a lock of its own.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiosqlite

from storage.db import Clock, Database, T, Tx, Values
from storage.errors import Unavailable
from storage.sqlite.connection import in_plain_words


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


class SqliteFile(Database):
    """An open file, for what brings it up to date and seals it; `SqliteDatabase` is the whole of it."""

    def __init__(self, path: Path, clock: Clock, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        super().__init__(path, clock)
        self.path = path
        self._writer = writer
        self._reader = reader
        self._lock = asyncio.Lock()

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
                await self._writer.executescript(";\n".join(statements))

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
