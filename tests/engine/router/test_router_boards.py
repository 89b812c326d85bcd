"""The router on the stored dense boards: two methods agree, the answer is the same everywhere, work stays in bounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from boards import GRID, train

from engine.board.board import Board
from engine.board.router import Best, RunRules, Train, best_runs
from engine.board.routes import Run, StopRef, objection, trace
from engine.ids import CorpId

BOARDS = sorted((Path(__file__).parents[3] / "benchmarks" / "boards").glob("*.json"))
US = CorpId("AR")


def load(path: Path) -> Board:
    body = json.loads(path.read_text())
    placed = {name: (tile, turn) for name, (tile, turn) in body["placed"].items()}
    return Board(GRID, placed, {stop: tuple(places) for stop, places in body["tokens"].items()})


def ask(path: Path, ranks: str, *, sweep: bool = False, allowed: int = 1_000_000) -> Best:
    board = load(path)

    def worth(stop: StopRef, owner: Train) -> int:
        printed = board.stop(*stop)
        return dict(printed.tiers).get("diesel" if owner.rank == "D" else "brown", printed.revenue)

    rules = RunRules(worth)
    trains = [train(rank) for rank in ranks.split()]
    if sweep:  # a subsidy of nothing is a rule that only the sweep knows
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
        total += sum(worth(stop, owner) for stop in run.stops)
    assert total == best.total
    return best


def named(name: str) -> Path:
    return next(path for path in BOARDS if path.stem == name)


@pytest.mark.rule("1889-REV-03")
def test_two_d_trains_on_a_dense_board_are_proved_best() -> None:
    best = ask(named("1889-brownest-2"), "D D")
    assert best.proved
    assert best.total == best.bound == 1540


@pytest.mark.parametrize("ranks", ["D", "D D", "6 D", "6 5", "4 4 4"])
def test_listing_and_sweeping_agree(ranks: str) -> None:
    for name in ("1889-box-0", "1889-box-4"):
        listed, swept = ask(named(name), ranks), ask(named(name), ranks, sweep=True)
        assert listed.proved
        assert swept.proved
        assert (listed.total, len(listed.routes)) == (swept.total, len(swept.routes))


def test_an_answer_cut_short_has_a_bound_and_goes_on_to_the_same_proof() -> None:
    short, full = ask(named("1889-brown-0"), "D D", allowed=4_000), ask(named("1889-brown-0"), "D D")
    assert not short.proved
    assert full.proved
    assert short.total <= full.total <= short.bound


def test_the_answer_does_not_depend_on_hash_seeds() -> None:
    code = "import test_router_boards as t; print(t.ask(t.named('1889-box-1'), 'D D').routes)"
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(here.parents[2])])
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(answers) == 1


@pytest.mark.slow
@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_every_stored_board_is_proved(path: Path) -> None:
    for ranks in json.loads(path.read_text())["sets"]:
        assert ask(path, " ".join(ranks)).proved
