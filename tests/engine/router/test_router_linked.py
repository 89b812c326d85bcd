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
from engine.router.best import RunRules, Train, best_pairs, best_runs

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


@pytest.mark.slow
def test_pairs_equal_the_brute_force_on_many_boards() -> None:
    assert sum(compare(seed) > 0 for seed in range(2_000, 3_000)) >= 500
