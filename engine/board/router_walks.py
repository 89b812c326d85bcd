"""All routes that a company's trains could run, where rules hold that tie stops and routes together.

A walk is a route without its calls: which of the stops that may be bypassed a train calls at is settled by its
length. Walks that call alike, whatever the length of the train, are put in one bucket, so that what trains can earn
is known from the buckets alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.board.network import Leg
from engine.board.router_case import ROUTES, Case, Found
from engine.board.router_search import Candidate, Exhausted, Field, Meter

COUNT = 6
"""Bits for the number of loose stops of one class."""
Path = tuple["Path | None", Leg | None]
"""Legs so far, the last one outermost; no leg where the walk goes back to the token for its other arm."""


class Walk(NamedTuple):
    track: int
    met: int
    """Stops called at or bypassed, one bit each."""
    token: int
    path: Path


class Key(NamedTuple):
    """What the walks of a bucket have in common."""

    worth: int
    """Score of the stops that every train calls at."""
    large: int
    calls: int
    loose: int
    """How many stops of each class it may bypass, in fields of COUNT bits."""
    passes: bool
    """Whether it passes a full city of others."""
    home: bool
    bonus: int


@dataclass(frozen=True, slots=True)
class Calls:
    """One way to call at the stops of a walk: what it brings, and how many loose stops of each class it calls at."""

    total: int
    subsidy: int
    counts: tuple[int, ...]


class Walks:
    """The walks of trains for which stops have the same values; `trains` are their numbers."""

    def __init__(self, case: Case, area: Field, trains: list[int], meter: Meter, *, all_of_them: bool) -> None:
        self.case, self.all_of_them = case, all_of_them
        self.value = case.value[trains[0]]
        self.large, self.calls = max(case.reach[t] for t in trains), max(case.calls[t] for t in trains)
        number = case.net.number
        self.home = sum(1 << number[stop] for stop in case.rules.home if stop in number)
        kinds = {(self.value[n], case.cost[n], case.large[n]) for n in area.stops if case.bypass[n] and self.value[n]}
        self.classes = sorted(kinds, reverse=True)
        """(score, cost, whether large) of loose stops, the most worth first."""
        self.bonuses = [
            (_mask(number[s] for s in bonus.one if s in number), _mask(number[s] for s in bonus.other if s in number),
             bonus.amount) for bonus in case.rules.bonuses
        ]  # fmt: skip
        self.buckets: dict[Key, list[Walk]] = {}
        self._known: dict[tuple[int, int, Key], list[Calls]] = {}
        self._loose: dict[tuple[int, int, int], list[tuple[int, int, tuple[int, ...]]]] = {}
        self._list(area, meter)

    def _list(self, area: Field, meter: Meter) -> None:
        case, rules, net = self.case, self.case.rules, self.case.net
        place, home, buckets, bonuses = case.place, self.home, self.buckets, self.bonuses
        once, all_of_them = not rules.reenter, self.all_of_them
        hex_bit = [1 << net.hex_number[stop[0]] if once else 0 for stop in net.stops]
        grouped = len(set(place)) < len(place)
        large, calls, worth, loose = self._tolls()
        ways = {
            stop: [(leg, leg.to, leg.track, leg.hexes if once else 0, place[leg.to]) for leg in legs
                   if not once or leg.hexes.bit_count() == len(leg.sides) + 1]
            for stop, legs in area.legs.items()
        }  # fmt: skip
        Way = tuple[Leg, int, int, int, int]
        endable, passable, guarded = case.endable, case.passable, case.guarded
        rest: list[Way] = []
        token = barred = 0

        plain: dict[tuple[int, int, int, int, bool, bool, int], list[Walk]] = {}
        """The buckets by what a key holds, which is found faster than by a key."""

        def record(track: int, seen: int, large_used: int, calls_used: int, passes: bool, brings: int, free: int,
                   path: Path) -> None:  # fmt: skip
            met = seen & ~barred
            if grouped:
                met = 1 << token | _mask(leg.to for leg in _legs(path) if leg is not None)
            bonus = 0
            for here, there, amount in bonuses:
                if met & here and met & there:
                    bonus += amount
            key = brings, large_used, calls_used, free, passes, met & home > 0, bonus
            bucket = plain.get(key)
            if bucket is None:
                plain[key] = buckets[Key(*key)] = [Walk(track, met, token, path)]
            elif all_of_them:
                bucket.append(Walk(track, met, token, path))

        def extend(from_here: list[Way], here: int, track: int, seen: int, hexes: int, large_left: int,
                   calls_left: int, passes: bool, brings: int, free: int, path: Path | None,
                   more: bool) -> None:  # fmt: skip
            """`more`: the walk's other arm is still to come."""
            meter.left -= len(from_here)
            if meter.left < 0:
                raise Exhausted
            entered = hexes & ~hex_bit[here]
            for leg, to, used, touched, spot in from_here:
                if track & used or seen & spot or touched & entered:
                    continue
                now_large, now_calls = large_left - large[to], calls_left - calls[to]
                if now_large < 0 or now_calls < 0:
                    continue
                now, met, where = track | used, seen | spot, hexes | touched
                got, spare, onward = brings + worth[to], free + loose[to], (path, leg)
                if endable[to]:
                    record(now, met, self.large - now_large, self.calls - now_calls, passes, got, spare, onward)
                    if more and rest:
                        extend(rest, token, now, met, where, now_large, now_calls, passes, got, spare,
                               (onward, None), False)  # fmt: skip
                if passable[to] and not (passes and guarded[to]):
                    extend(ways[to], to, now, met, where, now_large, now_calls, passes or guarded[to], got, spare,
                           onward, more)  # fmt: skip

        for token in case.tokens:
            if not case.open[token] or barred & place[token]:
                continue
            large_left, calls_left = self.large - large[token], self.calls - calls[token]
            if large_left >= 0 and calls_left >= 0:
                start = ways[token]
                for first, way in enumerate(start):
                    # The other arm leaves by a later leg, so that no walk is listed in both directions.
                    rest = start[first + 1 :] if passable[token] else []
                    extend([way], token, 0, barred | place[token], hex_bit[token], large_left, calls_left, False,
                           worth[token], loose[token], None, True)  # fmt: skip
            barred |= place[token]

    def _tolls(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """For each stop: large calls, calls and score that are sure, and the unit of its class if it is loose."""
        case = self.case
        large, calls, worth, loose = [], [], [], []
        for n, cost in enumerate(case.cost):
            sure = not case.bypass[n]
            large.append(cost if sure and case.large[n] else 0)
            calls.append(cost if sure else 0)
            worth.append(self.value[n] if sure else 0)
            kind = self.value[n], cost, case.large[n]
            loose.append(1 << COUNT * self.classes.index(kind) if not sure and kind in self.classes else 0)
        return large, calls, worth, loose

    def ways(self, train: int, key: Key) -> list[Calls]:
        """How the train can call on walks of this bucket, none worse in both; empty where it is too short."""
        case = self.case
        limits = case.reach[train], case.calls[train]
        known = self._known.get((*limits, key))
        if known is None:
            known = self._known[(*limits, key)] = self._find(*limits, key)
        return known

    def _find(self, large: int, calls: int, key: Key) -> list[Calls]:
        if key.large > large or key.calls > calls:
            return []
        scale, loose = self.case.scale, (large - key.large, calls - key.calls, key.loose)
        more = self._loose.get(loose)
        if more is None:
            more = self._loose[loose] = self._called(*loose)
        sure = key.worth // scale + key.bonus, key.worth % scale // ROUTES
        return [Calls(sure[0] + total, sure[1] + subsidy, counts) for total, subsidy, counts in more]

    def _called(self, large: int, calls: int, loose: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Totals, subsidies and calls at loose stops for so many calls left, none worse in both than another."""
        ways: dict[tuple[int, int, int], tuple[int, ...]] = {(large, calls, 0): ()}
        for index, (score, cost, big) in enumerate(self.classes):
            count = loose >> COUNT * index & ((1 << COUNT) - 1)
            more: dict[tuple[int, int, int], tuple[int, ...]] = {}
            for (large, calls, worth), counts in ways.items():
                for taken in range(count + 1):
                    left = large - taken * cost if big else large, calls - taken * cost
                    if min(left) < 0:
                        break
                    more.setdefault((*left, worth + taken * score), (*counts, taken))
            ways = more
        scale = self.case.scale
        found: list[tuple[int, int, tuple[int, ...]]] = []
        for (_, _, worth), counts in sorted(ways.items(), key=lambda way: -way[0][2]):
            subsidy = worth % scale // ROUTES
            if not found or subsidy > found[-1][1]:
                found.append((worth // scale, subsidy, counts))
        return found

    def found(self, walk: Walk, calls: Calls) -> Found:
        """The route that calls so."""
        case = self.case
        called = list(calls.counts)
        bypassed = set()
        for stop in bits(walk.met):
            if case.bypass[stop]:
                kind = self.value[stop], case.cost[stop], case.large[stop]
                index = self.classes.index(kind) if kind in self.classes else -1
                if index >= 0 and called[index]:
                    called[index] -= 1
                else:
                    bypassed.add(stop)
        legs = _legs(walk.path)
        split = legs.index(None) if None in legs else len(legs)
        one = tuple(leg for leg in legs[:split] if leg)
        other = tuple(leg for leg in legs[split:] if leg)
        route = Candidate(0, walk.track, walk.token, one, other).found()
        return Found(route.start, route.legs, frozenset(bypassed))


def _legs(path: Path) -> list[Leg | None]:
    found = []
    rest: Path | None = path
    while rest is not None:
        rest, leg = rest
        found.append(leg)
    return found[::-1]


def _mask(numbers: object) -> int:
    mask = 0
    for number in numbers:  # type: ignore[attr-defined]
        mask |= 1 << number
    return mask


def bits(mask: int) -> list[int]:
    """The numbers of the bits set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
