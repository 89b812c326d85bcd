"""The shards of this process: taking, keeping, handing over and losing them, and beginning their sessions.

A lease that cannot be renewed in time is given up before others may take it: nothing is sent any more, no press is
answered, and the shards are closed. So at no time do two processes serve one shard, whatever happens to either.

Sessions of shards whose numbers are equal modulo `max_concurrency` begin five seconds apart. Beyond the day's limit
Discord would reset the token, so a bot that starts again and again stops in time.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from discord.gateway import DiscordWebSocket

from bot import metrics
from bot.chat.connection import Requests
from storage import LeaseLost, Shards, Unavailable

if TYPE_CHECKING:
    from storage.postgres.leases import Held, Leases

log = logging.getLogger("tetsudo.leasing")

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
    """Says when the next session may begin."""

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
        metrics.SESSIONS_LEFT.set(self._left)
        wait = await self.slots.next_in(shard % self._concurrency, APART)
        if wait > 0:
            log.info("shard %s begins in %.1f s", shard, wait)
            await asyncio.sleep(wait)

    async def _ask(self) -> None:
        self._shards, _, limits = await self._gateway()
        self._asked = time.monotonic()
        self._total, self._left = int(limits["total"]), int(limits["remaining"])
        metrics.SESSIONS_LEFT.set(self._left)
        self._reset_after, self._concurrency = limits["reset_after"] / 1000, int(limits["max_concurrency"])


EVERY = 2.0
"""Seconds between two looks at who serves what."""
RENEWED = 10.0
"""Seconds after which the lease is renewed."""
GIVEN_UP = 20.0
"""Seconds without a renewal after which the process stops serving; a lease holds for ten more."""
LAST_WORDS = 2.0
"""Seconds for whatever was pressed before a shard was closed."""
SILENT = 30.0
"""Seconds without a connection after which a shard is connected anew, rather than again."""
TAKEN_OVER = 15.0
"""Seconds to wait for another process to take a shard that is handed over."""


class Serving(Protocol):
    """What leasing needs of the bot: connecting shards and closing them."""

    requests: Requests

    @property
    def shards(self) -> Any:
        """The shards that were connected, by number."""

    def get_shard(self, shard_id: int, /) -> Any:
        """A shard that was connected; None if it was not."""

    async def launch_shard(self, gateway: Any, shard_id: int) -> None:
        """Connect a shard."""

    def took(self, shards: Shards) -> None:
        """These shards are this process's from now on."""

    def parted(self) -> None:
        """No shard is this process's any more."""


