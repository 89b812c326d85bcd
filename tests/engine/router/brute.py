"""The best total by brute force: every walk from every stop, every way to give each train a walk.

It shares nothing with the router but the rules' own `trace` and `objection`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.actions import Route
from engine.board.board import Board
from engine.board.routes import Run, StopRef, objection, trace
from engine.ids import CorpId, HexId, Rank, StopId, stop_id
from engine.router import RunRules, Train
from engine.router.case import SMALL_KINDS

STEPS = 80_000
"""How many steps, from one stop or side to the next, the walks may take together."""
CHOICES = 150_000
"""How many ways to give each train a run are tried."""
NEVER = -1_000_000
"""Less than the total of any choice."""
Path = tuple[StopId | int, ...]


class TooMany(Exception):
    """There are too many walks, or combinations of them, to try."""


def all_runs(board: Board, corp: CorpId, rules: RunRules, longest: int | None = None) -> list[Run]:
    """Every run that the company could make with a train of `longest` calls (None: any number), in one direction."""
    runs, tokens = [], {stop_id(*stop) for stop in board.token_stops(corp)}
    for path in list(walks(board, corp, rules, longest)):  # all of them before tracing the first, which is slower
        if str(path[0]) < str(path[-1]) and not tokens.isdisjoint(path):
            run = trace(board, Route(Rank(""), path))
            assert isinstance(run, Run), run
            if objection(board, corp, run, through=rules.through) is None:
                runs.append(run)
    return runs


def walks(board: Board, corp: CorpId, rules: RunRules, longest: int | None) -> Iterator[Path]:
    """Every walk along track from one stop to another, in both directions, using no stop or hex side twice.

    Raises TooMany.
    """
    walker = _Walker(board, corp, rules)
    for hex_id, face in board.faces.items():
        for index in range(len(face.face.stops)):
            walker.entered = [hex_id]
            yield from walker.stand(hex_id, 6 + index, float("inf") if longest is None else longest)


class _Walker:
    """A walk under way: `room` is what is left of its calls."""

    def __init__(self, board: Board, corp: CorpId, rules: RunRules) -> None:
        self.board, self.corp, self.rules = board, corp, rules
        self.steps = 0
        self.path: list[StopId | int] = []
        self.crossed: set[tuple[HexId, int]] = set()
        self.entered: list[HexId] = []

    def stand(self, here: HexId, end: int, room: float) -> Iterator[Path]:
        """The walk that ends at this stop, and those that go on from it."""
        stop, name = (here, end - 6), stop_id(here, end - 6)
        printed, rules = self.board.stop(*stop), self.rules
        room -= 0 if printed.kind in rules.bypass else printed.visit_cost
        if name in self.path or stop in rules.closed or room < 0:
            return
        ends = printed.kind not in rules.no_end
        first = not self.path
        self.path.append(name)
        if ends and not first:
            yield tuple(self.path)
        if ends if first else self._may_pass(stop):
            yield from self._leave(here, end, room)
        self.path.pop()

    def _may_pass(self, stop: StopRef) -> bool:
        if self.board.stop(*stop).terminal:
            return False
        return self.rules.single_pass or stop in self.rules.through or not self.board.blocks(*stop, self.corp)

    def _leave(self, here: HexId, end: int, room: float) -> Iterator[Path]:
        """The walks that go on by each end that track joins to this one."""
        self.steps += 1
        if self.steps > STEPS:
            raise TooMany
        for other in self.board.faces[here].from_end[end]:
            if other >= 6:
                yield from self.stand(here, other, room)
            elif (here, other) in self.board.grid.beyond:
                yield from self._cross(here, other, room)

    def _cross(self, here: HexId, side: int, room: float) -> Iterator[Path]:
        """The walks that go on over the side."""
        there, other = self.board.grid.beyond[here, side]
        if (here, side) in self.crossed or (there in self.entered and not self.rules.reenter):
            return
        self.crossed.update(((here, side), (there, other)))
        self.entered.append(there)
        self.path.append(side)
        yield from self._leave(there, other, room)
        self.path.pop()
        self.entered.pop()
        self.crossed.difference_update(((here, side), (there, other)))


def longest_of(trains: Sequence[Train]) -> int | None:
    """The most calls that any of the trains can make; None if unlimited."""
    lengths = [None if train.reach is None else train.reach + train.small for train in trains]
    return None if None in lengths else max((length for length in lengths if length is not None), default=0)


def at_goal(run: Run, train: Train, rules: RunRules) -> bool:
    """Whether the train may make the run, given that some trains must call at a goal and others must not."""
    return rules.goal is None or (rules.goal in run.stops) != train.away


def fits(board: Board, run: Run, train: Train, rules: RunRules) -> bool:
    """Whether the train is long enough for the run, and allowed to make it."""
    if not at_goal(run, train, rules):
        return False
    if train.reach is None:
        return True
    small = sum(board.stop(*stop).visit_cost for stop in run.stops if board.stop(*stop).kind in SMALL_KINDS)
    large = sum(board.stop(*stop).visit_cost for stop in run.stops) - small
    spare = 0 if train.apart else train.reach - large
    return large <= train.reach and small <= train.small + spare


def worth(run: Run, train: Train, rules: RunRules) -> int:
    """What the train earns on the run, without bonuses that are paid once for all runs."""
    total = sum(rules.value(stop, train) for stop in run.stops)
    for bonus in rules.bonuses:
        if any(stop in bonus.one for stop in run.stops) and any(stop in bonus.other for stop in run.stops):
            total += bonus.amount
    return total


def best_total(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules) -> tuple[int, int]:
    """The highest total, and the most trains that can run for it. Raises TooMany."""
    lists = []
    runs = all_runs(board, corp, rules, longest_of(trains))
    for train in trains:
        by_track: dict[tuple[int, bool], int] = {}
        for run in runs:
            if fits(board, run, train, rules):
                key = run.track, rules.once is not None and rules.once[0] in run.stops
                by_track[key] = max(by_track.get(key, 0), worth(run, train, rules))
        lists.append(sorted(by_track.items(), key=lambda pair: -pair[1]))
    once = rules.once[1] if rules.once else 0
    most = [once + sum(rest[0][1] for rest in lists[first:] if rest) for first in range(len(lists) + 1)]
    tried = 0

    def choose(first: int, used: int, met: bool) -> tuple[int, int]:
        """The best for the trains from `first` on without the `used` track; `met`: the one-time bonus is earned."""
        nonlocal tried
        if first == len(lists):
            return once if met else 0, 0
        best = choose(first + 1, used, met) if may_idle(trains[first], rules) else (NEVER, 0)
        for (track, there), score in lists[first]:
            tried += 1
            if tried > CHOICES:
                raise TooMany
            if score + most[first + 1] < best[0]:
                break
            if not track & used:
                total, count = choose(first + 1, used | track, met or there)
                best = max(best, (total + score, count + 1))
        return best

    return max(choose(0, 0, met=False), (0, 0))


def may_idle(train: Train, rules: RunRules) -> bool:
    """Whether the other trains may run without this one."""
    return rules.goal is None or train.away
