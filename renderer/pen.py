"""A layer for drawing shapes in units of R, several times too large and then reduced to smooth every edge."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from PIL import Image, ImageDraw

from renderer.geometry import Curve, Point, dashed
from renderer.theme import CLEAR, Fill, Rgb

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; the last two just outside."""
Outline = tuple[Fill, float]
"""Its colour and width."""


class Shapes(Protocol):
    """What can be drawn of shapes, in units of R: as pixels by a `Pen`, or as SVG by `vector.SvgPen`."""

    def polygon(self, points: Sequence[Point], fill: Fill | None, outline: Outline | None = None) -> None:
        """A filled polygon with an outline; None leaves out either."""

    def line(self, points: Sequence[Point], width: float, fill: Fill, *, round_ends: bool = False) -> None:
        """A line through the points."""

    def dashed(self, curve: Curve, dashes: Sequence[float], width: float, fill: Fill, start: float = 0.0) -> None:
        """A dashed line, with lengths on and off in turn; `start` is how far into the pattern it begins."""

    def disc(self, centre: Point, radius: float, fill: Fill | None, outline: Outline | None = None) -> None:
        """A filled disc; the outline lies within the radius."""

    def ring(self, centre: Point, radius: float, width: float, fill: Fill) -> None:
        """A circle without filling; its line lies within the radius."""

    def box(self, at: Point, half: Point, corner: float, fill: Fill | None, outline: Outline | None = None) -> None:
        """A rectangle with rounded corners; the outline lies within it."""

    def arc(self, centre: Point, radius: float, start: float, end: float, width: float, fill: Fill) -> None:
        """Part of a circle, angles in degrees clockwise from the right."""

    def keep_inside(self, points: Sequence[Point]) -> None:
        """Make everything outside the polygon transparent."""


def layer_size(radius: float, half: Point) -> tuple[int, int]:
    """Width and height in pixels of a layer: the box and a margin of one pixel."""
    width, height = (2 * math.ceil(side * radius + 1) for side in half)
    return width, height


class _Canvas:
    """Part of a layer, several times too large; `box` is in pixels of the final size."""

    def __init__(self, pen: Pen, box: Box) -> None:
        self._left, self._top, right, bottom = (pen.times * side for side in box)
        mode, colour = ("RGBA", CLEAR) if pen.ground is None else ("RGB", pen.ground)
        self.scale = pen.scale
        self.image = Image.new(mode, (right - self._left, bottom - self._top), colour)
        self.draw = ImageDraw.Draw(self.image)
        self._x, self._y = pen.width * pen.times / 2, pen.height * pen.times / 2

    # Places are reckoned on the whole layer, so that they are rounded alike whatever part of it is drawn.

    def at(self, points: Sequence[Point]) -> list[Point]:
        scale, left, top = self.scale, self._left, self._top
        return [(self._x + x * scale - left, self._y + y * scale - top) for x, y in points]

    def around(self, centre: Point, half: Point) -> tuple[float, float, float, float]:
        """The box of so much around a point."""
        x, y = self._x + centre[0] * self.scale, self._y + centre[1] * self.scale
        wide, high, left, top = half[0] * self.scale, half[1] * self.scale, self._left, self._top
        return x - wide - left, y - high - top, x + wide - left, y + high - top

    def thick(self, width: float) -> int:
        """A width in pixels."""
        return max(1, round(width * self.scale))

    def keep_inside(self, points: Sequence[Point]) -> None:
        """Make everything outside the polygon transparent."""
        mask = Image.new("L", self.image.size, 0)
        ImageDraw.Draw(mask).polygon(self.at(points), fill=255)
        self.image = Image.composite(self.image, Image.new("RGBA", self.image.size, CLEAR), mask)
        self.draw = ImageDraw.Draw(self.image)


