"""What is in the box of 1860, map and tile faces apart. {1860-SET, 1860-MKT, 1860-PHS; rule book}"""

from engine.ids import CorpId, HexId, PrivateId, Rank, TileId
from engine.powers import Exchange
from engine.printed import (
    NO_LIMIT,
    Corporation,
    Market,
    Phase,
    PriceCell,
    Private,
    TrainType,
    Zone,
    by_rank,
    tile_counts,
)

BANK_MONEY = 10_000
"""1860-SET-02"""
CASH = {2: 1000, 3: 670, 4: 500}
"""1860-SET-03"""
CERT_LIMIT = {2: 32, 3: 21, 4: 16}
"""1860-SR-20"""

_SUPPLY = (
    "5x2 6x2 7x2 8x4 9x4 12x2 16x2 17x2 18x2 19x2 20x2 21x1 22x1 57x2 115x2 205x1 206x1 625x1 626x1 741x5 742x10 743x7"
    " 744x2 745x2 746x2 747x3 748x3 749x2 750x3 751x3 752x3 753x3 754x2 755x2 756x2 757x2 758x1 759x3 760x1 761x1 762x2"
    " 763x1 764x2 765x2 766x2 767x2 768x2 769x2 770x2 771x2 772x2 773x1 774x1 775x1 776x3 777x2 778x1 779x1 780x1 781x1"
    " 782x1 783x1 784x1 785x1 786x1 787x1 788x1 789x1"
)
SUPPLY = tile_counts(_SUPPLY)
SMALL_MAP_LACKS = {TileId("776"): 1, TileId("770"): 1}
"""1860-VAR-14"""


def _corp(sym: str, name: str, home: str, tokens: int, colour: str) -> Corporation:
    costs = (0, 40, 100, 100)[:tokens]  # 1860-TOK-02
    return Corporation(CorpId(sym), name, homes=((HexId(home), 0),), token_costs=costs, colour=colour)


