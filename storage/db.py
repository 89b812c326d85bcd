"""The SQLite file: one connection for writing, one for reading, and errors in plain words.

Every write is one immediate transaction under one lock, run in its own task: if the caller is cancelled,
the transaction still commits completely or not at all. Reads are single statements on the second
connection; in WAL mode they never wait for the writer and see everything committed so far.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from storage.errors import StorageError, Unavailable

T = TypeVar("T")
Values = tuple[Any, ...]
Clock = Callable[[], int]

_CAUSES = {
    sqlite3.SQLITE_FULL: "the disk is full, or the file has reached its size limit",
    sqlite3.SQLITE_BUSY: "another process keeps it locked",
    sqlite3.SQLITE_LOCKED: "another connection keeps it locked",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_PERM: "access to it is not permitted",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check the path and the permissions of its folder",
    sqlite3.SQLITE_CORRUPT: "it is damaged: restore it from a backup",
    sqlite3.SQLITE_NOTADB: "it is not a SQLite database, or it is damaged: restore it from a backup",
    sqlite3.SQLITE_IOERR: "reading or writing the disk failed",
}
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Tx:
    """An open write transaction; `now` is its time, in seconds since 1970."""

    def __init__(self, connection: aiosqlite.Connection, now: int) -> None:
        self._connection = connection
        self.now = now

    def belongs_to(self, connection: aiosqlite.Connection) -> bool:
        """Whether the transaction is open on this connection."""
        return self._connection is connection

    async def run(self, sql: str, *values: Any) -> int:
        """Execute one statement; return how many rows it changed."""
        async with self._connection.execute(sql, values) as cursor:
            return cursor.rowcount

    async def insert(self, sql: str, *values: Any) -> int:
        """Insert one row; return its row id."""
        async with self._connection.execute(sql, values) as cursor:
            return cursor.lastrowid or 0

    async def many(self, sql: str, rows: Iterable[Values]) -> None:
        """Execute one statement for each of the rows, which are drawn in the writer's thread."""
        async with self._connection.executemany(sql, rows):
            pass

    async def all(self, sql: str, *values: Any) -> list[Values]:
        """All rows of a query, including this transaction's own changes."""
        return [tuple(row) for row in await self._connection.execute_fetchall(sql, values)]

    async def one(self, sql: str, *values: Any) -> Values:
        """The first row of a query, or an empty tuple."""
        rows = await self.all(sql, *values)
        return rows[0] if rows else ()


_OPEN: ContextVar[Tx | None] = ContextVar("open transaction", default=None)
"""The transaction opened by `together` in the current task."""


class Database:
    """An open file, made by `connect`. Any method raises Unavailable if the file cannot be used."""

    def __init__(self, path: Path, clock: Clock, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self.path = path
        self.clock = clock
        self._writer = writer
        self._reader = reader
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def write(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `work` as one transaction: all of it is on disk on return, none of it after an error."""
        self._must_be_open()
        open_now = _OPEN.get()
        if open_now is not None and open_now.belongs_to(self._writer):
            return await work(open_now)
        task = asyncio.create_task(self._transact(work))
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    async def together(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run every write that `work` makes as one transaction. Its reads do not see those writes yet."""

        async def all_of_it(tx: Tx) -> T:
            _OPEN.set(tx)  # only in this transaction's own task
            return await work()

        return await self.write(all_of_it)

    async def all(self, sql: str, *values: Any) -> list[Values]:
        """All committed rows of a query."""
        self._must_be_open()
        with in_plain_words(self.path):
            return [tuple(row) for row in await self._reader.execute_fetchall(sql, values)]

    async def one(self, sql: str, *values: Any) -> Values:
        """The first committed row of a query, or an empty tuple."""
        rows = await self.all(sql, *values)
        return rows[0] if rows else ()

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

    async def close(self) -> None:
        """Wait for transactions in progress and accept no more."""
        self._closed = True
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        async with self._lock:
            with in_plain_words(self.path):
                try:
                    await self._writer.execute_fetchall("BEGIN IMMEDIATE")
                    tx = Tx(self._writer, self.clock())
                    result = await work(tx)
                    await self._writer.execute_fetchall("COMMIT")
                except BaseException:
                    # Queued behind whatever is still running in the thread; a no-op if that was the COMMIT.
                    with suppress(sqlite3.Error):
                        await self._writer.execute_fetchall("ROLLBACK")
                    raise
                return result

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # mark as retrieved: a cancelled caller no longer awaits it

    def _must_be_open(self) -> None:
        if self._closed:
            raise Unavailable(f"The database {self.path} is closed.")


@asynccontextmanager
async def connect(path: Path, clock: Clock, busy_seconds: float) -> AsyncIterator[Database]:
    """Open the file; writes wait `busy_seconds` for another process before they fail."""
    async with (
        _connection(path, busy_seconds, "foreign_keys = ON", "synchronous = FULL") as writer,
        _connection(path, busy_seconds, "query_only = ON") as reader,
    ):
        db = Database(path, clock, writer, reader)
        try:
            yield db
        finally:
            await db.close()


@asynccontextmanager
async def _connection(path: Path, busy_seconds: float, *pragmas: str) -> AsyncIterator[aiosqlite.Connection]:
    with in_plain_words(path):
        await asyncio.to_thread(_try_to_open, path)
        connection = await aiosqlite.connect(path, timeout=busy_seconds, isolation_level=None)
    try:
        with in_plain_words(path):
            for pragma in pragmas:
                await connection.execute_fetchall(f"PRAGMA {pragma}")
        yield connection
    finally:
        await connection.close()


def _try_to_open(path: Path) -> None:
    """Fail here if the file cannot be opened: aiosqlite's thread would outlive the failure and complain."""
    keep_private(path)
    sqlite3.connect(path).close()


def keep_private(path: Path) -> None:
    """Make the file, if there is none, for its owner alone; close one of earlier versions to all but its group.

    SQLite gives -wal and -shm the permissions of the file itself.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        return
    except OSError:  # there is one, or there can be none, which SQLite says better
        pass
    for companion in ("", "-wal", "-shm"):
        beside = path.with_name(path.name + companion)
        with suppress(OSError):  # not ours to change
            mode = stat.S_IMODE(beside.stat().st_mode)
            if mode & stat.S_IRWXO:
                beside.chmod(mode & ~stat.S_IRWXO)


@contextmanager
def in_plain_words(path: Path) -> Iterator[None]:
    """Translate SQLite's errors into ours."""
    try:
        yield
    except (OverflowError, UnicodeEncodeError) as error:
        raise StorageError("A number is too large to be stored, or a text has letters that cannot be.") from error
    except sqlite3.IntegrityError as error:
        raise StorageError(f"The database {path} refused a row: {error}.") from error
    except sqlite3.Error as error:
        code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
        if "decode to UTF-8" in str(error):
            code = sqlite3.SQLITE_CORRUPT
        cause = _CAUSES.get(code, str(error))
        raise Unavailable(f"The database {path} cannot be used: {cause}.", damaged=code in _DAMAGE) from error
    except UnicodeDecodeError as error:  # in the text of an error, which repeats what is damaged
        cause = _CAUSES[sqlite3.SQLITE_CORRUPT]
        raise Unavailable(f"The database {path} cannot be used: {cause}.", damaged=True) from error
