"""`tetsudo simulate --policy`: games among players of the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import main


@pytest.mark.second
def test_results_come_one_line_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["simulate", "1889", "--policy", "learner,random,random", "--games", "2", "--until", "3", "--json"]
    assert main(line) == 0
    games = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [game["seed"] for game in games] == [0, 1]
    for game in games:
        assert set(game) == {"seed", "policies", "worth", "rounds", "actions", "phase", "end"}
        assert game["policies"] == ["learner", "random", "random"]
        assert len(game["worth"]) == 3
        assert (game["end"] == "until") == (game["phase"] == "3")


@pytest.mark.second
def test_one_policy_is_everybodys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "1889", "--policy", "random", "--players", "3", "--until", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["policies"] == ["random", "random", "random"]


@pytest.mark.broad
def test_results_are_told_in_a_table_and_the_same_in_two_processes(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["simulate", "1889", "--policy", "random,random", "--games", "3", "--seed", "5", "--until", "3"]
    assert main(line) == 0
    first = capsys.readouterr().out
    assert main([*line, "--jobs", "2"]) == 0
    assert capsys.readouterr().out == first
    assert first.splitlines()[1].split()[:2] == ["p1", "random"]
    assert "3 games" in first


@pytest.mark.broad
def test_a_game_among_opponents_is_written_like_a_random_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "game.json")
    assert main(["simulate", "1889", "--policy", "random,random", "--seed", "5", "--out", file]) == 0
    assert capsys.readouterr().out == ""
    assert main(["replay", file]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (["--policy", "random,random", "--games", "2", "--out", "game.json"], "--out writes one whole game"),
        (["--policy", "clever,random"], "no policy 'clever'"),
        (["--policy", "random,random", "--players", "3"], "do not fit 3 players"),
        (["--policy", "random,random", "--until", "9"], "has the phases"),
        (["--policy", "random"], "not 1"),
        ([], "--players"),
        (["--players", "3", "--games", "2"], "need to know who plays: --policy"),
    ],
)
def test_what_cannot_be_played_is_refused(asked: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "1889", *asked]) == 1
    assert answer in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "two", "1000000000", "²"])
@pytest.mark.parametrize(
    "line",
    [
        ["simulate", "1889", "--policy", "random", "--players"],
        ["simulate", "1889", "--policy", "random,random", "--jobs"],
        ["arena", "1889", "random", "learner", "--games"],
        ["check-title", "1889", "--games"],
        ["puzzles", "--jobs"],
    ],
)
def test_how_many_is_at_least_one_and_no_absurd_number(
    line: list[str], number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*line, number])
    assert "a number from 1 to 100,000 is wanted" in capsys.readouterr().err
