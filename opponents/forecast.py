"""How a game may go on: a quick sketch of all rounds to come, of which the course of the game is kept.

Companies run for what their trains and map promise, pay out, and buy trains when they can; players start companies and
buy the shares that promise most. Nothing is drawn by lot. The sketch is no set of rules: it only has to say when phases
begin, trains rust and the game ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from engine import State, Title
from engine.ids import OR, SR, CorpId
from opponents.sketch import Sketch
from opponents.sketch_operating import end_set, operate
from opponents.sketch_stock import trade

LONGEST = 34
"""Operating rounds after which the sketch stops."""
LUCK = 0.25
"""By what part companies earn more or less, at most, than they are thought to."""
NEVER = 10_000
"""Stands for the operating round of what does not happen."""


@dataclass(frozen=True, slots=True)
class Course:
    """How the game is thought to go on: rounds left, and what is on sale when."""

    rounds: int
    sale: tuple[int, ...]
    """By operating round from now, the place of the rank on sale at its end; -1 if there is none."""
    phases: tuple[int, ...]
    """By operating round from now, the phase at its end."""
    rust: tuple[int, ...]
    """By place of the rank, the operating round from now in which it rusts."""
    closing: tuple[tuple[CorpId, int], ...] = ()
    """Companies that operate no more before the end, with how many operating rounds from now come before that."""

    def on_sale(self, clock: int) -> int:
        """The rank on sale in an operating round from now."""
        return self.sale[min(clock, len(self.sale) - 1)] if self.sale else -1

    def hurried(self) -> Course:
        """The course if all comes an operating round earlier."""
        return replace(
            self,
            sale=(*self.sale[1:], self.sale[-1]),
            phases=(*self.phases[1:], self.phases[-1]),
            rust=tuple(when if when == NEVER else max(-1, when - 1) for when in self.rust),
        )

    def runs(self, corp: CorpId) -> int:
        """For how many operating rounds from now the company is there."""
        return dict(self.closing).get(corp, self.rounds)

    def phase(self, clock: int) -> int:
        """The phase in an operating round from now."""
        return self.phases[min(clock, len(self.phases) - 1)] if self.phases else 0


@dataclass(slots=True)
class Prospect:
    """What a company promises."""

    paid: float
    """Dividends of a share until the end, with what they may bring when invested."""
    price: float
    """Its price at the end."""
    owed: float
    """What its president must pay for trains."""
    soon: float
    """What of that he must pay before long."""
    due: int
    """The operating round from now in which he must first pay; NEVER if in none."""
    income: float
    """Revenue of its next turn."""
    left: int
    """Money in the treasury at the end."""

    @property
    def worth(self) -> float:
        """What a share is worth to whoever holds it to the end."""
        return self.paid + self.price


@dataclass(slots=True)
class Outcome:
    """The worth of each seat, and what it is made of."""

    worth: list[float]
    owed: list[float]
    """What each seat must pay for trains."""
    firms: dict[CorpId, Prospect] = field(default_factory=dict)


def course_of(t: Title, s: State) -> Course:
    """The course that the game is thought to take from this position, if the company whose turn it is buys no train."""
    return Course(1, (), (), ()) if s.over else sketched(Sketch(t, s))


def luck(t: Title, random: Random) -> dict[CorpId, float]:
    """By what factor each company earns more or less than it is thought to."""
    return {corp: random.uniform(1 - LUCK, 1 + LUCK) for corp in t.corporations}


def sketched_ends(
    t: Title, s: State, lucks: Iterable[Mapping[CorpId, float]], passed: int | None = None
) -> Iterator[list[float]]:
    """With each luck, what everybody is worth at the end of the sketch, in which presidents sell shares for trains.

    `passed`: a seat that trades no more in the stock round under way.
    """
    table = Sketch(t, s)
    table.raises, table.passed = True, passed
    for one in lucks:
        sketch = table.another(one)
        sketched(sketch)
        yield sketch.worth()


def sketched(sketch: Sketch) -> Course:
    """Play the sketch on to the end of the game, and tell the course that it took."""
    t, s = sketch.t, sketch.s
    sale: list[int] = []
    phases: list[int] = []

    def operated(*, first: bool = False) -> None:
        operate(sketch, first=first)
        sale.append(sketch.on_sale())
        phases.append(sketch.phase)

    endless = t.policy.milestones.endless(s)
    if endless:
        for firm in sketch.firms:
            firm.ran = s.last_run.get(firm.corp, 0)
    turn, number, count = s.turn, s.or_number, s.or_count
    if s.round == OR:
        operated(first=True)
        number += 1
    else:
        if s.round == SR:
            trade(sketch, first=True)
        number, count = 1, t.phases[sketch.phase].operating_rounds
    last = t.policy.milestones.last_turn or 99
    while endless and sketch.close() and sketch.clock < LONGEST:
        operated()
    while not endless and sketch.clock < LONGEST:
        while number <= count and sketch.clock < LONGEST:
            operated()
            number += 1
            if sketch.broken and not sketch.facts.banked:
                break
        if sketch.broken or turn >= last:
            break
        turn += 1
        end_set(sketch)
        trade(sketch)
        number, count = 1, t.phases[sketch.phase].operating_rounds
    rust = tuple(sketch.rusts.get(rank, NEVER) for rank in range(len(t.trains)))
    return Course(max(sketch.clock, 1), tuple(sale), tuple(phases), rust, tuple(sketch.closing.items()))
