"""The bot as the parts of `chat` know it: what it stands on, what it counts, and how fast it may talk to Discord.

Discord counts the requests of a token over all its processes and refuses what is too much. So time is divided into
moments, and each belongs to one shard in turn: whoever serves the shard may begin one request then. Together the
processes make no more than the token may, however the shards are shared out, and none has to ask another. What answers
an interaction is not counted.
"""

import asyncio
import logging
import math
import re
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection
from itertools import count
from types import SimpleNamespace
from typing import Any, Protocol

import aiohttp
import discord

from bot import metrics
from bot.chat.room import Rooms
from bot.core.tables import Tables
from bot.settings import Settings
from storage import Message, OutboxItem, Session, Shards, Store

log = logging.getLogger("tetsudo.refusals")
COUNTED = (401, 403, 429)
"""The answers that Discord counts."""
WINDOW = 600.0
MOST = 4000
"""What all processes together use up of the 10,000: processes that ended may have used as much, and others share
the address."""
LEAST = 20
"""What any process may use up, however small its part."""


class Refusals:
    """The refused requests of the last ten minutes."""

    def __init__(self) -> None:
        self.part = 1.0
        """This process's part of what all may use up."""
        self._lately: deque[tuple[float, int]] = deque()
        self._stopped = False

    @property
    def most(self) -> int:
        """How many this process may make in ten minutes."""
        return max(LEAST, int(MOST * self.part))

    def count(self, status: int, scope: str | None = None) -> None:
        """Count an answer. What a limit shared with other bots refuses (`scope`) is not held against anybody."""
        if status not in COUNTED or scope == "shared":
            return
        was_careful = self.careful
        self._lately.append((time.monotonic(), status))
        if not self._stopped and self.number >= self.most:
            self._stopped = True
            log.error("Discord refused too much: nothing is sent for %s s", self.resumes_in, extra=self._told())
        elif self.careful and not was_careful:
            log.warning("Discord refuses much: nothing that it refused is tried again for now", extra=self._told())

    @property
    def number(self) -> int:
        """How many there were in the last ten minutes."""
        while self._lately and time.monotonic() - self._lately[0][0] >= WINDOW:
            self._lately.popleft()
        return len(self._lately)

    @property
    def careful(self) -> bool:
        """Whether half of them are used up."""
        return self.number >= self.most / 2

    @property
    def stopped(self) -> bool:
        """Whether nothing may be asked for until half of them are free again."""
        if self._stopped and not self.careful:
            self._stopped = False
            log.warning("Discord has refused little for a while: sending goes on")
        return self._stopped

    @property
    def resumes_in(self) -> int:
        """In how many seconds sending goes on, if it is stopped."""
        if not self.stopped:
            return 0
        half_free = self._lately[len(self._lately) - (self.most + 1) // 2][0] + WINDOW
        return max(1, round(half_free - time.monotonic()))

    def _told(self) -> dict[str, object]:
        statuses = Counter(status for _, status in self._lately)
        return {"refused": {str(status): number for status, number in statuses.items()}, "most": self.most}


SPARE = 0.9
"""The part of Discord's limit that is used: requests that were sent apart may arrive closer together."""
GOLDEN = 0.618
"""Moments of neighbouring shards are apart by this part of a round, so that those of any few are spread over it."""


class NotServing(ConnectionError):
    """This process may say nothing: others may serve its shards."""


class Paused(ConnectionError):
    """Nothing is asked for at the moment, since Discord has refused too much."""


ANSWER = re.compile(r"/interactions/(?P<interaction>\d+)/[^/]+/callback$")


class Requests:
    """Lets requests begin in the moments of the shards that this process serves, first come, first served."""

    def __init__(self, most: float) -> None:
        """`most`: requests a second of the whole token, 0 for no limit of ours."""
        self._rate = most * SPARE
        self.may: Callable[[], bool] = lambda: True
        """Whether anything may be said at all: the answers to whoever acts."""
        self.may_send: Callable[[], bool] = lambda: True
        """Whether what nobody else may say at the same time may be said, too."""
        self.refusals = Refusals()
        self.answered: Callable[[int], None] = lambda interaction: None
        """Is told when Discord has the first answer to an interaction."""
        self.limited: Callable[[float], None] = lambda seconds: None
        """Is told where Discord takes nothing of the whole token for so many seconds."""
        self._epoch = time.time() - time.monotonic()
        """All processes count moments from the same time; a clock that is set later changes nothing."""
        self._taken = 0
        self._turn = asyncio.Lock()
        self.share((0,), 1)

    def share(self, own: Collection[int], shards: int) -> None:
        """From now on this process serves these, of so many `shards` in all."""
        self._own, self._shards = frozenset(own), shards
        near = round(shards * GOLDEN)
        self._step = next(step for step in count(max(near, 1)) if math.gcd(step, shards) == 1)
        self.refusals.part = len(own) / shards

    async def wait(self) -> None:
        """Return when one more request may begin."""
        if not self._rate:
            return
        async with self._turn:  # moments that go by while the process is held up are not made up for
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

        async def begins(_: object, request: SimpleNamespace, sent: aiohttp.TraceRequestStartParams) -> None:
            request.counted = "Authorization" in sent.headers
            if request.counted:
                if self.refusals.stopped and not sent.url.path.endswith("/gateway/bot"):
                    raise Paused(f"Discord refused too much: nothing is sent for {self.refusals.resumes_in} s")
                with metrics.PACED.time():
                    await self.wait()
            if not (self.may_send() if request.counted else self.may()):
                raise NotServing("others may serve what this process served")
            request.began = time.perf_counter()

        async def ends(_: object, request: SimpleNamespace, sent: aiohttp.TraceRequestEndParams) -> None:
            status = sent.response.status
            headers = sent.response.headers
            self.refusals.count(status, headers.get("X-RateLimit-Scope"))
            if status == 429 and "X-RateLimit-Global" in headers:
                self.limited(float(headers.get("Retry-After", 60)))
            _measure(request, sent, str(status))
            answers = ANSWER.search(sent.url.path)
            if answers and status < 400:
                self.answered(int(answers["interaction"]))

        async def fails(_: object, request: SimpleNamespace, sent: aiohttp.TraceRequestExceptionParams) -> None:
            if hasattr(request, "began"):
                _measure(request, sent, "none")

        config.on_request_start.append(begins)
        config.on_request_end.append(ends)
        config.on_request_exception.append(fails)
        return config


def _measure(
    request: SimpleNamespace, sent: aiohttp.TraceRequestEndParams | aiohttp.TraceRequestExceptionParams, status: str
) -> None:
    """Count a request that went out, and how long Discord took; the status is "none" where nothing came back."""
    route = metrics.route(sent.method, sent.url.path)
    metrics.REQUESTS.labels(route, status, "yes" if request.counted else "no").inc()
    metrics.REQUEST.labels(route).observe(time.perf_counter() - request.began)


class Connection(Protocol):
    """One process of the bot, connected to Discord. What its members do, `client.Bot` says, or the library."""

    store: Store
    settings: Settings
    tables: Tables
    rooms: Rooms
    requests: Requests

    @property
    def user(self) -> discord.ClientUser | None: ...
    def servers(self) -> int: ...
    @property
    def serving(self) -> Shards | None: ...
    @property
    def owner(self) -> str: ...
    def is_ours(self, guild_id: int | None) -> bool: ...
    def connections(self) -> tuple[int, int]: ...
    def is_ws_ratelimited(self) -> bool: ...
    def clock(self) -> int: ...
    def get_channel(self, id: int, /) -> Any: ...
    @property
    def fetch_channel(self) -> Callable[[int], Awaitable[Any]]: ...
    def get_user(self, id: int, /) -> Any: ...
    @property
    def fetch_user(self) -> Callable[[int], Awaitable[Any]]: ...
    @property
    def shards(self) -> Any: ...
    def get_shard(self, shard_id: int, /) -> Any: ...
    async def launch_shard(self, gateway: Any, shard_id: int) -> None: ...
    def session(self, shard: int) -> Session | None: ...
    def doubted(self) -> None: ...
    def took(self, shards: Shards) -> None: ...
    def parted(self) -> None: ...
    def wake(self) -> None: ...
    async def say(self, item: OutboxItem) -> None: ...
    async def retire(self, message: Message) -> None: ...
    async def lost(self, item: OutboxItem, error: discord.HTTPException) -> bool: ...
