"""What 1860 alone keeps of a position: `own(s)` reads it, `s.own = replace(own(s), ...)` changes it."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from engine.frozen import dataclass
from engine.ids import CorpId, HexId, PlayerId, PrivateId
from engine.state import Own, State

Condition = Literal["insolvent", "bankrupt", "closed"]
"""What can be wrong with a company; `Own1860` has a list of companies for each."""


@dataclass(frozen=True, slots=True)
class Auction:
    """One of the opening auctions."""

    bids: Mapping[PlayerId, int] = field(default_factory=dict)
    out: tuple[PlayerId, ...] = ()
    """Who has dropped out, in order."""


@dataclass(frozen=True, slots=True)
class Own1860(Own):
    """What 1860 alone keeps of a position."""

    auction: Auction | None = None
    """The opening auction that is held; None once all is chosen."""
    layer: int = 1
    """The highest open layer of companies."""
    insolvent: tuple[CorpId, ...] = ()
    bankrupt: tuple[CorpId, ...] = ()
    closed: tuple[CorpId, ...] = ()
    no_limits: bool = False
    """Whether the first 8+4 has lifted the certificate limit and stopped falls by sales."""
    southern: Literal["", "formed", "over"] = ""
    """The Southern Railway; from "over" on nothing is built any more."""
    british: bool = False
    """Whether British Rail has formed, so that only operating rounds are left."""
    paid: Mapping[CorpId, int] = field(default_factory=dict)
    """Revenue that companies have paid out in this operating round, 0 where they retained it."""
    destinations: tuple[str, ...] = ()
    """Destination bonuses gained, as "IOW G5"."""
    kept_values: Mapping[PrivateId, PlayerId] = field(default_factory=dict)
    """For whom privates that their owner closed count at the end."""
    # A player's turn in a stock round
    bought: CorpId | PrivateId | None = None
    """The private bought or company started in this turn."""
    new_priority: bool = False
    """Whether a bankruptcy has given the priority to another, so that the round begins anew."""
    # A company's turn in an operating round
    laid: tuple[HexId, ...] = ()
    """Hexes of the tiles laid in this turn."""
    ran: bool = False
    """Whether the company has run in this turn."""
    subsidy: int = 0
    """What halts brought in this turn."""


def own(s: State) -> Own1860:
    """The part of the position that 1860 alone keeps."""
    assert isinstance(s.own, Own1860)
    return s.own
