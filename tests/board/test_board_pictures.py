"""The map on the page is that of the pictures: drawn by a browser, it differs from the PNG by no more than edges."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from boarding import party
from browsing import IN_ONE_LOOP, window
from decisions import position_of
from PIL import Image, ImageChops, ImageFilter
from tables import table

from board.map_parts import layers, svg, touched
from board.markup import Html
from engine import TITLES
from engine.ids import HexId
from engine.views import BoardView, HexView
from renderer import vector
from renderer.geometry import half_size
from renderer.map import Window, draw_board

pytestmark = IN_ONE_LOOP
CASES = [pytest.param(one, marks=pytest.mark.slow if n else ()) for n, one in enumerate(TITLES)]
SIZE = (1400, 1000)
"""Pixels of what is compared: where companies are, as large as hexes are planned, so that both place words alike."""
FAILURES = Path(__file__).parents[1] / "renderer" / "failures"
FAR, SHARE = 60, 0.008
"""How much of 255 any colour of a pixel differs, blurred, that counts; how many of a hex may: edges of letters."""
BARE = (
    "body > :not(main, .symbols), main > :not(#stage), .zoom, #marks { display: none !important }"
    "main { display: block !important } #stage { position: fixed !important; inset: 0 }"
)


@pytest.mark.long
@pytest.mark.parametrize("title", CASES)
async def test_page_and_picture_are_one_drawing(tmp_path: Path, chromium: Any, title: str) -> None:
    players = max(3, TITLES[title].players[0])
    async with party(tmp_path, title, players) as here:
        await here.play(lambda position: len(position.state.board.placed) > 8, seed=3)
        view = here.table.position.board()
        left, top = corner(view)
        how = {"viewport": {"width": SIZE[0], "height": SIZE[1]}, "color_scheme": "light"}
        async with window(chromium, here.link(0), how, bypass_csp=True) as shown:
            await shown.page.add_style_tag(content=BARE)
            start = extent(view)
            box = " ".join(str(part * vector.FINE) for part in (start[0] + left, start[1] + top, *SIZE))
            await shown.page.evaluate("box => document.getElementById('map').setAttribute('viewBox', box)", box)
            await shown.page.wait_for_timeout(300)
            got = Image.open(io.BytesIO(await shown.page.screenshot())).convert("RGB")
        want = whole(view).crop((left, top, left + SIZE[0], top + SIZE[1]))
        unlike = different(got, want)
        shares = {one.id: share(unlike, view, one, (left, top)) for one in view.hexes}
        if max(shares.values()) > SHARE:
            FAILURES.mkdir(exist_ok=True)
            for name, image in (("got", got), ("want", want), ("diff", unlike)):
                image.save(FAILURES / f"board-{title}-{name}.png")
        assert {one: part for one, part in shares.items() if part > SHARE} == {}


def extent(view: BoardView) -> tuple[int, int, int, int]:
    """Left, top, width and height of the map in pixels."""
    left, top, wide, high = (round(part / vector.FINE) for part in vector.extent(view))
    return left, top, wide, high


def whole(view: BoardView) -> Image.Image:
    """The picture of the map: one that is wide enough to have letters of all sizes."""
    left, top, wide, high = extent(view)
    window_of = Window(view.layout, vector.RADIUS, left / vector.RADIUS, top / vector.RADIUS, wide, high)
    return draw_board(view, window_of, view.changed)


def corner(view: BoardView) -> tuple[int, int]:
    """Left and top of the part of the map in whose middle tokens are, in pixels from the map's own corner."""
    left, top, wide, high = extent(view)
    taken = [one for one in view.hexes if any(corp for stop in one.stops for corp in stop.slots)]
    at = [vector.centre_of(one, view.layout) for one in taken]
    x, y = (sum(part) / len(at) / vector.FINE for part in zip(*at, strict=True))
    return (
        round(min(max(0, x - left - SIZE[0] / 2), wide - SIZE[0])),
        round(min(max(0, y - top - SIZE[1] / 2), high - SIZE[1])),
    )


def different(got: Image.Image, want: Image.Image) -> Image.Image:
    """White where they differ."""
    blurred = [one.filter(ImageFilter.GaussianBlur(2.5)) for one in (got, want)]
    red, green, blue = ImageChops.difference(*blurred).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return most.point(lambda value: 255 if value > FAR else 0)


def share(unlike: Image.Image, view: BoardView, one: HexView, corner: tuple[int, int]) -> float:
    """How much of a hex's box differs; of one that is not wholly in the picture, nothing."""
    wide, high = (side * vector.RADIUS for side in half_size(view.layout))
    centre, start = vector.centre_of(one, view.layout), extent(view)
    x, y = (centre[n] / vector.FINE - start[n] - corner[n] for n in range(2))
    if not (wide <= x <= SIZE[0] - wide and high <= y <= SIZE[1] - high):
        return 0.0
    box = unlike.crop((round(x - wide), round(y - high), round(x + wide), round(y + high)))
    return sum(box.histogram()[128:]) / (box.width * box.height)


@pytest.mark.second
async def test_marks_lie_below_the_words_or_they_would_cover_the_coordinates() -> None:
    t, s = table("1860").build()
    position = position_of(t, s)
    parts = layers(position) | dict.fromkeys(("routes", "glow", "marks", "hexes"), Html(""))
    made = str(svg(position.board(), parts))
    assert made.index('id="ground-J8"') < made.index('id="marks"') < made.index('id="top-J8"')


@pytest.mark.parametrize(("marks", "first"), [({}, "A8"), ({HexId("K6"): "lay", HexId("C8"): "lay"}, "C8")])
async def test_keys_come_first_to_a_hex_that_is_marked(marks: dict[HexId, str], first: str) -> None:
    t, s = table("1889").build()
    position = position_of(t, s)
    hexes = str(touched(position.board(), position.lexicon(), marks)).split("<path")
    assert [one.partition('data-hex="')[2].partition('"')[0] for one in hexes if 'tabindex="0"' in one] == [first]
