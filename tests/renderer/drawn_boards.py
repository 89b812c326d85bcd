"""Positions of the titles to draw: their maps as printed, and crowded boards late in a game."""

from __future__ import annotations

from dataclasses import replace

from tables import Table, table

from engine import State, Title, build, start
from engine.board.board import Board
from engine.ids import CorpId, HexId, PlayerId, TileId
from engine.viewing import board_view, market_view, table_view
from engine.views import BoardView, MarketView, TableView

WIGHT_TILES = (
    "F2:789/0 F4:767/0 F6:768/5 B4:772/5 J4:206/2 B6:12/2 I5:752/1 K5:765/5 L6:772/1 E5:769/1 I3:758/0 C5:752/5 "
    "E3:18/4 K7:9/1 H4:783/5 H6:17/0 D4:9/4 G9:770/0 E9:770/2 H8:769/3 H10:748/3 J8:776/1 D6:751/5 E11:8/3 "
    "E7:20/5 G3:750/4 H2:7/0 I9:771/2 C7:767/2 A5:747/5 F10:768/3 F12:771/2 G5:773/0 I11:774/0 I7:784/1 G11:751/3 "
    "D8:16/2 F8:19/0 G13:7/2 A7:759/3 J6:762/1 G7:775/0"
)
WIGHT_TOKENS = (
    "J4.0:IOW I3.0:IOW B6.0:FYN I9.0:IOW G7.0:IWNJ,C&N L6.0:BHI&R I11.0:NGStL G9.0:NGStL,S&C F12.0:S&C "
    "E9.0:VYSC,- F2.0:C&N J8.0:BHI&R,- G5.0:IOW,IWNJ G5.1:C&N A7.0:FYN B4.0:FYN"
)
CHINA_TILES = (
    "F6:611/2 D10:611/0 C9:8892/4 G7:47/5 D8:47/0 B6:55/3 H2:L39/5 C5:L41/5 F8:39/1 F16:L40b/0 E17:L40a/0 E9:24/0 "
    "E7:58/5 B18:X7/1 C11:43/0 B16:69/1 C7:46/0 E5:611/3 C17:4/0 B14:70/4 F4:46/1 G11:611/0 B20:X7/1 C13:611/0 "
    "E3:15/2 C19:42/3 G5:56/1 B12:3/5 G13:4/4 D12:3/2 G15:41/1 D18:42/4 H6:41/0 B10:26/1 D16:8/3 H10:18/1 "
    "H4:8864/2 C15:29/1 G9:611/2 B8:44/1 G17:7/1 D6:45/1 F10:28/0 G3:27/3 B4:45/4 C3:15/3 H8:58/1 D4:23/2 "
    "F12:58/5 F14:8/4 D2:8/3 B2:58/2"
)
CHINA_TOKENS = (
    "A19.0:CDL C9.0:JHR,JZR,TJL,- I5.0:HJR,- B20.0:CDL,SSL B18.0:SSL,LYR F16.0:CDL,LYR E17.0:LYR,- D10.0:JHR,HJR "
    "G11.0:ZDR,- E5.0:HJR,TJL C13.0:SSL,JZR F6.0:HJR,JHR C3.0:JZR,TJL E3.0:TJL,- G9.0:ZDR,-"
)


OSAKA_TILES = "E12:57/0 C12:9/0 D11:8/3 F11:202/0 F9:57/1 F7:57/1 H15:57/1 G16:1/0 J15:6/0 E16:6/0 D17:9/0"
OSAKA_TOKENS = (
    "G12.0:JR,- F9.0:Hanshin F7.0:Hanshin E12.0:Hankyu H11.0:Subway I12.0:Nankai H13.0:M2,- J15.0:M1 B17.0:JR H19.1:JR "
    "F5.0:JR D5.0:M5 H19.0:M4"
)


def printed(title_id: str, players: int, *options: str) -> BoardView:
    """The map before the first tile."""
    t = build(title_id, players, options)
    return board_view(t, start(t, "ABCDEFG"[:players]))  # type: ignore[arg-type]


def _built(laid: Table, tiles: str, tokens: str) -> tuple[Title, State]:
    """The position with these tiles ("HEX:TILE/ROTATION") and tokens ("HEX.STOP:CORP,CORP")."""
    t, s = laid.no_homes().build()
    board = Board(t.grid)
    for entry in tiles.split():
        hex_id, _, tile = entry.partition(":")
        number, _, rotation = tile.partition("/")
        board = board.with_tile(HexId(hex_id), TileId(number), int(rotation))
        s.supply[TileId(number)] -= 1
    for entry in tokens.split():
        stop, _, corps = entry.partition(":")
        hex_id, _, index = stop.partition(".")
        for corp in corps.split(","):
            if corp != "-":
                board = board.with_token(HexId(hex_id), int(index), CorpId(corp))
    s.board = board
    return t, s


