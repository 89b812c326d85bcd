"""Hexes on pictures, drawn once by what they show, and kept.

A hex is drawn in two layers, so that routes can go between: the ground, which all hexes with the same track share, and
the top with stops, values and words. Tokens are stamped above both, so placing one draws nothing anew.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PIL import Image

from engine.board.tiles import turned
from engine.ids import HexId, TileId
from engine.printed import TileDef
from engine.views import CompanyView, HexView, StopView
from renderer import text
from renderer.geometry import Point, half_size
from renderer.hex_art import HexArt, draw_tokens
from renderer.hex_ground import draw_ground, drawn_below, hex_mask
from renderer.hex_plan import HexLook
from renderer.packing import DRAWN, Cut
from renderer.pen import layer_size

Key = tuple[object, ...]
"""All that a part shows."""
Layer = tuple[Key, Callable[[], Cut]]
"""How a layer of a hex is kept: its key, and what draws it."""
NOWHERE = HexId("")
_FOUND: set[int] = set()
"""Hexes that are known to be kept: looking for all of a map in the file takes as long as drawing a card."""
_MOST_FOUND = 20_000


def whole_hex(view: HexView, look: HexLook, companies: Sequence[CompanyView]) -> Image.Image:
    """A hex with everything on it: an RGBA image of its bounding box and a one-pixel margin."""
    width, height = layer_size(look.radius, half_size(look.layout))
    sprite = Image.new("RGBA", (width, height))
    sprite.paste(DRAWN.get(*_ground(view, look))[0])
    sprite.putalpha(hex_mask(look.layout, look.radius))
    lay_top(sprite, view, look, companies, (width / 2, height / 2))
    return sprite


def lay_ground(image: Image.Image, view: HexView, look: HexLook, centre: Point) -> None:
    """Draw the lower layer on an RGB picture: fill, terrain and track."""
    ground, _, _ = DRAWN.get(*_ground(view, look))
    image.paste(ground, _corner(look, centre), hex_mask(look.layout, look.radius))


def lay_top(
    image: Image.Image,
    view: HexView,
    look: HexLook,
    companies: Sequence[CompanyView],
    centre: Point,
    *,
    first_of_group: bool = True,
) -> None:
    """Draw the upper layer: stops, values, words and tokens."""
    top, left, down = DRAWN.get(*_top(view, look, first_of_group))
    x, y = _corner(look, centre)
    text.stamp(image, top, x + left, y + down)
    draw_tokens(image, view, look, companies, centre)


def lay_strip(
    image: Image.Image, view: HexView, look: HexLook, companies: Sequence[CompanyView], centre: Point
) -> None:
    """Draw a hex of which the RGB picture shows a strip. Only that is drawn, and nothing kept."""
    x, y = _corner(look, centre)
    mask = hex_mask(look.layout, look.radius)
    strip = max(0, -x), max(0, -y), min(mask.width, image.width - x), min(mask.height, image.height - y)
    image.paste(draw_ground(view, look.layout, look.radius, strip), (x, y), mask)
    text.stamp(image, HexArt(seen(view, look, True), look).top(strip), x, y)
    draw_tokens(image, view, look, companies, centre)


def _corner(look: HexLook, centre: Point) -> tuple[int, int]:
    """The top left pixel of a layer around this point."""
    width, height = layer_size(look.radius, half_size(look.layout))
    return round(centre[0] - width / 2), round(centre[1] - height / 2)


def is_drawn(view: HexView, look: HexLook, *, first_of_group: bool) -> bool:
    """Whether both layers of a hex are kept, or were when somebody last looked."""
    key = hash((view, look, first_of_group))
    if key in _FOUND:
        return True
    found = all(DRAWN.has(layer) for layer, _ in (_ground(view, look), _top(view, look, first_of_group)))
    if found:
        if len(_FOUND) >= _MOST_FOUND:
            _FOUND.clear()
        _FOUND.add(key)
    return found


def draw_ahead(view: HexView, look: HexLook, *, first_of_group: bool) -> None:
    """Draw what is not kept of a hex, for pictures to come."""
    for key, draw in (_ground(view, look), _top(view, look, first_of_group)):
        if not DRAWN.has(key):
            DRAWN.draw_ahead(key, draw)


def _ground(view: HexView, look: HexLook) -> Layer:
    key = ("ground", look.layout, look.radius, *drawn_below(view))
    return key, lambda: (draw_ground(view, look.layout, look.radius), 0, 0)


def _top(view: HexView, look: HexLook, first_of_group: bool) -> Layer:
    shown = seen(view, look, first_of_group)
    return ("top", shown, look), lambda: _drawn_top(shown, look)


def _drawn_top(shown: HexView, look: HexLook) -> Cut:
    layer = HexArt(shown, look).top()
    box = layer.getbbox() or (0, 0, 1, 1)
    return layer.crop(box), box[0], box[1]


def seen(view: HexView, look: HexLook, first_of_group: bool) -> HexView:
    """The hex as far as its upper layer shows it at this look: wherever it is, and without tokens."""
    stops = tuple(replace(stop, slots=(None,) * len(stop.slots), reserved=(), group="") for stop in view.stops)
    shown = replace(view, x=0, y=0, stops=stops, id=view.id if look.coordinate else NOWHERE)
    if not look.texts:
        return replace(shown, name="", name_local="", cost=0, terrain=(), icons=(), blocked_by=(), printed_number="")
    if first_of_group:
        return shown
    stops = tuple(replace(stop, tiers=(), value=0) for stop in stops)
    return replace(shown, name="", name_local="", stops=stops)


def plain_hex(tile: TileDef, tile_id: TileId, rotation: int = 0) -> HexView:
    """A single tile as a hex to draw; stops with tiers show their first value."""
    stops = tuple(
        StopView(
            kind=stop.kind,
            value=stop.tiers[0][1] if stop.tiers else stop.revenue,
            tiers=stop.tiers,
            tier=stop.tiers[0][0] if stop.tiers else "",
            slots=(None,) * stop.slots,
            at=stop.at,
            group=stop.group,
        )
        for stop in tile.face.stops
    )
    track = tuple(sorted(turned(tile.face, rotation).segments))
    printed = tile.printed or str(tile_id)
    return HexView(
        HexId("A1"), 0, 0, tile.face.colour, stops, track, rotation, tile_id, printed, tile.face.label, icons=tile.icons
    )
