"""Colours that mean something are told apart by people who see colours differently, by simulation of what they see."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
import samples
from PIL import Image, ImageFilter

import engine
from engine.ids import CorpId
from engine.viewing import companies
from engine.views import CurvesView, CurveView
from renderer import chart_picture, charts, market, text, theme, tiles_left_picture
from renderer.charts import _shade
from renderer.geometry import Curve, places
from renderer.hex_art import HOME_INK, HexArt
from renderer.hex_plan import HexLook
from renderer.routes import overlays
from renderer.theme import Rgb
from renderer.vector import SvgPen

SEEN = ("", "protan", "deutan", "tritan")
"""With all three kinds of cones, or without one of them."""
APART = 8.0
"""CIEDE2000 from which on two neighbouring areas look different at a glance; 1 is just noticeable."""
LETTERS = 4.5
"""Contrast ratio of letters (WCAG AA)."""


def seen(colour: Rgb, kind: str) -> Any:
    from coloraide import Color  # which takes its time, in the processes that need it

    plain = Color("srgb", [part / 255 for part in colour])
    return plain.filter(kind) if kind else plain


def least_apart(colours: dict[str, Rgb], kind: str) -> tuple[float, str, str]:
    """The two colours that look most alike, and how far apart they are; names of one colour are one."""
    pairs = combinations({colour: name for name, colour in colours.items()}.items(), 2)
    return min(
        (seen(first, kind).delta_e(seen(second, kind), method="2000"), one, other)
        for (first, one), (second, other) in pairs
    )


@pytest.mark.second
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


@pytest.mark.second
def test_the_numbers_of_used_up_tiles_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, Rgb] = {}
    monkeypatch.setattr(text, "draw", lambda image, x, y, words, size, fill, **more: drawn.update({words: fill}))
    board = samples.middle()
    tiles_left_picture(replace(board, supply=tuple((tile, 0) for tile, _ in board.supply)))
    assert theme.contrast(drawn["8"], theme.PAPER) >= LETTERS


def test_the_names_of_curves_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, Rgb] = {}
    monkeypatch.setattr(text, "draw", lambda image, x, y, words, size, fill, **more: drawn.update({words: fill}))
    curves = tuple(CurveView(name, None, (0, 100)) for name in ("Ann", "Ben", "Cem", "Dora", "Eva", "Finn", "Gus"))
    chart_picture(CurvesView("Shikoku 1889", "Worth", "¥{}", ("start", "SR 1"), curves, ()))
    assert min(theme.contrast(drawn[one.name], theme.PAPER) for one in curves) >= LETTERS


def test_names_of_players_keep_the_hue_of_their_curves_in_the_finished_picture() -> None:
    """A name beside a light blue curve was green: its darker blue was no colour of the palette."""
    curves = tuple(CurveView(name, None, (0, 100)) for name in ("Ann", "Ben", "Cem", "Dora", "Eva", "Finn", "Gus"))
    made = chart_picture(CurvesView("Shikoku 1889", "Worth", "¥{}", ("start", "SR 1"), curves, ()))
    pixels = Image.open(io.BytesIO(made.png)).convert("RGB").tobytes()
    shown = {pixels[at : at + 3] for at in range(0, len(pixels), 3)}
    for colour in theme.CURVE_COLOURS:
        name = charts._darker(colour, LETTERS)
        assert min(sum(abs(a - b) for a, b in zip(name, one, strict=True)) for one in shown) < 9, name


@pytest.mark.parametrize("tenths", range(1, 11))
def test_numbers_of_trains_are_read_on_every_shade(tenths: int) -> None:
    assert max(theme.contrast(_shade(tenths), ink) for ink in (theme.WHITE, theme.INK)) >= LETTERS


def test_words_of_an_area_where_a_train_ends_stand_on_its_own_colour() -> None:
    board, ran = samples.routes()
    area = next(one for one in board.hexes if one.id == "J1")
    ((_, drawn),) = overlays({area.id: area}, ran[:1], board.layout, 100)
    x, y = places(area, board.layout)[0].point
    below = drawn.getpixel((round(drawn.width / 2 + 100 * x), round(drawn.height / 2 + 100 * y)))
    assert below == (*theme.HEX_FILL[area.colour], 255)


@pytest.mark.long
def test_the_arrow_of_a_move_leaves_the_price_between_clear() -> None:
    view = samples.market_crowd()
    placed = market._Grid(view)
    left, top, right, _ = placed.boxes[7, 1]  # KU came down to it, and its price stands above the tokens
    grid = placed.drawn().rgb()
    letters = Image.new("RGB", grid.size)
    middle = ((left + right) / 2, top + market._PRICE_LINE / 2 + 1)
    price, sizes = str(market._cell_of(view, (7, 1)).price), placed.sizes
    text.draw(letters, *middle, price, sizes.price, theme.WHITE, bold=True, narrow=sizes.narrow)
    around = letters.convert("L").point([0] + [255] * 255).filter(ImageFilter.MaxFilter(5))
    near = Image.composite(grid, Image.new("RGB", grid.size), around).getcolors(grid.width * grid.height) or []
    assert theme.GLOW not in {colour for _, colour in near}


@pytest.mark.parametrize("kind", SEEN)
def test_curves_of_two_players_are_told_apart_and_from_the_paper(kind: str) -> None:
    distance, one, other = least_apart({str(colour): colour for colour in theme.CURVE_COLOURS}, kind)
    assert distance >= 2 * APART, (one, other)
    for colour in theme.CURVE_COLOURS:
        assert seen(colour, kind).delta_e(seen(theme.PAPER, kind), method="2000") >= 3 * APART, colour


def test_red_and_green_curves_differ_in_their_dashes_whoever_else_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Sequence[float]] = []

    def noted(points: Curve, dashes: Sequence[float]) -> list[Curve]:
        drawn.append(dashes)
        return [points]

    monkeypatch.setattr(charts, "dashed", noted)
    known = companies(engine.build("1860", 3))
    started = [company.id for company in known if company.id != "IWNJ"]
    curves = tuple(CurveView(corp, corp, (100, 100)) for corp in started)
    chart_picture(CurvesView("1860", "Share prices", "£{}", ("start", "SR 1"), curves, known))
    dashes = dict(zip(started, drawn[-1::-2], strict=True))  # the first is drawn last, each above its casing
    assert dashes[CorpId("IOW")] != dashes[CorpId("VYSC")]


def test_routes_of_two_trains_differ_in_their_dashes_too() -> None:
    assert len(set(theme.ROUTE_DASHES)) == len(theme.ROUTE_COLOURS) == len(theme.ROUTE_DASHES)


def test_every_player_of_seven_has_a_curve_of_their_own_colour() -> None:
    """Two of 1890's seven were the same blue, and differed in their dashes alone."""
    assert len(set(theme.CURVE_COLOURS)) == max(max(title.players) for title in engine.TITLES.values()) == 7
