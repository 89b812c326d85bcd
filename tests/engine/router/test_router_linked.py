"""Rules that tie stops and routes together, against the brute force for them."""

from __future__ import annotations

import random

import brute
import brute_linked as linked
import pytest
from boards import CORP, SWEEPING, strewn, train, value

from engine.board.board import Board
from engine.board.network import network
from engine.board.routes import StopRef
from engine.router import Best, RunRules, Train, best_pairs, best_runs
from engine.router.case import Case, Exhausted
from engine.router.walks import splits
from engine.router.walks.chooser import Chooser
from engine.router.walks.front import Front

MANY = (["1+1"] * 5, ["1", "1+1", "1+1", "2", "2"], ["1+1", "1+1", "1+1", "2+1", "2+1"])
ROSTERS = (["1+1"], ["2+1", "1+1"], ["3+2"], ["2", "2"], ["2+1", "2"], ["3", "2+1"], ["1+1", "1+1", "1"])


def island(board: Board, seed: int) -> RunRules:
    """The rules of the Isle of Wight, some of them left out by the seed."""
    rng = random.Random(seed)
    plain = value(board)

    def subsidy(stop: StopRef, owner: Train) -> int:
        return board.stop(*stop).subsidy

    homes = (*board.token_stops(CORP)[-1:] * 3, *network(board).stops[:1])
    """The last token's stop, now and then one that may have no token."""
    return RunRules(
        plain.value,
        bypass=frozenset({"halt"}) if rng.random() < 0.8 else frozenset({"halt", "town"}),
        no_end=frozenset({"halt"}),
        reenter=rng.random() < 0.2,
        home=frozenset({rng.choice(homes)}) if rng.random() < 0.6 else frozenset(),
        joined=rng.random() < 0.6,
        single_pass=rng.random() < 0.6,
        subsidy=subsidy,
    )


def compare(seed: int) -> int:
    board = strewn(seed, 4 + seed % 6, island=True)
    trains = [train(rank) for rank in ROSTERS[seed % len(ROSTERS)]]
    rules = island(board, seed)
    try:
        want = linked.pairs(board, CORP, trains, rules)
    except brute.TooMany:
        return 0
    got = best_pairs(board, CORP, trains, rules)
    assert all(best.proved for best in got)
    assert [(best.total, best.subsidy) for best in got] == want
    first = best_runs(board, CORP, trains, rules)
    with SWEEPING:
        swept = best_runs(board, CORP, trains, rules)
        short = best_runs(board, CORP, trains, rules, allowed=seed % 5 * 10)
    assert swept.proved
    assert short.total <= want[0][0] <= short.bound
    assert (first.total, first.subsidy) == (swept.total, swept.subsidy) == want[0]
    return len(want) if want[0][0] else 0


@pytest.mark.rule(
    "1860-RTE-02", "1860-RTE-04", "1860-RTE-05", "1860-RTE-06", "1860-RTE-08", "1860-RTE-09", "1860-RTE-12"
)
@pytest.mark.parametrize("block", range(4))
@pytest.mark.long
def test_pairs_equal_the_brute_force(block: int) -> None:
    found = [compare(seed) for seed in range(block * 50, block * 50 + 50)]
    assert sum(count > 0 for count in found) >= 20


def asked(seed: int) -> tuple[Case, list[tuple[int, int]]]:
    """A board with five trains, and the pairs that trying everything finds; none where there is too much to try."""
    board, trains = strewn(seed, 12 + seed % 6, island=True), tuple(train(rank) for rank in MANY[seed % len(MANY)])
    rules = island(board, seed)
    try:
        want = linked.pairs(board, CORP, trains, rules)
    except brute.TooMany:
        want = []
    return Case(board, CORP, trains, rules), want


@pytest.mark.long
@pytest.mark.rule("1860-VAR-07")
def test_pairs_of_many_trains_equal_the_brute_force() -> None:
    found = 0
    for seed in range(60):
        case, want = asked(seed)
        got = best_pairs(case.board, CORP, case.trains, case.rules)
        assert not want or [(best.total, best.subsidy, best.proved) for best in got] == [(*pair, True) for pair in want]
        found += bool(want and want[0][0])
    assert found >= 20


def allowed_by(got: tuple[Best, ...], want: list[tuple[int, int]]) -> bool:
    """Whether the answer claims no more than is true."""
    return got[0].total <= want[0][0] <= got[0].bound and all(
        (pair.total, pair.subsidy) in want
        if pair.proved
        else any(pair.total <= most and pair.subsidy <= more for most, more in want)
        for pair in got
    )


@pytest.mark.rule("1860-VAR-07")
@pytest.mark.parametrize("seed", [46, 78, 104, 116, 140, 149, 176, 179, 248, 266])
def test_of_too_many_splits_some_are_left_out(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case, want = asked(seed)
    every = Front(case, case.kinds(), 1_000_000).splits
    monkeypatch.setattr(splits, "MOST_SPLITS", 5)
    some = Front(case, case.kinds(), 1_000_000).splits
    assert len(some.ordered) <= 5 < len(every.ordered)
    got = best_pairs(case.board, CORP, case.trains, case.rules)
    assert allowed_by(got, want)
    assert not got[-1].proved


@pytest.mark.rule("1860-VAR-07")
@pytest.mark.parametrize("seed", [8, 46, 65, 98, 131, 149, 158, 176, 188, 215])
def test_where_the_search_of_many_trains_is_cut_short_they_choose_anew(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is guessed alone brings less on these boards."""

    def gives_up(search: Chooser) -> None:
        raise Exhausted

    case, want = asked(seed)
    monkeypatch.setattr(Chooser, "run", gives_up)
    got = best_pairs(case.board, CORP, case.trains, case.rules)
    assert got[0].total == want[0][0]
    assert allowed_by(got, want)


@pytest.mark.slow
def test_pairs_equal_the_brute_force_on_many_boards() -> None:
    assert sum(compare(seed) > 0 for seed in range(2_000, 3_000)) >= 500
