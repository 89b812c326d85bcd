"""Which process serves which of Discord's shards: leases by the clock of the server.

A process registers for some seconds and renews that in time. Its shards are free as soon as it has left or its time is
over; others take them then. What a process writes about a game is refused once its lease is over (`must_serve`), and
nobody can take its shards while such a write is under way. All this goes over a connection of its own, so that busy or
broken ones of games do not hold it up.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg

from storage.db import Database, Tx
from storage.errors import LeaseLost, Unavailable
from storage.place import Address
from storage.postgres.connecting import ANSWER, keywords
from storage.postgres.errors import in_plain_words
from storage.postgres.migrate import KEY
from storage.shapes import Shards

LASTS = 30.0
"""Seconds for which a lease holds."""
PATIENCE = 4.0
"""Seconds that one question to the server may take."""
JOINING = 3
"""Of our advisory locks."""
_GONE = "SELECT id FROM processes WHERE until < clock_timestamp() FOR UPDATE SKIP LOCKED"


@dataclass(frozen=True, slots=True)
class Held:
    """The shards of this process, and how they are shared out."""

    own: tuple[int, ...]
    others: int
    """How many other processes serve some, or want to."""
    ended: tuple[str, ...]
    """Processes whose shards were freed just now, by name."""
    surplus: int
    """How many of its shards are beyond its fair share."""


class Leases:
    """The leases of one process."""

    def __init__(self, db: Database) -> None:
        assert isinstance(db.place, Address)
        self._db, self._place = db, db.place
        self._connection: Any = None
        self._turn = asyncio.Lock()
        self.process = 0
        """Its number, 0 before it has one."""
        self.count = 0
        """How many shards there are."""

    @property
    def owner(self) -> str:
        """In whose name this process claims notices."""
        return _owner(self.process)

    async def join(self, count: int | None, recommended: int) -> int:
        """Register; how many shards there are.

        `count` is what the host wants, if anything. Raises Unavailable, also if others share another number of them.
        """
        async with self._asking(ANSWER) as server:
            await server.execute("SELECT pg_advisory_xact_lock($1, $2)", KEY, JOINING)
            await _end(server)
            there = int(await server.fetchval("SELECT count(*) FROM shards"))
            wanted = count or max(there, recommended)
            if wanted != there and await server.fetchval("SELECT count(*) FROM processes"):
                if count:
                    raise Unavailable(
                        f"The processes that run already share {there} shards, not {count}: set TETSUDO_SHARDS for "
                        "as many, or stop them all first."
                    )
            elif wanted != there:
                await server.execute("DELETE FROM shards")
                await server.execute("INSERT INTO shards (number) SELECT generate_series(0, $1::bigint - 1)", wanted)
                there = wanted
            self.process = await server.fetchval(
                "INSERT INTO processes (name, until)"
                " VALUES ($1, clock_timestamp() + $2::float8 * interval '1 second') RETURNING id",
                *(f"{socket.gethostname()} {os.getpid()}", LASTS),
            )
            self.count = there
        self._db.lease = self
        return there

    async def renew(self) -> None:
        """Make the lease last from now on. Raises LeaseLost where it is over, or Unavailable."""
        async with self._asking() as server:
            held = await server.fetchval(
                "UPDATE processes SET until = clock_timestamp() + $2::float8 * interval '1 second'"
                " WHERE id = $1 AND until > clock_timestamp() RETURNING id",
                *(self.process, LASTS),
            )
        if held is None:
            raise LeaseLost

    async def tend(self, named: Collection[int] = (), *, take: bool = True) -> Held:
        """Free the shards of processes that are over, take some that are free, and say which are ours.

        The fair share is taken, or those that are `named` and no others. Raises LeaseLost or Unavailable.
        """
        async with self._asking() as server:
            ended = await _end(server)
            living = "SELECT 1 FROM processes WHERE id = $1 AND until > clock_timestamp() FOR KEY SHARE"
            if not await server.fetchval(living, self.process):
                raise LeaseLost
            sharing = int(
                await server.fetchval("SELECT count(*) FROM processes WHERE NOT leaving AND id <> $1", self.process)
            )
            own = [row[0] for row in await server.fetch("SELECT number FROM shards WHERE process = $1", self.process)]
            fair = -(-self.count // (sharing + 1))
            wanted = len(named) if named else fair
            if take and len(own) < wanted:
                own += [row[0] for row in await server.fetch(
                    "UPDATE shards SET process = $1 WHERE number IN (SELECT number FROM shards WHERE process IS NULL"
                    " AND ($3 OR number = ANY ($4::bigint[])) ORDER BY number LIMIT $2 FOR UPDATE SKIP LOCKED)"
                    " RETURNING number",
                    *(self.process, wanted - len(own), not named, list(named)),
                )]  # fmt: skip
            surplus = 0 if named else max(0, len(own) - fair)
            return Held(tuple(sorted(own)), sharing, ended, surplus)

    async def give(self, shard: int) -> None:
        """Let others have a shard. Raises Unavailable."""
        async with self._asking() as server:
            await server.execute(
                "UPDATE shards SET process = NULL WHERE number = $1 AND process = $2", shard, self.process
            )

    async def leaving(self) -> None:
        """Take no more shards, and let others share out ours. Raises Unavailable."""
        async with self._asking() as server:
            await server.execute("UPDATE processes SET leaving = true WHERE id = $1", self.process)

    async def is_served(self, shard: int) -> bool:
        """Whether some process has a shard. Raises Unavailable."""
        async with self._asking() as server:
            return bool(await server.fetchval("SELECT process IS NOT NULL FROM shards WHERE number = $1", shard))

    async def leave(self) -> None:
        """Give everything back and close the connection. Raises Unavailable."""
        async with self._asking() as server:
            await server.execute("UPDATE processes SET until = '-infinity' WHERE id = $1", self.process)
            await _end(server)
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()

    async def next_in(self, bucket: int, apart: float) -> float:
        """Take the next time for a session in this bucket, over all processes; how many seconds it is off."""
        async with self._asking() as server:
            wait = await server.fetchval(
                "INSERT INTO session_starts AS slot (bucket, next)"
                " VALUES ($1, clock_timestamp() + $2::float8 * interval '1 second')"
                " ON CONFLICT (bucket) DO UPDATE"
                " SET next = greatest(slot.next, clock_timestamp()) + $2::float8 * interval '1 second'"
                " RETURNING extract(epoch FROM next - clock_timestamp())::float8 - $2::float8",
                *(bucket, apart),
            )
        return max(0.0, float(wait))

    async def registered(self, application: int) -> str:
        """The hash of the commands that Discord was last told of. Raises Unavailable."""
        async with self._asking() as server:
            return str(await server.fetchval("SELECT commands FROM registered WHERE application = $1", application))

    async def register(self, application: int, commands: str) -> None:
        """Remember the hash of the commands that Discord was told of. Raises Unavailable."""
        async with self._asking() as server:
            await server.execute(
                "INSERT INTO registered (application, commands) VALUES ($1, $2)"
                " ON CONFLICT (application) DO UPDATE SET commands = excluded.commands",
                *(application, commands),
            )

    async def must_serve(self, tx: Tx, guild_id: int | None) -> None:
        """Raise LeaseLost unless this process serves the server's shard, which nobody else takes before `tx` ends."""
        found = await tx.one(
            "SELECT 1 FROM processes JOIN shards ON shards.process = processes.id"
            " WHERE processes.id = ? AND until > clock_timestamp() AND shards.number = ? FOR KEY SHARE OF processes",
            *(self.process, Shards.number(guild_id, self.count)),
        )
        if not found:
            raise LeaseLost

    async def must_live(self, tx: Tx) -> None:
        """Raise LeaseLost unless the lease holds, which it does until `tx` ends."""
        living = "SELECT 1 FROM processes WHERE id = ? AND until > clock_timestamp() FOR KEY SHARE"
        if not await tx.one(living, self.process):
            raise LeaseLost

    @asynccontextmanager
    async def _asking(self, patience: float | None = None) -> AsyncIterator[Any]:
        """The connection, in a transaction; another one the next time if this fails. Raises Unavailable."""
        async with self._turn:
            with in_plain_words(self._place):
                try:
                    async with asyncio.timeout(PATIENCE if patience is None else patience):
                        if self._connection is None or self._connection.is_closed():
                            limit = f"{round(500 * PATIENCE)}"
                            settings = {"idle_in_transaction_session_timeout": limit, "lock_timeout": limit}
                            self._connection = await asyncpg.connect(self._place.url, **keywords(**settings))
                        async with self._connection.transaction():
                            yield self._connection
                except LeaseLost:
                    raise
                except BaseException:
                    await self.close()
                    raise


async def _end(server: Any) -> tuple[str, ...]:
    """Free the shards of processes whose time is over, and what they had claimed; their names."""
    ended = await server.fetch(f"DELETE FROM processes WHERE id IN ({_GONE}) RETURNING id, name")
    if ended:
        await server.execute(
            "UPDATE outbox SET claimed_by = NULL, next_attempt_at = 0"
            " WHERE done_at IS NULL AND claimed_by = ANY ($1::text[])",
            [_owner(number) for number, _ in ended],
        )
    return tuple(str(name) for _, name in ended)


def _owner(process: int) -> str:
    return f"process {process}"
