"""The walks of one kind of train in the order of what they bring, as bitmaps that serve every search.

An entry is a walk with one way to call on it; entries are numbered from the highest score down. Sets of entries are
numbers with one bit an entry. Only the first entries are made ready: searches start near the bound and rarely come
to the walks that bring little.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from engine.board.router_walks import Calls, Key, Walk

PIECE = 2_048
"""Entries made ready at once at least."""

WIDTH = 1_024
WINDOW = (1 << WIDTH) - 1


@dataclass(frozen=True, slots=True)
class Way:
    """What a train can do with the walks of one bucket. `score` is total times ROUTES plus one."""

    score: int
    subsidy: int
    """In units."""
    key: Key
    calls: Calls


class Roll:
    """The entries of one kind of train. `ways` come with the highest score first."""

    __slots__ = (
        "_bring", "_buckets", "_ends", "_marks", "_ready", "_way_of", "home", "meets", "passes", "users",
        "walks", "ways",
    )  # fmt: skip

    def __init__(self, ways: list[Way], buckets: dict[Key, list[Walk]]) -> None:
        self.ways, self._buckets = ways, buckets
        self._marks = [-way.score for way in ways]
        self._ends = list(accumulate((len(buckets[way.key]) for way in ways), initial=0))
        self._ready = 0
        self.walks: list[Walk] = []
        """The walk of each entry that is ready."""
        self._way_of: list[Way] = []
        self.users: dict[int, int] = {}
        """For each bit of track the entries that use it."""
        self.meets: dict[int, int] = {}
        """For each bit of a stop the entries that meet it."""
        self.home = self._set(lambda way: way.key.home)
        self.passes = self._set(lambda way: way.key.passes)
        """Entries that pass a full city of others."""
        self._bring = [
            self._set(lambda way, level=level: way.subsidy >= level)  # type: ignore[misc]
            for level in range(max((way.subsidy for way in ways), default=0) + 1)
        ]

    def _set(self, holds: Callable[[Way], bool]) -> int:
        ends = self._ends
        digits = ["1" * (ends[n + 1] - ends[n]) if holds(way) else "0" * (ends[n + 1] - ends[n])
                  for n, way in enumerate(self.ways)]  # fmt: skip
        return int("".join(digits)[::-1] or "0", 2)

    def bring(self, subsidy: int) -> int:
        """The entries that bring at least so many units of subsidy."""
        return self._bring[subsidy] if subsidy < len(self._bring) else 0

    def levels(self) -> int:
        return len(self._bring)

    def entry(self, number: int) -> tuple[Walk, Way]:
        return self.walks[number], self._way_of[number]

    def count(self, score: int) -> int:
        """The number of entries that score more."""
        return self._ends[bisect_left(self._marks, -score)]

    def ready(self, score: int) -> int:
        """The number of entries that score more; they are made ready."""
        count = self.count(score)
        if count > len(self.walks):
            self._grow(count)
        return count

    def _grow(self, count: int) -> None:
        """Makes at least `count` entries ready, and as many again as there are so that growing stays cheap."""
        first = len(self.walks)
        wanted = max(count, min(first * 2, self._ends[-1]), min(PIECE, self._ends[-1]))
        while len(self.walks) < wanted:
            way = self.ways[self._ready]
            self._ready += 1
            bucket = self._buckets[way.key]
            self.walks += bucket
            self._way_of += [way] * len(bucket)
        fresh = self.walks[first:]
        for rows, masks in (
            (self.users, [walk.track for walk in fresh]),
            (self.meets, [walk.met for walk in fresh]),
        ):
            for bit, row in _by_bit(masks).items():
                rows[bit] = rows.get(bit, 0) | row << first

    def clear(self, some: int, track: int) -> int:
        """Those of some entries that leave the track alone."""
        users = self.users
        while track and some:
            low = track & -track
            track ^= low
            row = users.get(low)
            if row is not None:
                some ^= some & row
        return some

    def meeting(self, some: int, stops: int) -> int:
        """Those of some entries that meet one of the stops."""
        meets, found = self.meets, 0
        while stops and some:
            low = stops & -stops
            stops ^= low
            row = meets.get(low)
            if row is not None:
                row &= some
                found |= row
                some ^= row
        return found


def numbers(entries: int) -> Iterator[int]:
    """The numbers of the entries, the lowest first."""
    first = 0
    while entries:
        part = entries & WINDOW
        while part:
            low = part & -part
            part ^= low
            yield first + low.bit_length() - 1
        entries >>= WIDTH
        first += WIDTH


SET = [bytes(48 + (byte >> bit & 1) for byte in range(256)) for bit in range(8)]
"""[bit][byte]: the digit 1 where the byte has the bit."""


def _by_bit(masks: list[int]) -> dict[int, int]:
    """For each bit the numbers of the masks that have it, one bit each."""
    size = max((mask.bit_length() for mask in masks), default=0) // 8 + 1
    data = b"".join([mask.to_bytes(size, "little") for mask in reversed(masks)])
    rows: dict[int, int] = {}
    for place in range(size):
        column = data[place::size]
        if column.strip(b"\0"):
            for bit in range(8):
                row = int(column.translate(SET[bit]), 2)
                if row:
                    rows[1 << place * 8 + bit] = row
    return rows
