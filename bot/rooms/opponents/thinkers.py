"""Where opponents think: in a process of their own, that gives way to everything else.

What goes in is a position and a question, what comes out an answer; a thinker remembers nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from bot.core.errors import TableError
from bot.core.thinking import Thought, give_way, packed, think
from bot.core.work import Died, Pool, Work
from engine.actions import Action
from opponents import Choice

T = TypeVar("T")
IDLE = 600.0
"""Seconds without a question after which the processes end, and give back their memory."""
GAVE_UP = "The program could not think of anything: please try again."


class Thinkers:
    """So many processes that think; with none, worker threads do."""

    def __init__(self, count: int, work: Work) -> None:
        self.count = count
        self._work = work
        self.pool = Pool("thinkers", count, give_way)
        self._asked = 0.0
        self._asking = 0

    async def choice(self, question: Thought) -> Choice:
        """What an opponent does. Raises what thinking raises, and TableError if thinkers died of it twice."""
        return await self._ask(question, Thought.choice)

    async def advice(self, question: Thought) -> list[Choice]:
        """What there is to do, the best first."""
        return await self._ask(question, Thought.advice)

    async def agrees(self, question: Thought, action: Action) -> bool:
        """Whether an opponent agrees to a deal."""
        return await self._ask(question, Thought.agrees, action)

    async def _ask(self, question: Thought, how: Callable[..., T], *given: Any) -> T:
        if not self.count:
            return await self._work.do(lambda: how(question, *given))
        self._asking += 1
        try:
            return await self.pool.do(think, await self._work.do(packed, question), how, given)
        except Died as error:
            raise TableError(GAVE_UP) from error
        finally:
            self._asking -= 1
            self._asked = time.monotonic()

    def let_go(self) -> None:
        """End the processes if nobody has asked them anything for long."""
        if not self._asking and time.monotonic() - self._asked > IDLE:
            self.close()

    def close(self) -> None:
        """End the processes."""
        self.pool.close()
