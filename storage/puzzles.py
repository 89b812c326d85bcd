"""The puzzle of the day: which channels want one and when it is due, what was posted, and what people answered."""

from collections.abc import Callable

from storage.db import Tx, transaction
from storage.due import Due
from storage.shapes import PuzzleAnswer, PuzzleChannel, PuzzleDay

DAY = 24 * 3600
_DAY = "WHERE channel_id = ? AND day"


class Puzzles(Due):
    """The channels that want puzzles, their days and their answers."""

    TABLE, KEY = "puzzle_channels", "channel_id"

    async def of_channel(self, channel_id: int) -> PuzzleChannel | None:
        """The channel, if it wants puzzles."""
        return await self._db.first(PuzzleChannel, "WHERE channel_id = ?", channel_id)

    async def refusing(self) -> list[PuzzleChannel]:
        """The channels where the bot may not post, the longest first."""
        return await self._db.find(PuzzleChannel, "WHERE refused_since IS NOT NULL ORDER BY refused_since, channel_id")

    @transaction
    async def start(self, tx: Tx, channel_id: int, guild_id: int, user_id: int) -> bool:
        """Want a puzzle a day in a channel, the first at once; False where it is wanted already.

        Where the bot could not post, it tries again; so it does where a clock that went ahead let it wait for years.
        """
        changed = await tx.run(
            "INSERT INTO puzzle_channels (channel_id, guild_id, user_id, due_at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (channel_id) DO UPDATE SET due_at = excluded.due_at, refused_since = NULL, error = NULL"
            " WHERE puzzle_channels.refused_since IS NOT NULL OR puzzle_channels.due_at > ?",
            *(channel_id, guild_id, user_id, tx.now, tx.now + DAY),
        )
        return bool(changed)

    @transaction
    async def stop(self, tx: Tx, channel_id: int) -> bool:
        """Want no more of them; False where none was wanted."""
        return bool(await tx.run("DELETE FROM puzzle_channels WHERE channel_id = ?", channel_id))

    @transaction
    async def begin(self, tx: Tx, channel_id: int, choose: Callable[[int], str]) -> tuple[PuzzleDay, bool] | None:
        """The day whose puzzle is due, which answers count for from now on, and whether it begins only now.

        None where no puzzles are wanted any more. Of days that were missed only the last begins. `choose` tells a new
        day's puzzle. Raises LeaseLost.
        """
        channel = await tx.first(PuzzleChannel, f"WHERE channel_id = ?{tx.LOCK}", channel_id)
        if channel is None:
            return None
        await tx.db.lease.must_serve(tx, channel.guild_id)
        day = (channel.due_at + (tx.now - channel.due_at) // DAY * DAY) // DAY
        new = await tx.add("puzzle_days", channel_id=channel_id, day=day, puzzle=choose(day), begun_at=tx.now)
        (begun,) = await tx.find(PuzzleDay, f"{_DAY} = ?", channel_id, day)
        return begun, new

    @transaction
    async def posted(self, tx: Tx, day: PuzzleDay, message_id: int) -> None:
        """Note the message of a day, and wait for the next."""
        await tx.run(f"UPDATE puzzle_days SET message_id = ? {_DAY} = ?", message_id, day.channel_id, day.day)
        await _wait(tx, day.channel_id, None)

    @transaction
    async def refused(self, tx: Tx, channel_id: int, error: str) -> None:
        """Note why nothing could be posted, and try again with the next day."""
        await _wait(tx, channel_id, error)

    async def day(self, channel_id: int, day: int) -> PuzzleDay | None:
        """What was posted in a channel on a day."""
        return await self._db.first(PuzzleDay, f"{_DAY} = ?", channel_id, day)

    async def latest(self, channel_id: int, before: int) -> PuzzleDay | None:
        """The last day before this one of which people saw the puzzle."""
        which = f"{_DAY} < ? AND message_id IS NOT NULL ORDER BY day DESC LIMIT 1"
        return await self._db.first(PuzzleDay, which, channel_id, before)

    @transaction
    async def answer(self, tx: Tx, day: PuzzleDay, user_id: int, answer: int, *, hit: bool) -> PuzzleAnswer | None:
        """The person's answer that counts, which is the first; None if they gave none while the puzzle was open.

        It is until the next day begins or the channel wants no more. A day that a clock which went ahead has begun is
        none yet.
        """
        wanted = await tx.one("SELECT 1 FROM puzzle_channels WHERE channel_id = ?", day.channel_id)
        began = f"SELECT 1 FROM puzzle_days {_DAY} > ? AND begun_at <= ?"
        if wanted and not await tx.one(began, day.channel_id, day.day, tx.now):
            given = {"user_id": user_id, "answer": answer, "hit": int(hit), "at": tx.now}
            await tx.add("puzzle_answers", channel_id=day.channel_id, day=day.day, **given)
        return await tx.first(PuzzleAnswer, f"{_DAY} = ? AND user_id = ?", day.channel_id, day.day, user_id)

    async def answers(self, channel_id: int) -> list[PuzzleAnswer]:
        """All answers given in a channel, the oldest first."""
        return await self._db.find(PuzzleAnswer, "WHERE channel_id = ? ORDER BY day, at, user_id", channel_id)


async def _wait(tx: Tx, channel_id: int, error: str | None) -> None:
    """Let a channel wait for its next day, at its time of the day; `error` is why it got nothing this time."""
    channel = await tx.first(PuzzleChannel, "WHERE channel_id = ?", channel_id)
    if channel is None:
        return
    later = channel.due_at + ((tx.now - channel.due_at) // DAY + 1) * DAY
    since = None if error is None else channel.refused_since or tx.now
    await tx.run(
        "UPDATE puzzle_channels SET due_at = ?, refused_since = ?, error = ?, claimed_by = NULL, claimed_until = 0"
        " WHERE channel_id = ?",
        *(later, since, error, channel_id),
    )
