"""Finding room on a hex for numbers, labels and names: of the spots that are free, the one that is liked best.

A hex is a grid of cells, each taken or free, kept as the bits of one number. Shifting and joining such numbers finds
every spot where a box fits, in some microseconds.
"""

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from PIL import Image, ImageDraw

from engine.board.hexes import Layout
from renderer.geometry import Curve, Point, corners, direction

_FINE = 64
"""Cells to R."""
_SIDE = 2 * _FINE
"""Cells in a row, and rows."""
_CELLS = _SIDE * _SIDE
_ALL = (1 << _CELLS) - 1

_MARGINS = ((0.045, 0.0), (0.02, 0.1), (0.009, 0.3))
"""Distances to other things, in units of R, and what it costs to be no further away; any closer they touch."""
_TIGHT = _MARGINS[-1][0]
_ELSEWHERE = 0.2
"""The cost of a spot that is not among the liked ones."""
COVERS = 5.0
"""The cost of covering anything."""


class Spots:
    """Spots, each with a cost of its own, the one that is liked best first."""

    def __init__(self, spots: Iterable[tuple[Point, float]]) -> None:
        self.liked = sorted(spots, key=lambda one: one[1])
        self.bits = [_bit(spot) for spot, _ in self.liked]
        """Each spot's cell."""
        self.cells = 0
        """All these cells."""
        for bit in self.bits:
            self.cells |= 1 << bit


class Space:
    """What is on one hex so far; coordinates and lengths are in units of R."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.taken = _outside(layout)
        """A bit for every cell, from the top left; its highest is the first."""
        self.spent = 0.0
        """The total cost of the spots chosen so far."""
        self._free: dict[tuple[int, Shape], int] = {}
        """What was found open already: several forms, orders and costs ask for the same."""

    def add_curve(self, curve: Curve, half_width: float) -> None:
        self.taken |= _line(curve, half_width)

    def add_disc(self, centre: Point, radius: float) -> None:
        """Add a disc, a third of a cell larger: cells that its rim only touches are taken, too."""
        self.taken |= _line((centre,), radius + 0.35 / _FINE)

    def add_box(self, centre: Point, half: Point) -> None:
        self.taken |= _box(centre, half)

    def find(self, half: Point, spots: Spots) -> Point:
        """The best spot for a box, if need be one that covers something; the box is added there."""
        best, cost = self.best(half, spots) or self.least_covered(half, spots)
        self.take(best, half, cost)
        return best

    def take(self, centre: Point, half: Point, cost: float, *, disc: bool = False) -> None:
        """Add a box (or a disc) at a spot found before, at its cost."""
        self.spent += max(0.0, cost)
        if disc:
            self.add_disc(centre, half[0])
        else:
            self.add_box(centre, half)

    def best(self, half: Point, spots: Spots, *, disc: bool = False, snug: bool = False) -> tuple[Point, float] | None:
        """(spot, cost) of the best free spot for a box (or a disc of half its width), if there is one.

        It may be elsewhere than the spots, for more; `snug`, it is wherever it leaves the others most room.
        """
        if snug:
            return self._snuggest(half, disc)
        least = spots.liked[0][1]
        found: list[tuple[Point, float]] = []
        for wanted, extra in ((_first_in, 0.0), (_nearest_in, _ELSEWHERE)):
            for margin, near in _MARGINS:
                if found and found[0][1] <= least + near:
                    break
                spot = wanted(self._open(half, margin, disc), spots)
                if spot is not None:
                    found.append((spot[0], spot[1] + near + extra))
                    found.sort(key=lambda one: one[1])
            if found:
                return found[0]
        return None

    def _snuggest(self, half: Point, disc: bool) -> tuple[Point, float] | None:
        """The free spot that touches most of what is there, so that what is left is of one piece."""
        free = self._open(half, _TIGHT, disc)
        if not free:
            return None
        around_it = (half[0] + 0.07, half[1] + 0.07)
        spot = max(_points(free & _THINNED or free), key=lambda one: _count(self.taken, one, around_it))
        return spot, _ELSEWHERE + _MARGINS[-1][1]

    def _open(self, half: Point, margin: float, disc: bool) -> int:
        """Every cell where the middle of the box can be."""
        shape = _shape(half, margin, disc)
        key = self.taken, shape
        free = self._free.get(key)
        if free is None:
            free = self._free[key] = ~_grown(self.taken, shape) & _ALL
        return free

    def least_covered(self, half: Point, spots: Spots) -> tuple[Point, float]:
        """(spot, cost) where a box covers the fewest cells."""

        def cost(one: tuple[Point, float]) -> float:
            return one[1] + COVERS + _count(self.taken, one[0], half) / _FINE

        best = min(spots.liked, key=cost)
        return best[0], cost(best)


Shape = tuple[tuple[int, int], ...]
"""Boxes around one middle, each half as wide and as high as so many cells: the wider, the lower."""

_DISC = tuple((1.01 * math.cos(turn), 1.01 * math.sin(turn)) for turn in map(math.radians, range(4, 90, 8)))
"""Boxes with a corner on a circle of radius 1 that together make a disc."""


@lru_cache(maxsize=4096)
def _shape(half: Point, margin: float, disc: bool) -> Shape:
    """A box or a disc with a margin around it, in cells."""
    boxes = [(half[0] * x, half[0] * y) for x, y in _DISC] if disc else [half]
    return tuple((math.ceil((x + margin) * _FINE), math.ceil((y + margin) * _FINE)) for x, y in boxes)


def _bit(at: Point) -> int:
    """The place of a cell's bit; it is the highest at the top left."""
    return _CELLS - 1 - round((at[1] + 1) * _FINE) * _SIDE - round((at[0] + 1) * _FINE)


