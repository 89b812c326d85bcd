"""Every recorded game at hand plays to its recorded result, each state on the way equal to its trace.

`make test-all` plays every third one.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from engine import worth
from records.json_18xx import RecordPlayer, effective, header
from records.trace import line

SHARED = Path(__file__).parents[2].parent / "shared"
ONLINE = {"1889": "1889-VAR-05", "1889-beginner": "1889-VAR-05", "1888": "1888-VAR-01", "1860": "1860-VAR-15"}
"""By folder the rule that says how its games were played."""
GAMES = [
    pytest.param(
        path,
        marks=[pytest.mark.rule(rule), *([pytest.mark.slow] if number % 3 else [])],
        id=f"{path.parent.parent.name}-{path.stem}",
    )
    for folder, rule in ONLINE.items()
    for number, path in enumerate(sorted((SHARED / "games").glob(f"*/{folder}/*.json")))
] or [pytest.param(Path(), marks=pytest.mark.skip(reason="no recorded games beside this repository (../shared/games)"))]


def differences(want: Any, got: Any, where: str = "") -> list[str]:
    """The places where two JSON values differ, each in words."""
    if want == got:
        return []
    if isinstance(want, dict) and isinstance(got, dict):
        return [
            text
            for key in sorted({*want, *got})
            for text in differences(want.get(key), got.get(key), f"{where}.{key}".lstrip("."))
        ]
    return [f"{where}: wanted {want!r}, got {got!r}"]


@pytest.mark.parametrize("path", GAMES)
@pytest.mark.long
def test_recorded_game_replays_with_equal_states(path: Path) -> None:
    record = json.loads(path.read_text())
    head = header(record)
    reader = RecordPlayer(head)
    with gzip.open(SHARED / "traces" / path.parent.name / f"{path.stem}.jsonl.gz", "rt") as lines:
        wanted = lines.read().splitlines()
    actions = [None, *effective(record)]
    assert len(wanted) == len(actions)
    for index, (action, want) in enumerate(zip(actions, wanted, strict=True), start=-1):
        if action is not None:
            reader.play(action)
        got = line(head.title, reader.state, head.dialect, head.ids, index, action)
        found = [] if got == want else differences(json.loads(want), json.loads(got))
        assert not found, f"after action {index} ({action}):\n" + "\n".join(found)
    assert not reader.differences
    state = reader.state
    result = {str(head.ids[player]): worth(head.title, state, player) for player in state.players}
    if isinstance(record.get("result"), dict):
        assert result == record["result"]
