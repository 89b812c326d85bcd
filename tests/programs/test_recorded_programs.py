"""Recorded games in which programs make their players' moves where they fit: they come out the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hindsight import played, replayed

from records.files import parse, play

SHARED = Path(__file__).parents[3] / "shared" / "games"
ABSENT = pytest.param(Path(), marks=pytest.mark.skip(reason="the recorded games of ../shared are absent"))
GAMES: Sequence[object] = [
    *sorted(SHARED.glob("real/1889/*.json"))[:1],
    *sorted(SHARED.glob("random/1888/1888-6p-3004.json")),
    *sorted(SHARED.glob("real/1860/*.json"))[:1],
    *(pytest.param(one, marks=pytest.mark.slow) for one in sorted(SHARED.glob("real/1888/*.json"))[:1]),
    *(pytest.param(one, marks=pytest.mark.slow) for one in sorted(SHARED.glob("random/*/*.json"))[5::20]),
] or [ABSENT]


@pytest.mark.parametrize("file", GAMES, ids=lambda file: f"{file.parent.name}-{file.stem}")
@pytest.mark.long
def test_programs_play_a_recorded_game_as_it_was_played(file: Path) -> None:
    record = play(parse(file.read_bytes()))
    game = played(record.title, record.names, record.actions)
    moves, tally = replayed(game, [3] * len(game.actions))
    assert [one.action for one in moves] == list(game.actions)
    assert moves[-1].state.to_dict() == game.states[-1].to_dict()
    assert tally.by_hand >= tally.saved > 0
