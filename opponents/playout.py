"""Playouts: a position played on by quick players to the end of the stock round."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from engine import State
from engine.board.board import Board
from engine.ids import SR, StopId
from opponents.figures import Figures, Tastes
from opponents.forecast import luck, sketched
from opponents.question import Question
from opponents.quick import Quick
from opponents.sketch import Sketch

LONGEST = 160
"""Decisions after which a playout looks no further."""
TASTE = 0.2
"""By what part, at most, others think more or less of a company than the seat does."""


def beliefs(q: Question) -> str:
    """What the draws are made of: the same throughout a round, since whoever believes something else in each turn sells
    what it has just bought."""
    return f"{q.seed} {q.seat} {q.s.turn}"


@dataclass(frozen=True, slots=True)
class Draw:
    """What is left to chance in a playout, and is the same for all choices."""

    figures: Figures
    """Along the course that the game is thought to take if companies fare so."""
    tastes: Tastes


class Playouts:
    """Plays the positions of one decision on, each time with other luck.

    A little more luck may bring a train a round sooner, and ruin somebody. Along one course alone, what everybody is
    worth would jump from one decision to the next.
    """

    def __init__(self, q: Question, seed: str) -> None:
        self.t, self.q, self.seed = q.t, q, seed
        self._table = Sketch(q.t, q.s)
        self._boards: dict[frozenset[tuple[StopId, Any]], Board] = {}

    def draw(self, number: int) -> Draw:
        """The draw of this number. The seat knows what it thinks itself; others think more or less of a company."""
        course = sketched(self._table.another(luck(self.t, Random(f"{self.seed} world {number}"))))
        random = Random(f"{self.seed} {number}")
        tastes = {
            seat: {
                corp: 1.0 if seat == self.q.seat else random.uniform(1 - TASTE, 1 + TASTE)
                for corp in self.t.corporations
            }
            for seat in self.q.s.players
        }
        return Draw(Figures(self.t, course, self.q.w), tastes)

    def played(self, s: State, draw: Draw, *, done: bool = False) -> State:
        """The position at the end of the stock round. One who is `done` trades no more in it."""
        quick = Quick(draw.figures, draw.tastes, self.q.seat, done=done)
        for _ in range(LONGEST):
            if s.over or s.round != SR:
                break
            s = quick.move(s)
        board = self._boards.setdefault(frozenset(s.board.tokens.items()), s.board)
        if board.placed == s.board.placed:
            s.board = board  # which knows what earlier playouts have found out about it
        return s
