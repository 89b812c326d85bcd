"""Colours that mean something are told apart by people who see colours differently, by simulation of what they see."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
import samples
from coloraide import Color

from engine.views import CurvesView, CurveView
from renderer import chart_picture, png, text, theme
from renderer.charts import dashes_of
from renderer.faces import HexLook
from renderer.hex_art import HOME_INK, HexArt
from renderer.theme import Rgb
from renderer.vector import SvgPen

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


@pytest.mark.parametrize("colour", theme.HEX_FILL)
def test_the_words_on_a_hex_are_read(colour: str) -> None:
    view = replace(next(one for one in samples.middle().hexes if one.tile == "8"), colour=colour)  # type: ignore[arg-type]
    inks = {words: ink for _, words, _, ink, *_ in HexArt(view, HexLook("flat", 153)).texts}
    assert set(inks) == {view.id, "8"}, "its coordinate and the tile's number"
    assert min(theme.contrast(ink, theme.HEX_FILL[colour]) for ink in inks.values()) >= LETTERS


def test_values_of_other_phases_and_homes_to_come_are_read() -> None:
    area = next(one for one in samples.middle().hexes if one.stops and one.stops[0].tiers)
    values = {str(10 * number): tier for number, tier in enumerate(theme.TIER_FILL, 1)}
    stop = replace(area.stops[0], tiers=tuple((tier, int(value)) for value, tier in values.items()), tier="")
    drawn = HexArt(replace(area, stops=(stop,)), HexLook("flat", 153)).paint(SvgPen())
    inks = {values[words]: ink for _, words, _, ink, *_ in drawn if words in values}
    assert {tier: theme.contrast(ink, theme.TIER_FILL[tier]) >= LETTERS for tier, ink in inks.items()} == dict.fromkeys(
        theme.TIER_FILL, True
    )
    assert theme.contrast(HOME_INK, theme.WHITE) >= LETTERS


def test_the_names_of_curves_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, Rgb] = {}
    monkeypatch.setattr(text, "draw", lambda image, x, y, words, size, fill, **more: drawn.update({words: fill}))
    curves = tuple(CurveView(name, None, (0, 100)) for name in ("Ann", "Ben", "Cem", "Dora", "Eva", "Finn", "Gus"))
    png.forget()
    chart_picture(CurvesView("Shikoku 1889", "Worth", "¥{}", ("start", "SR 1"), curves, ()))
    assert min(theme.contrast(drawn[one.name], theme.PAPER) for one in curves) >= LETTERS


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
