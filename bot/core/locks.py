"""Locks by what they are for."""

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class Locks:
    """A lock for each of many things, kept as long as anybody has it or waits for it."""

    def __init__(self) -> None:
        self._locks = WeakValueDictionary[Hashable, asyncio.Lock]()

    def of(self, what: Hashable) -> asyncio.Lock:
        return self._locks.setdefault(what, asyncio.Lock())
