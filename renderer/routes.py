"""Routes on the map: each train in its own colour and dash, its ends ringed, and a legend with what each earns."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from PIL import Image

from engine.board.hexes import Layout
from engine.ids import HexId, split_stop
from engine.views import BoardView, HexView, RouteView
from renderer import text
from renderer.geometry import Curve, Point, half_size, length, places, segment_curve, shifted, slot_points, slot_radius
from renderer.pen import Pen, Shapes
from renderer.theme import FAINT, HEX_FILL, INK, PAPER, PHONE_FIGURE, ROUTE_COLOURS, ROUTE_DASHES, SOFT_INK, WHITE

_WIDTH = 0.125
"""Of R; a little narrower than the track, which stays to be seen as an edge."""
_CASING = 0.075
_BEYOND = 1.7
"""How far layers reach, as a multiple of the hex: rings around a stop at its side go beyond it."""
MOST_LINES = 2
"""For the stops of a train in the legend."""

Piece = tuple[HexId, int, int]


def colour_of(index: int) -> tuple[int, int, int]:
    """The colour of the route with this index; colours repeat."""
    return ROUTE_COLOURS[index % len(ROUTE_COLOURS)]


def dash_of(index: int) -> tuple[float, ...]:
    """A route's dashes. They repeat at a different rate from colours, in case there are more routes than either."""
    return ROUTE_DASHES[(index + index // len(ROUTE_DASHES)) % len(ROUTE_DASHES)]


def overlays(
    hexes: Mapping[HexId, HexView], routes: Sequence[RouteView], layout: Layout, radius: int
) -> Iterator[tuple[HexId, Image.Image]]:
    """For each hex with a route, what goes between its track and its stops: (hex, RGBA image around its middle)."""
    wide, high = half_size(layout)
    for hex_id, paint in painters(hexes, routes, layout):
        pen = Pen(radius, (wide * _BEYOND, high * _BEYOND))
        paint(pen)
        yield hex_id, pen.finished()


def painters(
    hexes: Mapping[HexId, HexView], routes: Sequence[RouteView], layout: Layout
) -> Iterator[tuple[HexId, Callable[[Shapes], None]]]:
    """For each hex with a route, what draws there."""
    lines = _lines(hexes, routes, layout)
    ends: dict[HexId, list[tuple[int, int]]] = defaultdict(list)
    for i, route in enumerate(routes):
        for stop in dict.fromkeys((route.stops[0][0], route.stops[-1][0]) if route.stops else ()):
            hex_id, index = split_stop(stop)
            ends[hex_id].append((i, index))
    for hex_id in sorted(set(lines) | set(ends)):
        if hex_id in hexes:
            yield hex_id, partial(_paint, lines[hex_id], hexes[hex_id], layout, ends[hex_id])


def _paint(
    ran: Sequence[tuple[int, Curve, float]], view: HexView, layout: Layout, ends: Sequence[tuple[int, int]], pen: Shapes
) -> None:
    for _, line, _ in ran:
        pen.line(line, _WIDTH + 2 * _CASING, WHITE)
    for route_index, line, start in ran:
        pen.dashed(line, dash_of(route_index), _WIDTH, colour_of(route_index), start)
    _ends(pen, view, layout, ends)


def _lines(
    hexes: Mapping[HexId, HexView], routes: Sequence[RouteView], layout: Layout
) -> dict[HexId, list[tuple[int, Curve, float]]]:
    """By hex: (route, line, the route's length up to its start). Lines on the same track run side by side."""
    users: dict[Piece, list[int]] = defaultdict(list)
    for i, route in enumerate(routes):
        for hex_id, a, b in route.segments:
            users[hex_id, min(a, b), max(a, b)].append(i)
    made: dict[HexId, list[tuple[int, Curve, float]]] = defaultdict(list)
    for i, route in enumerate(routes):
        walked = 0.0
        for hex_id, a, b in route.segments:
            if hex_id not in hexes or max(a, b) - 6 >= len(hexes[hex_id].stops):
                continue
            low, high = min(a, b), max(a, b)
            together = users[hex_id, low, high]
            line = segment_curve(layout, places(hexes[hex_id], layout), low, high)
            if len(together) > 1:
                lane = (together.index(i) - (len(together) - 1) / 2) * (_WIDTH + 0.04)
                line = shifted(line, lane)
            if a > b:
                line = tuple(reversed(line))
            made[hex_id].append((i, line, walked))
            walked += length(line)
    return made


def _ends(pen: Shapes, view: HexView, layout: Layout, ends: Sequence[tuple[int, int]]) -> None:
    """Draw a ring in the route's colour behind each stop where a route ends, wider for each additional route.

    An area off the board has no sign to cover its middle, but words.
    """
    for depth, (route_index, stop_index) in reversed(list(enumerate(ends))):
        if stop_index >= len(view.stops):
            continue
        stop, place = view.stops[stop_index], places(view, layout)[stop_index]
        if stop.kind == "city":
            slots = max(1, len(stop.slots))
            points, size = slot_points(place, slots), slot_radius(place, slots) + 0.06
        else:
            points, size = [place.point], 0.24
        fills = [(0.135, WHITE), (0.11, colour_of(route_index))]
        fills += [(0.0, HEX_FILL[view.colour])] if stop.kind == "offboard" else []
        for extra, fill in fills:
            grown = size + extra + 0.1 * depth
            for i, a in enumerate(points):
                pen.disc(a, grown, fill)
                for b in points[:i]:
                    pen.line([a, b], 2 * grown, fill)


def draw_legend(view: BoardView, routes: Sequence[RouteView], width: int, *, summed: bool) -> Image.Image:
    """For each train its line, the stops with their values, and its total; then the sum. Letters for the phone."""
    unit = width / 1000
    size, edge = round(PHONE_FIGURE * unit), 20 * unit
    row, least = round(size * 1.3), round(size * 1.6)
    names = {hex_view.id: hex_view.name for hex_view in view.hexes}
    sample = round(80 * unit)
    train = edge + sample + 14 * unit
    left = train + max(text.width(str(route.train), size, bold=True) for route in routes) + 16 * unit
    totals = [earned(view, route.value, route.subsidy) for route in routes]
    room = width - edge - max(text.width(total, size, bold=True) for total in totals) - 16 * unit - left
    lines = [_brief(_stops(names, route), size, room) for route in routes]
    highs = [max(least, row * len(said)) for said in lines]
    summed = summed and len(routes) > 1
    high = sum(highs) + (least if summed else 0) + round(size * 0.7)
    image = Image.new("RGB", (width, high), PAPER)
    image.paste(FAINT, (0, 0, width, 2))
    top = size * 0.35
    for i, (route, total, said, tall) in enumerate(zip(routes, totals, lines, highs, strict=True)):
        y = top + tall / 2
        _draw_sample(image, i, (edge, y), sample)
        text.draw(image, train, y, f"{route.train}", size, INK, bold=True, align="l")
        text.draw(image, width - edge, y, total, size, INK, bold=True, align="r")
        for number, line in enumerate(said):
            words, fit = text.fitted(line, size, room, floor=round(size * 0.6))
            text.draw(image, left, y + (number - (len(said) - 1) / 2) * row, words, fit, SOFT_INK, align="l")
        top += tall
    if summed:
        total = "= " + earned(view, sum(one.value for one in routes), sum(one.subsidy for one in routes))
        text.draw(image, width - edge, top + least / 2, total, size, INK, bold=True, align="r")
    return image


def _draw_sample(image: Image.Image, route: int, at: Point, wide: int) -> None:
    """Draw a piece of the route's line, beginning at a point."""
    pen = Pen(wide / 2, (1.0, 0.3))
    pen.line([(-1, 0), (1, 0)], 0.3, WHITE)
    pen.line([(-1, 0), (1, 0)], 0.24, FAINT)
    pen.dashed(((-1, 0), (1, 0)), dash_of(route), 0.2, colour_of(route))
    sprite = pen.finished()
    text.stamp(image, sprite, round(at[0]), round(at[1] - sprite.height / 2))


def _stops(names: Mapping[HexId, str], route: RouteView) -> list[str]:
    stops = [_told(names, stop, counts) for stop, counts in route.stops]
    more = route.value - sum(counts for _, counts in route.stops)
    return [*stops, f"+{more}"] if more > 0 else stops


def _brief(stops: Sequence[str], size: int, room: float) -> list[str]:
    """The stops in at most two lines, those in the middle left out if need be: the map has their values."""
    lines, kept = _filled(stops, size, room), len(stops) - 2
    while len(lines) > MOST_LINES and kept > 0:
        kept -= 1
        start = (kept + 1) // 2 + 1
        end = kept // 2 + 1
        lines = _filled([*stops[:start], f"{len(stops) - start - end} more", *stops[-end:]], size, room)
    return lines


def _filled(stops: Sequence[str], size: int, room: float) -> list[str]:
    """The stops in lines, none of them broken."""
    lines: list[str] = []
    for number, stop in enumerate(stops):
        words = stop if number == len(stops) - 1 else f"{stop} ·"
        if lines and text.width(f"{lines[-1]} {words}", size) <= room:
            lines[-1] += f" {words}"
        else:
            lines.append(words)
    return lines


def earned(view: BoardView, revenue: int, subsidy: int = 0) -> str:
    """What a train or all of them earn, and what the company gets besides."""
    told = view.currency.format(f"{revenue:,}")
    return f"{told} + {view.currency.format(f'{subsidy:,}')}" if subsidy else told


def _told(names: Mapping[HexId, str], stop: str, counts: int) -> str:
    hex_id, _ = split_stop(stop)
    name = names.get(hex_id, "")
    return f"{name or hex_id} {counts}" if counts else name or hex_id
