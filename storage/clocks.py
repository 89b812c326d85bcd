"""The clocks of games: a JSON text for each, when to look at it next, and the breaks in which every clock stood still.

What a clock says is for the caller, who hands in a step: a function of the present text, the time and the breaks. It is
called within the transaction and must neither wait nor fail, so a clock goes on from what is stored, whoever wrote it.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Unpack

from storage.db import Tx, transaction
from storage.due import Due
from storage.outbox import post
from storage.people import owe
from storage.puzzles import DAY
from storage.shapes import Along, Break, ClockStep, Game, Notice, places
from storage.status import load, must_be_version, once, touch

LONGEST_SILENCE = 300
"""Seconds without a sign of life after which the bot counts as having been away."""
SET_BACK = 60
"""Seconds by which the machine's clock may go backwards without anybody having set it."""
KEEP = 120 * 24 * 3600
"""Seconds for which breaks are kept: longer than any clock runs."""


class Clocks(Due):
    TABLE = "clocks"

    async def of_game(self, game: str) -> str | None:
        """The clock's text; None if the game has none."""
        row = await self._db.one("SELECT body FROM clocks WHERE game = ?", game)
        return str(row[0]) if row else None

    async def of_games(self, games: Sequence[str]) -> dict[str, str]:
        """The clocks' texts by game; games without a clock are left out."""
        found: dict[str, str] = {}
        for start in range(0, len(games), 500):
            part = games[start : start + 500]
            chosen = f"game IN ({places(len(part))})"
            found |= dict(await self._db.all(f"SELECT game, body FROM clocks WHERE {chosen}", *part))
        return found

    @transaction
    async def change(self, tx: Tx, game: str, step: ClockStep, notices: Sequence[Notice] = ()) -> bool:
        """Take a step, and post notices with it; whether it changed anything. It ends a claim. Raises UnknownGame."""
        seq = (await load(tx, game)).seq
        await tx.run("UPDATE clocks SET claimed_by = NULL, claimed_until = 0 WHERE game = ?", game)
        if not await take(tx, game, seq, step):
            return False
        await post(tx, game, seq, notices)
        return True

    async def breaks(self) -> list[Break]:
        """The breaks that are known, in order."""
        return await self._db.find(Break, "ORDER BY id")

    @transaction
    async def beat(self, tx: Tx) -> Break | None:
        """Say that the bot is there; the break that just ended, if there was none for a while or the time was set."""
        found = await _silence(tx)
        await tx.put("alive", ("id",), id=1, at=tx.now)
        return found


async def _silence(tx: Tx) -> Break | None:
    """Note the break that has just ended, if there was one: it lasted from the last sign of life until now."""
    last = await tx.one("SELECT at FROM alive WHERE id = 1")
    if not last or -SET_BACK <= tx.now - last[0] <= LONGEST_SILENCE:
        return None
    number = int((await tx.one("SELECT coalesce(max(id), 0) + 1 FROM breaks"))[0])
    found = await tx.made(Break, id=number, stopped_at=last[0], resumed_at=tx.now)
    await tx.run("DELETE FROM breaks WHERE resumed_at < ? AND id < ?", tx.now - KEEP, number)
    if tx.now < last[0]:  # whatever was due at a time by the old clock is so much later by the new one
        for table in ("clocks", "people", "standing_orders", "watches"):
            await tx.run(f"UPDATE {table} SET due_at = due_at - ?", last[0] - tx.now)
        days = (last[0] - tx.now) // DAY * DAY  # a puzzle keeps its time of the day
        await tx.run("UPDATE puzzle_channels SET due_at = due_at - ?", days)
        await tx.run("UPDATE pings SET at = at - ?", last[0] - tx.now)
    await tx.put("alive", ("id",), id=1, at=tx.now)
    return found


@asynccontextmanager
async def changing(tx: Tx, game: str, did: str, **along: Unpack[Along]) -> AsyncIterator[Game]:
    """The same as `once`, for what gives the game its next version, with what goes along.

    Raises Stale, too, unless the game has the version that is expected.
    """
    async with once(tx, game, did, along.get("interaction_id")) as now:
        must_be_version(now, along.get("expected_version"))
        yield now
        await touch(tx, game)
        await post(tx, game, now.seq, along.get("notices", ()))
        await take(tx, game, now.seq, along.get("clock"))


async def take(tx: Tx, game: str, seq: int, step: ClockStep | None) -> bool:
    """Take a step of the game's clock, if there is one, within a transaction; whether it changed anything.

    It may be the first thing that happens after an outage, of which nobody has taken note yet.
    """
    if step is None:
        return False
    await _silence(tx)
    row = await tx.one("SELECT body FROM clocks WHERE game = ?", game)
    made = step(row[0] if row else None, tx.now, await tx.find(Break, "ORDER BY id"))
    if made is None:
        return False
    await tx.put("clocks", ("game",), game=game, body=made.body, due_at=made.due_at)
    if made.forget:
        kinds = places(len(made.forget))
        await tx.run(f"DELETE FROM pings WHERE game = ? AND kind IN ({kinds})", game, *made.forget)
    for ping in made.pings:
        await owe(tx, game, ping)
    await post(tx, game, seq, made.notices)
    return True
