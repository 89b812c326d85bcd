"""How often each person was pinged because of another lately."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from storage.db import Database, Tx

Limit = tuple[int, int]
"""Seconds, and how many pings of one person because of another there may be within them."""


class Disturbances:
    """A row for each ping that somebody caused, kept for as long as any limit looks back."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def allowed(self, by: int, users: Collection[int], notice: int, limits: Sequence[Limit]) -> list[int]:
        """Whom of these people the notice may ping because of `by`, and note that it does.

        Asked again for the same notice, it may ping whom it might before, and counts once.
        """

        async def work(tx: Tx) -> list[int]:
            await tx.run("DELETE FROM disturbances WHERE at <= ?", tx.now - max(span for span, _ in limits))
            free = [one for one in users if await _is_free(tx, by, one, notice, limits)]
            await tx.many(
                "INSERT INTO disturbances (by_user, user_id, notice, at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (by_user, user_id, notice) DO NOTHING",
                [(by, one, notice, tx.now) for one in free],
            )
            return free

        return await self._db.write(work)


async def _is_free(tx: Tx, by: int, user: int, notice: int, limits: Sequence[Limit]) -> bool:
    rows = await tx.all("SELECT notice, at FROM disturbances WHERE by_user = ? AND user_id = ?", by, user)
    if any(number == notice for number, _ in rows):
        return True
    return all(sum(at > tx.now - span for _, at in rows) < most for span, most in limits)
