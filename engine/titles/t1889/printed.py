"""What is in the box of 1889, map and tile faces apart. {1889-SET, rule book 2.5, 15, 18 to 21}"""

from engine.ids import CorpId, HexId, PrivateId, Rank, TileId
from engine.powers import Blocks, Exchange, ExtraLay, Power, Survives, TerrainDiscount
from engine.printed import (
    COLOURS,
    Corporation,
    Phase,
    Private,
    TradeIn,
    TrainType,
    Zone,
    by_rank,
    market_of,
    tile_counts,
)

CASH = {2: 420, 3: 420, 4: 420, 5: 390, 6: 390}
"""1889-SET-03"""
MANUAL_CASH = {2: 1500, 3: 1200, 4: 1000, 5: 900, 6: 800}
"""1889-VAR-02"""
CERT_LIMIT = {2: 25, 3: 19, 4: 14, 5: 12, 6: 11}
"""1889-SR-14"""

# 1889-TRK-12, the manifest of the standard game (rule book 21)
_SUPPLY = (
    "3x2 5x2 6x2 7x2 8x5 9x5 57x2 58x3 437x1 438x1 12x1 13x1 14x1 15x3 16x1 19x1 20x1 23x2 24x2 25x1 26x1 27x1 28x1"
    " 29x1 205x1 206x1 439x1 440x1 39x1 40x1 41x1 42x1 45x1 46x1 47x1 448x4 465x1 466x1 492x1 611x2"
)


SUPPLY = tile_counts(_SUPPLY)
BEGINNER_EXTRA = tile_counts("6x2 7x1 8x1 9x1 57x1 23x1 24x1")
"""1889-VAR-01f"""


def _corp(sym: str, name: str, home: str, tokens: int, colour: str) -> Corporation:
    return Corporation(
        CorpId(sym), name, homes=((HexId(home), 0),), token_costs=(0,) + (40,) * (tokens - 1), colour=colour
    )


CORPORATIONS = {
    corp.id: corp
    for corp in (  # 1889-SET-08, 1889-COR-01
        _corp("AR", "Awa Railroad", "K8", 2, "#303030"),
        _corp("IR", "Iyo Railway", "E2", 2, "#ee8a22"),
        _corp("SR", "Sanuki Railway", "I2", 2, "#6f9f3f"),
        _corp("KO", "Takamatsu & Kotohira Electric Railway", "K4", 2, "#cc2233"),
        _corp("TR", "Tosa Electric Railway", "F9", 3, "#10a090"),
        _corp("KU", "Tosa Kuroshio Railway", "C10", 1, "#1080c8"),
        _corp("UR", "Uwajima Railway", "B7", 3, "#6a5040"),
    )
}

GREEN_CITIES = tuple(map(TileId, ("12", "13", "14", "15", "205", "206")))
PORTS = tuple(map(HexId, ("B11", "G10", "I12", "J9")))


def _private(sym: str, name: str, value: int, revenue: int, *powers: Power, note: str) -> Private:
    return Private(PrivateId(sym), name, value, revenue, powers, note)


PRIVATES = {
    private.id: private
    for private in (  # 1889-PRV-01
        _private(
            "A", "Takamatsu E-Railroad", 20, 5, Blocks((HexId("K4"),)),
            note="While a player owns it, nobody builds in Takamatsu (K4).",
        ),
        _private(
            "B", "Mitsubishi Ferry", 30, 5, ExtraLay((TileId("437"),), PORTS, "owner"),
            note="Its player owner may put the port tile on one empty coastal town, except while a rival operates.",
        ),
        _private(
            "C", "Ehime Railway", 40, 10, Blocks((HexId("C4"),)), ExtraLay(GREEN_CITIES, (HexId("C4"),), "sale"),
            note="While a player owns it, nobody builds in Ohzu (C4). Its seller to a company may build there at once.",
        ),
        _private(
            "D", "Sumitomo Mines Railway", 50, 15, TerrainDiscount("mountain"),
            note="A company that owns it pays nothing for mountains without a river.",
        ),
        _private(
            "E", "Dougo Railway", 60, 15, Exchange(CorpId("IR")),
            note="Its player owner may exchange it for a 10 % share of IR from the initial offering.",
        ),
        _private("F", "South Iyo Railway", 80, 20, note="No special power."),
        _private(
            "G", "Uno-Takamatsu Ferry", 150, 30, Survives(50),
            note="Stays open in a player's hands when the first 5-train is bought, and then pays ¥50.",
        ),
    )
}  # fmt: skip
ONLINE_FERRY = (
    "Once the opening auction is over, its player owner may put the port tile on one empty coastal town; while a"
    " company operates, only in the track step of one of their own."
)
"""What private B does under 1889-VAR-05."""
FEWEST_PLAYERS = {"F": 3, "G": 4}
"""Privates left out with fewer players. 1889-SET-04"""