CORPORATIONS = {
    corp.id: corp
    for corp in (  # 1860-SET-04, 1860-SET-08
        _corp("C&N", "Cowes & Newport", "F2", 4, "#20b0f0"),
        _corp("IOW", "Isle of Wight (Eastern Section)", "I3", 4, "#e01010"),
        _corp("IWNJ", "Isle of Wight, Newport Junction", "G7", 3, "#101010"),
        _corp("FYN", "Freshwater, Yarmouth & Newport", "B4", 3, "#108030"),
        _corp("NGStL", "Newport, Godshill & St. Lawrence", "G9", 2, "#f0e020"),
        _corp("BHI&R", "Brading Harbour Improvement & Railway", "L6", 2, "#902090"),
        _corp("S&C", "Shanklin & Chale", "F12", 2, "#101080"),
        _corp("VYSC", "Ventnor, Yarmouth & South Coast", "E9", 2, "#98c830"),
    )
}
LAYERS = {corp: 1 + index // 2 for index, corp in enumerate(CORPORATIONS)}
"""1860-SR-25"""
PAR_RANGE = {1: (74, 100), 2: (62, 82), 3: (58, 68), 4: (54, 62)}
"""1860-SR-15"""
LEAST_NEW_PAR = 40
"""1860-EMR-22"""

DESTINATIONS: dict[CorpId, tuple[tuple[HexId, int, int], ...]] = {
    CorpId(corp): tuple((HexId(hex_id), stop, bonus) for hex_id, stop, bonus in goals)
    for corp, goals in {
        "C&N": (("G5", 0, 50), ("I3", 0, 50)),
        "IOW": (("I11", -1, 100),),
        "IWNJ": (("G5", 1, 100), ("J8", 0, 100)),
        "FYN": (("G5", 0, 200),),
        "NGStL": (("G5", 0, 100), ("I11", -1, 100)),
        "BHI&R": (("J6", 0, 100), ("I3", 0, 100)),
        "S&C": (("I9", 0, 200),),
        "VYSC": (("I11", -1, 100), ("B6", 0, 100)),
    }.items()
}
"""1860-VAR-05: hex, stop (-1: any) and bonus."""
LESSER_STATIONS = {(HexId("G5"), 1): "Shide"}

FISHBOURNE = PrivateId("FFC")
_KEPT = "In a stock round it can become a share of"


def _private(sym: str, name: str, value: int, revenue: int, corp: str, note: str, later: str = "") -> Private:
    powers = (Exchange(CorpId(corp)),) if corp else ()
    return Private(PrivateId(sym), name, value, revenue, powers, note, later=later)


PRIVATES = {
    private.id: private
    for private in (  # 1860-SET-07
        _private("BHC", "Brading Harbour Company", 30, 5, "BHI&R", f"{_KEPT} BHI&R."),
        _private("YHC", "Yarmouth Port & Shipping Company", 50, 10, "FYN", f"{_KEPT} FYN."),
        _private("CMH", "Cowes Marina & Ferry Company", 90, 20, "C&N", f"{_KEPT} C&N."),
        _private("RPSC", "Ryde Pier & Ferry Company", 130, 30, "IOW", f"{_KEPT} IOW."),
        _private(
            "FFC", "Fishbourne Ferry Company", 200, 25, "",
            "Closes all others when bought.",
            later="Sold from the first 6+3-train on.",
        ),
    )
}  # fmt: skip
_KEPT = "Its owner may close it for good, and keeps its value; it is neither exchanged nor sold to the bank."
VARIABLE_NOTES = {
    PrivateId("BHC"): f"Its income rises to £10 once BHI&R has floated. {_KEPT}",
    PrivateId("YHC"): f"Its income rises by £5 once FYN has run a train from Yarmouth to Newport. {_KEPT}",
    PrivateId("CMH"): f"Its income falls to £10 once Fishbourne is bought. {_KEPT}",
    PrivateId("RPSC"): f"Its income falls to £15 once Fishbourne is bought. {_KEPT}",
    FISHBOURNE: f"It closes no other private. {_KEPT}",
}
"""What the privates do under 1860-VAR-02."""
SALE_FEE = 30
"""1860-PRV-02"""

TRAINS = by_rank(  # 1860-SET-06, 1860-TRN-08
    TrainType(Rank("2+1"), 250, 5, 2, 1, rusts_on=Rank("4+2")),
    TrainType(Rank("3+2"), 300, 4, 3, 2, rusts_on=Rank("6+3")),
    TrainType(Rank("4+2"), 350, 3, 4, 2, rusts_on=Rank("7+4")),
    TrainType(Rank("5+3"), 400, 2, 5, 3, rusts_on=Rank("8+4")),
    TrainType(Rank("6+3"), 500, 2, 6, 3),
    TrainType(Rank("7+4"), 600, 1, 7, 4),
    TrainType(Rank("8+4"), 700, 1, 8, 4),
    TrainType(Rank("9+5"), 800, None, 9, 5),
)


def phases(limited: bool) -> tuple[Phase, ...]:
    """1860-TRN-05, 1860-OR-03 and the rules that the phases name.

    `limited`: unless 1860-VAR-07 lifts the train limits.
    """

    def phase(
        name: str, on: str, rule: str, colours: str, limit: int, rounds: int, *events: str, note: str = ""
    ) -> Phase:
        tier = colours.split()[-1]
        limits = {"public": limit if limited else NO_LIMIT}
        return Phase(
            name, Rank(on) if on else None, tuple(colours.split()), limits, rounds, tier,  # type: ignore[arg-type]
            events=events, note=note, rule=rule,
        )  # fmt: skip

    three = "yellow green brown"
    return (
        phase("2", "", "1860-PHS-01", "yellow", 4, 1),
        phase("3", "3+2", "1860-PHS-02", "yellow green", 4, 2),
        phase("4", "4+2", "1860-PHS-03", "yellow green", 3, 2),
        phase("5", "5+3", "1860-PHS-04", three, 3, 3),
        phase("6", "6+3", "1860-PHS-05", three, 2, 3, "offer fishbourne", note="Fishbourne is for sale"),
        phase("7", "7+4", "1860-PHS-06", three, 2, 3),
        phase("8", "8+4", "1860-PHS-07", three, 2, 3, "lift limits", note="no certificate limit, sales move no price"),
        phase("9", "9+5", "1860-PHS-08", three, 2, 3, "form southern", note="building ends with the next stock round"),
    )


# 1860-MKT-01: every second price is on the top tier, the first one included; * par space.
_PRICES = (
    "0 7 14 20 26 31 36 40 44 47 50 52 54* 56 58* 60 62* 65 68* 71 74* 78 82* 86 90* 95 100* 105 110 116 122 128 134"
    " 142 150 158 166 174 182 191 200 210 220 230 240 250 260 270 280 290 300 310 320 330 340"
)


def _cell(text: str) -> PriceCell:
    price = int(text.rstrip("*"))
    zone = {0: "bankrupt", 340: "end"}.get(price, "red letter" if price < 40 or price > 150 else "normal")
    return PriceCell(price, zone, text.endswith("*"))


MARKET = Market(
    rows=(tuple(_cell(text) for text in _PRICES.split()),),
    zones={
        "bankrupt": Zone("bankrupt", meaning="the company is bankrupt"),
        "red letter": Zone("red letter", meaning="the first share of a sale moves no price"),
        "end": Zone("end", meaning="the game ends after this operating round"),
    },
    tiers=True,
)
