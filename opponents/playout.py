"""Playouts: a position played on by quick players to the end of the stock round, and what everybody is worth then."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from engine import State, scores
from engine.board.board import Board
from engine.ids import SR, CorpId, StopId
from opponents.figures import Figures, Tastes
from opponents.forecast import Course, sketched
from opponents.prospects import Valuation
from opponents.question import Question
from opponents.quick import Quick
from opponents.sketch import Sketch

LONGEST = 160
"""Decisions after which a playout looks no further."""
WORLDS = 6
"""In how many ways companies are thought to fare."""
TASTE = 0.2
"""By what part, at most, others think more or less of a company than the seat does."""
LUCK = 0.25
"""By what part companies earn more or less, at most, than they are thought to."""
SKETCHED = 0.5
"""What the end of the sketch counts of what a position is worth; the rest is what is foreseen along the course."""


def beliefs(q: Question) -> str:
    """What the draws are made of: the same throughout a round, since whoever believes something else in each turn sells
    what it has just bought."""
    return f"{q.seed} {q.seat} {q.s.turn}"


@dataclass(frozen=True, slots=True)
class World:
    """One way in which companies may fare, and how the game is thought to go on then."""

    luck: dict[CorpId, float]
    course: Course
    figures: Figures


@dataclass(frozen=True, slots=True)
class Draw:
    """What is left to chance in a playout, and is the same for all choices."""

    world: World
    tastes: Tastes


class Playouts:
    """Plays the positions of one decision on, each time in another of a few worlds.

    A little more luck may bring a train a round sooner, and ruin somebody. Along one course alone, what everybody is
    worth would jump from one decision to the next.
    """

    def __init__(self, q: Question, seed: str) -> None:
        self.t, self.q, self.seed = q.t, q, seed
        table = Sketch(q.t, q.s)
        self._boards: dict[frozenset[tuple[StopId, Any]], Board] = {}
        self.worlds = [self._world(table, Random(f"{seed} world {number}")) for number in range(WORLDS)]

    def _world(self, table: Sketch, random: Random) -> World:
        luck = {corp: random.uniform(1 - LUCK, 1 + LUCK) for corp in self.t.corporations}
        course = sketched(table.another(luck))
        return World(luck, course, Figures(self.t, course, self.q.w))

    def draw(self, number: int) -> Draw:
        """The draw of this number. The seat knows what it thinks itself; others think more or less of a company."""
        random = Random(f"{self.seed} {number}")
        tastes = {
            seat: {
                corp: 1.0 if seat == self.q.seat else random.uniform(1 - TASTE, 1 + TASTE)
                for corp in self.t.corporations
            }
            for seat in self.q.s.players
        }
        return Draw(self.worlds[number % WORLDS], tastes)

    def ends(self, s: State, draw: Draw, *, done: bool = False) -> list[float]:
        """What everybody is worth in the end, by seat. One who is `done` trades no more in this stock round."""
        return self.worths(self.played(s, draw, done=done), draw)

    def played(self, s: State, draw: Draw, *, done: bool = False) -> State:
        """The position at the end of the stock round."""
        quick = Quick(draw.world.figures, draw.tastes, self.q.seat, done=done)
        for _ in range(LONGEST):
            if s.over or s.round != SR:
                break
            s = quick.move(s)
        board = self._boards.setdefault(frozenset(s.board.tokens.items()), s.board)
        if board.placed == s.board.placed:
            s.board = board  # which knows what earlier playouts have found out about it
        return s

    def worths(self, s: State, draw: Draw) -> list[float]:
        """What a position between rounds is worth to everybody."""
        t = self.t
        if s.over:
            known = dict(scores(t, s))
            return [float(known[seat]) for seat in s.players]
        foreseen = Valuation(t, s, draw.world.course, self.q.w).outcome().worth
        table = Sketch(t, s)
        table.raises = True
        sketch = table.another(draw.world.luck)
        sketched(sketch)
        return [
            SKETCHED * played + (1 - SKETCHED) * other for played, other in zip(sketch.worth(), foreseen, strict=True)
        ]
