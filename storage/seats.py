"""Who sits where. A row is one person's time in a seat, so the history is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from storage.db import Database, Tx
from storage.errors import AlreadySeated, Stale, TableFull, UnknownSeat
from storage.interactions import refuse_repeats, remember
from storage.shapes import InteractionId, Seat, columns
from storage.status import load, must_be_open, touch

_SEATS = f"SELECT {columns(Seat)} FROM seats"
_TAKEN = f"{_SEATS} WHERE game = ? AND left_at IS NULL"


class Seats:
    """The seats of every game, numbered from 1."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def seats(self, game: str) -> list[Seat]:
        """Who holds the seats now, in seat order."""
        return [Seat(*row) for row in await self._db.all(f"{_TAKEN} ORDER BY seat", game)]

    async def seat_history(self, game: str) -> list[Seat]:
        """Everyone who ever held a seat, in the order they sat down."""
        return [Seat(*row) for row in await self._db.all(f"{_SEATS} WHERE game = ? ORDER BY id", game)]

    async def join(
        self, game: str, user_id: int, name: str, *, limit: int, interaction_id: InteractionId | None = None
    ) -> Seat:
        """Take the first free seat of an open game with `limit` seats.

        Raises AlreadySeated, TableFull, or Stale once the game is no longer open.
        """

        async def work(tx: Tx) -> Seat:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            must_be_open(now)
            seated = await taken(tx, game)
            for seat in seated:
                if seat.user_id == user_id:
                    raise AlreadySeated(seat.seat)
            free = set(range(1, limit + 1)) - {seat.seat for seat in seated}
            if not free:
                raise TableFull(f"All {limit} seats of game {game} are taken.")
            await touch(tx, game)
            await remember(tx, interaction_id, "join", game, 0)
            return await sit_down(tx, game, min(free), user_id, name)

        return await self._db.write(work)

    async def leave(self, game: str, user_id: int, *, interaction_id: InteractionId | None = None) -> Seat:
        """Give up a seat of an open game, and return it. Raises UnknownSeat or Stale."""

        async def work(tx: Tx) -> Seat:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            must_be_open(now)
            left = [seat for seat in await taken(tx, game) if seat.user_id == user_id]
            if not left:
                raise UnknownSeat(f"This person holds no seat in game {game}.")
            await touch(tx, game)
            await remember(tx, interaction_id, "leave", game, 0)
            return await stand_up(tx, left[0])

        return await self._db.write(work)


async def reorder(tx: Tx, game: str, order: Sequence[int] | None) -> None:
    """Renumber the seats from 1 in the given order of their current numbers. Raises Stale if others are taken."""
    numbers = [seat.seat for seat in await taken(tx, game)]
    wanted = numbers if order is None else list(order)
    if sorted(wanted) != numbers:
        raise Stale(f"The seats taken in game {game} are {numbers}, not {sorted(wanted)}.")
    for new, old in enumerate(wanted, start=1):  # by way of negative numbers, since no two may ever be equal
        await tx.run("UPDATE seats SET seat = ? WHERE game = ? AND seat = ? AND left_at IS NULL", -new, game, old)
    await tx.run("UPDATE seats SET seat = -seat WHERE game = ? AND seat < 0", game)


async def taken(tx: Tx, game: str) -> list[Seat]:
    """Who holds the seats, as this transaction sees it."""
    return [Seat(*row) for row in await tx.all(f"{_TAKEN} ORDER BY seat", game)]


async def sit_down(tx: Tx, game: str, seat: int, user_id: int, name: str) -> Seat:
    """Begin somebody's time in a seat that is free."""
    await tx.run(
        "INSERT INTO seats (game, seat, user_id, name, joined_at) VALUES (?, ?, ?, ?, ?)",
        *(game, seat, user_id, name, tx.now),
    )
    return Seat(game, seat, user_id, name, tx.now, None)


async def stand_up(tx: Tx, seat: Seat) -> Seat:
    """End somebody's time in a seat."""
    await tx.run(
        "UPDATE seats SET left_at = ? WHERE game = ? AND seat = ? AND left_at IS NULL", tx.now, seat.game, seat.seat
    )
    return replace(seat, left_at=tx.now)
