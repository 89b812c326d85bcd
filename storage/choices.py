"""What players may set, change and ask for at any time: standing orders, votes, advice, lines that they try out."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import Unpack

from storage.clocks import changing
from storage.db import Area, Tx, transaction
from storage.due import Due
from storage.errors import Stale, TooManyBranches
from storage.shapes import Along, Branch, InteractionId, Order, Vote
from storage.status import load, must_be_at, once, touch


class StandingOrders(Due):
    """Standing orders (programs, for example), one JSON text per seat that has any, and when to look at it next."""

    TABLE = "standing_orders"

    async def of_game(self, game: str) -> dict[str, Order]:
        """Seat -> its standing orders."""
        rows = await self._db.all("SELECT seat, body, due_at FROM standing_orders WHERE game = ? ORDER BY seat", game)
        return {seat: Order(*rest) for seat, *rest in rows}

    @transaction
    async def set(
        self,
        tx: Tx,
        game: str,
        orders: Mapping[str, Order | None],
        *,
        settles: Collection[str] = (),
        **along: Unpack[Along],
    ) -> None:
        """Replace the standing orders of these seats; None removes them.

        With that the votes on the questions that it `settles` are forgotten. Raises UnknownGame, Duplicate or Stale.
        """
        async with changing(tx, game, "orders", **along):
            await set_orders(tx, game, orders)
            await clear_votes(tx, game, settles)

    @transaction
    async def look_at(self, tx: Tx, game: str, seat: str, at: int) -> None:
        """Have somebody look at a seat's orders at this time, if it has any. Copies of the game learn of it."""
        await load(tx, game)
        await tx.run("UPDATE standing_orders SET due_at = ? WHERE game = ? AND seat = ?", at, game, seat)
        await touch(tx, game)


class Votes(Area):
    """Votes on a question, `kind` ("end", "undo"): one per seat, the latest counts."""

    @transaction
    async def cast(
        self,
        tx: Tx,
        game: str,
        kind: str,
        seat: str,
        choice: str = "yes",
        *,
        expected_seq: int | None = None,
        **along: Unpack[Along],
    ) -> list[Vote]:
        """Vote, and return all votes on the question. Raises Stale unless the game is at `expected_seq`."""
        async with changing(tx, game, "vote", **along) as now:
            if expected_seq is not None:
                must_be_at(now, expected_seq)
            vote = Vote(game, kind, seat, choice, now.seq, tx.now)
            await tx.put("votes", ("game", "kind", "seat"), **asdict(vote))
        return await tx.find(Vote, "WHERE game = ? AND kind = ? ORDER BY seat", game, kind)

    async def of_game(self, game: str, kind: str | None = None) -> list[Vote]:
        """The votes on one question or on all, ordered by question and seat."""
        return await self._db.find(
            Vote, "WHERE game = ?1 AND kind = coalesce(?2, kind) ORDER BY kind, seat", game, kind
        )

    @transaction
    async def clear(self, tx: Tx, game: str, *kinds: str) -> None:
        """Forget the votes on these questions."""
        await clear_votes(tx, game, kinds)
        await touch(tx, game)


class Advised(Area):
    """The last position in which each seat was told what to do."""

    @transaction
    async def give(self, tx: Tx, game: str, seat: str, *, expected_seq: int, interaction_id: InteractionId) -> None:
        """Remember that the seat is told now. Raises Duplicate, or Stale unless the game is at `expected_seq`."""
        async with once(tx, game, "advice", interaction_id) as now:
            must_be_at(now, expected_seq)
            await tx.put("advice", ("game", "seat"), game=game, seat=seat, seq=now.seq)

    async def given(self, game: str, seat: str, since: int) -> bool:
        """Whether the seat was told what to do in this position or a later one."""
        found = await self._db.one("SELECT 1 FROM advice WHERE game = ? AND seat = ? AND seq >= ?", game, seat, since)
        return bool(found)


class Branches(Area):
    """The branches of every game, each one person's own, which touch neither the game nor its version."""

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
        changed = replace(branch, body=body, revision=branch.revision + 1, changed_at=tx.now)
        new = "UPDATE branches SET body = ?, revision = ?, changed_at = ? WHERE id = ? AND revision = ?"
        if not await tx.run(new, body, changed.revision, tx.now, branch.id, branch.revision):
            raise Stale("The branch has been changed meanwhile.")
        return changed

    @transaction
    async def remove(self, tx: Tx, game: str, branches: Collection[int]) -> None:
        """Forget some branches of a game; those that are gone are no error."""
        await load(tx, game)
        await tx.many("DELETE FROM branches WHERE id = ? AND game = ?", [(one, game) for one in branches])


async def set_orders(tx: Tx, game: str, orders: Mapping[str, Order | None]) -> None:
    """Replace the standing orders of these seats; None removes them."""
    for seat, order in orders.items():
        await tx.run("DELETE FROM standing_orders WHERE game = ? AND seat = ?", game, seat)
        if order is not None:
            await tx.insert(
                "standing_orders", game=game, seat=seat, body=order.body, set_at=tx.now, due_at=order.due_at
            )


async def clear_votes(tx: Tx, game: str, kinds: Collection[str]) -> None:
    for kind in kinds:
        await tx.run("DELETE FROM votes WHERE game = ? AND kind = ?", game, kind)
