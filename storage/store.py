"""The open store: games, seats and logs as its own methods, everything else by area (`store.outbox`, ...)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from storage import seals
from storage.backup import copy_to, problems
from storage.choices import Orders, Votes
from storage.db import Clock, Database, T, connect
from storage.errors import BrokenLog
from storage.events import Events
from storage.games import Games
from storage.lessons import Lessons
from storage.messages import Messages
from storage.migrate import migrate, migrations
from storage.offers import Offers
from storage.outbox import Outbox
from storage.seats import Seats
from storage.shapes import InteractionId
from storage.snapshots import Snapshots
from storage.tenures import SeatTerms


def utc_seconds() -> int:
    """Whole seconds since 1970, UTC."""
    return int(time.time())


class Store(Games, Seats, Events):
    """An open database file. Any method may raise Unavailable, in which case nothing was written."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.outbox = Outbox(db)
        self.messages = Messages(db)
        self.snapshots = Snapshots(db)
        self.offers = Offers(db)
        self.orders = Orders(db)
        self.votes = Votes(db)
        self.lessons = Lessons(db)
        self.tenures = SeatTerms(db)

    @classmethod
    @asynccontextmanager
    async def open(
        cls, path: str | Path, *, clock: Clock = utc_seconds, busy_seconds: float = 5.0
    ) -> AsyncIterator[Store]:
        """Open the file, creating or upgrading it as needed; it is closed on exit.

        `busy_seconds` is how long a write waits for another process. Raises Unavailable.
        """
        async with connect(Path(path), clock, busy_seconds) as db:
            await migrate(db, migrations())
            await seals.watch(db)
            yield cls(db)

    async def time(self) -> int:
        """The present time, in seconds since 1970."""
        return self._db.clock()

    async def together(self, work: Callable[[], Awaitable[T]]) -> T:
        """Commit everything that `work` writes in one transaction, or none of it. Its reads do not see it yet."""
        return await self._db.together(work)

    async def was_done(self, interaction_id: InteractionId) -> bool:
        """Whether something that this interaction did is stored."""
        return bool(await self._db.one("SELECT 1 FROM interactions WHERE id = ?", str(interaction_id)))

    async def backup(self, path: str | Path) -> None:
        """Write a consistent copy while games go on; `path` must not exist. Raises Unavailable."""
        await copy_to(self._db.path, Path(path))

    async def changed_elsewhere(self, *games: str) -> list[str]:
        """What another program changed in the rows and seats of these games, or of all, a sentence each."""
        return await seals.broken(self._db, *games)

    async def check(self) -> list[str]:
        """What is wrong with the file, its references, games, seats and logs, a sentence each. Takes a while."""
        wrong = await problems(self._db) + await self.changed_elsewhere()
        for (game,) in await self._db.all("SELECT id FROM games ORDER BY rowid"):
            try:
                await self.verify(game)
            except BrokenLog as error:
                wrong.append(str(error))
        return wrong
