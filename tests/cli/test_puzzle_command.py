"""`tetsudo puzzles`: it plays games, chooses puzzles that differ, and writes what the bot reads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice, pairwise
from pathlib import Path
from typing import Any

import pytest

import engine
from bot.rooms.puzzles.laid import Shelved, read
from cli import puzzles
from cli.main import main
from engine.actions import Action, Pass
from engine.ids import CorpId, PlayerId
from opponents.puzzles import Puzzle, proved_run

MOVES = 60
real_moves = puzzles.moves


def made_up(titles: Sequence[str], game: tuple[str, int]) -> tuple[list[Action], list[Puzzle]]:
    """A game with a puzzle of each kind after every third of its moves, most with the same answer."""
    companies = tuple(map(CorpId, ("AR", "IR", "SR")))
    found = [
        Puzzle(at, kind, companies[0], (10, 20, 30) if kind == "run" else companies, int(at > MOVES // 2))
        for at in range(0, MOVES - 20, 3)
        for kind in ("run", "rust")
    ]
    return [Pass(PlayerId("p1"))] * MOVES, found


def first_moves(*game: Any) -> list[Any]:
    return list(islice(real_moves(*game), 110))


def written(path: Path, *more: str) -> list[Shelved]:
    assert main(["puzzles", "--out", str(path), *more]) == 0
    return read(path.read_text("utf-8"))


@pytest.mark.long
def test_puzzles_lie_apart_differ_and_take_turns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(puzzles, "_found", made_up)
    found = written(tmp_path / "puzzles.json", "--games", "2", "--each", "9", "--jobs", "2")
    told = {tuple(line.split()) for line in capsys.readouterr().out.splitlines()}
    assert told == {
        (title, kind, "0" if kind == "shares" else "6") for title in engine.TITLES for kind in ("run", "rust", "shares")
    }
    assert len(found) == 6 * 2 * len(engine.TITLES)
    assert all(one.game.title != two.game.title for one, two in pairwise(found))
    for one, two in combinations(found, 2):
        if one.game is two.game and one.puzzle.kind == two.puzzle.kind:
            assert abs(one.puzzle.at - two.puzzle.at) >= puzzles.APART
    for one in found:
        alike = [two for two in found if two.game is one.game and two.puzzle.kind == one.puzzle.kind]
        assert sum(two.puzzle.right == one.puzzle.right for two in alike) <= puzzles.ALIKE
        assert len(one.game.moves) == max(two.puzzle.at for two in found if two.game is one.game)
    assert written(tmp_path / "again.json", "--games", "2", "--each", "9") == found


@pytest.mark.broad
def test_its_puzzles_are_of_the_games_that_it_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(puzzles, "TITLES", ["1889"])
    monkeypatch.setattr(puzzles, "moves", first_moves)
    monkeypatch.setattr("opponents.puzzles.STRIDE", 50)  # of decisions in stock rounds, each takes seconds
    found = written(tmp_path / "puzzles.json", "--games", "1")
    runs = [one for one in found if one.puzzle.kind == "run"]
    assert runs
    for one in runs:
        t, s = one.game.box(), one.game.after(one.puzzle.at)
        best = proved_run(t, s, engine.decision(t, s).players[0])
        assert best is not None
        assert best[1] == one.puzzle.answers[one.puzzle.right]
