"""How decision cards are laid out: letters for a phone, figures never cut, hostile names harmless."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import drawn_boards as boards
import pytest
import samples
from comparing import opened
from test_pictures import HOSTILE

import renderer
from engine.ids import CorpId
from renderer import png, text, theme
from renderer.card import (
    _BAR,
    _HEADING,
    _TOKEN,
    FIGURE,
    LEGIBLE,
    WIDTH,
    WORDS,
    Card,
    CardRow,
    Cell,
    Column,
    Detail,
    Section,
    card_picture,
    laid_out,
)
from renderer.sheet import Sheet
from renderer.table import table_card


def card(name: str = "Ann", cash: str = "¥12,345", rows: int = 7) -> Card:
    """A stock card of the usual kind, as full as it gets."""
    facts = (
        Detail("president", f"{name} 40 %"),
        Detail("next", f"{name} 30 %"),
        Detail("trains", trains=("2+2", "3", "D")),
    )
    cells = tuple(map(Cell, (cash, cash, "100 %", "100 %", "100 %", cash)))
    columns = tuple(map(Column, ("price", "falls to", "offer", "market", "you", "worth")))
    companies = samples.COMPANIES
    table = tuple(CardRow(cells, facts, token=companies[i % len(companies)].id) for i in range(rows))
    elastic = Section((CardRow((Cell(name), Cell(cash))),), name, (Column("", "l", elastic=True), Column("price")))
    money = Section((CardRow(facts=(Detail("cash", cash, tone="strong"), Detail(figure="3", behind="left"))),))
    return Card(f"{name}: stock round 2", "3", (money, Section(table, columns=columns), elastic), companies)


def drawn_height(size: int) -> int:
    """How many pixels high a digit is drawn."""
    mask = text._mask("8", size, False, 0)[0]
    return mask.height


@pytest.mark.parametrize(("wide", "wanted"), [(350, 9), (550, 13)])
def test_digits_are_large_enough_for_a_phone(wide: int, wanted: int) -> None:
    assert drawn_height(LEGIBLE) * wide / WIDTH >= wanted


def test_everything_with_a_digit_has_the_size_of_figures() -> None:
    words = laid_out(card()).words
    assert min(one.size for one in words) == WORDS
    assert all(one.size >= LEGIBLE for one in words if any(map(str.isdigit, one.text)))


def test_figures_stay_whole_and_apart() -> None:
    """The columns of the widest sums neither overlap nor leave the card."""
    plan = laid_out(card())
    sums = [one for one in plan.words if one.text == "¥12,345"]
    assert len(sums) == 7 * 3 + 2
    for line in {one.y for one in plan.words}:
        ends = sorted(
            (one.x - {"l": 0, "m": 0.5, "r": 1}[one.align] * wide, wide)
            for one in plan.words
            if one.y == line
            for wide in [max(text.width(one.text, one.size, one.bold), one.boxed)]
        )
        assert ends[0][0] >= 0
        assert ends[-1][0] + sum(ends[-1][1:]) <= WIDTH
        assert all(left + wide <= after for (left, wide), (after, _) in pairwise(ends))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_leave_the_card_in_shape(name: str) -> None:
    plan = laid_out(card(name))
    for one in plan.words:
        left = one.x - {"l": 0, "m": 0.5, "r": 1}[one.align] * text.width(one.text, one.size, one.bold)
        assert left >= 0
        assert left + text.width(one.text, one.size, one.bold) <= WIDTH
    assert card_picture(card(name)).width == WIDTH


@pytest.mark.parametrize("name", ["W" * 32, "東海道新幹線" * 5, "Maximiliane Wolfeschlegelsteinha"])
def test_of_a_name_that_is_too_long_the_figures_behind_it_stay(name: str) -> None:
    facts = (
        Detail(name, "¥12,345", "¥678 free", tone="strong"),
        Detail("president", f"{name} ¥90 {name} ¥90"),
        Detail("Bo", "¥90"),
    )
    columns = (Column("president", "l", elastic=True), Column("next", "l", elastic=True), *map(Column, "abcde"))
    cells = (Cell(f"{name} 40 %"), Cell(f"{name} 30"), *[Cell("¥1,000")] * 5)
    plan = laid_out(Card("x", "", (Section((CardRow(cells, facts),), columns=columns),), ()))
    said = [one.text for one in plan.words]
    assert {"¥12,345", "¥678 free", "¥90"} <= set(said)
    assert any(one.endswith("… 40 %") for one in said)
    assert any(one.endswith("… 30") for one in said)
    assert any(one.endswith("… ¥90") for one in said)
    assert all(
        one.text and one.x + text.width(one.text, one.size, one.bold) <= WIDTH for one in plan.words if one.align == "l"
    )


def test_facts_go_on_a_new_line_where_the_next_does_not_fit() -> None:
    facts = tuple(Detail("treasury", f"¥{1000 + number}") for number in range(9))
    one, nine = (laid_out(Card("x", "", (Section((CardRow(facts=some),)),), ())) for some in (facts[:1], facts))
    assert nine.height > one.height
    assert len({word.y for word in nine.words}) >= 3


@pytest.mark.parametrize("names", ["JR, Keihan, Kinki, Nankai, Sanyo and Subway", "Subway, Keihan, " * 7 + "JR"])
def test_a_list_of_names_that_is_too_long_goes_on_a_new_line_and_is_not_cut(names: str) -> None:
    for fact in (Detail("you cannot buy back", names, "this round"), Detail(f"start {names} at", "¥65 to 100")):
        plan = laid_out(Card("x", "", (Section((CardRow(facts=(fact,)),)),), ()))
        assert " ".join(one.text for one in plan.words[1:]) == " ".join((fact.label, fact.figure, fact.behind)).strip()
        assert all(one.x + text.width(one.text, one.size, one.bold) <= WIDTH for one in plan.words)


def test_a_long_name_goes_smaller_and_then_on_two_lines_before_it_is_cut() -> None:
    long, other = "Yarmouth Port & Shipping Company", "Cowes"

    def names(price: str) -> list[tuple[str, int]]:
        columns = (Column("", "l", elastic=True), Column("price"))
        section = Section(tuple(CardRow((Cell(name), Cell(price))) for name in (long, other)), columns=columns)
        words = laid_out(Card("x", "", (section,), ())).words
        return [(one.text, one.size) for one in words if one.text not in ("x", "price", price)]

    assert names("¥5") == [(long, FIGURE), (other, FIGURE)]
    assert names("¥" + "1" * 16) == [(long, WORDS), (other, WORDS)]
    assert names("¥" + "1" * 20) == [("Yarmouth Port &", WORDS), ("Shipping Company", WORDS), (other, WORDS)]


def test_columns_move_closer_before_a_name_takes_a_second_line() -> None:
    columns = (Column("president", "l", elastic=True), Column("next", "l", elastic=True), *map(Column, "abcd"))
    names = (Cell("Nozomi 50 %"), Cell("Kodama 20 %"))
    cells = (*names, *[Cell("¥1,000")] * 3, Cell("¥90"))
    words = laid_out(Card("x", "", (Section((CardRow(cells),), columns=columns),), ())).words
    assert {one.text: one.size for one in words if "%" in one.text} == {one.text: FIGURE for one in names}


def test_sentences_are_wrapped_between_words() -> None:
    lines = list(text.wrapped("AR must own a train, as it has a route; the cheapest is a 2 for ¥80.", FIGURE, 500))
    assert len(lines) > 1
    assert " ".join(lines) == "AR must own a train, as it has a route; the cheapest is a 2 for ¥80."


def test_a_title_too_long_for_its_place_stands_above_the_headings() -> None:
    def height(title: str) -> int:
        section = Section((CardRow((Cell("1"), Cell("2"))),), title, (Column("par"), Column("costs")))
        return laid_out(Card("x", "", (section,), ())).height

    assert height("Start AR, IR, SR, KO, TR, KU or UR") == height("") + _HEADING


def test_a_column_with_nothing_but_a_heading_leaves_its_room_to_the_others() -> None:
    columns = (Column("president", "l", elastic=True), Column("trains", "l"), Column("paid"))
    some = Section((CardRow((Cell("Ann"), Cell(), Cell("¥8"))),), columns=columns)
    said = [word.text for word in laid_out(Card("x", "", (some,), samples.COMPANIES)).words]
    assert said == ["x", "president", "paid", "Ann", "¥8"]


def test_many_trains_alike_are_one_with_their_number() -> None:
    facts = (Detail(trains=("2+1", "2+1", "2+1", "2+1", "3+2", "3+2")), Detail("then", "£5"))
    plan = laid_out(Card("x", "", (Section((CardRow(facts=facts),)),), samples.COMPANIES))
    assert [word.text for word in plan.words] == ["x", "2+1", "×4", "3+2", "3+2", "then", "£5"]
    boxes = [word.x + word.boxed for word in plan.words if word.boxed]
    assert boxes[0] < plan.words[2].x
    assert boxes[-1] < next(word.x for word in plan.words if word.text == "then")


@pytest.mark.parametrize("count", [9, 12])
def test_trains_too_many_for_their_column_stand_below_it(count: int) -> None:
    """As a company of 1860 without a train limit may have them; they made all columns small, then cover each other."""
    trains = ("3+2", "4+2", "5+3", "6+3") * 3
    columns = (Column("president", "l", elastic=True), Column("price"), Column("trains", "l"))
    rows = tuple(CardRow((Cell("Maximiliane"), Cell("£100"), Cell(trains=some))) for some in (trains[:count], ("3+2",)))
    words = laid_out(Card("x", "", (Section(rows, columns=columns),), samples.COMPANIES)).words
    assert [one.size for one in words if one.text == "Maximiliane"] == [FIGURE, FIGURE]
    assert [one.text for one in words if one.boxed] == [*trains[:count], "3+2"]
    assert all(one.x + one.boxed <= WIDTH for one in words)


def test_a_token_stays_in_its_row() -> None:
    """Also in a row that is lower than it."""
    plan = laid_out(
        Card(
            "x",
            "",
            (Section((CardRow((Cell("1"),), token=samples.COMPANIES[0].id),), "", (Column(),)),),
            samples.COMPANIES,
        )
    )
    ((_, _, middle),) = plan.tokens
    assert _BAR + _TOKEN <= middle <= plan.height - _TOKEN


@pytest.mark.second
def test_the_description_reads_out_the_card() -> None:
    said = card_picture(card(rows=1)).alt
    assert said.startswith("Ann: stock round 2, phase 3. cash ¥12,345, 3 left. AR, price ¥12,345, falls to")
    assert card_picture(card(rows=60)).alt.endswith("….")


def test_a_card_is_drawn_alike_each_time() -> None:
    first = renderer.card_picture(card()).png
    assert renderer.card_picture(card()).png == first


def test_what_the_decision_is_about_has_a_ground_of_its_own() -> None:
    sections = (Section((CardRow(facts=(Detail("a"),)), CardRow(facts=(Detail("b"),), here=True))),)
    pictures = [opened(card_picture(Card("x", "", sections, samples.COMPANIES, CorpId("AR"))))]
    assert pictures[0].getpixel((WIDTH - 2, pictures[0].height - 12)) == (255, 227, 243)


def test_every_ink_has_contrast_on_every_ground() -> None:
    for ground in (theme.PAPER, theme.BAND, theme.UP_ROW, theme.WHITE):
        assert all(theme.contrast(ink, ground) >= 4.5 for ink in (theme.INK, theme.SOFT_INK, theme.GLOW))


def test_words_and_tokens_stand_on_the_one_colour_that_they_are_drawn_on() -> None:
    plan = laid_out(replace(card(), token=samples.COMPANIES[0].id, notes=("The game may end in this round.",) * 2))
    sheet = Sheet.blank((WIDTH, plan.height), theme.PAPER, png.palette_for(()))
    for top, bottom, colour in plan.bands:
        sheet.pen.rectangle((0, top, WIDTH, bottom - 1), fill=sheet.number(colour))
    heights = [(one.y, text.ink(one.text, one.size, one.bold)) for one in plan.words]
    heights += [(y, (-35, -35, 35, 35)) for _, _, y in plan.tokens]
    assert len({plan.ground(y) for y, _ in heights}) == 5
    for y, (_, above, _, below) in heights:
        column = sheet.numbers.crop((0, round(y + above), 1, round(y + below)))
        assert column.getextrema() == (sheet.number(plan.ground(y)),) * 2


def test_a_broken_bank_is_said_to_be_broken_instead_of_owing_money() -> None:
    table = replace(boards.views(boards.wight())[2], bank=-5)
    facts = [fact for section in table_card(table).sections for row in section.rows for fact in row.facts]
    assert Detail("bank", "broken", tone="strong") in facts
