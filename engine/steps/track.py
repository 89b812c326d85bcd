"""Laying and upgrading track."""

from collections.abc import Collection, Iterator
from functools import cache

from engine.actions import Action, Lay, LayPowerTile, LayTile
from engine.board.board import Board, rotations
from engine.board.hexes import across
from engine.board.reach import Reach, reach, reaches
from engine.board.tiles import turned
from engine.board.upgrades import upgrade_is_used
from engine.facts import TileLaid
from engine.ids import CorpId, HexId, PlayerId, TileId
from engine.money import pay
from engine.powers import Blocks, TerrainDiscount
from engine.printed import COLOURS, Colour, Face, StopKind, colour_word
from engine.state import State
from engine.steps.common import PASS_STEP, operator, own_turn
from engine.title import Step, Title, Verb, of_tile

SOLID = ("gray", "red", "blue")
"""Colours of hexes that never change."""


def next_colour(board: Board, hex_id: HexId) -> Colour | None:
    """The colour of the next tile in the hex; None where no tile may come."""
    colour = board.face(hex_id).face.colour
    if colour == "white":
        return COLOURS[0]
    if hex_id not in board.placed and colour in SOLID:
        return None
    index = COLOURS.index(colour) + 1 if colour in COLOURS else len(COLOURS)
    return COLOURS[index] if index < len(COLOURS) else None


def lay_cost(t: Title, s: State, corp: CorpId, hex_id: HexId) -> int:
    """What the next tile in the hex costs the company."""
    if t.policy.companies.lays_free(t, s, corp, hex_id):
        return 0
    if hex_id in s.board.placed:
        return t.tiles[s.board.placed[hex_id][0]].cost
    terrain = t.hexes[hex_id].terrain
    if terrain is None:
        return 0
    for private, owner in s.owner.items():
        if owner == corp:
            for power in t.privates[private].powers:
                if isinstance(power, TerrainDiscount) and terrain.kinds == {power.kind}:
                    return 0
    return terrain.cost


@of_tile
def one_lay(t: Title, s: State, a: Lay) -> str | None:
    """One yellow tile or one upgrade in a turn."""
    return f"{a.corp} has already laid a tile this turn." if s.lays else None


@of_tile
def right_colour(t: Title, s: State, a: Lay) -> str | None:
    """Yellow on empty hexes, then one colour at a time; grey and red hexes never change."""
    wanted = next_colour(s.board, a.hex)
    if wanted is None:
        return f"No tile can be laid on {a.hex}."
    colour = t.tiles[a.tile].face.colour
    if colour == wanted:
        return None
    return f"{a.hex} takes a {colour_word(wanted)} tile next; {t.number(a.tile)} is {colour_word(colour)}."


@of_tile
def colour_open(t: Title, s: State, a: Lay) -> str | None:
    """A colour can be laid from its phase on."""
    colour = t.tiles[a.tile].face.colour
    if colour in t.phase(s).colours:
        return None
    return f"{colour_word(colour).capitalize()} tiles cannot be laid yet in phase {t.phase(s).name}."


@of_tile
def in_supply(t: Title, s: State, a: Lay) -> str | None:
    """A tile can be laid only while one is left."""
    return None if s.supply.get(a.tile, 0) > 0 else f"No tile {t.number(a.tile)} is left."


@of_tile
def same_places(t: Title, s: State, a: Lay) -> str | None:
    """The tile has the towns and cities of the hex, no more and no fewer."""
    if kinds(s.board.face(a.hex).face) == kinds(t.tiles[a.tile].face):
        return None
    return f"Tile {t.number(a.tile)} does not match the towns and cities of {a.hex}."


@cache
def kinds(face: Face) -> tuple[StopKind, ...]:
    """The kinds of its stops, in their order."""
    return tuple(stop.kind for stop in face.stops)


@of_tile
def same_places_or_label(t: Title, s: State, a: Lay) -> str | None:
    """Lettered tiles may join or part the cities of a hex; all others have its towns and cities."""
    return None if s.board.face(a.hex).face.label else same_places(t, s, a)


@of_tile
def same_label(t: Title, s: State, a: Lay) -> str | None:
    """Lettered hexes take only tiles with their letter, which go nowhere else."""
    old, new = s.board.face(a.hex).face.label, t.tiles[a.tile].face.label
    if old == new:
        return None
    return f"{a.hex} needs a tile marked {old}." if old else f"Tile {t.number(a.tile)} goes only on a hex marked {new}."


@of_tile
def not_blocked_by_private(t: Title, s: State, a: Lay) -> str | None:
    """A hex printed on a private is closed for as long as the title says, as a rule while a player owns it."""
    for private, printed in t.privates.items():
        for power in printed.powers:
            if isinstance(power, Blocks) and a.hex in power.hexes and t.policy.privates.blocks(t, s, private):
                return f"{a.hex} is blocked by the private company {private} ({printed.name})."
    return None


def keeps_old_track(t: Title, s: State, a: LayTile | LayPowerTile) -> str | None:
    """An upgrade keeps all track, exits and stops."""
    if a.rotation in rotations(s.board.face(a.hex), t.tiles[a.tile].face):
        return None
    return f"Tile {t.number(a.tile)} with rotation {a.rotation} would not keep the track of {a.hex}."


def leads_somewhere(t: Title, s: State, a: LayTile | LayPowerTile) -> str | None:
    """No track may end against the map's edge, or a side without track of a hex that never changes."""
    sides = sorted(turned(t.tiles[a.tile].face, a.rotation).exits)
    return next((text for side in sides if (text := blind_end(t, s, a, side))), None)


