"""What Discord asks of bots on many servers: shards, sessions begun one after another, 50 requests a second."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

MOST_GUILDS = 2500
"""Servers on one shard, beyond which Discord asks for more shards."""
RECOMMENDED = 1000
"""Servers for each shard that Discord recommends."""
GATEWAY_MESSAGES = 120
"""What a connection may say in a minute."""
DAY = 24 * 3600.0
AUTHENTICATION_FAILED, ALREADY_AUTHENTICATED, TOO_MUCH_SAID, INVALID_SHARD, SHARDING_REQUIRED = (
    4004, 4005, 4008, 4010, 4011,
)  # fmt: skip

Shard = tuple[int, int]
"""The number of a shard, and how many there are."""
ONLY: Shard = (0, 1)


def shard_of(guild: int | None, count: int) -> int:
    """The shard that is told of a server; of what belongs to none, the first."""
    return 0 if guild is None else (guild >> 22) % count


def read_shard(given: Any) -> Shard | None:
    """The shard as IDENTIFY names it, None where it is none."""
    if given is None:
        return ONLY
    if not isinstance(given, list) or len(given) != 2 or not all(type(one) is int for one in given):
        return None
    number, count = given
    return (number, count) if 0 <= number < count else None


@dataclass
class Starts:
    """How sessions may be begun: in each bucket one in some seconds, and so many a day."""

    seconds: float = 0.0
    """Discord wants 5; 0 for tests that are about something else."""
    concurrency: int = 1
    total: int = 1000
    used: int = 0
    since: float = field(default_factory=time.monotonic)
    """When the day began."""
    too_early: int = 0
    """How many were turned away because another had begun just before."""
    clock: Callable[[], float] = time.monotonic
    """What tells the time, in seconds; a test may hold it."""
    _last: dict[int, float] = field(default_factory=dict)

    def spent(self) -> bool:
        """Count one more. Whether it was one too many today: Discord then ends all sessions and resets the token."""
        self._new_day()
        self.used += 1
        return self.used > self.total

    def _new_day(self) -> None:
        if self.clock() - self.since >= DAY:
            self.since, self.used = self.clock(), 0

    def may_begin(self, shard: int) -> bool:
        """Whether a session of this shard may begin now; if so, it does."""
        bucket, now = shard % self.concurrency, self.clock()
        if now - self._last.get(bucket, -math.inf) < self.seconds:
            self.too_early += 1
            return False
        self._last[bucket] = now
        return True

    def payload(self) -> dict[str, int]:
        """The limits as Discord tells them; times in milliseconds."""
        self._new_day()
        left = max(self.total - self.used, 0)
        reset = max(0, round(1000 * (self.since + DAY - self.clock())))
        return {"total": self.total, "remaining": left, "reset_after": reset, "max_concurrency": self.concurrency}


@dataclass
class Pace:
    """So many requests in any such time for one token, over all its processes."""

    most: int = 50
    seconds: float = 1.0
    refused: int = 0
    clock: Callable[[], float] = time.time
    """What tells the time, in seconds; a test may hold it."""
    _begun: deque[float] = field(default_factory=lambda: deque(maxlen=1000))

    def wait(self, sent: float | None = None) -> float:
        """Take one more request: 0, or the seconds after which one would be taken.

        `sent`: when it was, if that is known: on a busy machine, requests that were sent apart arrive together.
        """
        now = self.clock() if sent is None else sent
        lately = [one for one in self._begun if now - self.seconds < one <= now]
        if len(lately) >= self.most:
            self.refused += 1
            return min(lately) + self.seconds - now
        self._begun.append(now)
        return 0.0
