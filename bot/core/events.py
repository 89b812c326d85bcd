"""What happens in a game, as far as people follow it from outside the table."""

from __future__ import annotations

from collections.abc import Iterable

from bot.core.turns import Move
from engine import facts as f

EVENTS = {
    "turn": "every turn",
    "round": "a round ends",
    "company": "a company starts or dies",
    "train": "a train rusts",
    "bankrupt": "somebody goes bankrupt",
    "end": "the game ends",
}
"""What can be followed, as it is called."""
_KINDS: tuple[tuple[type[f.Fact], str], ...] = (
    (f.RoundBegan, "round"),
    (f.ParSet, "company"),
    (f.Floated, "company"),
    (f.CompanyChanged, "company"),
    (f.TrainsRusted, "train"),
    (f.TrainExported, "train"),
    (f.WentBankrupt, "bankrupt"),
    (f.GameEnded, "end"),
)


def events_of(move: Move) -> set[str]:
    """What a move means to those who follow the game."""
    return {"turn"} | {name for fact in move.state.facts for kind, name in _KINDS if isinstance(fact, kind)}


def events_in(moves: Iterable[Move]) -> list[str]:
    """What these moves mean together, sorted."""
    return sorted({event for one in moves for event in events_of(one)})
