"""Which process serves which of Discord's shards: leases by the clock of the server.

A process registers for some seconds and renews that in time. Its shards are free as soon as it has left, its time is
over, or its connection is gone, by which it holds a lock; others take them then. What a process writes about a game is
refused once its lease is over (`must_serve`), and nobody can take its shards while such a write is under way. All this
goes over a connection of its own, so that busy or broken ones of games do not hold it up.
"""

import asyncio
import math
import os
import socket
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import astuple, dataclass
from typing import Any

import asyncpg

from storage.db import Database, Lease, Tx
from storage.errors import LeaseLost, Unavailable
from storage.place import Address
from storage.postgres.connecting import ANSWER, keywords
from storage.postgres.errors import in_plain_words
from storage.postgres.migrate import KEY
from storage.shapes import Session, Shards

LASTS = 10.0
"""Seconds for which a lease holds: one that is frozen is not renewed."""
MARGIN = 1.0
"""Seconds between seeing that a process is gone and taking its shards: it may live, and must see it too."""
STEADY = 5.0
"""Seconds for which a connection must have stood to tell who is gone: after the server was away, all come back."""
STUCK = 5.0
"""Seconds for which a transaction lasts at most that is left to a process whose time is over."""
PATIENCE = 4.0
"""Seconds that one question to the server may take."""
JOINING = 3
"""Of our advisory locks."""
PRESENT = KEY + 1
"""Of the locks by which processes show that they are there; the second number is the process's."""
_SETTINGS = {
    "idle_in_transaction_session_timeout": f"{round(500 * PATIENCE)}",
    "lock_timeout": f"{round(500 * PATIENCE)}",
    # A machine that is lost is seen to be after eight seconds: two more than it would go on without an answer.
    "tcp_keepalives_idle": "4",
    "tcp_keepalives_interval": "2",
    "tcp_user_timeout": "8000",
}
AWAY = f"""
    (watched AND NOT EXISTS (
        SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = {PRESENT} AND objid = processes.id::oid
        AND mode = 'ShareLock' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))"""
