"""What 1890 alone keeps of a position: `own(s)` reads it, `s.own = replace(own(s), ...)` changes it."""

from collections.abc import Mapping
from dataclasses import field

from engine.frozen import dataclass
from engine.ids import CorpId, HexId, PlayerId, PrivateId
from engine.state import Own, State


@dataclass(frozen=True, slots=True)
class Own1890(Own):
    """What 1890 alone keeps of a position."""

    closed: tuple[CorpId, ...] = ()
    """Companies that are gone for good."""
    face_zero: tuple[PrivateId, ...] = ()
    """Privates that count nothing at the end."""
    uncounted: tuple[PrivateId, ...] = ()
    """Privates that are no certificates: Kobe Electric as a late private."""
    passage: tuple[CorpId, ...] = ()
    """Companies that may run past Kobe Rapid's token."""
    expo: bool = False
    """From the first 6-train to the next operating round."""
    # Minors and Kinki
    declared: tuple[CorpId, ...] = ()
    """Minors whose owners declared a change during a company's turn, for when it ends."""
    formed: bool = False
    """Whether Kinki has been formed."""
    special_turn: bool = False
    """While Kinki's turn out of order is to come or under way."""
    incremental: tuple[CorpId, ...] = ()
    """Companies that live on the shares they sell, where that variant is played."""
    # A company's turn in an operating round
    laid: HexId | None = None
    """Where the last tile was laid."""
    raised: int = 0
    """What the president has raised by sales for the company's train."""
    # The earthquake
    quaked: bool = False
    """Whether it has come."""
    quake: bool = False
    """From the quake to the end of the next stock round."""
    damages: Mapping[PlayerId, int] = field(default_factory=dict)
    """What each player still has to pay."""
    face_down: tuple[CorpId, ...] = ()
    """Companies whose tokens in Itami are out of use."""
    # The air raids
    beside: Mapping[HexId, tuple[CorpId, ...]] | None = None
    """By hex, companies whose tokens found no place there and wait beside it; None before the raids."""


def own(s: State) -> Own1890:
    """The part of the position that 1890 alone keeps."""
    assert isinstance(s.own, Own1890)
    return s.own
