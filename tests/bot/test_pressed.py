"""Whether *Undo* stands beside what was done last in a turn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.rooms.turn.screen import somebody_pressed

PRESSED, BY_BOT = SimpleNamespace(automatic=False, user=5), SimpleNamespace(automatic=False, user=None)
AUTOMATIC = SimpleNamespace(automatic=True, user=None)


@pytest.mark.parametrize(
    ("moves", "start", "pressed"),
    [
        ([PRESSED], 0, True),
        ([PRESSED, AUTOMATIC], 0, True),
        ([BY_BOT], 0, False),
        ([PRESSED, BY_BOT], 0, False),
        ([PRESSED, AUTOMATIC], 1, False),  # somebody else's decision, before a turn that began by itself
        ([AUTOMATIC], 0, False),
    ],
)
def test_what_a_turn_began_with_by_itself_is_nobodys_press(moves: list[Any], start: int, pressed: bool) -> None:
    table: Any = SimpleNamespace(moves=moves)
    assert somebody_pressed(table, start) is pressed
