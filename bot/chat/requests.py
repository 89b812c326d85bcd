"""How fast one process may talk to Discord: its share of the requests that the whole token may make.

Discord counts the requests of a token over all its processes and refuses what is too much. So time is divided into
moments, and each belongs to one shard in turn: whoever serves the shard may begin one request then. Together the
processes make no more than the token may, however the shards are shared out, and none has to ask another. What answers
an interaction is not counted.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Collection
from itertools import count
from types import SimpleNamespace

import aiohttp

from bot.chat.invalid import Refusals

SPARE = 0.9
"""The part of Discord's limit that is used: requests that were sent apart may arrive closer together."""
GOLDEN = 0.618
"""Moments of neighbouring shards are apart by this part of a round, so that those of any few are spread over it."""


class NotServing(ConnectionError):
    """This process may say nothing: others may serve its shards."""


class Stopped(ConnectionError):
    """Nothing is asked for at the moment, since Discord has refused too much."""


class Requests:
    """Lets requests begin in the moments of the shards that this process serves, first come, first served."""

    def __init__(self, most: float) -> None:
        """`most`: requests a second of the whole token, 0 for no limit of ours."""
        self._rate = most * SPARE
        self.may: Callable[[], bool] = lambda: True
        """Whether anything may be said at all."""
        self.refusals = Refusals()
        self._epoch = time.time() - time.monotonic()
        """All processes count moments from the same time; a clock that is set later changes nothing."""
        self._taken = 0
        self.share((0,), 1)

    def share(self, own: Collection[int], shards: int) -> None:
        """From now on this process serves these of so many shards."""
        self._own, self._shards = frozenset(own), shards
        near = round(shards * GOLDEN)
        self._step = next(step for step in count(max(near, 1)) if math.gcd(step, shards) == 1)
        self.refusals.part = len(own) / shards

    async def wait(self) -> None:
        """Return when one more request may begin."""
        if not self._rate:
            return
        now = self._epoch + time.monotonic()
        self._taken = self._next(max(self._taken, math.floor(now * self._rate)))
        await asyncio.sleep(self._taken / self._rate - now)

    def _next(self, moment: int) -> int:
        """Our next moment after this one; without a shard one a second, or the process could never begin to serve."""
        if not self._own:
            return moment + math.ceil(self._rate)
        return next(one for one in count(moment + 1) if one * self._step % self._shards in self._own)

    def trace(self) -> aiohttp.TraceConfig:
        """What makes the library's requests wait; those without the token are answers to interactions."""
        config = aiohttp.TraceConfig()

        async def begins(_: object, __: SimpleNamespace, sent: aiohttp.TraceRequestStartParams) -> None:
            if "Authorization" in sent.headers:
                if self.refusals.stopped and not sent.url.path.endswith("/gateway/bot"):
                    raise Stopped(f"Discord refused too much: nothing is sent for {self.refusals.resumes_in} s")
                await self.wait()
            if not self.may():
                raise NotServing("the lease of this process could not be renewed")

        async def ends(_: object, __: SimpleNamespace, sent: aiohttp.TraceRequestEndParams) -> None:
            self.refusals.count(sent.response.status, sent.response.headers.get("X-RateLimit-Scope"))

        config.on_request_start.append(begins)
        config.on_request_end.append(ends)
        return config
