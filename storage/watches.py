"""Who follows which game, its live boards and its posts in forums: what they were told, and when they are due.

What happens in a game makes its watches due in the transaction that stores it, each no sooner than its own pause
allows; so what happens until then is gathered. Telling it is a notice of a lane of its own, queued in the transaction
that ends the claim.
"""

from collections.abc import Callable, Collection

from storage.db import Reader, Tx, transaction
from storage.due import Due
from storage.outbox import post
from storage.shapes import Notice, Watch, WatchKind
from storage.status import load


class Watches(Due):
    TABLE, KEY = "watches", "id"

    async def get(self, watch: int) -> Watch | None:
        return await self._db.first(Watch, "WHERE id = ?", watch)

    async def find(self, game: str, kind: WatchKind, *, user_id: int, channel_id: int = 0) -> Watch | None:
        """The one of this kind in the channel, whoever wanted it; or in the person's direct messages."""
        return await _found(self._db, game, kind, user_id, channel_id)

    async def of_game(self, game: str) -> list[Watch]:
        """All of a game, oldest first."""
        return await self._db.find(Watch, "WHERE game = ? ORDER BY id", game)

    @transaction
    async def start(
        self,
        tx: Tx,
        game: str,
        kind: WatchKind,
        *,
        user_id: int,
        channel_id: int,
        events: str,
        every: int,
        now: bool = False,
    ) -> Watch:
        """Begin to watch, or the watch that there is; `now` makes it due at once. Raises UnknownGame."""
        seq = (await load(tx, game)).seq
        wish = {"user_id": user_id, "channel_id": channel_id, "events": events, "every": every}
        await tx.add("watches", game=game, kind=kind, **wish, seq=seq, told_at=0, due_at=tx.now if now else None)
        made = await _found(tx, game, kind, user_id, channel_id)
        assert made is not None
        return made

    @transaction
    async def change(
        self, tx: Tx, watch: int, *, events: Callable[[str], str] | None = None, every: int | None = None
    ) -> None:
        """Tell of other events, made of those told of by now, or at other intervals, from now on."""
        now = await tx.one(f"SELECT events FROM watches WHERE id = ?{tx.LOCK}", watch)
        await tx.run(
            "UPDATE watches SET events = coalesce(?, events), every = coalesce(?, every) WHERE id = ?",
            *(events(now[0]) if now and events else None, every, watch),
        )

    @transaction
    async def stop(self, tx: Tx, watch: int) -> bool:
        """End a watch; False if it has ended."""
        return bool(await tx.run("DELETE FROM watches WHERE id = ?", watch))

    @transaction
    async def tell(self, tx: Tx, watch: Watch, seq: int, notice: Notice | None) -> bool:
        """Queue what a claimed watch has to tell, up to row `seq` of the log; None if there is nothing.

        False, and nothing is queued, if it was told by another process meanwhile or has ended.
        """
        now = await load(tx, watch.game)
        told_at = watch.told_at if notice is None else tx.now
        # What was stored since `seq` is due again.
        again = tx.now + watch.every if now.seq > seq else None
        done = await tx.run(
            "UPDATE watches SET seq = ?, told_at = ?, due_at = ?, claimed_by = NULL, claimed_until = 0"
            " WHERE id = ? AND seq = ? AND told_at = ? AND due_at IS NOT NULL",
            *(seq, told_at, again, watch.id, watch.seq, watch.told_at),
        )
        if done and notice is not None:
            await post(tx, watch.game, seq, [notice])
        return bool(done)

    @transaction
    async def put_off(self, tx: Tx, watch: int, until: int) -> None:
        """Let a claimed watch wait until then; what happens meanwhile is gathered."""
        await tx.run(
            "UPDATE watches SET due_at = ?, claimed_by = NULL, claimed_until = 0 WHERE id = ?", *(until, watch)
        )

    @transaction
    async def shown(self, tx: Tx, watch: int, message_id: int | None) -> None:
        """Remember the message of a live board."""
        await tx.run("UPDATE watches SET message_id = ? WHERE id = ?", message_id, watch)


async def _found(reader: Reader, game: str, kind: WatchKind, user_id: int, channel_id: int) -> Watch | None:
    where, value = ("channel_id = ?", channel_id) if channel_id else ("channel_id = 0 AND user_id = ?", user_id)
    return await reader.first(Watch, f"WHERE game = ? AND kind = ? AND {where}", game, kind, value)


async def stir(tx: Tx, game: str, events: Collection[str]) -> None:
    """Make the watches of a game due for which something has happened."""
    for one in await tx.find(Watch, "WHERE game = ? AND due_at IS NULL ORDER BY id", game):
        if one.kind != "follow" or not set(events).isdisjoint(one.events.split(",")):
            at = min(max(tx.now, one.told_at + one.every), tx.now + one.every)
            await tx.run("UPDATE watches SET due_at = ? WHERE id = ?", at, one.id)
