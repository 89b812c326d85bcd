"""Ratings from the worths at the ends of games, by Plackett and Luce's model of finishing places: the first place is
drawn by strength, then the next of those that are left, and so on. Points and intervals are those of what may be
believed of the strengths after the games, sampled by a random walk; so intervals are wide after few games, even if one
player won them all.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp, log
from random import Random
from statistics import fmean

POINTS = 400 / log(10)
"""In a strength: whoever is 400 points above another is ahead of it in ten of eleven games."""
UNKNOWN = 400.0
"""How far apart players are thought to be, in points, before they have played (a standard deviation)."""
FIRST, STEPS = 500, 4000
"""Steps of the walk that are left out, and those that count, for each player."""
STRIDES = (30.0, 100.0, 300.0)
"""In points, how far a step goes."""
BEYOND = 0.025
"""What part lies beyond either end of an interval."""

Places = Sequence[tuple[str, int]]
"""The players of a game, each with what it was worth in the end."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Points above or below the mean of all players, with a 95 % interval."""

    points: float
    low: float
    high: float


def rated(games: Sequence[Places], seed: int = 0) -> dict[str, Rating]:
    """The rating of everybody who played, the best first."""
    names = sorted({name for game in games for name, _ in game})
    orders = Counter(order for game in games for order in _orders(game, names))
    steps = len(names) * STEPS
    walk = list(islice(_walk(orders, len(names), Random(seed)), len(names) * FIRST, len(names) * FIRST + steps))
    found = {}
    for place, name in enumerate(names):
        points = sorted(POINTS * (strengths[place] - fmean(strengths)) for strengths in walk)
        beyond = int(len(points) * BEYOND)
        found[name] = Rating(fmean(points), points[beyond], points[-1 - beyond])
    return dict(sorted(found.items(), key=lambda entry: -entry[1].points))


def _orders(game: Places, names: Sequence[str]) -> list[tuple[int, ...]]:
    """Two orders in which the game ended, the best first: whoever is tied is ahead once, and behind once."""
    players = [(-worth, names.index(name)) for name, worth in game]
    ahead, behind = (sorted(one, key=lambda player: player[0]) for one in (players, players[::-1]))
    return [tuple(player for _, player in one) for one in (ahead, behind)]


def _walk(orders: Counter[tuple[int, ...]], count: int, random: Random) -> Iterator[list[float]]:
    """Strengths, each as often as it is likely (the way of Metropolis)."""
    strengths = [0.0] * count
    before = _likely(orders, strengths)
    while True:
        other = strengths.copy()
        other[random.randrange(count)] += random.gauss(0, random.choice(STRIDES)) / POINTS
        after = _likely(orders, other)
        if after >= before or random.random() < exp(after - before):
            strengths, before = other, after
        yield strengths


def _likely(orders: Counter[tuple[int, ...]], strengths: Sequence[float]) -> float:
    """How likely the strengths and then these orders are, as a logarithm. Of each game there are two orders."""
    weights = [exp(strength) for strength in strengths]
    likely = -sum((strength * POINTS / UNKNOWN) ** 2 for strength in strengths) / 2
    for order, times in orders.items():
        left = 0.0
        for player in reversed(order):
            left += weights[player]
            likely += times / 2 * (strengths[player] - log(left))
    return likely
