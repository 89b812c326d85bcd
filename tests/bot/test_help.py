"""Help by situation: its pages, their links, and that they say what is so."""

from __future__ import annotations

import pytest
from club import Club, buttons, read_code, selects, text
from player import answer, private_answer

import engine
from bot.chat.layout import view
from bot.chat.screen import Screen, Select
from bot.core.errors import TableError
from bot.rooms.learning.help import (
    FIRST,
    GLOSSARY,
    PAGES,
    ROUNDS,
    SAID,
    TERMS,
    found,
    help_screen,
    suggested,
    words_screen,
)
from bot.rooms.learning.ledger import of_section


def codes(screen: Screen) -> list[tuple[str, ...]]:
    """What the screen's controls do."""
    shown = [one.code for row in screen.rows for one in (row.options if isinstance(row, Select) else row)]
    return [(word, *names) for word, names in map(read_code, shown) if names]


@pytest.mark.long
def test_every_control_of_every_page_leads_to_a_page_or_a_section() -> None:
    for game in (None, *(engine.build(title, 3) for title in engine.TITLES)):
        for key, page in PAGES.items():
            screen = help_screen(key, game, "SR")
            view(screen)
            assert key not in page.links
            for word, name in codes(screen):
                known = name in (*PAGES, GLOSSARY) if word == "help" else of_section(*name.split("-"))
                assert known, (key, name)


def test_every_page_is_linked_and_found_by_its_name() -> None:
    assert {name for _, name in [*codes(help_screen()), *codes(words_screen())]} == {*PAGES, GLOSSARY}
    for key, page in PAGES.items():
        assert found(key) == found(page.heading) == key
    assert found("receivership") == found("recievership") == "t1860"
    assert found("trains rust") == "rust"
    assert found("minors") == "minor"
    assert [key for _, key in suggested("receiv")] == ["t1860"]
    with pytest.raises(TableError, match="no help on"):
        found("xyzzy")


def test_terms_link_to_other_terms_and_are_said_in_a_sentence_or_two() -> None:
    for key, page in TERMS.items():
        assert set(page.links) & set(TERMS), key
        assert set(page.own) <= set(engine.TITLES), key
        assert len(page.text) <= 260, key


@pytest.mark.quick
def test_the_glossary_opens_with_the_terms_of_the_decision() -> None:
    for step, (page, terms) in SAID.items():
        screen = words_screen(None, step)
        view(screen)
        assert [f"**{TERMS[key].heading}:**" in screen.text for key in terms] == [True] * len(terms), step
        assert ("help", page) in codes(screen)
    listed = [
        name
        for row in words_screen().rows
        if isinstance(row, Select)
        for _, (name,) in map(read_code, (one.code for one in row.options))
    ]
    assert sorted(listed) == sorted(TERMS)


def test_a_term_says_what_is_otherwise_in_the_game_or_in_each() -> None:
    assert "It takes 60 %." in help_screen("float", engine.build("1888", 3)).text
    assert "50 %" not in help_screen("float", engine.build("1888", 3)).text
    assert "1860: Railways on the Isle of Wight: It takes 50 %." in help_screen("float").text
    assert "director" in help_screen("president", engine.build("1860", 3)).text


def test_what_a_term_says_of_the_game_contradicts_nothing_said_before() -> None:
    """A page on 1860 said that the pool holds at most half of a company, and then any number of shares."""
    game = engine.build("1860", 3)
    assert "at most half" not in help_screen("pool", game).text
    assert "any number" in help_screen("pool", game).text
    assert "at most half" in help_screen("pool").text
    for page in TERMS.values():
        assert not set(page.own) & set(page.instead)
        assert set(page.instead) <= set(engine.TITLES)
        assert max(map(len, page.instead.values()), default=0) <= 260


