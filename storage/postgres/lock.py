"""Who serves a database: an advisory lock, which ends with the connection that took it, and then is taken again."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from storage.errors import Unavailable
from storage.place import Address
from storage.postgres.connecting import one_connection
from storage.postgres.errors import in_plain_words
from storage.postgres.migrate import KEY, SERVING

log = logging.getLogger("tetsudo.storage")
EVERY = 5.0
"""Seconds between two looks whether the connection still stands."""
_HOLDER = (
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'"
    " AND classid = $1::bigint::oid AND objid = $2::bigint::oid AND granted AND pid <> pg_backend_pid()"
    " AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1"
)


@asynccontextmanager
async def serving(place: Address, wait_seconds: float, *, alone: bool) -> AsyncIterator[None]:
    """Hold the lock of those who serve the games, `alone` or beside others who do not ask to be alone.

    Waits for a process that is shutting down. Raises Unavailable, which names the process that holds it.
    """
    until = asyncio.get_running_loop().time() + wait_seconds
    async with one_connection(place) as connection:
        while not await _taken(place, connection, alone):
            if asyncio.get_running_loop().time() >= until:
                raise await _busy(place, connection)
            await asyncio.sleep(0.1)
        keeping = asyncio.create_task(_keep(place, connection, alone))
        try:
            yield
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)


async def _keep(place: Address, connection: Any, alone: bool) -> None:
    """Take the lock again where its connection is lost, or anybody could."""
    with suppress(Unavailable):
        await _stands(place, connection)
    while True:
        with suppress(Unavailable):
            async with one_connection(place) as another:
                if await _taken(place, another, alone):
                    await _stands(place, another)
                log.warning("%s", await _busy(place, another))
        await asyncio.sleep(EVERY)


async def _stands(place: Address, connection: Any) -> None:
    """Never return, but raise Unavailable once the connection is lost."""
    with in_plain_words(place):
        while True:
            await asyncio.sleep(EVERY)
            await connection.fetchval("SELECT 1")


async def _taken(place: Address, connection: Any, alone: bool) -> bool:
    kind = "" if alone else "_shared"
    with in_plain_words(place):
        return bool(await connection.fetchval(f"SELECT pg_try_advisory_lock{kind}($1, $2)", KEY, SERVING))


async def _busy(place: Address, connection: Any) -> Unavailable:
    with in_plain_words(place):
        holder = str(await connection.fetchval(_HOLDER, KEY, SERVING) or "")
    name, _, rest = holder.partition(" ")
    host, _, number = rest.rpartition(" ")
    who = f" (number {number} on {host})" if name == "tetsudo" and host else ""
    return Unavailable(f"Another process{who} plays the games of {place} already. Stop it first.")
