"""Interactions that came over HTTP to any process, until the one that serves their server has done what they ask.

Whoever receives one keeps it here before Discord is told that it came. Whoever serves the server takes it. If it was
not taken in time, or by a process that has not been heard of since, any other may borrow it once, to acknowledge it
within Discord's three seconds. What a process had that ended is free again.
"""

from storage.db import Area, Database, Tx, transaction
from storage.postgres.connecting import CHANNEL
from storage.postgres.leases import AWAY, LASTS, Leases
from storage.shapes import ARRIVED, InboxItem, Shards, places

IN_TIME = 0.7
"""Seconds in which whoever serves an interaction's server takes it."""
SILENT = 2.0
"""Seconds since its last renewal after which a process may be frozen."""
TOO_LATE = 3.0
"""Seconds after which Discord takes no first answer."""
REMEMBERED = 60
"""Seconds for which an interaction is known to have come: longer than one is believed that comes again."""
EXPIRED = 900
"""Seconds after which Discord takes no answer at all."""
_ITEM = "RETURNING id, body, extract(epoch FROM clock_timestamp() - at)::float8, borrowed"
_BORROW = f"""
    UPDATE inbox SET process = ?, borrowed = true WHERE id IN (
        SELECT inbox.id FROM inbox LEFT JOIN processes ON processes.id = inbox.process
        WHERE body IS NOT NULL AND NOT borrowed
        AND at BETWEEN clock_timestamp() - {TOO_LATE} * interval '1 second'
            AND clock_timestamp() - {IN_TIME} * interval '1 second'
        AND (processes.id IS NULL OR {AWAY} OR until < clock_timestamp() + {LASTS - SILENT} * interval '1 second')
        FOR UPDATE OF inbox SKIP LOCKED)
    {_ITEM}"""


class Inbox(Area):
    """What came over HTTP, as one process sees it. Any method raises Unavailable if the database cannot be used."""

    def __init__(self, db: Database, leases: Leases) -> None:
        super().__init__(db)
        self._leases = leases

    @transaction
    async def keep(self, tx: Tx, number: int, guild_id: int | None, body: str, *, ours: bool) -> bool:
        """Keep an interaction, taken already if `ours`; False if it came before."""
        added = await tx.run(
            "INSERT INTO inbox (id, guild_id, body, process)"
            " VALUES (?, ?, ?, (SELECT id FROM processes WHERE id = ?)) ON CONFLICT DO NOTHING",
            *(number, guild_id, body, self._leases.process if ours else None),
        )
        return bool(added)

    async def tell(self) -> None:
        """Tell the others that something came."""
        await self._db.all("SELECT pg_notify(?, ?)", CHANNEL, ARRIVED)

    async def take(self, shards: Shards) -> list[InboxItem]:
        """Take what is free and of these shards, the oldest first. Raises LeaseLost."""

        async def work(tx: Tx) -> list[InboxItem]:
            await self._leases.must_live(tx)
            rows = await tx.all(
                "UPDATE inbox SET process = ? WHERE id IN (SELECT id FROM inbox WHERE body IS NOT NULL"
                f" AND process IS NULL AND (coalesce(guild_id, 0) >> 22) % ? IN ({places(len(shards.own))})"
                f" FOR UPDATE SKIP LOCKED) {_ITEM}",
                *(self._leases.process, shards.count, *shards.own),
            )
            return sorted((InboxItem(*row) for row in rows), key=lambda item: item.id)

        if not shards.own or not await self._db.one("SELECT 1 FROM inbox WHERE body IS NOT NULL AND process IS NULL"):
            return []
        return await self._db.write(work)

    async def borrow(self) -> list[InboxItem]:
        """Take what nobody has acknowledged in time, for as long as that takes."""

        async def work(tx: Tx) -> list[InboxItem]:
            return [InboxItem(*row) for row in await tx.all(_BORROW, self._leases.process)]

        late = f"at < clock_timestamp() - {IN_TIME} * interval '1 second'"
        if not await self._db.one(f"SELECT 1 FROM inbox WHERE body IS NOT NULL AND NOT borrowed AND {late}"):
            return []
        return await self._db.write(work)

    async def done(self, number: int) -> None:
        """What it asks is done. What it was is forgotten, but not that it came."""
        await self._change("body = NULL, process = NULL", number)

    async def leave(self, number: int) -> None:
        """Leave it to whoever serves its server."""
        await self._change("process = NULL", number)
        await self.tell()

    @transaction
    async def _change(self, tx: Tx, new: str, number: int) -> None:
        await tx.run(f"UPDATE inbox SET {new} WHERE id = ? AND process = ?", number, self._leases.process)

    @transaction
    async def prune(self, tx: Tx) -> None:
        """Forget what was done or cannot be answered any more."""
        await tx.run(
            "DELETE FROM inbox WHERE at < clock_timestamp() - interval '1 second'"
            f" * CASE WHEN body IS NULL THEN {REMEMBERED} ELSE {EXPIRED} END"
        )
