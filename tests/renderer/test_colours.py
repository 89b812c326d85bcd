"""Colours that mean something are told apart by people who see colours differently, by simulation of what they see."""

from __future__ import annotations

from itertools import combinations

import pytest
from coloraide import Color

from renderer import theme
from renderer.charts import dashes_of
from renderer.theme import Rgb

SEEN = ("", "protan", "deutan", "tritan")
"""With all three kinds of cones, or without one of them."""
APART = 8.0
"""CIEDE2000 from which on two neighbouring areas look different at a glance; 1 is just noticeable."""
LETTERS = 4.5
"""Contrast ratio of letters (WCAG AA)."""


def seen(colour: Rgb, kind: str) -> Color:
    plain = Color("srgb", [part / 255 for part in colour])
    return plain.filter(kind) if kind else plain


def least_apart(colours: dict[str, Rgb], kind: str) -> tuple[float, str, str]:
    """The two colours that look most alike, and how far apart they are; names of one colour are one."""
    pairs = combinations({colour: name for name, colour in colours.items()}.items(), 2)
    return min(
        (seen(first, kind).delta_e(seen(second, kind), method="2000"), one, other)
        for (first, one), (second, other) in pairs
    )


@pytest.mark.parametrize("kind", SEEN)
def test_hexes_of_two_colours_are_told_apart(kind: str) -> None:
    distance, one, other = least_apart(theme.HEX_FILL, kind)
    assert distance >= APART, (one, other)


@pytest.mark.parametrize("kind", SEEN)
def test_zones_of_the_market_are_told_apart(kind: str) -> None:
    distance, one, other = least_apart(theme.ZONE_BY_NAME | {"cell": theme.CELL}, kind)
    assert distance >= APART, (one, other)


@pytest.mark.parametrize("kind", SEEN)
def test_the_mark_of_the_latest_change_stands_out_on_every_hex(kind: str) -> None:
    for name, fill in theme.HEX_FILL.items():
        assert seen(theme.GLOW, kind).delta_e(seen(fill, kind), method="2000") >= 1.5 * APART, name


@pytest.mark.parametrize("kind", SEEN)
def test_ink_is_read_on_every_hex_and_cell(kind: str) -> None:
    for name, fill in (theme.HEX_FILL | theme.ZONE_BY_NAME).items():
        assert seen(theme.INK, kind).contrast(seen(fill, kind)) >= LETTERS, name


@pytest.mark.parametrize("kind", SEEN)
def test_curves_of_two_players_are_told_apart_and_from_the_paper(kind: str) -> None:
    distance, one, other = least_apart({str(colour): colour for colour in theme.CURVE_COLOURS}, kind)
    assert distance >= 2 * APART, (one, other)
    for colour in theme.CURVE_COLOURS:
        assert seen(colour, kind).delta_e(seen(theme.PAPER, kind), method="2000") >= 3 * APART, colour


def test_routes_of_two_trains_differ_in_their_dashes_too() -> None:
    assert len(set(theme.ROUTE_DASHES)) == len(theme.ROUTE_COLOURS) == len(theme.ROUTE_DASHES)


def test_curves_of_seven_players_differ_in_colour_or_dashes() -> None:
    colours = theme.CURVE_COLOURS
    assert len({(colours[number % len(colours)], dashes_of(number)) for number in range(7)}) == 7