def blind_end(t: Title, s: State, a: LayTile | LayPowerTile, side: int) -> str | None:
    """Why no track of the tile may come to this side of the hex."""
    step = s.board.grid.beyond.get((a.hex, side))
    laid = f"Tile {t.number(a.tile)} with rotation {a.rotation}"
    if step is None:
        other = across(t.layout, a.hex, side)
        if other in t.hexes:
            return f"{laid} would cross the closed side between {a.hex} and {other}."
        return f"{laid} would lead off the map at {a.hex}."
    beyond = s.board.face(step[0])
    if beyond.face.colour in SOLID and step[0] not in s.board.placed and step[1] not in beyond.exits:
        return f"{laid} would end against {step[0]}, which has no track there."
    return None


def fixed_rotation(t: Title, s: State, a: LayTile) -> str | None:
    """Some tiles are laid one way round only."""
    fixed = t.tiles[a.tile].fixed_rotation
    if fixed is None or fixed == a.rotation:
        return None
    return f"Tile {t.number(a.tile)} can only be laid with rotation {fixed}."


@of_tile
def terrain_affordable(t: Title, s: State, a: Lay) -> str | None:
    """The treasury pays for terrain; the president cannot help."""
    cost = lay_cost(t, s, a.corp, a.hex)
    if cost > s.cash[a.corp]:
        return f"A tile on {a.hex} costs {t.money(cost)}; {a.corp} has {t.money(s.cash[a.corp])}."
    return None


def reachable(t: Title, s: State, a: LayTile) -> str | None:
    """A tile on a hex without track joins track that the company's tokens reach."""
    if s.board.face(a.hex).segments:
        return None
    exits = turned(t.tiles[a.tile].face, a.rotation).exits
    if reaches(s.board, a.corp, lambda reached: comes_in(reached, a.hex, exits), ()):
        return None
    return f"No track that {a.corp} reaches would join tile {t.number(a.tile)} on {a.hex}."


def hex_reached(t: Title, s: State, a: LayTile) -> str | None:
    """A tile on a hex without track comes where track that the company's tokens reach leads to, joined to it or not."""
    if s.board.face(a.hex).segments or reaches(s.board, a.corp, lambda reached: a.hex in reached.hexes):
        return None
    return f"{a.corp} does not reach {a.hex}."


def comes_in(reached: Reach, hex_id: HexId, sides: Collection[int]) -> bool:
    """Whether some trail comes into the hex by one of the sides."""
    return any((hex_id, side) in reached.sides for side in sides)


def upgrade_of_use(t: Title, s: State, a: LayTile) -> str | None:
    """After an upgrade the company could run over new track, or to a city that is worth more."""
    if not s.board.face(a.hex).segments:
        return None
    if upgrade_is_used(s.board, a.corp, a.hex, a.tile, a.rotation):
        return None
    return f"With that tile, {a.corp} could use no new track and would reach no city of {a.hex}."


def upgrade_joined(t: Title, s: State, a: LayTile) -> str | None:
    """After an upgrade some track of the tile joins what the company's tokens reach, of use or not.

    That is so where a trail comes to one of its sides already, or starts in the hex.
    """
    if not s.board.face(a.hex).segments:
        return None
    exits = turned(t.tiles[a.tile].face, a.rotation).exits
    if s.board.in_hex(a.hex, a.corp):
        return None
    if reaches(s.board, a.corp, lambda reached: comes_in(reached, a.hex, exits), ()):
        return None
    return f"No track of {a.hex} joins what {a.corp} reaches."


def lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Every tile that could be the one lay of the turn."""
    if not s.lays:
        yield from every_lay(t, s, player)


def every_lay(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Every tile of the right colour that keeps the track, in every hex that the company reaches."""
    corp = operator(s)
    colours = t.phase(s).colours
    by_colour: dict[str, list[TileId]] = {}
    for tile, left in s.supply.items():
        if left:
            by_colour.setdefault(t.tiles[tile].face.colour, []).append(tile)
    board = s.board
    reached = reach(board, corp, ()).hexes
    for hex_id in t.hexes:
        colour = next_colour(board, hex_id) if hex_id in reached else None
        if colour is not None and colour in colours:
            for tile in by_colour.get(colour, ()):
                for rotation in rotations(board.face(hex_id), t.tiles[tile].face):
                    yield LayTile(player, corp, hex_id, tile, rotation)


def put_tile(t: Title, s: State, hex_id: HexId, tile: TileId, rotation: int) -> None:
    """Exchange the tiles of the hex and the supply."""
    if hex_id in s.board.placed:
        s.supply[s.board.placed[hex_id][0]] += 1
    s.supply[tile] -= 1
    s.board = s.board.with_tile(hex_id, tile, rotation)


def lay(t: Title, s: State, a: LayTile) -> None:
    """Pay for the terrain and lay the tile."""
    cost = lay_cost(t, s, a.corp, a.hex)
    pay(s, a.corp, t.policy.companies.bank, cost, "terrain")
    put_tile(t, s, a.hex, a.tile, a.rotation)
    s.lays += (t.tiles[a.tile].face.colour,)
    s.facts.append(TileLaid(a.corp, a.hex, a.tile, a.rotation, cost))


LAY = Verb(
    LayTile,
    candidates=lays,
    guards=(
        own_turn, one_lay, right_colour, colour_open, in_supply, same_label, same_places, not_blocked_by_private,
        fixed_rotation, keeps_old_track, leads_somewhere, terrain_affordable, reachable,
        upgrade_of_use,
    ),
    perform=lay,
)  # fmt: skip


def may_lay(t: Title, s: State) -> bool:
    """The step is asked until the track action is used."""
    return not s.lays


TRACK = Step("track", (LAY, PASS_STEP), may_lay)
