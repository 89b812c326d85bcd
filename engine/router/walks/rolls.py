"""The walks of one kind of train that bring one amount of subsidy, the highest score first, as bitmaps.

An entry is a walk with one way to call on it; sets of entries are numbers with one bit an entry. Only the first
entries are made ready: searches rarely come to the walks that bring little.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

from engine.router.walks.calls import LooseCalls
from engine.router.walks.walks import BucketKey, Walks

NEVER = -(1 << 60)
"""The score of what cannot be."""
PIECE = 256
"""Entries made ready at once at least."""

WIDTH = 1_024
WINDOW = (1 << WIDTH) - 1


class Earning(NamedTuple):
    """What a train can do with the walks of one bucket. `score` is total times ROUTES plus one."""

    score: int
    key: BucketKey
    calls: LooseCalls


class Roll:
    """The entries of some ways, which come with the highest score first."""

    __slots__ = (
        "_alike", "_beside", "_contested", "_ends", "_grouped", "_indexed", "_marks", "_meets", "_users", "_walk_of",
        "_way_of", "_ways", "home", "met", "passes", "track", "walks",
    )  # fmt: skip

    def __init__(self, ways: list[Earning], walks: Walks, contested: tuple[int, ...]) -> None:
        self._ways, self.walks, self._contested = ways, walks, contested
        self._marks = [-way.score for way in ways]
        self._ends = list(accumulate((len(walks.buckets[way.key]) for way in ways), initial=0))
        self._walk_of: list[int] = []
        self._way_of: list[Earning] = []
        self.track: list[int] = []
        """The track of each entry that is ready."""
        self.met: list[int] = []
        """Its stops."""
        self._users: dict[int, int] = {}
        """For each bit of track the entries that use it."""
        self._meets: dict[int, int] = {}
        """For each bit of a stop the entries that meet it, once somebody asks."""
        self.home = self._set(lambda way: way.key.home)
        self.passes = self._set(lambda way: way.key.passes)
        """Entries that pass a full city of others."""
        self._beside: dict[tuple[int, bool | None], tuple[int, int]] = {}
        self._alike: dict[int, list[int]] = {}
        self._grouped = self._indexed = 0
        """How many entries are in `_alike` and `_users`, which are made when somebody asks."""

    def _set(self, holds: Callable[[Earning], bool]) -> int:
        digits = [
            ("1" if holds(way) else "0") * (self._ends[n + 1] - self._ends[n]) for n, way in enumerate(self._ways)
        ]
        return int("".join(digits)[::-1] or "0", 2)

    def most(self, home_only: bool | None) -> int:
        """The highest score of an entry, of one that goes home or of one that does not; NEVER if there is none."""
        return next((way.score for way in self._ways if home_only is None or way.key.home == home_only), NEVER)

    def __len__(self) -> int:
        return self._ends[-1]

    def peek(self, number: int) -> tuple[int, Earning]:
        """The walk and the way of any entry."""
        at = bisect_right(self._ends, number) - 1
        way = self._ways[at]
        return self.walks.buckets[way.key][number - self._ends[at]], way

    def fitting(self, track: int, met: int, looked: int, *, home: bool, passes: bool) -> tuple[int, Earning] | None:
        """The best entry that leaves the track alone and meets one of the stops, or None if it is not found soon.

        With `home` one that goes home; with `passes` it may pass a full city of others. `looked`: walks to look at.
        """
        tracks, mets = self.walks.track, self.walks.met
        for way in self._ways:
            if (home and not way.key.home) or (way.key.passes and not passes):
                continue
            for walk in self.walks.buckets[way.key]:
                if not tracks[walk] & track and mets[walk] & met:
                    return walk, way
                looked -= 1
                if not looked:
                    return None
        return None

    def entry(self, number: int) -> tuple[int, Earning]:
        """The walk and the way of an entry that is ready."""
        return self._walk_of[number], self._way_of[number]

    def best(self, some: int) -> int:
        """The highest score of some entries that are ready, NEVER if there are none."""
        return self._way_of[(some & -some).bit_length() - 1].score if some else NEVER

    def above(self, score: int) -> int:
        """The entries that score more; they are made ready."""
        count = self._ends[bisect_left(self._marks, -score)]
        if count > len(self._walk_of):
            self._grow(count)
        return (1 << count) - 1

    def _grow(self, count: int) -> None:
        """Makes at least `count` entries ready, and as many again as there are so that growing stays cheap."""
        first = len(self._walk_of)
        wanted = min(max(count, first * 2, PIECE), self._ends[-1])
        at = bisect_left(self._ends, first)
        while len(self._walk_of) < wanted:
            way = self._ways[at]
            at += 1
            bucket = self.walks.buckets[way.key]
            self._walk_of += bucket
            self._way_of += [way] * len(bucket)
        fresh = self._walk_of[first:]
        self.track += [self.walks.track[walk] for walk in fresh]
        self.met += [self.walks.met[walk] for walk in fresh]
        self._beside.clear()
        self._meets.clear()

    def alike(self) -> dict[int, list[int]]:
        """The entries that are ready by the contested track that they use, the best first."""
        groups, contested, first = self._alike, self._contested[1], self._grouped
        for number, track in enumerate(self.track[first:], first):
            groups.setdefault(track & contested, []).append(number)
        self._grouped = len(self.track)
        return groups

    def clear(self, some: int, track: int) -> int:
        """Those of some entries that leave the track alone."""
        users = self._users
        if self._indexed < len(self.track):
            for bit, fresh in _by_bit(self.track[self._indexed :]).items():
                users[bit] = users.get(bit, 0) | fresh << self._indexed
            self._indexed = len(self.track)
        while track and some:
            low = track & -track
            track ^= low
            row = users.get(low)
            if row is not None:
                some ^= some & row
        return some

    def meeting(self, some: int, parts: list[int]) -> int:
        """Those of some entries that meet a stop of every part, if the best of them does not; else all of them."""
        if not some or all(self.met[(some & -some).bit_length() - 1] & part for part in parts):
            return some
        if not self._meets:
            self._meets = _by_bit(self.met)
        for part in parts:
            met = 0
            while part:
                low = part & -part
                part ^= low
                met |= self._meets.get(low, 0)
            some &= met
        return some

    def beside(self, track: int, home_only: bool | None = None) -> tuple[int, int]:
        """The entries that leave the contested part of the track alone, and their highest score (NEVER without any).

        Kept, because many walks use the same part. `home_only`: those that go home, or those that do not.
        """
        key = track & self._contested[1]
        found = self._beside.get((key, home_only))
        if found is None:
            part = key & self._contested[0]
            if home_only is not None:
                some = self.beside(track)[0] & (self.home if home_only else ~self.home)
            elif part == key:
                some = self.clear((1 << len(self.track)) - 1, key)
            else:
                some = self.clear(self.beside(part)[0], key ^ part)
            found = self._beside[key, home_only] = some, self.best(some)
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
