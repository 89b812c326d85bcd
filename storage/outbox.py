"""What is still to be said. A notice is written in the transaction of what it tells about, so none is lost.

A sender claims notices for a while, sends each with its nonce, and says how it went. If it dies, the
claim runs out and the next sender claims the notice again; the nonce is the same, so Discord drops a
message that had got through. Within a lane of a game the oldest unsent notice goes first and alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from storage.db import Database, Tx
from storage.interactions import refuse_repeats, remember
from storage.messages import record
from storage.shapes import InteractionId, Notice, OutboxItem, columns
from storage.status import load

_FIRST_OF_ITS_LANE = (
    "done_at IS NULL AND NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.game = outbox.game"
    " AND earlier.lane = outbox.lane AND earlier.done_at IS NULL AND earlier.id < outbox.id)"
)


class Outbox:
    """Notices and their senders."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def post(self, game: str, notices: Sequence[Notice], *, interaction_id: InteractionId | None = None) -> None:
        """Queue notices that go with nothing else; raises UnknownGame or Duplicate."""

        async def work(tx: Tx) -> None:
            await refuse_repeats(tx, interaction_id)
            seq = (await load(tx, game)).seq
            await post(tx, game, seq, notices)
            await remember(tx, interaction_id, "post", game, seq)

        await self._db.write(work)

    async def claim(self, limit: int = 10, lease_seconds: int = 60, now: int | None = None) -> list[OutboxItem]:
        """Up to `limit` notices that are due, at most one of a lane, oldest first.

        They are the caller's for `lease_seconds`, then anyone's again. `now` is for tests.
        """

        async def work(tx: Tx) -> list[OutboxItem]:
            time = tx.now if now is None else now
            due = await tx.all(
                f"SELECT id FROM outbox WHERE {_FIRST_OF_ITS_LANE} AND next_attempt_at <= ? ORDER BY id LIMIT ?",
                *(time, limit),
            )
            for one in due:
                await tx.run(
                    "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ? WHERE id = ?",
                    *(time + lease_seconds, one[0]),
                )
            return [
                OutboxItem(*await tx.one(f"SELECT {columns(OutboxItem)} FROM outbox WHERE id = ?", one[0]))
                for one in due
            ]

        if not await self._db.one("SELECT 1 FROM outbox WHERE done_at IS NULL LIMIT 1"):
            return []
        return await self._db.write(work)

    async def release(self, *, but: Collection[int] = ()) -> int:
        """Make every notice due now, whoever had claimed it, but for those with the ids in `but`; how many.

        For the only sender of the file, which knows what it is sending itself.
        """
        mine = json.dumps(list(but))

        async def work(tx: Tx) -> int:
            return await tx.run(
                "UPDATE outbox SET next_attempt_at = ?1 WHERE done_at IS NULL AND next_attempt_at > ?1"
                " AND id NOT IN (SELECT value FROM json_each(?2))",
                *(tx.now, mine),
            )

        return await self._db.write(work) if await self.waiting() else 0

    async def done(self, item: OutboxItem, *, channel_id: int | None = None, message_id: int | None = None) -> None:
        """The notice was sent. With a channel and message it is also remembered in `messages`."""

        async def work(tx: Tx) -> None:
            await tx.run(
                "UPDATE outbox SET done_at = ?, message_id = ? WHERE id = ? AND done_at IS NULL",
                *(tx.now, message_id, item.id),
            )
            if channel_id is not None and message_id is not None:
                await record(tx, item.game, item.seq, item.kind, channel_id, message_id)

        await self._db.write(work)

    async def failed(self, item: OutboxItem, error: str, retry_at: int) -> None:
        """Sending failed; try again at `retry_at`. Has no effect once someone else claimed the notice."""

        async def work(tx: Tx) -> None:
            await tx.run(
                "UPDATE outbox SET last_error = ?, next_attempt_at = ?"
                " WHERE id = ? AND attempts = ? AND done_at IS NULL",
                *(error, retry_at, item.id, item.attempts),
            )

        await self._db.write(work)

    async def drop(self, item: OutboxItem, reason: str) -> None:
        """Give the notice up (the channel is gone, the position passed); the next of its lane may go."""

        async def work(tx: Tx) -> None:
            await tx.run(
                "UPDATE outbox SET done_at = ?, last_error = ? WHERE id = ? AND done_at IS NULL",
                *(tx.now, reason, item.id),
            )

        await self._db.write(work)

    async def is_recorded(self, message_id: int) -> bool:
        """Whether a notice that is done became this message."""
        return bool(await self._db.one("SELECT 1 FROM outbox WHERE done_at IS NOT NULL AND message_id = ?", message_id))

    async def waiting(self, game: str | None = None) -> int:
        """How many notices are not done yet, of one game or of all."""
        where = "" if game is None else " AND game = ?"
        values = () if game is None else (game,)
        return int((await self._db.one(f"SELECT count(*) FROM outbox WHERE done_at IS NULL{where}", *values))[0])

    async def next_due(self) -> int | None:
        """When the next notice may be claimed, or None if there is none: how long a sender may sleep."""
        row = await self._db.one(f"SELECT min(next_attempt_at) FROM outbox WHERE {_FIRST_OF_ITS_LANE}")
        return None if row[0] is None else int(row[0])

    async def prune(self, before: int) -> int:
        """Forget notices done before this time; how many."""

        async def work(tx: Tx) -> int:
            return await tx.run("DELETE FROM outbox WHERE done_at < ?", before)

        return await self._db.write(work)


async def post(tx: Tx, game: str, seq: int, notices: Sequence[Notice]) -> None:
    """Queue notices about position `seq`, due at once."""
    rows = [(game, seq, one.kind, one.body, one.lane, tx.now, tx.now) for one in notices]
    if rows:
        await tx.many(
            "INSERT INTO outbox (game, seq, kind, body, lane, created_at, next_attempt_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
