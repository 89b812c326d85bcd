"""The tile language, and tiles turned on the map.

A face is written `face("green", "city:30x2", "0-a 1-a 3-a", label="T")`: the stops, separated by
spaces and lettered a, b, ... in order, then the track, each piece joining two of the sides 0-5
and stop letters. A stop is `kind:value`; tiered values are written `offboard:yellow=30,brown=60`.
These may follow, in this order: `xN` slots of a city, `+N` subsidy, `~N` the reach a visit uses,
`@hint` the place where it is drawn, `#name` the group of hexes that are one place, `!` if every route ends there,
which off-board areas do without saying.
"""

import re
from functools import cache
from typing import cast, get_args

from engine.frozen import dataclass
from engine.printed import Colour, End, Face, Stop, StopKind

_KINDS: tuple[str, ...] = get_args(StopKind)


_STOP = re.compile(
    r"(?P<kind>[a-z]+)"
    r"(:(?P<value>\d+|[a-z]+=\d+(,[a-z]+=\d+)*))?(x(?P<slots>\d+))?"
    r"(\+(?P<subsidy>\d+))?(~(?P<cost>\d+))?(@(?P<at>[\d.]+|center))?(#(?P<group>\w+))?(?P<terminal>!)?"
)


def face(colour: Colour, stops: str = "", track: str = "", label: str = "") -> Face:
    """Read a face from the tile language; ValueError says which part is not understood."""
    return _face(colour, stops, track, label)


@cache
def _face(colour: Colour, stops: str, track: str, label: str) -> Face:
    read = tuple(_read_stop(text) for text in stops.split())
    return Face(colour, read, tuple(_read_track(text, len(read)) for text in track.split()), label)


def _read_stop(text: str) -> Stop:
    match = _STOP.fullmatch(text)
    if match is None or match["kind"] not in _KINDS:
        raise ValueError(f"unknown stop {text!r}")
    value = match["value"] or "0"
    tiers = tuple(
        (tier, int(number)) for tier, _, number in (pair.partition("=") for pair in value.split(",")) if number
    )
    kind = cast(StopKind, match["kind"])
    return Stop(
        kind,
        revenue=0 if tiers else int(value),
        slots=int(match["slots"] or (1 if kind == "city" else 0)),
        tiers=tiers,
        at=match["at"] or "",
        group=match["group"] or "",
        visit_cost=int(match["cost"] or 1),
        subsidy=int(match["subsidy"] or 0),
        terminal=kind == "offboard" or bool(match["terminal"]),
    )


def _read_track(text: str, stops: int) -> tuple[End, End]:
    def end(part: str) -> End:
        if part.isdigit() and int(part) < 6:
            return int(part)
        if len(part) == 1 and 0 <= ord(part) - ord("a") < stops:
            return part
        raise ValueError(f"unknown end {part!r} in {text!r}")

    first, _, second = text.partition("-")
    return end(first), end(second)


@dataclass(frozen=True, slots=True, eq=False)
class Turned:
    """A face at a rotation, in the form the board works with; `turned` makes one of each, known by its identity.

    An end is a side 0-5, or 6 + index for a stop. `segments` are sorted pairs of ends.
    `from_end[e]` lists the ends that track joins to e, in ascending order.
    """

    face: Face
    rotation: int
    segments: frozenset[tuple[int, int]]
    from_end: tuple[tuple[int, ...], ...]
    exits: frozenset[int]

    def stop_sides(self, index: int) -> tuple[int, ...]:
        """Sides with track that leads straight to the stop."""
        return tuple(end for end in self.from_end[6 + index] if end < 6)


@cache
def turned(printed: Face, rotation: int) -> Turned:
    """The face at this rotation; each exists once."""

    def end(part: End) -> int:
        return (part + rotation) % 6 if isinstance(part, int) else 6 + ord(part) - ord("a")

    segments = frozenset((min(end(a), end(b)), max(end(a), end(b))) for a, b in printed.track)
    joined: list[list[int]] = [[] for _ in range(6 + len(printed.stops))]
    for a, b in sorted(segments):
        joined[a].append(b)
        joined[b].append(a)
    return Turned(
        printed,
        rotation,
        segments,
        tuple(tuple(sorted(ends)) for ends in joined),
        frozenset(e for segment in segments for e in segment if e < 6),
    )
