"""`tetsudo arena`: ratings, seats, and outside programs that may do anything."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from cli.arena.games import Conditions, Entrant, one_game, seated
from cli.arena.outside import LIVES, Outside, request
from cli.arena.ratings import rated
from cli.main import main
from cli.matches import moves
from engine import State, Title, build, decision, judge, start
from engine.actions import Action, Bid
from engine.ids import SR, PlayerId, PrivateId
from opponents.question import ask

SAMPLE = Path(__file__).parents[2] / "cli" / "arena" / "sample.py"
PYTHON = sys.executable


# Ratings


@pytest.mark.second
def test_three_wins_of_four_are_rated_as_odds_of_three_to_one() -> None:
    found = rated([[("A", 2), ("B", 1)]] * 300 + [[("A", 1), ("B", 2)]] * 100)
    assert list(found) == ["A", "B"]
    assert found["A"].points - found["B"].points == pytest.approx(400 * 0.477, abs=10)
    assert found["A"].points == pytest.approx(-found["B"].points)
    assert found["A"].low < found["A"].points < found["A"].high


@pytest.mark.long
def test_places_behind_the_first_count_too() -> None:
    found = rated([[("A", 3), ("B", 2), ("C", 1)]] * 10)
    assert list(found) == ["A", "B", "C"]
    assert found["B"].points - found["C"].points > 50


@pytest.mark.long
def test_a_tie_is_half_a_win() -> None:
    tied, halves = rated([[("A", 5), ("B", 5)]] * 20), rated([[("A", 2), ("B", 1)], [("A", 1), ("B", 2)]] * 10)
    assert abs(tied["A"].points) < 15
    assert tied == halves


@pytest.mark.long
def test_intervals_narrow_with_games_and_are_wide_where_one_has_won_all() -> None:
    few = rated([[("A", 2), ("B", 1)]] * 3)["A"]
    many = rated([[("A", 2), ("B", 1)], [("A", 1), ("B", 2)]] * 60)["A"]
    assert few.high - few.low > 300
    assert many.high - many.low < 100
    assert few.points < 1000


def test_whoever_plays_only_with_itself_is_average() -> None:
    assert rated([[("A", 2), ("A", 9)]])["A"].points == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_sits_in_every_seat_equally_often(players: int) -> None:
    entrants = [Entrant(name, "learner") for name in "ABC"]
    seats = Counter((one.name, seat) for seed in range(9) for seat, one in enumerate(seated(entrants, players, seed)))
    assert set(seats.values()) == {3}
    assert len(seats) == 3 * players
    assert len({tuple(one.name for one in seated(entrants, 3, seed)) for seed in range(30)}) == 6


# Outside programs


def playing(code: str, seconds: float = 5.0) -> Outside:
    return Outside((PYTHON, "-u", "-c", code), 1, seconds)


@pytest.fixture
def table() -> tuple[Title, State]:
    title = build("1889", 3)
    return title, start(title, ["Ann", "Ben", "Cho"])


def decided(player: Outside, table: tuple[Title, State], times: int = 1) -> list[Action]:
    title, state = table
    found = [player.move(title, state, PlayerId("p1"), lambda action: True) for _ in range(times)]
    player.close()
    assert all(judge(title, state, action) is None for action in found)
    return found


@pytest.mark.second
def test_a_program_answers_with_a_choice_or_an_action(table: tuple[Title, State]) -> None:
    code = """
import json, sys
asked = json.loads(sys.stdin.readline())
print('{"choose": 2}')
asked = json.loads(sys.stdin.readline())
print(json.dumps({"action": {"do": "Bid", "by": "p1", "private": "E", "amount": 235}}))
"""
    player = playing(code)
    asked = ask(*table, PlayerId("p1"))
    wanted = Bid(PlayerId("p1"), PrivateId("E"), 235)
    assert decided(player, table, 2) == [asked.options[2], wanted]
    assert wanted not in asked.options
    assert player.faults == []


FAULTS = {
    "dies": ("raise SystemExit", "It died."),
    "hangs": ("import time; time.sleep(60)", "It did not answer within 0.5 seconds."),
    "is deaf and hangs": ("import os, time; os.close(0); time.sleep(60)", ""),
    "says nonsense": ("input(); print('what?'); input()", "Its answer is not JSON."),
    "is nested": ("input(); print('[' * 100000); input()", "Its answer is not JSON."),
    "talks for ever": ("input(); print('x' * 2000000); input()", "Its answer is longer than 1000000 bytes."),
    "answers a list": (
        "input(); print('[1]'); input()",
        'Its answer is neither {"choose": NUMBER} nor {"action": {...}}.',
    ),
    "chooses too high": ("input(); print('{\"choose\": 999}'); input()", "There is no choice 999; the last is"),
    "chooses below": ("input(); print('{\"choose\": -1}'); input()", "There is no choice -1"),
    "chooses truth": ("input(); print('{\"choose\": true}'); input()", "Its answer is neither"),
    "acts for another": (
        'input(); print(\'{"action": {"do": "Pass", "by": "p2"}}\'); input()',
        "It decides for p1, not for p2.",
    ),
    "acts illegally": (
        'input(); print(\'{"action": {"do": "RollDie", "by": "p1"}}\'); input()',
        "",
    ),
    "acts unknown": ('input(); print(\'{"action": {"do": "Win", "by": "p1"}}\'); input()', "This is not an action"),
}


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_a_program_that_fails_loses_its_decision_and_is_told(fault: str, table: tuple[Title, State]) -> None:
    code, sentence = FAULTS[fault]
    player = playing(code, 0.5 if "hang" in fault else 5.0)
    (action,) = decided(player, table)
    assert len(player.faults) == 1
    assert player.faults[0].startswith(sentence)
    assert player.faults[0].endswith(".")
    assert action.by == "p1"


def test_a_program_is_told_why_its_last_answer_was_not_taken(table: tuple[Title, State]) -> None:
    code = """
