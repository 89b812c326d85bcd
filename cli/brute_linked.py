"""Brute force for the rules that tie stops and routes together: halts, hexes once, home, joined, one full city."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
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


Pair = tuple[int, int]
"""Total and subsidy."""


def all_choices(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules) -> list[list[Choice]]:
    """Everything that each train could do, runs with their calls, the highest total first.

    Of two ways to earn on the same track, with the same stops passed, the one that earns less of both is left out.
    """
    full = frozenset(
        (name, index)
        for name, face in board.faces.items()
        for index in range(len(face.face.stops))
        if board.blocks(name, index, corp)
    )
    wide = rules.through | full if rules.single_pass else rules.through
    runs = []
    for run in brute.all_runs(board, corp, replace(rules, through=wide), brute.longest_of(trains)):
        passes = len([stop for stop in run.stops[1:-1] if stop in full and stop not in rules.through])
        if passes <= 1 and not {board.stop(*stop).kind for stop in (run.stops[0], run.stops[-1])} & rules.no_end:
            runs.append((run, passes))
    lists = []
    for train in trains:
        ways: dict[tuple[int, frozenset[StopRef], int], set[Pair]] = {}
        for run, passes in runs:
            for stops in called(board, run, rules):
                part = Run("", stops, run.track, ())
                if brute.fits(board, part, train, rules):
                    subsidy = sum(rules.subsidy(stop, train) for stop in stops) if rules.subsidy else 0
                    key = run.track, frozenset(run.stops), passes
                    ways.setdefault(key, set()).add((brute.worth(part, train, rules), subsidy))
        choices = [Choice(*pair, *key) for key, pairs in ways.items() for pair in unbeaten(pairs)]
        lists.append(sorted(choices, key=lambda choice: (-choice.total, -choice.subsidy)))
    return lists


def called(board: Board, run: Run, rules: RunRules) -> Iterator[tuple[StopRef, ...]]:
    """The stops at which the run could call: all of them, or with any of those left out that may be passed."""
    loose = [stop for stop in run.stops if board.stop(*stop).kind in rules.bypass]
    for count in range(len(loose) + 1):
        for left_out in combinations(loose, count):
            yield tuple(stop for stop in run.stops if stop not in left_out)


def unbeaten(pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs that no other betters in one number without being worse in the other, the highest total first."""
    front: list[Pair] = []
    for total, subsidy in sorted(pairs, reverse=True):
        if not front or subsidy > front[-1][1]:
            front.append((total, subsidy))
    return front


def pairs(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules) -> list[Pair]:
    """The pairs of total and subsidy that nothing betters in both, the highest total first. TooMany as in `brute`."""
    lists = all_choices(board, corp, trains, rules)
    totals = [max((choice.total for choice in some), default=0) for some in lists]
    subsidies = [max((choice.subsidy for choice in some), default=0) for some in lists]
    front: list[Pair] = [(0, 0)]
    tried = 0

    def choose(first: int, chosen: list[Choice]) -> None:
        """Add what can be done with these runs and those of the trains from `first` on."""
        nonlocal front, tried
        total, subsidy = sum(choice.total for choice in chosen), sum(choice.subsidy for choice in chosen)
        if first == len(lists):
            if holds_together(chosen, rules):
                front = unbeaten([*front, (total, subsidy)])
            return
        rest, most = sum(totals[first + 1 :]), subsidy + sum(subsidies[first:])
        choose(first + 1, chosen)
        for choice in lists[first]:
            tried += 1
            if tried > brute.CHOICES:
                raise brute.TooMany
            if beaten(front, total + choice.total + rest, most):
                break
            if not any(choice.track & other.track for other in chosen):
                choose(first + 1, [*chosen, choice])

    choose(0, [])
    return front


def beaten(front: list[Pair], total: int, subsidy: int) -> bool:
    return any(total <= known and subsidy <= beside for known, beside in front)


def holds_together(chosen: list[Choice], rules: RunRules) -> bool:
    """Whether the company may run these routes in one turn, all of them on track of their own."""
    if rules.single_pass and sum(choice.passes for choice in chosen) > 1:
        return False
    if chosen and rules.home and not any(choice.stops & rules.home for choice in chosen):
        return False
    return not rules.joined or hang_together(chosen)


def hang_together(chosen: list[Choice]) -> bool:
    if not chosen:
        return True
    met = chosen[:1]
    for choice in met:
        met += [c for c in chosen if c not in met and c.stops & choice.stops]
    return len(met) == len(chosen)
