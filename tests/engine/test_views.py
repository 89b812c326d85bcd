"""What people see of a hex is kept with the map, by all that it depends on."""

import pytest
from walks import whole_game

import engine
from engine.viewing import board_view

NAMES = ("Aiko", "Ben", "Chloe")


@pytest.mark.parametrize("title_id", engine.TITLES)
@pytest.mark.long
@pytest.mark.parametrize("most", [120, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_hex_that_was_seen_before_is_seen_as_it_is_now(title_id: str, most: int) -> None:
    title, states, _ = whole_game(title_id)
    title.grid.memo.clear()
    for state in states[:: max(4, len(states) // most)]:
        seen, known = board_view(title, state), dict(title.grid.memo)
        title.grid.memo.clear()
        assert board_view(title, state) == seen
        title.grid.memo.update(known)
    assert len({cell for cell, *_ in title.grid.memo}) == len(title.hexes) < len(title.grid.memo)


def test_no_more_hexes_are_remembered_than_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games that are set up alike remember them together, as long as the bot runs."""
    title = engine.build("1889", len(NAMES))
    state = engine.start(title, NAMES)
    seen = board_view(title, state)
    monkeypatch.setattr("engine.viewing.REMEMBERED", 5)
    title.grid.memo.clear()
    for state in whole_game("1889")[1][1:40]:
        board_view(title, state)
        assert 0 < len(title.grid.memo) <= 5
    assert board_view(title, engine.start(title, NAMES)) == seen
