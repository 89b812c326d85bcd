"""The shards of this process: taking, keeping, handing over and losing them, and beginning their sessions.

Others may have the shards soon after the connection by which they are leased has broken: at once nothing more is sent.
Where it does not come back in time, no press is answered either, and the shards are closed. So at no time do two
processes serve one shard, whatever happens to either. Whoever takes a shard goes on with the session that was left, and
is told what came meanwhile; then a session of its own begins beside it, in its turn, with which the servers come.

Sessions of shards whose numbers are equal modulo `max_concurrency` begin five seconds apart. Beyond the day's limit
Discord would reset the token, so a bot that starts again and again stops in time.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol, Self

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot import metrics
from bot.chat.connection import Connection
from storage import LeaseLost, Session, Shards, Unavailable

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

Asking = Callable[[], Awaitable[tuple[int, str, Any]]]
"""Discord's answer: the shards it recommends, an address, and how sessions may be begun."""


class Slots(Protocol):
    """Says when sessions may begin. Nobody keeps a time to come: whoever dies while waiting delays no one else."""

    async def take(self, bucket: int, apart: float) -> float: ...


class OwnSlots:
    """The slots of a bot that is one process."""

    def __init__(self) -> None:
        self._next: dict[int, float] = {}

    async def take(self, bucket: int, apart: float) -> float:
        """Begin a session in this bucket now; if that is too soon, return in how many seconds to ask again."""
        now = time.monotonic()
        wait = self._next.get(bucket, now) - now
        if wait <= 0:
            self._next[bucket] = now + apart
        return max(0.0, wait)


class Sessions:
    """Says when the next session may begin."""

    def __init__(self, gateway: Asking) -> None:
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
        while (wait := await self.slots.take(shard % self._concurrency, APART)) > 0:
            log.info("shard %s waits %.1f s to begin", shard, wait)
            await asyncio.sleep(wait)
        self._left -= 1
        metrics.SESSIONS_LEFT.set(self._left)

    async def _ask(self) -> None:
        self._shards, _, limits = await self._gateway()
        self._asked = time.monotonic()
        self._total, self._left = int(limits["total"]), int(limits["remaining"])
        metrics.SESSIONS_LEFT.set(self._left)
        self._reset_after, self._concurrency = limits["reset_after"] / 1000, int(limits["max_concurrency"])


EVERY = 1.0
"""Seconds between two looks at who serves what, which renew the lease."""
GIVEN_UP = 6.0
"""Seconds without a look after which the process stops serving. Nobody takes it for lost before eight."""
LAST_WORDS = 1.0
"""Seconds for whatever was pressed before a shard was closed."""
SILENT = 30.0
"""Seconds without a connection after which a shard is connected anew, rather than again."""
TAKEN_OVER = 15.0
"""Seconds to wait for another process to take a shard that is handed over."""


