"""Whether a train left idle could run beside the routes that its director chose. {1860-RTE-01}

Only the shortest kind of route is looked for, because any longer one holds such a one: from an own base to the first
stop that another route has too, and where that is a halt, on to the next station.
"""

from collections.abc import Iterator, Sequence

from engine.actions import Route
from engine.board.network import Leg, network
from engine.board.routes import Run
from engine.frozen import dataclass
from engine.ids import CorpId, Rank
from engine.state import State
from engine.title import Title
from engine.titles.t1860.companies import tokened_out
from engine.titles.t1860.routing import passes_tokened_out, terms
from engine.titles.t1860.ways import ways

MOST_WALKS = 20_000
"""Walks tried from one base; where none of them has served by then the train may stay idle."""
_LEG_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class _Walk:
    """The way of a train from a base on."""

    stops: tuple[int, ...]
    legs: tuple[Leg, ...]
    track: int
    """Bits of the track used, by the other trains too."""
    hexes: int
    large: int
    small: int
    """Large and small stations called at."""
    passed: int
    """Tokened-out stations passed, by the other trains too."""
    met: bool
    """Whether another route has one of the stops."""


def idle_route(t: Title, s: State, corp: CorpId, rank: Rank, runs: Sequence[Run]) -> Route | None:
    """A route that one more train of this rank could run beside these legal ones; None if there is none."""
    search = _Search(t, s, corp, rank, runs)
    for base in s.board.token_stops(corp):
        way = search.from_base(search.net.number[base])
        if way is not None:
            return Route(rank, search.net.path(way.stops[0], way.legs))
    return None


class _Search:
    def __init__(self, t: Title, s: State, corp: CorpId, rank: Rank, runs: Sequence[Run]) -> None:
        self.state, self.corp, self.terms = s, corp, terms(t, s, corp, rank)
        self.net = network(s.board)
        self.printed = [s.board.stop(*stop) for stop in self.net.stops]
        self.full = [tokened_out(s, corp, *stop) for stop in self.net.stops]
        self.once = not ways(t).reenters_hexes
        self.used = 0
        for run in runs:
            self.used |= run.track
        self.others = {self.net.number[stop] for run in runs for stop in run.stops}
        self.passed = sum(passes_tokened_out(s, corp, run.stops) for run in runs)
        self.near = self._near_others()

    def _legs(self, stop: int) -> list[Leg]:
        return self.net.legs(stop, _LEG_STEPS) or []

    def _near_others(self) -> set[int]:
        """The stops from which free track leads to another route, however long."""
        near = list(self.others)
        for stop in near:  # grows while it is read
            if stop in self.others or not self.printed[stop].terminal:
                near += {leg.to for leg in self._legs(stop) if not leg.track & self.used} - {*near}
        return {*near}

    def from_base(self, base: int) -> _Walk | None:
        """The walk with the fewest legs that is a route."""
        here = 1 << self.net.hex_number[self.net.stops[base][0]]
        walks = [_Walk((base,), (), self.used, here, 1, 0, self.passed, base in self.others)]
        for tried, walk in enumerate(walks):  # grows while it is read
            if tried >= MOST_WALKS:
                break
            if walk.legs and walk.met and self.printed[walk.stops[-1]].kind != "halt":
                return walk
            walks.extend(self._further(walk))
        return None

    def _further(self, walk: _Walk) -> Iterator[_Walk]:
        """The walk with one leg more, in every way in which it may still become a route."""
        last = walk.stops[-1]
        passed = walk.passed + self.full[last]
        if self.printed[last].terminal or passed > 1:
            return
        here = 1 << self.net.hex_number[self.net.stops[last][0]]
        for leg in self._legs(last):
            if leg.to in walk.stops or leg.track & walk.track or not (walk.met or leg.to in self.near):
                continue
            comes_back = leg.hexes & walk.hexes & ~here or leg.hexes.bit_count() <= len(leg.sides)
            if self.once and comes_back:
                continue
            kind = self.printed[leg.to].kind
            large = walk.large + (kind in ("city", "offboard"))
            small = walk.small + (kind == "town" and not self.terms.skips)
            if large <= self.terms.large and small <= self.terms.small + self.terms.large - large:
                yield _Walk(
                    (*walk.stops, leg.to),
                    (*walk.legs, leg),
                    walk.track | leg.track,
                    walk.hexes | leg.hexes,
                    large,
                    small,
                    passed,
                    walk.met or leg.to in self.others,
                )
