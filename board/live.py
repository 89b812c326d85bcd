"""Tells open boards that their game has moved: at once in this process, soon where another has moved it.

What is told is packed once for all boards that are told the same: blocks of one stream that need nothing before them.
"""

import asyncio
import logging
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.core.table import Table
from bot.core.tables import Tables
from storage import StorageError

log = logging.getLogger("tetsudo.board")
LOOKS = 0.2
"""Seconds between two looks at the version of a game, which other processes may have moved."""
BREATH = 15.0
"""Seconds after which the page is told in any case, which is a sign of life."""


HEADERS = {False: {"X-Accel-Buffering": "no"}, True: {"X-Accel-Buffering": "no", "Content-Encoding": "gzip"}}
_GZIP = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"


def begin(zipped: bool) -> bytes:
    """How a stream of events begins."""
    first = b"retry: 1000\n\n"
    return _GZIP + _packed(first) if zipped else first


def told(data: str, zipped: bool, name: str = "news") -> bytes:
    """An event of a stream."""
    event = f"event: {name}\ndata: {data}\n\n".encode()
    return _packed(event) if zipped else event


def _packed(event: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(event) + packer.flush(zlib.Z_FULL_FLUSH)


class Live:
    """One watch on each game that boards are open on."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._open: dict[str, set[asyncio.Event]] = {}
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._reading: dict[str, asyncio.Task[Table]] = {}
        tables.watchers.add(self._moved)

    @property
    def boards(self) -> int:
        return sum(map(len, self._open.values()))

    def on(self, game: str) -> bool:
        """Whether any board is open on the game."""
        return bool(self._open.get(game))

    @asynccontextmanager
    async def follow(self, game: str) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever the game may have changed."""
        event = asyncio.Event()
        self._open.setdefault(game, set()).add(event)
        if game not in self._watches:
            self._watches[game] = asyncio.create_task(self._watch(game))
        try:
            yield event
        finally:
            self._open[game].discard(event)
            if not self._open[game]:
                del self._open[game]
                self._watches.pop(game).cancel()

    async def table(self, game: str) -> Table:
        """The game up to date; boards that are told at the same time look once together. Raises what loading does."""
        task = self._reading.get(game)
        if task is None:
            task = self._reading[game] = asyncio.create_task(self._tables.get(game))
            task.add_done_callback(lambda _: self._reading.pop(game))
        return await asyncio.shield(task)

    def _moved(self, game: str) -> None:
        for event in self._open.get(game, ()):
            event.set()

    async def _watch(self, game: str) -> None:
        """Look at the version, which also tells of offers and votes, and of what other processes did.

        The first look tells in any case: the game may have moved since its boards were made.
        """
        seen: int | None = None
        while True:
            await asyncio.sleep(LOOKS)
            try:
                version = await self._tables.store.version(game)
            except StorageError as error:
                log.warning("the version of a game cannot be read: %s", error, extra={"game": game})
                await asyncio.sleep(5)
                continue
            if version != seen:
                self._moved(game)
            seen = version

    async def close(self) -> None:
        self._tables.watchers.discard(self._moved)
        watches = list(self._watches.values())
        for task in watches:
            task.cancel()
        await asyncio.gather(*watches, return_exceptions=True)
