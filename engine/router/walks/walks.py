"""All routes that a company's trains could run, where rules hold that tie stops and routes together.

A walk is a route without its calls: which of the stops that may be bypassed a train calls at is settled by its
length. Walks that call alike, whatever the length of the train, are put in one bucket, so that what trains can earn
is known from the buckets alone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.board.network import Leg
from engine.router.area import InReach
from engine.router.case import Case, Exhausted, FoundRoute, Meter
from engine.router.walks.calls import COUNT, Caller, LooseCalls

FIELD = 16
"""Bits for the calls made so far, with one to spare: it is set when there are too many."""
FULL = (1 << FIELD - 1) - 1


class Lengths:
    """What walks cost, in one number: large calls, calls, and loose stops as `Caller` counts them."""

    __slots__ = ("none", "over", "shift")

    def __init__(self, caller: Caller, large: int, calls: int) -> None:
        self.shift = COUNT * len(caller.classes)
        """Bits for loose stops; above them a field for calls and one for large calls."""
        self.none = FULL - large << self.shift + FIELD | FULL - calls << self.shift
        self.over = 1 << self.shift + FIELD - 1 | 1 << self.shift + 2 * FIELD - 1
        """A walk is too long for every train when one of these bits is set."""

    def of(self, large: int, calls: int, loose: int) -> int:
        """The number for so many large calls, calls and loose stops."""
        return large << self.shift + FIELD | calls << self.shift | loose

    def left(self, cost: int) -> tuple[int, int, int]:
        """Large calls and calls left, and loose stops."""
        return FULL - (cost >> self.shift + FIELD), FULL - (cost >> self.shift & FULL), cost & (1 << self.shift) - 1


Record = Callable[[int, int, int, bool, int], None]
"""Told of a walk: its cost (see `Lengths`), its worth, its mask, whether it passes a full city, its path."""


class Walker:
    """Lists walks.

    A mask holds places, hexes where none may be entered twice, and track, one bit each. Paths are known by number:
    a hundred thousand small objects would keep the garbage collector busy.
    """

    def __init__(self, case: Case, area: InReach, caller: Caller, lengths: Lengths, meter: Meter) -> None:
        self.case, self.area, self.lengths, self.meter = case, area, lengths, meter
        self.once, net = not case.rules.reenter, case.net
        self.hexes = len(net.stops)
        self.track = self.hexes + (len(net.hex_number) if self.once else 0)
        """First bit of hexes and of track in a mask."""
        price = [
            lengths.of(0, 0, caller.loose(stop)) if case.bypass[stop]
            else lengths.of(case.cost[stop] if case.large[stop] else 0, case.cost[stop], 0)
            for stop in range(len(net.stops))
        ]  # fmt: skip
        worth = [0 if case.bypass[stop] else value for stop, value in enumerate(caller.value)]
        self.price, self.worth = price, worth
        self._path: list[int] = [0]
        """The path before the last leg of each path; that of number 0 is none."""
        self._last: list[Leg | None] = [None]
        """The last leg of each path; None where the walk goes back to the token for its other arm."""
        self.ways = {
            stop: [(leg, leg.to, self._mask(stop, leg), price[leg.to], worth[leg.to], case.endable[leg.to],
                    case.passable[leg.to], case.guarded[leg.to]) for leg in legs
                   if not self.once or leg.hexes.bit_count() == len(leg.sides) + 1]
            for stop, legs in area.legs.items()
        }  # fmt: skip

    def _mask(self, stop: int, leg: Leg) -> int:
        here = self.case.net.hex_number[self.case.net.stops[stop][0]]
        entered = leg.hexes & ~(1 << here) if self.once else 0
        return self.case.place[leg.to] | entered << self.hexes | self.area.dense(leg.track) << self.track

    def legs(self, path: int) -> list[Leg | None]:
        """The legs of a path from the token on, None before those of its other arm."""
        found = []
        while path:
            found.append(self._last[path])
            path = self._path[path]
        return found[::-1]

    def starts(self, stops: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The stops from which walks are listed, and the places before them, which these leave alone."""
        barred, case = 0, self.case
        for token in stops:
            if case.open[token] and not barred & case.place[token]:
                yield token, barred
            barred |= case.place[token]

    def list(self, token: int, barred: int, record: Record) -> None:
        """Tells of every walk by way of the token that leaves the barred places alone."""
        case, meter, all_ways, over = self.case, self.meter, self.ways, self.lengths.over
        before, last = self._path, self._last
        Extension = tuple[Leg, int, int, int, int, bool, bool, bool]
        rest: list[Extension] = []

        def extend(ways: list[Extension], mask: int, cost: int, worth: int, passes: bool, path: int,
                   more: bool) -> None:  # fmt: skip
            """`more`: the walk's other arm is still to come."""
            meter.left -= len(ways)
            if meter.left < 0:
                raise Exhausted
            for leg, to, used, price, value, endable, passable, guarded in ways:
                if mask & used:
                    continue
                costs = cost + price
                if costs & over:
                    continue
                now, brings, onward = mask | used, worth + value, len(before)
                before.append(path)
                last.append(leg)
                if endable:
                    record(costs, brings, now, passes, onward)
                    if more and rest:
                        before.append(onward)
                        last.append(None)
                        extend(rest, now, costs, brings, passes, onward + 1, False)
                if passable and not (passes and guarded):
                    extend(all_ways[to], now, costs, brings, passes or guarded, onward, more)

        cost, mask = self.lengths.none + self.price[token], barred | case.place[token]
        if self.once:
            mask |= 1 << self.hexes + case.net.hex_number[case.net.stops[token][0]]
        if not cost & over:
            for first, way in enumerate(all_ways[token]):
                # The other arm leaves by a later leg, so that no walk is listed in both directions.
                rest = all_ways[token][first + 1 :] if case.passable[token] else []
                extend([way], mask, cost, self.worth[token], False, 0, True)


