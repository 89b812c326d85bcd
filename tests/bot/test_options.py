"""Options at creation: suggested within Discord's limits, only those that go together, and told with their reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import pytest
from club import Club, text
from player import answer
from tables import table

import engine
from bot.core.errors import TableError
from bot.core.position import Position
from bot.rooms.seats.options import host_must_not_see, option_name, options_beside, read_options, rules_lines
from bot.rooms.turn.cards import company_lines
from bot.words.lexicon import lexicon
from engine.ids import CorpId
from engine.viewing import table_view

TITLES = list(engine.TITLES)


@pytest.mark.long
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.pictures
async def test_options_are_suggested_within_the_limits(club: Club, title: str) -> None:
    recipe = engine.TITLES[title]
    starts = ["", *(f"{option}, " for option in recipe.options), *recipe.options]
    for typed in starts:
        choices = await club.aiko.autocomplete(club.channel, "game create", "options", typed, title=title)
        found: list[dict[str, Any]] = [one if isinstance(one, dict) else one.to_dict() for one in choices]
        assert len(found) <= 25
        assert all(1 <= len(one["name"]) <= 100 and 1 <= len(str(one["value"])) <= 100 for one in found)
    for option in recipe.options:
        beside = options_beside(recipe, [option])
        assert option not in beside


def built(recipe: engine.titles.Recipe, options: Iterable[str]) -> str | None:
    """All that a title is, whatever its options are called; None where they exclude each other."""
    try:
        t = recipe.build(3, frozenset(options))
    except engine.BadAction:
        return None
    parts = (repr(getattr(t, one.name)) for one in fields(t) if one.name != "options")
    return re.sub(r" at 0x[0-9a-f]+", "", "".join(parts))


@pytest.mark.long
@pytest.mark.parametrize("title", TITLES)
def test_options_that_change_nothing_beside_a_preset_are_not_offered_with_it(title: str) -> None:
    """As most people play 1889, company money is open; and yet *With Open treasuries* stood in the list."""
    recipe = engine.TITLES[title]
    for word, preset in recipe.presets.items():
        others = [one for one in recipe.options if one not in preset.options]
        idle = {one for one in others if built(recipe, [*preset.options, one]) == built(recipe, preset.options)}
        assert idle == set().union(*(recipe.covers.get(option, ()) for option in preset.options))
        assert not idle & {*options_beside(recipe, [word])}


IN_NUMBERS = re.compile("first_player_cash_[0-9]+")
"""Options that only fill in a number of a function, which does not show in what is built."""


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_options_that_change_nothing_beside_another_are_not_offered_with_it(title: str) -> None:
    recipe = engine.TITLES[title]
    for option in recipe.options:
        ground = [] if built(recipe, [option]) else ["scenario_a"]
        offered = options_beside(recipe, [*ground, option])
        alone = built(recipe, [*ground, option])
        idle = {one for one in offered if built(recipe, [*ground, option, one]) == alone and not IN_NUMBERS.match(one)}
        assert not idle, (option, idle)
        assert not recipe.covers.get(option, frozenset()) & {*offered}


@pytest.mark.parametrize(
    ("title", "chosen", "idle"),
    [
        ("1890", ["scenario_b"], "eight_turns"),
        ("1890", ["scenario_a", "special_companies"], "special_hanshin"),
        ("1890", ["scenario_a", "plain_jr_dividend"], "private_jr"),
        ("1860", ["first_edition"], "small_map"),
        ("1889", ["manual_setup", "online"], "open_treasuries"),
    ],
)
def test_what_another_option_includes_or_overrides_is_not_offered(title: str, chosen: list[str], idle: str) -> None:
    """In scenario B of 1890, which ends with game turn 8, *Eight turns* was on offer."""
    assert idle not in options_beside(engine.TITLES[title], chosen)


def test_what_a_preset_says_holds_beside_other_options() -> None:
    """With the prototype 18xx.games takes two players, and its first edition skips no small station."""
    assert "players" not in engine.TITLES["1888"].as_most_play.about
    assert "never skipped, even with online" in engine.TITLES["1860"].options["first_edition"]


def test_only_options_that_go_together_are_suggested() -> None:
    recipe = engine.TITLES["1890"]
    alone, west = options_beside(recipe, []), options_beside(recipe, ["scenario_a"])
    assert "plain_jr" not in alone
    assert "kobe_rapid_control" in alone
    assert "plain_jr" in west
    assert not {"scenario_b", "kobe_rapid_control", "air_raids"} & set(west)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("scenario_a scenario_b", "A game has one scenario"),
        ("plain_jr", "variant of the scenarios A and B"),
        ("kobe_rapid_control no_late_abilities", "choose one of the two"),
        ("air_raids plain_kinki", "last 3[+]3-train"),
    ],
)
def test_options_that_exclude_each_other_are_refused_with_the_reason(options: str, reason: str) -> None:
    with pytest.raises(TableError, match=reason):
        read_options("1890", options)


def test_options_have_names_for_people() -> None:
    recipe = engine.TITLES["1890"]
    assert option_name(recipe, "scenario_a") == "Scenario A"
    assert option_name(recipe, "plain_jr") == "Plain JR"


@pytest.mark.broad
async def test_a_scenario_says_how_many_can_play_and_takes_no_more(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1890", options="scenario_a")
    shown = text(club.channel.history()[-1])
    assert "Hanshin Railways" in shown
    assert "For 2 to 4 players" in shown
    for member in club.members[1:4]:
        await member.slash(club.channel, "game join")
    assert "joined" not in await answer(club.emma.slash(club.channel, "game join"))
    await club.aiko.slash(club.channel, "game start")
    assert any("**1890: Hanshin Railways begins.**" in text(one) for one in club.channel.history())


async def test_place_names_are_in_the_language_that_the_table_chooses(club: Club) -> None:
    table = await club.begin(2, "1890")
    assert not table.position.local_names
    await club.aiko.slash(club.channel, "game settings", names="local")
    position: Position = (await club.table()).position
    assert position.local_names


async def test_a_map_without_local_names_says_so(club: Club) -> None:
    await club.begin(2, "1889")
    assert "only has English" in await answer(club.aiko.slash(club.channel, "show map", names="local"))


def test_a_minor_at_work_is_not_called_unstarted() -> None:
    t, s = table("1890", 3).private(M1="p1").build()
    s.floated |= {CorpId("M1")}
    rows = {str(row.company.id): row for row in table_view(t, s).companies}
    names = lexicon(s.names, t)
    assert "not started" not in "\n".join(company_lines(rows["M1"], names))
    assert "not started" in "\n".join(company_lines(rows["JR"], names))


@pytest.mark.parametrize("title", ["1889", "1860", "1890"])
def test_no_host_acts_for_others_where_treasuries_are_secret(title: str) -> None:
    """Acting for somebody shows what they know."""
    with pytest.raises(TableError, match="treasuries"):
        host_must_not_see(title, [])


@pytest.mark.parametrize(
    ("title", "options"), [("1889", ["open_treasuries"]), ("1860", ["open_treasuries"]), ("1888", [])]
)
def test_a_host_acts_for_others_where_nothing_is_secret(title: str, options: list[str]) -> None:
    host_must_not_see(title, options)


@pytest.mark.parametrize("title", TITLES)
def test_a_preset_stands_for_its_options(title: str) -> None:
    recipe = engine.TITLES[title]
    options = recipe.as_most_play.options
    assert options <= set(recipe.options)
    assert set(read_options(title, "as_most_people_play")) == options
    assert read_options(title, "by_the_book") == []
    built = engine.build(title, 3, ["as_most_people_play"])
    assert (built.options, built.policy.secrecy.open_treasuries) == (options, True)
    assert recipe.preset_of(options) == "as_most_people_play"
    assert recipe.preset_of([]) == "by_the_book"


@pytest.mark.parametrize(
    ("title", "option", "told"),
    [
        ("1890", "scenario_a", "company money is open."),
        ("1890", "scenario_b", "company money is open."),
        ("1860", "first_edition", "company credits are open, and one run is enough."),
    ],
)
def test_of_what_most_people_play_nothing_is_told_that_an_option_leaves_out(title: str, option: str, told: str) -> None:
    recipe = engine.TITLES[title]
    first, *_ = rules_lines(recipe, [*recipe.as_most_play.options, option])
    assert first == f"- **As most people play**: {told}"
