"""Drawing in processes of their own: drawings go in, pictures come out.

A drawer that dies breaks the whole pool of Python's `concurrent.futures`: then a new pool is made, and what was being
drawn is tried once more.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

from bot.play.errors import NotDrawn
from renderer import Picture
from renderer.drawer import Drawing, begin, draw
from renderer.png import keep, recalled

log = logging.getLogger("tetsudo.drawers")
TRIES = 2
SECONDS = 60.0
"""After which a drawing is given up, and its pool with it."""


class Drawers:
    """So many processes that draw, and share what they have drawn in a file."""

    def __init__(self, count: int, cache: int, parts: Path | None = None) -> None:
        """`cache` is in bytes: what the processes hold in memory together, and the size of the file.

        `parts` is that file; without it, it is a temporary one.
        """
        self.count = count
        self._cache = cache
        self._folder = Path(tempfile.mkdtemp(prefix="tetsudo-drawn-")) if parts is None else None
        self.parts = parts or Path(self._folder or "") / "parts.sqlite3"
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()
        self.broken = 0
        """How many pools broke."""

    async def draw(self, drawing: Drawing) -> Picture:
        """The picture. What drawing raises is raised here; NotDrawn if drawers died of it, or over it, twice."""
        picture = recalled(drawing)
        if picture is not None:
            return picture
        for _ in range(TRIES):
            pool = self._running()
            try:
                picture = await asyncio.wait_for(asyncio.wrap_future(pool.submit(draw, drawing)), SECONDS)
                keep(drawing, picture)
                return picture
            except (BrokenProcessPool, TimeoutError, OSError) as error:
                self._give_up(pool, error)
        raise NotDrawn()

    def begin(self, drawing: Drawing) -> None:
        """Have something drawn that nobody waits for."""
        self._running().submit(draw, drawing)

    async def draw_part(self, draw: Callable[[], None]) -> None:
        """Have a part drawn and kept; if drawers die of it, it is left out."""
        pool = self._running()
        try:
            await asyncio.wait_for(asyncio.wrap_future(pool.submit(draw)), SECONDS)
        except (BrokenProcessPool, TimeoutError, OSError) as error:
            self._give_up(pool, error)

    def processes(self) -> tuple[int, ...]:
        """The drawers that run now, by the system's numbers."""
        return tuple((self._pool._processes or {}) if self._pool is not None else ())

    def _running(self) -> ProcessPoolExecutor:
        with self._lock:
            return self._pool or self._new()

    def _new(self) -> ProcessPoolExecutor:
        # A forked process would have the locks of the bot's threads, and its connections.
        self._pool = ProcessPoolExecutor(
            self.count,
            mp_context=get_context("spawn"),
            initializer=begin,
            initargs=(self._cache // self.count, self.parts, self._cache),
        )
        return self._pool

    def _give_up(self, pool: ProcessPoolExecutor, error: Exception) -> None:
        """Stop using a pool that broke; others may have seen it before."""
        if pool is self._pool:
            self._pool = None
            self.broken += 1
            log.warning("the drawers are started anew: %r", error)
        _end(pool)

    def close(self) -> None:
        """End the processes, and delete a temporary file."""
        pool, self._pool = self._pool, None
        if pool is not None:
            _end(pool)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _end(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(OSError, ValueError):
            process.kill()
