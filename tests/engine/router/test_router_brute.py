"""The router against the brute force on boards strewn at random."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import replace

import brute
import brute_linked as linked
import pytest
from boards import CORP, SWEEPING, strewn, train, value

from engine.board.board import Board
from engine.board.reach import reach
from engine.board.routes import Run, StopRef, objection, trace
from engine.ids import CorpId
from engine.router import Best, Bonus, RunRules, Train, best_runs

ROSTERS = (
    ["2"],
    ["3", "2"],
    ["4", "3"],
    ["D"],
    ["2", "2", "3"],
    ["D", "D"],
    ["5", "D"],
    ["3", "3"],
    ["1+1", "2+1"],
    ["2+2"],
    ["2/2"],
    ["1/2", "2/1"],
    ["2", "3", "D"],
)


def check(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules, best: Best) -> None:
    """Every route is one, no two share track, and they bring what is claimed."""
    waiting = list(trains)
    used, total, met = 0, 0, False
    for route in best.routes:
        while waiting[0].rank != route.train:
            waiting.pop(0)
        owner = waiting.pop(0)
        run = trace(board, route)
        assert isinstance(run, Run), run
        assert objection(board, corp, run, through=rules.through) is None
        assert brute.fits(board, run, owner, rules)
        assert not used & run.track
        used |= run.track
        total += brute.worth(run, owner, rules)
        met = met or (rules.once is not None and rules.once[0] in run.stops)
    total += rules.once[1] if rules.once and met else 0
    assert total == best.total <= best.bound


def compare(seed: int, hexes: int, odd: bool = False) -> bool:
    """Whether the seed gave a board small enough to compare on; the totals were then equal."""
    board = strewn(seed, hexes, odd=odd)
    rules = value(board)
    if seed % 4 == 3:
        rules = with_bonuses(board, rules, seed)
    if seed % 3 == 1:
        rules = with_once(board, rules, seed)
    trains = [train(rank) for rank in ROSTERS[seed % len(ROSTERS)]]
    try:
        want, count = brute.best_total(board, CORP, trains, rules)
    except brute.TooMany:
        return False
    for best in (best_runs(board, CORP, trains, rules), swept(board, trains, rules)):
        check(board, CORP, trains, rules, best)
        assert best.proved
        assert (best.total, len(best.routes)) == (want, count)
        assert best.bound == best.total
    short = swept(board, trains, rules, allowed=seed % 5 * hexes)
    check(board, CORP, trains, rules, short)
    assert short.total <= want <= short.bound
    return want > 0


def swept(board: Board, trains: Sequence[Train], rules: RunRules, allowed: int = 1_000_000) -> Best:
    with SWEEPING:
        return best_runs(board, CORP, trains, rules, allowed=allowed)


def with_bonuses(board: Board, rules: RunRules, seed: int) -> RunRules:
    rng = random.Random(seed)
    stops = [(name, i) for name in sorted(board.placed) for i in range(len(board.faces[name].face.stops))]
    if len(stops) < 4:
        return rules
    picked = [frozenset(rng.sample(stops, 2)) for _ in range(4)]
    return replace(rules, bonuses=(Bonus(picked[0], picked[1], 40), Bonus(picked[2], picked[3], 10)))


def with_once(board: Board, rules: RunRules, seed: int, but: Collection[StopRef] = ()) -> RunRules:
    """Something is added once at a stop that the company reaches, if it reaches any other than these."""
    stops = sorted(reach(board, CORP).stops - set(but))
    return replace(rules, once=(random.Random(seed).choice(stops), 50)) if stops else rules


@pytest.mark.rule("1890-COR-16")
@pytest.mark.long
def test_total_equals_the_brute_force_where_something_is_added_once() -> None:
    """Equal trains too, among which none may get it twice, and boards where it decides which routes are best."""
    decided = 0
    for seed in range(300, 420):
        board = strewn(seed, 12 + seed % 5)
        plain = value(board)
        trains = [train(rank) for rank in (["3", "3"], ["2", "2"], ["2", "4"], ["2", "3"])[seed % 4]]
        without = best_runs(board, CORP, trains, plain)
        rules = with_once(board, plain, seed, but={stop for calls in without.calls for stop in calls})
        try:
            want, count = brute.best_total(board, CORP, trains, rules)
        except brute.TooMany:
            continue
        assert linked.pairs(board, CORP, trains, rules) == [(want, 0)]
        for best in (best_runs(board, CORP, trains, rules), swept(board, trains, rules)):
            check(board, CORP, trains, rules, best)
            assert (best.total, len(best.routes), best.proved, best.bound) == (want, count, True, want)
        decided += 0 < without.total < want
    assert decided >= 4


@pytest.mark.rule("1889-RTE-01", "1889-RTE-02", "1889-RTE-05", "1889-REV-03")
@pytest.mark.parametrize("block", range(8))
@pytest.mark.long
def test_total_equals_the_brute_force(block: int) -> None:
    compared = sum(compare(seed, 6 + seed % 9) for seed in range(block * 40, block * 40 + 40))
    assert compared >= 15


@pytest.mark.parametrize("block", range(4))
@pytest.mark.long
def test_total_equals_the_brute_force_with_several_stops_on_a_tile(block: int) -> None:
    compared = sum(compare(seed, 5 + seed % 7, odd=True) for seed in range(1000 + block * 40, 1040 + block * 40))
    assert compared >= 15


@pytest.mark.slow
def test_total_equals_the_brute_force_on_many_boards() -> None:
    assert sum(compare(seed, 8 + seed % 12, odd=seed % 3 == 0) for seed in range(5_000, 6_400)) >= 500
