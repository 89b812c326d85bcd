"""Messages waiting to be sent. A notice is written in the same transaction as its cause, so none is lost.

A sender claims notices under its own name for a while, sends each with its nonce, and reports how it went.
If it dies, its next process releases what it had claimed, or the claim expires; the nonce is the same, so
Discord drops a message that did get through. Within a lane of a game, notices are sent one at a time, oldest
first.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from storage.db import Area, Database, Tx, transaction
from storage.messages import record
from storage.shapes import Notice, OutboxItem, Shards, places
from storage.status import load, on_shards

_FIRST_OF_ITS_LANE = (
    "done_at IS NULL AND NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.game = outbox.game"
    " AND earlier.lane = outbox.lane AND earlier.done_at IS NULL AND earlier.id < outbox.id)"
)
LONGEST = 2 * 3600
"""Seconds: longer than any lease or pause. What is further off was written by a clock that was ahead, and is due."""


class Outbox(Area):
    """Notices and their senders."""

    def __init__(self, db: Database) -> None:
        super().__init__(db)
        self._latest = 0

    @transaction
    async def post(self, tx: Tx, game: str, notices: Sequence[Notice]) -> None:
        """Queue notices on their own. Raises UnknownGame."""
        await post(tx, game, (await load(tx, game)).seq, notices)

    async def claim(
        self,
        owner: str,
        *,
        limit: int = 10,
        lease_seconds: int = 60,
        under_way: Collection[int] = (),
        again: bool = True,
        shards: Shards | None = None,
    ) -> list[OutboxItem]:
        """Claim up to `limit` notices that are due, at most one per lane, oldest first.

        They belong to `owner` for `lease_seconds`, then to anyone again; those in `under_way`, which the caller is
        still sending, are left out even then. With `shards`, only those of games on these shards; unless `again`, none
        that was tried before.
        """
        own, numbers = on_shards("outbox", shards)
        fresh = "" if again else " AND attempts = 0"

        async def work(tx: Tx) -> tuple[int, list[OutboxItem]]:
            await tx.db.lease.must_live(tx)
            await self._follow_clock(tx, owner)
            due = await tx.find(
                OutboxItem,
                f"WHERE {_FIRST_OF_ITS_LANE}{fresh}{own}"
                f" AND next_attempt_at NOT BETWEEN ? AND ? ORDER BY id LIMIT ?{tx.LOCK_FREE}",
                *(*numbers, tx.now + 1, tx.now + LONGEST, limit + len(under_way)),
            )
            items = [one for one in due if one.id not in under_way][:limit]
            for one in items:
                await tx.run(
                    "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?, claimed_by = ?,"
                    " unsure_since = coalesce(unsure_since, ?) WHERE id = ?",
                    *(tx.now + lease_seconds, owner, tx.now, one.id),
                )
            return tx.now, [replace(one, attempts=one.attempts + 1) for one in items]

        if not await self._db.one("SELECT 1 FROM outbox WHERE done_at IS NULL LIMIT 1"):
            return []
        self._latest, claimed = await self._db.write(work)
        return claimed

    async def _follow_clock(self, tx: Tx, owner: str) -> None:
        """Where the clock was set back since the last claim, set the times of waiting notices back with it.

        Those that another process has claimed are left to its clock.
        """
        if tx.now < self._latest:
            await tx.run(
                "UPDATE outbox SET next_attempt_at = next_attempt_at - ?"
                " WHERE done_at IS NULL AND (claimed_by IS NULL OR claimed_by = ?)",
                *(self._latest - tx.now, owner),
            )

    async def release(self, owner: str) -> int:
        """Make due what `owner` had claimed, and nobody else's; return how many. For an owner that starts anew."""

        async def work(tx: Tx) -> int:
            return await tx.run(
                "UPDATE outbox SET next_attempt_at = ?, claimed_by = NULL WHERE done_at IS NULL AND claimed_by = ?",
                *(tx.now, owner),
            )

        return await self._db.write(work) if await self.waiting() else 0

    async def put_off(self, guild_id: int) -> list[tuple[str, int]]:
        """The games of a server of which something was put off after a failure, and their channels."""
        return await self._db.all(
            "SELECT DISTINCT games.id, games.channel_id FROM games JOIN outbox ON outbox.game = games.id"
            " WHERE games.guild_id = ? AND done_at IS NULL AND claimed_by IS NULL AND next_attempt_at > ?",
            *(guild_id, self._db.clock()),
        )

    async def hurry(self, games: Collection[str]) -> int:
        """Make the notices of these games due now that were put off, and none that is claimed; return how many."""
        return await self._hurry(f" AND game IN ({places(len(games))})", *games) if games else 0

    async def hurry_unsure(self, shards: Shards | None = None) -> int:
        """The same on these shards, but only for what Discord may never have seen: it would refuse the rest again."""
        own, numbers = on_shards("outbox", shards)
        return await self._hurry(f" AND unsure_since IS NOT NULL{own}", *numbers) if await self.waiting() else 0

    @transaction
    async def _hurry(self, tx: Tx, which: str, *values: Any) -> int:
        return await tx.run(
            "UPDATE outbox SET next_attempt_at = ?"
            f" WHERE done_at IS NULL AND claimed_by IS NULL AND next_attempt_at > ?{which}",
            *(tx.now, tx.now, *values),
        )

    @transaction
    async def done(
        self, tx: Tx, item: OutboxItem, *, channel_id: int | None = None, message_id: int | None = None
    ) -> None:
        """Record that the notice was sent; with a channel and message, also in `messages`, as what these show now."""
        await tx.run(
            "UPDATE outbox SET done_at = ?, message_id = ? WHERE id = ? AND done_at IS NULL",
            *(tx.now, message_id, item.id),
        )
        if channel_id is not None and message_id is not None:
            await record(tx, item.game, item.seq, item.kind, channel_id, message_id)

    @transaction
    async def failed(self, tx: Tx, item: OutboxItem, error: str, retry_at: int, *, refused: bool = False) -> None:
        """Record a failure, to be retried at `retry_at`. No effect once somebody else has claimed the notice.

        `refused`: this attempt certainly posted nothing.
        """
        await tx.run(
            "UPDATE outbox SET last_error = ?, next_attempt_at = ?, claimed_by = NULL,"
            " unsure_since = CASE WHEN ? THEN ? ELSE unsure_since END"
            " WHERE id = ? AND attempts = ? AND done_at IS NULL",
            *(error, retry_at, refused, item.unsure_since, item.id, item.attempts),
        )

    @transaction
    async def drop(self, tx: Tx, item: OutboxItem, reason: str) -> None:
        """Give up on the notice (its channel is gone, its position has passed); the next in its lane may go."""
        await tx.run(
            "UPDATE outbox SET done_at = ?, last_error = ? WHERE id = ? AND done_at IS NULL", *(tx.now, reason, item.id)
        )

    async def message_of(self, game: str, notice: Notice) -> int | None:
        """The message that the latest such notice became; None if it has not been sent."""
        row = await self._db.one(
            "SELECT message_id FROM outbox WHERE game = ? AND kind = ? AND body = ? ORDER BY id DESC LIMIT 1",
            *(game, notice.kind, notice.body),
        )
        return row[0] if row else None

    async def body_of(self, message_id: int) -> str | None:
        """What the notice held that became this message; None if that is no longer kept."""
        row = await self._db.one("SELECT body FROM outbox WHERE done_at IS NOT NULL AND message_id = ?", message_id)
        return row[0] if row else None

    async def told(self, game: str, kind: str, since: int) -> bool:
        """Whether a notice of this kind waits to be sent, or became a message since then."""
        row = await self._db.one(
            "SELECT EXISTS (SELECT 1 FROM outbox WHERE game = ?1 AND kind = ?2 AND done_at IS NULL)"
            " OR EXISTS (SELECT 1 FROM messages WHERE game = ?1 AND kind = ?2 AND posted_at >= ?3)",
            *(game, kind, since),
        )
        return bool(row[0])

    async def waiting(self, game: str | None = None) -> int:
        """How many notices are not done yet, in one game or in all."""
        where, values = ("", ()) if game is None else (" AND game = ?", (game,))
        return int((await self._db.one(f"SELECT count(*) FROM outbox WHERE done_at IS NULL{where}", *values))[0])

    async def waiting_since(self, shards: Shards | None = None) -> dict[int, int]:
        """When the notices not done yet were queued, and how many of them: times are those of their minutes."""
        own, numbers = on_shards("outbox", shards)
        minutes = f"WHERE done_at IS NULL{own} GROUP BY created_at / 60 * 60"
        return dict(await self._db.all(f"SELECT created_at / 60 * 60, count(*) FROM outbox {minutes}", *numbers))

    @transaction
    async def prune(self, tx: Tx, before: int) -> int:
        """Delete notices done before this time, but for questions that are still open; return how many."""
        return await tx.run(
            "DELETE FROM outbox WHERE done_at < ? AND NOT EXISTS (SELECT 1 FROM messages WHERE"
            " messages.message_id = outbox.message_id AND retired_at IS NULL AND messages.kind NOT LIKE 'turn:%')",
            before,
        )


async def post(tx: Tx, game: str, seq: int, notices: Sequence[Notice]) -> None:
    """Queue notices about position `seq`, due immediately."""
    rows = [(game, seq, one.kind, one.body, one.lane, tx.now, tx.now) for one in notices]
    if rows:
        await tx.many(
            "INSERT INTO outbox (game, seq, kind, body, lane, created_at, next_attempt_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
