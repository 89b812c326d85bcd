"""Finding room on a hex for numbers, labels and names: of many spots, the one that covers the least."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from engine.board.hexes import Layout
from renderer.geometry import APOTHEM, Curve, Point, direction, inside, length

_NEAR = 0.045
"""Things closer together than this, in units of R, look cramped."""

Obstacle = tuple[float, float, float, float]
"""x, y, radius, and the cost of covering it."""

HARD = 60.0
SOFT = 3.0
EDGE = 60.0
"""The cost of coming close to the hex's side."""


class Room:
    """What is on one hex so far; coordinates and lengths are in units of R."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.obstacles: list[Obstacle] = []
        self.spent = 0.0
        """The total cost of the spots chosen so far."""

    def add_curve(self, curve: Curve, half_width: float) -> None:
        """Add a line, which may be covered if nothing better is free."""
        total = length(curve)
        for a, b in itertools.pairwise(curve):
            pieces = max(1, math.ceil(math.dist(a, b) / 0.09)) if total else 1
            for i in range(pieces):
                t = i / pieces
                self.obstacles.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), half_width, SOFT))

    def add_disc(self, centre: Point, radius: float) -> None:
        """Add a disc, which should not be covered."""
        self.obstacles.append((*centre, radius, HARD))

    def add_box(self, centre: Point, half: Point) -> None:
        """Add a box, as a row of discs along its longer side."""
        wide, high = half
        size = min(wide, high)
        reach = max(wide, high) - size
        steps = max(1, math.ceil(2 * reach / max(size, 0.02)))
        for i in range(steps + 1):
            at = -reach + 2 * reach * i / steps
            x, y = (at, 0.0) if wide >= high else (0.0, at)
            self.obstacles.append((centre[0] + x, centre[1] + y, size, HARD))

    def cost(self, centre: Point, half: Point, *, disc: bool = False, limit: float = math.inf) -> float:
        """The cost of a box (or a disc of half its width) at this spot, 0 if it is free.

        Stops counting once the cost exceeds `limit`.
        """
        x, y = centre
        wide, high = (0.0, 0.0) if disc else half
        grown = half[0] if disc else 0.0
        total, covered, samples = 0.0, 0.0, 0
        # Well inside the hex no corner can come close to a side.
        outer = math.hypot(abs(x) + wide, abs(y) + high) + grown > APOTHEM - _NEAR
        for sx, sy in {(-wide, -high), (wide, -high), (wide, high), (-wide, high)} if outer else ():
            depth = inside(self.layout, (x + sx, y + sy)) - grown
            if depth < _NEAR:
                total += (_NEAR - depth) * 4 + max(0.0, 0.015 - depth) * EDGE
        if total > limit:
            return total
        for ox, oy, radius, weight in self.obstacles:
            dx, dy = abs(x - ox) - wide, abs(y - oy) - high
            reach = radius + grown + _NEAR
            if dx > reach or dy > reach:
                continue
            apart = max(dx, dy) if dx < 0 and dy < 0 else math.hypot(max(dx, 0.0), max(dy, 0.0))
            gap = apart - radius - grown
            if gap >= _NEAR:
                continue
            if weight == SOFT:
                # Track is a row of samples; what counts is the worst of them and, to a lesser degree, their number.
                covered, samples = max(covered, _NEAR - gap), samples + 1
            else:
                total += (_NEAR - gap) * 4 + max(0.0, -gap) * weight
                if total > limit:
                    return total
        return total + covered * SOFT + samples * 0.03

    def find(self, half: Point, spots: Iterable[tuple[Point, float]], *, disc: bool = False) -> Point:
        """The best of the spots, each with a cost of its own; the box is added there."""
        best, cost = self.best(half, spots, disc=disc)
        self.spent += max(0.0, cost)
        self.add_box(best, half)
        return best

    def best(self, half: Point, spots: Iterable[tuple[Point, float]], *, disc: bool = False) -> tuple[Point, float]:
        """(spot, cost) of the best spot; nothing is added."""
        chosen, least = (0.0, 0.0), math.inf
        for spot, liked in sorted(spots, key=lambda one: one[1]):
            if liked > least:
                break
            cost = liked + self.cost(spot, half, disc=disc, limit=least - liked)
            if cost < least:
                chosen, least = spot, cost
        return chosen, least

    def best_of(self, choices: Sequence[tuple[Point, float]]) -> tuple[int, Point, float]:
        """The best of several box sizes, each with a cost: (its index, spot, cost). Nothing is added."""
        tried = []
        for i, (half, liked) in enumerate(choices):
            spot, cost = self.best(half, for_names(half))
            tried.append((i, spot, liked + cost))
            if cost < 0.15:
                break
        return min(tried, key=lambda one: one[2])


def around(layout: Layout, near: Sequence[Point] = ()) -> list[tuple[Point, float]]:
    """Spots in the sixths between the sides and further in, with a slight preference for those near given points."""
    spots: list[tuple[Point, float]] = []
    for step in range(24):
        dx, dy = direction(layout, step / 4)
        for reach in (0.68, 0.62, 0.56, 0.5):
            at = (reach * dx, reach * dy)
            liked = min((math.dist(at, point) for point in near), default=0.0)
            # The right and lower halves look better with the coordinate at the top left.
            spots.append((at, 0.06 * liked - 0.01 * dx - 0.004 * dy + abs(0.62 - reach) * 0.05))
    return spots


def for_names(half: Point) -> list[tuple[Point, float]]:
    """Spots for a name, in rows: best in the middle of the hex, and better below the centre than above."""
    spots: list[tuple[Point, float]] = []
    for row in range(-13, 14):
        y = row * 0.06
        for column in range(-4, 5):
            x = column * 0.07
            spots.append(((x, y), 0.10 * abs(x) + 0.02 * abs(abs(y) - 0.5) + (0.01 if y < 0 else 0.0)))
    return spots
