"""The chart of phases: what it says, and that it can be read on a phone."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

import engine
from engine.viewing import phases_view
from engine.views import PhasesView
from renderer import phases, text
from renderer.phases import phases_picture

PHONE = 350
LEAST_FIGURE = 9
CAPITALS = 0.7
"""Height of capitals and figures, of a letter's size."""


def chart(title: str, players: int = 3) -> PhasesView:
    t = engine.build(title, players)
    return phases_view(t, engine.start(t, ["Ann", "Ben", "Cho"]))


@pytest.mark.parametrize("title", engine.TITLES)
def test_every_figure_is_readable_on_a_phone_and_nothing_is_cut(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, int, float, str]] = []
    drawn = text.draw

    def note(image: Any, x: float, y: float, words: str, size: int, *args: Any, **more: Any) -> None:
        written.append((words, size, x, more.get("align", "m")))
        drawn(image, x, y, words, size, *args, **more)

    monkeypatch.setattr(phases.text, "draw", note)
    picture = phases_picture(chart(title))
    for words, size, x, align in written:
        assert size * CAPITALS * PHONE / picture.width >= LEAST_FIGURE, words
        assert "…" not in words
        assert align != "l" or x + text.width(words, size) <= picture.width, words
    assert picture.height > picture.width


def test_the_figures_are_as_high_as_that_test_takes_them_to_be() -> None:
    image = Image.new("RGB", (200, 200), "white")
    text.draw(image, 100, 100, "0", 100, (0, 0, 0))
    top, bottom = image.convert("L").point([255 if value < 128 else 0 for value in range(256)]).getbbox()[1::2]  # type: ignore[index]
    assert bottom - top >= CAPITALS * 100


@pytest.mark.second
@pytest.mark.parametrize("title", engine.TITLES)
def test_the_present_phase_is_marked(title: str) -> None:
    view = chart(title)
    pictures = [phases_picture(replace(view, phase=row.name)) for row in view.rows]
    assert len({picture.png for picture in pictures}) == len(view.rows)
    for row, picture in zip(view.rows, pictures, strict=True):
        assert f" {row.name} (now): " in picture.alt
        assert Image.open(io.BytesIO(picture.png)).size == (picture.width, picture.height)


def test_the_chart_says_what_opens_rusts_and_closes() -> None:
    told = phases_picture(chart("1889")).alt
    assert "4: yellow, green tiles; train limit 3; 2 OR; 2-trains rust." in told
    assert "5: yellow, green, brown tiles; train limit 2; 3 OR; privates close; new off-board values." in told
