"""How fast one process may talk to Discord: its share of the requests that the whole token may make.

Discord counts the requests of a token over all its processes and refuses what is too much. So each makes as many as
its part of the shards allows; what answers an interaction is not counted.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace

import aiohttp

WINDOW = 1.1
"""Seconds that count as one: requests that were sent apart may arrive closer together."""
SPARE = 0.9
"""The part of Discord's limit that is used."""


class NotServing(ConnectionError):
    """This process may say nothing: others may serve its shards."""


class Pace:
    """Lets so many requests begin in any second, first come, first served."""

    def __init__(self, most: float) -> None:
        """`most`: requests a second of the whole token, 0 for no limit of ours."""
        self._most = most
        self.may: Callable[[], bool] = lambda: True
        """Whether anything may be said at all."""
        self._share = 1.0
        self._begun: deque[float] = deque()
        self._turn = asyncio.Lock()

    def share(self, part: float) -> None:
        """From now on this process has so much of it, from 0 to 1."""
        self._share = part

    @property
    def allowed(self) -> int:
        """Requests in a second; one at least, or nothing could ever be said."""
        return max(1, math.floor(self._most * SPARE * self._share))

    async def wait(self) -> None:
        """Return when one more request may begin."""
        if not self._most:
            return
        async with self._turn:
            if (left := self._left()) > 0:
                await asyncio.sleep(left)
            self._begun.append(time.monotonic())

    def _left(self) -> float:
        now = time.monotonic()
        while self._begun and now - self._begun[0] >= WINDOW:
            self._begun.popleft()
        if len(self._begun) < self.allowed:
            return 0.0
        return self._begun[-self.allowed] + WINDOW - now

    def trace(self) -> aiohttp.TraceConfig:
        """What makes the library's requests wait; those without the token are answers to interactions."""
        config = aiohttp.TraceConfig()

        async def begins(_: object, __: SimpleNamespace, sent: aiohttp.TraceRequestStartParams) -> None:
            if "Authorization" in sent.headers:
                await self.wait()
            if not self.may():
                raise NotServing("the lease of this process could not be renewed")

        config.on_request_start.append(begins)
        return config
