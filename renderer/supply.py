"""The tile supply: the faces of the tiles left, with their counts."""

import math

from PIL import Image

from engine.board.tile_list import EVERY_TILE
from engine.ids import TileId
from engine.views import BoardView, HexView
from renderer import text
from renderer.geometry import half_size
from renderer.hex_plan import HexLook
from renderer.png import Picture, finished
from renderer.strips import draw_title
from renderer.theme import FAINT, INK, PAPER, PHONE_FIGURE, PHONE_WIDTH, SOFT_INK, faded
from renderer.tiles import plain_hex, whole_hex

RADIUS = 62
"""R of the faces."""


def tiles_left_picture(view: BoardView) -> Picture:
    """The tiles left in the supply, 1,000 pixels wide; numbers and counts are large enough for a phone."""
    known = [(tile, count) for tile, count in view.supply if tile in EVERY_TILE]
    head = draw_title(view.title, "Tiles left", view.phase, PHONE_WIDTH)
    grid = _grid(view, known)
    whole = Image.new("RGB", (PHONE_WIDTH, head.height + grid.height), PAPER)
    whole.paste(head, (0, 0))
    whole.paste(grid, (0, head.height))
    left = sum(count for _, count in known)
    gone = sum(count == 0 for _, count in known)
    kinds = f"{text.counted(left, 'tile')} of {text.counted(len(known) - gone, 'kind')}"
    alt = f"Tiles left in the supply of {view.title}: {kinds}, {text.counted(gone, 'kind')} sold out."
    return finished(whole, text.clean(alt))


def shown(tile: TileId) -> HexView:
    """A tile as it is turned in the supply; one with a long label so that this has room below the city."""
    printed = EVERY_TILE[tile]
    return plain_hex(printed, tile, printed.fixed_rotation or (3 if len(printed.face.label) > 2 else 0))


def _grid(view: BoardView, tiles: list[tuple[TileId, int]]) -> Image.Image:
    """The faces in rows of as many as fit; used-up kinds are pale."""
    width, size, radius = PHONE_WIDTH, PHONE_FIGURE, RADIUS
    widest = max(
        (text.width(f"{EVERY_TILE[tile].printed or tile} ×00", size, bold=True) for tile, _ in tiles), default=0.0
    )
    cell = max(2 * radius + 12.0, widest + size * 0.2)
    columns = max(1, int((width - 10) / cell))
    rows = math.ceil(len(tiles) / columns)
    high = round(2 * half_size(view.layout)[1] * radius + size * 1.75)
    image = Image.new("RGB", (width, rows * high + round(size * 0.9)), PAPER)
    image.paste(FAINT, (0, 0, width, 2))
    left = (width - columns * cell) / 2
    look = HexLook(view.layout, radius, coordinate=False, number=False)
    for i, (tile, count) in enumerate(tiles):
        row, column = divmod(i, columns)
        x, y = left + (column + 0.5) * cell, round(size * 0.55) + row * high
        sprite = whole_hex(shown(tile), look, ())
        if count == 0:
            sprite = sprite.copy()
            sprite.putalpha(sprite.getchannel("A").point([value // 5 for value in range(256)]))
        text.stamp(image, sprite, round(x - sprite.width / 2), y)
        under = y + sprite.height + size * 0.62
        number = EVERY_TILE[tile].printed or str(tile)
        amount = f"×{count}" if count else "–"
        gap = size * 0.3
        total = text.width(number, size) + gap + text.width(amount, size, bold=True)
        colour = faded(SOFT_INK, PAPER, 0.45) if count == 0 else SOFT_INK
        text.draw(image, x - total / 2, under, number, size, colour, align="l")
        text.draw(image, x + total / 2, under, amount, size, INK if count else colour, bold=True, align="r")
    return image