def test_the_lists_name_terms_as_the_game_does() -> None:
    """In 1860 the glossary said what a director is, and listed the term as President, among P to Z."""
    rows = words_screen(engine.build("1860", 3)).rows
    lists = [[one.label for one in row.options] for row in rows if isinstance(row, Select)]
    assert [one for one in lists[0] if "irector" in one] == ["Director"]
    assert all(one == sorted(one, key=str.casefold) for one in lists)
    assert not [one for one in (*lists[0], *lists[1]) if "resident" in one]


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("director", "president"),
        ("Directors", "president"),
        ("base", "token"),
        ("lease", "insolvent"),
        ("halt", "stop"),
    ],
)
def test_a_term_is_found_by_what_a_title_calls_it(typed: str, key: str) -> None:
    """These led to the page about 1860, or to none."""
    assert found(typed) == key
    assert suggested(typed)[0][1] == key


@pytest.mark.parametrize(("title", "said"), [("1890", "minors go first"), ("1860", "Once British Rail has formed")])
def test_what_is_otherwise_in_an_operating_round_is_said(title: str, said: str) -> None:
    assert said in help_screen("operating", engine.build(title, 3)).text


def test_the_words_of_a_decision_are_those_of_the_game() -> None:
    """Companies of 1860 own no privates, and its directors never pay for trains."""
    words = words_screen(engine.build("1860", 3), "bid").text
    assert "companies buy them" not in words
    assert "Companies never own privates." in words
    assert "never pays for the company's trains" in words
    assert "president" not in "".join(help_screen(key, engine.build("1860", 3)).text for key in TERMS)


@pytest.mark.parametrize(
    ("title", "options", "key", "said", "unsaid"),
    [
        ("1888", [], "must", "even a company without a route must have one", ""),
        ("1889", [], "must", "", "without a route"),
        ("1860", [], "token", "In each turn one train may pass one city that is full.", ""),
        ("1889", [], "t1889", "Whoever sells Ehime Railway may lay its tile at once.", "sells one with a tile"),
        ("1888", [], "rust", "An exported train counts like one that is bought.", ""),
        ("1888", ["prototype"], "float", "It takes 50 %.", "60 %"),
        ("1890", ["incremental_float"], "float", "as the number of the train on sale", ""),
        ("1890", ["incremental_float"], "float", "Started later, it takes 50 %.", "From phase 5 on"),
        ("1890", [], "limit", "In the brown area of the market you may hold more", ""),
        ("1890", [], "minor", "Kobe Electric stays", ""),
        ("1890", ["scenario_a"], "minor", "may become a late private", "Kinki"),
        ("1890", ["scenario_b"], "minor", "may become a late private", "Kinki"),
        ("1890", ["scenario_d"], "minor", "may become a late private", "Kinki"),
        ("1890", ["plain_kinki"], "minor", "may become a late private", "Kinki"),
        ("1890", ["close_minors"], "minor", "Kobe Electric a late private", "stays"),
        ("1890", ["scenario_a", "close_minors"], "minor", "becomes a late private with the first 6-train", "Kinki"),
        ("1890", ["scenario_b", "close_minors"], "minor", "becomes a late private with the first 6-train", "Kinki"),
        ("1890", ["scenario_d", "close_minors"], "minor", "becomes a late private with the first 6-train", "Kinki"),
        ("1890", ["plain_kinki", "close_minors"], "minor", "becomes a late private with the first 6-train", "Kinki"),
        ("1890", [], "t1890", "all but Kobe Electric must become Kinki", ""),
        ("1890", ["scenario_a", "plain_jr_dividend"], "dividend", "Minors pay out half.", "JR"),
        ("1890", ["private_jr"], "dividend", "before phase 6, JR", ""),
        ("1890", [], "private", "Late ones stay", ""),
        ("1890", ["earthquake"], "private", "but for one that the earthquake closes", "Late ones stay, and"),
        ("1890", ["eight_trains"], "train", "a D calls at eight at most", ""),
        ("1889", [], "private", "With four or more players there is the Uno-Takamatsu Ferry, which stays", ""),
        ("1889", ["beginner"], "private", "companies never buy them", "Ferry"),
        ("1889", ["beginner"], "opening", "each player is dealt a private", ""),
        ("1860", [], "opening", "bid for the right to choose", "bid on a later one"),
        ("1889", ["beginner"], "company", "Here they never do.", ""),
        ("1860", [], "stock", "a share of a company without a train brings half", ""),
        ("1860", ["full_price_unoperated"], "stock", "that has operated and has no train", "company without a train"),
        ("1860", ["full_price_unoperated"], "price", "that has operated and has no train", "company without a train"),
        ("1860", ["full_price_unoperated"], "worth", "a company without a train count for half", ""),
        ("1860", ["full_price_unoperated", "online"], "worth", "that has operated and has no train", "company without"),
        (
            "1860",
            ["full_price_unoperated", "online"],
            "share",
            "that has operated and has no train",
            "its company has no train",
        ),
        ("1890", [], "token", "From phase 4 on, trains of the Subway pass full cities on brown tiles in Osaka.", ""),
        ("1890", ["scenario_a"], "token", "", "Subway"),
        ("1890", [], "bank", "The game turn is still played to its end.", ""),
        ("1860", ["no_train_limit"], "trainlimit", "In this game there is none.", ""),
        ("1860", ["online", "simplified_insolvency"], "t1860", "by their first number alone, but not with online", ""),
        ("1860", ["first_edition", "skip_small_stations"], "t1860", "small stations, but not in the first edition", ""),
    ],
)
def test_help_says_what_the_game_has_otherwise(
    title: str, options: list[str], key: str, said: str, unsaid: str
) -> None:
    told = help_screen(key, engine.build(title, 3, options)).text
    assert said in told
    assert not unsaid or unsaid not in told


