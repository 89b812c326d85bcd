"""Beginning sessions at Discord's gateway: one after another, and never more than a day allows.

Sessions of shards whose numbers are equal modulo `max_concurrency` begin five seconds apart. Beyond the day's limit
Discord would reset the token, so a bot that starts again and again stops in time.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

log = logging.getLogger("tetsudo.sessions")
APART = 5.5
"""Seconds between two sessions of a bucket: Discord's five, and some for the way there."""
KEPT = 10
"""Sessions of a day that are left alone, for a host who has to start the bot once more."""
LONGEST = 600.0
"""Seconds after which the limits are asked for again."""

RECENT = 10.0
"""Seconds for which what Discord said is still counted on."""

Gateway = Callable[[], Awaitable[tuple[int, str, Any]]]
"""Discord's answer: the shards it recommends, an address, and how sessions may be begun."""


class Slots(Protocol):
    """Shares out the times at which sessions may begin."""

    async def next_in(self, bucket: int, apart: float) -> float:
        """Take the next time in this bucket, and return how many seconds it is off."""


class OwnSlots:
    """The slots of a bot that is one process."""

    def __init__(self) -> None:
        self._next: dict[int, float] = {}

    async def next_in(self, bucket: int, apart: float) -> float:
        """Take the next time in this bucket, and return how many seconds it is off."""
        now = time.monotonic()
        begins = max(now, self._next.get(bucket, now))
        self._next[bucket] = begins + apart
        return begins - now


class Sessions:
    """Asked before each session."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self.slots: Slots = OwnSlots()
        self._asked = -math.inf
        self._left = 0

    async def recommended(self) -> int:
        """How many shards Discord recommends. Raises GatewayNotFound."""
        await self._ask()
        return self._shards

    async def may_begin(self, shard: int) -> None:
        """Return when this shard's session may begin. Raises GatewayNotFound."""
        if time.monotonic() - self._asked > RECENT:
            await self._ask()
        while self._left <= min(KEPT, self._total // 2):
            log.error("no session can be begun: only %s of today's are left", self._left)
            await asyncio.sleep(min(self._reset_after, LONGEST))
            await self._ask()
        self._left -= 1
        wait = await self.slots.next_in(shard % self._concurrency, APART)
        if wait > 0:
            log.info("shard %s begins in %.1f s", shard, wait)
            await asyncio.sleep(wait)

    async def _ask(self) -> None:
        self._shards, _, limits = await self._gateway()
        self._asked = time.monotonic()
        self._total, self._left = int(limits["total"]), int(limits["remaining"])
        self._reset_after, self._concurrency = limits["reset_after"] / 1000, int(limits["max_concurrency"])
