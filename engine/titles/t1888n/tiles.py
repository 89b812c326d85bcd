"""Laying tiles in 1888-N: at home in the first turn, and those that privates bring. {1888-TRK-02, 1888-PRV}"""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Action, LayPowerTile, LayTile, Pass
from engine.board.board import rotations
from engine.board.hexes import opposite
from engine.board.tiles import turned
from engine.flow import possible
from engine.ids import NOBODY, PlayerId, PrivateId
from engine.powers import CompanyLay
from engine.state import Pending, State
from engine.steps import privates, track
from engine.steps.common import PASS_STEP, just_pass, operator
from engine.title import Guard, Step, Title, Verb
from engine.titles.t1888n.own import own
from engine.titles.t1888n.printed import PIECES

# Home tiles


def home_tile_laid(t: Title, s: State, a: Pass) -> str | None:
    """In its first turn a company without home track lays its home tile, if any can be paid for."""
    corp = operator(s)
    if corp in s.operated:
        return None
    bare = [home for home, _ in t.corporations[corp].homes if s.board.face(home).face.colour == "white"]
    lay = t.own_step(track.TRACK).by_action[LayTile]
    if not any(isinstance(one, LayTile) and one.hex in bare for one in possible(t, s, lay, a.by)):
        return None
    return f"{corp} has no track at home yet: in its first turn it lays a tile on {bare[0]}."


def piece_by_private_only(t: Title, s: State, a: LayTile) -> str | None:
    """The pieces that come with privates are laid only by them."""
    return f"Tile {t.number(a.tile)} is laid only by the private that it comes with." if a.tile in PIECES else None


PASS_TRACK = Verb(Pass, PASS_STEP.candidates, (home_tile_laid,), PASS_STEP.perform)


# Tiles laid by a company's private


def second_due(t: Title, s: State, private: PrivateId) -> bool:
    """Whether a second tile of the private may still be laid: in the turn of the first, by the same company."""
    power = t.power(private, CompanyLay)
    return power is not None and power.most > 1 and own(s).second_due and s.owner[private] == s.operating


