"""Help by situation: its pages, their links, and that they say what is so."""

from __future__ import annotations

import pytest
from club import Club, buttons, selects, text
from player import private_answer

import engine
from bot.chat.codes import read
from bot.chat.layout import view
from bot.chat.screen import Screen, Select
from bot.core.errors import TableError
from bot.rooms.learning.help import FIRST, PAGES, ROUNDS, TERMS, found, help_screen
from bot.rooms.learning.ledger import of_section


def codes(screen: Screen) -> list[tuple[str, str]]:
    """What the screen's controls do."""
    shown = [one.code for row in screen.rows for one in (row.options if isinstance(row, Select) else row)]
    return [(word, name) for word, (name,) in map(read, shown)]


def test_every_control_of_every_page_leads_to_a_page_or_a_section() -> None:
    for game in (None, *(engine.build(title, 3) for title in engine.TITLES)):
        for key, page in PAGES.items():
            screen = help_screen(key, game, "SR")
            view(screen)
            assert key not in page.links
            for word, name in codes(screen):
                assert name in PAGES if word == "help" else of_section(*name.split("-")), (key, name)


def test_every_page_is_linked_and_found_by_its_name() -> None:
    assert {name for _, name in codes(help_screen())} == set(PAGES)
    for key, page in PAGES.items():
        assert found(key) == found(page.heading) == key
    assert found("receivership") == "t1860"
    with pytest.raises(TableError, match="no help on"):
        found("xyzzy")


def test_terms_link_to_other_terms() -> None:
    assert all(set(page.links) & set(TERMS) for page in TERMS.values())


def test_paragraphs_flow_and_lists_stay() -> None:
    for page in PAGES.values():
        for line in page.text.splitlines():
            assert line == line.strip()
            assert not line or line.startswith("- ") or line[0].isupper() or line[0] in "0123456789*", line


def test_every_round_of_every_title_has_its_page() -> None:
    for title in engine.TITLES:
        built = [engine.build(title, 3)] + ([engine.build(title, 3, ["beginner"])] if title == "1889" else [])
        assert {name for one in built for name in one.rounds} <= set(ROUNDS)
        assert f"t{title}" in PAGES


def test_what_floats_a_company_is_as_the_titles_have_it() -> None:
    shares = {
        title: {one.float_shares for one in engine.build(title, 3).corporations.values()} for title in ("1889", "1888")
    }
    assert shares == {"1889": {5}, "1888": {6}}
    assert "50 % in 1889, 1860 and 1890, 60 % in 1888" in PAGES["float"].text


@pytest.mark.usefixtures("plain_pictures")
async def test_help_begins_with_what_goes_on_in_the_channel(club: Club) -> None:
    first = club.members[0]
    asked = private_answer(await first.slash(club.channel, "game help"))
    assert text(asked).startswith(f"### {PAGES[FIRST].heading}")
    await club.begin(3)
    asked = private_answer(await first.slash(club.channel, "game help"))
    assert {PAGES["opening"].heading, PAGES["t1889"].heading} <= set(buttons(asked))
    opening = private_answer(await first.click(asked, label=PAGES["opening"].heading))
    assert text(opening).startswith("### The opening")
    rules = private_answer(await first.click(opening, label="The rules"))
    assert "1889-AUC-01" in text(rules)
    par = private_answer(await first.slash(club.channel, "game help", about="par"))
    (terms,) = [one for one in selects(par) if one.endswith(":terms")]
    chosen = private_answer(await first.select(par, ["help|float"], custom_id=terms))
    assert text(chosen).startswith("### Float")
