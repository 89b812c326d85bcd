"""Running work in other threads and processes, so that the event loop never waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TypeVar, TypeVarTuple

from bot.core.drawers import Drawers
from renderer import Picture
from renderer.drawer import Drawing

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Work:
    """Runs functions in worker threads, and has pictures drawn."""

    def __init__(self, executor: Executor, drawers: Drawers | None = None) -> None:
        """Without `drawers` pictures are drawn in the worker threads, too."""
        self.executor = executor
        self.drawers = drawers
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
