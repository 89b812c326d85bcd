"""Players of the program in whole games: they do what is allowed, come to an end, and are the same each time."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from subprocess import PIPE

import pytest
from drawn import drawn_title
from learners import learners, titled
from tastes import eager

from cli.matches import moves, play
from engine import BANK, CHANCE, State, Title, apply, build, consent, decision, judge, legal, start
from engine.action_json import to_json
from engine.actions import Bid, BuyTrain, EndGame, Pass, PlaceToken
from engine.stored import state_of
from opponents import LEVELS, Choice, Level, advise, agrees, choose, learner, levels, regular, strong
from opponents.question import Question, ask
from opponents.weights import STANDARD, Weights
from records.simulate import choose as random_move

TITLES = ("1888", "1860", "1889", "1890")
ROOT = Path(__file__).parents[2]
BASELINE = "d4968f4"
"""What the strong is measured against (docs/opponents.md)."""


def walk(title: Title, seed: int, steps: int) -> Iterator[State]:
    """Positions of a random game in which somebody must decide."""
    random, state = Random(seed), start(title, [f"P{seat}" for seat in range(title.players)])
    for _ in range(steps):
        if state.over:
            return
        if decision(title, state).players != (CHANCE,):
            yield state
        state = apply(title, state, random_move(title, state, random, eager))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("title_id", TITLES)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.long
def test_what_is_chosen_is_allowed(title_id: str, level: Level, seed: int) -> None:
    title = drawn_title(title_id, seed)
    for state in islice(walk(title, seed, 400), seed, None, 130 if level == "strong" else 67):
        seat = decision(title, state).players[0]
        choice = choose(title, state, seat, level, seed)
        assert choice.action.by == seat
        assert judge(title, state, choice.action) is None
        assert not isinstance(choice.action, EndGame)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("title_id", TITLES)
def test_thousands_of_decisions_are_allowed_and_games_end(title_id: str, level: Level) -> None:
    """Applying an action judges it; `moves` stops a game that does not end."""
    decided = seed = 0
    while decided < 3400:
        title = drawn_title(title_id, seed)
        decided += sum(1 for _ in moves(title, (level,) * title.players, seed))
        seed += 1


@pytest.mark.broad
def test_a_game_is_played_to_its_end_and_told() -> None:
    result = play(build("1890", 2, ["scenario_a"]), ("learner", "learner"), seed=1)
    assert result.end in ("turns", "bank", "bankrupt")
    assert len(result.worth) == 2
    assert result.rounds > 5


@pytest.mark.parametrize("level", ["learner", "regular", pytest.param("strong", marks=pytest.mark.slow)])
@pytest.mark.long
def test_nobody_lives_on_privates_for_ever(level: Level) -> None:
    """Where all pass while a private is unsold, incomes are paid and the auction goes on: it has to end."""
    title = build("1888", 2)
    for seed in (3, 4):
        rounds = [state.round for _, state in islice(moves(title, (level, level), seed), 60)]
        assert rounds[-1] != "ISR"


@pytest.mark.parametrize("level", LEVELS)
def test_who_has_been_paid_while_a_private_is_unsold_does_not_pass(level: Level) -> None:
    title = build("1888", 2)
    state = start(title, ["Ann", "Ben"])
    state.owner |= dict.fromkeys(list(title.privates)[:-1], "p2")
    state.cash["p1"] += 1500
    state.cash[BANK] -= 1500
    assert not [seed for seed in range(40) if isinstance(choose(title, state, "p1", level, seed).action, Pass)]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.long
def test_the_same_seed_gives_the_same_decisions(level: Level) -> None:
    title = build("1889", 3)
    first, second = (
        [to_json(action) for action, _ in islice(moves(title, (level, "learner", "random"), 5), 45)] for _ in range(2)
    )
    assert first == second


@pytest.mark.broad
def test_a_decision_does_not_depend_on_what_was_asked_before() -> None:
    """The answers kept with a board must not leak from one position into another."""
    title = build("1889", 3)
    states = list(islice(walk(title, 3, 300), 100, None, 45))
    fresh = [
        choose(title, state_of(title, state.names, state.to_dict()), seat, "regular").action
        for state in states
        for seat in decision(title, state).players[:1]
    ]
    for state in states:
        for level in LEVELS:
            choose(title, state, decision(title, state).players[0], level)
    again = [choose(title, state, decision(title, state).players[0], "regular").action for state in states]
    assert again == fresh


JUDGED = """
import sys
from itertools import islice
from pathlib import Path
from cli.matches import moves
from engine import CHANCE, build, decision
from opponents import LEVELS, advise
for title_id in ("1888", "1860", "1889", "1890"):
    title = build(title_id, 3)
    for _, state in islice(moves(title, ("learner",) * 3, 5), 60, 150, int(sys.argv[1])):
        seat = decision(title, state).players[0]
        if seat != CHANCE:
            for level in LEVELS:
                for choice in advise(title, state, seat, level):
                    print(choice.action, choice.score.hex())
