"""The tiles of all titles, by number, in the tile language of `tiles.py`.

A key is our own where two games print one number on different tiles; `printed` then gives the number.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.board.tiles import face
from engine.ids import TileId
from engine.printed import TileDef

_TILES: dict[str, TileDef] = {
    # yellow
    "1": TileDef(face("yellow", "town:10 town:10", "1-a 3-a 0-b 4-b")),
    "2": TileDef(face("yellow", "town:10 town:10", "0-a 3-a 1-b 2-b")),
    "3": TileDef(face("yellow", "town:10", "0-a 1-a")),
    "4": TileDef(face("yellow", "town:10", "0-a 3-a")),
    "5": TileDef(face("yellow", "city:20", "0-a 1-a")),
    "6": TileDef(face("yellow", "city:20", "0-a 2-a")),
    "7": TileDef(face("yellow", "", "0-1")),
    "8": TileDef(face("yellow", "", "0-2")),
    "9": TileDef(face("yellow", "", "0-3")),
    "55": TileDef(face("yellow", "town:10 town:10", "0-a 3-a 1-b 4-b")),
    "56": TileDef(face("yellow", "town:10 town:10", "0-a 2-a 1-b 3-b")),
    "57": TileDef(face("yellow", "city:20", "0-a 3-a")),
    "58": TileDef(face("yellow", "town:10", "0-a 2-a")),
    "69": TileDef(face("yellow", "town:10 town:10", "0-a 3-a 2-b 4-b")),
    "115": TileDef(face("yellow", "city:20", "0-a")),
    "202": TileDef(face("yellow", "city:30", "0-a 2-a", label="Y")),
    "437": TileDef(face("yellow", "town:30", "0-a 2-a"), icons=("port",)),
    "438": TileDef(face("yellow", "city:40", "0-a 2-a", label="H"), cost=80),
    "741": TileDef(face("yellow", "halt+10", "0-a 1-a")),
    "742": TileDef(face("yellow", "halt+10", "0-a 2-a")),
    "743": TileDef(face("yellow", "halt+10", "0-a 3-a")),
    "744": TileDef(face("yellow", "halt+10@0 halt+10@3", "0-a 3-b a-b")),
    "745": TileDef(face("yellow", "halt+10@0 halt+10@2", "0-a 2-b a-b")),
    "746": TileDef(face("yellow", "city:10", "0-a 3-a", label="B")),
    "787": TileDef(face("yellow", "city:20@3 town:10@center halt+10@0", "0-c c-b a-b", label="C")),
    "L41": TileDef(face("yellow", "town+40", "0-a 2-a 4-a"), icons=("mine",)),
    # green
    "12": TileDef(face("green", "city:30", "0-a 1-a 2-a")),
    "13": TileDef(face("green", "city:30", "0-a 2-a 4-a")),
    "14": TileDef(face("green", "city:30x2", "0-a 1-a 3-a 4-a")),
    "15": TileDef(face("green", "city:30x2", "0-a 1-a 2-a 3-a")),
    "16": TileDef(face("green", "", "0-2 1-3")),
    "17": TileDef(face("green", "", "1-3 0-4")),
    "18": TileDef(face("green", "", "0-3 1-2")),
    "19": TileDef(face("green", "", "0-3 2-4")),
    "20": TileDef(face("green", "", "0-3 1-4")),
    "21": TileDef(face("green", "", "0-2 3-4")),
    "22": TileDef(face("green", "", "0-4 2-3")),
    "23": TileDef(face("green", "", "0-3 0-4")),
    "24": TileDef(face("green", "", "0-3 0-2")),
    "25": TileDef(face("green", "", "0-2 0-4")),
    "26": TileDef(face("green", "", "0-3 0-5")),
    "27": TileDef(face("green", "", "0-3 0-1")),
    "28": TileDef(face("green", "", "0-4 0-5")),
    "29": TileDef(face("green", "", "0-2 0-1")),
    "205": TileDef(face("green", "city:30", "0-a 1-a 3-a")),
    "206": TileDef(face("green", "city:30", "0-a 5-a 3-a")),
    "210": TileDef(face("green", "city:30 city:30", "0-a 3-a 5-b 4-b", label="OO")),
    "211": TileDef(face("green", "city:30 city:30", "2-a 3-a 0-b 1-b", label="OO")),
    "439": TileDef(face("green", "city:60x2", "0-a 2-a 4-a", label="H"), cost=80),
    "440": TileDef(face("green", "city:40x2", "0-a 1-a 2-a", label="T")),
    "625": TileDef(face("green", "", "0-1 2-3")),
    "626": TileDef(face("green", "", "0-1 3-4")),
    "747": TileDef(face("green", "town:10", "0-a 1-a")),
    "748": TileDef(face("green", "town:10", "0-a 2-a")),
    "749": TileDef(face("green", "town:10", "0-a 3-a")),
    "750": TileDef(face("green", "halt+10", "0-a 1-a 2-a")),
    "751": TileDef(face("green", "halt+10", "0-a 5-a 3-a")),
    "752": TileDef(face("green", "halt+10", "0-a 1-a 3-a")),
    "753": TileDef(face("green", "halt+10", "0-a 2-a 4-a")),
    "754": TileDef(face("green", "halt+10@0 town:10@center", "0-a 2-b 3-b a-b")),
    "755": TileDef(face("green", "halt+10@0 town:10@center", "0-a 4-b 3-b a-b")),
    "756": TileDef(face("green", "city:30", "0-a 1-a")),
    "757": TileDef(face("green", "city:20", "0-a 1-a 3-a 4-a", label="B")),
    "758": TileDef(face("green", "city:50", "4-a 5-a", label="R"), fixed_rotation=0),
    "759": TileDef(face("green", "city:30", "0-a")),
    "760": TileDef(face("green", "city:40@4 city:40@0.5", "1-b 2-a", label="V")),
    "761": TileDef(face("green", "city:20@center halt+10@3", "0-a 4-a 5-a 3-b a-b", label="M"), fixed_rotation=0),
    "762": TileDef(face("green", "city:20", "0-a 1-a 2-a 3-a", label="B")),
    "763": TileDef(face("green", "city:50@2.5 city:30@5.5", "1-a 2-a 3-a 4-a 0-b", label="N"), fixed_rotation=0),
    "788": TileDef(face("green", "city:30@3 town:10@center halt+10@0", "0-c 1-c c-b a-b", label="C")),
    "820": TileDef(face("green", "city:50x2", "1-a 2-a 4-a", label="Kobe")),
    "821": TileDef(face("green", "city:40x2", "1-a 2-a 4-a 5-a", label="Y")),
    "822": TileDef(face("green", "city:40x2", "0-a 2-a 4-a 5-a", label="Y")),
    "823": TileDef(face("green", "city:50x3", "1-a 2-a 4-a 5-a", label="Kita"), cost=80),
    "824": TileDef(face("green", "city:50x3", "0-a 2-a 4-a 5-a", label="Higashi"), cost=80),
    "825": TileDef(face("green", "city:50x3", "0-a 1-a 2-a 4-a 5-a", label="Kyoto")),
    "8858": TileDef(face("green", "city:40 city:40", "0-a 2-a 1-b 3-b", label="OO")),
    "8859": TileDef(face("green", "city:40 city:40", "0-a 3-a 2-b 5-b", label="OO")),
    "8860": TileDef(face("green", "city:40 city:40", "1-a 5-a 2-b 4-b", label="OO")),
    "8863": TileDef(face("green", "city:40 city:40", "0-a 1-a 2-b 5-b", label="OO")),
    "8864": TileDef(face("green", "city:40 city:40", "1-a 5-a 2-b 3-b", label="OO")),
    "8865": TileDef(face("green", "city:40 city:40", "1-a 5-a 3-b 4-b", label="OO")),
    "L42": TileDef(face("green", "city:40 city:40@2.5 city:40 city:40@5.5", "1-a 3-b 4-c 5-d", label="B")),
    # brown
    "39": TileDef(face("brown", "", "0-2 0-1 1-2")),
    "40": TileDef(face("brown", "", "0-2 2-4 0-4")),
    "41": TileDef(face("brown", "", "0-3 0-1 1-3")),
    "42": TileDef(face("brown", "", "0-3 3-5 0-5")),
    "43": TileDef(face("brown", "", "0-3 0-2 1-3 1-2")),
    "44": TileDef(face("brown", "", "0-3 1-4 0-1 3-4")),
    "45": TileDef(face("brown", "", "0-3 2-4 0-4 2-3")),
    "46": TileDef(face("brown", "", "0-3 2-4 3-4 0-2")),
    "47": TileDef(face("brown", "", "0-3 1-4 1-3 0-4")),
    "63": TileDef(face("brown", "city:40x2", "0-a 1-a 2-a 3-a 4-a 5-a")),
    "70": TileDef(face("brown", "", "0-1 0-2 1-3 2-3")),
    "74": TileDef(face("brown", "city:40x2", "0-a 1-a 2-a 3-a 4-a")),
    "193": TileDef(face("brown", "city:40x2", "0-a 3-a 4-a 5-a")),
    "217": TileDef(face("brown", "city:40x2", "0-a 4-a 5-a 3-a", label="OO")),
    "448": TileDef(face("brown", "city:40x2", "0-a 1-a 2-a 3-a")),
    "465N": TileDef(face("brown", "city:40x3", "0-a 1-a 4-a 5-a", label="Nishinomiya"), printed="465"),
    "465": TileDef(face("brown", "city:60x3", "0-a 1-a 2-a 3-a", label="K")),
    "466": TileDef(face("brown", "city:60x2", "0-a 1-a 2-a", label="T")),
    "492": TileDef(face("brown", "city:80x3", "0-a 1-a 2-a 3-a 4-a 5-a", label="H")),
    "611": TileDef(face("brown", "city:40x2", "0-a 1-a 2-a 3-a 4-a")),
    "764": TileDef(face("brown", "town:20", "0-a 1-a")),
    "765": TileDef(face("brown", "town:20", "0-a 3-a")),
    "766": TileDef(face("brown", "town:20", "0-a 2-a")),
    "767": TileDef(face("brown", "town:10", "0-a 1-a 2-a 3-a")),
    "768": TileDef(face("brown", "town:10", "0-a 1-a 3-a 4-a")),
    "769": TileDef(face("brown", "town:10", "0-a 2-a 3-a 4-a")),
    "770": TileDef(face("brown", "city:30x2", "0-a 1-a 2-a 3-a 4-a", label="B")),
    "771": TileDef(face("brown", "city:50", "0-a 1-a 2-a")),
    "772": TileDef(face("brown", "city:40", "0-a 1-a")),
    "773": TileDef(
        face("brown", "city:60x2@2.5 city:20@5.5", "1-a 2-a 3-a 4-a 0-b 5-b a-b", label="N"), fixed_rotation=0
    ),
    "774": TileDef(face("brown", "city:50@4 city:50@1", "2-a 1-b", label="V")),
    "775": TileDef(
        face("brown", "city:20x2@center town:10@3", "0-a 1-a 2-a 3-b 4-a 5-a a-b", label="M"), fixed_rotation=0
    ),
    "776": TileDef(face("brown", "city:40x2", "0-a 1-a 2-a 3-a")),
    "777": TileDef(face("brown", "city:60", "0-a")),
    "778": TileDef(face("brown", "", "0-3 1-5 2-4")),
    "779": TileDef(face("brown", "", "4-5 1-3 0-2")),
    "780": TileDef(face("brown", "", "1-2 4-5 0-3")),
    "781": TileDef(face("brown", "", "0-1 2-3 4-5")),
    "782": TileDef(face("brown", "town:20@center halt+10@0", "0-b 2-a 3-a 4-a 5-a a-b")),
    "783": TileDef(face("brown", "town:20@center halt+10@0", "0-b 1-a 2-a 3-a 5-a a-b")),
    "784": TileDef(face("brown", "town:20@center halt+10@0", "0-b 1-a 3-a 4-a 5-a a-b")),
    "785": TileDef(face("brown", "town:20@center halt+10@0", "0-b 1-a 2-a 3-a 4-a a-b")),
    "786": TileDef(face("brown", "city:60", "4-a 5-a", label="R")),
    "789": TileDef(face("brown", "city:60@3 town:20@center halt+10@0", "0-c 1-c c-b a-b", label="C")),
    "830": TileDef(face("brown", "city:60x3", "1-a 2-a 4-a", label="Kobe")),
    "831": TileDef(face("brown", "city:50x2", "0-a 1-a 2-a 4-a 5-a", label="Y")),
    "833": TileDef(face("brown", "city:80x3", "1-a 2-a 4-a 5-a", label="Kita")),
    "834": TileDef(face("brown", "city:80x3", "0-a 1-a 2-a 4-a 5-a", label="Higashi")),
    "835": TileDef(face("brown", "city:60x3", "0-a 1-a 2-a 4-a 5-a", label="Kyoto")),
    "839": TileDef(face("brown", "city:50x2", "0-a 1-a 5-a", label="Nishi")),
    "8892": TileDef(face("brown", "city:60x4", "0-a 1-a 2-a 3-a 4-a 5-a", label="B")),
    "X7": TileDef(face("brown", "city:50x2", "0-a 1-a 2-a 5-a 4-a", label="OO")),
    # gray
    "51": TileDef(face("gray", "city:50x2", "0-a 1-a 2-a 3-a 4-a")),
    "512": TileDef(face("gray", "city:60x3", "0-a 1-a 3-a 5-a 4-a", label="OO")),
    "8893": TileDef(face("gray", "city:70x4", "0-a 1-a 2-a 3-a 4-a 5-a", label="B")),
    # red
    "L39": TileDef(face("red", "offboard:yellow=40,green=50,brown=60,gray=70", "4-a 5-a")),
    # blue
    "L40a": TileDef(face("blue", "city:yellow=20,green=30,brown=40,gray=50x2", "2-a 3-a 0-a"), fixed_rotation=0),
    "L40b": TileDef(face("blue", "city:40x2", "0-a 1-a 5-a 3-a"), fixed_rotation=0),
}

TILES: Mapping[TileId, TileDef] = MappingProxyType({TileId(number): tile for number, tile in _TILES.items()})
APART: Mapping[TileId, TileDef] = MappingProxyType(
    {
        TileId(f"Beg{number}"): replace(TILES[TileId(number)], printed=number)
        for number in ("6", "7", "8", "9", "23", "24")
    }
)
"""Tiles that an option adds and keeps apart from the others of their number."""
EVERY_TILE: Mapping[TileId, TileDef] = MappingProxyType({**TILES, **APART})
