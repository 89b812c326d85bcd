"""Every recorded game of 1888-N at hand plays to its recorded result, each state on the way equal to its trace."""

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
GAMES = sorted((SHARED / "games").glob("*/1888/*.json"))


@pytest.mark.skipif(not GAMES, reason="no recorded games beside this repository (../shared/games)")
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
@pytest.mark.rule("1888-VAR-01")
def test_recorded_game_replays_with_equal_states(path: Path) -> None:
    record = json.loads(path.read_text())
    head = header(record)
    reader = Reader(head)
    with gzip.open(SHARED / "traces" / "1888" / f"{path.stem}.jsonl.gz", "rt") as lines:
        wanted = [json.loads(text) for text in lines]

    def compare(index: int, action: dict[str, Any] | None) -> None:
        got = json.loads(line(head.title, reader.state, head.dialect, head.ids, index, action))
        found = [
            f"{key}: wanted {wanted[index + 1][key]!r}, got {got[key]!r}"
            for key in got
            if wanted[index + 1][key] != got[key]
        ]
        assert not found, f"after action {index} ({action}):\n" + "\n".join(found)
        assert set(got) == set(wanted[index + 1])

    compare(-1, None)
    actions = effective(record)
    for index, action in enumerate(actions):
        reader.play(action)
        compare(index, action)
    assert len(wanted) == len(actions) + 1
    state = reader.state
    result = {str(head.ids[player]): worth(head.title, state, player) for player in state.players}
    assert result == record["result"]