"""


@pytest.mark.broad
@pytest.mark.parametrize("every", [15, pytest.param(9, marks=pytest.mark.slow)])
def test_scores_are_the_same_to_the_last_bit_in_every_process(every: int) -> None:
    """Python orders sets of strings by a seed of the process; a sum that depends on it turns a tie another way."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", JUDGED, str(every)], env=os.environ | {"PYTHONHASHSEED": seed}, stdout=PIPE
        )
        for seed in "01"
    ]
    first, other = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0] * 2
    assert len(first.splitlines()) > 250
    assert other == first


def test_choices_come_with_the_best_first_and_reasons_in_figures() -> None:
    title = build("1889", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    choices = advise(title, state, decision(title, state).players[0], "strong")
    assert [choice.score for choice in choices] == sorted((choice.score for choice in choices), reverse=True)
    reasons = [reason for choice in choices for reason in choice.reasons if isinstance(choice.action, Bid)]
    assert {reason.why for reason in reasons} >= {"value", "price"}


@pytest.mark.broad
def test_a_regular_goes_by_rules_of_thumb_now_and_then_but_not_where_it_could_be_ruined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    title, asked = titled("1889", 3), list[str]()
    states = [state for state in islice(learners(title), 20, 120) if not state.over]

    def by_rules(q: Question, random: Random) -> list[Choice]:
        asked.append(q.step)
        return []

    monkeypatch.setitem(levels.RATERS, "learner", by_rules)
    monkeypatch.setitem(levels.RATERS, "regular", lambda q, random: [])
    often: Counter[str] = Counter()
    for state in states:
        q = ask(title, state, decision(title, state).players[0])
        if len(q.options) > 1:
            often[q.step] += 5
            for seed in range(5):
                choose(title, state, q.seat, "regular", seed)
    hasty = Counter(asked)
    assert set(often) >= {"shares", "track", "dividend", "trains"}
    assert not levels.CAREFUL & set(hasty)
    for step in ("shares", "track"):
        assert hasty[step] / often[step] == pytest.approx(levels.HASTE, abs=0.15)


@pytest.mark.parametrize("level", LEVELS)
def test_who_must_do_what_makes_no_sense_does_it(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in LEVELS:
        monkeypatch.setitem(levels.RATERS, each, lambda q, random: [])
    title = build("1889", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    seat = decision(title, state).players[0]
    assert {choice.action for choice in advise(title, state, seat, level)} == set(ask(title, state, seat).options)


def test_who_is_not_asked_decides_nothing() -> None:
    title = build("1889", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    asked = decision(title, state).players[0]
    idle = next(seat for seat in state.players if seat != asked)
    with pytest.raises(ValueError, match="nothing to decide"):
        advise(title, state, idle, "learner")


@pytest.mark.broad
def test_no_deal_is_made_that_another_must_agree_to() -> None:
    for title_id in TITLES:
        title = build(title_id, 3)
        for state in islice(walk(title, 2, 330), 50, None, 55):
            question = ask(title, state, decision(title, state).players[0])
            assert all(consent(title, state, option) is None for option in question.options)


def test_a_train_is_not_sold_for_a_song() -> None:
    title = build("1889", 3)
    state = next(
        state
        for seed in range(20)
        for state in walk(title, seed, 600)
        if state.operating
        and any(
            isinstance(one, BuyTrain) and one.price == 1
            for one in legal(title, state, decision(title, state).players[0])
        )
    )
    seat = decision(title, state).players[0]
    cheap = next(one for one in legal(title, state, seat) if isinstance(one, BuyTrain) and one.price == 1)
    for level in LEVELS:
        assert not agrees(title, state, cheap, seat, level)


@pytest.mark.parametrize(
    ("title_id", "level", "simpler"), [("1890", "regular", True), ("1890", "strong", False), ("1889", "regular", False)]
)
def test_where_a_last_turn_is_set_a_regular_minds_no_rivals_and_sells_shares_for_what_they_bring(
    title_id: str, level: Level, simpler: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Weights] = []

    def rate(q: Question, random: Random) -> list[Choice]:
        asked.append(q.w)
        return [Choice(option, 0.0) for option in q.options]

    for each in LEVELS:
        monkeypatch.setitem(levels.RATERS, each, rate)
    title = build(title_id, 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    choose(title, state, decision(title, state).players[0], level)
    (given,) = asked
    assert given == (replace(STANDARD, rival=0.0, rivals=0.0, follow_ups=False) if simpler else STANDARD)


@pytest.mark.broad
def test_a_strong_minds_its_only_rival_twice_as_much_as_a_regular(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strong, "PLAYED", 0.0)
    title, compared = build("1889", 2), 0
    for _, state in moves(title, ("learner",) * 2, seed=3):
        if state.over or decision(title, state).step != "dividend":
            continue
        q = ask(title, state, decision(title, state).players[0])
        plain, minding = (
            {choice.action: choice for choice in rate(q, Random(0))} for rate in (regular.rate, strong.rate)
        )
        for action, choice in minding.items():
            rival = sum(reason.amount for reason in choice.reasons if reason.why == "rivals")
            assert choice.score == pytest.approx(plain[action].score - 0.45 * rival, abs=1)
            compared += 1
        if compared > 20:
            return
    raise AssertionError(f"only {compared} choices")


@pytest.mark.long
def test_a_learner_considers_each_token_once_by_what_it_brings() -> None:
    title, rated = titled("1889", 3), 0
    for state in learners(title):
        if state.over or decision(title, state).step != "token":
            continue
        q = ask(title, state, decision(title, state).players[0])
        tokens = [choice for choice in learner.rate(q, Random(0)) if isinstance(choice.action, PlaceToken)]
        assert len(tokens) == len({choice.action for choice in tokens})
        assert all(choice.reasons for choice in tokens)
        rated += len(tokens)
    assert rated


@pytest.mark.long
def test_a_strong_of_1860_thinks_as_a_regular_does_without_haste() -> None:
    title, compared = build("1860", 3), 0
    for _, state in moves(title, ("learner",) * 3, seed=3):
        if not state.over and decision(title, state).step == "shares":
            q = ask(title, state, decision(title, state).players[0])
            assert strong.rate(q, Random(0)) == regular.rate(q, Random(0))
            compared += 1
            if compared > 10:
                return
    raise AssertionError(f"only {compared} decisions")


@pytest.mark.parametrize("title_id", TITLES)
@pytest.mark.long
def test_the_opponents_of_an_earlier_commit_play_by_todays_engine(
    title_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`benchmarks/earlier.py` knows what has changed in how the engine is asked."""
    if subprocess.run(
        ["git", "cat-file", "-e", f"{BASELINE}^{{commit}}"], cwd=ROOT, stderr=PIPE, check=False
    ).returncode:
        pytest.skip(f"the history here does not reach back to {BASELINE}")
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    earlier = importlib.import_module("earlier").Earlier(BASELINE, "strong", seed=1)
    title = drawn_title(title_id, 1)
    for state in islice(walk(title, 1, 400), 0, None, 60):
        seat = decision(title, state).players[0]
        assert judge(title, state, earlier.move(title, state, seat, {})) is None
