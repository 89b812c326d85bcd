"""The map on the page is that of the pictures: drawn by a browser, it differs from the PNG by no more than edges."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from boarding import party
from browsing import CHROMIUM, browser, window
from PIL import Image, ImageChops, ImageFilter

from engine import TITLES
from renderer import vector
from renderer.map import Window, draw_board

pytest.importorskip("playwright.async_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine (apt install chromium)")
CASES = [pytest.param(one, marks=pytest.mark.slow if n else ()) for n, one in enumerate(TITLES)]
WIDTH = 1200
FAILURES = Path(__file__).parents[1] / "renderer" / "failures"
FAR, SHARE = 70, 0.012
"""How much of 255 a pixel differs, both a little blurred, that counts; and how many may: letters at half pixels."""


@pytest.mark.long
@pytest.mark.parametrize(
    "title", [pytest.param(one, marks=pytest.mark.slow if n else ()) for n, one in enumerate(TITLES)]
)
async def test_page_and_picture_are_one_drawing(tmp_path: Path, title: str) -> None:
    players = max(3, TITLES[title].players[0])
    async with party(tmp_path, title, players) as here, browser() as made:
        await here.play(lambda position: len(position.state.board.placed) > 8, seed=3)
        view = here.table.position.board()
        left, top, wide, high = vector.extent(view)
        radius = int(WIDTH / wide * vector.UNIT)
        size = (round(wide * radius / vector.UNIT), round(high * radius / vector.UNIT))
        how = {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": "light"}
        async with window(made, here.link(0), how, bypass_csp=True) as shown:
            await shown.page.add_style_tag(
                content="body > :not(main), main > :not(#stage), .zoom, #marks { display: none !important }"
                "main { display: block !important } #stage { position: fixed !important; inset: 0 }"
            )
            await shown.page.wait_for_timeout(300)
            got = Image.open(io.BytesIO(await shown.page.screenshot())).convert("RGB")
        window_of = Window(view.layout, radius, left / vector.UNIT, top / vector.UNIT, *size)
        want = draw_board(view, window_of, view.changed)
        blurred = [one.filter(ImageFilter.GaussianBlur(1.6)) for one in (got, want)]
        different = ImageChops.difference(*blurred).convert("L").point(lambda value: 255 if value > FAR else 0)
        share = sum(different.histogram()[128:]) / (size[0] * size[1])
        if share > SHARE:
            FAILURES.mkdir(exist_ok=True)
            for name, one in (("got", got), ("want", want), ("diff", different)):
                one.save(FAILURES / f"board-{title}-{name}.png")
        assert share <= SHARE
