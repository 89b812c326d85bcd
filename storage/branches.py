"""Branches: what a person tries out privately from a game. They touch neither the game nor its version."""

from collections.abc import Collection
from dataclasses import replace

from storage.db import Area, Tx, transaction
from storage.errors import Stale, TooManyBranches
from storage.shapes import Branch
from storage.status import load


class Branches(Area):
    """The branches of every game, each one person's own; a `body` is text that the storage never parses."""

    @transaction
    async def add(self, tx: Tx, game: str, user_id: int, body: str, *, most: int) -> Branch:
        """A new branch. Raises TooManyBranches if the person has `most` of this game, UnknownGame."""
        await load(tx, game)
        (count,) = await tx.one("SELECT count(*) FROM branches WHERE game = ? AND user_id = ?", game, user_id)
        if count >= most:
            raise TooManyBranches(most)
        return await tx.made(Branch, game=game, user_id=user_id, body=body, revision=0, changed_at=tx.now)

    async def get(self, branch: int) -> Branch | None:
        """The branch with this id; None if there is none any more."""
        return await self._db.first(Branch, "WHERE id = ?", branch)

    async def of_user(self, game: str, user_id: int) -> list[Branch]:
        """A person's branches of a game, the one last changed first."""
        which = "WHERE game = ? AND user_id = ? ORDER BY changed_at DESC, id DESC"
        return await self._db.find(Branch, which, game, user_id)

    @transaction
    async def change(self, tx: Tx, branch: Branch, body: str) -> Branch:
        """Give a branch another body. Raises Stale unless it is as its writer read it."""
        await load(tx, branch.game)
        row = await tx.one("SELECT revision FROM branches WHERE id = ?", branch.id)
        if not row or row[0] != branch.revision:
            raise Stale("The branch has been changed meanwhile.")
        changed = replace(branch, body=body, revision=branch.revision + 1, changed_at=tx.now)
        await tx.run(
            "UPDATE branches SET body = ?, revision = ?, changed_at = ? WHERE id = ?",
            *(body, changed.revision, tx.now, branch.id),
        )
        return changed

    @transaction
    async def remove(self, tx: Tx, game: str, branches: Collection[int]) -> None:
        """Forget some branches of a game; those that are gone are no error."""
        await load(tx, game)
        await tx.many("DELETE FROM branches WHERE id = ? AND game = ?", [(one, game) for one in branches])
