"""The map: every hex, the latest changes, routes, and strips with phase, round and what the signs mean."""

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial

from PIL import Image, ImageDraw, ImageFilter

from engine.board.hexes import Layout, across
from engine.ids import HexId
from engine.views import BoardView, HexView, RouteView
from renderer import routes as route_art
from renderer import text
from renderer.geometry import Point, corners, half_size, hex_centre
from renderer.hex_plan import VALUE, HexLook
from renderer.map_signs import draw_signs
from renderer.packing import DRAWN, Cut
from renderer.palette import Palette
from renderer.pen import Pen, Shapes
from renderer.png import Picture, finished, palette_for
from renderer.sheet import Sheet
from renderer.strips import draw_title
from renderer.theme import FOOTHILLS, GLOW, GLOW_SOFT, LAND, SEA, SHORE, WHITE, Rgb, mix
from renderer.tiles import draw_ahead, is_drawn, lay_ground, lay_top
from renderer.tokens import centre_on

_MARGIN = 0.22
"""Room around the outermost hexes, in units of R."""
_WIDTH, _CROP_WIDTH = 1600, 1200
"""Pixels. Discord shows some 550 of its own, which are 1,100 of a fine screen; a crop need not be read closer."""
_SIZES = (0.128, 0.094)
"""R of crops, as a share of the width. At the first, values are 9 pixels high where it is 350 wide; none is larger."""

_EDGE = 0.4
"""How much of the hexes around those in focus a crop shows, in units of R."""
_TALLEST = 0.75
"""How tall a crop beside a card may be, as a share of its width."""
_MOST_NAMED = 8
"""Hexes that the description names; it counts the others."""
_LEGIBLE = 9.0
"""The width of a part of the map, in units of R: its values are 9 pixels high where it is 350 wide."""
_LETTERS = 9 / 350
"""The smallest letters that are read on a phone, as a share of the width."""
_SHARED = 1.2
"""How much of it two parts share."""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the map that is drawn: `left` and `top` in units of R, `width` and `height` in pixels."""

    layout: Layout
    radius: int
    left: float
    top: float
    width: int
    height: int

    def pixel(self, view: HexView) -> Point:
        """The centre of a hex in the window, in pixels."""
        x, y = hex_centre(self.layout, view.x, view.y)
        return (x - self.left) * self.radius, (y - self.top) * self.radius

    def shows(self, view: HexView, *, whole: bool = False) -> bool:
        """Whether any part of the hex is in the window, or all of it."""
        (x, y), sign = self.pixel(view), 1 if whole else -1
        wide, high = (sign * half * self.radius for half in half_size(self.layout))
        return wide < x < self.width - wide and high < y < self.height - high


def map_picture(
    view: BoardView,
    *,
    width: int | None = None,
    focus: Sequence[HexId] | None = None,
    routes: Sequence[RouteView] = (),
    glow: Sequence[HexId] | None = None,
    local_names: bool = False,
    part: int | None = None,
    titled: bool = True,
) -> Picture:
    """The map; with `focus` only the part around those hexes, without the legend of signs. `width` is in pixels.

    `glow` are the hexes to highlight (None: those changed last). `routes` are drawn with a legend below. `part` is one
    of the `parts_of` the map, 0 the leftmost. Unless `titled`, round, phase and the sum of routes are told elsewhere.
    """
    width = width or (_WIDTH if part is None and not focus else _CROP_WIDTH)
    marked = tuple(view.changed if glow is None else glow)
    if part is not None:
        window = _part(view, part, width)
    else:
        window = _around(view, focus, width) if focus else whole(view, width)
    width = window.width
    board = draw_board(view, window, marked, routes, local_names)
    palette = palette_for(company.colour for company in view.companies)
    strips: list[Image.Image | Sheet] = [draw_title(view.title, view.round, view.phase, width)] if titled else []
    strips.append(board)
    if routes:
        strips.append(route_art.draw_legend(view, routes, width, summed=titled))
    if not focus and part is None and not routes:
        strips.append(draw_signs(view, width, palette))
    shown = {one.id for one in view.hexes if window.shows(one)}
    named = [one for one in marked if one in shown]
    return finished(stacked(strips, palette), _alt(view, named, routes, bool(focus) or part is not None, glow is None))


def stacked(strips: Sequence[Image.Image | Sheet], palette: Palette) -> Sheet:
    """The strips, one below the other."""
    whole = Sheet.blank((strips[0].width, sum(strip.height for strip in strips)), WHITE, palette)
    top = 0
    for strip in strips:
        whole.lay(strip, 0, top)
        top += strip.height
    return whole


def extent_of(layout: Layout, hexes: Sequence[HexView]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of some hexes, in units of R."""
    wide, high = half_size(layout)
    at = [hex_centre(layout, view.x, view.y) for view in hexes]
    xs, ys = [x for x, _ in at], [y for _, y in at]
    return min(xs) - wide, min(ys) - high, max(xs) + wide, max(ys) + high


