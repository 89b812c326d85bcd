"""What has waited for too long, for whoever looks after the database."""

from dataclasses import dataclass

from storage.db import Area

DUE = ("clocks", "people", "puzzle_channels", "standing_orders", "watches")
"""The tables whose rows become due."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """A game's oldest notice that waits; those behind it in its lane wait with it."""

    game: str
    guild_id: int | None
    channel_id: int
    since: int
    attempts: int
    error: str | None
    """What went wrong at the last attempt; None if there was none."""
    waiting: int
    """How many notices of the game wait."""


class Stuck(Area):
    """Reads alone."""

    async def notices(self, before: int) -> list[Blocked]:
        """Games of which something queued before this time is not sent, the longest first."""
        rows = await self._db.all(
            "SELECT games.id, guild_id, channel_id, outbox.created_at, attempts, last_error, waiting"
            " FROM (SELECT game, min(id) AS first, count(*) AS waiting FROM outbox WHERE done_at IS NULL"
            " GROUP BY game) AS held"
            " JOIN outbox ON outbox.id = held.first JOIN games ON games.id = held.game"
            " WHERE outbox.created_at < ? ORDER BY outbox.created_at, games.id",
            before,
        )
        return [Blocked(*row) for row in rows]

    async def seats(self, before: int) -> list[tuple[str, str, int]]:
        """Seats of running games that have been open for others since before this time: game, seat and since when."""
        rows = await self._db.all(
            "SELECT game, seat, opened_at FROM openings JOIN games ON games.id = game"
            " WHERE status = 'running' AND opened_at < ? ORDER BY opened_at, game, seat",
            before,
        )
        return [(game, seat, since) for game, seat, since in rows]

    async def overdue(self, before: int) -> int:
        """How many rows have been due since before this time, though nobody is looking at them."""
        now = self._db.clock()
        counts = [
            await self._db.one(f"SELECT count(*) FROM {table} WHERE due_at < ? AND claimed_until <= ?", before, now)
            for table in DUE
        ]
        return sum(int(number) for (number,) in counts)
