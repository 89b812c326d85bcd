"""What a table is told fits its options: cards, phases, announcements, lessons, help, rules and refusals.

A text may only speak of what the built title has: its companies and privates, its kinds of actions, its events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest
from club import Club, text
from player import private_answer
from walks import walk

from bot.rooms.learning.help import help_screen
from bot.rooms.learning.ledger import ledger
from bot.rooms.learning.room import LESSONS, lesson
from bot.rooms.learning.rules import chosen_rules, here, named_screen, search_screen
from engine import BadAction, Title, build, decision
from engine.actions import (
    ClosePrivate,
    CompanyBuysPrivate,
    ExchangePrivate,
    GoBankrupt,
    LayPowerTile,
    SellPrivate,
)
from engine.facts import Announced
from engine.ids import CHANCE
from engine.titles import TITLES

VERBS = {
    r"\b[Ss]waps? for|bring a share later|may (give|exchange) it": ExchangePrivate,
    r"(?<!nor )sold to the bank": SellPrivate,
    r"close it for good": ClosePrivate,
    r"company that owns it|company may lay|seller to a company": CompanyBuysPrivate,
    r"may (once )?lay|may put": LayPowerTile,
    r"president would have to|have to pay for its train": GoBankrupt,
}
"""Words that promise a kind of action, so that the game must have it."""
UNASKED = {
    "1889-TRK-22": "the beginner's privates close no hex",
    "1889-REV-03": "any set of routes will do",
    "1860-TRN-06": "nobody has too many trains",
    "1890-PRV-21": "Kobe Rapid has no token",
    "1890-MIN-08": "only Osaka Electric and what joins it wait for a phase, and they are not in play",
    "1890-MIN-13": "the same",
    "1890-MIN-11": "only Kanan and Nara Electric need Kinki, and they are not in play",
}
"""Rules of guards that find nothing to object to where the options switch them off."""
DENIALS = r"neither swapped nor sold to the bank"


def built(title: str, options: tuple[str, ...]) -> Title | None:
    """The title for as many players as the options allow; None where they exclude each other."""
    for players in reversed(TITLES[title].players):
        try:
            return build(title, players, options)
        except BadAction:
            continue
    return None


def games(most: int) -> Iterator[Title]:
    """Every title plain, with each option, and with all sets of options up to `most` that go together."""
    for title, recipe in TITLES.items():
        for number in range(most + 1):
            for options in combinations(recipe.options, number):
                if (t := built(title, options)) is not None:
                    yield t


def told(t: Title) -> Iterator[str]:
    """What people read of the game without its having begun."""
    yield from (private.note for private in t.privates.values())
    yield from (phase.note for phase in t.phases)
    steps = {step.name for part in t.rounds.values() for step in part.steps} | set(t.interrupts)
    yield from (lesson(kind, t) for kind in LESSONS if kind in steps)


def names_only_what_there_is(t: Title) -> None:
    lacking = set(build(t.id, t.players).corporations) - set(t.corporations)
    has = {verb.action for verb in t.every_verb()}
    for said in told(t):
        promised = re.sub(DENIALS, "", said)
        for words, kind in VERBS.items():
            assert not re.search(words, promised) or kind in has, (sorted(t.options), said)
        assert not [corp for corp in lacking if re.search(rf"\b{re.escape(corp)}\b", said)], (sorted(t.options), said)


def cites_only_what_holds(t: Title) -> None:
    """No refusal, event or phase of the game names a rule that its options switch off."""
    cited = {t.rule(verb, guard) for verb in t.every_verb() for guard in verb.guards}
    cited |= {rule for name, rule in t.turn_rules.items() if name in t.rounds}
    cited |= {phase.rule for phase in t.phases}
    off = sorted(rule for rule in cited if here(t, ledger()[rule]).standing in ("off", "not chosen"))
    assert not set(off) - set(UNASKED), (t.id, sorted(t.options), off)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(1, id="each option", marks=pytest.mark.long),
        pytest.param(2, id="each pair of options", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("title", TITLES)
def test_a_table_is_told_only_of_what_its_game_has(title: str, options: int) -> None:
    for t in games(options):
        if t.id == title:
            names_only_what_there_is(t)
            cites_only_what_holds(t)


@pytest.mark.parametrize(
    ("title", "option", "private", "says", "never"),
    [
        ("1860", "variable_privates", "BHC", "Its income rises to £10 once BHI&R has", "reserved share"),
        ("1860", "variable_privates", "FFC", "closes no other private", "closes all"),
        ("1860", "variable_privates", "CMH", "may close it for good, and keeps its value", "bank for"),
        ("1890", "kobe_rapid_control", "K2", "¥10, 15 or 20", "half the value"),
        ("1890", "close_minors", "M5", "With the first 6-train it becomes one", "\n"),
        ("1888", "prototype", "FC", "beside the turn's purchase, for a share from the initial offering", "as the turn"),
        ("1889", "online", "B", "only in the track step of one of their own", "except while a rival"),
    ],
)
def test_a_private_s_card_says_what_it_does_under_the_option(
    title: str, option: str, private: str, says: str, never: str
) -> None:
    note, plain = (build(title, 4, chosen).privates[private].note for chosen in ([option], []))
    assert says in note
    assert never not in note
    assert says not in plain


def test_the_tip_on_the_opening_fits_what_is_sold_there() -> None:
    assert "a company may buy it" in lesson("offer", build("1889", 3))
    assert "a company may buy it" not in lesson("offer", build("1889", 3, ["beginner"]))
    assert "minors" in lesson("offer", build("1890", 3))


@pytest.mark.parametrize(
    ("title", "options"), [("1860", []), ("1888", []), ("1889", []), ("1890", []), ("1890", ["scenario_a"])]
)
def test_what_a_private_does_names_its_hexes(title: str, options: list[str]) -> None:
    t = build(title, 3, options)
    for private in t.privates.values():
        for hex_id in re.findall(r"\b[A-Z]\d{1,2}\b", private.note):
            name = t.hexes[hex_id].name if hex_id in t.hexes else ""
            assert name.split(" ")[-1] in private.note, (private.id, hex_id)


def test_lessons_of_1860_put_no_duty_on_its_directors() -> None:
    island, shikoku = build("1860", 3), build("1889", 3)
    assert "president would have to" in lesson("dividend", shikoku)
    assert "becomes insolvent" in lesson("dividend", island)
    assert "never pays what it owes" in lesson("shares", island)
    assert "brings a share" in lesson("choose", island)
    assert "brings a share" not in lesson("choose", build("1860", 3, ["variable_privates"]))


@pytest.mark.parametrize(
    ("title", "options", "said"),
    [
        ("1889", [], "its president alone"), ("1890", [], "its president alone"), ("1860", [], "its shareholders"),
        ("1888", [], "everybody"), ("1889", ["open_treasuries"], "everybody"), ("1860", ["online"], "everybody"),
    ],
)  # fmt: skip
def test_help_says_who_sees_treasuries_in_this_game(title: str, options: list[str], said: str) -> None:
    assert f"In this game {said} may know it." in help_screen("treasury", build(title, 4, options)).text


def test_help_on_a_title_names_the_options_that_change_it() -> None:
    text_of = help_screen("t1860", build("1860", 3, ["any_company_order"])).text
    assert "No layers: companies start in any order (1860-VAR-03)" in text_of
    assert "options of this game" not in help_screen("t1860", build("1860", 3)).text


def test_a_rule_says_that_an_option_has_replaced_it() -> None:
    variable = build("1860", 3, ["variable_privates"])
    said = named_screen("1860-PRV-05", variable)
    assert "**Not in this game:** 1860-VAR-02c." in said.text
    assert isinstance(said.rows[0], tuple)
    assert said.rows[0][0].code == "rule|1860-VAR-02c"
    assert "Not in this game" not in named_screen("1860-PRV-05", build("1860", 3)).text
    assert "Changed in this game:** 1860-VAR-02." in search_screen("PRV-01", "1860", variable).text
    assert "Not in this game" in search_screen("exchange reserved private", "1860", variable).text


def test_a_rule_of_an_option_says_whether_it_was_chosen() -> None:
    variable = build("1860", 3, ["variable_privates"])
    assert here(variable, ledger()["1860-VAR-02b"]).standing == "chosen"
    assert here(variable, ledger()["1860-VAR-03"]).standing == "not chosen"
    assert here(variable, ledger()["1889-VAR-03"]).standing == "in force"
    assert here(None, ledger()["1860-VAR-03"]).standing == "in force"


@pytest.mark.parametrize(
    ("title", "option", "rules"),
    [
        ("1888", "online", "AUC-11 RTE-15 TRN-20 EMR-04 PRV-12 PHS-02"), ("1888", "no_stalled_exports", "AUC-11"),
        ("1889", "beginner", "TRK-18 EMR-11 SEC-06"),
    ],
)  # fmt: skip
def test_no_rule_stands_as_it_is_where_an_option_undoes_what_it_says(title: str, option: str, rules: str) -> None:
    """`/rule 1888-RTE-15` said that running is mandatory in a game in which a company may run nothing."""
    t = build(title, 4, [option])
    untrue = {rule: here(t, ledger()[f"{title}-{rule}"]).standing for rule in rules.split()}
    assert not [rule for rule, standing in untrue.items() if standing == "in force"]


def test_rules_are_headed_with_the_scenario_that_is_played_here() -> None:
    """All were headed “1890: Osaka”, which is scenario C, and did not say which of the letters is the game's."""
    west = build("1890", 3, ["scenario_a"])
    assert "-# 1890: Hanshin Railways · setup" in named_screen("1890-SET-02", west).text
    assert named_screen("1890-SET", west).text.startswith("### 1890: Hanshin Railways: setup")
    assert search_screen("1890 set", game=west).text.startswith("### 1890: Hanshin Railways: setup")
    assert "for which it holds; this game is A." in named_screen("1890-SET-02", west).text
    assert "for which it holds; this game is C." in named_screen("1890-SET-02", build("1890", 3)).text
    assert "for which it holds." in named_screen("1890-SET-02").text
    assert "-# Shikoku 1889 · setup" in named_screen("1889-SET-02", west).text


