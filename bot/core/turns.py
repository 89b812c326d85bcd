"""The moves in force, and which turn each belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import engine
from bot.core.notes import Note
from engine.actions import Action, Pass
from engine.facts import Fact, GameEnded
from engine.flow import Decision
from engine.ids import CHANCE, HexId
from engine.past import changed_hexes
from engine.state import State
from engine.title import Title


@dataclass(frozen=True, slots=True)
class Move:
    """One action in force, who made it, and the position it led to."""

    seq: int
    action: Action
    user: int | None
    note: Note | None
    state: State
    company: str = ""
    """The company whose decision it was; none where that was a player's own."""

    @property
    def automatic(self) -> bool:
        """Whether the bot made it: a chance draw, a forced pass, or a standing pass of an earlier version."""
        return self.action.by == CHANCE or (self.note is not None and self.note.automatic)


@dataclass(frozen=True, slots=True)
class TurnKey:
    """Identifies a turn: who decides, in which round, for which company or private, after how many moves."""

    players: tuple[str, ...]
    round: str
    subject: str
    start: int

    def __str__(self) -> str:
        return f"{'+'.join(self.players) or 'over'}:{self.round}:{self.subject}:{self.start}"


def follow(before: State, after: State) -> None:
    """Keep a position small that follows another: it shares what is the same, and answers about the old map go."""
    after.share(before)
    if after.board is not before.board:
        before.board.forget()


def turn_key(title: Title, moves: Sequence[Move], beginning: State, before: int = 0) -> TurnKey:
    """The turn of the latest position; `before` moves preceded the beginning."""
    asked = engine.decision(title, moves[-1].state if moves else beginning)
    return TurnKey(asked.players, asked.round, asked.subject or "", before + turn_start(title, moves, beginning))


def turn_start(title: Title, moves: Sequence[Move], beginning: State) -> int:
    """How many moves came before the current turn."""
    index = len(moves)
    asked = engine.decision(title, moves[-1].state if moves else beginning)
    while index > 0:
        if not same_turn(asked, engine.decision(title, moves[index - 2].state if index > 1 else beginning)):
            break
        if asked.subject is None and isinstance(moves[index - 1].action, Pass):
            break
        index -= 1
    return index


def lately(title: Title, moves: Sequence[Move], beginning: State) -> tuple[list[Fact], tuple[HexId, ...]]:
    """What happened in the last turn and this one, which pictures mark; and where this one built."""
    start = turn_start(title, moves, beginning)
    before = turn_start(title, moves[:start], beginning)
    latest = [fact for one in moves[before:] for fact in one.state.facts]
    return latest, changed_hexes(fact for one in moves[start:] for fact in one.state.facts)


def began(title: Title, moves: Sequence[Move], beginning: State) -> int:
    """How many moves came before the present turn, also if others decided something in between, as a seller's tile."""

    def state_after(count: int) -> State:
        return moves[count - 1].state if count else beginning

    start = len(moves)
    if state_after(start).pending:
        return turn_start(title, moves, beginning)
    asked = engine.decision(title, state_after(start))
    while start > 0:
        before = state_after(start - 1)
        if not before.pending:
            passed = asked.subject is None and isinstance(moves[start - 1].action, Pass)
            if passed or not same_turn(asked, engine.decision(title, before)):
                break
        start -= 1
    while state_after(start).pending:  # an interrupt of the turn before
        start += 1
    return start


def company_of(state: State) -> str:
    """The company that decides in this position; none where a player decides something of their own."""
    return "" if state.pending or state.operating is None else str(state.operating)


def same_turn(one: Decision, other: Decision) -> bool:
    """Whether two decisions belong to the same people, round, and company or private."""
    return (one.players, one.round, one.subject) == (other.players, other.round, other.subject)


def final_scores(title: Title, state: State) -> dict[str, int] | None:
    """Final worth by seat, best first; None until the game is over."""
    if not state.over:
        return None
    ends = [fact for fact in state.facts if isinstance(fact, GameEnded)]
    return dict(ends[-1].scores if ends else engine.scores(title, state))
