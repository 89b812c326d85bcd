"""What a position says of the end: each player's part of what all will be worth, and how sure that is.

The weights were learnt from games of the program against itself (`benchmarks/learn.py`). Amounts are measured by the
table's mean, so that they mean the same in every title.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pkgutil import get_data
from random import Random
from statistics import mean

from engine import State, Title
from engine.ids import CorpId
from engine.shares import certificates, worth
from opponents import ruin
from opponents.forecast import course_of, luck, sketched_ends
from opponents.levels import PEOPLE, Level, Levels
from opponents.prospects import Valuation

SKETCHES = 4
"""How often the sketch is drawn, each time with other luck, but with the same in every position."""
FAR = 6.0
"""With so many operating rounds left the end is half as far as it can be."""
VAGUE = 0.63
"""Further away than that, some ten rounds, what all will be worth together is as little known as it is there."""
LEAST, MOST = -1.0, 4.0
"""A lead as part of the mean: nobody ends with less than nothing."""
WAYS = 400
"""In how many ways a game is thought to go on."""
HALF = 0.6745
"""Within so many standard deviations lies half of all."""
ALL = "all"
"""Where what is known of all titles together is kept."""
BY_TITLE = ("spread", "ends", "grown")
"""What is kept for each title."""
SIGNS = (
    "now", "regular", "sketch", "worst", "income", "cash", "control", "treasury", "owed", "danger", "certificates",
)  # fmt: skip
"""What is looked at of each seat."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt of a title."""

    near: tuple[float, ...]
    """What each sign weighs at the end of the game, in the order of SIGNS."""
    far: tuple[float, ...]
    """What it weighs besides, in proportion to how far the end is."""
    spread: tuple[float, ...]
    """How far off a lead is, as a standard deviation: at the end of the game, and as far from it as can be."""
    ends: tuple[float, ...]
    """The same of a worth, as part of the table's mean, as what all are worth together is not known either."""
    grown: tuple[float, ...]
    """How many times what is thought all will be worth together, the same way."""
    skill: Mapping[Level, float] = field(default_factory=dict)
    """By how much more a lead of each level grows than a regular's, for which people are taken, with each operating
    round to come; of all titles together."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """How a game is thought to end, as far as it is known."""

    leads: tuple[float, ...]
    """By seat, by what part of the table's mean it is thought to end above that."""
    spread: float
    """How far off that is: the standard deviation of a seat's lead."""
    together: float
    """What all are thought to be worth in the end."""
    off: float
    """How far off a seat's worth is, as part of the mean."""

    def firsts(self) -> tuple[int, ...]:
        """By seat, in how many of a hundred ways that the game may go it ends first; together 100."""
        won = [0.0] * len(self.leads)
        for way in _ways(len(self.leads)):
            ends = [lead + self.spread * off for lead, off in zip(self.leads, way, strict=True)]
            best = max(ends)
            for seat, end in enumerate(ends):
                won[seat] += (end == best) / ends.count(best)
        return rounded([100 * count / sum(won) for count in won])

    def range(self, seat: int) -> tuple[float, float]:
        """Between which worths the seat ends in half of all games."""
        each, off = self.together / len(self.leads), HALF * self.off
        low, high = (each * (1 + self.leads[seat] + side) for side in (-off, off))
        return max(0.0, low), max(0.0, high)

    def moved(self, seat: int, by: float) -> Estimate:
        """The same with another lead of one seat, at the cost of the others."""
        others = by / max(len(self.leads) - 1, 1)
        leads = tuple(lead + by if at == seat else lead - others for at, lead in enumerate(self.leads))
        return replace(self, leads=leads)


@dataclass(frozen=True, slots=True)
class Signs:
    """What is looked at of a position."""

    rows: tuple[tuple[float, ...], ...]
    """By seat, in the order of SIGNS."""
    distance: float
    """How far the end is, from 0 to 1."""
    together: float


def estimate(t: Title, s: State, levels: Levels = PEOPLE) -> Estimate:
    """What the position says; exact once the game is over. All purses count as they are in it."""
    if s.over:
        known = [worth(t, s, seat) for seat in s.players]
        return Estimate(tuple(leads(known)), 0.0, float(sum(known)), 0.0)
    return weighed(signs(t, s), learnt(t.id), [levels.get(seat) for seat in s.players])


