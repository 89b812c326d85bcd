"""The Isle of Wight as printed, hex by hex. {1860 facts; rule book, map}"""

from engine.board.tiles import face
from engine.ids import HexId
from engine.printed import HexDef, terrain

_HEXES: dict[str, HexDef] = {
    "A5": HexDef(face("white", "town"), name="Norton Green", impassable=frozenset({4})),
    "A7": HexDef(face("white", "city"), name="Totland"),
    "B4": HexDef(face("white", "city"), name="Yarmouth", impassable=frozenset({1})),
    "B6": HexDef(face("white", "city"), name="Freshwater"),
    "C5": HexDef(face("white", "town"), name="Ningwood"),
    "C7": HexDef(face("white", "town"), name="Shalcombe", terrain=terrain(60, "mountain")),
    "D4": HexDef(face("white"), terrain=terrain(60, "water")),
    "D6": HexDef(face("white", "town"), name="Calbourne"),
    "D8": HexDef(face("white")),
    "E3": HexDef(face("white")),
    "E5": HexDef(face("white", "town"), name="Watchingwell"),
    "E7": HexDef(face("white"), terrain=terrain(60, "mountain")),
    "E9": HexDef(face("white", "city", label="B"), name="Shorwell"),
    "E11": HexDef(face("white")),
    "F2": HexDef(face("white", "city@3 town@1 town@0", label="C"), name="Cowes", impassable=frozenset({4, 5})),
    "F4": HexDef(face("white", "town"), name="Cement Mills", impassable=frozenset({4})),
    "F6": HexDef(face("white", "town"), name="Carisbrooke"),
    "F8": HexDef(face("white"), terrain=terrain(60, "mountain")),
    "F10": HexDef(face("white", "town"), name="Chale Green"),
    "F12": HexDef(face("white", "city"), name="Chale"),
    "G1": HexDef(face("white", "town"), name="East Cowes", impassable=frozenset({1})),
    "G3": HexDef(face("white", "town"), name="Whippingham", impassable=frozenset({1, 2})),
    "G5": HexDef(face("yellow", "city:30", "2-a 3-a", label="N"), name="Newport"),
    "G7": HexDef(face("yellow", "city:10 town", "5-a", label="M"), name="Merstone"),
    "G9": HexDef(face("white", "city", label="B"), name="Godshill"),
    "G11": HexDef(face("white", "town"), name="Whitwell"),
    "G13": HexDef(face("white"), terrain=terrain(60, "mountain")),
    "H2": HexDef(face("white"), name="Fishbourne", terrain=terrain(60, "water")),
    "H4": HexDef(face("white", "town town"), name="Wootton & Havenstreet"),
    "H6": HexDef(face("white"), terrain=terrain(60, "mountain")),
    "H8": HexDef(face("white", "town"), name="Horringford"),
    "H10": HexDef(face("white", "town"), name="Wroxall", terrain=terrain(60, "mountain")),
    "H12": HexDef(face("white", "town"), name="St. Lawrence", terrain=terrain(60, "mountain")),
    "I3": HexDef(face("yellow", "city:30", "5-a", label="R"), name="Ryde Esplanade"),
    "I5": HexDef(face("white", "town"), name="Ashey", impassable=frozenset({0})),
    "I7": HexDef(face("white", "town town"), name="Newchurch & Alverstone", impassable=frozenset({3})),
    "I9": HexDef(face("white", "city"), name="Shanklin", impassable=frozenset({0})),
    "I11": HexDef(face("yellow", "city:30", "2-a", label="V"), name="Ventnor", impassable=frozenset({3})),
    "J2": HexDef(face("blue", "offboard:yellow=0,green=20,brown=40", "1-a"), name="Ryde Pier"),
    "J4": HexDef(face("white", "city"), name="Ryde"),
    "J6": HexDef(face("white", "city", label="B"), name="Brading"),
    "J8": HexDef(face("white", "city"), name="Sandown"),
    "K5": HexDef(face("white", "town"), name="St. Helens", terrain=terrain(60, "water")),
    "K7": HexDef(face("white")),
    "L6": HexDef(face("white", "city"), name="Bembridge"),
}

HEXES = {HexId(name): printed for name, printed in _HEXES.items()}

_SMALL = {name: printed for name, printed in HEXES.items() if name not in ("A5", "A7", "E11")}
SMALL_HEXES = {**_SMALL, HexId("B4"): HexDef(face("white", "city"), name="Yarmouth")}
"""The first edition's map. {1860-VAR-14}"""
