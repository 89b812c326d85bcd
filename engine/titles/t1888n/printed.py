"""What is in the box of 1888-N, map and tile faces apart. {1888-SET, rule book II.3, IV, VI, tables 1 to 4}"""

from engine.ids import IPO, POOL, CorpId, HexId, PrivateId, Rank, Source, TileId
from engine.powers import Blocks, CompanyLay, TokenExchange
from engine.printed import Corporation, Phase, Private, TradeIn, TrainType, Zone, by_rank, market_of, tile_counts

BANK_MONEY, PROTOTYPE_BANK = 9000, 10000
"""1888-SET-02, 1888-VAR-02"""
CASH = {2: 1200, 3: 800, 4: 600, 5: 480, 6: 400}
"""1888-SET-03"""
CERT_LIMIT = {2: 28, 3: 20, 4: 16, 5: 13, 6: 11}
"""1888-SR-06"""
CERT_LIMIT_ONLINE = {**CERT_LIMIT, 2: 20}

# The component list of the published game: 50 yellow, 30 green, 24 brown, 4 grey, the red piece and the blue pair.
_SUPPLY = (
    "1x1 2x1 3x2 4x4 5x3 6x3 7x4 8x11 9x9 14x3 15x4 16x1 18x1 19x1 20x1 23x3 24x3 25x2 26x1 27x1 28x1"
    " 29x1 39x1 40x1 41x2 42x2 43x1 44x1 45x2 46x2 47x2 51x2 55x1 56x1 57x3 58x5 69x1 70x1 611x6 8858x1"
    " 8859x1 8860x1 8863x1 8864x1 8865x1 L39x1 L40ax1 L40bx1 L41x1 L42x1 X7x2 512x1 8892x1 8893x1"
)


SUPPLY = tile_counts(_SUPPLY)
PROTOTYPE_SUPPLY = SUPPLY | tile_counts("4x5 15x3 43x2 51x1 58x4 611x5")
"""1888-VAR-02"""

TOKEN_COSTS = (0, 40, 100, 100)
"""1888-TOK-01, 1888-TOK-03"""
ONLINE_TOKEN_COSTS = (0, 40, 60, 80)
"""1888-VAR-01"""


def _corp(sym: str, name: str, home: str, stop: int, tokens: int, colour: str) -> Corporation:
    return Corporation(CorpId(sym), name, ((HexId(home), stop),), TOKEN_COSTS[:tokens], colour, float_shares=6)


CORPORATIONS = {
    corp.id: corp
    for corp in (  # 1888-SET-07, 1888-SET-08, 1888-FLT-01, 1888-COR-01
        _corp("JHR", "Jingha Railway", "C9", 1, 3, "#b8401f"),
        _corp("SSL", "Shenshan Line", "B18", 0, 3, "#a0a0a0"),
        _corp("CDL", "Changda Line", "A19", 0, 4, "#40b050"),
        _corp("HJR", "Hanji Railway", "F6", 0, 4, "#c8a070"),
        _corp("TJL", "Taijiao Line", "E3", 0, 4, "#202020"),
        _corp("LYR", "Lanyan Railway", "F16", 0, 3, "#e8b810"),
        _corp("JZR", "Jingzhan Railway", "C9", 0, 3, "#9060b0"),
        _corp("ZDR", "Zidong Railway", "G11", 0, 3, "#20a8d0"),
    )
}
DESTINATIONS = {  # 1888-COR-01, 1888-REV-03
    CorpId("JHR"): (HexId("D12"), 30),
    CorpId("SSL"): (HexId("C13"), 20),
    CorpId("CDL"): (HexId("E17"), 20),
    CorpId("HJR"): (HexId("G9"), 20),
    CorpId("TJL"): (HexId("H4"), 20),
    CorpId("LYR"): (HexId("H14"), 20),
    CorpId("JZR"): (HexId("B6"), 40),
    CorpId("ZDR"): (HexId("F12"), 40),
}
"""Destination of each company, and what a train adds that calls there and at home."""

BEIJING, HENG_SHAN, XIAN = HexId("C9"), HexId("C5"), HexId("H2")
WALL = tuple(
    map(HexId, ("B4", "B6", "B8", "B10", "B16", "C3", "C7", "C11", "C13", "C15", "D2", "D4", "D6", "E3", "F4"))
)
YELLOW = tuple(map(TileId, ("1", "2", "3", "4", "5", "6", "7", "8", "9", "55", "56", "57", "58", "69")))
MOUNTAIN, ARMY = TileId("L41"), TileId("L39")
FERRY = (TileId("L40a"), TileId("L40b"))
PIECES = frozenset({MOUNTAIN, ARMY, *FERRY})
"""Tiles that only a private lays."""


def _private(sym: str, name: str, value: int, revenue: int, *powers: object, note: str) -> Private:
    return Private(PrivateId(sym), name, value, revenue, powers, note)  # type: ignore[arg-type]


