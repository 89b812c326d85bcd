"""A thread-safe cache that drops the least recently used entries once it holds too many bytes."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Cache(Generic[Value]):
    """Values by key; safe to use from several threads at once."""

    def __init__(self, limit: int) -> None:
        """`limit` is in bytes, by the sizes that callers state."""
        self._limit, self._total = limit, 0
        self._kept: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Value | None:
        """The value, or None; it counts as just used."""
        with self._lock:
            entry = self._kept.get(key)
            if entry is None:
                return None
            self._kept.move_to_end(key)
            return entry[0]

    def __contains__(self, key: Hashable) -> bool:
        """Whether there is a value; it does not count as used."""
        with self._lock:
            return key in self._kept

    def put(self, key: Hashable, value: Value, size: int) -> None:
        """Keep a value of `size` bytes, and drop the least recently used beyond the limit."""
        with self._lock:
            before = self._kept.pop(key, None)
            self._total += size - (before[1] if before else 0)
            self._kept[key] = (value, size)
            self._drop()

    def resize(self, limit: int) -> None:
        """Change the limit, and drop what is beyond it."""
        with self._lock:
            self._limit = limit
            self._drop()

    @property
    def total(self) -> int:
        """The size of all that is kept, in bytes."""
        return self._total

    def _drop(self) -> None:
        while self._total > self._limit and len(self._kept) > 1:
            self._total -= self._kept.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self._total = 0


DEFAULT = 48 << 20
"""Bytes that all caches of pictures and their parts may hold together."""
_SHARES: list[tuple[Cache[Any], float]] = []


def share_of_all(part: float) -> Cache[Any]:
    """A new cache for this part of what all of them may hold."""
    kept: Cache[Any] = Cache(int(part * DEFAULT))
    _SHARES.append((kept, part))
    return kept


def limit_all(limit: int) -> None:
    """Let all caches together hold so many bytes."""
    for kept, part in _SHARES:
        kept.resize(int(part * limit))
