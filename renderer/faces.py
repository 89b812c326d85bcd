"""How much of a hex is drawn, and tiles as hexes of their own."""

from dataclasses import dataclass

from engine.board.hexes import Layout
from engine.board.tiles import turned
from engine.ids import HexId, TileId
from engine.printed import TileDef
from engine.views import HexView, StopView


@dataclass(frozen=True, slots=True)
class HexLook:
    """How a hex is drawn: its size, and how much of it is shown."""

    layout: Layout
    radius: int
    """Pixels of R."""
    texts: bool = True
    """False for very small pictures, where text would be unreadable."""
    local_names: bool = False
    coordinate: bool = True
    number: bool = True
    least: int = 0
    """The smallest letters, in pixels, except on a hex where they would cover something."""


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
