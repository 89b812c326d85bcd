"""What is in the box of 18HS, the map apart."""

from __future__ import annotations

from engine.ids import CorpId, HexId, Rank, TileId
from engine.printed import COLOURS, Corporation, Market, Phase, PriceCell, TrainType

CASH = {2: 360, 3: 300, 4: 240}
"""18HS-SET-03"""
CERT_LIMIT = {2: 36, 3: 26, 4: 20}
"""18HS-SR-05"""
SUPPLY = {
    TileId(tile): count
    for tile, count in {
        "3": 2, "4": 2, "58": 3, "5": 3, "6": 4, "57": 4, "7": 3, "8": 6, "9": 6,
        "14": 3, "15": 3, "12": 2, "747": 1, "748": 1, "749": 1, "23": 2, "24": 2, "25": 2, "611": 3,
    }.items()
}  # fmt: skip
"""18HS-TRK-05"""


def _corp(sym: str, name: str, home: str, colour: str) -> Corporation:
    return Corporation(
        CorpId(sym), name, ((HexId(home), 0),), (0, 30, 60), colour, float_shares=10, shares=20, president_shares=4
    )


CORPORATIONS = {
    corp.id: corp
    for corp in (  # 18HS-SET-04
        _corp("WL", "Western Lakes", "A4", "#303030"),
        _corp("NL", "Northern Lakes", "C2", "#cc2233"),
        _corp("SL", "Southern Lakes", "C6", "#1080c8"),
        _corp("EL", "Eastern Lakes", "E4", "#6f9f3f"),
    )
}
TRAINS = {
    train.rank: train
    for train in (  # 18HS-TRN-01
        TrainType(Rank("2"), 60, 5, 2, rusts_on=Rank("4")),
        TrainType(Rank("3"), 120, 4, 3),
        TrainType(Rank("4"), 220, 3, 4),
        TrainType(Rank("5"), 320, None, 5),
    )
}


def _phase(name: str, colours: int, limit: int, rounds: int, tier: str) -> Phase:
    starts_on = None if name == "2" else Rank(name)
    return Phase(name, starts_on, COLOURS[:colours], {"public": limit}, rounds, tier, rule="18HS-PHS-01")


PHASES = (
    _phase("2", 1, 4, 1, "yellow"), _phase("3", 2, 3, 2, "yellow"), _phase("4", 2, 3, 2, "brown"),
    _phase("5", 3, 2, 2, "brown"),
)  # fmt: skip
_ROWS = (
    "22 24 26* 29 32 36 40 45 50 56 62 69 76 84",
    "19 21 23* 26 29 32 36 40 45 50 56",
    "16 18 20* 23 26 29 32 36",
    "12 15 18 20 23 26",
    "8 12 15 18",
)
"""Of a half-share. {18HS-MKT-01}"""


def _row(text: str) -> tuple[PriceCell, ...]:
    return tuple(PriceCell(int(price.rstrip("*")), par=price.endswith("*")) for price in text.split())


MARKET = Market(tuple(_row(text) for text in _ROWS))
