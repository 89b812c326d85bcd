"""Where things are on a hex: sides, corners, track and stops, in units of R (a hex's side), with y downwards.

Sides are numbered as in `engine.board.hexes`. Each hex has its own coordinates, with the origin at its centre.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from engine.board.hexes import Layout
from engine.views import HexView, StopView

Point = tuple[float, float]
Curve = tuple[Point, ...]

APOTHEM = math.sqrt(3) / 2
"""From the centre of a hex to the middle of a side."""
_FIRST_SIDE = {"flat": 90.0, "pointy": 120.0}


def direction(layout: Layout, side: float) -> Point:
    """Unit vector to the middle of a side; side n + 0.5 is the corner after side n."""
    angle = math.radians(_FIRST_SIDE[layout] + 60 * side)
    return math.cos(angle), math.sin(angle)


def side_middle(layout: Layout, side: int) -> Point:
    """The middle of a side, where track meets it."""
    x, y = direction(layout, side)
    return APOTHEM * x, APOTHEM * y


def corners(layout: Layout, scale: float = 1.0) -> list[Point]:
    """The six corners; index n is the corner after side n."""
    return [(scale * x, scale * y) for x, y in (direction(layout, n + 0.5) for n in range(6))]


def side_ends(layout: Layout, side: int) -> tuple[Point, Point]:
    """The two corners of a side, clockwise."""
    at = corners(layout)
    return at[side - 1], at[side]


def hex_centre(layout: Layout, x: int, y: int) -> Point:
    """The centre of the hex at (x, y), the half steps of `engine.board.hexes.position`."""
    return (1.5 * x, APOTHEM * y) if layout == "flat" else (APOTHEM * x, 1.5 * y)


def half_size(layout: Layout) -> Point:
    """Half the width and half the height of a hex."""
    return (1.0, APOTHEM) if layout == "flat" else (APOTHEM, 1.0)


def curve_from_side(layout: Layout, side: int, end: Point) -> Curve:
    """Track that leaves the middle of a side at a right angle and follows a circle to `end`."""
    dx, dy = direction(layout, side)
    start = (APOTHEM * dx, APOTHEM * dy)
    vx, vy = end[0] - start[0], end[1] - start[1]
    along, aside = -(vx * dx + vy * dy), vx * -dy + vy * dx
    if abs(aside) < 1e-6:
        return start, end
    # The circle touches the inward normal at the start: its centre lies on the side's own line.
    radius = (along * along + aside * aside) / (2 * aside)
    centre = (start[0] - dy * radius, start[1] + dx * radius)
    first = math.atan2(start[1] - centre[1], start[0] - centre[0])
    turn = 2 * math.atan2(abs(aside), along)
    sweep = -math.copysign(turn, radius)
    steps = max(4, math.ceil(turn / math.radians(5)))
    size = abs(radius)
    return tuple(
        (centre[0] + size * math.cos(first + sweep * i / steps), centre[1] + size * math.sin(first + sweep * i / steps))
        for i in range(steps + 1)
    )


def side_to_side(layout: Layout, first: int, second: int) -> Curve:
    """Track between two sides: straight, or an arc of radius 1.5 or 0.5 around where the sides' lines meet."""
    return curve_from_side(layout, first, side_middle(layout, second))


def length(curve: Sequence[Point]) -> float:
    """The length of the line through these points."""
    return sum(math.dist(a, b) for a, b in pairwise(curve))


def along(curve: Sequence[Point], distance: float) -> tuple[Point, Point]:
    """(point, unit tangent) at a distance from the start of the curve, clamped to its ends."""
    left = max(0.0, distance)
    for a, b in pairwise(curve):
        step = math.dist(a, b)
        if step > 1e-12 and (left <= step or b is curve[-1]):
            part = min(1.0, left / step)
            tangent = ((b[0] - a[0]) / step, (b[1] - a[1]) / step)
            return (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])), tangent
        left -= step
    return curve[-1], (1.0, 0.0)


def part_of(curve: Sequence[Point], start: float, end: float) -> Curve:
    """The part of a curve between two distances from its start."""
    made = [along(curve, start)[0]]
    walked = 0.0
    for a, b in pairwise(curve):
        walked += math.dist(a, b)
        if start < walked < end:
            made.append(b)
    made.append(along(curve, end)[0])
    return tuple(made)


def dashed(curve: Sequence[Point], dashes: Sequence[float], start: float = 0.0) -> Iterator[Sequence[Point]]:
    """The pieces of a curve with dashes, on and off in turn; `start` is how far into the pattern it begins."""
    if not dashes:
        yield curve
        return
    total, at, index = length(curve), -(start % sum(dashes)), 0
    while at < total:
        piece = dashes[index % len(dashes)]
        if index % 2 == 0 and at + piece > 0:
            yield part_of(curve, max(0.0, at), min(total, at + piece))
        at, index = at + piece, index + 1


