"""Who sits where. A row is one person's time in a seat, so the history is kept."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from storage.clocks import changing
from storage.db import Area, Tx, transaction
from storage.errors import AlreadySeated, Stale, TableFull, UnknownSeat
from storage.shapes import Along, Seat
from storage.status import must_be_open

_TAKEN = "WHERE game = ? AND left_at IS NULL ORDER BY seat"


class Seats(Area):
    """The seats of every game, numbered from 1."""

    async def seats(self, game: str) -> list[Seat]:
        """Who holds the seats now, in seat order."""
        return await self._db.find(Seat, _TAKEN, game)

    @transaction
    async def join(self, tx: Tx, game: str, user_id: int, name: str, *, limit: int, **along: Unpack[Along]) -> Seat:
        """Take the first free seat of an open game with `limit` seats.

        Raises AlreadySeated, TableFull, or Stale once the game is no longer open.
        """
        async with changing(tx, game, "join", **along) as now:
            must_be_open(now)
            seated = await taken(tx, game)
            for seat in seated:
                if seat.user_id == user_id:
                    raise AlreadySeated(seat.seat)
            free = set(range(1, limit + 1)) - {seat.seat for seat in seated}
            if not free:
                raise TableFull(f"All {limit} seats of game {game} are taken.")
            return await sit_down(tx, game, min(free), user_id, name)

    @transaction
    async def leave(self, tx: Tx, game: str, user_id: int, **along: Unpack[Along]) -> Seat:
        """Give up a seat of an open game, and return it. Raises UnknownSeat or Stale."""
        async with changing(tx, game, "leave", **along) as now:
            must_be_open(now)
            left = [seat for seat in await taken(tx, game) if seat.user_id == user_id]
            if not left:
                raise UnknownSeat(f"This person holds no seat in game {game}.")
            return await stand_up(tx, left[0])


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
    return await tx.find(Seat, _TAKEN, game)


async def sit_down(tx: Tx, game: str, seat: int, user_id: int, name: str) -> Seat:
    """Begin somebody's time in a seat that is free."""
    return await tx.made(Seat, game=game, seat=seat, user_id=user_id, name=name, joined_at=tx.now)


async def stand_up(tx: Tx, seat: Seat) -> Seat:
    """End somebody's time in a seat."""
    await tx.run(
        "UPDATE seats SET left_at = ? WHERE game = ? AND seat = ? AND left_at IS NULL", tx.now, seat.game, seat.seat
    )
    return replace(seat, left_at=tx.now)
