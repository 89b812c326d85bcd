"""The north map, North China around Beijing, hex by hex. {1888 rule book IV.1, facts}"""

from dataclasses import replace

from engine.board.tiles import face
from engine.ids import HexId
from engine.printed import HexDef, terrain
from engine.titles.t1888n.printed import DESTINATIONS

_HEXES: dict[str, HexDef] = {
    "A1": HexDef(face("red", "offboard:40#Baotou", "5-a"), name="Baotou", joined=frozenset({4})),
    "A3": HexDef(face("red", "offboard:40#Baotou", "5-a"), name="Baotou", joined=frozenset({1})),
    "A7": HexDef(face("gray", "", "0-5")),
    "A15": HexDef(face("gray", "", "0-4")),
    "A17": HexDef(face("gray", "town:20", "0-a 1-a 4-a 5-a")),
    "A19": HexDef(
        face("red", "city:yellow=20,green=30,brown=40,gray=50!", "0-a 1-a 5-a 4-a"),
        name="Changchun",
        joined=frozenset({4}),
    ),
    "A21": HexDef(face("red", "", "0-1"), joined=frozenset({1})),
    "B2": HexDef(face("white", "town"), name="Hohhot", terrain=terrain(40, "mountain")),
    "B4": HexDef(face("white"), terrain=terrain(40, "wall", "mountain")),
    "B6": HexDef(face("white", "town town"), name="Zhangjiakou & Xuanhua", terrain=terrain(30, "wall", "mountain")),
    "B8": HexDef(face("white"), terrain=terrain(30, "wall", "mountain")),
    "B10": HexDef(face("white"), terrain=terrain(20, "wall", "mountain")),
    "B12": HexDef(face("white", "town"), name="Chengde", terrain=terrain(20, "mountain")),
    "B14": HexDef(face("white"), terrain=terrain(20, "mountain")),
    "B16": HexDef(face("white", "town town"), name="Chaoyang & Jinzhou", terrain=terrain(10, "wall")),
    "B18": HexDef(face("yellow", "city:30 city", "1-a", label="OO"), name="Shenyang & Anshan"),
    "B20": HexDef(face("yellow", "city city:30", "", label="OO"), name="Fushun & Benxi"),
    "C3": HexDef(face("white", "city"), name="Datong", terrain=terrain(40, "wall", "mountain")),
    "C5": HexDef(face("white"), name="Heng Shan", terrain=terrain(40, "mountain")),
    "C7": HexDef(face("white"), terrain=terrain(10, "wall")),
    "C9": HexDef(face("yellow", "city:30 city:30", "1-a 5-b", label="B"), name="Beijing", terrain=terrain(10, "wall")),
    "C11": HexDef(face("white"), terrain=terrain(20, "wall", "mountain")),
    "C13": HexDef(face("white", "city"), name="Qinhuangdao", terrain=terrain(20, "wall", "mountain")),
    "C15": HexDef(face("white"), terrain=terrain(10, "wall"), impassable=frozenset({4, 5})),
    "C17": HexDef(face("white", "town"), name="Yingkou", impassable=frozenset({1})),
    "C19": HexDef(face("white"), terrain=terrain(30, "mountain")),
    "C21": HexDef(face("gray", "", "0-2")),
    "D2": HexDef(face("white"), terrain=terrain(40, "wall", "mountain")),
    "D4": HexDef(face("white"), terrain=terrain(40, "wall", "mountain")),
    "D6": HexDef(face("white"), terrain=terrain(40, "wall", "mountain")),
    "D8": HexDef(face("white")),
    "D10": HexDef(face("white", "city"), name="Tianjin"),
    "D12": HexDef(face("white", "town"), name="Tangshan"),
    "D14": HexDef(face("blue")),
    "D16": HexDef(face("white"), impassable=frozenset({2})),
    "D18": HexDef(face("white")),
    "D20": HexDef(face("gray", "town:30", "1-a 2-a 3-a"), name="Dandong"),
    "E3": HexDef(face("white", "city"), name="Taiyuan", terrain=terrain(40, "wall", "mountain")),
    "E5": HexDef(face("white", "city"), name="Shijiazhuang"),
    "E7": HexDef(face("white", "town"), name="Baoding"),
    "E9": HexDef(face("white")),
    "E11": HexDef(face("blue")),
    "E13": HexDef(face("blue")),
    "E15": HexDef(face("blue")),
    "E17": HexDef(face("blue", "city:yellow=20,green=30,brown=40,gray=50x2", "2-a 3-a"), name="Dalian"),
    "E19": HexDef(face("blue")),
    "F2": HexDef(face("white", "town"), name="Changzhi", terrain=terrain(40, "mountain")),
    "F4": HexDef(face("white"), terrain=terrain(40, "wall", "mountain")),
    "F6": HexDef(face("white", "city"), name="Handan"),
    "F8": HexDef(face("white")),
    "F10": HexDef(face("white"), terrain=terrain(20, "water")),
    "F12": HexDef(face("white", "town"), name="Dongying", terrain=terrain(20, "water"), impassable=frozenset({4})),
    "F14": HexDef(face("white"), impassable=frozenset({1})),
    "F16": HexDef(face("blue", "city:40x2", "0-a 1-a 5-a"), name="Yantai"),
    "F18": HexDef(face("blue")),
    "G3": HexDef(face("white"), terrain=terrain(40, "mountain")),
    "G5": HexDef(face("white", "town town"), name="Anyang & Hebi"),
    "G7": HexDef(face("white"), terrain=terrain(20, "water")),
    "G9": HexDef(face("white", "city"), name="Jinan", terrain=terrain(20, "water")),
    "G11": HexDef(face("white", "city"), name="Zibo"),
    "G13": HexDef(face("white", "town"), name="Weifang"),
    "G15": HexDef(face("white"), terrain=terrain(30, "mountain")),
    "G17": HexDef(face("white")),
    "H2": HexDef(face("red", "offboard:yellow=20,green=30,brown=40,gray=50", "3-a 4-a"), name="Xi'an"),
    "H4": HexDef(
        face("yellow", "city city", "", label="OO"), name="Xinxiang & Jiaozuo", terrain=terrain(20, "mountain")
    ),
    "H6": HexDef(face("white"), terrain=terrain(20, "water")),
    "H8": HexDef(face("white", "town"), name="Jining"),
    "H10": HexDef(face("white"), terrain=terrain(20, "mountain")),
    "H12": HexDef(face("white"), terrain=terrain(20, "mountain")),
    "H14": HexDef(face("white", "city"), name="Qingdao"),
    "H16": HexDef(face("blue", "offboard:10~0", "1-a"), name="Harbor"),
    "I5": HexDef(face("gray", "city:yellow=30,green=40,brown=50,gray=60x2", "2-a 3-a"), name="Zhengzhou"),
    "I11": HexDef(face("red", "offboard:yellow=30,green=40,brown=50,gray=60", "2-a 3-a"), name="Xuzhou"),
}

HEXES = {HexId(name): printed for name, printed in _HEXES.items()}
for corp, (goal, _) in DESTINATIONS.items():
    HEXES[goal] = replace(HEXES[goal], icons=(f"destination:{corp}",))
