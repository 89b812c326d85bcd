"""The commands that work with game files, as a person types them."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO, TextIOWrapper
from pathlib import Path
from shutil import copy
from unittest.mock import Mock

import pytest
from PIL import Image

import bot.version
from cli.failure import written_whole
from cli.main import MODULES, main
from engine import State
from engine.actions import Action, Dividend
from engine.past import rounds_of
from opponents import Choice
from opponents.coach import Review, Slip

SHARED = Path(__file__).parents[2].parent / "shared"
OLD_LAY = SHARED / "games/found/1889-old-lay.json"
BANK_GAME = SHARED / "games/real/1889/962.json"


SIMULATE = ("simulate", "1889", "--players", "2", "--seed", "3", "--option", "online", "--out")


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("simulated") / "game.json"
    assert main([*SIMULATE, str(path)]) == 0
    return path


@pytest.fixture
def game(simulated: Path, tmp_path: Path) -> Path:
    """A file of the test's own, which it may change."""
    return Path(copy(simulated, tmp_path))


@pytest.mark.parametrize(("built", "commit"), [("", ""), ("3f2a1c9d0e1f", " (3f2a1c9d0)")])
def test_an_installed_program_tells_its_version_and_the_commit_it_was_built_from(
    built: str, commit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.version.HERE", tmp_path)  # no project file beside it, and no repository
    monkeypatch.setattr("bot.version.version", bot.version.version.__wrapped__)
    monkeypatch.setattr("bot.version.commit", bot.version.commit.__wrapped__)
    monkeypatch.setenv("TETSUDO_COMMIT", built)
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert capsys.readouterr().out == f"Tetsudo {project['version']}{commit}\n"


@pytest.mark.broad
def test_a_simulated_game_replays_to_its_result(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(game)]) == 0
    lines = capsys.readouterr().out.splitlines()
    result = json.loads(game.read_text())["result"]
    assert {line.split()[0]: int(line.split()[-1]) for line in lines} == result


