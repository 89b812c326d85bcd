"""Looking rules up: by ID, by words, from refusals and from events."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from club import Club, buttons, read_code, selects, text
from player import answer, more, private_answer, tool

import engine
from bot.chat.answers import refusal_screen
from bot.chat.layout import view
from bot.chat.screen import MAX_ROW, Screen, Select
from bot.core.errors import TableError
from bot.rooms.learning.ledger import ID, by_id, ledger, of_section, search, sections
from bot.rooms.learning.rules import add_rules, here, named_screen, rule_screen, search_screen, suggested
from engine import actions as a
from engine import facts as f
from engine.printed import Phase

ROOT = Path(__file__).parents[2]


def codes(screen: Screen) -> list[str]:
    """What the screen's controls do."""
    return [one.code for row in screen.rows for one in (row.options if isinstance(row, Select) else row)]


def test_every_line_of_the_ledgers_is_a_rule_without_its_sources() -> None:
    rules = ledger()
    for title in engine.TITLES:
        lines = (ROOT / "engine" / "ledgers" / f"{title}.md").read_text().splitlines()
        assert [one.id for one in rules.values() if one.title == title] == [
            found[1] for line in lines if (found := re.match(r"- \*\*(\d{4}-[A-Z]+-\d+[a-z]?)\*\*", line))
        ]
    for rule in rules.values():
        assert rule.text, rule.id
        assert rule.section, rule.id
        assert not re.search(r"[{}≠]|see facts", f"{rule.text} {rule.example} {rule.ruling}"), rule.id
        assert set(rule.related) <= set(rules) - {rule.id}


SOURCES = re.compile(r"(?<![\w\[&'+-])[CFJMPRSX](?![\w\]&+-])")
NAMED = {"1889": "CF", "1860": "C", "1888": "C", "1890": ""}
"""The same letters where they name privates, players of examples, or the ends of their routes."""
NOTES = re.compile(r"[Ii]mplement|\bledger|the program|\bfacts\b|not followed\.|\(\d, ?\d+\)")
"""What is for programmers alone, cells of the market by row and column among them."""


def test_no_rule_speaks_of_its_sources_in_letters_or_to_programmers() -> None:
    for rule in ledger().values():
        for said in (rule.text, rule.example, rule.ruling):
            signs = set(SOURCES.findall(said.replace("lettered R, C, N, V, B, M", ""))) - set(NAMED[rule.title])
            assert not signs, (rule.id, said)
            assert not NOTES.search(said), (rule.id, said)


def test_what_an_option_does_in_detail_belongs_to_its_rule() -> None:
    online = ledger()["1860-VAR-15"]
    assert "one route is enough (RTE-01)" in online.text
    assert "1860-EMR-25" in online.related


def test_a_rule_is_told_with_example_ruling_and_relatives() -> None:
    rule = ledger()["1889-SR-13"]
    assert rule.section == "stock round"
    assert rule.example.startswith("80 %, market empty")
    assert rule.ruling.endswith("(unlike 18xx.games: there any sale is).")
    assert "1889-SR-08" in rule.related
    assert "1889-SR-13" in ledger()["1889-SR-08"].related
    assert "1889-EMR-11" in ledger()["1888-EMR-08"].related


def test_a_rule_in_parts_leads_to_these_first_and_each_back_to_it() -> None:
    """*Earthquake* said that a train brings it, and led nowhere that says what it does."""
    parts = tuple(f"1890-VAR-17{letter}" for letter in "abcde")
    assert ledger()["1890-VAR-17"].related[:5] == parts
    assert all("1890-VAR-17" in ledger()[part].related for part in parts)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("1889-TRK-08", "1889-TRK-08"),
        ("trk 8", "1889-TRK-08"),
        ("1888n trn-17", "1888-TRN-17"),
        ("VAR-1f", "1889-VAR-01f"),
    ],
)
def test_an_id_may_be_typed_in_many_ways(typed: str, found: str) -> None:
    rule = by_id(typed, "1889")
    assert rule is not None
    assert rule.id == found