def whole(view: BoardView, width: int) -> Window:
    """The window that shows the whole map."""
    left, top, right, bottom = extent_of(view.layout, view.hexes)
    wide, high = right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN
    radius = max(8, min(int(_SIZES[0] * width), int(width / wide)))
    spare = (width / radius - wide) / 2
    return Window(view.layout, radius, left - _MARGIN - spare, top - _MARGIN, width, math.ceil(high * radius))


def parts_of(view: BoardView) -> int:
    """Into how many upright strips the map must be cut so that its figures can be read on a phone."""
    left, _, right, _ = extent_of(view.layout, view.hexes)
    wide = right - left + 2 * _MARGIN
    return max(1, math.ceil((wide - _SHARED) / (_LEGIBLE - _SHARED)))


def _part(view: BoardView, part: int, width: int) -> Window:
    left, top, right, bottom = extent_of(view.layout, view.hexes)
    count = parts_of(view)
    wide = (right - left + 2 * _MARGIN + (count - 1) * _SHARED) / count
    radius = int(width / wide)
    first = left - _MARGIN + part * (wide - _SHARED)
    near = [
        one for one in view.hexes if abs(hex_centre(view.layout, one.x, one.y)[0] - first - wide / 2) < wide / 2 + 1
    ]
    _, top, _, bottom = extent_of(view.layout, near)
    high = bottom - top + 2 * _MARGIN
    return Window(view.layout, radius, first, top - _MARGIN, width, math.ceil(high * radius))


def _around(view: BoardView, focus: Sequence[HexId], width: int) -> Window:
    """The hexes in focus and the edge of those around them, plus whatever else fits.

    Where they do not fit at either size of crops, they are drawn as large as on the whole map, in a picture so wide
    that a phone shows it with its card. So there are three sizes in all, and most hexes have been drawn before.
    """
    at_most = whole(view, round(width * _WIDTH / _CROP_WIDTH))
    shown = _among(view, set(focus))
    if not shown:
        return at_most
    left, top, right, bottom = extent_of(view.layout, shown)
    wide, high = right - left + 2 * _EDGE, bottom - top + 2 * _EDGE
    size = next((one for one in _SIZES if one <= min(1 / wide, _TALLEST / high)), None)
    if size is None:
        radius = at_most.radius
        width = max(width, math.ceil(max(wide, high / _TALLEST) * radius))
    else:
        radius = int(size * width)
    height = max(math.ceil(high * radius), round(width * 0.5))
    x = _snapped((left + right) / 2, 2 * half_size(view.layout)[0], width / radius - wide)
    y = _snapped((top + bottom) / 2, 2 * half_size(view.layout)[1], height / radius - high)
    return Window(view.layout, radius, x - width / radius / 2, y - height / radius / 2, width, height)


def readable(view: BoardView, wanted: Sequence[HexId]) -> tuple[HexId, ...]:
    """Those of the hexes, the first before others, that one crop shows with figures to be read on a phone.

    It leaves room for a card: what lies too far away is left out.
    """
    kept: tuple[HexId, ...] = ()
    for one in dict.fromkeys(wanted):
        left, top, right, bottom = extent_of(view.layout, _among(view, {*kept, one}))
        if right - left + 2 * _EDGE <= 1 / _SIZES[1] and bottom - top + 2 * _EDGE <= _TALLEST / _SIZES[1]:
            kept = (*kept, one)
    return kept


