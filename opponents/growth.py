"""What companies earn in the rounds to come: a model of few figures, from the stops reached and the trains owned."""

from opponents.facts import TitleFacts

FADE = (1.0, 0.9, 0.75, 0.6, 0.5, 0.4)
"""What the first, second, third ... train of a company brings of what it would bring alone."""
GROWTH = 2.0
"""By how much an average stop gets more valuable from one operating round to the next."""
PLAIN = 21.0
"""What an average stop brings at the start."""
RAMP = tuple(1 - 0.68**clock for clock in range(80))
"""How far a company has built, after so many operating rounds, what its trains can use."""
JOIN = 0.86
"""What a train brings of the stops that it could call at one by one."""


def average_stop(values: tuple[int, ...]) -> float:
    """What an average stop brings that a company calls at, from the values of those that it reaches."""
    best = values[:6]
    return max(PLAIN, sum(best) / len(best)) if len(best) > 2 else PLAIN


def lengths(facts: TitleFacts, trains: list[int], sums: list[int]) -> tuple[float, float]:
    """What the trains may earn of stops with these sums of values, and how many stops they call at together."""
    base = reaches = 0.0
    count = len(sums) - 1
    for number, train in enumerate(reversed(trains)):
        reach = facts.trains[train].reach
        fade = FADE[min(number, 5)]
        whole = int(reach)
        base += fade * (
            sums[min(whole, count)] + ((reach - whole) * (sums[whole + 1] - sums[whole]) if whole < count else 0.0)
        )
        reaches += fade * reach
    return JOIN * base, JOIN * reaches


def grown(facts: TitleFacts, base: float, reach: float, stop: float, clock: int) -> float:
    """What trains earn after so many operating rounds, as the map is built up to what they can use."""
    promised = reach * min(stop + GROWTH * clock, max(facts.stop_most, stop))
    return base + max(0.0, promised - base) * RAMP[clock]
