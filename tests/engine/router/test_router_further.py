"""Where a limit is reached the answer says so, with a bound; going on comes to the proof of an unlimited search."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import positions
import pytest
from boards import CORP, strewn, train
from test_router_linked import island

from engine import best_routes
from engine.actions import RunTrains
from engine.board.board import Board
from engine.ids import PlayerId
from engine.router import Best, RunRules, best_pairs, best_runs
from engine.router import best as router
from engine.router.case import Case
from engine.router.walks.front import Front
from engine.steps.run import bests_of, highest_total, proposals

BOARDS = Path(__file__).parents[3] / "benchmarks" / "boards"
UNPROVED = (
    ("1889-box-4", "4 4 4", 300),
    pytest.param("1889-brown-0", "4 4 4", 3_000, marks=pytest.mark.slow),
    ("1889-brown-0", "D D", 4_000),
    pytest.param("1889-brownest-1", "D D", 10_000, marks=pytest.mark.slow),
    ("1888-late-0", "D D", 3_000),
    ("1860-late-0", "8+4 9+5", 10_000),
    pytest.param("1860-late-4", "9+5 9+5", 6_000, marks=pytest.mark.slow),
    pytest.param("1860-full-1", "8+4 9+5", 23_000, marks=pytest.mark.slow),
)
"""Boards and trains for which a first search of so many states proves nothing."""
MANY = 7


def asked(name: str, ranks: str) -> positions.Asked:
    return positions.ask(positions.read(BOARDS / f"{name}.json"), ranks.split())


def told(bests: tuple[Best, ...]) -> list[tuple[int, int]]:
    return [(best.total, best.subsidy) for best in bests]


def further(name: str, ranks: str) -> list[tuple[Best, ...]]:
    """The answers after no effort, one, two, until all is proved."""
    one, found = asked(name, ranks), list[tuple[Best, ...]]()
    for effort in range(MANY):
        found.append(bests_of(one.title, one.state, one.corp, effort))
        if all(best.proved for best in found[-1]):
            return found
    raise AssertionError("never proved")


@pytest.mark.parametrize(("name", "ranks", "states"), UNPROVED)
@pytest.mark.long
def test_going_on_comes_to_the_proof(monkeypatch: pytest.MonkeyPatch, name: str, ranks: str, states: int) -> None:
    one = asked(name, ranks)
    whole = bests_of(one.title, one.state, one.corp)
    assert all(best.proved for best in whole)
    monkeypatch.setattr(best_routes, "STATES", states)
    found = further(name, ranks)
    assert len(found) > 1
    assert told(found[-1]) == told(whole)
    aims = len(one.title.policy.routes.aims(one.title, one.state, one.corp))
    for answer in found:
        for number, best in enumerate(answer):
            assert best.total <= best.bound
            assert not best.proved or best.total == best.bound
            more = answer[number - 1].subsidy + 1 if number and aims == 1 else 0
            right = told(whole) if aims == 1 else told(whole[number : number + 1])
            assert best.bound >= max((total for total, subsidy in right if subsidy >= more), default=0)
    for before, after in pairwise(found):
        for best in before:
            assert any(other.total >= best.total and other.subsidy >= best.subsidy for other in after)
        assert after[0].bound <= before[0].bound


@pytest.mark.broad
def test_an_answer_depends_on_the_position_and_the_effort_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_routes, "STATES", 3_000)
    one, other = asked("1889-brown-0", "4 4 4"), asked("1889-brown-0", "4 4 4")
    slowly = [bests_of(one.title, one.state, one.corp, effort) for effort in range(3)]
    at_once = [bests_of(other.title, other.state, other.corp, effort) for effort in (2, 1, 0)]
    assert slowly == at_once[::-1]
    assert [bests[0].total for bests in slowly] == [590, 640, 660]
    assert bests_of(one.title, one.state, one.corp, 9) == slowly[-1]


@pytest.mark.long
def test_what_was_found_before_stays() -> None:
    """Also where the search that goes on is cut short earlier than the one before."""
    one = asked("1889-brown-0", "4 4 4")
    trains, rules = one.title.policy.routes.runners(one.title, one.state, one.corp), one.title.policy.routes.aims
    (aim,) = rules(one.title, one.state, one.corp)
    before = best_runs(one.state.board, one.corp, trains, aim, allowed=10_000)
    after = best_runs(one.state.board, one.corp, trains, aim, allowed=10, before=before)
    assert not after.proved
    assert (after.total, after.routes, after.bound) == (before.total, before.routes, before.bound)
    proved = best_runs(one.state.board, one.corp, trains, aim, allowed=10, before=replace(before, bound=before.total))
    assert proved.proved, "the bound is reached"


@pytest.mark.long
@pytest.mark.rule("1889-RTE-04")
def test_the_rule_asks_for_the_first_answer_and_takes_a_better_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_routes, "STATES", 3_000)
    one = asked("1889-brown-0", "4 4 4")
    t, s = one.title, one.state
    (first, known), (better, proved) = (next(proposals(t, s, PlayerId("p1"), effort)) for effort in (0, 2))
    assert (known.total, known.proved, proved.total, proved.proved) == (590, False, 660, True)
    assert highest_total(t, s, first) is None
    assert highest_total(t, s, better) is None
    assert highest_total(t, s, RunTrains(PlayerId("p1"), one.corp, first.routes[:2])) is not None


@pytest.mark.long
@pytest.mark.parametrize(("name", "ranks"), [("1860-late-0", "2+1"), ("1860-late-0", "8+4 9+5"), ("1890-late-0", "4")])
def test_a_search_that_finds_nothing_at_all_goes_on(monkeypatch: pytest.MonkeyPatch, name: str, ranks: str) -> None:
    """To run nothing was proposed, which the rules refuse there, so whoever plays by what is legal stood still."""
    one = asked(name, ranks)
    monkeypatch.setattr(best_routes, "STATES", 1)
    (first, *_) = bests_of(one.title, one.state, one.corp)
    assert (first.routes, first.proved) == ((), False)
    assert all(action.routes for action, _ in proposals(one.title, one.state, PlayerId("p1")))


@cache
def posed(seed: int) -> tuple[Board, RunRules]:
    board = strewn(seed, 10, island=True)
    return board, island(board, seed)


def pairs(seed: int, ranks: str) -> tuple[Best, ...]:
    board, rules = posed(seed)
    return best_pairs(board, CORP, [train(rank) for rank in ranks.split()], rules)


@cache
def told_whole(seed: int, ranks: str) -> list[tuple[int, int]]:
    """What an unlimited search tells."""
    return told(pairs(seed, ranks))


@pytest.mark.parametrize("steps", [0, 3, 30])
@pytest.mark.parametrize("ranks", ["3+2 2+1", "3+1 2+1 2"])
@pytest.mark.long
def test_where_steps_run_out_before_all_subsidies_are_searched_the_last_pair_told_is_not_proved(
    monkeypatch: pytest.MonkeyPatch, ranks: str, steps: int
) -> None:
    class Short(Front):
        """Lists all walks and has few steps left for choosing among them."""

        def __init__(self, case: Case, kinds: list[int], allowance: int) -> None:
            super().__init__(case, kinds, allowance)
            self.meter.left = steps

    missed = 0
    for seed in range(140):
        whole = told_whole(seed, ranks)
        with monkeypatch.context() as patch:
            patch.setattr(router, "Front", Short)
            short = pairs(seed, ranks)
        assert {pair for pair, best in zip(told(short), short, strict=True) if best.proved} <= set(whole)
        assert told(short) == whole or not all(best.proved for best in short)
        if told(short)[-1] != whole[-1]:
            assert not short[-1].proved
            missed += 1
        less = -1
        for before, best in pairwise((None, *short)):
            assert best is not None
            assert before is None or (best.total < before.total and best.bound <= before.bound)
            assert best.bound >= max((total for total, subsidy in whole if subsidy > less), default=0)
            less = best.subsidy
    assert missed or steps


def test_going_on_from_an_answer_without_proof_may_find_a_better_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_routes, "STATES", 300)
    asked = positions.ask(positions.read(BOARDS / "1889-box-4.json"), ["4", "4", "4"])
    (first,) = bests_of(asked.title, asked.state, asked.corp)
    assert (first.total, first.proved, first.bound) == (400, False, 660)
    (second,) = bests_of(asked.title, asked.state, asked.corp, 1)
    assert (second.total, second.proved) == (450, True)


def test_the_first_of_the_pairs_alone_goes_on_too() -> None:
    board = strewn(3, 9, island=True)
    value = RunRules(lambda stop, owner: board.stop(*stop).revenue, joined=True)
    trains = [train("3"), train("2")]
    short = best_runs(board, CORP, trains, value, allowed=1)
    long = best_runs(board, CORP, trains, value, before=short)
    assert not short.proved
    assert long.proved
    assert long == best_runs(board, CORP, trains, value)
