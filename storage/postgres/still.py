"""A PostgreSQL database as it was at one moment, while games go on."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from storage.db import Clock, T, Tx, Values
from storage.errors import Unavailable
from storage.place import Address
from storage.postgres.connecting import numbered, one_connection
from storage.postgres.database import PostgresDatabase
from storage.postgres.errors import in_plain_words
from storage.postgres.migrate import must_be_newest


class StillDatabase(PostgresDatabase):
    """A view within one transaction, in which nothing is written."""

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
