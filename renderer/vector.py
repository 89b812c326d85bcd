"""The same drawings as SVG, for a page that is zoomed: text in Aileron, all else as shapes.

Plans, atoms, tokens and routes are those of the pictures; only the pen differs. Coordinates are whole numbers, `FINE`
to the pixel of a picture in which R has `RADIUS` pixels. Words are escaped here; nothing else comes from people.
"""

import hashlib
import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise

from engine.board.hexes import Layout
from engine.ids import HexId
from engine.views import BoardView, CompanyView, HexView, RouteView
from renderer import text
from renderer.geometry import Curve, Point, corners, hex_centre
from renderer.hex_art import HOME_INK, HexArt, home_size, token_places
from renderer.hex_ground import EDGE, paint_ground
from renderer.hex_plan import HexLook, Written
from renderer.map import extent_of, paint_glow
from renderer.pen import Outline
from renderer.routes import colour_of, dash_of, painters
from renderer.theme import HEX_FILL, INK, Fill, Rgb
from renderer.tiles import seen
from renderer.tokens import letter_size, paint_badge, short_letters

RADIUS = 153
"""Pixels of R for which hexes are planned: those of the larger crops."""
FINE = 3
UNIT = RADIUS * FINE
"""R in a drawing's own units."""
MARGIN = 0.3
_BADGE = 100
"""The radius of a badge, in units of its own drawing."""