class Leasing:
    """The shards that this process serves at the moment."""

    def __init__(self, bot: Connection, leases: Leases, named: tuple[int, ...]) -> None:
        self._bot, self._leases, self._named = bot, leases, named
        self._own: frozenset[int] = frozenset()
        self._renewed = -math.inf
        self._leaving = False
        self._task: asyncio.Task[None] | None = None
        self._launches: dict[int, asyncio.Task[None]] = {}
        self._up: dict[int, float] = {}
        """When a shard was last seen connected."""
        self._kept: Mapping[int, Session] = {}
        """The sessions of our shards, as the database has them."""
        self._left: dict[int, Session] = {}
        """Those of shards that are just being connected."""
        self._known: set[int] = set()
        """The shards whose servers this process knows: it has begun a session of its own."""
        self._before: dict[int, Any] = {}
        """The shards whose sessions others began, until the one that begins beside is there."""
        self._broke = asyncio.Event()
        leases.lost = self._doubt

    @property
    def shards(self) -> Shards:
        """The shards that are served; none while the lease is in doubt."""
        return Shards(tuple(sorted(self._own)) if self.holds() else (), self._leases.count)

    def holds(self) -> bool:
        """Whether the lease was renewed lately."""
        return self.age < GIVEN_UP

    def is_sure(self) -> bool:
        """Whether nobody else can have the shards by now."""
        return self.holds() and self._leases.connected

    @property
    def age(self) -> float:
        """Seconds since the lease was last renewed."""
        return time.monotonic() - self._renewed

    async def join(self, count: int | None, recommended: int) -> int:
        """Register with the others; how many shards there are. Raises Unavailable."""
        begun = time.monotonic()
        number = await self._leases.join(count, recommended)
        self._renewed = begun
        self._bot.requests.may, self._bot.requests.may_send = self.holds, self.is_sure
        log.info("shares %s shards", number, extra={"member": self._leases.process})
        return number

    def begin(self) -> None:
        """Take shards, and keep them from now on."""
        self._task = asyncio.create_task(self._run())

    def _doubt(self) -> None:
        """The connection broke: say nothing more until it is known who serves, and find out at once."""
        self._bot.doubted()
        self._broke.set()

    def may_connect(self, shard: int) -> bool:
        """Whether to connect a shard: not while others may have it. If it is ours after all, that is made up for."""
        if shard in self._own and self.is_sure():
            return True
        self._up.pop(shard, None)
        return False

    def left(self, shard: int) -> Session | None:
        """The session that a shard which is being connected is to go on with, once."""
        return self._left.pop(shard, None)

    def resumed(self, shard: int) -> None:
        """A session goes on. If another process began it, begin one of our own beside it."""
        if shard in self._own and shard not in self._known and shard not in self._launches:
            self._launches[shard] = asyncio.create_task(self._launch(shard))

    async def began(self, shard: int) -> None:
        """A session of our own is there, with the shard's servers: the one before it ends."""
        self._known.add(shard)
        if (launch := self._launches.pop(shard, None)) is not None:
            launch.cancel()  # the other's session could not be gone on with, so the library began this one already
        await _disconnect(self._before.pop(shard, None))

    async def drain(self) -> None:
        """Hand over the shards, wait until others have taken them, and leave."""
        if self._task is None or self._leaving:
            return
        self._leaving = True
        try:
            await self._leases.leaving()
            others, own = (await self._leases.tend(take=False)).others, self._own
            await self._hand_over(own, LAST_WORDS if others else 0)
            if others:
                await self._until_served(own)
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
                self._known.clear()
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
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY / 4 if self._leases.hurries else EVERY):
                    await self._broke.wait()
            self._broke.clear()

    async def _look(self) -> None:
        """Renew the lease, and serve what is ours. Raises LeaseLost or Unavailable."""
        begun, was_sure = time.monotonic(), self.is_sure()
        held = await self._leases.tend(self._named, take=not self._leaving, sessions=self._moved_on())
        self._renewed, self._kept = begun, held.sessions
        metrics.RENEWALS.labels("renewed").inc()
        metrics.TAKEOVERS.inc(len(held.ended))
        for name in held.ended:
            log.warning("the lease of %s is over", name)
        if self._leaving:
            return
        if not was_sure:
            self._bot.wake()
        await self._serve(held)
        if held.surplus:
            await self._hand_over({max(self._own)}, LAST_WORDS)

    def _moved_on(self) -> dict[int, Session]:
        """The sessions of our shards that are not as they are kept."""
        now = {shard: session for shard in self._own if (session := self._bot.session(shard)) is not None}
        return {shard: session for shard, session in now.items() if session != self._kept.get(shard)}

    async def _serve(self, held: Held) -> None:
        """Begin with shards that are new, and end those that are no longer ours."""
        before, self._own = self._own, frozenset(held.own)
        self._known &= self._own
        self._bot.requests.share(self._own, self._leases.count)
        for shard in before | {number for number, one in self._bot.shards.items() if not one.is_closed()}:
            if shard not in self._own:  # one may also have come back by itself
                await self._close(shard)
        for shard in sorted(self._own - set(self._launches)):
            if self._is_down(shard):
                if shard in self._kept:
                    self._left[shard] = self._kept[shard]
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
        before = self._bot.get_shard(shard)
        try:
            await self._bot.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, shard)
            self._before[shard] = before
            self._up[shard] = time.monotonic()
        finally:
            if self._launches.get(shard) is asyncio.current_task():
                del self._launches[shard]

    async def _hand_over(self, shards: Collection[int], seconds: float) -> None:
        """Serve these no longer: finish what is under way there, then let others have them. Raises Unavailable.

        What comes from now on is left to the others, who are told of it again.
        """
        self._own -= set(shards)
        sessions = {shard: session for shard in shards if (session := self._bot.session(shard)) is not None}
        self._bot.requests.share(self._own, self._leases.count)
        await asyncio.gather(*map(self._close, shards))
        await asyncio.sleep(seconds)
        await self._leases.give(shards, sessions)
        log.info("handed over shards %s", sorted(shards))

    async def _until_served(self, shards: Collection[int]) -> None:
        for _ in range(round(TAKEN_OVER / EVERY * 4)):
            if all([await self._leases.is_served(shard) for shard in shards]):
                return
            await asyncio.sleep(EVERY / 4)

    async def _part(self) -> None:
        """Serve nothing: stop what is being sent, and close all shards."""
        gone, self._own, self._renewed = self._own, frozenset(), -math.inf
        self._bot.parted()
        await asyncio.gather(*map(self._close, gone))
        if gone:
            log.warning("serves no shards any more", extra={"lost": sorted(gone)})

    async def _close(self, shard: int) -> None:
        self._up.pop(shard, None)
        launch = self._launches.pop(shard, None)
        if launch is not None:
            launch.cancel()
        for there in (self._before.pop(shard, None), self._bot.get_shard(shard)):
            await _disconnect(there)


