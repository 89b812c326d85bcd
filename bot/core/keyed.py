"""By key: a lock for each of many things, and what was kept last."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from typing import TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K")
V = TypeVar("V")


class Locks:
    """A lock for each of many things, kept as long as anybody has it or waits for it."""

    def __init__(self) -> None:
        self._locks = WeakValueDictionary[Hashable, asyncio.Lock]()

    def of(self, what: Hashable) -> asyncio.Lock:
        return self._locks.setdefault(what, asyncio.Lock())


class Lately(OrderedDict[K, V]):
    """As many entries as there may be, those that were set last; what was set longest ago goes first."""

    def __init__(self, most: int = 1000) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.most:
            self.popitem(last=False)
