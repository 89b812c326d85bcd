"""The adapter for PostgreSQL: a few connections, on which transactions of this process and others run side by side.

At READ COMMITTED each statement sees what is committed by then. A write about a game locks its row first, so it sees
all that earlier writers did; what no row can be locked for (a second game in a channel, a press delivered twice) runs
into a unique index, and the transaction is done again, which then sees the other one and says so.

A connection that is lost before COMMIT has written nothing, and the transaction is done again on another. If it is lost
during COMMIT, the server is asked what became of the transaction.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from itertools import islice
from typing import Any

import asyncpg

from storage.db import Clock, Database, T, Tx, Values
from storage.errors import StorageError, Unavailable
from storage.place import Address
from storage.postgres.connecting import ANSWER, hints, keywords, numbered, one_connection
from storage.postgres.errors import AGAIN, in_plain_words, is_lost
from storage.postgres.migrate import migrate, migrations, must_be_newest
from storage.shapes import Relation

CONNECTIONS, WRITERS = 8, 4
"""Of this process. Fewer transactions than connections, so that their own reads never wait for one."""
FEW = 5
"""Rows that are drawn at once; more of them in another thread."""
TRIES = 5
"""How often a transaction is done at most."""


class PostgresTx(Tx):
    """A transaction on one connection."""

    LOCK = " FOR NO KEY UPDATE"
    LOCK_FREE = " FOR NO KEY UPDATE SKIP LOCKED"

    def __init__(self, db: Database, now: int, connection: Any) -> None:
        super().__init__(db, now)
        self._connection = connection

    async def run(self, sql: str, *values: Any) -> int:
        status = await self._connection.execute(numbered(sql), *values)
        count = str(status).rpartition(" ")[2]
        return int(count) if count.isdecimal() else 0

    async def many(self, sql: str, rows: Iterable[Values]) -> None:
        left = iter(rows)
        drawn = list(islice(left, FEW))
        if len(drawn) == FEW:
            drawn += await asyncio.to_thread(list, left)
        if len(drawn) == 1:
            await self._connection.execute(numbered(sql), *drawn[0])
        elif drawn:
            await self._connection.executemany(numbered(sql), drawn)

    async def all(self, sql: str, *values: Any) -> list[Values]:
        return [tuple(row) for row in await self._connection.fetch(numbered(sql), *values)]


class PostgresDatabase(Database):
    """An open database, made by `connect`."""

    def __init__(self, place: Address, clock: Clock, pool: Any) -> None:
        super().__init__(place, clock)
        self.address = place
        self._pool = pool
        self._writers = asyncio.Semaphore(WRITERS)

    async def bring_up_to_date(self) -> None:
        await migrate(self, migrations())

    async def seals_of(self, game: str) -> tuple[str, str]:
        row = await self.one("SELECT seal_of_game(games), seal_of_seats(id) FROM games WHERE id = ?", game)
        return row[0], row[1]

    async def marked(self) -> list[Relation]:
        rows = await self.all(
            "SELECT relname::text, (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = pg_class.oid"
            " AND attnum > 0), key_of(relname) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
            " WHERE tgname = 'marked' AND relnamespace = current_schema()::regnamespace ORDER BY 1"
        )
        return [Relation(name, tuple(columns), tuple(key)) for name, columns, key in rows]

    async def marks_of(self, table: Relation) -> dict[str, str]:
        marks = f"mark_key(to_jsonb(t), key_of('{table.name}')), mark_of(to_jsonb(t))"
        return dict(await self.all(f"SELECT {marks} FROM {table.name} AS t"))

    async def games_made(self) -> int:
        return int((await self.one("SELECT games_made FROM about"))[0])

    async def problems(self) -> list[str]:
        return []  # the server watches over its files and references itself

    def hints(self) -> AsyncIterator[str]:
        return hints(self.address)

    async def last_numbers(self) -> dict[str, int]:
        tables = await self.all(
            "SELECT table_name, pg_get_serial_sequence(table_name, 'id') FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND column_name = 'id' AND identity_generation = 'BY DEFAULT'"
        )
        return {
            table: (await self.one(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"))[0]
            for table, sequence in tables
        }

    async def count_on(self, tx: Tx, last: dict[str, int]) -> None:
        for table, number in last.items():
            if number:
                await tx.all("SELECT setval(pg_get_serial_sequence(?, 'id'), ?)", table, number)

    async def _query(self, sql: str, values: Values) -> list[Values]:
        with in_plain_words(self.address):
            for left in (1, 0):
                try:
                    async with self._pool.acquire(timeout=ANSWER) as connection:
                        return [tuple(row) for row in await connection.fetch(numbered(sql), *values)]
                except Exception as error:
                    if not left or not is_lost(error):
                        raise
        raise AssertionError("the last try returns or raises")

    async def _transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        async with self._writers:
            with in_plain_words(self.address):
                for left in reversed(range(TRIES)):
                    try:
                        return await self._try(work)
                    except (*AGAIN, _Lost):
                        if not left:
                            raise
                    await asyncio.sleep(random.random() * 0.02 * (TRIES - left))
        raise AssertionError("the last try returns or raises")

    async def _try(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `work` in one transaction; `_Lost` if the connection was, and nothing was written."""
        async with self._pool.acquire(timeout=ANSWER) as connection:
            number = None
            try:
                await connection.execute("BEGIN")
                result = await work(PostgresTx(self, self.clock(), connection))
                number = await connection.fetchval("SELECT pg_current_xact_id_if_assigned()::text")
                if await connection.execute("COMMIT") != "COMMIT":
                    raise StorageError("A part of a transaction failed, and so nothing of it was written.")
                return result
            except BaseException as error:
                in_commit = number is not None and isinstance(error, TimeoutError)
                if not is_lost(error) and not in_commit:
                    await _roll_back(connection)
                    raise
                _give_up(connection)
                lost = error
        if number is not None and await self._became_of(number) == "committed":
            return result
        raise _Lost("the connection was lost") from lost

    async def _became_of(self, number: str) -> str:
        """What became of a transaction: committed or aborted. Raises Unavailable if that cannot be known."""
        until = asyncio.get_running_loop().time() + ANSWER
        while asyncio.get_running_loop().time() < until:
            with suppress(Unavailable):
                (state,) = await self.one("SELECT pg_xact_status(?::text::xid8)", number)
                if state != "in progress":
                    return str(state)
            await asyncio.sleep(0.2)
        lost = f"The connection to the database {self.address} was lost while it was saving"
        raise Unavailable(f"{lost}, and whether it did is not known yet.")


