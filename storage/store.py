"""The open store: games, seats, logs and their proofs as its own methods, all else by area (`store.outbox`, ...)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from storage.choices import Advised, Branches, StandingOrders, Votes
from storage.clocks import Clocks
from storage.db import HAS_WRITTEN, Clock, Database, T
from storage.errors import BrokenLog
from storage.events import Events, Snapshots
from storage.games import Games
from storage.messages import Posted
from storage.moving import Moving
from storage.offers import Offers
from storage.opening import opened, still
from storage.outbox import Outbox
from storage.people import Disturbances, Guides, Lessons, Notes, People
from storage.place import Address, Place, place_of
from storage.proofs import Proofs
from storage.puzzles import Puzzles
from storage.seats import Seats
from storage.shapes import InteractionId
from storage.stuck import Stuck
from storage.tenures import SeatTerms
from storage.watches import Watches

if TYPE_CHECKING:
    from storage.postgres.inbox import Inbox
    from storage.postgres.leases import Leases


def utc_seconds() -> int:
    """Whole seconds since 1970, UTC."""
    return int(time.time())


class Store(Games, Seats, Events, Moving, Proofs):
    """An open database. Any method may raise Unavailable, in which case nothing was written."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.outbox = Outbox(db)
        self.messages = Posted(db)
        self.snapshots = Snapshots(db)
        self.offers = Offers(db)
        self.orders = StandingOrders(db)
        self.votes = Votes(db)
        self.advice = Advised(db)
        self.lessons = Lessons(db)
        self.notes = Notes(db)
        self.guides = Guides(db)
        self.puzzles = Puzzles(db)
        self.tenures = SeatTerms(db)
        self.watches = Watches(db)
        self.clocks = Clocks(db)
        self.people = People(db)
        self.disturbances = Disturbances(db)
        self.branches = Branches(db)
        self.stuck = Stuck(db)

    @classmethod
    @asynccontextmanager
    async def open(
        cls, place: str | Place, *, clock: Clock = utc_seconds, busy_seconds: float = 5.0
    ) -> AsyncIterator[Store]:
        """Open a SQLite file, or a PostgreSQL database by its address ("postgresql://..."); it is closed on exit.

        It is made or upgraded as needed. `busy_seconds` is how long a write waits for another process. Raises
        Unavailable.
        """
        async with opened(place_of(place), clock, busy_seconds) as db:
            await db.bring_up_to_date()
            yield cls(db)

    @classmethod
    @asynccontextmanager
    async def still(cls, place: str | Place, *, clock: Clock = utc_seconds) -> AsyncIterator[Store]:
        """The games as they are now, to be looked at while others write: neither upgraded nor changed by anything.

        A file is copied for it, so what is written here is lost; PostgreSQL refuses it. Raises Unavailable.
        """
        async with still(place_of(place), clock) as db:
            await db.bring_up_to_date()
            yield cls(db)

    @property
    def clock(self) -> Clock:
        """What tells the time, for the store and whoever uses it: whole seconds since 1970, UTC."""
        return self._db.clock

    def play_by(self, rules: str) -> None:
        """Note with each game that is written or read from now on that it was by these rules."""
        self._db.rules = rules

    @property
    def rules(self) -> str | None:
        """These rules; None where none were named."""
        return self._db.rules

    def tell_times(self, took: Callable[[str, float], None]) -> None:
        """Tell how many seconds each "read" and "write" takes from now on."""
        self._db.took = took

    async def together(self, work: Callable[[], Awaitable[T]]) -> T:
        """Commit everything that `work` writes in one transaction, or none of it. Its reads do not see it yet."""
        return await self._db.together(work)

    async def was_done(self, interaction_id: InteractionId) -> bool:
        """Whether something that this interaction did is stored."""
        return bool(await self._db.one("SELECT 1 FROM interactions WHERE id = ?", str(interaction_id)))

    @property
    def has_written(self) -> bool:
        """Whether the current task has stored anything, of whatever kind, since it was set to False."""
        return HAS_WRITTEN.get()

    @has_written.setter
    def has_written(self, value: bool) -> None:
        HAS_WRITTEN.set(value)

    def leases(self) -> Leases | None:
        """The shards that this process shares with others; None for a file, which one process serves."""
        if not isinstance(self._db.place, Address):
            return None
        from storage.postgres.leases import Leases

        return Leases(self._db)

    def inbox(self, leases: Leases) -> Inbox:
        """What came over HTTP to the processes that share the shards by these `leases`."""
        from storage.postgres.inbox import Inbox

        return Inbox(self._db, leases)

    def hints(self) -> AsyncIterator[str]:
        """Games for which notices were queued, by any process, as soon as it is known; "" for any of them.

        `ARRIVED` where something came over HTTP. Only hints: some may be missing. Ends at once for a file, which one
        process serves.
        """
        return self._db.hints()

    async def check(self, *only: str) -> list[str]:
        """What is wrong with the database, its references, games, seats and logs, a sentence each. Takes a while.

        Or with these games alone. Raises UnknownGame.
        """
        wrong = ([] if only else await self._db.problems()) + await self.changed_elsewhere(*only)
        rows = await self._db.all("SELECT id FROM games ORDER BY rowid")
        for game in only or [game for (game,) in rows]:
            try:
                await self.verify(game)
            except BrokenLog as error:
                wrong.append(str(error))
        return wrong
