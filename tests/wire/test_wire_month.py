"""Some days of games with people of all habits and a bot that is killed; `wire_month.py` runs a whole month of many."""

from __future__ import annotations

from pathlib import Path

import pytest
from wire_month import run


@pytest.mark.slow
async def test_everybody_is_told_once_never_at_night_or_while_away_and_in_time(tmp_path: Path) -> None:
    found = await run(games=5, people=12, days=5, seed=11, folder=tmp_path)
    assert found.wrong == []
    for what in ("kills", "outages", "turns", "reminders", "reckoned"):
        assert found.figures.get(what, 0) > 0, found.figures
    assert sum(count for what, count in found.figures.items() if what.startswith("deeds")) > 0, found.figures