class SvgPen:
    """Writes shapes in units of R as SVG, `unit` to R."""

    def __init__(self, unit: float = UNIT) -> None:
        self.unit = unit
        self._made: list[str] = []

    @property
    def markup(self) -> str:
        """What was drawn so far."""
        return "".join(self._made)

    def _n(self, length: float) -> str:
        return str(round(length * self.unit))

    def _d(self, points: Sequence[Point]) -> str:
        """A path: absolute at first, then steps, which are shorter to write."""
        at = [(round(x * self.unit), round(y * self.unit)) for x, y in points]
        steps = "".join(f"{_signed(x - a)}{_signed(y - b)}" for (a, b), (x, y) in pairwise(at))
        return f"M{at[0][0]}{_signed(at[0][1])}l{steps.lstrip()}"

    def polygon(self, points: Sequence[Point], fill: Fill | None, outline: Outline | None = None) -> None:
        self._made.append(f'<path d="{self._d(points)}z"{_fill(fill)}{self._stroke(outline)}/>')

    def line(self, points: Sequence[Point], width: float, fill: Fill, *, round_ends: bool = False) -> None:
        ends = ' stroke-linecap="round"' if round_ends else ""
        self._made.append(f'<path d="{self._d(points)}"{self._stroke((fill, width))}{ends}/>')

    def dashed(self, curve: Curve, dashes: Sequence[float], width: float, fill: Fill, start: float = 0.0) -> None:
        pattern = f' stroke-dasharray="{" ".join(map(self._n, dashes))}"' if dashes else ""
        offset = f' stroke-dashoffset="{self._n(start % sum(dashes))}"' if dashes and start else ""
        self._made.append(f'<path d="{self._d(curve)}"{self._stroke((fill, width))}{pattern}{offset}/>')

    def disc(self, centre: Point, radius: float, fill: Fill | None, outline: Outline | None = None) -> None:
        self._circle(centre, radius - outline[1] / 2 if outline else radius, _fill(fill) + self._stroke(outline))

    def ring(self, centre: Point, radius: float, width: float, fill: Fill) -> None:
        self._circle(centre, radius - width / 2, self._stroke((fill, width)))

    def _circle(self, centre: Point, radius: float, look: str) -> None:
        x, y = map(self._n, centre)
        self._made.append(f'<circle cx="{x}" cy="{y}" r="{self._n(radius)}"{look}/>')

    def box(self, at: Point, half: Point, corner: float, fill: Fill | None, outline: Outline | None = None) -> None:
        inset = outline[1] / 2 if outline else 0.0
        wide, high = half[0] - inset, half[1] - inset
        left, top = self._n(at[0] - wide), self._n(at[1] - high)
        rounded = f' rx="{self._n(max(0.0, corner - inset))}"' if corner else ""
        self._made.append(
            f'<rect x="{left}" y="{top}" width="{self._n(2 * wide)}" height="{self._n(2 * high)}"{rounded}'
            f"{_fill(fill)}{self._stroke(outline)}/>"
        )

    def arc(self, centre: Point, radius: float, start: float, end: float, width: float, fill: Fill) -> None:
        """See `Shapes`; of less than half a circle."""
        (ax, ay), (bx, by) = (_on_circle(centre, radius, angle) for angle in (start, end))
        size = self._n(radius)
        path = f"M{self._n(ax)} {self._n(ay)}A{size} {size} 0 0 1 {self._n(bx)} {self._n(by)}"
        self._made.append(f'<path d="{path}"{self._stroke((fill, width))}/>')

    def keep_inside(self, points: Sequence[Point]) -> None:
        path = self._d(points)
        name = "k" + hashlib.blake2s(path.encode(), digest_size=5).hexdigest()
        self._made = [f'<clipPath id="{name}"><path d="{path}z"/></clipPath><g clip-path="url(#{name})">', *self._made]
        self._made.append("</g>")

    def write(self, words: Iterable[Written], per_pixel: float = FINE) -> None:
        """Lines of text, whose sizes are in pixels of `per_pixel` units."""
        for at, said, size, colour, bold, halo in words:
            x, y = round(at[0] * self.unit), round(at[1] * self.unit + text.CAP * size * per_pixel)
            shown = escape(text.clean(said))
            place = f'x="{x}" y="{y}" font-size="{round(size * per_pixel)}" text-anchor="middle"'
            if halo is not None:
                self._made.append(f'<text {place} class="halo{" b" if bold else ""}" {_ink(halo)}>{shown}</text>')
            look = f'class="b" {_ink(colour)}' if bold else f'fill="{_hex(colour)}"'
            self._made.append(f"<text {place} {look}>{shown}</text>")

    def _stroke(self, line: Outline | None) -> str:
        if line is None:
            return ""
        colour, width = line
        see_through = f' stroke-opacity="{colour[3] / 255:.2f}"' if len(colour) == 4 and colour[3] < 255 else ""
        return f' stroke="{_hex(colour)}" stroke-width="{max(1, round(width * self.unit))}"{see_through}'


def _signed(number: int) -> str:
    return f"{number}" if number < 0 else f" {number}"


def _on_circle(centre: Point, radius: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def _hex(colour: Fill) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour[:3])


def _ink(colour: Rgb) -> str:
    return f'fill="{_hex(colour)}" stroke="{_hex(colour)}"'


def _fill(colour: Fill | None) -> str:
    return f' fill="{_hex(colour)}"' if colour is not None else ""


def look_of(layout: Layout, *, local_names: bool = False) -> HexLook:
    """How hexes are planned."""
    return HexLook(layout, RADIUS, local_names=local_names)


def drawn_hex(
    view: HexView, look: HexLook, companies: Sequence[CompanyView], *, first_of_group: bool = True
) -> tuple[str, str]:
    """A hex around its own centre, as the layers below and above routes. Tokens are used from their symbols."""
    shown = seen(view, look, first_of_group)
    return _ground(shown, look.layout), _top(shown, look) + _tokens(view, look, companies)


@lru_cache(maxsize=4096)
def _ground(view: HexView, layout: Layout) -> str:
    pen = SvgPen()
    pen.polygon(corners(layout, EDGE), HEX_FILL.get(view.colour, HEX_FILL["white"]))
    paint_ground(pen, view, layout)
    if view.blocked_by:  # the only thing that reaches beyond the sides
        pen.keep_inside(corners(layout, EDGE))
    return pen.markup


