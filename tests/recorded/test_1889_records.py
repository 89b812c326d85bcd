"""Every recorded game of 1889 at hand plays to its recorded result, each state on the way equal to its trace."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from engine import worth
from records.json_18xx import Reader, effective, header
from records.trace import line

SHARED = Path(__file__).parents[2].parent / "shared"
GAMES = sorted(
    path for pattern in ("*/1889/*.json", "*/1889-beginner/*.json") for path in (SHARED / "games").glob(pattern)
)


def trace_of(game: Path) -> Path:
    return SHARED / "traces" / game.parent.name / f"{game.stem}.jsonl.gz"


def differences(want: Any, got: Any, where: str = "") -> list[str]:
    """The places where two JSON values differ, each in words."""
    if isinstance(want, dict) and isinstance(got, dict):
        return [
            text
            for key in sorted({*want, *got})
            for text in differences(want.get(key), got.get(key), f"{where}.{key}".lstrip("."))
        ]
    return [] if want == got else [f"{where}: wanted {want!r}, got {got!r}"]


@pytest.mark.skipif(not GAMES, reason="no recorded games beside this repository (../shared/games)")
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
@pytest.mark.rule("1889-VAR-05")
def test_recorded_game_replays_with_equal_states(path: Path) -> None:
    record = json.loads(path.read_text())
    head = header(record)
    reader = Reader(head)
    with gzip.open(trace_of(path), "rt") as lines:
        wanted = [json.loads(text) for text in lines]

    def compare(index: int, action: dict[str, Any] | None) -> None:
        got = json.loads(line(head.title, reader.state, head.dialect, head.ids, index, action))
        found = differences(wanted[index + 1], got)
        assert not found, f"after action {index} ({action}):\n" + "\n".join(found)

    compare(-1, None)
    actions = effective(record)
    for index, action in enumerate(actions):
        reader.play(action)
        compare(index, action)
    assert len(wanted) == len(actions) + 1
    state = reader.state
    result = {str(head.ids[player]): worth(head.title, state, player) for player in state.players}
    if isinstance(record.get("result"), dict):
        assert result == record["result"]