BEGINNER_PRIVATES = {
    PrivateId(sym): Private(PrivateId(sym), PRIVATES[PrivateId(sym)].name, value, revenue, note="No special power.")
    for sym, value, revenue in (  # 1889-VAR-01a
        ("A", 20, 5), ("B", 40, 15), ("C", 40, 15), ("D", 60, 20), ("E", 60, 20), ("F", 90, 25),
    )
}  # fmt: skip
BEGINNER_SETS = {2: "EF", 3: "CEF", 4: "CDEF", 5: "BCDEF", 6: "ABCDEF"}
"""1889-VAR-01b"""

# 1889-SET-05, 1889-SET-06, 1889-TRN-09, 1889-TRN-17
TRAINS = by_rank(
    TrainType(Rank("2"), 80, 6, 2, rusts_on=Rank("4")),
    TrainType(Rank("3"), 180, 5, 3, rusts_on=Rank("6")),
    TrainType(Rank("4"), 300, 4, 4, rusts_on=Rank("D")),
    TrainType(Rank("5"), 450, 3, 5),
    TrainType(Rank("6"), 630, 2, 6),
    TrainType(
        Rank("D"), 1100, None, None, on_sale_with=Rank("6"), tier="diesel",
        trade_in=TradeIn((Rank("4"), Rank("5"), Rank("6")), 300),
    ),
)  # fmt: skip


def phases(limit_in_five: int, *, ferry: bool) -> tuple[Phase, ...]:
    """1889-TRN-12 and the rules that the phases name; `ferry`: private G is in the game. 1889-PRV-12"""
    closing = f"privates close, but a player keeps {PRIVATES[PrivateId('G')].name}" if ferry else "privates close"

    def phase(
        name: str, rule: str, colours: int, limit: int, rounds: int, tier: str, *events: str, note: str = ""
    ) -> Phase:
        starts_on = None if name == "2" else Rank(name)
        return Phase(
            name, starts_on, COLOURS[:colours], {"public": limit}, rounds, tier,
            buys_privates=name in ("3", "4"), events=events, note=note, rule=rule,
        )  # fmt: skip

    return (
        phase("2", "1889-PHS-02", 1, 4, 1, "yellow"),
        phase("3", "1889-PHS-03", 2, 4, 2, "yellow"),
        phase("4", "1889-PHS-04", 2, 3, 2, "yellow"),
        phase("5", "1889-PHS-05", 3, limit_in_five, 3, "brown", "close privates", note=closing),
        phase("6", "1889-PHS-06", 3, 2, 3, "brown"),
        phase("D", "1889-PHS-07", 3, 2, 3, "brown", note="D-trains count the highest off-board values"),
    )


# 1889-MKT-01: y yellow, o orange, * par cell; the arrows of the row ends are added below.
_ROWS = (
    "75 80 90 100* 110 125 140 155 175 200 225 255 285 315 350",
    "70 75 80 90* 100 110 125 140 155 175 200 225 255 285 315",
    "65 70 75 80* 90 100 110 125 140 155 175 200",
    "60 65 70 75* 80 90 100 110 125 140",
    "55 60 65 70* 75 80 90 100",
    "50y 55 60 65* 70 75 80",
    "45y 50y 55 60 65 70",
    "40y 45y 50y 55 60",
    "30o 40y 45y 50y",
    "20o 30o 40y 45y",
    "10o 20o 30o 40y",
)
MARKET = market_of(
    _ROWS,
    {  # 1889-MKT-02, 1889-MKT-03
        "y": Zone("yellow", counts_certs=False),
        "o": Zone("orange", counts_certs=False, holding_limit=False),
    },
)