class _Lost(asyncpg.ConnectionDoesNotExistError):  # type: ignore[misc]
    """The connection was lost before anything was written."""


async def _roll_back(connection: Any) -> None:
    try:
        await connection.execute("ROLLBACK")
    except Exception:
        _give_up(connection)


def _give_up(connection: Any) -> None:
    with suppress(asyncpg.InterfaceError):  # it is gone, and the pool knows
        connection.terminate()


@asynccontextmanager
async def connect(place: Address, clock: Clock, busy_seconds: float) -> AsyncIterator[PostgresDatabase]:
    """Open the database; writes wait `busy_seconds` for another process before they fail."""
    with in_plain_words(place):
        pool = await asyncpg.create_pool(
            place.url,
            min_size=0,
            statement_cache_size=300,
            max_cached_statement_lifetime=0,
            max_size=CONNECTIONS,
            reset=_keep,
            **keywords(lock_timeout=f"{round(1000 * busy_seconds)}"),
        )
    db = PostgresDatabase(place, clock, pool)
    try:
        yield db
    finally:
        await db.close()
        try:
            async with asyncio.timeout(5):
                await pool.close()
        except Exception:
            pool.terminate()


async def _keep(connection: Any) -> None:
    """Reset nothing when a connection is given back: transactions leave nothing behind."""


class StillDatabase(PostgresDatabase):
    """The database as it was at one moment, while games go on: one transaction, in which nothing is written."""

    def __init__(self, place: Address, clock: Clock, connection: Any) -> None:
        super().__init__(place, clock, None)
        self._connection = connection
        self._turn = asyncio.Lock()

    async def bring_up_to_date(self) -> None:
        await must_be_newest(self)

    async def _query(self, sql: str, values: Values) -> list[Values]:
        async with self._turn:
            with in_plain_words(self.address):
                return [tuple(row) for row in await self._connection.fetch(numbered(sql), *values)]

    async def _transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        raise Unavailable(f"The database {self.place} is only looked at here, so nothing was written.")


@asynccontextmanager
async def hold_still(place: Address, clock: Clock) -> AsyncIterator[StillDatabase]:
    """The database as it is now. Others may write; it does not show."""
    async with one_connection(place, idle_in_transaction_session_timeout="0") as connection:
        with in_plain_words(place):
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield StillDatabase(place, clock, connection)