@pytest.mark.parametrize(
    ("words", "title", "found"),
    [
        ("rust", "1889", "1889-TRN-17"),
        ("when do trains get scrapped", "1889", "1889-TRN-17"),
        ("presidant sels", "1889", "1889-SR-23"),
        ("certificate limit", "1888", "1888-SR-06"),
        ("export of trains", "1888", "1888-TRN-17"),
        ("receivership", "1860", "1860-EMR-10"),
        ("bankruptcy", "1860", "1860-EMR-15"),
        ("home tokens", "1890", "1890-TOK-01"),
    ],
)
def test_words_find_the_rule_among_the_first(words: str, title: str, found: str) -> None:
    assert found in [rule.id for rule in search(words, title)[:4]]


def test_rules_that_hardly_fit_are_left_out() -> None:
    found = [rule.id for rule in search("price falls", "1889")]
    assert found[0] == "1889-AUC-15"
    assert len(found) < 10


@pytest.mark.parametrize("typed", ['"', "rust OR", "near(rust", "+ +", "a_b", "日本", "rust\0", "what is that"])
def test_whatever_is_typed_may_be_searched_for(typed: str) -> None:
    assert all(rule.title == "1889" for rule in search(typed, "1889"))
    assert isinstance(suggested(typed), list)


def test_what_only_looks_like_a_rule_is_not_listed() -> None:
    screen = Screen()
    add_rules(screen, ["", "1777-XX-01"], "…")
    assert screen.rows == []


def test_what_fits_nothing_says_so() -> None:
    assert search("xyzzy") == []
    with pytest.raises(TableError, match="No rule of Shikoku 1889 fits"):
        search_screen("xyzzy", "1889")
    with pytest.raises(TableError):
        named_screen("1889-TRK-99")
    with pytest.raises(TableError):
        named_screen("1777-TRK")


def test_an_id_of_no_rule_finds_none_that_only_has_its_letters() -> None:
    for typed in ("1889-TRK-99", "trk-99"):
        with pytest.raises(TableError, match=r"There is no rule 1889-TRK-99\. `/rule 1889-TRK` lists those"):
            search_screen(typed, "1889")
    with pytest.raises(TableError, match=r"^There is no rule 1860-XX-1\.$"):
        search_screen("1860-XX-1", "1889")


def test_the_letters_of_no_section_lead_to_those_that_there_are() -> None:
    """`/rule 1860-INS` found 40 rules that have “in”."""
    screen = search_screen("1860-ins", "1889")
    assert screen.text.startswith("There is no section INS in the rules of 1860.")
    assert codes(screen) == [f"rule|1860-{area}" for area in sections("1860")]
    assert len(search_screen("1889 ipo").text.splitlines()) > 3, "words, and no letters of a section"
    for typed in ("1888-trk", "1888N-TRK", "1888 trk"):
        assert search_screen(typed).text.startswith("### 1888-N: track"), typed


@pytest.mark.long
def test_every_control_of_every_rule_leads_to_a_rule_or_a_section() -> None:
    screens = [rule_screen(rule) for rule in ledger().values()]
    screens += [named_screen(f"{title}-{area}") for title in engine.TITLES for area in sections(title)]
    screens += [search_screen("train"), search_screen("TRK", "1889"), search_screen("1860-INS")]
    for screen in screens:
        view(screen)
        assert all(len(row) <= MAX_ROW for row in screen.rows if not isinstance(row, Select))
        for code in codes(screen):
            word, (name,) = read_code(code)
            assert word == "rule"
            assert name in ledger() or of_section(*name.split("-"))


def test_suggestions_are_rules_and_sections_of_the_game() -> None:
    assert suggested("", "1889")[0] == ("1889-SET · setup", "1889-SET")
    assert [value for _, value in suggested("1889-TRK-0", "1889")] == [f"1889-TRK-0{number}" for number in range(1, 10)]
    assert [value for _, value in suggested("trk-0", "1889")] == [f"1889-TRK-0{number}" for number in range(1, 10)]
    assert [value for _, value in suggested("1860-INS", "1889")] == [f"1860-{area}" for area in sections("1860")]
    assert "1889-TRN-17" in [value for _, value in suggested("rust", "1889")]
    assert {value[:4] for _, value in suggested("bank broken", "1860")} == {"1860"}


