"""Powers of private companies, as data. `steps/privates.py` and the titles have their verbs."""

from typing import Literal

from engine.frozen import dataclass
from engine.ids import CorpId, HexId, Source, TileId


@dataclass(frozen=True, slots=True)
class Blocks:
    """No tile may be laid on these hexes while a player owns the private."""

    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class TileLay:
    """One tile of `tiles` on one of `hexes`, free, with no connection, once."""

    tiles: tuple[TileId, ...]
    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class ExtraLay(TileLay):
    """A player lays: the owner, while no rival's company operates, or who sells the private to a company, at once."""

    when: Literal["owner", "sale"]


@dataclass(frozen=True, slots=True)
class CompanyLay(TileLay):
    """The owning company lays in its turn.

    With `most` above 1 further tiles may follow at once, joined to those before; `all` says that they must.
    """

    most: int = 1
    all: bool = False


@dataclass(frozen=True, slots=True)
class TerrainDiscount:
    """The company that owns the private pays nothing for terrain of just this kind."""

    kind: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """The owning player may give the private for one share of `corp` from the initial offering."""

    corp: CorpId


@dataclass(frozen=True, slots=True)
class TokenExchange:
    """The owning player may give the private for a share, from one of `sources`, of a company with a token in `hex`."""

    hex: HexId
    sources: tuple[Source, ...]
    out_of_turn: bool = False


@dataclass(frozen=True, slots=True)
class Survives:
    """Stays open at the general closing, pays `revenue` and is not for sale.

    Only while a player owns it, unless it does so for `all` owners.
    """

    revenue: int
    all: bool = False


@dataclass(frozen=True, slots=True)
class GivesShare:
    """The player who buys the private from the bank gets an ordinary share of `corp` with it."""

    corp: CorpId


@dataclass(frozen=True, slots=True)
class SetsPar:
    """The player who buys the private sets the par of `corp` at once; `president`: and gets its first certificate."""

    corp: CorpId
    president: bool = False


def lost_to_company(power: "Power") -> bool:
    """Whether the power is a player's alone, so that it is lost when a company buys the private."""
    if isinstance(power, ExtraLay):
        return power.when == "owner"
    return isinstance(power, Exchange | TokenExchange) or (isinstance(power, Survives) and not power.all)


Power = Blocks | ExtraLay | CompanyLay | TerrainDiscount | Exchange | TokenExchange | Survives | GivesShare | SetsPar
