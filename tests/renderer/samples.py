"""Positions to draw, made by hand from the printed maps; no rules are asked, so they need not be reachable in play."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from PIL import Image

import renderer
from engine.board.hexes import Layout, position
from engine.board.tile_list import EVERY_TILE, TILES
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
from renderer.png import Picture
from renderer.tiles import plain_hex

# ruff: noqa: E501
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
        cost=TILES[TileId(tile[0])].cost if tile else terrain.cost if terrain else 0,
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
        "Shikoku 1889",
        "flat",
        hexes,
        COMPANIES,
        phase,
        round_name,
        "¥{}",
        tuple(HexId(h) for h in changed),
        supply,
        sea=True,
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


_PRICES = (
    "75v 80 90 100p 110 125 140 155 175 200 225 255 285 315 350",
    "70v 75 80 90p 100 110 125 140 155 175 200 225 255 285 315^",
    "65v 70 75 80p 90 100 110 125 140 155 175 200^",
    "60v 65 70 75p 80 90 100 110 125 140^",
    "55v 60 65 70p 75 80 90 100^",
    "50yv 55 60 65p 70 75 80^",
    "45yv 50y 55 60 65 70^",
    "40yv 45y 50y 55 60^",
    "30ov 40y 45y 50y^",
    "20ov 30o 40y 45y^",
    "10o 20o 30o 40y^",
)
ZONES = (
    ("no_cert", "no certificate counts"),
    ("no_cert_no_cap", "no certificate counts, over 60 % may be held"),
)


def _cell(
    written: str,
    tokens: Mapping[tuple[int, int], Sequence[str]],
    pars: Mapping[int, Sequence[str]],
    at: tuple[int, int],
) -> PriceCellView:
    price = int("".join(c for c in written if c.isdigit()))
    zone = "no_cert" if "y" in written else "no_cert_no_cap" if "o" in written else "normal"
    arrow = "up" if "^" in written else "down" if "v" in written else ""
    par = "p" in written
    return PriceCellView(
        price,
        zone,
        par,
        arrow,
        tuple(CorpId(c) for c in tokens.get(at, ())),
        tuple(CorpId(c) for c in (pars.get(price, ()) if par else ())),
    )


def market(
    tokens: Mapping[tuple[int, int], Sequence[str]],
    pars: Mapping[int, Sequence[str]] | None = None,
    moved: Sequence[tuple[str, tuple[int, int]]] = (),
) -> MarketView:
    rows = tuple(
        tuple(_cell(written, tokens, pars or {}, (r, c)) for c, written in enumerate(row.split()))
        for r, row in enumerate(_PRICES)
    )
    return MarketView("Shikoku 1889", rows, ZONES, COMPANIES, "¥{}", tuple((CorpId(c), at) for c, at in moved))


def market_crowd() -> MarketView:
    return market(
        {(1, 5): ["AR", "KO", "SR", "TR", "IR"], (4, 1): ["UR"], (7, 1): ["KU"]},
        {100: ["AR"], 90: ["KO", "SR"], 65: ["UR", "KU", "TR"]},
        [("TR", (1, 4)), ("UR", (4, 2)), ("KU", (5, 1))],
    )


def market_all_in_one() -> MarketView:
    return market({(2, 3): [company.id for company in COMPANIES]}, {80: [company.id for company in COMPANIES]})


def market_tiers() -> MarketView:
    prices = [
        0,
        7,
        14,
        20,
        26,
        31,
        36,
        40,
        44,
        47,
        50,
        52,
        54,
        56,
        58,
        60,
        62,
        65,
        68,
        71,
        74,
        78,
        82,
        86,
        90,
        95,
        100,
        105,
        110,
        116,
        122,
        128,
        134,
        142,
        150,
        158,
        166,
        174,
        182,
        191,
        *range(200, 341, 10),
    ]
    pars = {54, 58, 62, 68, 74, 82, 90, 100}
    names = ("IOW", "IWNJ", "CN", "BHI", "FYN", "NGSL", "SC", "VYSC")
    companies = tuple(
        CompanyView(CorpId(letters), letters, COMPANIES[i % 7].colour, i) for i, letters in enumerate(names)
    )
    tokens = {54: ["CN"], 68: ["IOW", "VYSC", "BHI"], 142: ["FYN", "IWNJ"], 20: ["SC"]}

    def cell(price: int) -> PriceCellView:
        zone = (
            "bankrupt"
            if price == 0
            else "end"
            if price == 340
            else "red letter"
            if price < 40 or price > 150
            else "normal"
        )
        return PriceCellView(price, zone, price in pars, "", tuple(CorpId(c) for c in tokens.get(price, ())))

    rows = (tuple(cell(p) for p in prices),)
    zones = (
        ("bankrupt", "company bankrupt"),
        ("red letter", "first share sold does not move the price"),
        ("end", "game ends"),
    )
    return MarketView("1860", rows, zones, companies, "£{}", ((CorpId("IWNJ"), (0, 31)),), tiers=True)


def table(players: int = 6, *, hidden: bool = False, names: Sequence[str] = ()) -> TableView:
    called = [*names, *("Akiko", "Bernard", "Chidi", "Dagmar", "Eduardo", "Farida", "Gunnar")[len(names) :]][:players]
    seats = [PlayerId(f"p{i + 1}") for i in range(players)]
    rows = []
    for i, (seat, name) in enumerate(zip(seats, called, strict=True)):
        cash = None if hidden and i else 37 + 113 * i
        shares = tuple((COMPANIES[(i + k) % 7].id, 5 - 2 * k) for k in range(3) if 5 - 2 * k > 0)
        rows.append(
            PlayerRow(
                seat,
                name,
                cash,
                cash if cash is None or i != 2 else cash - 60,
                5 + i,
                None if hidden and i else 1040 + 211 * i,
                shares,
                (COMPANIES[i % 7].id,),
                tuple(PrivateId(c) for c in "ABC"[i : i + 1]),
                priority=i == 3,
                up=i == 1,
            )
        )
    companies = tuple(
        CompanyRow(
            company,
            seats[i % players] if i < 6 else None,
            100 - 5 * i if i < 6 else None,
            125 - 10 * i if i < 6 else None,
            (430 + 71 * i) if i < 6 else None,
            tuple(Rank(r) for r in (("4", "5"), ("3", "3", "4"), ("5",), ("D",), (), ("2",))[i]) if i < 6 else (),
            2 - i % 2,
            40,
            2 if i < 6 else 10,
            i % 3,
            (),
            (PrivateId("D"),) if i == 2 else (),
            floated=i < 5,
            operating=i == 1,
            last_run=(120, 90, 0, 310, None, None, None)[i],
            last_paid=(12, 0, 0, 31, None, None, None)[i],
            states=("receivership",) if i == 4 else (),
        )
        for i, company in enumerate(COMPANIES)
    )
    privates = tuple(
        PrivateRow(PrivateId(letter), name, value, revenue, owner, value, "", bids, on_sale=letter == "E")
        for letter, name, value, revenue, owner, bids in (
            ("A", "Takamatsu E-Railroad", 20, 5, "p1", ()),
            ("B", "Mitsubishi Ferry", 30, 5, "p2", ()),
            ("C", "Ehime Railway", 40, 10, "p3", ()),
            ("D", "Sumitomo Mines Railway", 50, 15, "SR", ()),
            ("E", "Dougo Railway", 60, 15, "", ((seats[0], 65), (seats[-1], 70))),
            ("F", "South Iyo Railway", 80, 20, "", ()),
            ("G", "Uno-Takamatsu Ferry", 150, 30, "closed", ()),
        )
    )
    depot = tuple(
        TrainRow(Rank(rank), price, left, Rank(rusts) if rusts else None, on_sale)
        for rank, price, left, rusts, on_sale in (
            ("2", 80, 0, "4", False),
            ("3", 180, 0, "6", False),
            ("4", 300, 1, "D", True),
            ("5", 450, 3, None, False),
            ("6", 630, 2, None, False),
            ("D", 1100, None, None, False),
        )
    )
    return TableView(
        "Shikoku 1889", "Operating round 4.2 (of 3)", "4", "¥{}", 4321, 14, tuple(rows), companies, privates, depot,
        (Rank("3"),), "3",
    )  # fmt: skip


def routes() -> tuple[BoardView, tuple[RouteView, ...]]:
    """Three trains of one company that meet in its cities."""
    view = board(
        {
            "K8": ("12", 2), "K6": ("9", 0), "K4": ("440", 0), "J3": ("8", 3), "I2": ("15", 1), "I4": ("439", 0),
            "J5": ("58", 3), "J9": ("58", 3), "J11": ("5", 3), "H3": ("8", 4), "H5": ("8", 0), "G4": ("14", 1),
        },
        {"K8": ["AR"], "K4": ["KO", "AR"], "I2": ["SR", "AR"]},
        phase="D", round_name="Operating round 6.1 (of 3)", blocked={}, tier="brown", changed=(),
    )  # fmt: skip

    def segments(written: str) -> tuple[tuple[HexId, int, int], ...]:
        parts = (piece.split(":") for piece in written.split())
        return tuple((HexId(hex_id), int(ends[0]), int(ends[1])) for hex_id, ends in parts)

    def stops(written: str) -> tuple[tuple[StopId, int], ...]:
        return tuple(
            (StopId(f"{name}.0"), int(value)) for name, _, value in (part.partition("=") for part in written.split())
        )

    return view, (
        RouteView(Rank("5"), stops("K8=30 K4=40 J1=40"), segments("K8:63 K6:03 K4:06 K4:62 J3:53 J1:06"), 110),
        RouteView(Rank("6"), stops("K8=30 L7=40"), segments("K8:64 L7:16"), 70),
        RouteView(Rank("D"), stops("K8=30 J5=10 K4=40"), segments("K8:62 J7:51 J5:06 J5:64 K4:16"), 80),
    )


def pair(ends: Iterable[int]) -> tuple[int, int]:
    one, other = sorted(ends)
    return one, other


def every_tile(layout: Layout, rotation: int = 0) -> BoardView:
    """All tiles of the list on one imaginary board."""
    hexes = []
    for i, (number, tile) in enumerate(TILES.items()):
        row, column = divmod(i, 15)
        x, y = (column * 2, row * 2 + (column % 2) * 0) if layout == "flat" else (column * 2 + (row % 2), row)
        if layout == "flat":
            x, y = column, row * 2 + column % 2
        fresh = plain_hex(tile, number, tile.fixed_rotation or rotation)
        hexes.append(replace(fresh, id=HexId(f"{chr(65 + row)}{column}"), x=x, y=y))
    return BoardView("Every tile", layout, tuple(hexes), COMPANIES, "2", layout, "¥{}")


def tile_choices(view: BoardView, hex_id: str, choices: Sequence[tuple[str, int]]) -> Picture:
    """The picture of these tiles and rotations on a hex of one city or none, whose tokens come to the first."""
    here = next(one for one in view.hexes if one.id == hex_id)
    tokens = tuple(corp for stop in here.stops for corp in stop.slots if corp is not None)
    stops = []
    for tile, _ in choices:
        made = plain_hex(EVERY_TILE[TileId(tile)], TileId(tile)).stops
        slots = (*tokens, *(None,) * (len(made[0].slots) - len(tokens))) if made else ()
        stops.append((replace(made[0], slots=slots), *made[1:]) if made and made[0].kind == "city" else made)
    return renderer.tile_choices_picture(
        view, HexId(hex_id), [(TileId(tile), turns) for tile, turns in choices], stops, ["J9-L9"] * len(choices)
    )


def opened_size(picture: Picture) -> tuple[int, int]:
    return Image.open(io.BytesIO(picture.png)).size
