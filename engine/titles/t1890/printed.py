"""What is in the box of 1890, map and tile faces apart. {1890-SET, rule book 3, 7, 12, tables}

Minors are companies of kind "minor" with the id of their certificate, a private ("M1"); late privates are privates
("K1"), and Kobe Rapid Transit, which has a token, a company of kind "late" besides.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from engine.ids import CorpId, HexId, PrivateId, Rank, TileId, split_stop
from engine.powers import Blocks, CompanyLay, GivesShare, Power, SetsPar, Survives
from engine.printed import Corporation, Phase, Private, TradeIn, TrainType, Zone, market_of, tile_counts

_SUPPLY = (
    "57x4 6x2 202x1 1x1 2x1 56x1 69x1 3x2 4x3 58x3 7x4 8x8 9x7 824x1 823x1 820x1 825x1 210x1 211x1 821x1 822x1 14x2"
    " 15x2 12x2 205x1 206x1 16x2 18x1 19x2 20x2 23x3 24x3 25x3 26x2 27x2 28x2 29x2 834x1 833x1 839x1 830x1 835x1 217x2"
    " 831x2 465Nx1 63x3 74x1 193x3 39x1 40x1 41x2 42x2 43x1 44x2 45x2 46x2 47x2 70x1"
)
SUPPLY = tile_counts(_SUPPLY)

CORPORATIONS: dict[CorpId, Corporation] = {}
"""Public companies, minors and Kobe Rapid Transit, in the order in which they are shown."""

JR, SUBWAY, KEIHAN, NANKAI = CorpId("JR"), CorpId("Subway"), CorpId("Keihan"), CorpId("Nankai")
KINKI, SANYO, HANSHIN, HANKYU = CorpId("Kinki"), CorpId("Sanyo"), CorpId("Hanshin"), CorpId("Hankyu")
KANAN, OE, OSAKA_RAILWAY = CorpId("M1"), CorpId("M2"), CorpId("M3")
NARA_ELECTRIC, KOBE_ELECTRIC, KOBE_RAPID = CorpId("M4"), CorpId("M5"), CorpId("K2")

FORMED_IN = "2½"
"""The phase in which Kinki is formed at the latest, where minors form it. {1890-MIN-08}"""

ARIMA, KOBE_TRAMWAY, HANKAI = PrivateId("A"), PrivateId("B"), PrivateId("C")
HANSHIN_TRAMWAY, KEISHIN, OME = PrivateId("D"), PrivateId("E"), PrivateId("F")
KEIFUKU, KITA_OSAKA, SEMBOKU = PrivateId("K1"), PrivateId("K3"), PrivateId("K4")

AMAGASAKI, ARIMA_SPA, ASHIYA, ITAMI, KOBE = map(HexId, ("F11", "D7", "F7", "E10", "F5"))
KYOTO, NISHINOMIYA, SAKAI, TAKARAZUKA = map(HexId, ("B17", "F9", "J11", "D9"))
OSAKA_KITA, OSAKA_HIGASHI, OSAKA_NISHI, OSAKA_MINAMI = OSAKA = tuple(map(HexId, ("G12", "H13", "H11", "I12")))


def _public(sym: CorpId, name: str, local: str, homes: str, tokens: tuple[int, ...], colour: str) -> None:
    kind = "jr" if sym == JR else "public"
    places = tuple(split_stop(home) for home in homes.split())
    CORPORATIONS[sym] = Corporation(sym, name, places, tokens, colour, kind=kind, name_local=local)


def _minor(
    sym: CorpId, name: str, local: str, homes: str, colour: str, kind: str = "minor", tokens_of: CorpId | None = None
) -> None:
    places = tuple(split_stop(home) for home in homes.split())
    CORPORATIONS[sym] = Corporation(
        sym, name, places, (0,) * len(places), colour,
        kind=kind, name_local=local, certificate=PrivateId(sym), tokens_of=tokens_of,
    )  # fmt: skip


# 1890-COR-01, 1890-TOK-03, 1890-TOK-09. Kinki's tokens are two ordinary ones, and four for the homes
# of the minors that merge.
_public(JR, "Japan Railways", "JR", "G12.0 B17.0 H19.1 F5.0", (0, 0, 0, 0, 40, 100), "#1060b0")
_public(SUBWAY, "Osaka Municipal Subway", "大阪地下鉄", "H11.0", (0,), "#0a6a4a")
_public(KEIHAN, "Keihan Electric Railway", "京阪", "E16.0", (0, 40, 100), "#2a8a3a")
_public(NANKAI, "Nankai Electric Railway", "南海", "I12.0", (0, 40, 100), "#108080")
_public(KINKI, "Kinki Nippon Railways", "近鉄", "H13.0", (40, 100, 0, 0, 0, 0), "#e05020")
_public(SANYO, "Sanyo Electric Railway", "山陽", "F3.0", (0, 40), "#d02030")
_public(HANSHIN, "Hanshin Electric Railway", "阪神", "F9.0", (0, 40, 100), "#e8c010")
_public(HANKYU, "Hankyu Railways", "阪急", "E12.0", (0, 40, 100, 100), "#6a2a35")
# 1890-MIN-03, 1890-MIN-04. Osaka Railway uses the token of Osaka Electric, so it has none of its own.
_minor(KANAN, "Kanan Railway", "河南鉄道", "J15.0", "#a08050")
_minor(OE, "Osaka Electric Railroad", "大阪電気軌道", "H13.0", "#f0a060")
_minor(OSAKA_RAILWAY, "Osaka Railway", "大阪鉄道", "", "#c09060", tokens_of=OE)
_minor(NARA_ELECTRIC, "Nara Electric Railway", "奈良電鉄", "B17.2 H19.0", "#b070a0")
_minor(KOBE_ELECTRIC, "Kobe Electric Railway", "神戸電鉄", "D5.0", "#70a040")
_minor(KOBE_RAPID, "Kobe Rapid Transit Railway", "神戸高速鉄道", "F5.0", "#808080", kind="late")

CAPITAL = {KANAN: 100, OE: 200, OSAKA_RAILWAY: 100, NARA_ELECTRIC: 320, KOBE_ELECTRIC: 200}
"""What the bank gives a minor when it is bought. {1890-MIN-01}"""
RESERVED_FOR = {OE: 2, OSAKA_RAILWAY: 1, KANAN: 1, NARA_ELECTRIC: 2}
"""Tenths of Kinki that wait for the owners of the minors that it takes over. {1890-COR-06}"""


def _private(
    sym: PrivateId, name: str, local: str, value: int, revenue: int, *powers: Power, note: str = "", later: str = ""
) -> Private:
    return Private(sym, name, value, revenue, powers, note, local, later)


_MINOR_NOTE = "A minor company: it lays track and runs before the others, pays half to its owner and keeps half."
LATE_NOTE = "For sale in stock rounds from the second game turn on."
_TRANSIT = "Sends all tokens but JR's out of Kobe and takes a place there. Its owner gets"
_ROUTE_THERE = "for each route counting it, run by a company without a token there."
CONTROLLED_TRANSIT = f"{_TRANSIT} ¥10, 15 or 20, by the colour of Kobe, {_ROUTE_THERE}"
"""What Kobe Rapid does under 1890-VAR-10."""

PRIVATES = {
    private.id: private
    for private in (  # 1890-SET-15, 1890-SET-18, 1890-PRV-05 to -25; which hexes are blocked: facts, single source
        _private(
            ARIMA, "Arima Railway", "有馬鉄道", 20, 5, Blocks((ARIMA_SPA,)),
            CompanyLay(tuple(map(TileId, ("3", "4", "58"))), (ARIMA_SPA,)),
            note="Nobody builds in Arima (D7) until a company owns it. That company may lay one tile there in addition "
            "to its own, without a connection. While nobody owns it, its price falls by ¥5 each game turn.",
        ),
        _private(
            KOBE_TRAMWAY, "Kobe Tramway", "神戸市電", 40, 10, Blocks((KOBE,)),
            note="Nobody builds in Kobe (F5) until a company owns it.",
        ),
        _private(
            HANKAI, "Hankai Tramway", "阪堺電鉄", 70, 15, Blocks((OSAKA_MINAMI, SAKAI)), Survives(5, all=True),
            note="Nobody builds in Osaka Minami (I12) and Sakai (J11) until a company owns it or phase 4 begins. From "
            "phase 4 on it pays ¥5, and no company can buy it.",
        ),
        _private(
            HANSHIN_TRAMWAY, "Hanshin Tramway", "阪神国道軌道", 110, 20, GivesShare(HANSHIN),
            note="Whoever buys it gets a 10 % share of Hanshin with it.",
        ),
        _private(
            KEISHIN, "Keishin Railway", "京津鉄道", 160, 25, Blocks((KYOTO, HexId("B19"))), GivesShare(KEIHAN),
            note="Nobody builds in Kyoto (B17) and east of it (B19) until a company owns it. Whoever buys it gets a "
            "10 % share of Keihan with it.",
        ),
        _private(
            OME, "Osaka Municipal Electric Railway", "大阪市電", 220, 40,
            Blocks((OSAKA_KITA, OSAKA_NISHI, OSAKA_HIGASHI)), SetsPar(SUBWAY, president=True),
            note="The buyer sets the par of the Subway and gets its president's certificate. Nobody builds in "
            "Osaka Kita, Nishi and Higashi (G12, H11, H13) until the Subway's first turn. Once bought it is worth "
            "nothing, and it closes when the Subway buys a train.",
        ),
        _private(PrivateId(KANAN), "Kanan Railway", "河南鉄道", 100, 0,
            note=f"{_MINOR_NOTE} It can join Kinki from phase 2 on, must in phase 3, and brings 10 % of Kinki.",
        ),
        _private(
            PrivateId(OE), "Osaka Electric Railroad", "大阪電気軌道", 200, 0, SetsPar(KINKI),
            note=f"{_MINOR_NOTE} The buyer sets the par of Kinki, which it becomes from phase 2 on, with the first "
            "3+3-train at the latest, and gets its president's certificate then.",
        ),
        _private(PrivateId(OSAKA_RAILWAY), "Osaka Railway", "大阪鉄道", 100, 0,
            note=f"{_MINOR_NOTE} It joins Kinki when {OE} turns into it, and brings 10 % of it.",
        ),
        _private(PrivateId(NARA_ELECTRIC), "Nara Electric Railway", "奈良電鉄", 160, 0,
            note=f"{_MINOR_NOTE} It can join Kinki from phase 4 on, must in phase 5, and brings 20 % of Kinki.",
        ),
        _private(
            PrivateId(KOBE_ELECTRIC), "Kobe Electric Railway", "神戸電鉄", 100, 0,
            note=f"{_MINOR_NOTE} Its owner may turn it into a late private, which is worth nothing and pays nothing.",
        ),
        _private(
            KEIFUKU, "Keifuku Electric Railroad", "京福電鉄", 200, 40,
            note="Brings Keihan ¥40 in every operating round while Keihan has a token in Kyoto.", later=LATE_NOTE,
        ),
        _private(
            PrivateId(KOBE_RAPID), "Kobe Rapid Transit Railway", "神戸高速鉄道", 240, 0,
            note=f"{_TRANSIT} half the value of Kobe {_ROUTE_THERE}", later=LATE_NOTE,
        ),
        _private(
            KITA_OSAKA, "Kita-Osaka Kyuko Railway", "北大阪急行", 280, 60,
            note="Pays ¥100 once, in the operating round after the first 6-train.", later=LATE_NOTE,
        ),
        _private(
            SEMBOKU, "Semboku Rapid Railway", "泉北高速鉄道", 320, 70,
            note="Brings each company with a token in Sakai ¥40 in every operating round.", later=LATE_NOTE,
        ),
    )
}  # fmt: skip
LATE = (KEIFUKU, PrivateId(KOBE_RAPID), KITA_OSAKA, SEMBOKU)

_TRAINS = (  # 1890-SET-11, 1890-RTE-03, 1890-TRN-03, 1890-TRN-10
    TrainType(Rank("2"), 80, 0, 2, rusts_on=Rank("4")),
    TrainType(Rank("2+2"), 120, 0, 2, small=2, apart=True, rusts_on=Rank("5")),
    TrainType(Rank("3"), 180, 0, 3, rusts_on=Rank("6")),
    TrainType(Rank("3+3"), 230, 0, 3, small=3, apart=True, rusts_on=Rank("6")),
    TrainType(Rank("4"), 300, 0, 4, rusts_on=Rank("D")),
    TrainType(Rank("5"), 450, 0, 5),
    TrainType(Rank("6"), 630, 0, 6),
    TrainType(
        Rank("D"), 1100, 0, None, on_sale_with=Rank("6"), trade_in=TradeIn((Rank("4"), Rank("5"), Rank("6")), 300)
    ),
)


def trains(counts: Mapping[str, int], *, longest: int | None = None, apart: bool = True) -> dict[Rank, TrainType]:
    """The trains of which there are any; `longest` is how many stops a D visits, None for any number.

    `apart`: whether a large call of an m+n train left over serves no small city.
    """
    return {
        train.rank: replace(
            train,
            count=counts[train.rank],
            reach=longest if train.rank == "D" else train.reach,
            apart=train.apart and apart,
        )
        for train in _TRAINS
        if counts.get(train.rank)
    }


def phases(ranks: Collection[Rank], notes: Mapping[str, str]) -> tuple[Phase, ...]:
    """The phases that these trains open, with what people are told of them besides.

    {1890-TRN-05, 1890-TRK-05, 1890-OR-05, 1890-REV-02 and the rules that the phases name}
    """

    def phase(
        name: str, starts_on: str, rule: str, colours: str, limits: tuple[int, int, int], rounds: int, tier: str,
        *events: str,
    ) -> Phase:  # fmt: skip
        limit = dict(zip(("minor", "public", "jr"), limits, strict=True)) | {"late": 0}
        return Phase(
            name, Rank(starts_on) if starts_on else None, tuple(colours.split()), limit, rounds, tier,  # type: ignore[arg-type]
            buys_privates=name in ("2", "2½", "3"), events=events, note=notes.get(name, ""), rule=rule,
        )  # fmt: skip

    two, three = "yellow green", "yellow green brown"
    every = (
        phase("1", "", "1890-OR-05", "yellow", (2, 4, 6), 1, "yellow"),
        phase("1½", "2+2", "1890-PHS-01", "yellow", (2, 4, 6), 1, "yellow"),
        phase("2", "3", "1890-PHS-02", two, (2, 4, 6), 2, "yellow"),
        phase("2½", "3+3", "1890-PHS-03", two, (2, 4, 6), 2, "yellow"),
        phase("3", "4", "1890-PHS-04", two, (1, 3, 4), 2, "yellow"),
        phase("4", "5", "1890-PHS-05", three, (1, 2, 3), 3, "brown", "close privates"),
        phase("5", "6", "1890-PHS-06", three, (1, 2, 3), 3, "brown", "first six"),
        phase("6", "D", "1890-PHS-07", three, (1, 2, 3), 3, "gray"),
    )
    return tuple(phase for phase in every if phase.starts_on is None or phase.starts_on in ranks)


TILE_78 = TileId("193")
"""The brown tile that the Japanese rule book calls 78. {1890-VAR-13}"""
BY_WATER = frozenset(
    map(
        HexId,
        (
            "H19", "F3", "F5", "F7", "F9", "F11", "H11", "J11", "L9", "M8",
            "C18", "D15", "E14", "E16", "F13", "F15", "G12", "G14",
        ),
    )
)  # fmt: skip
"""Nara, the cities at the sea, and those with a side on the Yodo."""
PRIVATES_CLOSED = ("4", "5", "6")
"""Phases from the closing of the privates on. {1890-PRV-04, 1890-TRK-10}"""

# 1890-MKT: y certificates do not count, b the 60 % is lifted too, c closes the company, * par.
_ROWS = (
    "70 75 80 90 100* 110 125 150 175 200 225 250 275 300 325 350 375 400",
    "65 70 75 80 90* 100 110 125 150 175 200 225 250 275 300 325 350 375",
    "60 65 70 75 80* 90 100 110 125 150 175 200 225 250 275 300",
    "55 60 65 70 75* 80 90 100 110 125 150 175 200 225",
    "50y 55 60 65 70* 75 80 90 100 110 125 150",
    "45y 50y 55 60 65* 70 75 80 90 100",
    "40b 45y 50y 55 60 65 70 75",
    "35b 40b 45y 50y 55 60",
    "30b 35b 40b 45y 50y",
    "0c 30b 35b 40b 45y",
    "0c 0c 30b 35b 40b",
)
BROWN = "brown"
"""Zone of the prices at which more than 60 % may be held. {1890-SR-17}"""
CLOSING = "closed"
"""Zone of the cells that close a company. {1890-MKT-06}"""

_ZONES = {  # 1890-SR-17
    "y": Zone("yellow", counts_certs=False),
    "b": Zone(BROWN, counts_certs=False, holding_limit=False),
    "c": Zone(CLOSING, meaning="the company closes"),
}
MARKET = market_of(_ROWS, _ZONES, stuck=CLOSING)
MARKET_WITH_END = market_of(
    [row.replace("400", "400e") for row in _ROWS],
    {**_ZONES, "e": Zone("end", meaning="the game ends after this turn or stock round")},
    stuck=CLOSING,
)
"""With the price that ends the game. {1890-VAR-09}"""
