"""Track in 1890: which tiles the named hexes take, two lays for JR, and what Hankyu and the Subway gain by laying."""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Action, Lay, LayTile
from engine.board.board import Grid
from engine.board.tiles import turned
from engine.ids import BANK, CorpId, HexId, PlayerId, TileId
from engine.money import pay
from engine.printed import Colour
from engine.state import State
from engine.steps import track
from engine.steps.common import PASS_STEP, operator, own_turn
from engine.title import Step, Title, Verb, of_tile
from engine.titles.t1890.companies import reached
from engine.titles.t1890.map import HEXES
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import HANKYU, OSAKA, SUBWAY
from engine.titles.t1890.ways import ways


def _tiles(text: str) -> tuple[TileId, ...]:
    return tuple(TileId(tile) for tile in text.split())


NAMED: dict[HexId, dict[str, tuple[TileId, ...]]] = {
    HexId(hex_id): {colour: _tiles(tiles) for colour, tiles in by_colour.items()}
    for hex_id, by_colour in (
        ("F11", {"yellow": "202", "green": "821 822", "brown": "831"}),
        ("I12", {"green": "821 822", "brown": "831"}),
        ("G12", {"green": "823", "brown": "833"}),
        ("H13", {"green": "824", "brown": "834"}),
        ("H11", {"green": "12", "brown": "839"}),
        ("F5", {"green": "820", "brown": "830"}),
        ("B17", {"green": "825", "brown": "835"}),
        ("F9", {"brown": "465N"}),
        ("E14", {"green": "210 211", "brown": "217"}),
        ("G14", {"green": "210 211", "brown": "217"}),
        ("J11", {"green": "210 211", "brown": "217"}),
        ("H19", {"green": "14 15"}),
    )
}
"""Hexes that take these tiles only. {1890-TRK-18 to -21}"""
_ANYWHERE = frozenset(_tiles("12 14 15"))
OWN_TILES = {
    tile for by_colour in NAMED.values() for tiles in by_colour.values() for tile in tiles if tile not in _ANYWHERE
}
"""Tiles that are laid nowhere else."""

NOT_AFTER = {TileId("28"): _tiles("43"), TileId("29"): _tiles("43"), TileId("12"): _tiles("465N")}
"""Upgrades that would keep the track but that the printed table of tiles does not have."""

WHOLE_MAP = Grid("pointy", HEXES, {})
"""Of which the scenarios A and B use a part."""


def named_tiles(t: Title, s: State, a: Lay) -> tuple[TileId, ...] | None:
    """The tiles to which the hex is bound for its next colour; None if it is not."""
    return NAMED.get(a.hex, {}).get(t.tiles[a.tile].face.colour)


@of_tile
def tile_of_hex(t: Title, s: State, a: Lay) -> str | None:
    """Named hexes take only their tiles, which go nowhere else."""
    wanted = named_tiles(t, s, a)
    if wanted is not None:
        return None if a.tile in wanted else f"{a.hex} takes only tile {' or '.join(map(t.number, wanted))}."
    return f"Tile {t.number(a.tile)} belongs to another hex." if a.tile in OWN_TILES else None


@of_tile
def in_printed_table(t: Title, s: State, a: Lay) -> str | None:
    """The printed table names the upgrades of each tile."""
    old = s.board.placed.get(a.hex)
    if old is None or a.tile not in NOT_AFTER.get(old[0], ()):
        return None
    return f"Tile {t.number(a.tile)} is not an upgrade of tile {t.number(old[0])}."


@of_tile
def same_places(t: Title, s: State, a: Lay) -> str | None:
    """A tile has the cities of its hex; only tiles for that hex join several to one."""
    return None if named_tiles(t, s, a) else track.same_places(t, s, a)


def leads_on(t: Title, s: State, a: LayTile) -> str | None:
    """No track comes to the sea, rivers and blank sides; towards hexes that the scenario leaves out it ends dead."""
    sides = sorted(turned(t.tiles[a.tile].face, a.rotation).exits)
    blind = (track.blind_end(t, s, a, side) for side in sides if not _leaves_scenario(s, a.hex, side))
    return next((text for text in blind if text), None)


def _leaves_scenario(s: State, hex_id: HexId, side: int) -> bool:
    """Whether a hex of the whole map lies there of which the scenario's part has none."""
    there = WHOLE_MAP.beyond.get((hex_id, side))
    return there is not None and there[0] not in s.board.grid.hexes


def lays_allowed(t: Title, s: State, corp: CorpId) -> int:
    """How many tiles the company may lay in its turn. {1890-TRK-01, 1890-TRK-02}"""
    return ways(t).jr_tiles if t.kind(corp) == "jr" and not reached(t, s, "4") else 1


@of_tile
def lay_left(t: Title, s: State, a: Lay) -> str | None:
    """One tile in a turn; JR two in the early phases."""
    most = lays_allowed(t, s, a.corp)
    if len(s.lays) < most:
        return None
    return f"{a.corp} has already laid {'its tile' if most == 1 else f'{most} tiles'} this turn."


@of_tile
def another_hex(t: Title, s: State, a: Lay) -> str | None:
    """The second tile of a turn comes into another hex."""
    return f"{a.corp} has just laid a tile on {a.hex}." if s.lays and own(s).laid == a.hex else None


def lays_free(t: Title, s: State, corp: CorpId, hex_id: HexId) -> bool:
    """The Subway's tile in Osaka in its first turn costs nothing. {1890-COR-15}"""
    return corp == SUBWAY and corp not in s.operated and hex_id in OSAKA


def lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Every lay of the company whose turn it is, while it has a track action left."""
    if may_lay(t, s):
        yield from track.every_lay(t, s, player)


def lay(t: Title, s: State, a: LayTile) -> None:
    """Pay for the terrain and lay the tile; Hankyu gains land. {1890-TRK-15, 1890-COR-18}"""
    track.lay(t, s, a)
    s.own = replace(own(s), laid=a.hex)
    gain_land(t, s, a.corp, t.tiles[a.tile].face.colour)


def gain_land(t: Title, s: State, corp: CorpId, colour: Colour) -> None:
    """The bank pays Hankyu for the land beside each yellow tile that it lays. {1890-COR-18}"""
    if ways(t).hankyu and corp == HANKYU and colour == "yellow":
        pay(s, BANK, corp, 10, "land")


LAY = Verb(
    LayTile,
    lays,
    (
        own_turn, lay_left, another_hex, track.right_colour, track.colour_open, track.in_supply, tile_of_hex,
        in_printed_table, same_places, track.not_blocked_by_private, track.keeps_old_track, leads_on,
        track.terrain_affordable, track.reachable, track.upgrade_joined,
    ),
    lay,
)  # fmt: skip


def may_lay(t: Title, s: State) -> bool:
    """The step is asked until the track actions are used."""
    return len(s.lays) < lays_allowed(t, s, operator(s))


TRACK = Step(track.TRACK.name, (LAY, PASS_STEP), may_lay)
