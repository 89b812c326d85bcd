"""The map of 18HS: some lakes, four cities round them."""

from __future__ import annotations

from engine.board.tiles import face
from engine.ids import HexId
from engine.printed import HexDef, Terrain

_WATER = Terrain(20, frozenset({"water"}))
HEXES = {
    HexId(name): printed
    for name, printed in {
        "A2": HexDef(face("white")),
        "A4": HexDef(face("white", "city"), name="Westerby"),
        "A6": HexDef(face("white", "town"), name="Reeds"),
        "B1": HexDef(face("red", "offboard:yellow=20,brown=40", "0-a 5-a"), name="Fells"),
        "B3": HexDef(face("white"), terrain=_WATER),
        "B5": HexDef(face("white")),
        "B7": HexDef(face("white")),
        "C2": HexDef(face("white", "city"), name="Norham"),
        "C4": HexDef(face("white", "town"), name="Isle", terrain=_WATER),
        "C6": HexDef(face("white", "city"), name="Southey"),
        "D3": HexDef(face("white")),
        "D5": HexDef(face("white"), terrain=_WATER),
        "D7": HexDef(face("red", "offboard:yellow=20,brown=50", "2-a 3-a"), name="Coast"),
        "E2": HexDef(face("white", "town"), name="Moss"),
        "E4": HexDef(face("white", "city"), name="Easterly"),
        "E6": HexDef(face("white")),
    }.items()
}
