"""The last position of every game, from which it goes on where changed rules no longer lead there."""

from __future__ import annotations

from storage.db import Area, Tx, transaction
from storage.shapes import Snapshot
from storage.status import load


class Snapshots(Area):
    """One snapshot a game, made with the last rows that were appended."""

    @transaction
    async def save(self, tx: Tx, game: str, snapshot: Snapshot) -> None:
        """Keep the snapshot if the game still stands at its seq; raises UnknownGame."""
        if (await load(tx, game)).seq == snapshot.seq:
            await keep(tx, game, snapshot)

    async def last(self, game: str) -> Snapshot | None:
        """The snapshot of the game's last row; None if there is none, or only one of an earlier row."""
        row = await self._db.one(
            "SELECT snapshots.seq, format, blob, told FROM snapshots"
            " JOIN games ON games.id = game AND games.seq = snapshots.seq WHERE game = ?",
            game,
        )
        return Snapshot(*row) if row else None


async def keep(tx: Tx, game: str, snapshot: Snapshot) -> None:
    """Keep a snapshot instead of the one before it."""
    await tx.run(
        "INSERT INTO snapshots (game, seq, format, blob, told) VALUES (?, ?, ?, ?, ?) ON CONFLICT (game) DO UPDATE"
        " SET seq = excluded.seq, format = excluded.format, blob = excluded.blob,"
        " told = coalesce(excluded.told, snapshots.told)",
        *(game, snapshot.seq, snapshot.format, snapshot.blob, snapshot.told),
    )