def pictured(view: BoardView, focus: Sequence[HexId], wanted: Sequence[HexId]) -> Set[HexId]:
    """Those of the hexes that a crop with this focus shows whole; without one, the whole map does."""
    window = _around(view, focus, _CROP_WIDTH)
    return {one.id for one in _among(view, set(wanted)) if window.shows(one, whole=True)}


def _among(view: BoardView, wanted: Set[HexId]) -> list[HexView]:
    return [hex_view for hex_view in view.hexes if hex_view.id in wanted]


def hexes_ahead(view: BoardView, local_names: bool = False) -> list[Callable[[], None]]:
    """What draws each hex that later pictures of this map may show, unless kept: for crops, then for the whole."""
    first = first_of_groups(view)
    crops = [look_of(view, int(size * _CROP_WIDTH), local_names, _CROP_WIDTH) for size in _SIZES]
    looks = dict.fromkeys((*crops, look_of(view, whole(view, _WIDTH).radius, local_names, _WIDTH)))
    return [
        partial(draw_ahead, one, look, first_of_group=first[one.id])
        for look in looks
        for one in view.hexes
        if not is_drawn(one, look, first_of_group=first[one.id])
    ]


def look_of(view: BoardView, radius: int, local_names: bool, width: int) -> HexLook:
    """How hexes of this size are drawn in a picture of this width: to be read on a phone, if there is room for it."""
    least = math.ceil(_LETTERS * width)
    legible = least <= VALUE * radius
    return HexLook(view.layout, radius, texts=radius >= 44, local_names=local_names, least=least if legible else 0)


def _snapped(middle: float, step: float, spare: float) -> float:
    """A multiple of the step as near as there is room to spare: windows that recur have surroundings drawn before."""
    near = round(middle / step) * step
    return near if 2 * abs(near - middle) <= spare else middle


def draw_board(
    view: BoardView, window: Window, glow: Sequence[HexId], routes: Sequence[RouteView] = (), local_names: bool = False
) -> Image.Image:
    """The hexes in a window, surrounded by sea or plain land, as an RGB image."""
    shown = [(hex_view, window.pixel(hex_view)) for hex_view in view.hexes if window.shows(hex_view)]
    depths = (SEA, SHORE) if view.sea else (LAND, FOOTHILLS)
    image = _ground(window, tuple((hex_view.x, hex_view.y) for hex_view, _ in shown), depths)
    look = look_of(view, window.radius, local_names, window.width)
    first = first_of_groups(view)
    for hex_view, at in shown:
        lay_ground(image, hex_view, look, at)
    if routes:
        by_id = {hex_view.id: hex_view for hex_view, _ in shown}
        for hex_id, overlay in route_art.overlays(by_id, routes, view.layout, window.radius):
            centre_on(image, overlay, window.pixel(by_id[hex_id]))
    for hex_view, at in shown:  # below the words, or it would cover the coordinates of the hexes around
        if hex_view.id in glow:
            centre_on(image, glow_ring(view.layout, window.radius), at)
    for hex_view, at in shown:
        lay_top(image, hex_view, look, view.companies, at, first_of_group=first[hex_view.id])
    return image


def first_of_groups(view: BoardView) -> Mapping[HexId, bool]:
    """For each hex whether it shows the name and values: of joined hexes only the one with the lowest coordinate."""
    at = {hex_view.id: hex_view for hex_view in view.hexes}
    return {
        hex_view.id: not any(
            (other := at.get(across(view.layout, hex_view.id, side))) is not None
            and (other.x, other.y) < (hex_view.x, hex_view.y)
            and (other.name == hex_view.name or any(stop.group for stop in hex_view.stops))
            for side in hex_view.joined
        )
        for hex_view in view.hexes
    }


def _ground(
    window: Window, positions: tuple[tuple[int, int], ...], depths: tuple[Rgb, tuple[Rgb, Rgb, Rgb]]
) -> Image.Image:
    """What surrounds the map: the outermost colour, and bands closer and closer to the hexes."""

    def draw() -> Cut:
        # Nearly all of it is flat: only the steps that can be seen are kept apart.
        return _nearness(window, positions).point(_STEPS), 0, 0

    near = DRAWN.get(("surroundings", window, positions), draw)[0].copy()
    near.putpalette(_bands(depths))
    return near.convert("RGB")