def _points(cells: int) -> Iterator[Point]:
    """The middles of cells."""
    while cells:
        bit = cells.bit_length() - 1
        cells ^= 1 << bit
        row, column = divmod(_CELLS - 1 - bit, _SIDE)
        yield column / _FINE - 1, row / _FINE - 1


def _box(centre: Point, half: Point) -> int:
    """The cells of a box, as far as they are on the grid."""
    wide, high, shift = _span(centre, half)
    return _rows(wide, high) << shift


def _count(cells: int, centre: Point, half: Point) -> int:
    """How many of the cells lie in a box."""
    wide, high, shift = _span(centre, half)
    return (cells >> shift & _rows(wide, high)).bit_count()


def _span(centre: Point, half: Point) -> tuple[int, int, int]:
    """Width and height of a box in cells, as far as it is on the grid, and the bit of its last cell."""
    x, y = (centre[0] + 1) * _FINE, (centre[1] + 1) * _FINE
    wide, high = half[0] * _FINE, half[1] * _FINE
    left, right = max(0, math.floor(x - wide)), min(_SIDE, math.ceil(x + wide))
    top, bottom = max(0, math.floor(y - high)), min(_SIDE, math.ceil(y + high))
    if left >= right or top >= bottom:
        return 0, 0, 0
    return right - left, bottom - top, _SIDE - right + _SIDE * (_SIDE - bottom)


@lru_cache(maxsize=512)
def _rows(wide: int, high: int) -> int:
    """A box of set bits in the last columns of the last rows."""
    row = (1 << wide) - 1
    return sum(row << (_SIDE * i) for i in range(high))


def _spread(bits: int, far: int, step: int) -> int:
    """The bits and their copies up to `far` steps to either side."""
    reached, made = 1, bits
    while reached < 2 * far + 1:
        more = min(reached, 2 * far + 1 - reached)
        made |= made << (more * step)
        reached += more
    return made >> (far * step)


def _grown(bits: int, shape: Shape) -> int:
    """The bits grown to all sides by a shape. What wraps around lands where a box would stick out anyway.

    Growing step by step is the same as growing at once, so each box takes over what the one before has grown.
    """
    rows, wide = [], 0
    for x, _ in reversed(shape):
        bits = _spread(bits, x - wide, 1)
        wide = x
        rows.append(bits)
    made = 0
    for row, (_, y), low in zip(rows, reversed(shape), (*[y for _, y in reversed(shape)][1:], 0), strict=True):
        made = _spread(made | row, y - low, _SIDE)
    return made


