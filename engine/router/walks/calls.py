"""Where a train calls among the stops that it may bypass: by classes of stops that bring and cost the same."""

from engine.board.network import Leg
from engine.frozen import dataclass
from engine.router.area import InReach, by_way_of
from engine.router.case import ROUTES, Case, FoundRoute

COUNT = 6
"""Bits for the number of loose stops of one class."""
COUNTS = (1 << COUNT) - 1


@dataclass(frozen=True, slots=True)
class LooseCalls:
    """One way to call at loose stops: what it brings, and at how many stops of each class."""

    total: int
    subsidy: int
    counts: tuple[int, ...]


class Caller:
    """The calls of trains for which stops have these values."""

    def __init__(self, case: Case, area: InReach, value: list[int]) -> None:
        self.case, self.value = case, value
        kinds = {(value[n], case.cost[n], case.large[n]) for n in area.stops if case.bypass[n] and value[n]}
        self.classes = sorted(kinds, reverse=True)
        """(score, cost, whether large) of loose stops, the most worth first."""
        self._known: dict[tuple[int, int, int], list[LooseCalls]] = {}

    def loose(self, stop: int) -> int:
        """The unit of the class of a stop that may be bypassed; 0 if nothing is lost there."""
        index = self._class(stop)
        return 0 if index < 0 else 1 << COUNT * index

    def _class(self, stop: int) -> int:
        kind = self.value[stop], self.case.cost[stop], self.case.large[stop]
        return self.classes.index(kind) if kind in self.classes else -1

    def called(self, large: int, calls: int, loose: int) -> list[LooseCalls]:
        """What so many calls left bring at loose stops, none worse in both than another, the highest total first.

        `loose`: how many stops of each class may be called at, in fields of COUNT bits.
        """
        least = self._least(large, calls, loose)
        known = self._known.get(least)
        if known is None:
            known = self._known[least] = self._find(*least)
        return known

    def subsidy(self, worth: int) -> int:
        """The subsidy in a worth."""
        return worth % self.case.scale // ROUTES

    def _least(self, large: int, calls: int, loose: int) -> tuple[int, int, int]:
        """The same question without calls that cannot be made and stops that are too many."""
        left = wanted = wanted_large = 0
        for index, (_, cost, big) in enumerate(self.classes):
            room = (min(large, calls) if big else calls) // cost if cost else COUNTS
            count = min(loose >> COUNT * index & COUNTS, room)
            left |= count << COUNT * index
            wanted += count * cost
            wanted_large += count * cost if big else 0
        return min(large, wanted_large), min(calls, wanted), left

    def _find(self, large: int, calls: int, loose: int) -> list[LooseCalls]:
        ways: dict[tuple[int, int, int], tuple[int, ...]] = {(large, calls, 0): ()}
        for index, (score, cost, big) in enumerate(self.classes):
            count = loose >> COUNT * index & COUNTS
            more: dict[tuple[int, int, int], tuple[int, ...]] = {}
            for (large, calls, worth), counts in ways.items():
                for taken in range(count + 1):
                    left = large - taken * cost if big else large, calls - taken * cost
                    if min(left) < 0:
                        break
                    more.setdefault((*left, worth + taken * score), (*counts, taken))
            ways = more
        found: list[LooseCalls] = []
        for (_, _, worth), counts in sorted(ways.items(), key=lambda way: -way[0][2]):
            subsidy = self.subsidy(worth)
            if not found or subsidy > found[-1].subsidy:
                found.append(LooseCalls(worth // self.case.scale, subsidy, counts))
        return found

    def found(self, token: int, legs: list[Leg | None], calls: LooseCalls) -> FoundRoute:
        """The route that calls so. Its legs lead away from the token, after None by its other arm."""
        left, bypassed = list(calls.counts), set()
        for stop in sorted({token, *(leg.to for leg in legs if leg)}):
            if self.case.bypass[stop]:
                index = self._class(stop)
                if index >= 0 and left[index]:
                    left[index] -= 1
                else:
                    bypassed.add(stop)
        split = legs.index(None) if None in legs else len(legs)
        one = tuple(leg for leg in legs[:split] if leg)
        other = tuple(leg for leg in legs[split:] if leg)
        route = by_way_of(token, one, other)
        return FoundRoute(route.start, route.legs, frozenset(bypassed))
