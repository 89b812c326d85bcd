"""Requests that Discord refused: it bans an address for a while that makes 10,000 of them in ten minutes.

So they are counted, and long before that the bot stops by itself: first it tries nothing again that was refused, then
it asks for nothing at all. Several processes may be behind one address; each has its part of what all may use up.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, deque

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