@pytest.mark.parametrize("title", engine.TITLES)
def test_every_event_has_its_rule(title: str) -> None:
    t = engine.build(title, 3)
    for phase in t.phases:
        assert isinstance(phase, Phase)
        assert t.event_rule(f.PhaseBegan(phase.name)) == phase.rule
    assert t.event_rule(f.BankBroke()).startswith(title)
    assert t.event_rule(f.TurnBegan(next(iter(t.corporations)))) == ""
    for words in t.wording.announcements:
        assert t.event_rule(f.Announced(words)).startswith(title)
    for state in t.wording.states:
        assert t.event_rules[state].startswith(title)


def test_a_refusal_ends_in_a_button_that_opens_its_rule() -> None:
    t = engine.build("1889", 3)
    s = engine.start(t, ["Ann", "Ben", "Cho"])
    refused = engine.judge(t, s, a.Bid("p1", "A", 25))
    assert refused is not None
    screen = refusal_screen(refused)
    assert codes(screen) == ["rule|1889-AUC-02"]


async def test_rules_are_looked_up_in_the_channel(club: Club) -> None:
    first = club.aiko
    assert (await answer(first.slash(club.channel, "rule", words="1888-TRN-17"))).startswith("### 1888-TRN-17")
    here = await club.begin(3)
    found = private_answer(await first.slash(club.channel, "rule", words="rust"))
    assert all(ID.search(one["label"])[1] == "1889" for some in selects(found).values() for one in some)  # type: ignore[index]
    assert "1860-" in await answer(first.slash(club.channel, "rule", words="rust", title="1860"))
    (custom_id,) = selects(found)
    opened = private_answer(await first.select(found, ["rule|1889-TRN-17"], custom_id=custom_id))
    assert text(opened).startswith("### 1889-TRN-17")
    assert "1889-TRN-01" in await answer(first.click(opened, label="All on trains"))
    up = club.who(here.position.up[0], here)
    refused = private_answer(await up.slash(club.channel, "bid", amount=25, private="A"))
    assert (await answer(up.click(refused, label=next(iter(buttons(refused)))))).startswith("### 1889-AUC-")


async def test_events_open_their_rules(club: Club) -> None:
    here = await club.begin(3)
    assert not any(one.endswith(":rules") for one in selects(await more(club.aiko, club.packet())))
    for seat in ("p1", "p2", "p3"):
        await club.who(seat, here).slash(club.channel, "pass")
    beside = await more(club.aiko, club.packet())
    (events,) = [one for custom_id, one in selects(beside).items() if custom_id.endswith(":rules")]
    assert [one["value"] for one in events] == ["rule|1889-AUC-15"]


async def test_reasons_open_their_rules(club: Club) -> None:
    here = await club.begin(3, options="beginner")
    first = club.who(here.position.up[0], here)
    await first.slash(club.channel, "do", move="Start AR at a par of ¥65")
    for _ in range(2):
        await club.who(here.position.up[0], here).slash(club.channel, "pass")
    why = private_answer(await tool(first, club.packet(), "Why not?"))
    (listed,) = selects(why).values()
    assert "1889-AUC-21" in text(why)
    assert {one["value"].removeprefix("rule|") for one in listed} == {found[0] for found in ID.finditer(text(why))}


