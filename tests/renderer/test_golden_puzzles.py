"""Golden pictures of puzzles: a map without the run that is asked for, who has which trains, and what is to decide."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import get_args

import pytest
from comparing import Golden

from bot.core.work import Work
from bot.rooms.puzzles.laid import OnTable, shelf
from opponents.puzzles import Kind
from renderer import Picture


@pytest.mark.long
@pytest.mark.parametrize("kind", get_args(Kind))
async def test_the_first_puzzle_of_each_kind(kind: Kind, golden: Golden) -> None:
    name = next(name for name, one in shelf().items() if one.puzzle.kind == kind)
    with ThreadPoolExecutor(1) as pool:
        image = await (await OnTable(Work(pool)).of(name)).picture()
    golden(f"puzzle-{kind}", Picture(image.png, 0, 0, image.alt))
