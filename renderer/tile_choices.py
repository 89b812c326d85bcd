"""Numbered choices of a tile and rotation, each drawn in place among its faded neighbours."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PIL import Image, ImageDraw

from engine.board.hexes import across
from engine.board.tile_list import EVERY_TILE
from engine.ids import HexId, TileId
from engine.views import BoardView, HexView, StopView
from renderer import text
from renderer.geometry import hex_centre
from renderer.hex_plan import HexLook
from renderer.map import glow_ring
from renderer.pen import Pen
from renderer.png import Picture, finished
from renderer.strips import draw_title
from renderer.theme import HEAD, INK, LAND, PAPER, SEA, WHITE
from renderer.tiles import lay_ground, lay_strip, lay_top, plain_hex
from renderer.tokens import centre_on

WIDTH, EDGE = 1600, 6
CAPTION = 44
"""Height of a tile's number: 9.6 on a phone. How the tile is turned can be seen."""


def tile_choices_picture(
    view: BoardView,
    hex_id: HexId,
    choices: Sequence[tuple[TileId, int]],
    stops: Sequence[tuple[StopView, ...]],
    joined: Sequence[str],
) -> Picture:
    """Tiles, each with a rotation, that may be laid on a hex, numbered from 1 in the given order; 1,600 pixels wide.

    `stops` are those of each choice with the tokens where they come to stand, `joined` the hexes that the track of each
    joins, for the description.
    """
    at = {hex_view.id: hex_view for hex_view in view.hexes}
    here = at[hex_id]
    place = f"{hex_id} {here.name}".strip()
    head = draw_title(place, "Choose a tile and its rotation", "", WIDTH)
    columns = _columns(len(choices))
    wide = (WIDTH - 2 * EDGE) // columns
    high = round(wide * 0.94)
    rows = -(-len(choices) // columns)
    cell = high + round(CAPTION * 1.5)
    image = Image.new("RGB", (WIDTH, head.height + rows * cell + 2 * EDGE), PAPER)
    image.paste(head, (0, 0))
    background = _neighbours(view, at, here, (wide, high))
    for i, ((tile, rotation), stops_now) in enumerate(zip(choices, stops, strict=True)):
        panel = background.copy()
        chosen = plain_hex(EVERY_TILE[tile], tile, rotation)
        _draw_choice(panel, view, replace(chosen, id=hex_id, x=here.x, y=here.y, stops=stops_now))
        _number(panel, i + 1)
        row, column = divmod(i, columns)
        # The last row is centred if it is not full.
        spare = (columns - min(columns, len(choices) - row * columns)) * wide // 2
        left, top = EDGE + spare + column * wide, head.height + EDGE + row * cell
        image.paste(panel, (left, top))
        ImageDraw.Draw(image).rectangle((left, top, left + wide - 1, top + high - 1), outline=PAPER, width=EDGE)
        text.draw(image, left + wide / 2, top + high + CAPTION * 0.7, chosen.printed_number, CAPTION, INK, bold=True)
    return finished(image, _alt(view, choices, joined, place), (company.colour for company in view.companies))


def _columns(count: int) -> int:
    for columns, most in ((2, 2), (3, 3), (4, 8), (5, 10)):
        if count <= most:
            return columns
    return 6


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


def _alt(view: BoardView, choices: Sequence[tuple[TileId, int]], joined: Sequence[str], place: str) -> str:
    ways: list[str] = []
    for i, ((tile, _), joins) in enumerate(zip(choices, joined, strict=True)):
        way = f"{i + 1} joining {joins}"
        named = f"tile {EVERY_TILE[tile].printed or tile}: "
        ways.append(f"; {way}" if i and choices[i - 1][0] == tile else f"; {named}{way}")
    return text.clean(f"{text.counted(len(choices), 'choice')} for {place}, {view.title}{''.join(ways)}.")[:1000]
