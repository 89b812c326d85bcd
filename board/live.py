"""Tells open boards that their game has moved: at once in this process, soon where another has moved it."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.core.tables import Tables
from storage import StorageError

log = logging.getLogger("tetsudo.board")
LOOKS = 0.2
"""Seconds between two looks at the version of a game, which other processes may have moved."""
BREATH = 15.0
"""Seconds of silence after which a sign of life is sent."""


class Live:
    """One watch on each game that boards are open on."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._open: dict[str, set[asyncio.Event]] = {}
        self._watches: dict[str, asyncio.Task[None]] = {}
        tables.watchers.add(self._moved)

    @property
    def boards(self) -> int:
        """How many boards are open."""
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

    def _moved(self, game: str) -> None:
        for event in self._open.get(game, ()):
            event.set()

    async def _watch(self, game: str) -> None:
        """Look at the version, which also tells of offers and votes, and of what other processes did."""
        seen: int | None = None
        while True:
            await asyncio.sleep(LOOKS)
            try:
                version = await self._tables.store.version(game)
            except StorageError as error:
                log.warning("the version of a game cannot be read: %s", error, extra={"game": game})
                await asyncio.sleep(5)
                continue
            if seen is not None and version != seen:
                self._moved(game)
            seen = version

    async def close(self) -> None:
        """Stop watching."""
        self._tables.watchers.discard(self._moved)
        watches = list(self._watches.values())
        for task in watches:
            task.cancel()
        await asyncio.gather(*watches, return_exceptions=True)