@pytest.mark.parametrize(
    ("title", "options", "rule", "standing"),
    [
        ("1889", ["beginner"], "1889-OR-06", "off"),
        ("1889", ["beginner"], "1889-PHS-03", "changed"),
        ("1889", ["manual_train_limit"], "1889-PHS-05", "changed"),
        ("1860", ["no_train_limit"], "1860-PHS-03", "changed"),
        ("1860", ["no_train_limit"], "1860-PHS-05", "changed"),
        ("1860", ["simplified_insolvency"], "1860-EMR-05", "changed"),
        ("1860", ["variable_privates"], "1860-END-06", "changed"),
        ("1860", ["first_edition"], "1860-VAR-01", "chosen"),
        ("1860", ["first_edition"], "1860-VAR-14", "chosen"),
        ("1860", ["online", "first_edition"], "1860-RTE-07", "in force"),
        ("1860", ["online"], "1860-VAR-10", "chosen"),
        ("1860", ["online"], "1860-VAR-11", "chosen"),
        ("1860", ["online"], "1860-END-05", "changed"),
        ("1860", ["online"], "1860-END-19", "changed"),
        ("1860", ["online"], "1860-PHS-09", "changed"),
        ("1889", ["online"], "1889-VAR-06", "chosen"),
        ("1890", ["scenario_a"], "1890-PRV-15", "off"),
        ("1890", ["scenario_b"], "1890-AUC-20", "off"),
        ("1890", ["scenario_d"], "1890-MKT-08", "off"),
        ("1890", ["plain_kinki"], "1890-AUC-20", "off"),
        ("1890", ["plain_kinki"], "1890-PHS-03", "off"),
        ("1890", ["plain_kinki"], "1890-PHS-04", "changed"),
        ("1890", ["plain_kinki"], "1890-SET-15", "changed"),
        ("1890", ["private_jr"], "1890-DIV-07", "changed"),
        ("1890", ["no_late_abilities"], "1890-PRV-15", "changed"),
        ("1890", ["incremental_float"], "1890-FLT-02", "changed"),
        ("1890", ["incremental_float"], "1890-COR-09", "changed"),
        ("1890", ["incremental_float"], "1890-SET-24", "changed"),
        ("1890", ["scenario_a", "first_player_cash_50"], "1890-SET-04", "changed"),
        ("1890", ["scenario_a", "plain_jr"], "1890-TRK-02", "changed"),
        ("1890", ["scenario_a", "plain_jr"], "1890-DIV-06", "in force"),
        ("1890", ["scenario_a", "plain_jr_dividend"], "1890-DIV-06", "changed"),
        ("1890", ["scenario_a", "plain_jr_dividend"], "1890-TRK-02", "changed"),
        ("1890", ["scenario_a", "plain_jr_dividend"], "1890-COR-02", "in force"),
        ("1890", ["scenario_a", "plain_jr_par"], "1890-COR-02", "changed"),
        ("1890", ["scenario_a", "special_hanshin"], "1890-COR-16", "in force"),
        ("1890", ["scenario_a", "special_hanshin"], "1890-COR-17", "off"),
        ("1890", ["scenario_a", "special_hankyu"], "1890-COR-16", "off"),
        ("1890", ["scenario_a", "special_hankyu"], "1890-COR-18", "in force"),
        ("1890", ["scenario_a", "special_companies"], "1890-COR-20", "changed"),
        ("1889", ["online"], "1889-VAR-01b", "not chosen"),
        ("1889", ["online", "beginner"], "1889-VAR-01b", "changed"),
        ("1889", ["manual_setup", "beginner"], "1889-VAR-01e", "changed"),
        ("1888", ["online", "prototype"], "1888-VAR-02", "changed"),
        ("1860", ["first_edition", "skip_small_stations"], "1860-VAR-11", "changed"),
        ("1860", ["first_edition", "online"], "1860-VAR-11", "changed"),
        ("1860", ["first_edition"], "1860-VAR-11", "not chosen"),
        ("1860", ["online", "original_insolvency"], "1860-VAR-01", "changed"),
        ("1860", ["online", "simplified_insolvency"], "1860-VAR-13", "changed"),
        ("1860", ["online", "full_price_unoperated"], "1860-VAR-04", "changed"),
        ("1860", ["online", "first_edition"], "1860-VAR-09", "changed"),
        ("1890", ["earthquake"], "1890-PRV-25", "changed"),
        ("1890", ["earthquake"], "1890-TOK-07", "changed"),
        ("1890", ["earthquake"], "1890-MKT-01", "changed"),
        ("1890", ["earthquake"], "1890-SR-23", "changed"),
        ("1890", ["air_raids"], "1890-TOK-07", "changed"),
        ("1890", ["air_raids"], "1890-TRK-03", "changed"),
        ("1890", ["tigers_die"], "1890-COR-16", "off"),
        ("1890", ["scenario_a", "special_hanshin", "tigers_die"], "1890-COR-16", "changed"),
        ("1890", ["incremental_float"], "1890-VAR-14d", "chosen"),
        ("1890", ["scenario_a", "incremental_float"], "1890-VAR-14d", "off"),
        ("1890", ["scenario_d", "incremental_float"], "1890-VAR-14d", "off"),
        ("1890", ["plain_kinki", "incremental_float"], "1890-VAR-14d", "off"),
    ],
)
def test_a_rule_says_what_an_option_makes_of_it(title: str, options: list[str], rule: str, standing: str) -> None:
    assert here(engine.build(title, 3, options), ledger()[rule]).standing == standing
