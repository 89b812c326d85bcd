"""Laying tiles in 1888-N: at home in the first turn, and those that privates bring. {1888-TRK-02, 1888-PRV}"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.actions import Action, LayPowerTile, LayTile, Pass
from engine.board.board import rotations
from engine.board.hexes import opposite
from engine.board.tiles import turned
from engine.facts import Passed
from engine.ids import HexId, PlayerId, PrivateId
from engine.state import Pending, State
from engine.steps import privates, track
from engine.steps.common import PASS_STEP, just_pass, operator
from engine.steps.power_lay import company_lays, company_may_lay, lay_of, lay_tile, power_names_tile
from engine.titles.t1888n.own import own
from engine.titles.t1888n.printed import PIECES
from engine.verbs import Step, Verb

if TYPE_CHECKING:
    from engine.title import Title


# Home tiles


def home_tile_laid(t: Title, s: State, a: Pass) -> str | None:
    """In its first turn a company without home track lays its home tile, if any can be paid for."""
    corp = operator(s)
    if corp in s.operated:
        return None
    bare = [home for home, _ in t.corporations[corp].homes if s.board.face(home).face.colour == "white"]
    if not any(isinstance(lay, LayTile) and lay.hex in bare for lay in _lays(t, s, a.by)):
        return None
    return f"{corp} has no track at home yet: in its first turn it lays a tile in {bare[0]}."


def _lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    guards = t.own_step(track.TRACK).by_action[LayTile].guards
    return (lay for lay in track.lays(t, s, player) if all(guard(t, s, lay) is None for guard in guards))


def piece_by_private_only(t: Title, s: State, a: LayTile) -> str | None:
    """The pieces that come with privates are laid only by them."""
    return f"Tile {a.tile} is laid only by the private that it comes with." if a.tile in PIECES else None


PASS_TRACK = Verb(Pass, PASS_STEP.candidates, (home_tile_laid,), PASS_STEP.perform)


# Tiles laid by a company's private


def second_of_private(t: Title, s: State, a: LayPowerTile) -> str | None:
    """What follows a first tile is laid by the same private."""
    subject = s.pending[-1].subject
    return None if a.private == subject else f"Only the next tile of {subject} can be laid now."


def hex_untouched(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Such a tile comes only where none lies yet."""
    return f"There is already a tile in {a.hex}." if a.hex in s.board.placed else None


def power_tile_fits(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Towns, cities and track of the hex stay; only the mountain comes where nothing was."""
    old, new = s.board.face(a.hex), t.tiles[a.tile].face
    same_places = track.kinds(old.face) == track.kinds(new) or (a.tile in PIECES and not old.face.stops)
    if same_places and a.rotation in rotations(old, new):
        return None
    return f"Tile {a.tile} turned {a.rotation} does not fit {a.hex}."


def power_leads_somewhere(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Blank sides and barriers bind the yellow tiles too; the pieces of privates fit their places."""
    return None if a.tile in PIECES else track.leads_somewhere(t, s, a)


def joined_to_first(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The second tile's track meets that of the first."""
    first = own(s).first_tile
    assert first is not None
    sides = turned(t.tiles[a.tile].face, a.rotation).exits
    beyond = s.board.grid.beyond
    if any(beyond.get((a.hex, side)) == (first, opposite(side)) for side in sides & _towards(s, first)):
        return None
    return f"Both tiles must join: no track of that tile in {a.hex} meets the tile in {first}."


def _towards(s: State, hex_id: HexId) -> frozenset[int]:
    """Sides by which other hexes would meet the track of this one."""
    return frozenset(opposite(side) for side in s.board.face(hex_id).exits)


def lay_piece_by_piece(t: Title, s: State, a: LayPowerTile) -> None:
    """Option `online`: each tile is an action of its own, and where one may follow that is always asked."""
    lay_tile(t, s, a)
    power = lay_of(t, a.private)
    if power is not None and power.most > 1:
        s.own = replace(own(s), first_tile=a.hex)
        s.pending += (Pending(SECOND_TILE.name, a.by, a.private),)


def lay_power_tile(t: Title, s: State, a: LayPowerTile) -> None:
    """Lay the tile; where another must follow it comes with it, where one may follow that is asked."""
    lay_piece_by_piece(t, s, a)
    if not s.pending:
        return
    second = next((lay for lay in company_lays(t, s, a.by) if _allowed(t, s, lay)), None)
    power = lay_of(t, a.private)
    if isinstance(second, LayPowerTile) and power is not None and power.all:
        lay_tile(t, s, second)
    if second is None or (power is not None and power.all):
        s.pending = s.pending[:-1]


def _allowed(t: Title, s: State, lay: Action) -> bool:
    return all(guard(t, s, lay) is None for guard in SECOND_LAY.guards)


def lay_second(t: Title, s: State, a: LayPowerTile) -> None:
    """Lay the second tile; nothing more is asked. {1888-PRV-10}"""
    s.pending = s.pending[:-1]
    lay_tile(t, s, a)


def pieces_stay_together(t: Title, s: State, a: Pass) -> str | None:
    """The ferry is laid whole."""
    subject = PrivateId(s.pending[-1].subject)
    power = lay_of(t, subject)
    return f"Both tiles of {subject} must be laid." if power is not None and power.all else None


def decline_second(t: Title, s: State, a: Pass) -> None:
    """Lay no second tile. {1888-PRV-10}"""
    s.facts.append(Passed(a.by, s.pending[-1].step))
    s.pending = s.pending[:-1]


_FITTING = (
    power_names_tile, track.in_supply, hex_untouched, track.fixed_rotation, power_tile_fits, power_leads_somewhere,
)  # fmt: skip
COMPANY_LAY = Verb(LayPowerTile, company_lays, (company_may_lay, *_FITTING), lay_power_tile)
SECOND_LAY = Verb(LayPowerTile, company_lays, (second_of_private, *_FITTING, joined_to_first), lay_second)
SECOND_TILE = Step(
    "second tile",
    (SECOND_LAY, Verb(Pass, just_pass, (pieces_stay_together,), decline_second)),
    lambda t, s: True,
)


def last_chance(t: Title, s: State) -> bool:
    """The last step of the turn is asked while a private could be bought, or a power used that the company has."""
    corp = operator(s)
    unused = (private for private, owner in s.owner.items() if owner == corp and private not in s.used)
    return privates.private_in_reach(t, s) or any(lay_of(t, private) for private in unused)
