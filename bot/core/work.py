"""Running work in other threads and processes, so that the event loop never waits; giving back the memory it took."""

import asyncio
import ctypes
import logging
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple

from bot import metrics
from bot.core.errors import NotDrawn
from renderer import Picture
from renderer.drawer import begin
from renderer.png import Drawing

log = logging.getLogger("tetsudo.pool")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
TRIES = 2
SECONDS = 60.0
"""After which work is given up, and its pool with it."""
PATIENCE = 15.0
"""Seconds that a message waits for its pictures."""


class Died(Exception):
    """The processes died over this work every time it was tried."""


class Pool:
    """A pool of processes, started when there is something to do. Threads may share it.

    One that dies breaks the whole pool of `concurrent.futures`: then a new one is made, and what was being done is
    tried once more.
    """

    def __init__(self, name: str, count: int, begin: Callable[..., None], *given: Any) -> None:
        """`begin(*given)` is what each process does first; `name` is what the log calls them."""
        self._name, self._count = name, count
        self._begin, self._given = begin, given
        self._executor: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()
        self._free = asyncio.Semaphore(count)
        self.broken = 0
        """How many pools broke."""

    async def do(self, function: Callable[[*Ts], T], *args: *Ts, tries: int = TRIES, seconds: float | None = None) -> T:
        """Call the function in a process, each time for so long; what it raises is raised here. Raises Died.

        Waiting for a process that is free does not count, or where many ask at once all would be given up.
        """
        seconds = SECONDS if seconds is None else seconds
        for _ in range(tries):
            async with self._free:
                executor = self._running()
                try:
                    return await asyncio.wait_for(asyncio.wrap_future(executor.submit(function, *args)), seconds)
                except (BrokenProcessPool, TimeoutError, OSError) as error:
                    self._give_up(executor, error)
        raise Died()

    def begin(self, function: Callable[[*Ts], object], *args: *Ts) -> None:
        """Have something done that nobody waits for."""
        self._running().submit(function, *args)

    def processes(self) -> tuple[int, ...]:
        """The processes that run now, by the system's numbers."""
        return tuple((self._executor._processes or {}) if self._executor is not None else ())

    def close(self) -> None:
        """End the processes; they start again when there is something to do."""
        with self._lock:
            executor, self._executor = self._executor, None
        if executor is not None:
            _end(executor)

    def _running(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._executor is None:
                # A forked process would have the locks of the bot's threads, and its connections.
                self._executor = ProcessPoolExecutor(
                    self._count, mp_context=get_context("spawn"), initializer=self._begin, initargs=self._given
                )
            return self._executor

    def _give_up(self, executor: ProcessPoolExecutor, error: Exception) -> None:
        """Stop using processes that broke; others may have seen it before."""
        with self._lock:
            ours = executor is self._executor
            if ours:
                self._executor = None
                self.broken += 1
        if ours:
            log.warning("the %s are started anew: %r", self._name, error)
        _end(executor)


def _end(executor: ProcessPoolExecutor) -> None:
    processes = list((executor._processes or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(OSError, ValueError):
            process.kill()


class Drawers:
    """Processes that draw, and share what they have drawn in a file."""

    def __init__(self, count: int, cache: int, parts: Path | None = None) -> None:
        """`cache` is in bytes: what the processes hold in memory together, and the size of the file.

        `parts` is that file; without it, it is a temporary one.
        """
        self._folder = Path(tempfile.mkdtemp(prefix="tetsudo-drawn-")) if parts is None else None
        self.parts = parts or Path(self._folder or "") / "parts.sqlite3"
        self.pool = Pool("drawers", count, begin, cache // count, self.parts, cache)

    async def draw(self, drawing: Drawing) -> Picture:
        """The picture. What drawing raises is raised here; NotDrawn if drawers died of it, or over it, twice."""
        try:
            return await self.pool.do(drawing)
        except Died as error:
            raise NotDrawn() from error

    async def draw_part(self, draw: Callable[[], None]) -> None:
        """Have a part drawn and kept; if drawers die of it, it is left out."""
        with suppress(Died):
            await self.pool.do(draw, tries=1)

    def close(self) -> None:
        """End the processes, and delete a temporary file."""
        self.pool.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


class Work:
    """Runs functions in worker threads, and has pictures drawn."""

    def __init__(self, executor: Executor, drawers: Drawers | None = None, patience: float = PATIENCE) -> None:
        """Without `drawers` pictures are drawn in the worker threads, too; a message waits for them for `patience`."""
        self.executor = executor
        self.drawers = drawers
        self.patience = patience
        self._searching = asyncio.Lock()
        self._drawing = 0
        """How many pictures are waited for."""
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def do(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Call the function in a worker thread; what it raises is raised here."""
        return await asyncio.get_running_loop().run_in_executor(self.executor, function, *args)

    async def draw(self, prepare: Callable[[], Drawing]) -> Picture:
        """The picture that a worker thread prepares, drawn there or by the drawers. Raises NotDrawn."""
        self._drawing += 1
        self._quiet.clear()
        try:
            with metrics.DRAWING.time(), metrics.DRAWINGS.track_inprogress():
                if self.drawers is None:
                    return await self.do(lambda: prepare()())
                return await self.drawers.draw(await self.do(prepare))
        finally:
            self._drawing -= 1
            if not self._drawing:
                self._quiet.set()

    @property
    def is_quiet(self) -> bool:
        """Whether nobody waits for a picture."""
        return self._quiet.is_set()

    async def quiet(self) -> None:
        """Wait until nobody waits for a picture."""
        await self._quiet.wait()

    async def draw_part(self, draw: Callable[[], None]) -> None:
        """Have a part drawn that is kept for pictures to come."""
        if self.drawers is None:
            await self.do(draw)
        else:
            await self.drawers.draw_part(draw)

    async def search(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """The same for work that may take minutes: one at a time, in a daemon thread of its own."""
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(function(*args))
            except BaseException as error:
                done.set_exception(error)

        async with self._searching:
            done.set_running_or_notify_cancel()
            threading.Thread(target=run, name="search", daemon=True).start()
            return await asyncio.wrap_future(done)


# Memory: what is freed goes back to the system, where the C library would keep it. The GNU library keeps freed pieces
# of up to 32 MB for later, and the layers of pictures are such pieces; between them it holds some 50 MB without a use.

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _MOST_ARENAS = -1, -3, -8
"""Names of the options in malloc.h."""
_LARGE = 8 << 20
"""Bytes: larger pieces are the system's own, and go back to it when they are freed."""


@cache
def _library() -> ctypes.CDLL | None:
    """The C library; None where it has no such functions, and nothing is done."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None


def keep_small() -> None:
    """Keep little of what is freed; to be called before there are other threads."""
    library = _library()
    if library is not None:
        for option, value in ((_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _LARGE), (_MOST_ARENAS, 2)):
            library.mallopt(option, value)


def give_back() -> None:
    """Give back what is free in between; it takes some milliseconds, in which other threads go on."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)
