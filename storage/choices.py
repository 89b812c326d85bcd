"""What players may set and change at any time: standing orders and votes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from storage.db import Database, Tx
from storage.interactions import refuse_repeats, remember
from storage.shapes import InteractionId, Vote, columns
from storage.status import load, must_be_at, must_be_version, touch

_VOTES = f"SELECT {columns(Vote)} FROM votes"


class Orders:
    """Standing orders (passing ahead, for example), one JSON text per seat that has any."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of_game(self, game: str) -> dict[str, str]:
        """Seat -> its standing orders."""
        rows = await self._db.all("SELECT seat, body FROM standing_orders WHERE game = ? ORDER BY seat", game)
        return dict(rows)

    async def set(
        self,
        game: str,
        seat: str,
        body: str | None,
        *,
        expected_version: int | None = None,
        interaction_id: InteractionId | None = None,
    ) -> None:
        """Replace a seat's standing orders; None removes them.

        Raises UnknownGame, Duplicate, or Stale unless the game has `expected_version`.
        """

        async def work(tx: Tx) -> None:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            must_be_version(now, expected_version)
            await set_orders(tx, game, {seat: body})
            await touch(tx, game)
            await remember(tx, interaction_id, "orders", game, now.seq)

        await self._db.write(work)


class Votes:
    """Votes on a question, `kind` ("end", "undo"): one per seat, the latest counts."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def cast(
        self,
        game: str,
        kind: str,
        seat: str,
        choice: str = "yes",
        *,
        expected_seq: int | None = None,
        interaction_id: InteractionId | None = None,
    ) -> list[Vote]:
        """Vote, and return all votes on the question. Raises Stale unless the game is at `expected_seq`."""

        async def work(tx: Tx) -> list[Vote]:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            if expected_seq is not None:
                must_be_at(now, expected_seq)
            await tx.run(
                "INSERT INTO votes (game, kind, seat, choice, seq, at) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (game, kind, seat) DO UPDATE"
                " SET choice = excluded.choice, seq = excluded.seq, at = excluded.at",
                *(game, kind, seat, choice, now.seq, tx.now),
            )
            await remember(tx, interaction_id, "vote", game, now.seq)
            rows = await tx.all(f"{_VOTES} WHERE game = ? AND kind = ? ORDER BY seat", game, kind)
            return [Vote(*row) for row in rows]

        return await self._db.write(work)

    async def of_game(self, game: str, kind: str | None = None) -> list[Vote]:
        """The votes on one question or on all, ordered by question and seat."""
        rows = await self._db.all(
            f"{_VOTES} WHERE game = ?1 AND kind = coalesce(?2, kind) ORDER BY kind, seat", game, kind
        )
        return [Vote(*row) for row in rows]

    async def clear(self, game: str, *kinds: str) -> None:
        """Forget the votes on these questions."""

        async def work(tx: Tx) -> None:
            await clear_votes(tx, game, kinds)

        await self._db.write(work)


async def set_orders(tx: Tx, game: str, orders: Mapping[str, str | None]) -> None:
    """Replace the standing orders of these seats; None removes them."""
    for seat, body in orders.items():
        await tx.run("DELETE FROM standing_orders WHERE game = ? AND seat = ?", game, seat)
        if body is not None:
            await tx.run(
                "INSERT INTO standing_orders (game, seat, body, set_at) VALUES (?, ?, ?, ?)",
                *(game, seat, body, tx.now),
            )


async def clear_votes(tx: Tx, game: str, kinds: Collection[str]) -> None:
    """Forget the votes on these questions."""
    for kind in kinds:
        await tx.run("DELETE FROM votes WHERE game = ? AND kind = ?", game, kind)
