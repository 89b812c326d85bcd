"""How much one person may ask of the board: a bucket that fills by itself, and so many boards at once."""

import time
from collections import Counter

from bot.core.keyed import Lately

PER_SECOND, AT_ONCE = 25.0, 150.0
"""How fast a bucket fills, and how much it holds. A part costs one, a press three."""
MOST_OPEN = 20
"""Boards of one person, or of watchers without a name times `WATCHERS`."""
WATCHERS = 100
REMEMBERED = 5000


class Limits:
    """The buckets of all people."""

    def __init__(self, per_second: float = PER_SECOND) -> None:
        self._per_second = per_second
        self._left = Lately[str, tuple[float, float]](REMEMBERED)
        self._open: Counter[int] = Counter()

    def allows(self, who: str, cost: float) -> bool:
        """Whether the person may ask this, and note that they did."""
        now = time.monotonic()
        left, at = self._left.get(who, (AT_ONCE, now))
        left = min(AT_ONCE, left + (now - at) * self._per_second)
        enough = left >= cost
        self._left[who] = (left - cost if enough else left, now)
        return enough

    def opens(self, user: int) -> bool:
        """Whether the person may open one more board, and note it; `closes` must follow if so."""
        if self._open[user] >= MOST_OPEN * (1 if user else WATCHERS):
            return False
        self._open[user] += 1
        return True

    def closes(self, user: int) -> None:
        self._open[user] -= 1
        if self._open[user] <= 0:
            del self._open[user]