def _nearness(window: Window, positions: tuple[tuple[int, int], ...]) -> Image.Image:
    """How near each pixel is to a hex, from 0 far away to 255 inside one."""
    part = 4
    land = Image.new("L", (window.width // part + 1, window.height // part + 1), 0)
    pen = ImageDraw.Draw(land)
    radius = window.radius / part
    for x, y in positions:
        cx, cy = hex_centre(window.layout, x, y)
        at = ((cx - window.left) * radius, (cy - window.top) * radius)
        pen.polygon([(at[0] + radius * dx, at[1] + radius * dy) for dx, dy in corners(window.layout, 1.02)], fill=255)
    # Hexes beyond the window are unknown here, so land that touches the edge continues to it.
    soft = land.filter(ImageFilter.GaussianBlur(radius * 0.3))
    return soft.resize((window.width, window.height), Image.Resampling.BICUBIC)


_LEVELS, _STEEP = (10, 40, 84), 40
"""How near the hexes each band begins, and how steeply: within 256 / 40 it is there."""


def _step(near: int) -> int:
    """A nearness, or the first that looks the same."""
    level = max((one for one in _LEVELS if one <= near), default=0)
    return min(near, level + 256 // _STEEP + 1) if level else 0


_STEPS = [_step(near) for near in range(256)]


@lru_cache(maxsize=4)
def _bands(depths: tuple[Rgb, tuple[Rgb, Rgb, Rgb]]) -> list[int]:
    """The colour of each nearness, as a palette."""
    colours: list[int] = []
    for near in range(256):
        colour = depths[0]
        for level, closer in zip(_LEVELS, depths[1], strict=True):
            colour = mix(colour, closer, max(0, min(255, (near - level) * _STEEP)) / 255)
        colours += colour
    return colours


def glow_ring(layout: Layout, radius: int) -> Image.Image:
    """The glowing outline of a hex that was changed last."""

    def draw() -> Cut:
        wide, high = half_size(layout)
        pen = Pen(radius, (wide * 1.22, high * 1.22))
        paint_glow(pen, layout)
        return pen.finished(), 0, 0

    return DRAWN.get(("glow", layout, radius), draw)[0]


def paint_glow(pen: Shapes, layout: Layout) -> None:
    for scale, thick, fill in (
        (1.05, 0.2, (*GLOW_SOFT, 110)),
        (1.035, 0.13, (*WHITE, 255)),
        (1.035, 0.085, (*GLOW, 255)),
    ):
        at = corners(layout, scale)
        pen.line([*at, at[0], at[1]], thick, fill)


def _alt(view: BoardView, marked: Sequence[HexId], routes: Sequence[RouteView], crop: bool, changed: bool) -> str:
    hexes = {hex_view.id: hex_view for hex_view in view.hexes}

    def named(hex_id: HexId) -> str:
        hex_view = hexes[hex_id]
        tile = f" (tile {hex_view.printed_number or hex_view.tile})" if hex_view.tile is not None else ""
        return f"{hex_id}{' ' + hex_view.name if hex_view.name else ''}{tile}"

    first = f"{'Part of the map' if crop else 'Map'} of {view.title}, {view.round}, phase {view.phase}."
    if routes:
        total = sum(route.value for route in routes)
        runs = ", ".join(f"{route.train} for {route_art.earned(view, route.value)}" for route in routes)
        return text.clean(f"{first} Routes: {runs}, together {route_art.earned(view, total)}.")[:1000]
    if marked:
        told = "Changed last" if changed else "Marked"
        more = f" and {len(marked) - _MOST_NAMED} more" if len(marked) > _MOST_NAMED else ""
        return text.clean(f"{first} {told}: {', '.join(map(named, marked[:_MOST_NAMED]))}{more}.")[:1000]
    laid = sum(hex_view.tile is not None for hex_view in view.hexes)
    return text.clean(f"{first} {text.counted(laid, 'tile')} laid so far.")
