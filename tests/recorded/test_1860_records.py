"""1860: recorded games play with every state equal to its trace; simulated ones come back from their export."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from test_1889_records import SHARED, differences, trace_of

from engine import build
from records.export_18xx import export
from records.files import play
from records.json_18xx import Reader, effective, header
from records.simulate import simulate
from records.trace import line

GAMES = sorted((SHARED / "games").glob("*/1860/*.json"))


@pytest.mark.skipif(not GAMES, reason="no recorded games beside this repository (../shared/games)")
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
@pytest.mark.rule("1860-VAR-15")
def test_recorded_game_replays_with_equal_states(path: Path) -> None:
    record = json.loads(path.read_text())
    head = header(record)
    reader = Reader(head)
    with gzip.open(trace_of(path), "rt") as lines:
        wanted = [json.loads(text) for text in lines]
    actions = [None, *effective(record)]
    assert len(wanted) == len(actions)
    for index, action in enumerate(actions, start=-1):
        if action is not None:
            reader.play(action)
        got = json.loads(line(head.title, reader.state, head.dialect, head.ids, index, action))
        found = differences(wanted[index + 1], got)
        assert not found, f"after action {index} ({action}):\n" + "\n".join(found)


@pytest.mark.slow
@pytest.mark.rule("1860-SET-01")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_simulated_game_comes_back_from_its_export(players: int) -> None:
    title = build("1860", players, ["online"])
    names = tuple(f"P{number}" for number in range(1, players + 1))
    actions, state = simulate(title, names, 3)
    again = play(export(title, names, actions))
    assert again.difference() is None
    assert again.state.over == state.over
