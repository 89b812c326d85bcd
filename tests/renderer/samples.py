"""Positions to draw, made by hand from the printed maps; no rules are asked, so they need not be reachable in play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.board.hexes import Layout, position
from engine.board.tile_list import TILES
from engine.board.tiles import turned
from engine.ids import CorpId, HexId, PlayerId, PrivateId, Rank, StopId, TileId
from engine.printed import Face, HexDef
from engine.titles.t1889.map import HEXES
from engine.views import (
    BoardView,
    CompanyRow,
    CompanyView,
    HexView,
    MarketView,
    PlayerRow,
    PriceCellView,
    PrivateRow,
    RouteView,
    StopView,
    TableView,
    TrainRow,
)

COMPANIES = tuple(
    CompanyView(CorpId(letters), name, colour, index)
    for index, (letters, name, colour) in enumerate(
        (
            ("AR", "Awa Railroad", "#303030"),
            ("IR", "Iyo Railway", "#ee8a22"),
            ("SR", "Sanuki Railway", "#6f9f3f"),
            ("KO", "Takamatsu & Kotohira Electric Railway", "#cc2233"),
            ("TR", "Tosa Electric Railway", "#10a090"),
            ("KU", "Tosa Kuroshio Railway", "#1080c8"),
            ("UR", "Uwajima Railway", "#6a5040"),
        )
    )
)
HOMES = {"K8": "AR", "E2": "IR", "I2": "SR", "K4": "KO", "F9": "TR", "C10": "KU", "B7": "UR"}
BLOCKED = {"K4": "A", "B11": "C", "G10": "C", "C4": "E", "B9": "F"}
SUPPLY = {
    "3": 2, "5": 2, "6": 2, "7": 2, "8": 5, "9": 5, "57": 2, "58": 3, "437": 1, "438": 1, "12": 1, "13": 1, "14": 1, "15": 3,
    "16": 1, "19": 1, "20": 1, "23": 2, "24": 2, "25": 1, "26": 1, "27": 1, "28": 1, "29": 1, "205": 1, "206": 1, "439": 1,
    "440": 1, "39": 1, "40": 1, "41": 1, "42": 1, "45": 1, "46": 1, "47": 1, "448": 4, "465": 1, "466": 1, "492": 1, "611": 2,
}  # fmt: skip


def stop_views(
    face: Face, tier: str, tokens: Sequence[Sequence[str]] = (), reserved: Sequence[str] = ()
) -> tuple[StopView, ...]:
    made = []
    for i, stop in enumerate(face.stops):
        placed = [CorpId(letters) for letters in tokens[i]] if i < len(tokens) else []
        slots = (*placed, *([None] * (stop.slots - len(placed))))[: stop.slots]
        tiers = dict(stop.tiers)
        now = tier if tier in tiers else next(iter(tiers), "")
        value = tiers.get(now, stop.revenue)
        waiting = tuple(CorpId(r) for r in reserved) if i == 0 else ()
        made.append(StopView(stop.kind, value, stop.tiers, now, slots, waiting, stop.at, stop.group))
    return tuple(made)


def hex_view(
    layout: Layout,
    hex_id: str,
    printed: HexDef,
    *,
    tile: tuple[str, int] | None = None,
    tier: str = "yellow",
    tokens: Sequence[Sequence[str]] = (),
    reserved: Sequence[str] = (),
    blocked_by: Sequence[str] = (),
) -> HexView:
    x, y = position(layout, hex_id)
    face, rotation = (TILES[TileId(tile[0])].face, tile[1]) if tile else (printed.face, 0)
    terrain = printed.terrain
    fresh = tile is None or (terrain is not None and terrain.each_upgrade)
    return HexView(
        id=HexId(hex_id),
        x=x,
        y=y,
        colour=face.colour,
        stops=stop_views(face, tier, tokens, reserved),
        track=tuple(sorted(turned(face, rotation).segments)),
        rotation=rotation,
        tile=TileId(tile[0]) if tile else None,
        printed_number=(TILES[TileId(tile[0])].printed or tile[0]) if tile else "",
        label=face.label,
        name=printed.name,
        name_local=printed.name_local,
        cost=terrain.cost if terrain and fresh else 0,
        terrain=tuple(sorted(terrain.kinds)) if terrain and tile is None else (),
        impassable=tuple(sorted(printed.impassable)),
        joined=tuple(sorted(printed.joined)),
        icons=TILES[TileId(tile[0])].icons if tile else printed.icons,
        blocked_by=tuple(PrivateId(b) for b in blocked_by),
    )


def board(
    tiles: Mapping[str, tuple[str, int]],
    tokens: Mapping[str, Sequence[str]],
    *,
    phase: str = "2",
    round_name: str = "Stock round 1",
    changed: Sequence[str] = (),
    blocked: Mapping[str, str] | None = None,
    tier: str = "yellow",
) -> BoardView:
    blocks = BLOCKED if blocked is None else blocked
    hexes = tuple(
        hex_view(
            "flat",
            hex_id,
            printed,
            tile=tiles.get(hex_id),
            tier=tier,
            tokens=(tokens.get(hex_id, ()),),
            reserved=[HOMES[hex_id]] if hex_id in HOMES and HOMES[hex_id] not in tokens.get(hex_id, ()) else [],
            blocked_by=[blocks[hex_id]] if hex_id in blocks else [],
        )
        for hex_id, printed in HEXES.items()
    )
    left = dict(SUPPLY)
    for number, _ in tiles.values():
        left[number] = max(0, left.get(number, 1) - 1)
    supply = tuple((TileId(number), count) for number, count in left.items())
    return BoardView(
        "Shikoku 1889", "flat", hexes, COMPANIES, phase, round_name, "¥{}", tuple(HexId(h) for h in changed), supply
    )


def start() -> BoardView:
    return board({}, {})


MIDDLE_TILES = {
    "K8": ("6", 2), "K6": ("9", 0), "K4": ("440", 0), "J3": ("9", 1), "I2": ("57", 2), "I4": ("439", 1), "J5": ("58", 3),
    "E2": ("15", 5), "F3": ("57", 1), "E4": ("8", 0), "G4": ("14", 1), "H3": ("24", 1), "C4": ("12", 1), "D3": ("8", 4),
    "B11": ("437", 5), "C10": ("206", 2), "D9": ("26", 4), "E8": ("9", 1), "J9": ("58", 1), "J11": ("5", 3),
    "F9": ("465", 2), "G10": ("58", 0), "H5": ("9", 2), "I6": ("8", 3), "H7": ("611", 1), "B9": ("7", 3), "C6": ("23", 2),
    "F7": ("40", 0), "G8": ("47", 1), "D5": ("16", 1), "E6": ("41", 3),
}  # fmt: skip
MIDDLE_TOKENS = {
    "K8": ["AR"], "E2": ["IR", "UR"], "I2": ["SR"], "K4": ["KO", "AR"], "F9": ["TR", "KU"], "C10": ["KU"], "B7": ["UR", "IR"],
    "G4": ["SR", "KO"], "H7": ["TR"], "I4": ["SR"],
}  # fmt: skip


def middle() -> BoardView:
    return board(
        MIDDLE_TILES,
        MIDDLE_TOKENS,
        phase="5",
        round_name="Operating round 4.2 (of 3)",
        changed=["K4", "H7"],
        blocked={},
        tier="brown",
    )
