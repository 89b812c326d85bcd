"""Branches: what a person tries out privately from a game. They touch neither the game nor its version."""

from __future__ import annotations

from collections.abc import Collection

from storage.db import Database, Tx
from storage.errors import Stale, TooManyBranches
from storage.shapes import Branch, columns
from storage.status import load

_BRANCHES = f"SELECT {columns(Branch)} FROM branches"


class Branches:
    """The branches of every game, each one person's own; a `body` is text that the storage never parses."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, game: str, user_id: int, body: str, *, most: int) -> Branch:
        """A new branch. Raises TooManyBranches if the person has `most` of this game, UnknownGame."""

        async def work(tx: Tx) -> Branch:
            await load(tx, game)
            (count,) = await tx.one("SELECT count(*) FROM branches WHERE game = ? AND user_id = ?", game, user_id)
            if count >= most:
                raise TooManyBranches(most)
            (made,) = await tx.one(
                "INSERT INTO branches (game, user_id, body, revision, changed_at) VALUES (?, ?, ?, 0, ?) RETURNING id",
                *(game, user_id, body, tx.now),
            )
            return Branch(made, game, user_id, body, 0, tx.now)

        return await self._db.write(work)

    async def get(self, branch: int) -> Branch | None:
        """The branch with this id; None if there is none any more."""
        row = await self._db.one(f"{_BRANCHES} WHERE id = ?", branch)
        return Branch(*row) if row else None

    async def of_user(self, game: str, user_id: int) -> list[Branch]:
        """A person's branches of a game, the one last changed first."""
        rows = await self._db.all(
            f"{_BRANCHES} WHERE game = ? AND user_id = ? ORDER BY changed_at DESC, id DESC", game, user_id
        )
        return [Branch(*row) for row in rows]

    async def change(self, branch: Branch, body: str) -> Branch:
        """Give a branch another body. Raises Stale unless it is as its writer read it."""

        async def work(tx: Tx) -> Branch:
            await load(tx, branch.game)
            row = await tx.one("SELECT revision FROM branches WHERE id = ?", branch.id)
            if not row or row[0] != branch.revision:
                raise Stale("The branch has been changed meanwhile.")
            await tx.run(
                "UPDATE branches SET body = ?, revision = ?, changed_at = ? WHERE id = ?",
                *(body, branch.revision + 1, tx.now, branch.id),
            )
            return Branch(branch.id, branch.game, branch.user_id, body, branch.revision + 1, tx.now)

        return await self._db.write(work)

    async def remove(self, game: str, branches: Collection[int]) -> None:
        """Forget some branches of a game; those that are gone are no error."""

        async def work(tx: Tx) -> None:
            await load(tx, game)
            await tx.many("DELETE FROM branches WHERE id = ? AND game = ?", [(one, game) for one in branches])

        await self._db.write(work)
