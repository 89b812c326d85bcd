"""What people need not be taught again, in any game."""

from __future__ import annotations

from storage.db import Database, Tx


class Lessons:
    """Kinds of decisions, in the caller's words, that a person has had explained enough."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of_user(self, user_id: int) -> frozenset[str]:
        """What the person has dismissed."""
        rows = await self._db.all("SELECT kind FROM lessons WHERE user_id = ?", user_id)
        return frozenset(kind for (kind,) in rows)

    async def dismiss(self, user_id: int, kind: str) -> None:
        """Remember that the person needs no more of this kind; once more changes nothing."""

        async def work(tx: Tx) -> None:
            await tx.run(
                "INSERT INTO lessons (user_id, kind, at) VALUES (?, ?, ?) ON CONFLICT (user_id, kind) DO NOTHING",
                *(user_id, kind, tx.now),
            )

        await self._db.write(work)

    async def forget(self, user_id: int) -> None:
        """Let everything be explained to the person again."""

        async def work(tx: Tx) -> None:
            await tx.run("DELETE FROM lessons WHERE user_id = ?", user_id)

        await self._db.write(work)
