"""A database as the rest of the storage knows it: transactions and queries, whichever engine is behind them.

What both engines understand is written once, in the modules about games, seats and so on, with SQLite's `?` and `?1`
for values. Each engine has an adapter (`sqlite`, `postgres`) for what differs: connections, locks, errors, migrations.

Every write is one transaction, run in its own task: if the caller is cancelled, it still commits completely or not at
all. Reads are single statements on other connections; they never wait for a writer, and see all that is committed.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

from storage.errors import Unavailable
from storage.place import Place
from storage.shapes import TABLES, Relation, columns, places

T = TypeVar("T")
P = ParamSpec("P")
Values = tuple[Any, ...]
Clock = Callable[[], int]


class Reader(ABC):
    """What can be asked: an open database, or a transaction, which sees its own changes too."""

    @abstractmethod
    async def all(self, sql: str, *values: Any) -> list[Values]:
        """All rows of a query."""

    async def one(self, sql: str, *values: Any) -> Values:
        """The first row of a query, or an empty tuple."""
        rows = await self.all(sql, *values)
        return rows[0] if rows else ()

    async def find(self, shape: type[T], which: str, *values: Any) -> list[T]:
        """The records of a shape; `which` is the rest of the query: "WHERE game = ? ORDER BY id"."""
        rows = await self.all(f"SELECT {columns(shape)} FROM {TABLES[shape]} {which}", *values)
        return [shape(*row) for row in rows]

    async def first(self, shape: type[T], which: str, *values: Any) -> T | None:
        """The first such record, if there is one."""
        found = await self.find(shape, which, *values)
        return found[0] if found else None


class Tx(Reader):
    """An open write transaction; `now` is its time, in seconds since 1970."""

    LOCK: ClassVar[str]
    """Ends a SELECT of rows that nobody else may change until the transaction ends."""
    LOCK_FREE: ClassVar[str]
    """The same, leaving out the rows that somebody else has locked."""

    def __init__(self, db: Database, now: int) -> None:
        self.db = db
        self.now = now

    @abstractmethod
    async def run(self, sql: str, *values: Any) -> int:
        """Execute one statement; return how many rows it changed."""

    @abstractmethod
    async def many(self, sql: str, rows: Iterable[Values]) -> None:
        """Execute one statement for each row. Many rows are drawn in another thread than the event loop's."""

    async def insert(self, table: str, **values: Any) -> None:
        await self.run(_insert(table, values), *values.values())

    async def add(self, table: str, **values: Any) -> bool:
        """Write a row unless there is one that it would be another of; whether it was written."""
        return bool(await self.run(f"{_insert(table, values)} ON CONFLICT DO NOTHING", *values.values()))

    async def made(self, shape: type[T], **values: Any) -> T:
        """Write a new row, and return it as its record, with the number that it was given."""
        row = await self.one(f"{_insert(TABLES[shape], values)} RETURNING {columns(shape)}", *values.values())
        return shape(*row)

    async def put(self, table: str, key: tuple[str, ...], **values: Any) -> None:
        """Write a row, or these values of the one that has this key."""
        new = ", ".join(f"{name} = excluded.{name}" for name in values if name not in key)
        await self.run(f"{_insert(table, values)} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {new}", *values.values())


def _insert(table: str, values: dict[str, Any]) -> str:
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places(len(values))})"


_OPEN: ContextVar[Tx | None] = ContextVar("open transaction", default=None)
"""The transaction opened by `together` in the current task."""
HAS_WRITTEN: ContextVar[bool] = ContextVar("has written", default=False)
"""Whether the current task has stored anything."""


class Lease:
    """What this process may write: everything, unless it shares the games with others."""

    async def must_serve(self, tx: Tx, guild_id: int | None) -> None:
        """Raise LeaseLost unless this process serves the server's games until `tx` ends."""

    async def must_live(self, tx: Tx) -> None:
        """Raise LeaseLost unless this process serves any games until `tx` ends."""


