"""Which engine a place is for. PostgreSQL's is only loaded where it is used: it is an optional extra."""

import asyncio
import glob
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path

from storage.db import Clock, Database
from storage.errors import Unavailable
from storage.place import Address, Place
from storage.sqlite import database as sqlite
from storage.sqlite.backup import copy_to
from storage.sqlite.lock import sole_user
from storage.sqlite.migrate import look as look_at_file

BEFORE = ".before-restore"
"""Ends the name of a file that was replaced by a backup."""


def opened(place: Place, clock: Clock, busy_seconds: float) -> AbstractAsyncContextManager[Database]:
    """The database of a place, as it is: not upgraded yet. Raises Unavailable."""
    if not isinstance(place, Address):
        return sqlite.connect(place, clock, busy_seconds)
    with _extra():
        from storage.postgres.database import connect
    return connect(place, clock, busy_seconds)


@asynccontextmanager
async def still(place: Place, clock: Clock) -> AsyncIterator[Database]:
    """The games of a place as they are now, while others may write: a copy of a file, or one transaction that reads.

    Raises Unavailable.
    """
    if not isinstance(place, Address):
        with tempfile.TemporaryDirectory(prefix="tetsudo-") as folder:
            copy = Path(folder) / place.name
            await copy_to(place, copy)
            async with sqlite.connect(copy, clock, 5) as file:
                yield file
        return
    with _extra():
        from storage.postgres.database import hold_still
    async with hold_still(place, clock) as database:
        yield database


@asynccontextmanager
async def serving(place: Place, wait_seconds: float = 5.0, *, alone: bool = True) -> AsyncIterator[None]:
    """Be the only process that serves the games of a place, which is made if it is a file that does not exist.

    Waits for a process that is shutting down. Where not `alone`, others may serve a PostgreSQL database too. Reading,
    backing up and verifying need no lock. Raises Unavailable, which names the process that holds it, if it is known.
    """
    if not isinstance(place, Address):
        _must_not_be_set_aside(place)
        with sole_user(place, wait_seconds, create=True):
            yield
        return
    with _extra():
        from storage.postgres import lock
    async with lock.serving(place, wait_seconds, alone=alone):
        yield


def _must_not_be_set_aside(place: Path) -> None:
    """Raise Unavailable where a restore was ended before anything was in place: there are games, but not here."""
    kept = sorted(place.parent.glob(f"{glob.escape(place.name)}{BEFORE}*")) if not place.exists() else []
    kept = [one for one in kept if not one.name.endswith(("-wal", "-shm"))]
    if kept:
        raise Unavailable(
            f"{place} does not exist, but {kept[-1]} does: a restore was not finished. Restore the backup again, or "
            f"rename that file to {place.name} (with its -wal, if there is one). To begin without games, move it away."
        )


async def look(place: Place) -> None:
    """Read a little and change nothing, also where the database is of an earlier version. Raises Unavailable."""
    if not isinstance(place, Address):
        await asyncio.to_thread(look_at_file, place)
        return
    with _extra():
        from storage.postgres import migrate
    await migrate.look(place)


@contextmanager
def _extra() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise Unavailable("Games in PostgreSQL need the package asyncpg: pip install 'tetsudo[postgres]'.") from error
