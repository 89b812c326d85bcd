"""Golden pictures of each title: maps, routes, choices, markets, tables; and every tile."""

from __future__ import annotations

from functools import cache

import drawn_boards as boards
import pytest
import samples
from comparing import Golden

import renderer
from renderer import Picture

MIDDLE = samples.middle()
ROUTES = samples.routes()
WIGHT = boards.views(boards.wight())
CHINA = boards.views(boards.china())
OSAKA = boards.views(boards.osaka())
CHOICES = [
    *((tile, rotation) for tile in ("448", "611", "15") for rotation in range(6)),
    *(("206", rotation) for rotation in range(6)),
]
PICTURES = {
    "map-start": lambda: renderer.map_picture(samples.start()),
    "map-middle": lambda: renderer.map_picture(MIDDLE),
    "map-crop": lambda: renderer.map_picture(MIDDLE, focus=MIDDLE.changed),
    "map-routes": lambda: renderer.map_picture(ROUTES[0], routes=ROUTES[1]),
    "tile-choices": lambda: samples.tile_choices(MIDDLE, "E2", CHOICES),
    "tiles-left": lambda: renderer.tiles_left_picture(MIDDLE),
    "market-crowd": lambda: renderer.market_picture(samples.market_crowd()),
    "market-one-cell": lambda: renderer.market_picture(samples.market_all_in_one()),
    "market-tiers": lambda: renderer.market_picture(samples.market_tiers()),
    "table-six": lambda: renderer.table_picture(samples.table(6)),
    "table-hidden": lambda: renderer.table_picture(samples.table(3, hidden=True)),
    "1860-start": lambda: renderer.map_picture(boards.printed("1860", 3)),
    "1860-map": lambda: renderer.map_picture(WIGHT[0]),
    "1860-market": lambda: renderer.market_picture(WIGHT[1]),
    "1860-table": lambda: renderer.table_picture(WIGHT[2]),
    "1888-start": lambda: renderer.map_picture(boards.printed("1888", 3)),
    "1888-map": lambda: renderer.map_picture(CHINA[0]),
    "1888-market": lambda: renderer.market_picture(CHINA[1]),
    "1888-table": lambda: renderer.table_picture(CHINA[2]),
    "1890-start": lambda: renderer.map_picture(boards.printed("1890", 3)),
    "1890-scenario-a": lambda: renderer.map_picture(boards.printed("1890", 3, "scenario_a")),
    "1890-scenario-b": lambda: renderer.map_picture(boards.printed("1890", 3, "scenario_b")),
    "1890-map": lambda: renderer.map_picture(OSAKA[0], local_names=True),
    "1890-market": lambda: renderer.market_picture(OSAKA[1]),
    "1890-table": lambda: renderer.table_picture(OSAKA[2]),
    "every-tile-flat": lambda: renderer.map_picture(samples.every_tile("flat", 1)),
    "every-tile-pointy": lambda: renderer.map_picture(samples.every_tile("pointy")),
}


@cache
def drawn(name: str) -> Picture:
    return PICTURES[name]()


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.long
def test_picture_looks_as_it_did(name: str, golden: Golden) -> None:
    golden(name, drawn(name))


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.long
def test_picture_is_small_and_described(name: str) -> None:
    picture = drawn(name)
    assert len(picture.png) < 400 * 1024
    assert 20 < len(picture.alt) <= 1000
    assert picture.alt.endswith(".")
    assert samples.opened_size(picture) == (picture.width, picture.height)


@pytest.mark.second
def test_the_same_view_gives_the_same_bytes() -> None:
    first = renderer.map_picture(samples.start()).png
    assert renderer.map_picture(samples.start()).png == first
