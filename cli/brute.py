"""The best total by trying everything: every walk from every stop, every choice of a walk for each train.

Shares nothing with the router but the rules' own `trace` and `objection`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.actions import Route
from engine.board.board import Board
from engine.board.router import RunRules, Train
from engine.board.routes import Run, objection, trace
from engine.ids import CorpId, HexId, Rank, StopId, stop_id

LIMIT = 60_000


class TooMany(Exception):
    """There are too many walks to try."""


def all_runs(board: Board, corp: CorpId, rules: RunRules) -> list[Run]:
    """Every run of any length that the company's trains could make, in one direction or both."""
    runs = []
    for hex_id, face in board.faces.items():
        for index in range(len(face.face.stops)):
            for path in _paths(board, hex_id, 6 + index, (stop_id(hex_id, index),), frozenset()):
                run = trace(board, Route(Rank(""), path))
                assert isinstance(run, Run), run
                if objection(board, corp, run, through=rules.through) is None:
                    runs.append(run)
                if len(runs) > LIMIT:
                    raise TooMany
    return runs


def _paths(
    board: Board, here: HexId, end: int, path: tuple[StopId | int, ...], used: frozenset[tuple[HexId, int, HexId]]
) -> Iterator[tuple[StopId | int, ...]]:
    for other in board.faces[here].from_end[end]:
        if other >= 6:
            stop = stop_id(here, other - 6)
            if stop not in path:
                yield (*path, stop)
                yield from _paths(board, here, other, (*path, stop), used)
            continue
        if (here, other) not in board.grid.beyond:
            continue
        there, side = board.grid.beyond[here, other]
        crossing = (here, other, there) if here < there else (there, side, here)
        if crossing not in used:
            yield from _paths(board, there, side, (*path, other), used | {crossing})


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
    """The highest total and the most trains that run for it."""
    lists = []
    runs = all_runs(board, corp, rules)
    for train in trains:
        by_track: dict[int, int] = {}
        for run in runs:
            if fits(board, run, train, rules):
                by_track[run.track] = max(by_track.get(run.track, 0), worth(run, train, rules))
        lists.append(sorted(by_track.items(), key=lambda pair: -pair[1]))
    return _choose(lists, 0)


def _choose(lists: list[list[tuple[int, int]]], used: int) -> tuple[int, int]:
    if not lists:
        return 0, 0
    best = _choose(lists[1:], used)
    most = sum(rest[0][1] for rest in lists[1:] if rest)
    for track, score in lists[0]:
        if score + most < best[0]:
            break
        if not track & used:
            total, count = _choose(lists[1:], used | track)
            best = max(best, (total + score, count + 1))
    return best
