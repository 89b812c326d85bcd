"""Words, numbers and signs on a hex cover nothing: counted as drawn, on every printed map and on late boards."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import drawn_boards as boards
import overlaps
import pytest
import samples

from engine import build, start
from engine.ids import HexId, TileId
from engine.titles import TITLES
from engine.viewing import board_view, hex_view
from engine.views import BoardView
from records.files import play
from renderer import map as map_art
from renderer import supply
from renderer.hex_art import HexArt
from renderer.hex_plan import HexLook

CROP = 130
"""Pixels to R about as in a crop; the whole maps are drawn with 82 to 99."""
REAL = Path(__file__).parents[2].parent / "shared" / "games" / "real"
RECORDED: list[Any] = sorted(REAL.glob("*/*.json")) or [
    pytest.param(Path(), marks=pytest.mark.skip(reason="no recorded games beside this repository (../shared/games)"))
]
PRINTED = {
    "1889": boards.printed("1889", 4),
    "1888": boards.printed("1888", 4),
    "1860": boards.printed("1860", 3),
    "1860 destinations": boards.printed("1860", 3, "destinations"),
    "1890": boards.printed("1890", 4),
    "1890 scenario A": boards.printed("1890", 3, "scenario_a"),
    "1890 scenario B": boards.printed("1890", 3, "scenario_b"),
}
LATE = {
    "1889": samples.middle,
    "1888": lambda: boards.views(boards.china())[0],
    "1860": lambda: boards.views(boards.wight())[0],
    "1860 destinations": lambda: boards.views(boards.wight("destinations"))[0],
    "1890": lambda: boards.views(boards.osaka())[0],
}


def radius_of(view: BoardView) -> int:
    return map_art.whole(view, 1600).radius


@pytest.mark.parametrize("board", PRINTED)
@pytest.mark.long
def test_nothing_on_a_printed_map_is_covered(board: str) -> None:
    view = PRINTED[board]
    assert overlaps.of_board(view, radius_of(view)) == []


@pytest.mark.parametrize("board", ["1890", "1890 scenario A", "1890 scenario B"])
@pytest.mark.long
def test_nothing_is_covered_by_local_names(board: str) -> None:
    view = PRINTED[board]
    assert overlaps.of_board(view, radius_of(view), local_names=True) == []


@pytest.mark.parametrize("radius", [None, pytest.param(CROP, marks=pytest.mark.slow)])
@pytest.mark.parametrize("board", LATE)
@pytest.mark.long
def test_nothing_on_a_late_board_is_covered(board: str, radius: int | None) -> None:
    view = LATE[board]()
    assert overlaps.of_board(view, radius or radius_of(view)) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_nothing_is_covered_where_people_played(path: Path) -> None:
    played = play(json.loads(path.read_text()))
    view = board_view(played.title, played.state)
    assert overlaps.of_board(view, radius_of(view)) == []


@pytest.mark.parametrize(
    ("title", "hex_id", "tile", "sides"),
    [("1888", "C9", "L42", range(6)), ("1890", "H13", "824", (4, 5)), ("1890", "H13", "834", (2, 3, 4, 5))],
)
@pytest.mark.long
def test_coordinate_and_label_find_room_on_a_crowded_tile(title: str, hex_id: str, tile: str, sides: list[int]) -> None:
    t = build(title, 4)
    s = start(t, "ABCD")  # type: ignore[arg-type]
    for side in sides:
        view = hex_view(t, replace(s, board=s.board.with_tile(HexId(hex_id), TileId(tile), side)), HexId(hex_id), {})
        for radius, width in ((153, 1200), (112, 1200), (82, 1600)):
            look = map_art.look_of(PRINTED[title], radius, False, width)
            assert overlaps.overlaps(view, look) == [], side


@pytest.mark.parametrize("radius", [84, 112])
def test_a_flag_on_a_crowded_tile_does_not_crowd_the_coordinate(radius: int) -> None:
    view = boards.views(boards.wight("destinations"))[0]
    drawn = HexArt(next(one for one in view.hexes if one.id == "G5"), HexLook("flat", radius))
    (flag,) = [at for kind, at, _ in drawn.signs if kind == "destination"]
    (coordinate,) = [at for at, words, *_ in drawn.texts if words == "G5"]
    assert math.dist(flag, coordinate) > 0.5


def test_what_covers_something_is_found() -> None:
    """The count is no use if it finds nothing: a name in the middle of a city is told."""
    view = next(one for one in samples.start().hexes if one.id == "K4")
    look = HexLook("flat", 84)
    drawn = HexArt(view, look)
    drawn.texts.append(((0.0, 0.0), "Takamatsu", 19, (0, 0, 0), False, None))
    assert "K4 (printed): 'Takamatsu' over a stop" in overlaps.found_on(drawn)


@pytest.mark.second
@pytest.mark.parametrize("title", TITLES)
def test_no_tile_of_the_supply_has_anything_covered(title: str) -> None:
    board = boards.printed(title, 3)
    look = HexLook(board.layout, supply.RADIUS, coordinate=False, number=False)
    assert [one for tile, _ in board.supply for one in overlaps.overlaps(supply.shown(tile), look)] == []
