"""Positions kept to save replaying the log. A cache: delete them all and nothing changes but time."""

from __future__ import annotations

from storage.db import Database, Tx
from storage.shapes import Snapshot
from storage.status import load

KEPT = 3  # enough for an undo or two without replaying from the start


class Snapshots:
    """The last few snapshots of every game."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def save(self, game: str, snapshot: Snapshot) -> None:
        """Keep a snapshot, and only the last few; raises UnknownGame."""

        async def work(tx: Tx) -> None:
            await load(tx, game)
            await keep(tx, game, snapshot)

        await self._db.write(work)

    async def latest(self, game: str, revision: int, at_most: int | None = None) -> Snapshot | None:
        """The latest snapshot made by this revision of the rules, at or before seq `at_most`."""
        row = await self._db.one(
            "SELECT seq, revision, blob FROM snapshots WHERE game = ?1 AND revision = ?2"
            " AND (?3 IS NULL OR seq <= ?3) ORDER BY seq DESC LIMIT 1",
            *(game, revision, at_most),
        )
        return Snapshot(*row) if row else None

    async def clear(self, game: str | None = None) -> int:
        """Delete the snapshots of one game or of all; how many."""

        async def work(tx: Tx) -> int:
            return await tx.run("DELETE FROM snapshots WHERE ?1 IS NULL OR game = ?1", game)

        return await self._db.write(work)


async def keep(tx: Tx, game: str, snapshot: Snapshot) -> None:
    """Keep a snapshot; older ones than the last few, and those of other revisions, go."""
    await tx.run(
        "INSERT OR REPLACE INTO snapshots (game, revision, seq, blob) VALUES (?, ?, ?, ?)",
        *(game, snapshot.revision, snapshot.seq, snapshot.blob),
    )
    await tx.run(
        "DELETE FROM snapshots WHERE game = ?1 AND (revision <> ?2 OR seq NOT IN"
        " (SELECT seq FROM snapshots WHERE game = ?1 AND revision = ?2 ORDER BY seq DESC LIMIT ?3))",
        *(game, snapshot.revision, KEPT),
    )