@lru_cache(maxsize=4)
def _outside(layout: Layout) -> int:
    image = Image.new("1", (_SIDE, _SIDE), 1)
    ImageDraw.Draw(image).polygon([((x + 1) * _FINE, (y + 1) * _FINE) for x, y in corners(layout, 0.985)], fill=0)
    return int.from_bytes(image.tobytes(), "big")


@lru_cache(maxsize=512)
def _line(curve: Curve, half_width: float) -> int:
    """The cells of a line; of a disc, if it is a point."""
    image = Image.new("1", (_SIDE, _SIDE), 0)
    pen = ImageDraw.Draw(image)
    at = [((x + 1) * _FINE, (y + 1) * _FINE) for x, y in curve]
    half = half_width * _FINE
    if len(at) > 1:
        pen.line(at, fill=1, width=round(2 * half), joint="curve")
    else:
        pen.ellipse((at[0][0] - half, at[0][1] - half, at[0][0] + half, at[0][1] + half), fill=1)
    return int.from_bytes(image.tobytes(), "big")


def _first_in(free: int, spots: Spots) -> tuple[Point, float] | None:
    """The first free spot, moved to the middle of its cell."""
    if not free & spots.cells:
        return None
    cells = free.to_bytes(_CELLS // 8, "little")
    for bit, (_, liked) in zip(spots.bits, spots.liked, strict=True):
        if cells[bit >> 3] >> (bit & 7) & 1:
            return next(_points(1 << bit)), liked
    return None


def _nearest_in(free: int, spots: Spots) -> tuple[Point, float] | None:
    """The free cell that is nearest to the first of the spots, to within a few."""
    wanted, liked = spots.liked[0]
    for far in (0.15, 0.4, 2.0) if free else ():
        near = free & _THINNED & _box(wanted, (far, far))
        if near:
            spot = min(_points(near), key=lambda one: math.dist(one, wanted))
            return spot, liked + 0.1 * math.dist(spot, wanted)
    return None


_THINNED = sum(1 << _bit((column / _FINE, row / _FINE)) for row in range(-60, 61, 3) for column in range(-60, 61, 3))
"""Every third cell of every third row."""


@lru_cache(maxsize=512)
def around(layout: Layout, near: tuple[Point, ...] = ()) -> Spots:
    """Spots in the sixths between the sides and further in, with a slight preference for those near given points."""
    return Spots(_around(layout, near))


def _around(layout: Layout, near: tuple[Point, ...]) -> Iterator[tuple[Point, float]]:
    for step in range(24):
        dx, dy = direction(layout, step / 4)
        for reach in (0.68, 0.62, 0.56, 0.5):
            at = (reach * dx, reach * dy)
            liked = min((math.dist(at, point) for point in near), default=0.0)
            # The right and lower halves look better with the coordinate at the top left.
            yield at, 0.06 * liked - 0.01 * dx - 0.004 * dy + abs(0.62 - reach) * 0.05


@lru_cache(maxsize=1)
def for_names() -> Spots:
    """Spots for a name: best in the middle of the hex, and better below the centre than above."""
    return Spots(_for_names())


def _for_names() -> Iterator[tuple[Point, float]]:
    for row in range(-13, 14):
        y = row * 0.06
        for column in range(-4, 5):
            x = column * 0.07
            yield (x, y), 0.10 * abs(x) + 0.02 * abs(abs(y) - 0.5) + (0.01 if y < 0 else 0.0)


@lru_cache(maxsize=4)
def around_or_for_names(layout: Layout) -> Spots:
    """Both together, for what is as long as a name."""
    return Spots((*_around(layout, ()), *_for_names()))


@lru_cache(maxsize=512)
def for_coordinate(layout: Layout, wide: float) -> Spots:
    """Spots always in the same corner, unless the tile has something there; `wide` is half the width."""
    x, y = (-0.515 + wide, -0.725) if layout == "flat" else (0.0, -0.76)
    nearby = [((x + 0.03 * i, y + 0.03 * j), -2.0 + 0.3 * (abs(i) + j)) for i in range(-3, 4) for j in range(4)]
    corner_spots = [((x * 0.74, y * 0.74), 0.0) for x, y in corners(layout)]
    return Spots([((x, y), -3.0), *nearby, *corner_spots])
