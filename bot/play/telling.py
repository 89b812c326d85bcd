"""What players are told of a move, and what is left of it once the rules have changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.play.turns import Move
from bot.text.lexicon import Lexicon
from bot.text.narration import narrate


@dataclass(frozen=True, slots=True)
class Told:
    """A move before the rules changed: its position is gone, what was told of it stays."""

    seq: int
    by: str
    """The seat; empty for the change itself."""
    lines: tuple[str, ...]


def tell(move: Move, names: Lexicon) -> list[str]:
    """The move in lines, marked where somebody else than the player acted."""
    lines = narrate(move.state.facts, names, move.company)
    if lines and move.note is not None and move.note.how != "offer":
        lines[0] += f" *({move.note.how})*"
    return lines


def tell_all(moves: Iterable[Move], names: Lexicon) -> list[str]:
    """The moves in lines, in order."""
    return [line for one in moves for line in tell(one, names)]
