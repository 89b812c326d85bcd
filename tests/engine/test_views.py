"""What people see of a hex is kept with the map, by all that it depends on."""

import pytest

import engine
from engine.viewing import board_view
from records.simulate import simulate

NAMES = ("Aiko", "Ben", "Chloe")


@pytest.mark.parametrize("title_id", engine.TITLES)
@pytest.mark.long
def test_a_hex_that_was_seen_before_is_seen_as_it_is_now(title_id: str) -> None:
    title = engine.build(title_id, len(NAMES))
    state = engine.start(title, NAMES)
    for number, action in enumerate(simulate(title, NAMES, 3)[0]):
        state = engine.apply(title, state, action)
        if number % 4:
            continue
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
    for action in simulate(title, NAMES, 3)[0][:40]:
        state = engine.apply(title, state, action)
        board_view(title, state)
        assert 0 < len(title.grid.memo) <= 5
    assert board_view(title, engine.start(title, NAMES)) == seen