@pytest.mark.long
def test_a_name_that_the_terminal_cannot_write_is_written_in_numbers(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = json.loads(game.read_text())
    body["players"][0] = "ひ"
    game.write_text(json.dumps(body))
    written = BytesIO()
    terminal = TextIOWrapper(written, encoding="cp1252")
    monkeypatch.setattr("sys.stdout", terminal)
    assert main(["replay", str(game)]) == 0
    terminal.flush()
    assert written.getvalue().startswith(b"p1 \\u3072 ")


@pytest.mark.long
def test_the_same_seed_gives_the_same_game(game: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    main([*SIMULATE, str(again)])
    assert again.read_bytes() == game.read_bytes()


@pytest.mark.long
def test_a_wrong_result_is_named_and_fails(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = json.loads(game.read_text())
    body["result"]["p1"] += 1
    game.write_text(json.dumps(body))
    assert main(["replay", str(game)]) == 1
    assert f"the record's result says {body['result']['p1']}" in capsys.readouterr().out


@pytest.mark.long
def test_the_first_refused_entry_is_named_with_its_rule(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = json.loads(game.read_text())
    body["log"].insert(
        5, {"seq": 6, "kind": "action", "action": {"do": "Bid", "by": "p1", "private": "B", "amount": 1}}
    )
    game.write_text(json.dumps(body))
    assert main(["replay", str(game)]) == 1
    assert "Entry 6" in capsys.readouterr().out


@pytest.mark.long
def test_a_game_that_has_not_ended_is_told_and_fine(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = json.loads(game.read_text())
    body.update(log=body["log"][:10], finished=False)
    game.write_text(json.dumps(body))
    assert main(["replay", str(game)]) == 0
    assert "has not ended" in capsys.readouterr().out


@pytest.mark.broad
def test_figures_that_differ_are_named_and_nothing_is_taken_over(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, back = tmp_path / "record.json", tmp_path / "back.json"
    main(["export", str(game), "--out", str(record)])
    body = json.loads(record.read_text())
    run = next(action for action in body["actions"] if action["type"] == "run_routes")
    run["routes"][0]["revenue"] += 10
    record.write_text(json.dumps(body))
    assert main(["replay", str(record)]) == 1
    assert f"Action {run['id']} (run_routes) states for train" in capsys.readouterr().out
    assert main(["import", str(record), "--out", str(back)]) == 1
    assert not back.exists()
    assert main(["import", str(record), "--out", str(back), "--as-recorded"]) == 0
    told = capsys.readouterr().err
    assert f"Action {run['id']} (run_routes) is refused by the rules" in told
    assert "states for train" in told
    assert [entry["action"]["stated"] for entry in json.loads(back.read_text())["log"] if "stated" in entry["action"]]
    assert main(["replay", str(back)]) == 1, "our own file is judged again"
    assert main(["replay", str(back), "--as-recorded"]) == 0


@pytest.mark.skipif(not OLD_LAY.exists(), reason="the recorded games of ../shared are absent")
@pytest.mark.long
def test_an_old_record_is_carried_on_only_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    back = tmp_path / "back.json"
    assert main(["replay", str(OLD_LAY)]) == 1
    assert capsys.readouterr().out.startswith("Action 354 (lay_tile) is refused")
    assert main(["import", str(OLD_LAY), "--out", str(back)]) == 1
    assert "[1889-TRK-08]" in capsys.readouterr().err
    assert main(["replay", str(OLD_LAY), "--as-recorded"]) == 0
    refused = [line for line in capsys.readouterr().out.splitlines() if "is refused by the rules" in line]
    assert [line.split()[1] for line in refused] == ["354", "509", "512"]
    assert main(["import", str(OLD_LAY), "--out", str(back), "--as-recorded"]) == 0
    assert main(["replay", str(back)]) == 1, "our own file is judged again"
    assert main(["replay", str(back), "--as-recorded"]) == 0


@pytest.mark.long
def test_export_and_import_carry_a_game_over_and_back(game: Path, tmp_path: Path) -> None:
    record, back = tmp_path / "record.json", tmp_path / "back.json"
    assert main(["export", str(game), "--out", str(record)]) == 0
    assert main(["replay", str(record)]) == 0
    assert main(["import", str(record), "--out", str(back)]) == 0
    assert json.loads(back.read_text())["result"] == json.loads(game.read_text())["result"]


@pytest.mark.parametrize("words", [("replay", "--trace"), ("export", "--out"), ("import", "--out")])
def test_what_is_made_of_a_game_does_not_replace_it(
    words: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "game.json"
    game.write_text("{}")
    assert main([words[0], str(game), words[1], str(game)]) == 1
    assert "what is written needs a file of its own" in capsys.readouterr().err
    assert game.read_text() == "{}"


@pytest.mark.long
@pytest.mark.skipif(not BANK_GAME.exists(), reason="the recorded games of ../shared are absent")
def test_a_trace_has_a_line_for_the_start_and_for_every_action(tmp_path: Path) -> None:
    out = tmp_path / "trace.jsonl"
    assert main(["replay", str(BANK_GAME), "--trace", str(out)]) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["i"] for line in lines] == list(range(-1, len(lines) - 1))
    assert lines[-1]["finished"]


@pytest.mark.long
@pytest.mark.skipif(not BANK_GAME.exists(), reason="the recorded games of ../shared are absent")
def test_no_recorded_run_is_better_than_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["routes", str(BANK_GAME)]) == 0
    assert "0 worse" in capsys.readouterr().out


@pytest.mark.broad
def test_pictures_of_a_game_are_drawn(game: Path, tmp_path: Path) -> None:
    assert main(["render", str(game), "--at", "60", "--out", str(tmp_path / "pictures")]) == 0
    pictures = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert pictures == ["game-map.png", "game-market.png", "game-table.png"]


@pytest.mark.second
@pytest.mark.parametrize("at", ["-1", "90000"])
def test_no_picture_is_drawn_of_what_was_not_played(at: str, game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(game), "--at", at]) == 1
    assert capsys.readouterr().err.startswith("tetsudo: --at goes from 0 to ")


@pytest.mark.parametrize("words", ["puzzles", "simulate 1889 --players 2 --policy strong"])
def test_where_no_file_can_be_written_nothing_is_played_first(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for played in ("cli.matches.moves", "cli.puzzles.ProcessPoolExecutor"):
        monkeypatch.setattr(played, Mock(side_effect=AssertionError))
    out = tmp_path / "nowhere" / "it.json"
    assert main([*words.split(), "--out", str(out)]) == 1
    assert capsys.readouterr().err.startswith(f"tetsudo: {out} cannot be written: ")


@pytest.mark.long
def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def half(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    out = tmp_path / "game.json"
    written_whole(out, b"what was there")
    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", half)
        assert main(["simulate", "1889", "--players", "2", "--out", str(out)]) == 1
        assert capsys.readouterr().err == f"tetsudo: {out} cannot be written: No space left on device\n"
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"what was there"]
    link = tmp_path / "link.json"
    link.symlink_to(out)
    written_whole(link, b"new")
    assert link.is_symlink()
    assert out.read_bytes() == b"new"
    written_whole(Path(os.devnull), b"nowhere")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("command", ["replay", "export", "import", "render", "routes", "review"])
def test_a_missing_file_is_a_message(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, str(tmp_path / "none.json")]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_an_unknown_option_is_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "1889", "--players", "3", "--option", "flying"]) == 1
    assert "no option flying" in capsys.readouterr().err
    assert main(["simulate", "1889", "--players", "9"]) == 1
    assert "2 to 6 players" in capsys.readouterr().err


@pytest.mark.long
def test_charts_of_a_game_file_are_drawn(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chart", str(game), "--about", "worth", "--about", "trains", "--out", str(tmp_path / "charts")]) == 0
    paths = [Path(line) for line in capsys.readouterr().out.split()]
    assert [path.name for path in paths] == ["game-worth.png", "game-trains.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


@pytest.mark.broad
def test_a_film_of_a_part_of_a_game_file_is_made(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["film", str(game), "--of", "3", "--out", str(tmp_path)]) == 0
    made = Path(capsys.readouterr().out.strip())
    with Image.open(made) as film:
        assert film.format == "GIF"
        assert film.width == 800
        assert getattr(film, "n_frames", 1) > 1
    assert main(["film", str(game), "--of", "99.9"]) == 1
    assert "no round or set 99.9" in capsys.readouterr().err


@pytest.mark.long
def test_a_finished_game_file_is_reviewed_player_by_player(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def review(title: object, states: list[State], actions: Sequence[Action]) -> Review:
        at = next(at for at, action in enumerate(actions) if isinstance(action, Dividend) and states[at].income)
        made = actions[at]
        assert isinstance(made, Dividend)
        better = replace(made, kind="withhold" if made.kind == "pay" else "pay")
        slip = Slip(at, made.by, Choice(made, 0), Choice(better, 9), 0.1, 300, (40, 30))
        slips = tuple((slip,) if seat == made.by else () for seat in states[0].players)
        return Review(((50, 50),) * (1 + len(rounds_of(states))), slips)

    monkeypatch.setattr("opponents.coach.review", review)
    assert main(["review", str(game), "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "finishes first in 30 instead of 40 of 100 ways." in said
    assert "the program would have done much the same" in said
    assert (tmp_path / "game-chances.png").read_bytes().startswith(b"\x89PNG")
    body = json.loads(game.read_text())
    body["log"] = body["log"][:20]
    del body["result"]
    game.write_text(json.dumps(body))
    assert main(["review", str(game)]) == 1
    assert "not over" in capsys.readouterr().err


def test_the_command_opens_the_playground_with_all_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    playground = Mock(return_value=0)
    monkeypatch.setattr("playground.__main__.main", playground)
    assert main(["play", "--players", "3", "--at=2.1", "--no-browser"]) == 0
    playground.assert_called_once_with(["--players", "3", "--at=2.1", "--no-browser"])


@pytest.mark.broad
@pytest.mark.parametrize(("word", "code", "says"), [("--help", 0, "--no-browser"), ("--seed=1", 1, "needs an extra")])
def test_the_playground_tells_how_it_is_used_where_its_extra_is_missing(word: str, code: int, says: str) -> None:
    program = "import sys; sys.modules['simcord'] = None; from cli.main import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", program, "play", word], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert says in done.stdout + done.stderr


@pytest.mark.long
def test_a_command_that_is_broken_off_says_so(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cli.files.play", Mock(side_effect=KeyboardInterrupt))
    assert main(["replay", str(game)]) == 130
    assert capsys.readouterr().err == "tetsudo: interrupted.\n"


def test_a_command_that_is_broken_off_while_it_is_still_read_in_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cli.main.import_module", Mock(side_effect=KeyboardInterrupt))
    assert main(["verify"]) == 130
    assert capsys.readouterr().err == "tetsudo: interrupted.\n"


@pytest.mark.broad
@pytest.mark.parametrize("words", [["--help"], ["replay"]])
def test_a_reader_that_is_gone_and_a_full_disk_bring_no_traceback(words: list[str], game: Path) -> None:
    command = [sys.executable, "-m", "cli.main", *words, *([str(game)] if words == ["replay"] else [])]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    reader, gone = os.pipe()
    os.close(reader)
    done = subprocess.run(command, env=buffered, stdout=gone, stderr=subprocess.PIPE, text=True, check=False)
    os.close(gone)
    assert (done.returncode, done.stderr) == (0, "")
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(command, env=buffered, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        said = "tetsudo: standard output cannot be written: No space left on device.\n"
        assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.broad
def test_a_command_imports_what_it_needs_itself(tmp_path: Path) -> None:
    """A container is asked for its health each minute; `verify` is the longest of those that need no Discord."""
    ask = "import sys; from cli.main import main; main({!r}); print(*sys.modules)"
    for command, spared in (("health", {"engine", "aiohttp"}), ("verify", {"discord"})):
        environment = os.environ | {"TETSUDO_DB": str(tmp_path / "none.sqlite3")}
        words = (sys.executable, "-c", ask.format([command]))
        told = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        assert "none.sqlite3 does not exist" in told.stderr
        assert not spared & set(told.stdout.split())


def test_each_command_is_found_in_its_module(capsys: pytest.CaptureFixture[str]) -> None:
    for command in [name for names in MODULES.values() for name in names]:
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        assert capsys.readouterr().out.startswith(f"usage: tetsudo {command} ")
