"""Looking back over the positions of a game: its rounds, and what changed between two of them.

`states` are always the beginning of a game and the position after each of its moves, in order.
"""

from collections.abc import Iterable, Sequence

from engine.facts import Fact, PriceMoved, RoundBegan, TileLaid, TileRemoved, TokenGone, TokenPlaced, TokenReturned
from engine.frozen import dataclass
from engine.ids import OR, SR, CorpId, HexId, split_stop
from engine.state import State

OPENING = "opening"
"""What comes before the first stock round."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round as it was played."""

    name: str
    """In short: "SR 2", "4.1", OPENING."""
    turn: int
    """The number of its set: a stock round and the operating rounds after it share it."""
    operating: bool
    start: int
    """The number of its first position."""
    end: int
    """The number of the first position after it, or of the last there is."""


def rounds_of(states: Sequence[State]) -> list[PlayedRound]:
    """The rounds in order, of which the last may still be going on; the first where the positions begin within it."""
    found: list[PlayedRound] = []
    first, start = states[0], 0
    began, turn, operating = RoundBegan(first.round, first.turn, first.or_number), first.turn, first.round == OR
    name = round_name(began)
    if turn == 1 and first.round not in (OR, SR):
        name, turn = OPENING, 0
    for index, state in enumerate(states[1:], start=1):
        for fact in state.facts:
            if isinstance(fact, RoundBegan):
                found.append(PlayedRound(name, turn, operating, start, index))
                name, turn, operating, start = round_name(fact), fact.turn, fact.round == OR, index
    return [*found, PlayedRound(name, turn, operating, start, len(states) - 1)]


def round_at(states: Sequence[State], number: int) -> str:
    """The name of the round in which the move after this position was made."""
    return next(one.name for one in rounds_of(states) if one.end > number)


def round_name(fact: RoundBegan) -> str:
    """A round in short: "SR 2", "4.1"."""
    return f"{fact.turn}.{fact.number}" if fact.round == OR else f"{fact.round} {fact.turn}"


def span(states: Sequence[State], name: str) -> tuple[int, int] | None:
    """First and last position of a round ("4.1", "SR 2"), of a set ("4") or of the game (""); None if there is none."""
    rounds = rounds_of(states)
    wanted = [one for one in rounds if not name or one.name.casefold() == name.casefold() or str(one.turn) == name]
    return (wanted[0].start, wanted[-1].end) if wanted else None


def changed_hexes(facts: Iterable[Fact]) -> tuple[HexId, ...]:
    """Where tiles and tokens were placed or taken away."""
    hexes: dict[HexId, None] = {}
    for fact in facts:
        if isinstance(fact, TileLaid | TileRemoved | TokenReturned | TokenGone):
            hexes[fact.hex] = None
        elif isinstance(fact, TokenPlaced):
            hexes[split_stop(fact.stop)[0]] = None
    return tuple(hexes)


def moved_tokens(facts: Iterable[Fact]) -> tuple[tuple[CorpId, tuple[int, int]], ...]:
    """Companies whose price moved, with the cell they first moved from."""
    first: dict[CorpId, tuple[int, int]] = {}
    for fact in facts:
        if isinstance(fact, PriceMoved):
            first.setdefault(fact.corp, fact.source)
    return tuple(first.items())