class Database(Reader):
    """An open database. Any method raises Unavailable if it cannot be used."""

    def __init__(self, place: Place, clock: Clock) -> None:
        self.place = place
        self.clock = clock
        self.lease = Lease()
        """Asked before every write about a game."""
        self.rules: str | None = None
        """By which rules games are written and read here, as the program calls them; None where it does not say."""
        self.took: Callable[[str, float], None] = lambda kind, seconds: None
        """Is told how long each "read", and each "write" with all that it waited for, took."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def write(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `work` as one transaction: all of it is on disk on return, none of it after an error.

        `work` may be run again, where another process came in between; so it changes nothing but the database.
        """
        self._must_be_open()
        open_now = _OPEN.get()
        if open_now is not None and open_now.db is self:
            return await work(open_now)
        task = asyncio.create_task(self._transact(work))
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        with self._timed("write"):
            result = await asyncio.shield(task)
        HAS_WRITTEN.set(True)
        return result

    async def together(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run every write that `work` makes as one transaction. Its reads do not see those writes yet."""

        async def all_of_it(tx: Tx) -> T:
            _OPEN.set(tx)  # only in this transaction's own task
            return await work()

        return await self.write(all_of_it)

    async def all(self, sql: str, *values: Any) -> list[Values]:
        """All committed rows of a query."""
        self._must_be_open()
        with self._timed("read"):
            return await self._query(sql, values)

    async def close(self) -> None:
        """Wait for transactions in progress and accept no more."""
        self._closed = True
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @abstractmethod
    async def bring_up_to_date(self) -> None:
        """Apply the migrations that are missing, and seal what changes from now on.

        Raises Unavailable if the database is another program's, or of a newer version.
        """

    @abstractmethod
    async def seals_of(self, game: str) -> tuple[str, str]:
        """The hashes of a game's row and of its seats as they are now."""

    @abstractmethod
    async def marked(self) -> list[Relation]:
        """The tables whose rows have marks."""

    @abstractmethod
    async def marks_of(self, table: Relation) -> dict[str, str]:
        """What the marks of a table's rows would be as they are now, by their keys."""

    @abstractmethod
    async def games_made(self) -> int:
        """How many games were ever made."""

    @abstractmethod
    async def problems(self) -> list[str]:
        """What the engine itself finds wrong with the database, a sentence each."""

    @abstractmethod
    def hints(self) -> AsyncIterator[str]:
        """Games for which another process may have queued notices, as soon as it is known; "" for any of them.

        Only hints: some may be missing. Ends at once where there are no other processes.
        """

    @abstractmethod
    async def last_numbers(self) -> dict[str, int]:
        """Table -> the last number that a row of it was given, of those that give numbers and never one twice."""

    @abstractmethod
    async def count_on(self, tx: Tx, last: dict[str, int]) -> None:
        """Go on after these numbers, where rows that had them are gone."""

    @abstractmethod
    async def _transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `work` in a transaction of its own."""

    @abstractmethod
    async def _query(self, sql: str, values: Values) -> list[Values]:
        """All committed rows of a query."""

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # mark as retrieved: a cancelled caller no longer awaits it

    @contextmanager
    def _timed(self, kind: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.took(kind, time.perf_counter() - began)

    def _must_be_open(self) -> None:
        if self._closed:
            raise Unavailable(f"The database {self.place} is closed.")


class Area:
    """What the database keeps of one kind: its reads, and its writes, each a transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db


A = TypeVar("A", bound=Area)


def transaction(
    method: Callable[Concatenate[A, Tx, P], Awaitable[T]],
) -> Callable[Concatenate[A, P], Coroutine[Any, Any, T]]:
    """A method that runs as one transaction, which it gets as `tx`; whoever calls it leaves that out.

    It may be run again, as `Database.write` says.
    """

    @wraps(method)
    async def run(area: A, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await area._db.write(lambda tx: method(area, tx, *args, **kwargs))

    return run
