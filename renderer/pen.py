"""A layer for drawing shapes in units of R, several times too large and then reduced to smooth every edge."""

import math
from collections.abc import Sequence
from typing import Protocol

from PIL import Image, ImageDraw

from renderer.geometry import Curve, Point, length, part_of
from renderer.theme import CLEAR, Fill, Rgb

OVERSAMPLING = 4


class Shapes(Protocol):
    """What can be drawn of shapes, in units of R: as pixels by a `Pen`, or as SVG by `vector.SvgPen`."""

    def polygon(
        self, points: Sequence[Point], fill: Fill | None, outline: Fill | None = None, width: float = 0
    ) -> None:
        """A filled polygon with an outline of `width`; None leaves out either."""

    def line(self, points: Sequence[Point], width: float, fill: Fill, *, round_ends: bool = False) -> None:
        """A line through the points."""

    def dashed(self, curve: Curve, dashes: Sequence[float], width: float, fill: Fill, start: float = 0.0) -> None:
        """A dashed line, with lengths on and off in turn; `start` is how far into the pattern it begins."""

    def disc(
        self, centre: Point, radius: float, fill: Fill | None, outline: Fill | None = None, width: float = 0
    ) -> None:
        """A filled disc; the outline lies within the radius."""

    def ring(self, centre: Point, radius: float, width: float, fill: Fill) -> None:
        """A circle without filling; its line lies within the radius."""

    def box(
        self,
        centre: Point,
        half: Point,
        corner: float,
        fill: Fill | None,
        outline: Fill | None = None,
        width: float = 0,
    ) -> None:
        """A rectangle with rounded corners; the outline lies within it."""

    def arc(self, centre: Point, radius: float, start: float, end: float, width: float, fill: Fill) -> None:
        """Part of a circle, angles in degrees clockwise from the right."""

    def keep_inside(self, points: Sequence[Point]) -> None:
        """Make everything outside the polygon transparent."""


def layer_size(radius: float, half: Point) -> tuple[int, int]:
    """Width and height in pixels of a layer: the box and a margin of one pixel."""
    width, height = (2 * math.ceil(side * radius + 1) for side in half)
    return width, height


class Pen:
    """Draws on a transparent layer; `half` is half its width and height in R, `radius` the final pixels per R.

    With a `ground` the layer is an opaque one of that colour, which is faster.
    """

    def __init__(self, radius: float, half: Point, *, ground: Rgb | None = None) -> None:
        self.width, self.height = layer_size(radius, half)
        self.scale = radius * OVERSAMPLING
        size = (self.width * OVERSAMPLING, self.height * OVERSAMPLING)
        self.image = Image.new("RGBA", size, CLEAR) if ground is None else Image.new("RGB", size, ground)
        self._draw = ImageDraw.Draw(self.image)
        self._x, self._y = self.image.width / 2, self.image.height / 2

    def finished(self) -> Image.Image:
        """The layer at its final size."""
        if self.image.mode == "RGB":
            return self.image.reduce(OVERSAMPLING)
        layer = Image.new("RGBA", (self.width, self.height), CLEAR)
        cut = self.cut()
        if cut is not None:
            layer.paste(*cut)
        return layer

    def cut(self) -> tuple[Image.Image, tuple[int, int]] | None:
        """What has been drawn at its final size, and its place in the layer; None if nothing has."""
        box = self.image.getbbox()
        if box is None:
            return None
        left, top = box[0] // OVERSAMPLING, box[1] // OVERSAMPLING
        right, bottom = -(-box[2] // OVERSAMPLING), -(-box[3] // OVERSAMPLING)
        # Reducing takes time by area, and most of a layer is empty.
        drawn = self.image.crop((left * OVERSAMPLING, top * OVERSAMPLING, right * OVERSAMPLING, bottom * OVERSAMPLING))
        return drawn.reduce(OVERSAMPLING), (left, top)

    def _at(self, point: Point) -> Point:
        return self._x + point[0] * self.scale, self._y + point[1] * self.scale

    def polygon(
        self, points: Sequence[Point], fill: Fill | None, outline: Fill | None = None, width: float = 0
    ) -> None:
        """A filled polygon with an outline of `width`; None leaves out either."""
        if fill is not None:
            self._draw.polygon([self._at(p) for p in points], fill=fill)
        if outline is not None:
            self.line([*points, points[0], points[1]], width, outline)

    def line(self, points: Sequence[Point], width: float, fill: Fill, *, round_ends: bool = False) -> None:
        """A line through the points."""
        thick = max(1, round(width * self.scale))
        self._draw.line([self._at(p) for p in points], fill=fill, width=thick, joint="curve")
        if round_ends:
            for end in (points[0], points[-1]):
                self.disc(end, width / 2, fill)

    def dashed(self, curve: Curve, dashes: Sequence[float], width: float, fill: Fill, start: float = 0.0) -> None:
        """A dashed line, with lengths on and off in turn; `start` is how far into the pattern it begins."""
        total = length(curve)
        if not dashes:
            self.line(curve, width, fill)
            return
        at = -(start % sum(dashes))
        index = 0
        while at < total:
            piece = dashes[index % len(dashes)]
            if index % 2 == 0 and at + piece > 0:
                self.line(part_of(curve, max(0.0, at), min(total, at + piece)), width, fill)
            at += piece
            index += 1

    def disc(
        self, centre: Point, radius: float, fill: Fill | None, outline: Fill | None = None, width: float = 0
    ) -> None:
        """A filled disc; the outline lies within the radius."""
        x, y = self._at(centre)
        size = radius * self.scale
        if outline is not None:
            self._draw.ellipse((x - size, y - size, x + size, y + size), fill=outline)
            size -= width * self.scale
        if fill is not None:
            self._draw.ellipse((x - size, y - size, x + size, y + size), fill=fill)

    def ring(self, centre: Point, radius: float, width: float, fill: Fill) -> None:
        """A circle without filling; its line lies within the radius."""
        x, y = self._at(centre)
        size = radius * self.scale
        self._draw.ellipse(
            (x - size, y - size, x + size, y + size), outline=fill, width=max(1, round(width * self.scale))
        )

    def box(
        self,
        centre: Point,
        half: Point,
        corner: float,
        fill: Fill | None,
        outline: Fill | None = None,
        width: float = 0,
    ) -> None:
        """A rectangle with rounded corners."""
        (x, y), s = self._at(centre), self.scale
        shape = (x - half[0] * s, y - half[1] * s, x + half[0] * s, y + half[1] * s)
        self._draw.rounded_rectangle(
            shape, corner * s, fill=fill, outline=outline, width=max(1, round(width * s)) if outline else 0
        )

    def arc(self, centre: Point, radius: float, start: float, end: float, width: float, fill: Fill) -> None:
        """Part of a circle, angles in degrees clockwise from the right."""
        x, y = self._at(centre)
        size = (radius + width / 2) * self.scale
        shape = (x - size, y - size, x + size, y + size)
        self._draw.arc(shape, start, end, fill=fill, width=max(1, round(width * self.scale)))

    def keep_inside(self, points: Sequence[Point]) -> None:
        """Make everything outside the polygon transparent."""
        mask = Image.new("L", self.image.size, 0)
        ImageDraw.Draw(mask).polygon([self._at(p) for p in points], fill=255)
        clear = Image.new("RGBA", self.image.size, (0, 0, 0, 0))
        self.image = Image.composite(self.image, clear, mask)
        self._draw = ImageDraw.Draw(self.image)
