"""What people want to be told, when and where; and the pings that wait for them."""

from __future__ import annotations

from collections.abc import Sequence

from storage.db import Database, Tx
from storage.due import Due
from storage.outbox import post
from storage.shapes import OwedPing, PersonStep, Ping
from storage.status import load

_PINGS = "SELECT user_id, game, kind, body, at FROM pings"


class People(Due):
    """What is known of each person, a JSON text that the storage never parses. Nobody has to have one."""

    def __init__(self, db: Database) -> None:
        super().__init__(db, "people", "user_id")

    async def of(self, users: Sequence[int]) -> dict[int, str]:
        """The texts by person; who has none is left out."""
        marks = ", ".join("?" * len(users))
        rows = await self._db.all(f"SELECT user_id, body FROM people WHERE user_id IN ({marks})", *users)
        return dict(rows)

    async def change(self, user_id: int, step: PersonStep) -> bool:
        """Take a step of what is known of a person; whether it changed anything. It ends a claim.

        The step is called within the transaction, with the present text ("{}" if there is none), the time and the
        pings that wait; it must neither wait nor fail.
        """

        async def work(tx: Tx) -> bool:
            row = await tx.one("SELECT body FROM people WHERE user_id = ?", user_id)
            await tx.run("UPDATE people SET claimed_by = NULL, claimed_until = 0 WHERE user_id = ?", user_id)
            owed = [OwedPing(*one) for one in await tx.all(f"{_PINGS} WHERE user_id = ? ORDER BY at, game", user_id)]
            made = step(row[0] if row else "{}", tx.now, owed)
            if made is None:
                return False
            await tx.run(
                "INSERT INTO people (user_id, body, due_at) VALUES (?, ?, ?)"
                " ON CONFLICT (user_id) DO UPDATE SET body = excluded.body, due_at = excluded.due_at",
                *(user_id, made.body, made.due_at),
            )
            for one in made.told:
                await tx.run(
                    "DELETE FROM pings WHERE user_id = ? AND game = ? AND kind = ?", user_id, one.game, one.kind
                )
            for game, notice in made.notices:
                await post(tx, game, (await load(tx, game, ours=False)).seq, [notice])
            return True

        return await self._db.write(work)

    async def owed(self, user_id: int) -> list[OwedPing]:
        """The pings that wait for a person, the earliest first."""
        rows = await self._db.all(f"{_PINGS} WHERE user_id = ? ORDER BY at, game", user_id)
        return [OwedPing(*row) for row in rows]

    async def owe(self, game: str, pings: Sequence[Ping]) -> None:
        """Let pings wait for their people; one of the same game and kind is replaced."""

        async def work(tx: Tx) -> None:
            for one in pings:
                await owe(tx, game, one)

        await self._db.write(work)


async def owe(tx: Tx, game: str, ping: Ping) -> None:
    """Let a ping wait, and look at its person when it may go out."""
    await tx.run(
        "INSERT INTO pings (user_id, game, kind, body, at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (user_id, game, kind) DO UPDATE SET body = excluded.body, at = excluded.at",
        *(ping.user_id, game, ping.kind, ping.body, ping.at),
    )
    await tx.run(
        "INSERT INTO people (user_id, body, due_at) VALUES (?, '{}', ?) ON CONFLICT (user_id) DO UPDATE SET"
        " due_at = CASE WHEN people.due_at <= excluded.due_at THEN people.due_at ELSE excluded.due_at END",
        *(ping.user_id, ping.at),
    )
