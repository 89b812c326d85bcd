"""A position in which nobody can ever do anything again ends the game instead of coming round for ever."""

from __future__ import annotations

import pytest

from engine import CLOSED, TITLES, State, Title, build, decision, start
from engine.facts import GameEnded
from engine.flow import enter
from records.simulate import steps


def penniless(title: str) -> tuple[Title, State]:
    """Before the first stock round nobody has money, and nothing will ever pay."""
    t = build(title, min(TITLES[title].players))
    s = start(t, tuple(f"P{n}" for n in range(t.players)))
    s.cash.update(dict.fromkeys(s.players, 0))
    s.owner.update(dict.fromkeys(s.owner, CLOSED))
    s.pending, s.facts = (), []
    return t, s


@pytest.mark.parametrize("title", TITLES)
def test_a_game_in_which_nothing_can_happen_any_more_ends(title: str) -> None:
    t, s = penniless(title)
    enter(t, s, "SR")
    assert s.over == "stuck"
    ended = [fact for fact in s.facts if isinstance(fact, GameEnded)]
    assert [fact.reason for fact in ended] == ["stuck"]


@pytest.mark.parametrize("title", TITLES)
def test_it_goes_on_where_somebody_will_be_able_to_do_something(title: str) -> None:
    t, s = penniless(title)
    s.cash[s.players[0]] = 1_000
    enter(t, s, "SR")
    assert not s.over
    assert decision(t, s).players


@pytest.mark.slow
def test_a_random_game_that_came_round_for_ever_ends() -> None:
    t = build("1860", 4, ["accelerated_track"])
    *_, (_, last) = steps(t, ("Ann", "Ben", "Cho", "Dan"), 1004)
    assert last.over == "stuck"
