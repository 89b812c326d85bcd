"""The map of Osaka and its neighbours, hex by hex, and what of it each scenario uses. {1890-SET-19, facts}

The printed board could be read from one source only; `docs/osaka.md` lists what is in doubt. Whoever has the board and
finds a difference puts it right here, in the hex of that name.
"""

from engine.board.tiles import face
from engine.ids import HexId
from engine.printed import HexDef, terrain

MOUNTAIN = terrain(120, "mountain")
WATER = terrain(80, "water")
URBAN = terrain(80, "urban")

_HEXES: dict[str, HexDef] = {
    "A14": HexDef(
        face("red", "offboard:yellow=10,brown=20,gray=30", "5-a 0-a"), name="San'in & Tamba", name_local="山陰・丹波"
    ),
    "A16": HexDef(face("white"), terrain=WATER),
    "A20": HexDef(face("red", "offboard:yellow=30,brown=30,gray=40", "4-a 5-a 0-a"), name="Chubu", name_local="中部"),
    "B7": HexDef(
        face("red", "offboard:yellow=10,brown=20,gray=30", "4-a 5-a 0-a"),
        name="San'in & Tamba",
        name_local="山陰・丹波",
    ),
    "B9": HexDef(face("white"), terrain=MOUNTAIN),
    "B11": HexDef(face("white"), terrain=MOUNTAIN),
    "B13": HexDef(face("white"), terrain=MOUNTAIN),
    "B15": HexDef(face("white"), terrain=WATER),
    "B17": HexDef(
        face("yellow", "city:40 city:40 city:40", "0-a 4-b 5-c", label="Kyoto"),
        name="Kyoto",
        name_local="京都",
        terrain=WATER,
    ),
    "B19": HexDef(face("yellow", "", "1-0"), name="East of Kyoto"),
    "B21": HexDef(face("red", "offboard:yellow=30,brown=30,gray=40", "1-a"), name="Tokai", name_local="東海"),
    "C4": HexDef(face("white"), terrain=MOUNTAIN),
    "C6": HexDef(face("white"), terrain=MOUNTAIN),
    "C8": HexDef(face("white"), terrain=WATER),
    "C10": HexDef(face("white"), terrain=MOUNTAIN),
    "C12": HexDef(face("white"), terrain=MOUNTAIN),
    "C14": HexDef(face("white"), terrain=MOUNTAIN),
    "C16": HexDef(face("white"), terrain=WATER, impassable=frozenset({4, 5})),
    "C18": HexDef(face("white", "city"), name="Fushimi", name_local="伏見", terrain=WATER, impassable=frozenset({1})),
    "D3": HexDef(face("white", "town"), name="Miki", name_local="三木"),
    "D5": HexDef(face("gray", "city:20", "1-a 4-a 0-a"), name="Tanigami", name_local="谷上"),
    "D7": HexDef(face("white", "town"), name="Arima", name_local="有馬"),
    "D9": HexDef(face("white", "city"), name="Takarazuka", name_local="宝塚", terrain=WATER),
    "D11": HexDef(face("white")),
    "D13": HexDef(face("white")),
    "D15": HexDef(face("white", "city"), name="Takatsuki", name_local="高槻", impassable=frozenset({4, 5})),
    "D17": HexDef(face("white"), impassable=frozenset({1, 2, 4})),
    "D19": HexDef(face("gray", "city:20", "2-0 2-a"), name="Uji", name_local="宇治", impassable=frozenset({1})),
    "E2": HexDef(face("white")),
    "E4": HexDef(face("white"), terrain=MOUNTAIN),
    "E6": HexDef(face("white"), terrain=MOUNTAIN),
    "E8": HexDef(face("white"), terrain=MOUNTAIN, impassable=frozenset({4})),
    "E10": HexDef(face("white", "city"), name="Itami", name_local="伊丹", impassable=frozenset({1})),
    "E12": HexDef(face("white", "city"), name="Toyonaka", name_local="豊中"),
    "E14": HexDef(
        face("yellow", "city city", label="OO"),
        name="Ibaraki & Settsu",
        name_local="茨木・摂津",
        impassable=frozenset({4, 5}),
    ),
    "E16": HexDef(
        face("yellow", "city:20", "0-a 3-a"), name="Hirakata", name_local="枚方", impassable=frozenset({1, 2})
    ),
    "E18": HexDef(face("white"), terrain=WATER),
    "F1": HexDef(
        face("red", "offboard:yellow=40,brown=50,gray=70", "3-a 4-a"), name="Himeji & San'yo", name_local="姫路・山陽"
    ),
    "F3": HexDef(face("white", "city"), name="Akashi", name_local="明石"),
    "F5": HexDef(face("yellow", "city:30", "1-a 2-a 4-a", label="Kobe"), name="Kobe", name_local="神戸"),
    "F7": HexDef(face("white", "city"), name="Ashiya", name_local="芦屋"),
    "F9": HexDef(face("white", "city"), name="Nishinomiya", name_local="西宮", terrain=WATER),
    "F11": HexDef(face("white", "city", label="Y"), name="Amagasaki", name_local="尼崎"),
    "F13": HexDef(face("white", "city"), name="Suita", name_local="吹田", impassable=frozenset({4, 5})),
    "F15": HexDef(face("white", "city"), name="Neyagawa", name_local="寝屋川", impassable=frozenset({1, 2})),
    "F17": HexDef(face("white"), terrain=MOUNTAIN),
    "F19": HexDef(face("white"), terrain=WATER),
    "G12": HexDef(
        face("yellow", "city:40x2", "2-a 3-a", label="Kita"), name="Osaka Kita", name_local="大阪北", terrain=URBAN
    ),
    "G14": HexDef(
        face("yellow", "city city", label="OO"),
        name="Moriguchi & Kadoma",
        name_local="守口・門真",
        impassable=frozenset({2}),
    ),
    "G16": HexDef(face("white", "town town"), name="Daito & Shijonawate", name_local="大東・四條畷", terrain=URBAN),
    "G18": HexDef(face("white"), terrain=MOUNTAIN),
    "G20": HexDef(face("gray", "", "2-0"), name="Kizu", name_local="木津"),
    "H11": HexDef(
        face("yellow", "city:30", "3-a 4-a", label="Nishi"), name="Osaka Nishi", name_local="大阪西", terrain=URBAN
    ),
    "H13": HexDef(
        face("yellow", "city:40 city:40", "3-b 4-a", label="Higashi"),
        name="Osaka Higashi",
        name_local="大阪東",
        terrain=URBAN,
    ),
    "H15": HexDef(face("white", "city"), name="Higashi-Osaka", name_local="東大阪"),
    "H17": HexDef(face("white"), terrain=MOUNTAIN),
    "H19": HexDef(face("yellow", "city:40 city:40", "0-a 1-b 3-b"), name="Nara", name_local="奈良", terrain=URBAN),
    "I12": HexDef(
        face("yellow", "city:40", "0-a 5-a", label="Y"), name="Osaka Minami", name_local="大阪南", terrain=URBAN
    ),
    "I14": HexDef(face("white")),
    "I16": HexDef(face("white"), terrain=MOUNTAIN),
    "I18": HexDef(face("white", "town"), name="Koriyama", name_local="郡山"),
    "J11": HexDef(face("yellow", "city city", label="OO"), name="Sakai", name_local="堺"),
    "J13": HexDef(face("white")),
    "J15": HexDef(face("yellow", "city:20", "1-a 4-a"), name="Kashiwara", name_local="柏原"),
    "J17": HexDef(face("white"), terrain=MOUNTAIN),
    "J19": HexDef(face("white", "town"), name="Tenri", name_local="天理"),
    "K10": HexDef(face("white", "town"), name="Izumiotsu", name_local="泉大津"),
    "K12": HexDef(face("white")),
    "K14": HexDef(face("white")),
    "K16": HexDef(face("white"), terrain=MOUNTAIN),
    "K18": HexDef(face("white", "city"), name="Sakurai", name_local="桜井"),
    "K20": HexDef(
        face("red", "offboard:yellow=20,brown=30,gray=40", "1-a 2-a"), name="Ise & Tokai", name_local="伊勢・東海"
    ),
    "L9": HexDef(face("white", "city"), name="Kishiwada", name_local="岸和田"),
    "L11": HexDef(face("white")),
    "L13": HexDef(face("white")),
    "L15": HexDef(face("white"), terrain=MOUNTAIN),
    "L17": HexDef(face("white")),
    "M6": HexDef(face("red", "offboard:yellow=0,brown=0,gray=50", "4-a"), name="Kansai Airport", name_local="関西空港"),
    "M8": HexDef(face("white", "city"), name="Izumisano", name_local="泉佐野"),
    "M10": HexDef(face("white"), terrain=MOUNTAIN),
    "M12": HexDef(face("white"), terrain=MOUNTAIN),
    "M14": HexDef(face("red", "offboard:yellow=20,brown=20,gray=30", "1-a 2-a"), name="Koyasan", name_local="高野山"),
    "N7": HexDef(face("red", "offboard:yellow=20,brown=30,gray=40", "3-a"), name="Wakayama", name_local="和歌山"),
}

HEXES = {HexId(name): printed for name, printed in _HEXES.items()}

_WEST = (
    "A14 A16 B7 B9 B11 B13 B15 B17 C4 C6 C8 C10 C12 C14 C16 D3 D5 D7 D9 D11 D13 D15 E2 E4 E6 E8 E10 E12 E14"
    " F1 F3 F5 F7 F9 F11 F13 G12"
)
_EAST_BANK = "B19 C18 D17 E16 F15 G14 H13"


def _part(names: str) -> dict[HexId, HexDef]:
    wanted = set(names.split())
    return {name: printed for name, printed in HEXES.items() if name in wanted}


WEST = _part(_WEST)
"""West of the Yodo with Osaka Kita and Kyoto: the Hanshin scenario."""
YODO = _part(f"{_WEST} {_EAST_BANK}")
"""The same with the east bank, Osaka Higashi and the hex east of Kyoto: the Keihanshin scenario."""
