"""The picture of the tiles to choose from."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tables import table

import renderer
from bot.core.position import Position
from bot.core.work import Work
from bot.rooms.turn import pictures


async def test_it_is_drawn_with_tokens_where_they_come_to_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bases in Beijing share no city on its green tile."""
    t, s = table("1888", 3).operating("JHR", "track").par("JHR", 90).par("JZR", 90).no_homes().build()
    s.board = s.board.with_token("C9", 0, "JZR").with_token("C9", 1, "JHR")
    seen: list[Any] = []
    told: list[str] = []

    def drawn(view: Any, choices: Any, stops: Any, joined: Any) -> renderer.Picture:
        told.extend(joined)
        seen.extend([stop.slots for stop in one] for one in stops)
        return renderer.Picture(b"", 1, 1, "")

    monkeypatch.setattr(renderer, "tile_choices_picture", drawn)
    position = Position(t, s, 0, dict(s.names), Work(ThreadPoolExecutor(1)))
    await pictures.choices_image(position, "C9", [("L42", 0)])
    assert seen[0] == [("JZR",), (None,), (None,), ("JHR",)]
    assert told == ["C7, B10, C11 and D10"]
