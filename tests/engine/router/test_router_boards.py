"""The router on the stored dense boards: its methods agree, the answer is the same everywhere, work stays in bounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import positions
import pytest
from boards import GRID, train

from engine.board.board import Board
from engine.board.routes import Run, StopRef, objection, trace
from engine.ids import CorpId
from engine.router import Best, RunRules, Train, best_pairs, best_runs
from engine.router.best import LISTING_LINKED
from engine.router.case import Case
from engine.router.sweep.sweep import Sweep
from engine.steps.run import bests_of

BOARDS = sorted((Path(__file__).parents[3] / "benchmarks" / "boards").glob("*.json"))
US = CorpId("AR")


def load(path: Path) -> Board:
    body = json.loads(path.read_text())
    placed = {name: (tile, turn) for name, (tile, turn) in body["placed"].items()}
    return Board(GRID, placed, {stop: tuple(places) for stop, places in body["tokens"].items()})


def values(board: Board) -> RunRules:
    def worth(stop: StopRef, owner: Train) -> int:
        printed = board.stop(*stop)
        return dict(printed.tiers).get("diesel" if owner.rank == "D" else "brown", printed.revenue)

    return RunRules(worth)


def ask(path: Path, ranks: str, *, linked: bool = False, allowed: int = 1_000_000) -> Best:
    board = load(path)
    rules = values(board)
    trains = [train(rank) for rank in ranks.split()]
    if linked:  # a subsidy of nothing is a rule that neither the listing nor the sweep is asked about first
        rules = replace(rules, subsidy=lambda stop, owner: 0)
    best = best_runs(board, US, trains, rules, allowed=allowed)
    used = total = 0
    for route in best.routes:
        run = trace(board, route)
        assert isinstance(run, Run), run
        assert objection(board, US, run) is None
        assert not run.track & used
        used |= run.track
        owner = next(train for train in trains if train.rank == route.train)
        total += sum(rules.value(stop, owner) for stop in run.stops)
    assert total == best.total
    return best


def sweep(path: Path, ranks: str) -> tuple[int, int]:
    """The total and the number of routes that the sweep alone finds and proves."""
    board = load(path)
    case = Case(board, US, tuple(train(rank) for rank in ranks.split()), values(board))
    answer = Sweep(case, [case.trains.index(owner) for owner in case.trains]).run(0, 1_000_000)
    assert answer.proved
    return case.money(answer.score), sum(route is not None for route in answer.routes)


def named(name: str) -> Path:
    return next(path for path in BOARDS if path.stem == name)


@pytest.mark.long
@pytest.mark.rule("1889-REV-03")
def test_two_d_trains_on_a_dense_board_are_proved_best() -> None:
    best = ask(named("1889-brownest-2"), "D D")
    assert best.proved
    assert best.total == best.bound == 1540


@pytest.mark.long
@pytest.mark.parametrize("ranks", ["D", "D D", "6 D", "6 5", "4 4 4"])
def test_all_methods_agree(ranks: str) -> None:
    for name in ("1889-box-0", "1889-box-4"):
        listed, split = ask(named(name), ranks), ask(named(name), ranks, linked=True)
        assert listed.proved
        assert split.proved
        assert (listed.total, len(listed.routes)) == (split.total, len(split.routes)) == sweep(named(name), ranks)


@pytest.mark.long
def test_an_answer_cut_short_has_a_bound_and_goes_on_to_the_same_proof() -> None:
    short, full = ask(named("1889-brown-0"), "D D", allowed=4_000), ask(named("1889-brown-0"), "D D")
    assert not short.proved
    assert full.proved
    assert short.total <= full.total <= short.bound


ASK = """
import sys
from pathlib import Path
from positions import ask, read
from engine.steps.run import bests_of

asked = ask(read(Path(sys.argv[1])), ["D", "D"])
print([best.routes for best in bests_of(asked.title, asked.state, asked.corp)])
"""


@pytest.mark.broad
def test_the_answer_does_not_depend_on_hash_seeds() -> None:
    root = Path(__file__).parents[3]
    path = os.pathsep.join([str(root), str(root / "benchmarks")])
    answers = {
        subprocess.run(
            [sys.executable, "-c", ASK, named("1889-box-1")],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(answers) == 1
    assert "Route(" in answers.pop()


@pytest.mark.rule("1860-RTE-02", "1860-RTE-05")
@pytest.mark.parametrize("share", [0.5, 0.9, 0.985, 0.995, 1.05])
@pytest.mark.long
def test_pairs_cut_short_are_bounded_and_say_so(share: float) -> None:
    """`share`: of the work that the proof takes."""
    asked = positions.ask(positions.read(named("1860-late-0")), ["7+4", "8+4"])
    t, s = asked.title, asked.state
    (rules,), trains = t.policy.routes.aims(t, s, asked.corp), t.policy.routes.runners(t, s, asked.corp)
    full = best_pairs(s.board, asked.corp, trains, rules)
    allowed = int(share * max(best.work for best in full)) // LISTING_LINKED
    short = best_pairs(s.board, asked.corp, trains, rules, allowed=allowed)
    assert all(best.proved for best in full)
    assert all(best.proved for best in short) == (share > 1)
    for best in short:
        most = max(pair.total for pair in full if pair.subsidy >= best.subsidy)
        assert best.total <= most <= best.bound
        assert not best.proved or best.total == most
    if short[-1].proved:  # then none is missing
        assert [(best.total, best.subsidy) for best in short] == [(best.total, best.subsidy) for best in full]


@pytest.mark.slow
@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_every_stored_board_is_proved(path: Path) -> None:
    for asked in positions.questions(positions.read(path)):
        bests = bests_of(asked.title, asked.state, asked.corp)
        assert bests
        assert all(best.proved for best in bests)