class Pen:
    """Draws on a transparent layer; `half` is half its width and height in R, `radius` the final pixels per R.

    With a `ground` the layer is an opaque one of that colour. Shapes are noted, and drawn when the layer is asked for:
    of a transparent one only the part that they reach is made, as most is empty and what is large takes time.
    """

    def __init__(self, radius: float, half: Point, *, ground: Rgb | None = None) -> None:
        self.width, self.height = layer_size(radius, half)
        self.times = 4 if radius < 100 else 3 if radius < 180 else 2
        """How many times too large it is drawn: what is large by itself has smooth edges sooner."""
        self.scale = radius * self.times
        self.ground = ground
        self._shapes: list[Callable[[_Canvas], None]] = []
        self._box = (self.width, self.height, 0, 0)
        """What the shapes reach, in pixels of the final size."""

    def finished(self, within: Box | None = None) -> Image.Image:
        """The layer at its final size; shapes are drawn only `within` a part, if one is given."""
        whole = (0, 0, self.width, self.height)
        box = self._box if self.ground is None else whole
        if within is not None:
            box = max(box[0], within[0]), max(box[1], within[1]), min(box[2], within[2]), min(box[3], within[3])
        if box == whole:
            return self.drawn().reduce(self.times)
        layer = Image.new("RGBA", whole[2:], CLEAR) if self.ground is None else Image.new("RGB", whole[2:], self.ground)
        if box[0] < box[2] and box[1] < box[3]:
            layer.paste(self._drawn(box).reduce(self.times), box[:2])
        return layer

    def drawn(self) -> Image.Image:
        """The whole layer, not yet reduced."""
        return self._drawn((0, 0, self.width, self.height))

    def _drawn(self, box: Box) -> Image.Image:
        canvas = _Canvas(self, box)
        for shape in self._shapes:
            shape(canvas)
        return canvas.image

    def _note(self, points: Sequence[Point], reach: float, shape: Callable[[_Canvas], None]) -> None:
        """Note a shape that reaches so many R beyond the points."""
        radius, x, y = self.scale / self.times, self.width / 2, self.height / 2
        reach = reach * radius + 1  # lines are of whole pixels, and a little wider than they should be at bends
        xs, ys = [x + point[0] * radius for point in points], [y + point[1] * radius for point in points]
        left, top, right, bottom = self._box
        self._box = (
            max(0, min(left, math.floor(min(xs) - reach))),
            max(0, min(top, math.floor(min(ys) - reach))),
            min(self.width, max(right, math.ceil(max(xs) + reach))),
            min(self.height, max(bottom, math.ceil(max(ys) + reach))),
        )
        self._shapes.append(shape)

    def polygon(self, points: Sequence[Point], fill: Fill | None, outline: Outline | None = None) -> None:
        if fill is not None:
            self._note(points, 0, lambda on: on.draw.polygon(on.at(points), fill=fill))
        if outline is not None:
            self.line([*points, points[0], points[1]], outline[1], outline[0])

    def line(self, points: Sequence[Point], width: float, fill: Fill, *, round_ends: bool = False) -> None:
        def draw(on: _Canvas) -> None:
            on.draw.line(on.at(points), fill=fill, width=on.thick(width), joint="curve")

        self._note(points, width / 2, draw)
        if round_ends:
            for end in (points[0], points[-1]):
                self.disc(end, width / 2, fill)

    def dashed(self, curve: Curve, dashes: Sequence[float], width: float, fill: Fill, start: float = 0.0) -> None:
        for piece in dashed(curve, dashes, start):
            self.line(piece, width, fill)

    def disc(self, centre: Point, radius: float, fill: Fill | None, outline: Outline | None = None) -> None:
        def draw(on: _Canvas) -> None:
            if outline is not None:
                on.draw.ellipse(on.around(centre, (radius, radius)), fill=outline[0])
            if fill is not None:
                inner = radius if outline is None else radius - outline[1]
                on.draw.ellipse(on.around(centre, (inner, inner)), fill=fill)

        self._note((centre,), radius, draw)

    def ring(self, centre: Point, radius: float, width: float, fill: Fill) -> None:
        def draw(on: _Canvas) -> None:
            on.draw.ellipse(on.around(centre, (radius, radius)), outline=fill, width=on.thick(width))

        self._note((centre,), radius, draw)

    def box(self, at: Point, half: Point, corner: float, fill: Fill | None, outline: Outline | None = None) -> None:
        def draw(on: _Canvas) -> None:
            line, edge = (outline[0], on.thick(outline[1])) if outline else (None, 0)
            on.draw.rounded_rectangle(on.around(at, half), corner * on.scale, fill=fill, outline=line, width=edge)

        self._note((at,), max(half), draw)

    def arc(self, centre: Point, radius: float, start: float, end: float, width: float, fill: Fill) -> None:
        outer = radius + width / 2

        def draw(on: _Canvas) -> None:
            on.draw.arc(on.around(centre, (outer, outer)), start, end, fill=fill, width=on.thick(width))

        self._note((centre,), outer, draw)

    def keep_inside(self, points: Sequence[Point]) -> None:
        self._shapes.append(lambda on: on.keep_inside(points))
