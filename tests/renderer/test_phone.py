"""Pictures as Discord shows them: 350 pixels wide on a phone, 550 in a window. How high are the figures that matter?

Run as a script, it prints the heights of all of them at 350, 550 and 1,600 pixels.
"""

from __future__ import annotations

from dataclasses import replace

import drawn_boards as boards
import pytest
import samples

from engine.board.tile_list import TILES
from engine.ids import HexId
from engine.views import HexView
from renderer import hex_art, map_picture, market, parts_of, pictured, readable, text, theme
from renderer import map as drawn_map
from renderer.geometry import half_size
from renderer.hex_ground import TERRAIN
from renderer.hex_plan import VALUE, HexLook
from renderer.map_signs import MEANINGS, signs_of
from renderer.routes import _brief, _filled, _stops

BOARDS = {
    "1889": samples.middle(),
    "1860": boards.views(boards.wight())[0],
    "1888": boards.views(boards.china())[0],
    "1890": boards.views(boards.osaka())[0],
}
MARKETS = {
    "1889": samples.market_crowd(),
    "1889, all in one cell": samples.market_all_in_one(),
    "1860": boards.views(boards.wight())[1],
    "1888": boards.views(boards.china())[1],
    "1890": boards.views(boards.osaka())[1],
}
PHONE, WINDOW = (350, 9), (550, 13)
"""How wide a picture is shown, and how high its figures must be."""


def high(size: int, *, bold: bool = False) -> int:
    """How many pixels high a digit of this size is drawn."""
    _, top, _, bottom = text.ink("8", size, bold)
    return round(bottom - top)


def shown(size: int, picture: int, wide: int, *, bold: bool = False) -> float:
    """How high a digit is where a picture so many pixels wide is shown so wide."""
    return high(size, bold=bold) * wide / picture


def figures() -> dict[str, tuple[int, int, bool]]:
    """Size of letters, width of the picture, and whether bold, of each kind of figure that matters."""
    found = {
        "list of prices, routes, phase, round, tile counts": (theme.PHONE_FIGURE, theme.PHONE_WIDTH, False),
        **{f"prices of the market, {name}": (market._sizes(one).price, theme.PHONE_WIDTH, True)
           for name, one in MARKETS.items()},
    }  # fmt: skip
    for name, board in BOARDS.items():
        radius = drawn_map._part(board, 0, 1000).radius
        found[f"values in a part of the map, {name}"] = (round(VALUE * radius), 1000, True)
    middle = BOARDS["1889"].hexes[20].id
    crop = drawn_map._around(BOARDS["1889"], (middle,), 1600)
    found["values around one hex"] = (round(VALUE * crop.radius), 1600, True)
    return found


@pytest.mark.parametrize(("wide", "wanted"), [PHONE, WINDOW])
def test_figures_that_matter_can_be_read_where_discord_shows_them(wide: int, wanted: int) -> None:
    found = {what: shown(size, picture, wide, bold=bold) for what, (size, picture, bold) in figures().items()}
    assert {what: height for what, height in found.items() if height < wanted} == {}


@pytest.mark.parametrize("name", MARKETS)
def test_a_price_stays_inside_its_cell_and_is_hardly_narrowed(name: str) -> None:
    view = MARKETS[name]
    sizes = market._sizes(view)
    widest = max(text.width(str(cell.price), sizes.price, bold=True) for row in view.rows for cell in row if cell)
    assert widest * sizes.narrow <= sizes.cell - 8
    assert sizes.narrow >= 0.7


@pytest.mark.parametrize("name", MARKETS)
def test_every_token_of_the_market_shows_its_letters(name: str) -> None:
    """Tokens of a cell are so far apart that none covers the band with the letters of another, and stay in the cell."""
    grid = market._Grid(MARKETS[name])
    sizes = grid.sizes
    for at, (left, top, right, bottom) in grid.boxes.items():
        cell = market._cell_of(grid.view, at)
        spots = market._spots((left, top, right, bottom), len(cell.tokens) + len(grid.ghosts.get(at, ())), sizes)
        for i, (x, y) in enumerate(spots):
            assert left <= x - sizes.token < x + sizes.token <= right
            assert top + market._PRICE_LINE <= y - sizes.token < y + sizes.token <= bottom
            for other_x, other_y in spots[:i]:
                assert abs(other_x - x) >= 2 * sizes.token or y - other_y >= 1.4 * sizes.token


@pytest.mark.parametrize("name", BOARDS)
def test_the_parts_show_every_hex_whole(name: str) -> None:
    board = BOARDS[name]
    parts = [drawn_map._part(board, number, 1000) for number in range(parts_of(board))]

    def whole(window: drawn_map.Window, hex_view: HexView) -> bool:
        x, y = window.pixel(hex_view)
        wide, tall = (half * window.radius - 2 for half in half_size(window.layout))
        return wide <= x <= window.width - wide and tall <= y <= window.height - tall

    # What lies where two parts meet is whole in one or halves in both; its middle is in both.
    for hex_view in board.hexes:
        seen = [window for window in parts if 0 <= window.pixel(hex_view)[0] <= window.width]
        assert any(whole(window, hex_view) for window in seen) or len(seen) == 2