def privates(prototype: bool, online: bool) -> dict[PrivateId, Private]:
    """1888-SET-04, 1888-AUC-01, 1888-PRV-01; where and when Forbidden City takes its share is 1888-VAR-02."""
    sources: tuple[Source, ...] = (IPO,) if prototype else (IPO, POOL)
    share = "share from the initial offering" if prototype else "share"
    free = "in anybody's turn" if online else "beside the turn's purchase"
    when = free if prototype else "as the turn's purchase"
    printed = (
        _private("KT", "Kaiping Tramway", 25, 5, note="No special power."),
        _private(
            "TA", "Terracotta Army", 50, 10, CompanyLay((ARMY,), (XIAN,)),
            note="A company that owns it may put the red piece on Xi'an (H2): all trains then count the higher values.",
        ),
        _private(
            "HS", "Heng Shan", 75, 15, Blocks((HENG_SHAN,)), CompanyLay((MOUNTAIN,), (HENG_SHAN,)),
            note="A company that owns it may put the mountain on Heng Shan (C5): each train that calls there brings "
            "its own company ¥40. Nobody builds there while a player owns it.",
        ),
        _private(
            "CW", "Great Wall", 100, 20, CompanyLay(YELLOW, WALL, most=2),
            note="A company that owns it may once lay one yellow tile, or two that join, free on wall hexes.",
        ),
        _private(
            "YRF", "Yanda Railway Ferry", 125, 25, CompanyLay(FERRY, (HexId("E17"), HexId("F16")), most=2, all=True),
            note="A company that owns it may lay the ferry, which joins Dalian (E17) and Yantai (F16) for everybody.",
        ),
        _private(
            "FC", "Forbidden City", 150, 30, TokenExchange(BEIJING, sources, prototype and online),
            note=f"In a stock round its player may exchange it, {when}, for a {share} of a company with a token in "
            "Beijing (C9).",
        ),
    )  # fmt: skip
    return {private.id: private for private in printed}


# 1888-SET-05, 1888-SET-06, 1888-TRN-02, 1888-TRN-04, 1888-TRN-11
TRAINS = by_rank(
    TrainType(Rank("2"), 80, 7, 2, rusts_on=Rank("4")),
    TrainType(Rank("3"), 180, 6, 3, rusts_on=Rank("6")),
    TrainType(Rank("4"), 300, 5, 4, rusts_on=Rank("D")),
    TrainType(Rank("5"), 500, 3, 5),
    TrainType(Rank("6"), 630, 2, 6),
    TrainType(Rank("D"), 900, None, None, trade_in=TradeIn((Rank("4"), Rank("5"), Rank("6")), 200)),
)
EXPORTED = frozenset(map(Rank, "234"))
"""1888-TRN-17, 1888-TRN-19, 1888-AUC-15"""


def phases(*, early_trade: bool = False) -> tuple[Phase, ...]:
    """1888-OR-05, 1888-TRK-10, 1888-TRN-06 and the rules that the phases name.

    `early_trade`: trains change hands from the start.
    """

    def phase(
        name: str, starts_on: str, rule: str, colours: str, limit: int, rounds: int, *events: str, note: str = ""
    ) -> Phase:
        shown = tuple(colours.split())
        return Phase(
            name, Rank(starts_on) if starts_on else None, shown, {"public": limit}, rounds, shown[-1],  # type: ignore[arg-type]
            buys_privates=name in "34", events=events, trades_trains=early_trade or name not in "12",
            note=note, rule=rule,
        )  # fmt: skip

    return (
        phase("1", "", "1888-PHS-01", "yellow", 4, 1),
        phase("2", "2", "1888-PHS-01", "yellow", 4, 1),
        phase("3", "3", "1888-PHS-02", "yellow green", 4, 2),
        phase("4", "4", "1888-PHS-03", "yellow green", 3, 2),
        phase("5", "5", "1888-PHS-04", "yellow green brown", 2, 3, "close privates", note="privates close"),
        phase("6", "6", "1888-PHS-05", "yellow green brown", 2, 3),
        phase("7", "D", "1888-PHS-05", "yellow green brown gray", 2, 3),
    )


# 1888-MKT: r red, * par cell, . no cell; the arrows of the row ends are added below.
_ROWS = (
    ". . 95 100 110 120 130 145 160 180 200 225 250 275 300 330 360 400",
    ". 85 90 95* 100 110 120 130 145 160 180 200 225 250 275 300 330 360",
    "75 80 85 90* 95 100 110 120 130 145 160 180 200 225 250",
    "70 75 80 85* 90 95 100 110 120 130 145 160",
    "65 70 75 80* 85 90 95 100 110 120",
    "60r 65 70 75* 80 85 90 95",
    "55r 60r 65 70* 75 80 85",
    "50r 55r 60r 65 70 75",
    "40r 50r 55r 60r 65",
)
MARKET = market_of(_ROWS, {"r": Zone("red", counts_certs=False)})  # 1888-SR-08, 1888-SR-10