class BucketKey(NamedTuple):
    """What the walks of a bucket have in common."""

    cost: int
    """As `Lengths` counts."""
    worth: int
    """Score of the stops that every train calls at."""
    passes: bool
    """Whether it passes a full city of others."""
    home: bool


class Walks:
    """The walks of trains for which stops have the same values; `trains` are their numbers."""

    def __init__(self, case: Case, area: InReach, trains: list[int], meter: Meter) -> None:
        self.case = case
        self.caller = Caller(case, area, case.value[trains[0]])
        self.large, self.calls = max(case.reach[t] for t in trains), max(case.calls[t] for t in trains)
        self.lengths = Lengths(self.caller, self.large, self.calls)
        self.buckets: dict[BucketKey, list[int]] = {}
        """Numbers of walks."""
        self.track: list[int] = []
        """The track of each walk."""
        self.met: list[int] = []
        """The stops that it calls at or bypasses, one bit each."""
        self._token: list[int] = []
        self._path: list[int] = []
        self.walker = Walker(case, area, self.caller, self.lengths, meter)
        self._list()

    def _list(self) -> None:
        case, walker, number, buckets = self.case, self.walker, self.case.net.number, self.buckets
        tracks, mets, tokens, paths = self.track, self.met, self._token, self._path
        home = _mask(number[stop] for stop in case.rules.home if stop in number)
        grouped, stops, first = len(set(case.place)) < len(case.place), (1 << walker.hexes) - 1, walker.track
        plain: dict[tuple[int, int, bool, bool], list[int]] = {}
        """The buckets by what a key holds, which is found faster than by a key."""
        for token, barred in walker.starts(case.tokens):

            def record(cost: int, worth: int, mask: int, passes: bool, path: int, token: int = token,
                       own: int = stops & ~barred) -> None:  # fmt: skip
                met = mask & own if not grouped else _mask([token, *(leg.to for leg in walker.legs(path) if leg)])
                key = cost, worth, passes, met & home > 0
                bucket = plain.get(key)
                if bucket is None:
                    bucket = plain[key] = buckets[BucketKey(*key)] = []
                bucket.append(len(tracks))
                tracks.append(mask >> first)
                mets.append(met)
                tokens.append(token)
                paths.append(path)

            walker.list(token, barred, record)

    def keep(self, stops: int) -> None:
        """Drops the walks that meet none of the stops."""
        kept = {key: [walk for walk in bucket if self.met[walk] & stops] for key, bucket in self.buckets.items()}
        self.buckets = {key: bucket for key, bucket in kept.items() if bucket}

    def ways(self, train: int) -> list[tuple[int, int, LooseCalls, BucketKey]]:
        """What the train can earn: total, subsidy, the calls at loose stops, the bucket; for one bucket none worse
        in both than another."""
        case, caller = self.case, self.caller
        shorter = self.large - case.reach[train], self.calls - case.calls[train]
        known: dict[int, list[LooseCalls]] = {}
        found = []
        for key in self.buckets:
            calls = known.get(key.cost)
            if calls is None:
                large_left, calls_left, loose = self.lengths.left(key.cost)
                large_left, calls_left = large_left - shorter[0], calls_left - shorter[1]
                calls = known[key.cost] = (
                    caller.called(large_left, calls_left, loose) if min(large_left, calls_left) >= 0 else []
                )
            if calls:
                total, subsidy = key.worth // case.scale, caller.subsidy(key.worth)
                found += [(total + way.total, subsidy + way.subsidy, way, key) for way in calls]
        return found

    def found(self, walk: int, calls: LooseCalls) -> FoundRoute:
        """The walk as a route that calls so."""
        return self.caller.found(self._token[walk], self.walker.legs(self._path[walk]), calls)


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
