"""What was remarkable in a game: its turning points and its records. `states` are as in `engine.past`."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from engine.actions import Route
from engine.facts import DividendDecided, Fact, GameEnded, RoundBegan, TrainsRan
from engine.frozen import dataclass
from engine.ids import CorpId, PlayerId, stops_of
from engine.past import round_name, rounds_of
from engine.shares import worth
from engine.state import State
from engine.title import Title


@dataclass(frozen=True, slots=True)
class Swing:
    """How much a player's worth gained on, or lost against, the mean of the others in one move."""

    index: int
    """The number of the position after the move."""
    player: PlayerId
    amount: int


@dataclass(frozen=True, slots=True)
class Record:
    """A dividend, a run or a route, and the position after it."""

    round: str
    index: int
    corp: CorpId
    amount: int
    """What was paid to all shares, what the run earned, or in how many places the route had stops."""
    route: Route | None = None


def swings(t: Title, states: Sequence[State], most: int = 3) -> list[Swing]:
    """The largest swings, one a move, in the order of the game. Of a company's dividends only the one that brought a
    player most: a good train pays in every round."""
    found: list[Swing] = []
    worths = [{player: worth(t, state, player) for player in state.players} for state in states]
    for index, (before, now) in enumerate(pairwise(worths), start=1):
        gains = {player: now[player] - before[player] for player in now}
        if len(gains) < 2 or not any(gains.values()) or any(isinstance(one, GameEnded) for one in states[index].facts):
            continue
        whole = sum(gains.values())
        against = {player: round(gain - (whole - gain) / (len(gains) - 1)) for player, gain in gains.items()}
        player = max(against, key=lambda one: (abs(against[one]), abs(gains[one])))  # of two: who did not stand still
        found.append(Swing(index, player, against[player]))
    largest: dict[object, Swing] = {}
    for swing in sorted(found, key=lambda one: -abs(one.amount)):
        payer = next((fact.corp for fact in states[swing.index].facts if isinstance(fact, DividendDecided)), None)
        largest.setdefault(swing.index if payer is None else (swing.player, payer), swing)
    return sorted((one for one in list(largest.values())[:most] if one.amount), key=lambda one: one.index)


def largest_dividend(t: Title, states: Sequence[State]) -> Record | None:
    """The largest amount that was paid to all shares; the first of equal ones."""
    return _best(
        Record(round, index, fact.corp, fact.per_share * t.corporations[fact.corp].shares)
        for round, index, fact in _by_round(states)
        if isinstance(fact, DividendDecided) and fact.per_share
    )


def largest_run(states: Sequence[State]) -> Record | None:
    """The run that earned most."""
    return _best(
        Record(round, index, fact.corp, fact.revenue)
        for round, index, fact in _by_round(states)
        if isinstance(fact, TrainsRan) and fact.revenue
    )


def longest_route(states: Sequence[State]) -> Record | None:
    """The route with stops in most places, as people are told of routes."""
    return _best(
        Record(round, index, fact.corp, len(stops_of(route.path)), route)
        for round, index, fact in _by_round(states)
        if isinstance(fact, TrainsRan)
        for route, _ in fact.routes
    )


def _by_round(states: Sequence[State]) -> Iterator[tuple[str, int, Fact]]:
    """What happened, each with the name of its round, which may have begun in the same move, and its position."""
    name = rounds_of(states)[0].name
    for index, state in enumerate(states):
        for fact in state.facts:
            name = round_name(fact) if isinstance(fact, RoundBegan) else name
            yield name, index, fact


def _best(records: Iterable[Record]) -> Record | None:
    return max(records, key=lambda one: one.amount, default=None)
