"""Running a game out: what the program of the whole table does from near the end on, in every title."""

from __future__ import annotations

from functools import cache

import pytest
from tables import table
from walks import walk

import engine
from bot.core.moves import TABLE
from bot.core.orders import Orders
from bot.core.outcome import cautious, following, whatever
from engine import State, Title
from engine.actions import Action, BuyTrain
from engine.facts import RoundBegan
from engine.ids import BANK
from engine.secrets import hidden_purses, with_purses
from programs import WAIT, Cause, RunOut, near_end, prompt
from programs.run_out import LONGEST

pytestmark = pytest.mark.long

ALL = [(title, players) for title in sorted(engine.TITLES) for players in (2, 3, engine.TITLES[title].players[-1])]
SETUPS = [(title, players) for title, players in dict.fromkeys(ALL) if players in engine.TITLES[title].players]
LARGEST = [(title, engine.TITLES[title].players[-1]) for title in sorted(engine.TITLES)]
FEWER = [one for one in SETUPS if one not in LARGEST]
SAMPLED = [
    *LARGEST,
    *(pytest.param(*one, marks=pytest.mark.slow if number % 4 != 2 else ()) for number, one in enumerate(FEWER)),
]
"""In `make test-all` each title with the most players, and some with fewer."""
MOST = 4000


@cache
def near(title: str, players: int, *options: str) -> tuple[Title, State]:
    """The first position of a random game that is near its end."""
    t = engine.build(title, players, options)
    return t, next(s for s, _, _ in walk(t, players, MOST) if near_end(t, s))


def agreed() -> Orders:
    orders = Orders()
    orders.agreed(RunOut(), 0)
    return orders


def ran(t: Title, s: State) -> list[tuple[State, Action, bool]]:
    """The rest of the game with each move, and whether a person had to make it: these play cautiously."""
    orders, played = agreed(), list[tuple[State, Action, bool]]()
    while not s.over and len(played) < MOST:
        orders = orders.copy({}, [TABLE])
        done = list(following(t, s, 1, orders))
        for one in done:
            played.append((s, one.action, False))
            s = one.state
        if not done:
            action = cautious(t, s, engine.decision(t, s).players[0])
            assert action is not None
            played.append((s, action, True))
            s = engine.apply(t, s, action)
    assert s.over, "it came to the end"
    return played


@pytest.mark.parametrize(("title", "players"), SAMPLED)
def test_a_game_is_run_out_as_it_would_be_by_hand_without_initiative(title: str, players: int) -> None:
    """Each move is the cautious one; people are asked for nothing but trains that they must have."""
    t, s = near(title, players)
    played = ran(t, s)
    for before, action, _ in played:
        assert engine.judge(t, before, action) is None
        assert action == cautious(t, before, action.by)
    asked = [before for before, _, by_hand in played if by_hand]
    assert all(BuyTrain in engine.present_step(t, before).by_action for before in asked)
    assert len(asked) < len(played) / 3


@pytest.mark.parametrize(("title", "players"), LARGEST)
def test_nothing_is_done_in_a_round_before_it_has_paused(title: str, players: int) -> None:
    t, s = near(title, players)
    orders, paused = agreed(), 0
    while not s.over:
        orders = orders.copy({}, [TABLE])
        done = list(following(t, s, 1, orders))
        began = next((number for number, one in enumerate(done, 1) if begins_a_round(one.state)), len(done))
        assert all(one.automatic for one in done[began:])
        paused += TABLE in orders.waiting
        s = done[-1].state if done else engine.apply(t, s, whatever(t, s, engine.decision(t, s).players[0]))
    assert paused


def begins_a_round(s: State) -> bool:
    return any(isinstance(fact, RoundBegan) for fact in s.facts)


@pytest.mark.parametrize("title", sorted(engine.TITLES))
def test_the_end_is_not_near_when_a_game_begins(title: str) -> None:
    t = engine.build(title, 3)
    assert not near_end(t, engine.start(t, ["Ann", "Ben", "Cho"]))


def test_the_end_is_near_once_four_rounds_as_the_last_would_empty_the_bank() -> None:
    laid = table("1889", 3).par("AR", 80).shares("AR", p1=5, president="p1").set(last_run={"AR": 200})
    assert not near_end(*laid.bank(801).build())
    assert near_end(*laid.bank(800).build())
    assert near_end(*laid.bank(5000).set(broken=True).build())


def test_the_end_is_near_in_the_last_turn_and_under_british_rail() -> None:
    assert not near_end(*table("1890", 3).stock(turn=9).build())
    assert near_end(*table("1890", 3).stock(turn=10).build())
    assert not near_end(*table("1860", 3).build())
    assert near_end(*table("1860", 3).own(british=True).build())


@pytest.mark.parametrize(("title", "players"), LARGEST)
def test_hidden_money_changes_nothing_but_whether_a_train_must_be_bought(title: str, players: int) -> None:
    t, s = near(title, players, *(["hidden_cash"] if title == "1890" else []))
    told = 0
    for before, action, _ in ran(t, s):
        purses = hidden_purses(t, before, None)
        if BuyTrain in engine.present_step(t, before).by_action:
            continue
        for amount in (0, 5000) if purses else ():
            assert RunOut().move(prompt(t, with_purses(before, purses, amount), action.by)) == action
            told += 1
    assert told or title == "1888"


def test_what_must_be_done_is_done_unless_only_its_owner_can_tell_that_it_must() -> None:
    """What a president sells for a train depends on what the company has, which the others may not know."""
    laid = table("1889", 3).operating("AR", "trains").tile("K8", "57", 1).shares("AR", p1=5).phase("5", **{"5": 2})
    t, s = laid.cash(AR=100, p1=500).build()
    assert RunOut().move(prompt(t, s, "p1")) == BuyTrain("p1", "AR", "5", BANK, 450)
    t, s = laid.cash(AR=100, p1=0).build()
    assert RunOut().move(prompt(t, s, "p1")) is WAIT


def test_a_game_that_does_not_end_is_left_to_its_players() -> None:
    t, s = table("1889", 3).par("AR", 80).shares("AR", p1=5, president="p1").build()
    orders, paused = agreed(), 0
    while orders.together:
        orders = orders.copy({}, [TABLE])
        s = list(following(t, s, 1, orders))[-1].state
        paused += 1
    assert orders.broken_off == Cause("endless")
    assert paused == LONGEST
    assert list(following(t, s, 1, orders)) == []
