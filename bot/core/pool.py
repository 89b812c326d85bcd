"""Processes that work for the bot, and may die of it.

One that dies breaks the whole pool of Python's `concurrent.futures`: then a new one is made, and what was being done is
tried once more.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, TypeVar, TypeVarTuple

log = logging.getLogger("tetsudo.pool")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
TRIES = 2
SECONDS = 60.0
"""After which work is given up, and its pool with it."""


class Died(Exception):
    """The processes died of the work, or over it, as often as it was tried."""


class Pool:
    """So many processes, started when there is something to do. Threads may share it."""

    def __init__(self, name: str, count: int, begin: Callable[..., None], *given: Any) -> None:
        """`begin(*given)` is what each process does first; `name` is what the log calls them."""
        self._name, self._count = name, count
        self._begin, self._given = begin, given
        self._executor: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()
        self.broken = 0
        """How many pools broke."""

    async def do(self, function: Callable[[*Ts], T], *args: *Ts, tries: int = TRIES) -> T:
        """Call the function in a process; what it raises is raised here. Raises Died."""
        for _ in range(tries):
            executor = self._running()
            try:
                return await asyncio.wait_for(asyncio.wrap_future(executor.submit(function, *args)), SECONDS)
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
