"""Brute force for the rules that tie stops and routes together: halts, hexes once, home, joined, one full city."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import brute

from engine.board.board import Board
from engine.board.routes import Run, StopRef
from engine.ids import CorpId
from engine.router import RunRules, Train
from engine.router.case import SMALL_KINDS


@dataclass(frozen=True)
class Use:
    """One way to use a train: what it earns, and what it shares with other routes."""

    total: int
    subsidy: int
    track: int
    stops: frozenset[StopRef]
    passes: int
    once: bool
    """Whether it calls where a one-time bonus is earned."""


Pair = tuple[int, int]
"""Total and subsidy."""


def all_uses(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules) -> list[list[Use]]:
    """Everything each train could do: runs with their calls, highest total first.

    Of two ways to use the same track and pass the same stops, one that earns less of both is left out.
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
        if passes <= 1:
            runs.append((run, passes))
    return [
        _uses_of(board, train, rules, [(run, passes) for run, passes in runs if brute.at_goal(run, train, rules)])
        for train in trains
    ]


def _uses_of(board: Board, train: Train, rules: RunRules, runs: list[tuple[Run, int]]) -> list[Use]:
    calls = {stop: _call(board, stop, train, rules) for stop in {stop for run, _ in runs for stop in run.stops}}
    ways: dict[tuple[int, frozenset[StopRef], int, bool], set[Pair]] = {}
    tried = 0
    for run, passes in runs:
        stops_met = frozenset(run.stops)
        stops = [(calls[stop], board.stop(*stop).kind in rules.bypass) for stop in run.stops]
        calls_made = called(stops, train)
        tried += len(calls_made)
        if tried > brute.CHOICES:
            raise brute.TooMany
        for call in calls_made:
            bonus = sum(bonus.amount for bonus in rules.bonuses if bonus.one & call.met and bonus.other & call.met)
            once = rules.once is not None and rules.once[0] in call.met
            ways.setdefault((run.track, stops_met, passes, once), set()).add((call.total + bonus, call.subsidy))
    uses = [Use(total, subsidy, *where) for where, pairs in ways.items() for total, subsidy in unbeaten(pairs)]
    return sorted(uses, key=lambda use: (-use.total, -use.subsidy))


class Call(NamedTuple):
    """What a call at one or more stops costs the train and earns; `met`: which of them the rules name."""

    large: int
    small: int
    total: int
    subsidy: int
    met: frozenset[StopRef]

    def and_at(self, other: Call) -> Call:
        """Both calls as one."""
        large, small, total, subsidy, met = other
        return Call(self.large + large, self.small + small, self.total + total, self.subsidy + subsidy, self.met | met)

    def fits(self, train: Train) -> bool:
        """Whether the train reaches this many stops."""
        if train.reach is None:
            return True
        spare = 0 if train.apart else train.reach - self.large
        return self.large <= train.reach and self.small <= train.small + spare


def _call(board: Board, stop: StopRef, train: Train, rules: RunRules) -> Call:
    printed = board.stop(*stop)
    small = printed.kind in SMALL_KINDS
    subsidy = rules.subsidy(stop, train) if rules.subsidy else 0
    named = any(stop in bonus.one | bonus.other for bonus in rules.bonuses)
    met = frozenset({stop}) if named or (rules.once and stop == rules.once[0]) else frozenset()
    return Call(printed.visit_cost * (not small), printed.visit_cost * small, rules.value(stop, train), subsidy, met)


def called(stops: Sequence[tuple[Call, bool]], train: Train) -> set[Call]:
    """All the results of the train calling at these stops; those that may be passed (True) can be skipped."""
    results = {Call(0, 0, 0, 0, frozenset())}
    for call, loose in stops:
        more = {both for before in results if (both := before.and_at(call)).fits(train)}
        results = more | results if loose else more
    return results


def unbeaten(pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs that no other pair beats in both numbers, highest total first."""
    front: list[Pair] = []
    for total, subsidy in sorted(pairs, reverse=True):
        if not front or subsidy > front[-1][1]:
            front.append((total, subsidy))
    return front


def pairs(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules) -> list[Pair]:
    """The unbeaten pairs of total and subsidy, highest total first. Raises TooMany, as in `brute`."""
    lists = all_uses(board, corp, trains, rules)
    totals = [max((use.total for use in some), default=0) for some in lists]
    subsidies = [max((use.subsidy for use in some), default=0) for some in lists]
    extra = rules.once[1] if rules.once else 0
    front: list[Pair] = [(0, 0)]
    tried = 0

    def choose(first: int, chosen: list[Use], total: int, subsidy: int, track: int) -> None:
        """Add everything possible with these runs and those of the trains from `first` on."""
        nonlocal front, tried
        if first == len(lists):
            total += extra if any(use.once for use in chosen) else 0
            if not beaten(front, total, subsidy) and holds_together(chosen, rules):
                front = unbeaten([*front, (total, subsidy)])
            return
        rest, most = total + extra + sum(totals[first + 1 :]), subsidy + sum(subsidies[first:])
        if brute.may_idle(trains[first], rules):
            choose(first + 1, chosen, total, subsidy, track)
        for use in lists[first]:
            tried += 1
            if tried > brute.CHOICES:
                raise brute.TooMany
            if beaten(front, rest + use.total, most):
                break
            if not track & use.track:
                both = total + use.total, subsidy + use.subsidy
                choose(first + 1, [*chosen, use], *both, track | use.track)

    choose(0, [], 0, 0, 0)
    return front


def beaten(front: list[Pair], total: int, subsidy: int) -> bool:
    """Whether something in the front is at least as good in both total and subsidy."""
    return any(total <= known and subsidy <= beside for known, beside in front)


def holds_together(chosen: list[Use], rules: RunRules) -> bool:
    """Whether the company may run these routes in one turn; none of them share track."""
    if rules.single_pass and sum(use.passes for use in chosen) > 1:
        return False
    if chosen and rules.home and not any(use.stops & rules.home for use in chosen):
        return False
    return not rules.joined or hang_together(chosen)


def hang_together(chosen: list[Use]) -> bool:
    """Whether each route can be come to from the first over stops that routes share."""
    if not chosen:
        return True
    met = chosen[:1]
    for use in met:
        met += [c for c in chosen if c not in met and c.stops & use.stops]
    return len(met) == len(chosen)