def weighed(seen: Signs, weights: Learnt, levels: Sequence[Level | None] = ()) -> Estimate:
    """What the signs come to, with what tells the seats' levels apart: None is a person's."""
    each = [near + seen.distance * far for near, far in zip(weights.near, weights.far, strict=True)]
    raw = [sum(weight * sign for weight, sign in zip(each, row, strict=True)) for row in seen.rows]
    if levels:
        raw = [lead + more for lead, more in zip(raw, skills(levels, weights.skill, seen.distance), strict=True)]
    middle = mean(raw)
    leads = tuple(min(MOST, max(LEAST, lead - middle)) for lead in raw)
    off, grown = (known_at(known, min(VAGUE, seen.distance)) for known in (weights.ends, weights.grown))
    return Estimate(leads, known_at(weights.spread, seen.distance), seen.together * grown, off)


def skills(levels: Sequence[Level | None], known: Mapping[Level, float], distance: float) -> list[float]:
    """By how much more than a regular's each seat's lead will grow."""
    rounds = FAR * distance / (1 - distance)
    return [rounds * known.get(level, 0.0) if level else 0.0 for level in levels]


def known_at(known: Sequence[float], distance: float) -> float:
    """What is known near and far from the end, so far from it: it grows by the same part with each step."""
    near, far = known
    return float(near ** (1 - distance) * far**distance)


def signs(t: Title, s: State) -> Signs:
    """What is looked at of a position that is not the end."""
    course = course_of(t, s)
    valuation = Valuation(t, s, course)
    outcome = valuation.outcome()
    ends = list(sketched_ends(t, s, (luck(t, Random(f"sketch {number}")) for number in range(SKETCHES))))
    together = mean((sum(outcome.worth), *map(sum, ends)))
    each = max(together / len(s.players), 1.0)
    sketch = [leads(end) for end in ends]
    columns = (
        leads([worth(t, s, seat) for seat in s.players]),
        leads(outcome.worth),
        [mean(column) for column in zip(*sketch, strict=True)],
        centred([min(column) for column in zip(*sketch, strict=True)]),
        centred([course.rounds * ruin.income(t, s, seat, outcome.firms) / each for seat in s.players]),
        centred([s.cash[seat] / each for seat in s.players]),
        centred([float(len(_led(s, seat))) for seat in s.players]),
        centred([sum(s.cash[corp] for corp in _led(s, seat)) / each for seat in s.players]),
        centred([owed / each for owed in outcome.owed]),
        centred([chance for _, chance in valuation.dangers(outcome.firms)]),
        centred([certificates(t, s, seat) / t.policy.holdings.cert_limit(t, s) for seat in s.players]),
    )
    distance = course.rounds / (course.rounds + FAR)
    return Signs(tuple(zip(*columns, strict=True)), distance, together)


def _led(s: State, seat: str) -> list[CorpId]:
    return [corp for corp, head in s.president.items() if head == seat and corp in s.floated]


def leads(worths: Sequence[float]) -> list[float]:
    """By what part of the mean each is above it."""
    middle = max(mean(worths), 1.0)
    return [amount / middle - 1 for amount in worths]


def centred(values: Sequence[float]) -> list[float]:
    """By how much each is above the mean."""
    middle = mean(values)
    return [value - middle for value in values]


def rounded(parts: Sequence[float]) -> tuple[int, ...]:
    """Whole numbers with the sum of the parts, each as near as that allows."""
    whole = [int(part) for part in parts]
    rest = sorted(range(len(parts)), key=lambda at: whole[at] - parts[at])
    for at in rest[: round(sum(parts)) - sum(whole)]:
        whole[at] += 1
    return tuple(whole)


@cache
def _ways(seats: int) -> tuple[tuple[float, ...], ...]:
    """By how many standard deviations each seat is off, in each of the ways; the same for all positions.

    What befalls one seat in one of them befalls each other seat in another: whoever stands alike has the same chances.
    """
    random = Random(f"ways {seats}")
    scale = (seats / (seats - 1)) ** 0.5  # centring takes that away
    drawn = [[scale * off for off in centred([random.gauss(0, 1) for _ in range(seats)])] for _ in range(WAYS // seats)]
    return tuple((*one[turn:], *one[:turn]) for one in drawn for turn in range(seats))


@cache
def learnt(title: str) -> Learnt:
    """What was learnt of a title; how far off it is in one that was not played is what holds for all together."""
    body = json.loads(get_data("opponents", "learnt.json") or b"{}")
    spread, ends, grown = (tuple(body[part].get(title, body[part][ALL])) for part in BY_TITLE)
    return Learnt(tuple(body["near"]), tuple(body["far"]), spread, ends, grown, body["skill"])