def wight(*options: str) -> tuple[Title, State]:
    """1860 near its end: limits lifted, one company insolvent, one in receivership, one bankrupt."""
    laid = (
        table("1860", 3, *options).operating("IOW", "run").phase("8").par("IOW", 100, (0, 34)).par("C&N", 90, (0, 20))
    )
    laid = laid.par("FYN", 74, (0, 20)).par("IWNJ", 82, (0, 41)).par("S&C", 58, (0, 5)).private(FFC="p2")
    laid = laid.trains("IOW", "6+3", "5+3").trains("C&N", "8+4").cash(IOW=320, p1=1204, p2=88, p3=655).bank(8800)
    laid = laid.own(layer=4, no_limits=True, insolvent=("FYN",), bankrupt=("VYSC",))
    t, s = _built(laid, WIGHT_TILES, WIGHT_TOKENS)
    s.president[CorpId("S&C")] = "pool"
    s.shares[CorpId("S&C")] = {"ipo": 3, "pool": 5, PlayerId("p2"): 2}
    return t, s


def china() -> tuple[Title, State]:
    """1888-N late, with two companies in the red area and four privates still with their owners."""
    laid = table("1888", 4).operating("JHR", "run").phase("4").par("JHR", 95, (0, 8)).par("SSL", 95, (1, 16))
    laid = laid.par("CDL", 90, (8, 0)).par("HJR", 85, (7, 1)).par("LYR", 70, (4, 9)).par("JZR", 80, (4, 9))
    laid = laid.trains("JHR", "4", "4", "3").trains("SSL", "5").cash(JHR=40, p1=310, p2=5, p3=1890).bank(-66)
    laid = laid.private(FC="p1", HS="JHR", YRF="SSL", CW="p2")
    for corp in ("JHR", "SSL", "CDL", "LYR"):
        laid = laid.shares(corp, president="p3", p3=3, p4=3)
    return _built(laid, CHINA_TILES, CHINA_TOKENS)


def osaka() -> tuple[Title, State]:
    """1890 before Kinki is formed: minors at work, late privates for sale, one company closed."""
    laid = table("1890", 4).operating("Hanshin", "run").phase("3").par("Hanshin", 90, (2, 8)).par("Hankyu", 80, (2, 5))
    laid = laid.par("JR", 100, (0, 9)).par("Subway", 70, (4, 4)).par("Kinki", 75, (3, 4)).par("Keihan", 65, (8, 0))
    laid = laid.private(A="p1", B="Hanshin", C="p2", D="p3", F="p4", M1="p1", M2="p2", M3="p3", M4="p4", M5="p1")
    laid = (
        laid.private(K1="p2", K2="reserved", K3="reserved", K4="p3")
        .trains("Hanshin", "3", "3")
        .trains("JR", "2+2", "4")
    )
    laid = (
        laid.trains("M1", "3").trains("M2", "3").cash(Hanshin=320, JR=900, M1=75, M2=150, p1=204, p2=88, p3=655, p4=31)
    )
    laid = laid.shares("JR", president="p3", p3=3, p4=2, pool=2).shares("Hankyu", president="p2", p2=4, p1=1).bank(5800)
    laid = laid.own(closed=("Sanyo",))
    t, s = _built(laid, OSAKA_TILES, OSAKA_TOKENS)
    for minor, owner in (("M1", "p1"), ("M2", "p2"), ("M3", "p3"), ("M4", "p4"), ("M5", "p1")):
        s.president[CorpId(minor)] = PlayerId(owner)
        s.floated |= {CorpId(minor)}
    s.president[CorpId("Kinki")] = "reserved"
    s.shares[CorpId("Kinki")] = {"ipo": 2, "reserved": 6, PlayerId("p1"): 2}
    s.shares[CorpId("Sanyo")] = {"closed": 10}
    return t, s


MOVED = {"1860": ("IOW", (0, 30), "G5"), "1888": ("SSL", (2, 14), "G5"), "1890": ("Hanshin", (2, 7), "F7")}
"""By title: a company whose price moved, the cell it came from, and the hex changed last."""


def views(position: tuple[Title, State]) -> tuple[BoardView, MarketView, TableView]:
    t, s = position
    corp, came_from, changed = MOVED[t.id]
    board = board_view(t, s, (HexId(changed),))
    moved = ((CorpId(corp), came_from),)
    return board, market_view(t, s, moved), replace(table_view(t, s), round=board.round)
