"""What players are told of a move, and what is left of it once the rules have changed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.core.opponents import level_of
from bot.core.turns import Move
from bot.words.lexicon import Lexicon
from bot.words.names import bold
from bot.words.narration import Line, lines_of
from storage import Handover


@dataclass(frozen=True, slots=True)
class ToldBefore:
    """A move before the rules changed: its position is gone, what was told of it stays."""

    seq: int
    by: str
    """The seat; empty for the change itself."""
    told: tuple[Line, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """Its sentences."""
        return tuple(one.text for one in self.told)


def tell(move: Move, names: Lexicon) -> list[str]:
    """The move in lines, marked where somebody else than the player acted."""
    return [one.text for one in told_lines(move, names)]


def told_lines(move: Move, names: Lexicon) -> list[Line]:
    """As `tell`, with what each line is about."""
    lines = lines_of(move.state.facts, names, move.company)
    if lines and move.note is not None and move.note.how != "offer":
        lines[0] = replace(lines[0], text=f"{lines[0].text} *({move.note.how})*")
    return lines


def tell_handover(one: Handover) -> str:
    """How a seat changed hands."""
    old, new = bold(one.from_name), bold(one.to_name)
    match one.how:
        case "given":
            return f"{new} takes over the seat of {old}."
        case "lent" if level_of(one.to_id) is not None:
            return f"{new} plays for {old} until they are back."
        case "lent":
            return f"{new} plays for {old}, who has lent the seat."
        case "returned":
            return f"{new} plays again, after {old}."
        case "left":
            return f"{old} leaves the game, and the seat is open."
        case "taken":
            return f"{new} takes the open seat of {old}."
