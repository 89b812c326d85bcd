"""The search: in stock rounds, the choices of a decision raced against each other in playouts.

The work is counted in playouts, never in seconds, so that the same position, seed and budget give the same decision.
It goes on only until one choice is clearly the best.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import mean, stdev

from engine import State
from engine.actions import Pass, SellShares
from engine.ids import SR
from opponents.choice import Choice, Reason, best_first
from opponents.facts import facts_of
from opponents.playout import Draw, Playouts
from opponents.prospects import compared
from opponents.question import Question

TRIED = 6
"""How many choices of a stock round are raced, beside passing."""
CLEAR = 500.0
"""How far behind the best a choice may be to be raced."""
BATCH = 6
"""How many playouts each choice gets before any is given up."""
BEHIND = 2.0
"""By how many standard errors of the difference a choice is clearly behind."""
HABIT = 0.3
"""What counts of what rules of thumb say beside what is foreseen."""


def searches(q: Question) -> bool:
    """Whether the decision is one of a stock round where presidents pay for trains, and there are enough playouts to
    compare two choices.

    Where they do not, playouts end in estimates of shares that the sketch does not correct, and everybody sells.
    """
    return q.s.round == SR and facts_of(q.t).presidents_pay and not q.s.pending and q.budget >= 2 * BATCH


def searched(q: Question, choices: list[Choice]) -> list[Choice]:
    """The choices, those that are worth it with scores of the playouts."""
    playouts = Playouts(q, beliefs(q))
    near = _affordable(q, _near(choices))
    if len(near) < 2:
        return choices
    runners = raced(q, playouts, near)
    if len(runners) < 2:
        return choices
    _hold_sales(runners)
    looked = [runner.scored() for runner in runners]
    floor = min(choice.score for choice in looked)
    tried = {id(runner.choice) for runner in runners}
    return looked + [
        replace(choice, score=min(choice.score, floor - 1)) for choice in choices if id(choice) not in tried
    ]


def beliefs(q: Question) -> str:
    """What the draws are made of: the same throughout a round, since whoever believes something else in each turn sells
    what it has just bought."""
    return f"{q.seed} {q.seat} {q.s.turn}"


def _hold_sales(runners: list[Runner]) -> None:
    """Sales that are not clearly better than all else count as a little worse: a share sold is dear to buy back."""
    others = [runner for runner in runners if not isinstance(runner.choice.action, SellShares)]
    if not others:
        return
    best = max(others, key=lambda runner: mean(runner.found))
    for runner in runners:
        if runner not in others and mean(runner.found) > mean(best.found) and not best.behind(runner):
            runner.found = [mean(best.found) - 1]


def _affordable(q: Question, choices: list[Choice]) -> list[Choice]:
    """As many of the choices as the budget has playouts for, the best of them and to pass."""
    ranked = best_first(choices)
    kept = ranked[: q.budget // BATCH]
    passes = [choice for choice in ranked if isinstance(choice.action, Pass) and choice not in kept]
    return [*kept[: len(kept) - len(passes)], *passes]


def _near(choices: list[Choice]) -> list[Choice]:
    """The choices that are not clearly behind at first sight, and to pass."""
    ranked = [choice for choice in best_first(choices) if choice.sensible]
    best = [choice for choice in ranked[:TRIED] if ranked[0].score - choice.score < CLEAR]
    return best + [choice for choice in ranked if isinstance(choice.action, Pass) and choice not in best]


@dataclass(slots=True)
class Runner:
    """A choice in the race."""

    choice: Choice
    after: State
    found: list[float] = field(default_factory=list)
    """What each playout was worth to the seat."""

    def behind(self, other: Runner) -> bool:
        """Whether it is clearly worse than the other."""
        gaps = [theirs - own for own, theirs in zip(self.found, other.found, strict=False)]
        return mean(gaps) > BEHIND * stdev(gaps) / sqrt(len(gaps))

    def scored(self) -> Choice:
        """The choice with what its playouts came to."""
        looked = mean(self.found)
        habit = sum(reason.amount for reason in self.choice.reasons if reason.why == "habit")
        reasons = (*self.choice.reasons, Reason("looked", round(looked)))
        return replace(self.choice, score=looked + HABIT * habit, reasons=reasons)


def raced(q: Question, playouts: Playouts, choices: list[Choice]) -> list[Runner]:
    """The choices with what their playouts came to; the budget is shared by those still in the race."""
    runners = [Runner(choice, after) for choice in choices if (after := q.after(choice.action)) is not None]
    left, number, budget = list(runners), 0, q.budget
    while len(left) > 1 and budget >= BATCH * len(left):
        for draw in map(playouts.draw, range(number, number + BATCH)):
            for runner in left:
                runner.found.append(_played(q, playouts, runner, draw))
        number += BATCH
        budget -= BATCH * len(left)
        best = max(left, key=lambda runner: mean(runner.found))
        left = [runner for runner in left if runner is best or not runner.behind(best)]
    return runners


def _played(q: Question, playouts: Playouts, runner: Runner, draw: Draw) -> float:
    """What a playout is worth to the seat.

    Whoever passes is taken to be done with the round: otherwise to put a purchase off would look as good as
    to make it, and would look so again in the next turn, until the round is over.
    """
    done = isinstance(runner.choice.action, Pass) and not q.s.bought
    return compared(playouts.ends(runner.after, draw, done=done), q.s.players.index(q.seat), q.w)
