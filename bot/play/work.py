"""Running work in other threads and processes, so that the event loop never waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TypeVar, TypeVarTuple

from bot.play.drawers import Drawers
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

    async def do(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Call the function in a worker thread; what it raises is raised here."""
        return await asyncio.get_running_loop().run_in_executor(self.executor, function, *args)

    async def draw(self, prepare: Callable[[], Drawing]) -> Picture:
        """The picture that a worker thread prepares, drawn there or by the drawers. Raises NotDrawn."""
        if self.drawers is None:
            return await self.do(lambda: prepare()())
        return await self.drawers.draw(await self.do(prepare))

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