def first_or_second(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The company lays by its private, or once more if that may lay two and the first came in this turn."""
    if a.private in s.used and not s.pending and second_due(t, s, a.private):
        return None
    return privates.company_may_lay(t, s, a)


def second_or_another(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Where a second tile may follow, the company may lay by other privates first, but not one of two tiles."""
    subject, power = PrivateId(s.pending[-1].subject), t.power(a.private, CompanyLay)
    asked = t.power(subject, CompanyLay)
    if a.private == subject or (asked is not None and not asked.all and (power is None or power.most == 1)):
        return None
    return f"Only the next tile of {subject} can be laid now."


def asked_or_unused(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Other privates than the one that is asked for lay once, for the company that owns them."""
    return None if a.private == s.pending[-1].subject else privates.unused(t, s, a)


def hex_untouched(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Such a tile comes only where none lies yet."""
    return f"There is already a tile on {a.hex}." if a.hex in s.board.placed else None


def power_tile_fits(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Towns, cities and track of the hex stay; only the mountain comes where nothing was."""
    old, new = s.board.face(a.hex), t.tiles[a.tile].face
    same_places = track.kinds(old.face) == track.kinds(new) or (a.tile in PIECES and not old.face.stops)
    if same_places and a.rotation in rotations(old, new):
        return None
    return f"Tile {t.number(a.tile)} turned {a.rotation} does not fit {a.hex}."


def power_leads_somewhere(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Blank sides and barriers bind the yellow tiles too; the pieces of privates fit their places."""
    return None if a.tile in PIECES else track.leads_somewhere(t, s, a)


def joined_to_first(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The second tile's track meets that of the first."""
    first = own(s).first_tile
    if first is None or a.private not in s.used:
        return None
    sides = turned(t.tiles[a.tile].face, a.rotation).exits
    beyond, exits = s.board.grid.beyond, s.board.face(first).exits
    if any(beyond.get((a.hex, side)) == (first, opposite(side)) and opposite(side) in exits for side in sides):
        return None
    return f"Both tiles must join: no track of that tile on {a.hex} meets the tile on {first}."


def power_lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Whatever fits of the company's privates, the second tiles too."""
    yield from privates.company_lays(t, s, player)
    for private in t.privates:
        if private in s.used and second_due(t, s, private):
            yield from privates.lays_of(t, s, player, private)


def lay_power_tile(t: Title, s: State, a: LayPowerTile) -> None:
    """Lay the tile; the ferry comes whole, and two tiles of the wall one by one in the same turn. {1888-PRV-10, -12}"""
    second = a.private in s.used
    privates.lay_power_tile(t, s, a)
    power = t.power(a.private, CompanyLay)
    if power is None or power.most == 1:
        return
    before = own(s)
    if second:
        s.own = replace(before, second_due=False)
        return
    s.own = replace(before, first_tile=a.hex, second_due=not power.all)
    if power.all:
        other = next((lay for lay in privates.lays_of(t, s, a.by, a.private) if _fits(t, s, lay)), None)
        if other:
            privates.lay_power_tile(t, s, other)
        if before.second_due:
            s.own = before


def lay_piece_by_piece(t: Title, s: State, a: LayPowerTile) -> None:
    """Option `online`: each tile is an action of its own, and where one may follow that is always asked."""
    privates.lay_power_tile(t, s, a)
    power = t.power(a.private, CompanyLay)
    if power is not None and power.most > 1:
        s.own = replace(own(s), first_tile=a.hex)
        s.pending += (Pending(SECOND_TILE.name, a.by, a.private),)


def _fits(t: Title, s: State, lay: Action) -> bool:
    guards: tuple[Guard, ...] = (*_FITTING, joined_to_first)
    return all(guard(t, s, lay) is None for guard in guards)


def asked_lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """The second tile that is asked for, and whatever fits of other privates."""
    yield from privates.lays_of(t, s, player, PrivateId(s.pending[-1].subject))
    yield from privates.company_lays(t, s, player)


def lay_asked(t: Title, s: State, a: LayPowerTile) -> None:
    """Lay the second tile, after which nothing more is asked, or another private's before it. {1888-PRV-10}"""
    if a.private == s.pending[-1].subject:
        s.pending = s.pending[:-1]
    privates.lay_power_tile(t, s, a)


def pieces_stay_together(t: Title, s: State, a: Pass) -> str | None:
    """The ferry is laid whole."""
    subject = PrivateId(s.pending[-1].subject)
    power = t.power(subject, CompanyLay)
    return f"Both tiles of {subject} must be laid." if power is not None and power.all else None


_FITTING = (
    privates.power_fits, track.in_supply, hex_untouched, track.fixed_rotation, power_tile_fits, power_leads_somewhere,
)  # fmt: skip
COMPANY_LAY = Verb(LayPowerTile, power_lays, (first_or_second, *_FITTING, joined_to_first), lay_power_tile)
PIECE_LAY = Verb(LayPowerTile, privates.company_lays, (privates.company_may_lay, *_FITTING), lay_piece_by_piece)
"""Option `online`"""
SECOND_LAY = Verb(LayPowerTile, asked_lays, (second_or_another, asked_or_unused, *_FITTING, joined_to_first), lay_asked)
SECOND_TILE = Step("second tile", (SECOND_LAY, Verb(Pass, just_pass, (pieces_stay_together,), privates.decline_bonus)))


def last_chance(t: Title, s: State) -> bool:
    """The last step of the turn is asked while a private could be bought, or a power used that the company has."""
    corp = operator(s)
    idle = (private for private, owner in s.owner.items() if owner == corp and private not in s.used)
    lays = any(t.power(private, CompanyLay) for private in idle)
    return lays or privates.private_in_reach(t, s) or _second_fits(t, s)


def _second_fits(t: Title, s: State) -> bool:
    due = (private for private in t.privates if private in s.used and second_due(t, s, private))
    return any(_fits(t, s, lay) for private in due for lay in privates.lays_of(t, s, NOBODY, private))


def close_turn(t: Title, s: State) -> None:
    """The second tile comes in the turn of the first or never. {1888-PRV-10}"""
    if own(s).second_due:
        s.own = replace(own(s), second_due=False)
