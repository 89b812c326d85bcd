"""Where things are on a hex, asserted directly."""

from __future__ import annotations

import math

import pytest

from engine.board.hexes import Layout, across, position
from engine.board.tile_list import TILES
from engine.board.tiles import turned
from engine.ids import TileId
from renderer import geometry
from renderer.geometry import places
from renderer.tiles import plain_hex

LAYOUTS = ("flat", "pointy")


def inside(layout: Layout, point: tuple[float, float]) -> float:
    """The distance from the point to the nearest side, negative outside."""
    sides = [geometry.direction(layout, side) for side in range(6)]
    return geometry.APOTHEM - max(point[0] * dx + point[1] * dy for dx, dy in sides)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_across_a_side_lies_two_apothems_away_in_its_direction(layout: Layout) -> None:
    home = geometry.hex_centre(layout, *position(layout, "E4"))
    for side in range(6):
        there = geometry.hex_centre(layout, *position(layout, across(layout, "E4", side)))
        dx, dy = geometry.direction(layout, side)
        wanted = (home[0] + 2 * geometry.APOTHEM * dx, home[1] + 2 * geometry.APOTHEM * dy)
        assert math.dist(there, wanted) < 1e-9


def test_side_0_is_at_the_bottom_of_flat_and_lower_left_of_pointy_hexes() -> None:
    assert geometry.direction("flat", 0) == pytest.approx((0, 1))
    x, y = geometry.direction("pointy", 0)
    assert x < 0 < y
    assert geometry.direction("pointy", 1) == pytest.approx((-1, 0))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("apart", "radius"), [(1, 0.5), (2, 1.5)])
def test_track_between_sides_is_an_arc_around_where_their_lines_meet(layout: Layout, apart: int, radius: float) -> None:
    for side in range(6):
        curve = geometry.side_to_side(layout, side, (side + apart) % 6)
        dx, dy = geometry.direction(layout, side + apart / 2)
        reach = geometry.APOTHEM / math.cos(math.radians(30 * apart))
        meeting = (reach * dx, reach * dy)
        assert all(math.dist(point, meeting) == pytest.approx(radius) for point in curve)
        assert math.dist(curve[-1], geometry.side_middle(layout, (side + apart) % 6)) < 1e-9


def test_opposite_sides_are_joined_by_a_straight_line() -> None:
    assert geometry.length(geometry.side_to_side("flat", 1, 4)) == pytest.approx(2 * geometry.APOTHEM)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_track_meets_its_sides_in_the_middle_at_a_right_angle(layout: Layout) -> None:
    for number, tile in TILES.items():
        for rotation in range(6):
            view = plain_hex(tile, number, rotation)
            at = places(view, layout)
            for a, b in view.track:
                curve = geometry.segment_curve(layout, at, a, b)
                if a < 6:
                    dx, dy = geometry.direction(layout, a)
                    assert math.dist(curve[0], geometry.side_middle(layout, a)) < 1e-9
                    step = (curve[1][0] - curve[0][0], curve[1][1] - curve[0][1])
                    cosine = -(step[0] * dx + step[1] * dy) / math.hypot(*step)
                    assert cosine > math.cos(math.radians(6)), (number, rotation, a, b)
                if b >= 6:
                    assert math.dist(curve[-1], at[b - 6].point) < 1e-9


@pytest.mark.second
@pytest.mark.parametrize("layout", LAYOUTS)
def test_track_and_places_stay_on_their_hex(layout: Layout) -> None:
    for number, tile in TILES.items():
        for rotation in range(6):
            view = plain_hex(tile, number, rotation)
            at = places(view, layout)
            for a, b in view.track:
                curve = geometry.segment_curve(layout, at, a, b)
                assert min(inside(layout, point) for point in curve) > -1e-6, (number, rotation)
            for stop, place in zip(view.stops, at, strict=True):
                if stop.kind == "city":
                    for point in geometry.slot_points(place, len(stop.slots)):
                        assert inside(layout, point) > geometry.slot_radius(place, len(stop.slots)) * 0.8


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cities_of_one_tile_do_not_touch(layout: Layout) -> None:
    for number, tile in TILES.items():
        for rotation in range(6):
            view = plain_hex(tile, number, rotation)
            spots = [
                (i, point, geometry.slot_radius(place, len(stop.slots)))
                for i, (stop, place) in enumerate(zip(view.stops, places(view, layout), strict=True))
                if stop.kind == "city"
                for point in geometry.slot_points(place, len(stop.slots))
            ]
            for n, (i, a, size) in enumerate(spots):
                for j, b, other in spots[:n]:
                    room = 0 if i == j else 0.02
                    assert math.dist(a, b) > size + other + room - 1e-9, (number, rotation)


def test_a_city_with_two_exits_lies_on_the_line_between_them() -> None:
    view = plain_hex(TILES[TileId("8858")], TileId("8858"))
    for place, sides in zip(places(view, "flat"), ((0, 2), (1, 3)), strict=True):
        line = geometry.side_to_side("flat", *sides)
        assert min(math.dist(place.point, point) for point in line) < 0.05


def test_a_hint_is_turned_with_the_tile() -> None:
    for rotation in range(6):
        view = plain_hex(TILES[TileId("774")], TileId("774"), rotation)
        dx, dy = geometry.direction("flat", 4 + rotation)
        assert places(view, "flat")[0].point == pytest.approx((0.5 * dx, 0.5 * dy))


def test_rotations_come_from_the_tile_language() -> None:
    assert plain_hex(TILES[TileId("8")], TileId("8"), 2).track == tuple(
        sorted(turned(TILES[TileId("8")].face, 2).segments)
    )


def test_a_curve_is_shifted_to_the_right_of_travel() -> None:
    """Down the page is further: who goes east has the south on their right."""
    east = ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0))
    assert [y for _, y in geometry.shifted(east, 0.1)] == pytest.approx([0.1] * 3)
    assert [y for _, y in geometry.shifted(east[::-1], 0.1)] == pytest.approx([-0.1] * 3)
