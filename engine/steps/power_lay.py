"""Tiles that a company lays by a private that it owns (`powers.CompanyLay`)."""

from collections.abc import Iterator

from engine.actions import Action, LayPowerTile
from engine.board.board import rotations
from engine.facts import TileLaid
from engine.ids import PlayerId, PrivateId
from engine.powers import CompanyLay
from engine.state import State
from engine.steps.common import operator
from engine.steps.track import put_tile
from engine.title import Title


def company_may_lay(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The company that owns the private lays in its own turn, once."""
    return unused(t, s, a) or ("Another decision comes first." if s.pending else None)


def unused(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The private is the operating company's, and its power has not been used."""
    if t.power(a.private, CompanyLay) is None:
        return f"{a.private} has no such power."
    if s.operating is None or s.owner[a.private] != s.operating:
        return f"Only a company that owns {a.private} lays its tiles, in its own turn."
    return f"The power of {a.private} has been used." if a.private in s.used else None


def company_lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Whatever fits of each private of the operating company that has not been used."""
    for private, owner in s.owner.items():
        if owner == s.operating and private not in s.used:
            yield from lays_of(t, s, player, private)


def lays_of(t: Title, s: State, player: PlayerId, private: PrivateId) -> Iterator[Action]:
    """Each tile of the private's power on each bare hex, turned as the hex allows."""
    power = t.power(private, CompanyLay)
    for hex_id in power.hexes if power else ():
        for tile in power.tiles if power and hex_id not in s.board.placed else ():
            for rotation in rotations(s.board.face(hex_id), t.tiles[tile].face):
                yield LayPowerTile(player, private, hex_id, tile, rotation)


def lay_tile(t: Title, s: State, a: LayPowerTile) -> None:
    """Beside the turn's own tile, free, with no connection."""
    put_tile(t, s, a.hex, a.tile, a.rotation)
    s.used |= {a.private}
    s.facts.append(TileLaid(operator(s), a.hex, a.tile, a.rotation, 0, a.private))