class Leasing:
    """The shards that this process serves at the moment."""

    def __init__(self, bot: Serving, leases: Leases, named: tuple[int, ...]) -> None:
        self._bot, self._leases, self._named = bot, leases, named
        self._own: frozenset[int] = frozenset()
        self._renewed = -GIVEN_UP
        self._leaving = False
        self._task: asyncio.Task[None] | None = None
        self._launches: dict[int, asyncio.Task[None]] = {}
        self._up: dict[int, float] = {}
        """When a shard was last seen connected."""

    @property
    def shards(self) -> Shards:
        """The shards that are served; none while the lease is in doubt."""
        return Shards(tuple(sorted(self._own)) if self.holds() else (), self._leases.count)

    def holds(self) -> bool:
        """Whether the lease was renewed lately."""
        return self.age < GIVEN_UP

    @property
    def age(self) -> float:
        """Seconds since the lease was last renewed."""
        return time.monotonic() - self._renewed

    def serves(self, guild_id: int | None) -> bool:
        """Whether this process handles what happens on this server."""
        return self.shards.has(guild_id)

    async def join(self, count: int | None, recommended: int) -> int:
        """Register with the others; how many shards there are. Raises Unavailable."""
        begun = time.monotonic()
        number = await self._leases.join(count, recommended)
        self._renewed = begun
        self._bot.requests.may = self.holds
        log.info("shares %s shards", number, extra={"member": self._leases.process})
        return number

    def begin(self) -> None:
        """Take shards, and keep them from now on."""
        self._task = asyncio.create_task(self._run())

    async def drain(self) -> None:
        """Hand over one shard after the other, as fast as others take them, and leave."""
        if self._task is None or self._leaving:
            return
        self._leaving = True
        try:
            await self._leases.leaving()
            others = (await self._leases.tend(take=False)).others
            for shard in sorted(self._own):
                await self._hand_over(shard, LAST_WORDS if others else 0)
                if others:
                    await self._until_served(shard)
            self._task.cancel()
            await self._leases.leave()
        except (LeaseLost, Unavailable) as error:
            log.warning("left without handing over: %s", error)
        finally:
            self._task.cancel()
            await self._leases.close()

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
            except LeaseLost:
                metrics.RENEWALS.labels("lost").inc()
                log.warning("the lease is over: others may serve the shards")
                await self._part()
                with suppress(Unavailable):
                    await self.join(self._leases.count, self._leases.count)
            except Unavailable as error:
                metrics.RENEWALS.labels("failed").inc()
                log.warning("the lease is not renewed: %s", error)
                if not self.holds():
                    await self._part()
            except Exception:
                log.exception("sharing the shards")
            await asyncio.sleep(EVERY)

    async def _look(self) -> None:
        """Renew the lease where that is due, and serve what is ours. Raises LeaseLost or Unavailable."""
        begun = time.monotonic()
        if begun - self._renewed >= RENEWED:
            await self._leases.renew()
            self._renewed = begun
            metrics.RENEWALS.labels("renewed").inc()
        if self._leaving:
            return
        held = await self._leases.tend(self._named)
        metrics.TAKEOVERS.inc(len(held.ended))
        for name in held.ended:
            log.warning("the lease of %s is over", name)
        await self._serve(held)
        if held.surplus:
            await self._hand_over(max(self._own), LAST_WORDS)

    async def _serve(self, held: Held) -> None:
        """Begin with shards that are new, and end those that are no longer ours."""
        before, self._own = self._own, frozenset(held.own)
        self._bot.requests.share(self._own, self._leases.count)
        for shard in before | {number for number, one in self._bot.shards.items() if not one.is_closed()}:
            if shard not in self._own:  # one may also have come back by itself
                await self._close(shard)
        for shard in sorted(self._own - set(self._launches)):
            if self._is_down(shard):
                self._launches[shard] = asyncio.create_task(self._launch(shard))
        new = self._own - before
        if new:
            log.info("serves shards %s", sorted(self._own), extra={"new": sorted(new)})
            self._bot.took(Shards(tuple(sorted(new)), self._leases.count))

    def _is_down(self, shard: int) -> bool:
        """Whether a shard is not connected, and the library is not just connecting it again."""
        there, now = self._bot.get_shard(shard), time.monotonic()
        if there is not None and not there.is_closed():
            self._up[shard] = now
        return now - self._up.get(shard, now - SILENT) >= SILENT

    async def _launch(self, shard: int) -> None:
        try:
            await self._bot.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, shard)
            self._up[shard] = time.monotonic()
        finally:
            if self._launches.get(shard) is asyncio.current_task():
                del self._launches[shard]

    async def _hand_over(self, shard: int, seconds: float) -> None:
        """Serve a shard no longer: finish what is under way there, then let others have it. Raises Unavailable."""
        self._own -= {shard}
        self._bot.requests.share(self._own, self._leases.count)
        await self._close(shard)
        await asyncio.sleep(seconds)
        await self._leases.give(shard)
        log.info("handed over shard %s", shard)

    async def _until_served(self, shard: int) -> None:
        for _ in range(round(TAKEN_OVER / EVERY * 4)):
            if await self._leases.is_served(shard):
                return
            await asyncio.sleep(EVERY / 4)

    async def _part(self) -> None:
        """Serve nothing: stop what is being sent, and close all shards."""
        gone, self._own = self._own, frozenset()
        self._bot.parted()
        for shard in gone:
            await self._close(shard)
        if gone:
            log.warning("serves no shards any more", extra={"lost": sorted(gone)})

    async def _close(self, shard: int) -> None:
        self._up.pop(shard, None)
        launch = self._launches.pop(shard, None)
        if launch is not None:
            launch.cancel()
        there = self._bot.get_shard(shard)
        if there is not None:
            with suppress(Exception):  # it may be gone already
                async with asyncio.timeout(LAST_WORDS):
                    await there.disconnect()
