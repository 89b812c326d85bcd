"""Coordinates of hexes, and which hex lies across a side.

Sides are numbered 0-5 clockwise from the bottom (flat-topped hexes) or from the lower left
(pointy-topped); turning a tile by r adds r to every side.
"""

import re
from functools import lru_cache
from typing import Literal

from engine.ids import HexId

Layout = Literal["flat", "pointy"]

# Steps (column, row) across the sides 0-5. A flat map has letters for columns, a pointy one for rows.
_STEPS: dict[Layout, tuple[tuple[int, int], ...]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
_ID = re.compile(r"([A-Z]+)(-?\d+)")


def position(layout: Layout, hex_id: str) -> tuple[int, int]:
    """Column and row of a hex in half steps: (x, y) with y growing downwards."""
    match = _ID.fullmatch(hex_id)
    if match is None:
        raise ValueError(f"{hex_id!r} is not a hex coordinate")
    letters, number = match.groups()
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return (index - 1, int(number)) if layout == "flat" else (int(number), index - 1)


def hex_at(layout: Layout, x: int, y: int) -> HexId:
    """The coordinate written for a position; the inverse of `position`."""
    index, number = (x, y) if layout == "flat" else (y, x)
    letters = ""
    index += 1
    while index > 0:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return HexId(f"{letters}{number}")


@lru_cache(8192)
def across(layout: Layout, hex_id: str, side: int) -> HexId:
    """The coordinate of the hex on the other side of `side`, on the map or not."""
    x, y = position(layout, hex_id)
    dx, dy = _STEPS[layout][side]
    return hex_at(layout, x + dx, y + dy)


def opposite(side: int) -> int:
    """The side across the hex."""
    return (side + 3) % 6
