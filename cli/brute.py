"""The best total by trying everything: every walk from every stop, every choice of a walk for each train.

Shares nothing with the router but the rules' own `trace` and `objection`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.actions import Route
from engine.board.board import Board
from engine.board.router import RunRules, Train
from engine.board.routes import Run, StopRef, objection, trace
from engine.ids import CorpId, HexId, Rank, StopId, stop_id

STEPS = 80_000
"""Steps from stop or side to the next that are tried in walking."""
CHOICES = 150_000
"""Choices of a run for each train that are tried."""
Path = tuple[StopId | int, ...]


class TooMany(Exception):
    """There are too many walks, or choices of them, to try."""


def all_runs(board: Board, corp: CorpId, rules: RunRules, longest: int | None = None) -> list[Run]:
    """Every run that the company could make with a train of `longest` calls (None: any number), in one direction."""
    runs, tokens = [], {stop_id(*stop) for stop in board.token_stops(corp)}
    for path in list(walks(board, corp, rules, longest)):  # all of them before the first is traced, which takes longer
        if str(path[0]) < str(path[-1]) and not tokens.isdisjoint(path):
            run = trace(board, Route(Rank(""), path))
            assert isinstance(run, Run), run
            if objection(board, corp, run, through=rules.through) is None:
                runs.append(run)
    return runs


def walks(board: Board, corp: CorpId, rules: RunRules, longest: int | None) -> Iterator[Path]:
    """Every way along track from a stop to another, no stop and no side of a hex twice, in both directions. TooMany if
    there are too many.
    """
    steps = 0
    path: list[StopId | int] = []
    crossed: set[tuple[HexId, int]] = set()
    entered: list[HexId] = []

    def calls(stop: StopRef) -> int:
        printed = board.stop(*stop)
        return 0 if printed.kind in rules.bypass else printed.visit_cost

    def stand(here: HexId, end: int, room: float) -> Iterator[Path]:
        """The walks that come to this stop, and those that go on from it."""
        stop, name = (here, end - 6), stop_id(here, end - 6)
        room -= calls(stop)
        if name in path or stop in rules.closed or room < 0:
            return
        ends = board.stop(*stop).kind not in rules.no_end
        first = not path
        path.append(name)
        if ends and not first:
            yield tuple(path)
        if ends if first else may_pass(stop):
            yield from leave(here, end, room)
        path.pop()

    def may_pass(stop: StopRef) -> bool:
        if board.stop(*stop).terminal or stop in rules.ends_only:
            return False
        return rules.single_pass or stop in rules.through or not board.blocks(*stop, corp)

    def leave(here: HexId, end: int, room: float) -> Iterator[Path]:
        nonlocal steps
        steps += 1
        if steps > STEPS:
            raise TooMany
        for other in board.faces[here].from_end[end]:
            if other >= 6:
                yield from stand(here, other, room)
                continue
            if (here, other) not in board.grid.beyond:
                continue
            there, side = board.grid.beyond[here, other]
            if (here, other) in crossed or (there in entered and not rules.reenter):
                continue
            crossed.update(((here, other), (there, side)))
            entered.append(there)
            path.append(other)
            yield from leave(there, side, room)
            path.pop()
            entered.pop()
            crossed.difference_update(((here, other), (there, side)))

    for hex_id, face in board.faces.items():
        for index in range(len(face.face.stops)):
            entered[:] = [hex_id]
            yield from stand(hex_id, 6 + index, float("inf") if longest is None else longest)


def longest_of(trains: Sequence[Train]) -> int | None:
    """The most calls that one of the trains makes; None for any number."""
    lengths = [None if train.reach is None else train.reach + train.small for train in trains]
    return None if None in lengths else max((length for length in lengths if length is not None), default=0)


def fits(board: Board, run: Run, train: Train, rules: RunRules) -> bool:
    """Whether the train is long enough for the run."""
    if train.reach is None:
        return True
    small = sum(board.stop(*stop).visit_cost for stop in run.stops if board.stop(*stop).kind in rules.small_kinds)
    large = sum(board.stop(*stop).visit_cost for stop in run.stops) - small
    return large <= train.reach and small <= train.small + (train.reach - large)


def worth(run: Run, train: Train, rules: RunRules) -> int:
    """What the train earns on the run."""
    total = sum(rules.value(stop, train) for stop in run.stops)
    for bonus in rules.bonuses:
        if any(stop in bonus.one for stop in run.stops) and any(stop in bonus.other for stop in run.stops):
            total += bonus.amount
    return total


def best_total(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules) -> tuple[int, int]:
    """The highest total and the most trains that run for it. TooMany if that takes too long."""
    lists = []
    runs = all_runs(board, corp, rules, longest_of(trains))
    for train in trains:
        by_track: dict[int, int] = {}
        for run in runs:
            if fits(board, run, train, rules):
                by_track[run.track] = max(by_track.get(run.track, 0), worth(run, train, rules))
        lists.append(sorted(by_track.items(), key=lambda pair: -pair[1]))
    most = [sum(rest[0][1] for rest in lists[first:] if rest) for first in range(len(lists) + 1)]
    tried = 0

    def choose(first: int, used: int) -> tuple[int, int]:
        """The best that the trains from `first` on can do beside the track used."""
        nonlocal tried
        if first == len(lists):
            return 0, 0
        best = choose(first + 1, used)
        for track, score in lists[first]:
            tried += 1
            if tried > CHOICES:
                raise TooMany
            if score + most[first + 1] < best[0]:
                break
            if not track & used:
                total, count = choose(first + 1, used | track)
                best = max(best, (total + score, count + 1))
        return best

    return choose(0, 0)
