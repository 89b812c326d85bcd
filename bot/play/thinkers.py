"""Where opponents think: in a process of their own, that gives way to everything else.

What goes in is a position and a question, what comes out an answer; a thinker remembers nothing. One that dies breaks
the whole pool of Python's `concurrent.futures`: then a new one is made, and what was being thought is thought again.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, TypeVar

from bot.play.errors import TableError
from bot.play.thinking import Packed, Question, give_way, packed, think
from bot.play.work import Work
from engine.actions import Action
from opponents import Choice

log = logging.getLogger("tetsudo.thinkers")
T = TypeVar("T")
TRIES = 2
SECONDS = 60.0
"""After which a thought is given up, and its pool with it."""
IDLE = 600.0
"""Seconds without a question after which the processes end: each needs some 40 MB."""
GAVE_UP = "The program could not think of anything: please try again."


class Thinkers:
    """So many processes that think; with none, worker threads do."""

    def __init__(self, count: int, work: Work) -> None:
        self.count = count
        self._work = work
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()
        self._asked = 0.0
        self._asking = 0
        self.broken = 0
        """How many pools broke."""

    async def choice(self, question: Question) -> Choice:
        """What an opponent does. Raises what thinking raises, and TableError if thinkers died of it twice."""
        return await self._ask(question, Question.choice)

    async def advice(self, question: Question) -> list[Choice]:
        """What there is to do, the best first."""
        return await self._ask(question, Question.advice)

    async def agrees(self, question: Question, action: Action) -> bool:
        """Whether an opponent agrees to a deal."""
        return await self._ask(question, Question.agrees, action)

    async def _ask(self, question: Question, how: Callable[..., T], *given: Any) -> T:
        if not self.count:
            return await self._work.do(lambda: how(question, *given))
        self._asking += 1
        try:
            return await self._thought(await self._work.do(packed, question), how, given)
        finally:
            self._asking -= 1
            self._asked = time.monotonic()

    async def _thought(self, question: Packed, how: Callable[..., T], given: tuple[Any, ...]) -> T:
        for _ in range(TRIES):
            pool = self._running()
            try:
                done = pool.submit(think, question, how, given)
                return await asyncio.wait_for(asyncio.wrap_future(done), SECONDS)
            except (BrokenProcessPool, TimeoutError, OSError) as error:
                self._give_up(pool, error)
        raise TableError(GAVE_UP)

    def processes(self) -> tuple[int, ...]:
        """The thinkers that run now, by the system's numbers."""
        return tuple((self._pool._processes or {}) if self._pool is not None else ())

    def let_go(self) -> None:
        """End the processes if nobody has asked them anything for long."""
        if not self._asking and time.monotonic() - self._asked > IDLE:
            self.close()

    def close(self) -> None:
        """End the processes."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            _end(pool)

    def _running(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:  # a forked process would have the locks of the bot's threads, and its connections
                self._pool = ProcessPoolExecutor(self.count, mp_context=get_context("spawn"), initializer=give_way)
            return self._pool

    def _give_up(self, pool: ProcessPoolExecutor, error: Exception) -> None:
        """Stop using a pool that broke; others may have seen it before."""
        with self._lock:
            ours = pool is self._pool
            if ours:
                self._pool = None
        if ours:
            self.broken += 1
            log.warning("the thinkers are started anew: %r", error)
        _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(OSError, ValueError):
            process.kill()
