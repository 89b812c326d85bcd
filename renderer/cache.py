"""A thread-safe cache that drops the least recently used entries once it holds too many bytes."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from renderer.shared import SharedParts

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


class Drawn:
    """Packed parts of pictures by what they show: in memory, and where they are shared with other processes."""

    def __init__(self) -> None:
        self._kept: Cache[bytes] = share_of_all(0.45)
        self._shared: SharedParts | None = None

    def share(self, parts: SharedParts | None) -> None:
        """Share parts from now on; None: no longer."""
        self._shared = parts

    def get(self, key: Hashable) -> bytes | None:
        """What was kept under the key, or None."""
        packed = self._kept.get(key)
        if packed is None and self._shared is not None:
            packed = self._shared.get(key)
            if packed is not None:
                self._keep(key, packed)
        return packed

    def has(self, key: Hashable) -> bool:
        """Whether something is kept under the key; it does not count as used."""
        return key in self._kept or (self._shared is not None and self._shared.has(key))

    def put(self, key: Hashable, packed: bytes) -> None:
        self._keep(key, packed)
        if self._shared is not None:
            self._shared.put(key, packed)

    def put_by(self, key: Hashable, packed: bytes) -> None:
        """Keep it for later: only where it is shared, if it is, so that nothing in use is dropped for it."""
        if self._shared is not None:
            self._shared.put(key, packed)
        else:
            self._keep(key, packed)

    def _keep(self, key: Hashable, packed: bytes) -> None:
        self._kept.put(key, packed, len(packed) + _OVERHEAD)

    def clear(self) -> None:
        """Drop everything that is kept in memory."""
        self._kept.clear()


_OVERHEAD = 1500
"""Bytes that an entry takes besides its value: above all what the key says."""
DRAWN = Drawn()
