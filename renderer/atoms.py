"""Single things on a hex: stops, terrain, icons. Each function draws one thing and knows no rules."""

import math
from collections.abc import Sequence
from functools import lru_cache

from renderer.geometry import Curve, Place, Point, slot_points, slot_radius
from renderer.pen import Pen, Shapes
from renderer.theme import BLOCKED, CASING, CLEAR, HEX_FILL, INK, RIVER, TOWN_BAR, TOWN_DOT, WHITE, Fill, Rgb, mix, rgb

_ROCK = rgb("#8a7a66")
_SNOW = rgb("#ffffff")
_BRICK = rgb("#a0522d")
_WALLS = rgb("#6b7079")
_MEASURED = 40
"""Pixels of R where a sign is measured."""


def city(pen: Shapes, place: Place, slots: int) -> None:
    """White slots on a white hull with a thin dark outline."""
    points = slot_points(place, slots)
    radius = slot_radius(place, slots)
    edge = CASING * 1.1
    if slots > 1:
        grown = radius + 0.045
        for size, fill in ((grown + edge, INK), (grown, mix(WHITE, HEX_FILL["white"], 0.5))):
            for i, a in enumerate(points):
                pen.disc(a, size, fill)
                for b in points[:i]:
                    pen.line([a, b], 2 * size if slots == 2 else 1.7 * size, fill)
            if slots > 2:
                pen.polygon(_hull(points), fill)
    for point in points:
        pen.disc(point, radius + (edge if slots == 1 else 0), WHITE, (INK, edge))


def _hull(points: Sequence[Point]) -> list[Point]:
    x, y = (sum(p[axis] for p in points) / len(points) for axis in (0, 1))
    return sorted(points, key=lambda p: math.atan2(p[1] - y, p[0] - x))


def town_bar(place: Place, extra: float = 0.0) -> Curve:
    """The ends of the bar of a town, across its track and longer by `extra` on both sides."""
    nx, ny = -place.tangent[1], place.tangent[0]
    half = TOWN_BAR[0] / 2 + extra
    return (place.x - nx * half, place.y - ny * half), (place.x + nx * half, place.y + ny * half)


def town(pen: Shapes, place: Place, ends: int, *, halt: bool = False) -> None:
    """A bar across the track, or a dot where more than two pieces of track meet; a halt is a grey bar or dot."""
    inner: Rgb = rgb("#8f949c") if halt else INK
    if ends in (1, 2):
        for extra, fill in ((2 * CASING, WHITE), (0.0, inner)) if not halt else ((2 * CASING, INK), (0.0, inner)):
            pen.line(town_bar(place, extra / 2), TOWN_BAR[1] + extra, fill)
    else:
        pen.disc(place.point, TOWN_DOT + CASING, inner, (INK if halt else WHITE, CASING))


def stub(pen: Shapes, way: Point, width: float, fill: Fill) -> None:
    """Track that leads off the board, tapering to a point from the side that `way` points to."""
    dx, dy = way
    tip, base = 0.36, 0.88
    half = width / 2
    pen.polygon(
        [
            (base * dx - half * dy, base * dy + half * dx),
            (base * dx + half * dy, base * dy - half * dx),
            (0.66 * dx + half * dy, 0.66 * dy - half * dx),
            (tip * dx, tip * dy),
            (0.66 * dx - half * dy, 0.66 * dy + half * dx),
        ],
        fill,
    )


def terrain(pen: Shapes, kind: str, at: Point, size: float) -> None:
    """A symbol about `size` high (in units of R) around a point."""
    x, y = at
    s = size
    if kind == "mountain":
        for cx, scale in ((x + 0.34 * s, 0.72), (x - 0.16 * s, 1.0)):
            w, h = 0.62 * s * scale, 0.55 * s * scale
            base = y + 0.45 * s
            top = base - 2 * h * 0.86
            pen.polygon([(cx - w, base), (cx, top), (cx + w, base)], _ROCK, (mix(_ROCK, INK, 0.5), 0.016))
            pen.polygon(
                [(cx - 0.3 * w, top + 0.52 * h), (cx, top), (cx + 0.3 * w, top + 0.52 * h), (cx, top + 0.36 * h)], _SNOW
            )
    elif kind == "water":
        for row in range(3):
            wave = [
                (x + s * (i / 12 - 1) * 0.62, y + s * (row - 1) * 0.3 + 0.075 * s * math.sin(i * math.pi / 4))
                for i in range(25)
            ]
            pen.line(wave, 0.1 * s, RIVER)
    elif kind == "wall":
        w, h = 0.6 * s, 0.22 * s
        pen.polygon(
            [(x - w, y), (x + w, y), (x + w, y + 2 * h), (x - w, y + 2 * h)], _BRICK, (mix(_BRICK, INK, 0.5), 0.014)
        )
        for i in range(4):
            cx = x - w + (i + 0.5) * 2 * w / 4
            pen.box((cx, y - 0.08 * s), (0.085 * s, 0.12 * s), 0, _BRICK, (mix(_BRICK, INK, 0.5), 0.014))
    elif kind == "urban":
        for cx, high in ((-0.38, 0.6), (0.0, 0.95), (0.38, 0.45)):
            pen.box((x + cx * s, y + 0.45 * s - high * s / 2), (0.17 * s, high * s / 2), 0, _WALLS)
            for row in range(int(high / 0.28)):
                pen.box(
                    (x + cx * s, y + 0.45 * s - high * s + (0.14 + 0.26 * row) * s), (0.07 * s, 0.055 * s), 0, WHITE
                )


