"""Films play as what they were made of."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
import samples
from PIL import Image, ImageChops

from engine.views import StillView
from renderer.film import LARGEST, _frames, film


def stills(count: int = 4) -> list[StillView]:
    board, market = samples.middle(), samples.market_crowd()
    marked = [one.id for one in board.hexes][:count]
    return [
        StillView(replace(board, changed=(hex_id,)), replace(market, moved=market.moved[:number]), f"change {number}")
        for number, hex_id in enumerate(marked)
    ]


@pytest.mark.broad
def test_every_picture_plays_exactly_as_it_was_drawn() -> None:
    shown = stills()
    with Image.open(io.BytesIO(film(shown))) as made:
        assert made.size[0] == 800
        assert made.info["loop"] == 0
        assert made.n_frames == len(shown)  # type: ignore[attr-defined]
        for number, drawn in enumerate(_frames(shown, 800)):
            made.seek(number)
            assert ImageChops.difference(made.convert("RGB"), drawn.convert("RGB")).getbbox() is None


@pytest.mark.long
def test_the_last_picture_stays_longest() -> None:
    with Image.open(io.BytesIO(film(stills()))) as made:
        first = made.info["duration"]
        made.seek(made.n_frames - 1)  # type: ignore[attr-defined]
        assert made.info["duration"] > 2 * first


@pytest.mark.long
def test_what_does_not_change_takes_no_room() -> None:
    one, *_ = stills()
    assert len(film([one] * 6)) < len(film([one])) + 6 * 200


@pytest.mark.broad
def test_a_film_that_would_be_too_large_is_narrower_and_then_shorter() -> None:
    shown = stills()
    size = len(film(shown))
    assert size < LARGEST
    made = film(shown, largest=size // 2)
    assert len(made) <= size // 2
    with Image.open(io.BytesIO(made)) as narrower:
        assert narrower.width < 800
