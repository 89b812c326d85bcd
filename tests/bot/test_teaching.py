"""Teaching games: tips that come once, and go for good."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from club import Club, buttons, read_code, text
from player import answer, private_answer
from tables import table
from tastes import eager
from walks import walk

import engine
from bot.rooms.learning.help import PAGES, SAID
from bot.rooms.learning.room import LESSONS, fitting, lesson, lesson_due
from engine.actions import ExchangePrivate
from engine.ids import CHANCE, CorpId

TIP = "💡"


@pytest.mark.parametrize("title", engine.TITLES)
@pytest.mark.long
def test_every_decision_of_a_player_has_a_tip(title: str) -> None:
    t = engine.build(title, 3)
    steps = {engine.decision(t, s).step for s, action, _ in walk(t, 4, 400, eager) if action.by != CHANCE}
    assert steps <= set(LESSONS)


def test_every_tip_is_short_and_its_words_lead_to_a_page() -> None:
    for kind, one in LESSONS.items():
        assert max(map(len, [one.text, *one.without.values(), *one.having.values()])) < 225, kind
        page, terms = SAID[one.step or kind]
        assert {page, *terms} <= set(PAGES)
        read_code(f"learned|{one.step or kind}")


def test_a_company_without_trains_is_not_told_that_it_runs_this_turn() -> None:
    t, s = table("1889", 3).par("AR", 80).shares("AR", p1=5).trains("AR", "2").build()
    s.operating = CorpId("AR")
    assert "in the same turn" in lesson(fitting(s, "track"), t)
    s.trains[CorpId("AR")] = ()
    assert "in the same turn" not in lesson(fitting(s, "track"), t)
    assert LESSONS[fitting(s, "track")].step == "track"
    assert fitting(s, "token") == "token"


def test_who_has_too_many_trains_by_a_merger_is_not_told_of_a_new_phase() -> None:
    laid = table("1890", 3).phase("2").par("Kinki", 80).shares("Kinki", {"reserved": 6}, president="reserved")
    laid = laid.private(M1="p3", M2="p1", M3="p2").operating("M1", then=("M2", "M3"), begun=False).rounds(3, 1, 2)
    for minor in ("M1", "M2", "M3"):
        laid.trains(minor, "2", "2")
    t, s = laid.build()
    s.floated -= {CorpId("Kinki")}
    for owner, minor in (("p1", "M2"), ("p3", "M1")):
        s = engine.apply(t, s, ExchangePrivate(owner, minor))
    assert engine.decision(t, s).step == "discard"
    assert "phase" not in lesson(fitting(s, "discard"), t)


def test_1860_says_director_in_its_tips() -> None:
    assert "makes you its director" in lesson("shares", engine.build("1860", 3))
    assert "makes you its president" in lesson("shares", engine.build("1889", 3))


@pytest.mark.parametrize("title", engine.TITLES)
def test_no_tip_promises_a_rise_of_the_price_that_may_fail_to_come(title: str) -> None:
    assert "can lift the price" in lesson("run", engine.build(title, 3))


@pytest.mark.parametrize(("cash", "tip"), [(500, "privates"), (0, "")])
def test_who_can_buy_no_private_but_use_one_is_not_told_about_buying(cash: int, tip: str) -> None:
    laid = table("1888", 3).par("JHR", 100, (0, 1)).shares("JHR", p1=5).phase("3").cash(JHR=cash)
    assert _due(*laid.operating("JHR", "privates").private(TA="JHR", KT="p1").build()) == tip


@pytest.mark.rule("1889-SEC-03")
@pytest.mark.parametrize("treasury", [0, 500])
def test_a_tip_that_all_can_read_tells_nothing_of_a_secret_treasury(treasury: int) -> None:
    laid = table("1889").par("AR", 100, (0, 3)).shares("AR", p1=5).phase("3").cash(AR=treasury)
    assert _due(*laid.operating("AR", "privates").private(A="p1").build()) == "privates"


def _due(t: engine.Title, s: engine.State) -> str:
    """The lesson that is given in this position."""
    asked = engine.decision(t, s)
    here: Any = SimpleNamespace(title=t, settings=SimpleNamespace(teaching=True), states=list, moves=[])
    here.position = SimpleNamespace(decision=asked, up=asked.players, state=s)
    return lesson_due(here, ())


async def test_a_tip_comes_the_first_time_only(club: Club) -> None:
    here = await club.begin(3, teaching=True)
    assert LESSONS["offer"].text in text(club.packet())
    assert "Pass this round" not in buttons(club.packet())  # a tip leaves no room for it
    for seat in ("p1", "p2", "p3"):
        assert here.position.up == (seat,)
        assert TIP in text(club.packet())
        await club.who(seat, here).slash(club.channel, "pass")
    assert here.position.up == ("p1",)
    assert TIP not in text(club.packet())
    assert "Pass this round" in buttons(club.packet())


async def test_other_games_have_none(club: Club) -> None:
    await club.begin(3)
    assert TIP not in text(club.packet())
    assert "Got it" not in buttons(club.packet())


async def test_got_it_dismisses_the_tip_for_good_and_for_that_person_alone(club: Club) -> None:
    here = await club.begin(3, teaching=True)
    first, second = club.who("p1", here), club.who("p2", here)
    told = private_answer(await first.click(club.packet(), label="Got it"))
    assert "not be told that again" in text(told)
    await club.bot.sender.idle()
    assert TIP not in text(club.packet())
    assert here.position.up == ("p1",)
    await first.slash(club.channel, "pass")
    assert TIP in text(club.packet())
    dismissed = private_answer(await second.click(club.packet(), label="Got it"))
    await second.click(dismissed, label="No more tips")
    assert await club.bot.store.lessons.of_user(first.id) == {"offer"}
    assert "all" in await club.bot.store.lessons.of_user(second.id)


async def test_no_more_tips_can_be_taken_back(club: Club) -> None:
    here = await club.begin(3, teaching=True)
    first = club.who("p1", here)
    told = private_answer(await first.click(club.packet(), label="Got it"))
    told = private_answer(await first.click(told, label="No more tips"))
    await club.bot.sender.idle()
    assert TIP not in text(club.packet())
    await first.click(told, label="Show me tips again")
    await club.bot.sender.idle()
    assert TIP in text(club.packet())


async def test_who_does_not_play_dismisses_nothing(club: Club) -> None:
    await club.begin(2, teaching=True)
    outsider = club.emma
    assert "no seat" in await answer(outsider.click(club.packet(), label="Got it"))
    assert await club.bot.store.lessons.of_user(outsider.id) == set()


async def test_the_lobby_and_the_settings_say_that_it_is_a_teaching_game(club: Club) -> None:
    host = club.aiko
    await host.slash(club.channel, "game create", title="1889", teaching=True)
    assert "A teaching game" in text(club.packet())
    assert "Teaching game: yes" in text(private_answer(await host.slash(club.channel, "game settings")))
