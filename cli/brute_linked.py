"""Brute force for the rules that tie stops and routes together: halts, hexes once, home, joined, one full city."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from cli import brute
from engine.board.board import Board
from engine.board.router import RunRules, Train
from engine.board.routes import Run, StopRef
from engine.ids import CorpId


@dataclass(frozen=True)
class Choice:
    total: int
    subsidy: int
    track: int
    stops: frozenset[StopRef]
    passes: int


def choices(board: Board, corp: CorpId, train: Train, rules: RunRules) -> list[Choice]:
    """Everything that the train could do, runs with their calls."""
    full = {
        (name, index)
        for name, face in board.faces.items()
        for index in range(len(face.face.stops))
        if board.blocks(name, index, corp)
    }
    wide = RunRules(rules.value, through=frozenset(full)) if rules.single_pass else rules
    found: dict[tuple[object, ...], Choice] = {}
    for run in brute.all_runs(board, corp, wide):
        if not rules.reenter and comes_back(run):
            continue
        passes = len([stop for stop in run.stops[1:-1] if stop in full and stop not in rules.through])
        if passes > 1 or {board.stop(*stop).kind for stop in (run.stops[0], run.stops[-1])} & rules.no_end:
            continue
        for stops in called(board, run, rules):
            part = Run("", stops, run.track, ())
            if brute.fits(board, part, train, rules):
                subsidy = sum(rules.subsidy(stop, train) for stop in stops) if rules.subsidy else 0
                choice = Choice(brute.worth(part, train, rules), subsidy, run.track, frozenset(run.stops), passes)
                found[choice.total, subsidy, run.track, passes] = choice
    return list(found.values())


def called(board: Board, run: Run, rules: RunRules) -> Iterator[tuple[StopRef, ...]]:
    loose = [stop for stop in run.stops if board.stop(*stop).kind in rules.bypass]
    for count in range(len(loose) + 1):
        for left_out in combinations(loose, count):
            yield tuple(stop for stop in run.stops if stop not in left_out)


def comes_back(run: Run) -> bool:
    hexes = [run.segments[0][0]]
    for (before, _, last), (here, first, _) in zip(run.segments, run.segments[1:], strict=False):
        if here != before or (last < 6 and first < 6):
            hexes.append(here)
    return len(set(hexes)) < len(hexes)


def pairs(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules) -> list[tuple[int, int]]:
    """The pairs of total and subsidy that nothing betters in both, the highest total first."""
    lists = [choices(board, corp, train, rules) for train in trains]
    size = 1
    for some in lists:
        size *= 1 + len(some)
    if size > 300_000:
        raise brute.TooMany
    best: dict[int, int] = {}
    for chosen in together(lists, 0):
        if sum(choice.passes for choice in chosen) > 1 and rules.single_pass:
            continue
        if chosen and rules.home and not any(choice.stops & rules.home for choice in chosen):
            continue
        if rules.joined and not hang_together(chosen):
            continue
        subsidy = sum(choice.subsidy for choice in chosen)
        best[subsidy] = max(best.get(subsidy, 0), sum(choice.total for choice in chosen))
    front: list[tuple[int, int]] = []
    for total, subsidy in sorted(((total, subsidy) for subsidy, total in best.items()), reverse=True):
        if not front or subsidy > front[-1][1]:
            front.append((total, subsidy))
    return front


def together(lists: list[list[Choice]], used: int) -> Iterator[list[Choice]]:
    if not lists:
        yield []
        return
    yield from together(lists[1:], used)
    for choice in lists[0]:
        if not choice.track & used:
            for rest in together(lists[1:], used | choice.track):
                yield [choice, *rest]


def hang_together(chosen: list[Choice]) -> bool:
    if not chosen:
        return True
    met = chosen[:1]
    for choice in met:
        met += [c for c in chosen if c not in met and c.stops & choice.stops]
    return len(met) == len(chosen)
