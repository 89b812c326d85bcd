"""Numbered choices of a tile and rotation, each drawn in place among its faded neighbours."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PIL import Image, ImageDraw

from engine.board.hexes import across
from engine.board.tile_list import EVERY_TILE
from engine.ids import CorpId, HexId, TileId
from engine.views import BoardView, HexView, StopView
from renderer import text
from renderer.geometry import hex_centre
from renderer.map import glow_ring
from renderer.pen import Pen
from renderer.png import Picture, finished, remembered
from renderer.strips import draw_title
from renderer.theme import HEAD, INK, LAND, PAPER, SEA, WHITE
from renderer.tiles import HexLook, lay_ground, lay_strip, lay_top, plain_hex
from renderer.tokens import centre_on

WIDTH, EDGE = 1600, 6
CAPTION = 44
"""Height of a tile's number: 9.6 on a phone. How the tile is turned can be seen."""
MOST = 24
"""The most choices in one picture; any more are left out, and the description says so."""

Turned = tuple[HexId, TileId, int]


@remembered
def tile_choices_picture(
    view: BoardView, choices: Sequence[Turned], stops: Sequence[tuple[StopView, ...]] = (), joined: Sequence[str] = ()
) -> Picture:
    """Up to 24 tile-and-rotation choices, numbered from 1 in the given order; 1,600 pixels wide.

    `stops` are those of each choice with the tokens where they come to stand; without, tokens stay as `laid` has them.
    `joined` are the hexes that the track of each joins, for the description.
    """
    shown = list(choices[:MOST])
    at = {hex_view.id: hex_view for hex_view in view.hexes}
    hexes = list(dict.fromkeys(hex_id for hex_id, _, _ in shown))
    one = at.get(hexes[0]) if len(hexes) == 1 else None
    place = f"{hexes[0]} {one.name}".strip() if one is not None else "Tile choices"
    head = draw_title(place, "Choose a tile and its rotation", "", WIDTH)
    columns = _columns(len(shown))
    wide = (WIDTH - 2 * EDGE) // columns
    high = round(wide * 0.94)
    rows = max(1, -(-len(shown) // columns))
    cell = high + round(CAPTION * 1.5)
    image = Image.new("RGB", (WIDTH, head.height + rows * cell + 2 * EDGE), PAPER)
    image.paste(head, (0, 0))
    backgrounds: dict[HexId, Image.Image] = {}
    for i, (hex_id, tile, rotation) in enumerate(shown):
        if hex_id not in at or tile not in EVERY_TILE:
            continue
        if hex_id not in backgrounds:
            backgrounds[hex_id] = _neighbours(view, at, at[hex_id], (wide, high))
        panel = backgrounds[hex_id].copy()
        chosen = laid(at[hex_id], tile, rotation)
        _draw_choice(panel, view, replace(chosen, stops=stops[i]) if stops else chosen)
        _number(panel, i + 1)
        row, column = divmod(i, columns)
        # The last row is centred if it is not full.
        spare = (columns - min(columns, len(shown) - row * columns)) * wide // 2
        left, top = EDGE + spare + column * wide, head.height + EDGE + row * cell
        image.paste(panel, (left, top))
        ImageDraw.Draw(image).rectangle((left, top, left + wide - 1, top + high - 1), outline=PAPER, width=EDGE)
        text.draw(image, left + wide / 2, top + high + CAPTION * 0.7, _said(tile), CAPTION, INK, bold=True)
    return finished(image, _alt(view, choices, joined, place), (company.colour for company in view.companies))


def _columns(count: int) -> int:
    for columns, most in ((2, 2), (3, 3), (4, 8), (5, 10)):
        if count <= most:
            return columns
    return 6


def laid(view: HexView, tile: TileId, rotation: int) -> HexView:
    """The hex with the tile. Tokens stay in their cities if each still has one, otherwise they share the first."""
    fresh = plain_hex(EVERY_TILE[tile], tile, rotation)
    cities = [i for i, stop in enumerate(fresh.stops) if stop.kind == "city"]
    before = [stop for stop in view.stops if stop.kind == "city"]
    stops: list[StopView] = list(fresh.stops)
    keep_apart = len(before) == len(cities)
    for n, index in enumerate(cities):
        sources = [before[n]] if keep_apart else before if n == 0 else []
        placed: list[CorpId | None] = [corp for stop in sources for corp in stop.slots if corp is not None]
        count = len(stops[index].slots)
        slots = tuple((placed + [None] * count)[: max(count, len(placed))])
        reserved = tuple(corp for stop in sources for corp in stop.reserved)
        stops[index] = replace(stops[index], slots=slots, reserved=reserved)
    return replace(fresh, id=view.id, x=view.x, y=view.y, stops=tuple(stops))


def _radius(size: tuple[int, int]) -> int:
    """Pixels per R, so that the hex fills the middle of its panel with a strip of each neighbour around it."""
    return max(20, int(min(size) / 2.5))


def _neighbours(view: BoardView, at: Mapping[HexId, HexView], middle: HexView, size: tuple[int, int]) -> Image.Image:
    radius = _radius(size)
    image = Image.new("RGB", size, SEA if view.sea else LAND)
    look = HexLook(view.layout, radius, texts=False, coordinate=False, number=False)
    x0, y0 = hex_centre(view.layout, middle.x, middle.y)
    for side in range(6):
        other = at.get(across(view.layout, middle.id, side))
        if other is None:
            continue
        x, y = hex_centre(view.layout, other.x, other.y)
        spot = (size[0] / 2 + (x - x0) * radius, size[1] / 2 + (y - y0) * radius)
        lay_strip(image, other, look, view.companies, spot)
    return Image.blend(image, Image.new("RGB", size, PAPER), 0.45)


def _draw_choice(panel: Image.Image, view: BoardView, hex_view: HexView) -> None:
    radius = _radius(panel.size)
    look = HexLook(view.layout, radius, coordinate=False, number=False)
    middle = (panel.width / 2, panel.height / 2)
    lay_ground(panel, hex_view, look, middle)
    lay_top(panel, hex_view, look, view.companies, middle)
    centre_on(panel, glow_ring(view.layout, radius), middle)


def _number(panel: Image.Image, number: int) -> None:
    size = 33
    pen = Pen(size, (1.1, 1.1))
    pen.disc((0, 0), 1.05, WHITE)
    pen.disc((0, 0), 0.95, HEAD)
    at = (size * 1.22, size * 1.22)
    centre_on(panel, pen.finished(), at)
    text.draw(panel, *at, str(number), round(size * 1.3), WHITE, bold=True)


def _said(tile: TileId) -> str:
    """The number that is printed on the tile."""
    return EVERY_TILE[tile].printed or tile if tile in EVERY_TILE else tile


def _alt(view: BoardView, choices: Sequence[Turned], joined: Sequence[str], place: str) -> str:
    ways: list[str] = []
    for i, (_, tile, _) in enumerate(choices[:MOST]):
        way = f"{i + 1} joining {joined[i]}" if joined else str(i + 1)
        ways.append(f"; {way}" if i and choices[i - 1][1] == tile else f"; tile {_said(tile)}: {way}")
    more = f" {len(choices) - MOST} more are not shown." if len(choices) > MOST else ""
    return text.clean(f"{text.counted(len(choices), 'choice')} for {place}, {view.title}{''.join(ways)}.{more}")[:1000]