def sign(pen: Shapes, kind: str, at: Point, size: float, ground: Fill) -> None:
    """The sign of this kind; `ground` is the colour around it."""
    if kind == "blocked":
        barred(pen, at, size * 0.5)
    elif kind == "port":
        anchor(pen, at, size)
    elif kind == "mine":
        mine(pen, at, size)
    elif kind == "destination":
        flag(pen, at, size, ground)
    elif kind == "token":
        pen.ring(at, size * 0.4, size * 0.12, INK)
    else:
        terrain(pen, kind, at, size)


@lru_cache(maxsize=256)
def sign_box(kind: str, size: float) -> tuple[Point, Point]:
    """(half its width and height, from where it is drawn to its middle) of a sign, as it is drawn."""
    pen = Pen(_MEASURED, (1.0, 1.0))
    sign(pen, kind, (0.0, 0.0), size, CLEAR)
    scale, drawn = pen.scale, pen.drawn()
    left, top, right, bottom = drawn.getbbox() or (0, 0, 0, 0)
    middle = (left + right - drawn.width) / 2 / scale, (top + bottom - drawn.height) / 2 / scale
    return ((right - left) / 2 / scale, (bottom - top) / 2 / scale), middle


def anchor(pen: Shapes, at: Point, size: float) -> None:
    """The symbol of a port."""
    x, y = at
    s = size
    pen.ring((x, y - 0.36 * s), 0.13 * s, 0.07 * s, RIVER)
    pen.line([(x, y - 0.24 * s), (x, y + 0.46 * s)], 0.1 * s, RIVER)
    pen.line([(x - 0.2 * s, y - 0.1 * s), (x + 0.2 * s, y - 0.1 * s)], 0.09 * s, RIVER)
    pen.arc((x, y + 0.06 * s), 0.38 * s, 12, 168, 0.1 * s, RIVER)
    for side in (-1, 1):
        pen.polygon(
            [
                (x + side * 0.50 * s, y - 0.02 * s),
                (x + side * 0.24 * s, y + 0.10 * s),
                (x + side * 0.46 * s, y + 0.24 * s),
            ],
            RIVER,
        )


def mine(pen: Shapes, at: Point, size: float) -> None:
    """The symbol of a mine: crossed hammer and pick."""
    x, y = at
    s = size
    for side in (-1, 1):
        pen.line([(x - side * 0.34 * s, y + 0.4 * s), (x + side * 0.26 * s, y - 0.3 * s)], 0.1 * s, INK)
        pen.line([(x + side * 0.06 * s, y - 0.42 * s), (x + side * 0.44 * s, y - 0.12 * s)], 0.16 * s, INK)


def flag(pen: Shapes, at: Point, size: float, ground: Fill) -> None:
    """The symbol of a destination, with a rim in the ground colour so that it stands out."""
    s = size
    x, y = at[0] - 0.3 * s, at[1]
    for extra, fill in ((0.07, ground), (0.0, INK)):
        pen.line([(x, y + 0.52 * s + extra / 2), (x, y - 0.55 * s - extra / 2)], 0.11 * s + extra, fill)
        cloth = [(x, y - 0.6 * s - extra), (x + 0.78 * s + 1.4 * extra, y - 0.26 * s), (x, y + 0.07 * s + extra)]
        pen.polygon(cloth, fill)


def barred(pen: Shapes, at: Point, radius: float) -> None:
    """The no-entry sign on a blocked hex."""
    pen.disc(at, radius, BLOCKED)
    pen.box(at, (0.62 * radius, 0.2 * radius), 0, WHITE)


def hatching(pen: Shapes, fill: Fill) -> None:
    """Thin slanting lines over a whole hex."""
    for i in range(-14, 15):
        pen.line([(i * 0.16 - 1, 1.0), (i * 0.16 + 1, -1.0)], 0.02, fill)
