"""The three levels, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Literal, get_args

from engine import State, Title
from engine.actions import Action
from engine.ids import PlayerId
from opponents import learner, regular, strong
from opponents.choice import Choice, Reason, best_first
from opponents.question import Question, ask
from opponents.weights import STANDARD, Weights

Level = Literal["learner", "regular", "strong"]
LEVELS: tuple[Level, ...] = get_args(Level)


RATERS: dict[Level, Callable[[Question, Random], list[Choice]]] = {
    "learner": learner.rate,
    "regular": regular.rate,
    "strong": strong.rate,
}
WOBBLE: dict[Level, float] = {"learner": 3.0, "regular": 4.0, "strong": 2.0}
"""How much the seed moves a score, either way: players of the same level do not all play alike."""


def advise(
    t: Title, s: State, seat: PlayerId, level: Level, seed: int = 0, weights: Weights = STANDARD
) -> list[Choice]:
    """What the seat may do, the best first, as far as the level looked at it; ValueError if it is not asked."""
    q = ask(t, s, seat, weights)
    if not q.options:
        raise ValueError(f"{seat} has nothing to decide.")
    if len(q.options) == 1:
        return [Choice(q.options[0], 0.0, (Reason("only", 1),))]
    random = Random(f"{seed} {q.s.cash[seat]} {s.turn} {s.or_number} {s.step} {s.tickets}")
    rate = RATERS[level]
    wobble = WOBBLE[level]
    return best_first(
        [replace(choice, score=choice.score + random.uniform(-wobble, wobble)) for choice in rate(q, random)]
    )


def choose(t: Title, s: State, seat: PlayerId, level: Level, seed: int = 0, weights: Weights = STANDARD) -> Choice:
    """What the seat does. The same position and seed give the same answer on every machine."""
    return advise(t, s, seat, level, seed, weights)[0]


def agrees(t: Title, s: State, action: Action, seat: PlayerId, level: Level) -> bool:
    """Whether the seat agrees to a deal that another proposes."""
    return learner.agrees(t, s, action) if level == "learner" else regular.agrees(t, s, action, seat)
