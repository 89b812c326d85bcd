"""`tetsudo routes`: stored positions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import main

SMALL = {
    "title": "1889", "players": 3, "options": [], "phase": "2", "corp": "AR",
    "placed": {"J9": ["5", 1], "J7": ["9", 0]}, "tokens": {"K8.0": ["AR"]}, "sets": [["2"], ["2", "3"]],
}  # fmt: skip


def stored(folder: Path, **changes: object) -> str:
    path = folder / "position.json"
    path.write_text(json.dumps({**SMALL, **changes}))
    return str(path)


def test_a_stored_position_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["routes", stored(tmp_path), "--board"]) == 0
    assert capsys.readouterr().out.count("proved best") == 2


@pytest.mark.parametrize("changes", [{"corp": "XX"}, {"phase": "9"}, {"sets": [["9+5"]]}, {"title": "1066"}])
def test_a_position_that_does_not_exist_is_refused(
    changes: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["routes", stored(tmp_path, **changes), "--board"]) == 1
    assert "tetsudo: " in capsys.readouterr().err