@pytest.mark.parametrize(("pair", "size"), [(("I4", "I10"), 0.094), (("K4", "K6"), 0.128)])
def test_a_crop_has_its_room_for_the_hexes_in_focus_not_for_those_around(pair: tuple[str, str], size: float) -> None:
    board, wanted = BOARDS["1889"], [HexId(one) for one in pair]
    assert readable(board, wanted) == tuple(wanted)
    assert pictured(board, wanted, [*wanted, HexId("B7")]) == set(wanted)
    window, (wide, high) = drawn_map._around(board, wanted, 1200), half_size(board.layout)
    assert window.radius == int(size * 1200)
    room = (window.width / window.radius, window.height / window.radius)
    places = {one.id: [at / window.radius for at in window.pixel(one)] for one in board.hexes}
    within = {name for name, (x, y) in places.items() if wide < x < room[0] - wide and high < y < room[1] - high}
    assert pictured(board, wanted, list(places)) == within


@pytest.mark.parametrize("name", BOARDS)
def test_routes_from_top_to_bottom_leave_room_for_a_card(name: str) -> None:
    board = BOARDS[name]
    ys = sorted(board.hexes, key=lambda one: one.y)
    window = drawn_map._around(board, [ys[0].id, ys[-1].id], 1200)
    assert window.height <= 0.75 * window.width + 1
    for end in (ys[0], ys[-1]):
        x, y = window.pixel(end)
        assert 0 < x < window.width
        assert 0 < y < window.height


@pytest.mark.broad
def test_each_part_is_described_and_small() -> None:
    board = BOARDS["1889"]
    for number in range(parts_of(board)):
        picture = map_picture(board, part=number, width=1000)
        assert picture.alt.startswith("Part of the map")
        assert len(picture.png) < 250 * 1024


# The legends


@pytest.mark.parametrize("title", ["1889", "1888", "1860", "1890"])
@pytest.mark.long
def test_the_legend_of_the_map_names_every_sign_that_is_drawn(title: str) -> None:
    """What the plan of a hex places, against what the legend says of it, on the printed map and on a late board."""
    for board in (boards.printed(title, 3), BOARDS[title]):
        for hex_view in board.hexes:
            plan = hex_art.HexArt(hex_view, HexLook(board.layout, 84))
            drawn = {kind for kind, _, _ in plan.signs}
            drawn |= {"value"} if plan.values else set()
            drawn |= {"tiers"} if plan.tiers else set()
            drawn |= {"cost"} if plan.plates else set()
            drawn |= {stop.kind for stop in hex_view.stops}
            assert drawn <= signs_of(hex_view) <= set(MEANINGS), hex_view.id


def test_every_sign_that_can_be_drawn_on_a_hex_has_a_meaning() -> None:
    icons = {icon.partition(":")[0] for tile in TILES.values() for icon in tile.icons}
    kinds = {stop.kind for tile in TILES.values() for stop in tile.face.stops}
    assert icons | kinds | set(TERRAIN) <= set(MEANINGS)


@pytest.mark.parametrize("name", MARKETS)
def test_the_legend_of_the_market_names_every_sign_that_is_drawn(name: str) -> None:
    view = MARKETS[name]
    cells = [cell for row in view.rows for cell in row if cell is not None]
    drawn = {cell.zone for cell in cells} - {"normal"}
    drawn |= {"+par"} if any(cell.par for cell in cells) else set()
    drawn |= {"+arrow"} if any(cell.arrow for cell in cells) else set()
    drawn |= ({"+moved"} if view.moved else set()) | ({"+tiers"} if view.tiers else set())
    told = dict(market.signs(view))
    assert drawn == set(told)
    assert all(told.values())
    signs = [market._sign(view, sign) for sign in told]
    assert all(len(sign.getcolors(10_000) or ()) > 1 for sign in signs)


def test_a_route_of_many_stops_is_told_whole() -> None:
    """Every stop with its value, on as many lines as they need."""
    board, routes = samples.routes()
    long = max(routes, key=lambda one: len(one.stops))
    names = {hex_view.id: hex_view.name for hex_view in board.hexes}
    stops = _stops(names, long) * 3
    lines = _filled(stops, theme.PHONE_FIGURE, 500)
    assert " ".join(lines) == " · ".join(stops)
    assert all(text.width(line, theme.PHONE_FIGURE) <= 500 for line in lines)


def test_a_route_of_long_names_takes_no_third_line() -> None:
    stops = ["Fushun & Benxi 50", "Shenyang & Anshan 50", "Chaoyang & Jinzhou 10", "Changchun 40"]
    lines = _brief(stops, theme.PHONE_FIGURE, 600)
    assert lines == ["Fushun & Benxi 50 · 2 more ·", "Changchun 40"]


def test_what_a_route_earns_beside_its_stops_is_told_behind_them() -> None:
    board, (route, *_) = samples.routes()
    names = {hex_view.id: hex_view.name for hex_view in board.hexes}
    assert not any("+" in stop for stop in _stops(names, route))
    assert _stops(names, replace(route, value=route.value + 30)) == [*_stops(names, route), "+30"]


def _print() -> None:
    for what, (size, picture, bold) in figures().items():
        heights = "  ".join(f"{shown(size, picture, wide, bold=bold):5.1f}" for wide in (350, 550, 1600))
        print(f"{what:52} {heights}")
    for name, board in BOARDS.items():
        size = round(VALUE * drawn_map.whole(board, 1600).radius)
        heights = "  ".join(f"{shown(size, 1600, wide, bold=True):5.1f}" for wide in (350, 550, 1600))
        print(f"{'values on the whole map, ' + name:52} {heights}")


if __name__ == "__main__":
    _print()
