"""Rows that somebody has to look at when their time has come: found by an index, claimed for a while, taken in order.

Whoever looks writes the row's next time in the transaction that holds what follows, so nothing follows twice. If a
process dies while it looks, its claim runs out, or its next process releases it.
"""

from typing import Any, ClassVar

from storage.db import Area, Tx, transaction
from storage.shapes import Shards
from storage.status import on_shards


class Due(Area):
    """The rows of one table, by their key; each is of a game or a server, or none is."""

    TABLE: ClassVar[str]
    KEY: ClassVar[str] = "game"
    OF_GAMES: ClassVar[bool] = True

    async def claim(
        self, owner: str, *, limit: int, lease_seconds: int = 120, shards: Shards | None = None
    ) -> list[Any]:
        """Claim up to `limit` rows that are due, of these shards, the longest due first; their keys."""
        own, numbers = on_shards(self.TABLE, shards if self.OF_GAMES else None)

        async def work(tx: Tx) -> list[Any]:
            await tx.db.lease.must_live(tx)
            keys = await tx.all(
                f"SELECT {self.KEY} FROM {self.TABLE} WHERE due_at <= ? AND claimed_until NOT BETWEEN ? AND ?{own}"
                f" ORDER BY due_at, {self.KEY} LIMIT ?{tx.LOCK_FREE}",
                *(tx.now, tx.now + 1, tx.now + lease_seconds, *numbers, limit),
            )
            for (key,) in keys:
                await tx.run(
                    f"UPDATE {self.TABLE} SET claimed_by = ?, claimed_until = ? WHERE {self.KEY} = ?",
                    *(owner, tx.now + lease_seconds, key),
                )
            return [key for (key,) in keys]

        if not await self.waiting():
            return []
        return await self._db.write(work)

    async def waiting(self) -> int:
        """How many rows are due."""
        row = await self._db.one(f"SELECT count(*) FROM {self.TABLE} WHERE due_at <= ?", self._db.clock())
        return int(row[0])

    @transaction
    async def release(self, tx: Tx, owner: str) -> None:
        """Give up what `owner` had claimed, for an owner that starts anew."""
        await tx.run(f"UPDATE {self.TABLE} SET claimed_by = NULL, claimed_until = 0 WHERE claimed_by = ?", owner)
