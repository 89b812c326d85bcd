"""1860: games exported and read again."""

from __future__ import annotations

import pytest

from engine import build
from records.export_18xx import export
from records.files import play
from records.simulate import simulate


@pytest.mark.slow
@pytest.mark.rule("1860-SET-01", "1860-VAR-15")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_simulated_game_comes_back_from_its_export(players: int) -> None:
    title = build("1860", players, ["online"])
    names = tuple(f"P{number}" for number in range(1, players + 1))
    actions, state = simulate(title, names, 3)
    again = play(export(title, names, actions))
    assert again.difference() is None
    assert again.state.over == state.over
