"""What people want to be told, when and where; the pings that wait for them, and who has caused how many."""

from collections.abc import Collection, Sequence
from dataclasses import asdict

from storage.db import Area, Tx, transaction
from storage.due import Due
from storage.errors import Stale
from storage.outbox import post
from storage.shapes import Guide, OwedPing, PersonStep, Ping, places
from storage.status import load

_OWED = "WHERE user_id = ? ORDER BY at, game"
Limit = tuple[int, int]
"""Seconds, and how many pings of one person because of another there may be within them."""


class People(Due):
    """What is known of each person, a JSON text that the storage never parses. Nobody has to have one."""

    TABLE, KEY, OF_GAMES = "people", "user_id", False

    async def of(self, users: Sequence[int]) -> dict[int, str]:
        """The texts by person; who has none is left out."""
        rows = await self._db.all(f"SELECT user_id, body FROM people WHERE user_id IN ({places(len(users))})", *users)
        return dict(rows)

    @transaction
    async def change(self, tx: Tx, user_id: int, step: PersonStep) -> bool:
        """Take a step of what is known of a person; whether it changed anything. It ends a claim.

        The step is called within the transaction, with the present text ("{}" if there is none), the time and the
        pings that wait; it must neither wait nor fail.
        """
        row = await tx.one("SELECT body FROM people WHERE user_id = ?", user_id)
        await tx.run("UPDATE people SET claimed_by = NULL, claimed_until = 0 WHERE user_id = ?", user_id)
        owed = await tx.find(OwedPing, _OWED, user_id)
        made = step(row[0] if row else "{}", tx.now, owed)
        if made is None:
            return False
        await tx.put("people", ("user_id",), user_id=user_id, body=made.body, due_at=made.due_at)
        for one in made.told:
            await tx.run("DELETE FROM pings WHERE user_id = ? AND game = ? AND kind = ?", user_id, one.game, one.kind)
        for game, notice in made.notices:
            await post(tx, game, (await load(tx, game, ours=False)).seq, [notice])
        return True

    async def owed(self, user_id: int) -> list[OwedPing]:
        """The pings that wait for a person, the earliest first."""
        return await self._db.find(OwedPing, _OWED, user_id)

    @transaction
    async def owe(self, tx: Tx, game: str, pings: Sequence[Ping]) -> None:
        """Let pings wait for their people; one of the same game and kind is replaced."""
        for one in pings:
            await owe(tx, game, one)


class Lessons(Area):
    """Kinds of decisions, in the caller's words, that a person has had explained enough."""

    async def of_user(self, user_id: int) -> frozenset[str]:
        """What the person has dismissed."""
        rows = await self._db.all("SELECT kind FROM lessons WHERE user_id = ?", user_id)
        return frozenset(kind for (kind,) in rows)

    @transaction
    async def dismiss(self, tx: Tx, user_id: int, kind: str) -> None:
        """Remember that the person needs no more of this kind; once more changes nothing."""
        await tx.add("lessons", user_id=user_id, kind=kind, at=tx.now)

    @transaction
    async def forget(self, tx: Tx, user_id: int) -> None:
        """Let everything be explained to the person again."""
        await tx.run("DELETE FROM lessons WHERE user_id = ?", user_id)


class Notes(Area):
    """What a person has written down for themself in a game."""

    async def of(self, game: str, user_id: int) -> str:
        """The note; "" if there is none."""
        row = await self._db.one("SELECT body FROM notes WHERE game = ? AND user_id = ?", game, user_id)
        return str(row[0]) if row else ""

    @transaction
    async def write(self, tx: Tx, game: str, user_id: int, body: str) -> None:
        """Keep another note; an empty one is none. Raises UnknownGame."""
        await load(tx, game)
        if body:
            await tx.put("notes", ("game", "user_id"), game=game, user_id=user_id, body=body)
        else:
            await tx.run("DELETE FROM notes WHERE game = ? AND user_id = ?", game, user_id)


class Guides(Area):
    """How far each person is in the guided first game, a JSON text that the storage never parses."""

    async def of_user(self, user_id: int) -> Guide | None:
        """Where the person is; None for one who has not begun."""
        return await self._db.first(Guide, "WHERE user_id = ?", user_id)

    @transaction
    async def change(self, tx: Tx, user_id: int, body: str, before: Guide | None) -> Guide:
        """Write where the person is now. Raises Stale unless it was as its writer read it before."""
        row = await tx.one("SELECT revision FROM guides WHERE user_id = ?", user_id)
        if (row[0] if row else None) != (before.revision if before else None):
            raise Stale("The guided game has gone on meanwhile.")
        made = Guide(user_id, body, before.revision + 1 if before else 0, tx.now)
        await tx.put("guides", ("user_id",), **asdict(made))
        return made


class Disturbances(Area):
    """A row for each ping that somebody caused, kept for as long as any limit looks back."""

    @transaction
    async def allowed(self, tx: Tx, by: int, users: Collection[int], notice: int, limits: Sequence[Limit]) -> list[int]:
        """Whom of these people the notice may ping because of `by`, and note that it does.

        Asked again for the same notice, it may ping whom it might before, and counts once.
        """
        await tx.run("DELETE FROM disturbances WHERE at <= ?", tx.now - max(span for span, _ in limits))
        free = [one for one in users if await _is_free(tx, by, one, notice, limits)]
        for one in free:
            await tx.add("disturbances", by_user=by, user_id=one, notice=notice, at=tx.now)
        return free


async def owe(tx: Tx, game: str, ping: Ping) -> None:
    """Let a ping wait, and look at its person when it may go out."""
    await tx.put("pings", ("user_id", "game", "kind"), game=game, **asdict(ping))
    await tx.run(
        "INSERT INTO people (user_id, body, due_at) VALUES (?, '{}', ?) ON CONFLICT (user_id) DO UPDATE SET"
        " due_at = CASE WHEN people.due_at <= excluded.due_at THEN people.due_at ELSE excluded.due_at END",
        *(ping.user_id, ping.at),
    )


async def _is_free(tx: Tx, by: int, user: int, notice: int, limits: Sequence[Limit]) -> bool:
    rows = await tx.all("SELECT notice, at FROM disturbances WHERE by_user = ? AND user_id = ?", by, user)
    if any(number == notice for number, _ in rows):
        return True
    return all(sum(at > tx.now - span for _, at in rows) < most for span, most in limits)