def test_what_help_says_of_options_is_of_options_that_there_are() -> None:
    options = {option for recipe in engine.TITLES.values() for option in recipe.options}
    assert {option for page in PAGES.values() for some in page.under for option in some.split("+")} <= options


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
    told = {title: int(said.split()[2]) for title, said in TERMS["float"].own.items()}
    assert (told["1889"], told["1888"]) == (50, 60)


async def test_help_finds_in_the_rules_what_no_page_has(club: Club) -> None:
    assert "1889-" in await answer(club.aiko.slash(club.channel, "game help", about="Ohzu"))
    nothing = private_answer(await club.aiko.slash(club.channel, "game help", about="xyzzy"))
    assert text(nothing).startswith("There is no help on “xyzzy”. `/game help` lists what there is")


async def test_help_on_words_is_the_glossary(club: Club) -> None:
    for said in ("Words", "glossary"):
        assert (await answer(club.aiko.slash(club.channel, "game help", about=said))).startswith("### Words")


async def test_help_begins_with_what_goes_on_in_the_channel(club: Club) -> None:
    first = club.aiko
    assert (await answer(first.slash(club.channel, "game help"))).startswith(f"### {PAGES[FIRST].heading}")
    await club.begin(3)
    asked = private_answer(await first.slash(club.channel, "game help"))
    assert {PAGES["opening"].heading, PAGES["t1889"].heading} <= set(buttons(asked))
    opening = private_answer(await first.click(asked, label=PAGES["opening"].heading))
    assert text(opening).startswith("### The opening")
    assert "1889-AUC-01" in await answer(first.click(opening, label="The rules"))
    par = private_answer(await first.slash(club.channel, "game help", about="par"))
    words = private_answer(await first.click(par, label="Words"))
    assert "**Private company:**" in text(words)
    (terms,) = [one for one in selects(words) if one.endswith(":termsA")]
    assert (await answer(first.select(words, ["help|float"], custom_id=terms))).startswith("### Float")


def test_lists_of_pages_show_no_formatting_and_what_holds_in_the_game() -> None:
    game = engine.build("1860", 3)
    for screen in (help_screen(), words_screen(), help_screen(FIRST, game), words_screen(game)):
        notes = {one.label: one.note for row in screen.rows if isinstance(row, Select) for one in row.options}
        assert not [note for note in notes.values() if not note or set("*`\n") & set(note) or note.endswith(":")]
        assert not [note for note in notes.values() if note[0].isdigit()]
    assert notes["Sold out"] == "Players hold all shares of a company. That moves no price."
