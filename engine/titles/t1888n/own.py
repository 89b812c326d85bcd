"""What 1888-N alone keeps of a position."""

from engine.frozen import dataclass
from engine.ids import HexId
from engine.state import Own, State


@dataclass(frozen=True, slots=True)
class Own1888(Own):
    """What 1888-N alone keeps of a position."""

    first_tile: HexId | None = None
    """Where the last tile of a private was laid that a second one may follow."""
    second_due: bool = False
    """Whether that may still be laid in this turn."""


def own(s: State) -> Own1888:
    """The part of the position that 1888-N alone keeps."""
    assert isinstance(s.own, Own1888)
    return s.own
