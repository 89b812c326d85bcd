"""The part of the network that a company's trains can come to, and routes written as two arms from a token."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.board.hexes import opposite
from engine.board.network import Leg
from engine.router.case import Case, Exhausted, FoundRoute

LEGS_ALLOWED = 2_000
"""Steps for finding the legs of one stop."""


@dataclass(slots=True)
class InReach:
    """What the company's trains can come to: stops reached and the legs that a route may use."""

    legs: dict[int, list[Leg]] = field(default_factory=dict)
    stops: list[int] = field(default_factory=list)
    _bits: dict[int, int] = field(default_factory=dict)

    def dense(self, track: int) -> int:
        """The same track with bits counted from the first piece that was asked about, so that the numbers are short."""
        found = 0
        while track:
            low = track & -track
            track ^= low
            found |= self._bits.setdefault(low, 1 << len(self._bits))
        return found


def reached(case: Case) -> InReach:
    """The legs that routes of the company may use. Exhausted if there are too many of them."""
    area = InReach()
    area.stops = [stop for stop in case.tokens if case.open[stop]]
    met = set(area.stops)
    for stop in area.stops:  # grows while it is read
        found = case.net.legs(stop, LEGS_ALLOWED)
        if found is None:
            raise Exhausted
        area.legs[stop] = legs = [leg for leg in found if case.open[leg.to]]
        for leg in legs:
            if leg.to not in met:
                met.add(leg.to)
                if case.passable[leg.to]:
                    area.stops.append(leg.to)
    area.stops = sorted(met)
    return area


def by_way_of(token: int, one: Sequence[Leg], other: Sequence[Leg]) -> FoundRoute:
    """The route of two arms, both given as legs that lead away from the token."""
    start, back = token, []
    for leg in other:
        back.append(Leg(start, leg.track, tuple(opposite(side) for side in reversed(leg.sides)), leg.hexes))
        start = leg.to
    return FoundRoute(start, (*reversed(back), *one))
