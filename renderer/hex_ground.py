"""The layer of a hex below routes: field, border, terrain, rivers and track.

Hexes look alike here whatever their names, values and tokens are, so one drawing serves all that have the same track.
"""

from functools import lru_cache

from PIL import Image

from engine.board.hexes import Layout
from engine.views import HexView
from renderer import atoms
from renderer.geometry import Point, corners, direction, half_size, places, segment_curve, side_ends
from renderer.pen import Box, Pen, Shapes
from renderer.theme import BARRIER, BLOCKED, CASING, HEX_FILL, HEX_LINE, INK, RIVER, TRACK_WIDTH, WHITE, mix

EDGE = 1.006
"""How far a hex reaches, of R: a little over its sides, so that nothing shows between two."""
TERRAIN = ("mountain", "water", "wall", "urban", "cost")
"""Signs that fill the middle of an empty hex."""

Sign = tuple[str, Point, float]
"""Kind, middle and size, in units of R."""


def drawn_below(view: HexView) -> tuple[object, ...]:
    """What the picture of this layer depends on."""
    stops = tuple((stop.kind, len(stop.slots), stop.at) for stop in view.stops)
    return (
        view.colour, stops, view.track, view.rotation if stops else 0, view.tile is not None, view.impassable,
        view.joined, bool(view.blocked_by), view.terrain if is_empty(view) and view.cost else None,
    )  # fmt: skip


def is_empty(view: HexView) -> bool:
    """Whether terrain and its cost have the hex to themselves."""
    return not view.stops and not view.track


def terrain_signs(view: HexView) -> list[Sign]:
    """The terrain that fills the middle of an empty hex."""
    if not (view.cost and is_empty(view)):
        return []
    kinds = view.terrain or ("cost",)
    gap = 0.26 if len(kinds) > 1 else 0.0
    size = 0.5 if len(kinds) == 1 else 0.42
    return [(kind, ((2 * i - len(kinds) + 1) * gap, -0.16), size) for i, kind in enumerate(kinds)]


def draw_ground(view: HexView, layout: Layout, radius: int, within: Box | None = None) -> Image.Image:
    """The layer as an RGB image of the hex's box; `hex_mask` says what of it belongs to the hex.

    Where only a part is seen, that is all that is drawn.
    """
    pen = Pen(radius, half_size(layout), ground=HEX_FILL.get(view.colour, HEX_FILL["white"]))
    paint_ground(pen, view, layout)
    return pen.finished(within)


def paint_ground(pen: Shapes, view: HexView, layout: Layout) -> None:
    """Paint the layer on a field that has the hex's colour."""
    fill = HEX_FILL.get(view.colour, HEX_FILL["white"])
    line = HEX_LINE.get(view.colour, HEX_LINE["white"])
    if (view.tile is not None or view.colour not in ("white", "blue")) and not view.joined:
        inner = corners(layout, 0.955)
        pen.line([*inner, inner[0], inner[1]], 0.022, mix(fill, WHITE, 0.45))
    if view.blocked_by:
        atoms.hatching(pen, mix(fill, BLOCKED, 0.28))
    for kind, at, size in terrain_signs(view):
        atoms.terrain(pen, kind, at, size)
    _track(pen, view, layout)
    for side in range(6):
        if side not in view.joined:
            pen.line(side_ends(layout, side), 0.034, line)
    for side in view.impassable:
        pen.line(side_ends(layout, side), BARRIER, RIVER, round_ends=True)


@lru_cache(maxsize=64)
def hex_mask(layout: Layout, radius: int) -> Image.Image:
    """255 inside the hex, 0 outside, and between the two on its edge."""
    pen = Pen(radius, half_size(layout))
    pen.polygon(corners(layout, EDGE), WHITE)
    return pen.finished().getchannel("A")


def _track(pen: Shapes, view: HexView, layout: Layout) -> None:
    fill = HEX_FILL.get(view.colour, HEX_FILL["white"])
    at = places(view, layout)
    lines = {piece: segment_curve(layout, at, *piece) for piece in view.track}
    for group in _joined(view.track):
        for extra, colour in ((2 * CASING, mix(fill, WHITE, 0.72)), (0.0, INK)):
            for piece in view.track:
                if piece not in group:
                    continue
                if leads_off(view, piece):
                    atoms.stub(pen, direction(layout, piece[0]), TRACK_WIDTH + extra, colour)
                else:
                    pen.line(lines[piece], TRACK_WIDTH + extra, colour)


def leads_off(view: HexView, piece: tuple[int, int]) -> bool:
    """Whether the track segment leads from a side off the board."""
    return piece[1] >= 6 and view.stops[piece[1] - 6].kind == "offboard"


def _joined(track: tuple[tuple[int, int], ...]) -> list[set[tuple[int, int]]]:
    """Track segments in groups that meet; groups only cross one another, later ones on top."""
    groups: list[set[tuple[int, int]]] = []
    for piece in track:
        meeting = [group for group in groups if any(set(piece) & set(other) for other in group)]
        groups = [group for group in groups if group not in meeting]
        groups.append({piece}.union(*meeting))
    return groups