async def _disconnect(there: Any) -> None:
    if there is not None:
        with suppress(Exception):  # it may be gone already
            async with asyncio.timeout(LAST_WORDS):
                await there.disconnect()


connecting = logging.getLogger("tetsudo.gateway")
RESUMABLE = 4000
"""Closed with this code, a session can be gone on with."""
PATIENCE = 5.0
"""Seconds to wait for the address at which a session is gone on with."""
SKEW = timedelta(seconds=2)
"""By how much this machine's clock may be behind Discord's."""


class Gateway(DiscordWebSocket):
    """A shard's connection. The library makes these where `use` was called."""

    @classmethod
    async def from_client(cls, client: Any, *, resume: bool = False, **how: Any) -> Self:
        """Connect, with the session that was left, if any. Raises CancelledError where others serve the shard.

        Going on with a session takes it from whoever has it, so a process that comes back too late must not.
        """
        leasing: Leasing = client.leasing
        shard_id: int = how["shard_id"]
        if not leasing.may_connect(shard_id):
            raise asyncio.CancelledError  # the library gives this shard up
        if not resume and (left := leasing.left(shard_id)) is not None:
            there = {"gateway": yarl.URL(left.gateway), "session": left.id, "sequence": left.sequence}
            try:
                async with asyncio.timeout(PATIENCE):
                    return await cls.from_client(client, resume=True, **how | there)
            except (OSError, aiohttp.ClientError, discord.ConnectionClosed, ReconnectWebSocket) as error:
                connecting.warning(
                    "shard %s begins anew, since its session cannot be gone on with: %r", shard_id, error
                )
        before = discord.utils.time_snowflake(discord.utils.utcnow() + SKEW)
        made = await super().from_client(client, resume=resume, **how)
        if resume:
            made._note_replays(client.replayed, before)
        return made

    def _note_replays(self, replayed: dict[int, None], before: int) -> None:
        """Note the interactions with ids before this one: who had the session then may have handled them.

        RESUMED does not say where they end, since that of whoever resumed before is told again, too.
        """
        usual = self._discord_parsers["INTERACTION_CREATE"]

        def interaction(data: Any) -> None:
            if int(data["id"]) < before:
                replayed[int(data["id"])] = None
            usual(data)

        self._discord_parsers = self._discord_parsers | {"INTERACTION_CREATE": interaction}

    async def close(self, code: int = RESUMABLE) -> None:
        """Close the connection, and leave the session to whoever serves the shard next."""
        await super().close(code if self.session_id is None else RESUMABLE)

    @property
    def session(self) -> Session | None:
        """The session, with the last of its events that came."""
        if self.session_id is None or self.sequence is None:
            return None
        return Session(self.session_id, self.sequence, str(self.gateway))