def test_what_one_option_switches_off_another_can_bring_back() -> None:
    short = ["scenario_a"]
    tigers = ledger()["1890-COR-16"]
    assert here(build("1890", 3, short), tigers).standing == "off"
    assert here(build("1890", 3, [*short, "special_companies"]), tigers).standing == "in force"
    assert here(build("1890", 3, ["scenario_d"]), ledger()["1890-VAR-11a"]).standing == "chosen"


@pytest.mark.parametrize("title", TITLES)
def test_every_option_names_its_rule_and_touches_only_rules_that_exist(title: str) -> None:
    for option in TITLES[title].options:
        assert chosen_rules(title, frozenset({option})), option
    for rule in ledger().values():
        assert {*rule.off, *rule.changes, *rule.brings} <= set(ledger()), rule.id


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_what_is_told_in_the_course_of_a_game_is_not_of_rules_that_are_off(title: str) -> None:
    for t in games(1):
        if t.id != title:
            continue
        for state, action, after in walk(t, 3, 400):
            for fact in after.facts:
                rule = t.event_rules.get(fact.what) if isinstance(fact, Announced) else None
                assert rule is None or here(t, ledger()[rule]).standing not in ("off", "not chosen"), (fact, t.options)
            assert action.by == CHANCE or decision(t, state).step in {*LESSONS}


async def test_the_rule_command_asks_the_game_of_its_channel(club: Club) -> None:
    await club.begin(3, title="1860", options="variable_privates")
    answer = private_answer(await club.aiko.slash(club.channel, "rule", words="PRV-05"))
    assert "**Not in this game:** 1860-VAR-02c." in text(answer)