import json, sys
wanted = [None, "Its answer is not JSON.", None]
for number, line in enumerate(sys.stdin):
    fits = json.loads(line).get("refused") == wanted[number]
    print(json.dumps({"choose": 0 if fits else -1}) if number else "nonsense")
"""
    player = playing(code)
    decided(player, table, 3)
    assert player.faults == ["Its answer is not JSON."]


@pytest.mark.long
def test_a_program_that_keeps_dying_is_not_started_for_ever(table: tuple[Title, State], tmp_path: Path) -> None:
    started = tmp_path / "started"
    player = playing(f"open({str(started)!r}, 'a').write('x'); raise SystemExit")
    decided(player, table, LIVES + 3)
    assert started.read_text() == "x" * LIVES
    assert len(player.faults) == LIVES + 3


def test_a_program_that_is_not_there_any_more_is_a_fault(table: tuple[Title, State]) -> None:
    player = Outside(("/nowhere/at/all",), 1, 5.0)
    decided(player, table)
    assert player.faults[0].startswith("It could not be started")


@pytest.mark.long
def test_a_program_that_ignores_the_end_is_ended(table: tuple[Title, State]) -> None:
    player = playing("import time\nprint(input() and '{\"choose\": 0}')\ntime.sleep(60)")
    title, state = table
    player.move(title, state, PlayerId("p1"), lambda action: True)
    process = player._process
    assert process is not None
    player.close(0.2)
    assert process.poll() is not None


def test_what_a_program_is_asked_tells_nothing_hidden() -> None:
    """Money between purses that a seat may not look into changes nothing of its question."""
    title = build("1890", 3, ["hidden_cash"])
    state = next(
        state
        for _, state in moves(title, ("learner",) * 3, 4)
        if state.round == SR and state.turn == 2 and not state.pending
    )
    seat = decision(title, state).players[0]
    rich, poor = (one for one in state.players if one != seat)
    other = state.copy()
    other.cash[rich] -= 7
    other.cash[poor] += 7
    one, two = (request(title, s, ask(title, s, seat), 1.0, "") for s in (state, other))
    assert one == two
    assert {rich, poor} <= set(one["estimates"])
    assert one["position"]["cash"][seat] == state.cash[seat]


@pytest.mark.broad
@pytest.mark.parametrize("title", ["1889", pytest.param("1860", marks=pytest.mark.slow)])
def test_the_sample_plays_whole_games(title: str) -> None:
    """Without a decision that had to be made for it."""
    assert len(SAMPLE.read_text(encoding="utf-8").splitlines()) <= 40
    entrants = (Entrant("mine", "", command=(PYTHON, str(SAMPLE))), Entrant("random", "random"))
    game = one_game(Conditions(title, (), 3, entrants, 30.0), 1)
    assert game.end
    assert game.faults == {}


# The command


@pytest.mark.broad
def test_the_table_rates_everybody_and_kept_games_are_not_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.jsonl"
    fails = f"mine={PYTHON} -c pass"
    short = ["--option", "scenario_a", "--option", "eight_turns"]
    line = ["arena", "1890", *short, "random", "learner", fails, "--games", "2", "--keep", str(file)]
    assert main(line) == 0
    said = capsys.readouterr().out
    assert {row.split()[0] for row in said.splitlines()[1:4]} == {"random", "learner", "mine"}
    assert "2 games of 1890 for 3" in said
    assert "decisions were made for mine; most often: It died or was too slow 3 times in this game." in said
    assert len(file.read_text().splitlines()) == 2
    monkeypatch.setattr("cli.arena.games.one_game", lambda *_: pytest.fail("played again"))
    assert main(line) == 0
    assert capsys.readouterr().out == said


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (["random"], "at least two players"),
        (["random", "random"], "a name of its own"),
        (["random", "clever"], "no player 'clever'"),
        (["random", "mine=/nowhere/at/all"], "names no program"),
        (["random", "=python"], "names no program"),
        (["random", "learner", "--players", "9"], "9"),
        (["random", "learner", "--seconds", "nan"], "takes some time"),
    ],
)
def test_what_cannot_be_played_is_said(asked: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "1889", *asked]) == 1
    assert answer in capsys.readouterr().err


@pytest.mark.parametrize("line", ['{"key": "half', '{"a": 1}', "5", "\ud800"])
def test_a_line_that_is_no_kept_game_is_named(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(line.encode(errors="surrogatepass"))
    assert main(["arena", "1889", "random", "learner", "--games", "1", "--keep", str(file)]) == 1
    assert capsys.readouterr().err == f"tetsudo: line 1 of {file} is no game that an earlier run kept: remove it.\n"


def test_a_program_without_an_end_of_its_quotation_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "1889", "random", 'x=python "mine', "--games", "1"]) == 1
    assert "names no program that can be started" in capsys.readouterr().err