def shifted(curve: Sequence[Point], offset: float) -> Curve:
    """The curve shifted by so much to the right of travel (left if negative)."""
    made = []
    for i, point in enumerate(curve):
        before, after = curve[max(0, i - 1)], curve[min(len(curve) - 1, i + 1)]
        span = math.dist(before, after) or 1.0
        tx, ty = (after[0] - before[0]) / span, (after[1] - before[1]) / span
        made.append((point[0] - ty * offset, point[1] + tx * offset))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stop is drawn, and the direction of the track through it (a unit vector)."""

    x: float
    y: float
    tangent: Point
    centred: bool

    @property
    def point(self) -> Point:
        return self.x, self.y


def places(view: HexView, layout: Layout) -> tuple[Place, ...]:
    """Where each stop of a hex is drawn. Track ends are sides 0-5, already turned, or 6 + index of a stop."""
    stops = view.stops
    ends = [{b if a == 6 + i else a for a, b in view.track if 6 + i in (a, b)} for i in range(len(stops))]
    sides = [tuple(sorted(one & set(range(6)))) for one in ends]
    linked = [any(end >= 6 for end in one) for one in ends]
    choices = [
        _candidates(layout, view.rotation, stop, sides[i], linked[i], alone=len(stops) == 1)
        for i, stop in enumerate(stops)
    ]
    best = min(product(*choices), key=lambda chosen: _crowding([point for point, _ in chosen], [c for _, c in chosen]))
    points = [point for point, _ in best]
    return tuple(
        _placed(layout, point, sides[i], [points[end - 6] for end in sorted(ends[i]) if end >= 6])
        for i, point in enumerate(points)
    )


def _candidates(
    layout: Layout, rotation: int, stop: StopView, sides: tuple[int, ...], linked: bool, *, alone: bool
) -> list[tuple[Point, float]]:
    """Points where a stop may be, each with a cost (lower is better)."""
    if stop.at == "center":
        return [((0.0, 0.0), 0.0)]
    if stop.at:
        reach = 0.42 if stop.kind == "city" and len(stop.slots) > 1 else 0.5
        dx, dy = direction(layout, float(stop.at) + rotation)
        return [((reach * dx, reach * dy), 0.0)]
    if len(sides) == 2 and not linked and not (alone and stop.kind in ("city", "offboard")):
        curve = side_to_side(layout, *sides)
        total = length(curve)
        parts = (0.5,) if alone else (0.5, 0.36, 0.64, 0.27, 0.73)
        return [(along(curve, part * total)[0], abs(part - 0.5)) for part in parts]
    if alone:
        return [((0.0, 0.0), 0.0)]
    if len(sides) == 1:
        dx, dy = direction(layout, sides[0])
        return [((0.48 * dx, 0.48 * dy), 0.0)]
    if not sides:
        return [
            ((0.5 * dx, 0.5 * dy), i * 0.001) for i, (dx, dy) in enumerate(direction(layout, n / 2) for n in range(12))
        ]
    mean = [sum(direction(layout, side)[axis] for side in sides) / len(sides) for axis in (0, 1)]
    size = math.hypot(*mean)
    return [((0.42 * mean[0] / size, 0.42 * mean[1] / size), 0.0)] if size > 0.1 else [((0.0, 0.0), 0.0)]


def _crowding(points: Sequence[Point], costs: Sequence[float]) -> float:
    """A cost: how close the stops are to one another, and how far from their preferred places."""
    cost = sum(costs) * 0.5
    for i, a in enumerate(points):
        for b in points[:i]:
            cost += max(0.0, 0.75 - math.dist(a, b)) * 4
            # Stops without track are better side by side than one above the other.
            cost += 0.01 * abs(a[1] - b[1])
    return cost


def _placed(layout: Layout, point: Point, sides: tuple[int, ...], linked: Sequence[Point]) -> Place:
    """The stop's place at a point; `linked` are the stops that track joins to it inside the hex."""
    tangent = (1.0, 0.0)
    if sides:
        curve = curve_from_side(layout, sides[0], point)
        tangent = along(curve, length(curve))[1]
    elif linked:
        (ax, ay), (bx, by) = linked[0], linked[-1] if len(linked) > 1 else point
        span = math.dist((ax, ay), (bx, by)) or 1.0
        tangent = ((bx - ax) / span, (by - ay) / span)
    return Place(point[0], point[1], tangent, math.hypot(*point) < 0.15)


def segment_curve(layout: Layout, at: Sequence[Place], first: int, second: int) -> Curve:
    """The line of a track segment, from its first end to its second, which is the higher."""
    if second < 6:
        return side_to_side(layout, first, second)
    if first < 6:
        return curve_from_side(layout, first, at[second - 6].point)
    a, b = at[first - 6].point, at[second - 6].point
    # Between two stops the line bends through the middle of the hex.
    near, far = (a[0] * 0.4, a[1] * 0.4), (b[0] * 0.4, b[1] * 0.4)
    made = []
    for i in range(13):
        t = i / 12
        w = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        made.append(tuple(sum(f * p[axis] for f, p in zip(w, (a, near, far, b), strict=True)) for axis in (0, 1)))
    return tuple((x, y) for x, y in made)


def slot_points(place: Place, slots: int) -> list[Point]:
    """The centres of a city's slots: side by side, in a triangle, or in a square."""
    radius = slot_radius(place, slots)
    size = math.hypot(place.x, place.y)
    # Off centre, slots are placed across the line to the centre, so that none sticks out of the hex.
    ux, uy = (1.0, 0.0) if place.centred else (-place.y / size, place.x / size)
    if ux < 0 or (abs(ux) < 1e-9 and uy < 0):
        ux, uy = -ux, -uy
    patterns: dict[int, list[Point]] = {
        1: [(0, 0)],
        2: [(-1, 0), (1, 0)],
        3: [(-1, 0.58), (0, -1.15), (1, 0.58)],
        4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    }
    shape = patterns.get(slots) or [(2.0 * i - slots + 1, 0) for i in range(slots)]
    step = radius * 1.04
    return [(place.x + step * (a * ux - b * uy), place.y + step * (a * uy + b * ux)) for a, b in shape]


def slot_radius(place: Place, slots: int) -> float:
    """The radius of a city's slots in R; smaller the more there are, and off centre."""
    sizes = (0.29, 0.265, 0.25, 0.235)
    size = sizes[min(max(slots, 1), 4) - 1]
    return size if place.centred else size * 0.93
