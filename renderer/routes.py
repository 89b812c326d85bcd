"""Routes on the map: each train in its own colour and dash, its ends ringed, and a legend with what each earns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from PIL import Image

from engine.board.hexes import Layout
from engine.ids import HexId, split_stop
from engine.views import BoardView, HexView, RouteView
from renderer import text
from renderer.geometry import Curve, half_size, length, shifted, slot_points, slot_radius
from renderer.pen import Pen
from renderer.theme import FAINT, INK, PAPER, ROUTE_COLOURS, ROUTE_DASHES, SOFT_INK, WHITE
from renderer.tiles import curve, places

_WIDTH = 0.125
"""Of R; a little narrower than the track, which stays to be seen as an edge."""
_CASING = 0.075

Piece = tuple[HexId, int, int]


def colour_of(index: int) -> tuple[int, int, int]:
    """The colour of the route with this index; colours repeat."""
    return ROUTE_COLOURS[index % len(ROUTE_COLOURS)]


def dash_of(index: int) -> tuple[float, ...]:
    """A route's dashes. They repeat at a different rate from colours, in case there are more routes than either."""
    return ROUTE_DASHES[(index + index // len(ROUTE_DASHES)) % len(ROUTE_DASHES)]


def hexes_of(routes: Sequence[RouteView]) -> set[HexId]:
    """The hexes that the routes cross or stop in."""
    crossed = {hex_id for route in routes for hex_id, _, _ in route.segments}
    return crossed | {split_stop(stop)[0] for route in routes for stop, _ in route.stops}


def overlays(
    hexes: Mapping[HexId, HexView], routes: Sequence[RouteView], layout: Layout, radius: int
) -> Iterator[tuple[HexId, Image.Image]]:
    """For each hex with a route, what goes between its track and its stops: (hex, RGBA image of the hex's box)."""
    lines = _lines(hexes, routes, layout)
    ends: dict[HexId, list[tuple[int, int]]] = defaultdict(list)
    for i, route in enumerate(routes):
        for stop in dict.fromkeys((route.stops[0][0], route.stops[-1][0]) if route.stops else ()):
            hex_id, index = split_stop(stop)
            ends[hex_id].append((i, index))
    for hex_id in sorted(set(lines) | set(ends)):
        if hex_id not in hexes:
            continue
        pen = Pen(radius, half_size(layout))
        for _, line, _ in lines[hex_id]:
            pen.line(line, _WIDTH + 2 * _CASING, WHITE)
        for route_index, line, start in lines[hex_id]:
            pen.dashed(line, dash_of(route_index), _WIDTH, colour_of(route_index), start)
        _ends(pen, hexes[hex_id], layout, ends[hex_id])
        yield hex_id, pen.finished()


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
            line = curve(hexes[hex_id], layout, low, high)
            if len(together) > 1:
                lane = (together.index(i) - (len(together) - 1) / 2) * (_WIDTH + 0.04)
                line = shifted(line, lane, lane)
            if a > b:
                line = tuple(reversed(line))
            made[hex_id].append((i, line, walked))
            walked += length(line)
    return made


def _ends(pen: Pen, view: HexView, layout: Layout, ends: Sequence[tuple[int, int]]) -> None:
    """Draw a ring in the route's colour behind each stop where a route ends, wider for each additional route."""
    for depth, (route_index, stop_index) in reversed(list(enumerate(ends))):
        if stop_index >= len(view.stops):
            continue
        stop, place = view.stops[stop_index], places(view, layout)[stop_index]
        if stop.kind == "city":
            slots = max(1, len(stop.slots))
            points, size = slot_points(place, slots), slot_radius(place, slots) + 0.06
        else:
            points, size = [place.point], 0.24
        for extra, fill in ((0.135, WHITE), (0.11, colour_of(route_index))):
            grown = size + extra + 0.1 * depth
            for i, a in enumerate(points):
                pen.disc(a, grown, fill)
                for b in points[:i]:
                    pen.line([a, b], 2 * grown, fill)


def draw_legend(view: BoardView, routes: Sequence[RouteView], width: int) -> Image.Image:
    """One row per train: its line, the stops with their values, its total; then the sum."""
    unit = width / 1600
    size = max(15, round(28 * unit))
    row = round(size * 1.75)
    names = {hex_view.id: hex_view.name for hex_view in view.hexes}
    rows = len(routes) + (1 if len(routes) > 1 else 0)
    image = Image.new("RGB", (width, rows * row + round(size * 0.7)), PAPER)
    image.paste(FAINT, (0, 0, width, 2))
    edge = 28 * unit
    for i, route in enumerate(routes):
        y = size * 0.35 + (i + 0.5) * row
        pen = Pen(70 * unit, (1.0, 0.3))
        pen.line([(-1, 0), (1, 0)], 0.3, WHITE)
        pen.line([(-1, 0), (1, 0)], 0.24, FAINT)
        pen.dashed(((-1, 0), (1, 0)), dash_of(i), 0.2, colour_of(i))
        sample = pen.finished()
        text.stamp(image, sprite := sample, round(edge), round(y - sprite.height / 2))
        left = edge + sample.width + 18 * unit
        text.draw(image, left, y, f"{route.train}", size, INK, bold=True, align="l")
        value = _earned(view, route.value, route.subsidy)
        text.draw(image, width - edge, y, value, size, INK, bold=True, align="r")
        left += max(62 * unit, text.width(str(route.train), size, bold=True) + 18 * unit)
        room = width - edge - text.width(value, size, bold=True) - 24 * unit - left
        stops = [_told(names, stop, counts) for stop, counts in route.stops]
        more = route.value - sum(counts for _, counts in route.stops)
        if more > 0:
            stops.append(f"+{more}")
        lines, fits = [" · ".join(stops)], size - 3
        if text.width(lines[0], size - 8) > room:
            half = min(range(len(stops)), key=lambda at: abs(len(" · ".join(stops[:at])) - len(lines[0]) / 2))
            lines, fits = [" · ".join(stops[:half]) + " ·", " · ".join(stops[half:])], size - 6
        for number, line in enumerate(lines):
            words, fit = text.fitted(line, fits, room, floor=max(15, size - 8))
            dy = (2 * number - len(lines) + 1) * size * 0.38
            text.draw(image, left, y + dy, words, fit, SOFT_INK, align="l")
    if len(routes) > 1:
        y = size * 0.35 + (len(routes) + 0.5) * row
        total = "= " + _earned(view, sum(one.value for one in routes), sum(one.subsidy for one in routes))
        text.draw(image, width - edge, y, total, size + 2, INK, bold=True, align="r")
    return image


def _earned(view: BoardView, revenue: int, subsidy: int) -> str:
    return view.currency.format(revenue) + (f" + {view.currency.format(subsidy)}" if subsidy else "")


def _told(names: Mapping[HexId, str], stop: str, counts: int) -> str:
    hex_id, _ = split_stop(stop)
    name = names.get(hex_id, "")
    return f"{name or hex_id} {counts}" if counts else name or hex_id