"""Whether the connection of one of the `processes` is gone."""
_OTHERS = f"SELECT id, until < clock_timestamp(), {AWAY} FROM processes WHERE id <> $1"
"""Of each other process: its number, whether its time is over, and whether its connection is gone."""
_CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        JOIN processes ON application_name = left('tetsudo ' || processes.name, 63)
    WHERE id = ANY ($1::bigint[]) AND xact_start < clock_timestamp() - $2::float8 * interval '1 second'
        AND datname = current_database() AND usename = current_user"""
"""Cuts the connections of frozen processes: between the parts of a statement no limit ends what keeps their locks."""
_GONE = """
    SELECT id FROM processes WHERE id = ANY ($1::bigint[]) AND (until < clock_timestamp()
        OR CASE WHEN watched THEN pg_try_advisory_xact_lock($2, id::int) ELSE false END)
    FOR UPDATE SKIP LOCKED"""
_TAKE = """
    UPDATE shards SET process = $1 WHERE number IN (
        SELECT number FROM shards WHERE process IS NULL AND ($3 OR number = ANY ($4::bigint[])) ORDER BY number
        LIMIT greatest(0, $2 - (SELECT count(*) FROM shards WHERE process = $1)) FOR UPDATE SKIP LOCKED)"""
_OWN = "SELECT number, session, sequence, gateway FROM shards WHERE process = $1 ORDER BY number"


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
    sessions: Mapping[int, Session]
    """The sessions of its shards, as they are kept."""


class Leases(Lease):
    def __init__(self, db: Database) -> None:
        assert isinstance(db.place, Address)
        self._db, self._place = db, db.place
        self._connection: Any = None
        self._since = math.inf
        """When this connection began to hold our lock."""
        self._missed: dict[int, float] = {}
        """Since when other processes have been seen to be gone."""
        self._turn = asyncio.Lock()
        self.lost: Callable[[], None] = lambda: None
        """Is told when the connection breaks."""
        self.process = 0
        """Its number, 0 before it has one."""
        self.count = 0
        """How many shards there are."""

    @property
    def owner(self) -> str:
        """In whose name this process claims notices."""
        return _owner(self.process)

    @property
    def connected(self) -> bool:
        """Whether the others see that this process is there."""
        return self._since < math.inf and not self._connection.is_closed()

    @property
    def hurries(self) -> bool:
        """Whether to look again soon: this process is not seen, or misses another."""
        return not self.connected or bool(self._missed)

    async def join(self, count: int | None, recommended: int) -> int:
        """Register; how many shards there are.

        `count` is what the host wants, if anything. Raises Unavailable, also if others share another number of them.
        """
        self.process = 0
        async with self._asking(ANSWER) as server:
            await server.execute("SELECT pg_advisory_unlock_all(), pg_advisory_xact_lock($1, $2)", KEY, JOINING)
            there = int(await server.fetchval("SELECT count(*) FROM shards"))
            wanted = count or max(there, recommended)
            if wanted != there:
                over = await server.fetch("SELECT id FROM processes WHERE until < now()")
                await _end(server, [row[0] for row in over])
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
                "INSERT INTO processes (name, until, watched)"
                " VALUES ($1, clock_timestamp() + $2::float8 * interval '1 second', true) RETURNING id",
                *(f"{socket.gethostname()} {os.getpid()}", LASTS),
            )
            await self._show(server)
            self.count = there
        self._db.lease = self
        return there

    async def tend(
        self, named: Collection[int] = (), *, take: bool = True, sessions: Mapping[int, Session] | None = None
    ) -> Held:
        """Renew the lease, free the shards of processes that are gone, take some that are free, and say which are ours.

        The fair share is taken, or those that are `named` and no others; `sessions` of ours are kept for whoever has
        the shards next. Raises LeaseLost where somebody ended this process, or Unavailable.
        """
        async with self._asking() as server:
            held = await server.fetchval(
                "UPDATE processes SET until = clock_timestamp() + $2::float8 * interval '1 second'"
                " WHERE id = $1 RETURNING id",
                *(self.process, LASTS),
            )
            if held is None:
                raise LeaseLost
            await self._keep(server, sessions or {})
            ended = await _end(server, await self._gone(server))
            sharing = int(
                await server.fetchval("SELECT count(*) FROM processes WHERE NOT leaving AND id <> $1", self.process)
            )
            fair = -(-self.count // (sharing + 1))
            if take:
                await server.execute(_TAKE, self.process, len(named) or fair, not named, list(named))
            rows = await server.fetch(_OWN, self.process)
            surplus = 0 if named else max(0, len(rows) - fair)
            sessions = {number: Session(*values) for number, *values in rows if values[0] is not None}
            return Held(tuple(row[0] for row in rows), sharing, ended, surplus, sessions)

    async def _gone(self, server: Any) -> list[int]:
        """The processes whose time is over, or whose connection has been gone for some time."""
        now = time.monotonic()
        if now - self._since < STEADY:
            self._missed = {}
            return []
        others = await server.fetch(_OTHERS, self.process)
        if frozen := [number for number, over, _ in others if over]:
            await server.execute(_CUT, frozen, STUCK)
        self._missed = {number: self._missed.get(number, now) for number, _, away in others if away}
        return [number for number, over, _ in others if over or now - self._missed.get(number, now) >= MARGIN]

    async def _keep(self, server: Any, sessions: Mapping[int, Session]) -> None:
        if sessions:
            ids, sequences, gateways = zip(*map(astuple, sessions.values()), strict=True)
            await server.execute(
                "UPDATE shards SET session = new.session, sequence = new.sequence, gateway = new.gateway"
                " FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[])"
                " AS new (shard, session, sequence, gateway) WHERE number = shard AND process = $1",
                *(self.process, list(sessions), ids, sequences, gateways),
            )

    async def give(self, shards: Collection[int], sessions: Mapping[int, Session]) -> None:
        """Let others have these shards, and go on with their sessions. Raises Unavailable."""
        async with self._asking() as server:
            await self._keep(server, sessions)
            await server.execute(
                "UPDATE shards SET process = NULL WHERE number = ANY ($1::bigint[]) AND process = $2",
                *(list(shards), self.process),
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
            await _end(server, [self.process])
        await self.close()

    async def close(self) -> None:
        connection, self._connection, self._since = self._connection, None, math.inf
        if connection is not None:
            connection.terminate()

    async def take(self, bucket: int, apart: float) -> float:
        """Begin a session in this bucket now; if it is too soon for all processes, in how many seconds to ask again."""
        async with self._asking() as server:
            wait = await server.fetchval(
                "WITH taken AS (INSERT INTO session_starts AS slot (bucket, next)"
                " VALUES ($1, clock_timestamp() + $2::float8 * interval '1 second')"
                " ON CONFLICT (bucket) DO UPDATE SET next = excluded.next WHERE slot.next <= clock_timestamp()"
                " RETURNING 0.0::float8 AS wait)"
                " SELECT coalesce((SELECT wait FROM taken), (SELECT greatest(0.1, extract(epoch FROM"
                " next - clock_timestamp())) FROM session_starts WHERE bucket = $1), 0.1)::float8",
                *(bucket, apart),
            )
        return float(wait)

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
                            await self._connect()
                        async with self._connection.transaction():
                            yield self._connection
                except LeaseLost:
                    raise
                except BaseException:
                    await self.close()
                    raise

    async def _connect(self) -> None:
        """Connect anew, and show the others that this process is there. Raises LeaseLost if they ended it."""
        await self.close()
        self._connection = await asyncpg.connect(self._place.url, **keywords(**_SETTINGS))
        self._connection.add_termination_listener(lambda _: self.lost())
        if self.process:
            await self._show(self._connection)
            if not await self._connection.fetchval("SELECT 1 FROM processes WHERE id = $1", self.process):
                await self.close()
                raise LeaseLost

    async def _show(self, server: Any) -> None:
        """Hold the lock of this process's number, once nobody looks whether it is held.

        It is shared with a connection of ours that broke, if the server does not know yet.
        """
        await server.execute("SELECT pg_advisory_lock_shared($1, $2)", PRESENT, self.process)
        self._since = time.monotonic()


async def _end(server: Any, gone: Collection[int]) -> tuple[str, ...]:
    """Free the shards of those processes that are really gone, and what they had claimed; their names."""
    if not gone:
        return ()
    ended = await server.fetch(f"DELETE FROM processes WHERE id IN ({_GONE}) RETURNING id, name", list(gone), PRESENT)
    if ended:
        await server.execute(
            "UPDATE outbox SET claimed_by = NULL, next_attempt_at = 0"
            " WHERE done_at IS NULL AND claimed_by = ANY ($1::text[])",
            [_owner(number) for number, _ in ended],
        )
    return tuple(str(name) for _, name in ended)


def _owner(process: int) -> str:
    return f"process {process}"
