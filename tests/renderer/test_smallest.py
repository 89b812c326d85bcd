"""The smallest letters of each kind of picture, as high as they are where a phone shows it 350 pixels wide.

Run as a script, it prints them: `PYTHONPATH=.:tests python tests/renderer/test_smallest.py`. Letters on
tokens and hexes of the whole map are left out: words beside the picture, or a list, say what they say.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import drawn_boards as boards
import pytest
import samples

import engine
from engine.charting import CHARTS, chart
from engine.viewing import phases_view
from engine.views import CountsView
from renderer import (
    chart_picture,
    market_picture,
    phases_picture,
    table_picture,
    text,
    tiles_left_picture,
)
from renderer import map as drawn_map
from renderer.hex_plan import HexPlan
from renderer.png import Picture

PHONE = 350
READABLE = 9.0
BOARDS = {name: boards.views(getattr(boards, name)()) for name in ("wight", "china", "osaka")}


def pictures() -> dict[str, Callable[[], Picture]]:
    found: dict[str, Callable[[], Picture]] = {}
    for name, (board, market, table) in BOARDS.items():
        turned = [(tile, side) for tile in ("8", "9", "57") for side in range(6)]
        found[f"tile choices, {name}"] = partial(samples.tile_choices, board, board.hexes[20].id, turned)
        found[f"tiles left, {name}"] = partial(tiles_left_picture, board)
        found[f"market, {name}"] = partial(market_picture, market)
        found[f"holdings, {name}"] = partial(table_picture, table)
    for name in engine.TITLES:
        title = engine.build(name, 3)
        state = engine.start(title, ["Wilhelmina Featherstonehaugh-Ch", "Daichi", "Aiko"])
        found[f"phases, {name}"] = partial(phases_picture, phases_view(title, state))
        for key in CHARTS:
            found[f"chart of {key}, {name}"] = partial(chart_picture, chart(title, [state], key, None))
    found["chart of trains, a long game"] = partial(chart_picture, trains_of(44, 4))
    return found


def trains_of(rounds: int, count: int) -> CountsView:
    """The chart of a game of so many operating rounds, after each of which there are so many trains."""
    names = tuple(f"{turn}.{number}" for turn in range(1, rounds // 2 + 1) for number in (1, 2))
    return CountsView("Shikoku 1889", "Trains", names, (("2", (count,) * rounds),))


@contextmanager
def recorded() -> Iterator[list[tuple[int, str]]]:
    """The size and the words of all that is written on the picture itself, not on tokens or hexes that are kept."""
    seen: list[tuple[int, str]] = []
    draw = text.draw

    def noted(image: Any, x: float, y: float, words: str, size: int, *rest: Any, **more: Any) -> None:
        if getattr(image, "mode", "") != "RGBA":
            seen.append((size, words))
        draw(image, x, y, words, size, *rest, **more)

    with patch.object(text, "draw", noted):
        yield seen


def smallest(make: Callable[[], Picture]) -> tuple[float, str]:
    """How high the smallest letters are on a phone, and what they say."""
    with recorded() as seen:
        picture = make()
    size, words = min((one for one in seen if one[1].strip()), default=(0, "nothing"))
    return round(size * PHONE / picture.width, 1), words


@pytest.mark.second
@pytest.mark.parametrize("name", pictures())
def test_letters_can_be_read_on_a_phone(name: str) -> None:
    size, words = smallest(pictures()[name])
    assert size >= READABLE, words


def test_numbers_of_trains_are_whole_however_long_the_game_was() -> None:
    with recorded() as seen:
        chart_picture(trains_of(60, 12))
    assert {words for _, words in seen if words and "." not in words} == {"Trains", "Shikoku 1889", "2", "12"} | {
        "One round in 3 is shown"
    }
    assert [words for _, words in seen].count("12") == 20


@pytest.mark.long
@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("size", range(2))
def test_words_of_a_part_of_the_map_can_be_read_on_a_phone(name: str, size: int) -> None:
    """All but those of a few hexes, where they would cover something."""
    board, width = BOARDS[name][0], drawn_map._CROP_WIDTH
    look = drawn_map.look_of(board, int(drawn_map._SIZES[size] * width), False, width)
    least = READABLE * width / PHONE
    small = [one.id for one in board.hexes if min(written(HexPlan(one, look)), default=least) < least]
    assert len(small) <= 0.1 * len(board.hexes), small


def written(plan: HexPlan) -> list[int]:
    """The sizes of all letters on a hex."""
    tiers = [box.size for _, _, boxes in plan.tiers for box in boxes]
    return [*(size for *_, size in plan.values), *(one[2] for one in plan.texts), *tiers]


if __name__ == "__main__":
    for what, make in pictures().items():
        print(f"{what:32} {smallest(make)}")