@lru_cache(maxsize=4096)
def _top(view: HexView, look: HexLook) -> str:
    pen = SvgPen()
    pen.write(HexArt(view, look).paint(pen))
    return pen.markup


def _tokens(view: HexView, look: HexLook, companies: Sequence[CompanyView]) -> str:
    made = []
    for one in token_places(view, look.layout, companies):
        if one.home:
            pen, words = SvgPen(), short_letters(one.company, companies)
            size = home_size(words, one.radius * RADIUS, look)
            pen.write([(one.at, words, size, HOME_INK, True, None)])
            made.append(pen.markup)
        else:
            size = round((one.radius + 1 / RADIUS) * UNIT)
            x, y = (round(part * UNIT) - size for part in one.at)
            place = f'x="{x}" y="{y}" width="{2 * size}" height="{2 * size}"'
            made.append(f'<use href="#{symbol_id(one.company)}" {place}/>')
    return "".join(made)


def symbol_id(company: CompanyView) -> str:
    """The id of a company's token among the symbols."""
    return f"token-{company.index}"


@lru_cache(maxsize=16)
def token_symbols(companies: tuple[CompanyView, ...]) -> str:
    return "".join(_symbol(company, companies) for company in companies)


def _symbol(company: CompanyView, companies: Sequence[CompanyView]) -> str:
    pen, letters = SvgPen(_BADGE), short_letters(company, companies)
    paint_badge(pen, company.colour, company.index)
    pen.write([((0.0, 0.0), letters, letter_size(letters, _BADGE), INK, True, None)], per_pixel=1)
    size = _BADGE + 2
    return (
        f'<symbol id="{symbol_id(company)}" viewBox="-{size} -{size} {2 * size} {2 * size}">'
        f'<g class="drawn">{pen.markup}</g></symbol>'
    )


def centre_of(view: HexView, layout: Layout) -> tuple[int, int]:
    """Where the hex is on the map, in units."""
    x, y = hex_centre(layout, view.x, view.y)
    return round(x * UNIT), round(y * UNIT)


def outline(layout: Layout, scale: float = 1.0) -> str:
    """The path of a hex around its centre."""
    return SvgPen()._d(corners(layout, scale)) + "z"


def extent(view: BoardView) -> tuple[int, int, int, int]:
    """Left, top, width and height of the whole map with its margin, in units."""
    left, top, right, bottom = extent_of(view.layout, view.hexes)
    wide, high = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    return round((left - MARGIN) * UNIT), round((top - MARGIN) * UNIT), round(wide * UNIT), round(high * UNIT)


def shape_of_all(view: BoardView) -> str:
    """The path of all hexes together, for what surrounds them."""
    return "".join(
        f"M{x} {y}m{outline(view.layout)[1:]}" for x, y in (centre_of(one, view.layout) for one in view.hexes)
    )


@lru_cache(maxsize=4)
def glow(layout: Layout) -> str:
    """The outline of a hex that was changed last, around its centre."""
    pen = SvgPen()
    paint_glow(pen, layout)
    return pen.markup


def routes_layer(view: BoardView, routes: Sequence[RouteView]) -> str:
    """The routes of trains on the map, between the track and the stops."""
    hexes = {one.id: one for one in view.hexes}
    made = []
    for hex_id, paint in painters(hexes, routes, view.layout):
        pen = SvgPen()
        paint(pen)
        x, y = centre_of(hexes[HexId(hex_id)], view.layout)
        made.append(f'<g transform="translate({x} {y})">{pen.markup}</g>')
    return "".join(made)


def route_sample(index: int) -> str:
    """A short piece of the line of the route with this index, 100 by 24 units."""
    pen = SvgPen(100)
    pen.dashed(((0.04, 0.12), (0.96, 0.12)), dash_of(index), 0.12, colour_of(index))
    return pen.markup
