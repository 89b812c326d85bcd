"""The program of a whole table: companies run their best and pay, and all else is passed, until the game ends."""

from dataclasses import dataclass, replace
from typing import ClassVar

from engine import BANK, State, Title
from engine.actions import Dividend, GoBankrupt, Pass, RunTrains
from engine.facts import RoundBegan
from programs.program import WAIT, Answer, Cause, Event, Program, Prompt, Stopped

NEAR = 4
"""The end is near once the bank holds no more than so many operating rounds like the last would take."""
LONGEST = 16
"""Rounds after which a game that has not ended is left to its players."""
_PAYOUTS = ("pay", "half", "withhold")


def near_end(t: Title, s: State) -> bool:
    """Whether the end of the game is near, by what everybody sees."""
    takes = NEAR * sum(income for corp, income in s.last_run.items() if corp in s.floated)
    return not s.over and (t.policy.milestones.ending(t, s) or 0 < takes >= s.cash[BANK])


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOut(Program):
    """Run the best routes, pay out and pass for whoever is asked; what must be chosen is left to them.

    Money that others may not know changes only whether a train must be bought.
    """

    kind: ClassVar[str] = "run out"

    rounds: int = LONGEST
    """How many rounds may still begin."""

    def move(self, p: Prompt) -> Answer:
        """Run and pay where that is asked; otherwise pass, or do the only thing that the rules allow."""
        run = next(p.legal(RunTrains), None)
        if run is not None:
            return run
        pays = min(p.legal(Dividend), key=lambda one: _PAYOUTS.index(one.kind), default=None)
        if pays is not None:
            return pays
        if p.allows(declined := Pass(p.seat)):
            return declined
        only = p.only()
        return WAIT if only is None or isinstance(only, GoBankrupt) else only

    def after(self, e: Event) -> Program | Stopped:
        """It counts the rounds, so that it ends even if the game does not."""
        left = self.rounds - sum(isinstance(fact, RoundBegan) for fact in e.facts)
        if left <= 0 and not e.after.over:
            return Stopped(Cause("endless"))
        return replace(self, rounds=max(left, 0)) if left != self.rounds else self
