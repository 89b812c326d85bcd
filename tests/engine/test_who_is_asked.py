"""Two worlds that differ only in hidden money: the same moves ask the same people, for the same, with the same told."""

from __future__ import annotations

from random import Random

import pytest

import engine
from engine.facts import Passed
from engine.ids import CHANCE
from engine.rounds import stock
from engine.secrets import with_purses
from engine.state import State
from engine.title import Title
from records.simulate import choose

NAMES = ("Ann", "Ben", "Cho", "Dan")
HIDING = [
    ["hidden_cash"],
    ["hidden_cash", "open_treasuries"],
    ["hidden_cash", "scenario_a"],
    ["hidden_cash", "scenario_d"],
]
MORE = 160


def worlds(options: list[str], players: int, seed: int) -> tuple[Title, State, State]:
    """The first player has more in one, the second in the other; the rest have little."""
    title = engine.build("1890", players, options)
    rich, poor = (engine.start(title, NAMES[:players]) for _ in range(2))
    for state, seat in ((rich, "p1"), (poor, "p2")):
        state.cash[seat] += MORE
    return title, rich, poor


@pytest.mark.rule("1890-VAR-05")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", HIDING, ids=" ".join)
@pytest.mark.long
def test_who_is_asked_and_what_is_told_does_not_depend_on_hidden_cash(options: list[str], seed: int) -> None:
    title, one, other = worlds(options, 3 + seed % 2, seed)
    random, rounds = Random(seed), set()
    for _ in range(250):
        action = _legal_in_both(title, one, other, random)
        if action is None:
            break
        one, other = engine.apply(title, one, action), engine.apply(title, other, action)
        assert engine.decision(title, one) == engine.decision(title, other), action
        assert told(one) == told(other)
        rounds.add(one.round)
        if one.over:
            break
    assert "SR" in rounds


def told(s: State) -> list[object]:
    """Who passed or was passed over, and where the game stands."""
    passed: list[object] = [one for one in s.facts if isinstance(one, Passed)]
    return [*passed, s.round, s.turn, s.passes, s.priority, s.over]


def _legal_in_both(title: Title, one: State, other: State, random: Random) -> engine.actions.Action | None:
    for _ in range(30):
        action = choose(title, one, random)
        if action.by == CHANCE or (
            engine.consent(title, one, action) is None and engine.judge(title, other, action) is None
        ):
            return action
    return None


@pytest.mark.rule("1890-VAR-05")
def test_a_player_who_cannot_pay_for_anything_is_asked(hidden: Title) -> None:
    s = _stock_round(hidden)
    for seat in ("p1", "p2", "p3"):
        s.cash[seat] = 0
    s.cash["p3"] = 1000
    stock.proceed(hidden, s)
    assert engine.decision(hidden, s).players == ("p1",)
    assert [type(one).__name__ for one in engine.legal(hidden, s, s.up)] == ["Pass"]


@pytest.mark.rule("1890-VAR-05")
def test_where_nobody_can_ever_do_anything_again_the_game_ends_though_all_would_be_asked(hidden: Title) -> None:
    s = _stock_round(hidden)
    for seat in s.players:
        s.cash[seat] = 0
    s.owner = dict.fromkeys(s.owner, engine.state.CLOSED)
    stock.begin(hidden, s)
    assert s.over == "stuck"


@pytest.mark.rule("1889-SEC-03", "1860-SEC-02", "1890-SEC-02")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("title_id", ["1889", "1860", "1890"])
@pytest.mark.long
def test_who_is_asked_in_a_companys_turn_does_not_depend_on_its_secret_treasury(title_id: str, seed: int) -> None:
    title = engine.build(title_id, 3)
    state, random, asked = engine.start(title, NAMES[:3]), Random(seed), set[str]()
    for _ in range(300):
        if state.over:
            break
        if state.operating and state.trains[state.operating] and not state.begun and not state.pending:
            asked |= _compared(title, state, random)
        state = engine.apply(title, state, choose(title, state, random))
    assert "trains" in asked


def _compared(title: Title, state: State, random: Random) -> set[str]:
    """The steps at which the company was asked with nothing and with much in its treasury."""
    corp, asked = state.operating, set()
    assert corp is not None
    poor, rich = (with_purses(state.copy(), [corp], amount) for amount in (0, 900))
    while not poor.over and poor.operating == corp:
        assert (rich.operating, engine.decision(title, poor)) == (corp, engine.decision(title, rich))
        asked.add(poor.step)
        action = _legal_in_both(title, poor, rich, random)
        if action is None:  # what it must do without money is told anyway
            return asked
        poor, rich = engine.apply(title, poor, action), engine.apply(title, rich, action)
        assert told(poor) == told(rich), action
    assert rich.operating != corp
    return asked


@pytest.fixture
def hidden() -> Title:
    return engine.build("1890", 3, ["hidden_cash"])


def _stock_round(title: Title) -> State:
    s = engine.start(title, NAMES[:3])
    s.round, s.turn, s.priority = "SR", 2, s.players[0]
    stock.begin(title, s)
    return s
