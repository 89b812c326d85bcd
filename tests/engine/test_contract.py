"""What every title promises, whatever its rules: no branch asks for a title. `cli/contract` says them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from tables import NAMES
from walks import walk

from cli.contract.box import box_is_sound
from cli.contract.brute import Tried
from cli.contract.checks import first_turns
from cli.contract.moves import answered, nobody_moves_when_over, random_action, replays
from cli.contract.play import Setup, Trail, fewest_and_most, one_of_each_kind, setups
from cli.contract.rules import guards_are_asked, rules_are_known
from cli.contract.sound import audit_move
from engine import BANK, BadAction, Entry, LogMismatch, build, judge, last_undo, replay, start
from engine.action_json import from_json
from engine.actions import Pass
from engine.titles import TITLES

SETUPS = [setup for title in TITLES for setup in setups(title)]
KINDS = list(dict.fromkeys((setup.title, setup.options) for setup in SETUPS))


def one_of_a_kind(setup: Setup) -> bool:
    """Whether these options are tried with this number of players, which differs from kind to kind."""
    kind = setup.title, setup.options
    fitting = [one.players for one in SETUPS if (one.title, one.options) == kind]
    return setup.players == fitting[KINDS.index(kind) % len(fitting)]


def in_sample(setup: Setup) -> bool:
    """Whether it is played in `make test-all`: without options, with all, and with every sixth option."""
    sampled = len(setup.options) != 1 or KINDS.index((setup.title, setup.options)) % 6 == 1
    return bool(sampled) and one_of_a_kind(setup)


SLOW = pytest.mark.slow
PLAIN = [Setup(title, players) for title, recipe in TITLES.items() for players in recipe.players]
FEWEST_OR_MOST = [
    pytest.param(setup, marks=[] if setup == fewest_and_most(setup.title)[number % 2] else [SLOW])
    for number, title in enumerate(TITLES)
    for setup in PLAIN
    if setup.title == title
]
"""In `make test-all` the titles take turns to be played by as few and by as many as can."""


def named(setup: Setup) -> str:
    return "-".join((setup.title, str(setup.players), *(("all",) if len(setup.options) > 1 else setup.options)))


@pytest.mark.long
@pytest.mark.parametrize("title", TITLES)
def test_no_slip_is_found_in_the_box(title: str) -> None:
    kinds = [setup.built() for setup in one_of_each_kind(title)]
    guards_are_asked(kinds[0], kinds)
    for t in kinds:
        box_is_sound(t, title)
        rules_are_known(t)


@pytest.mark.parametrize(
    "setup", [one if in_sample(one) else pytest.param(one, marks=SLOW) for one in SETUPS], ids=named
)
@pytest.mark.long
def test_random_play_keeps_the_promises(setup: Setup) -> None:
    first_turns(Trail(setup, seed=100 + len(setup.options)))


@pytest.mark.parametrize("setup", FEWEST_OR_MOST, ids=named)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 30))])
@pytest.mark.long
def test_random_games_end(setup: Setup, seed: int) -> None:
    t, actions = setup.built(), []
    final = start(t, NAMES[: t.players])
    for before, action, after in walk(t, seed):
        audit_move(t, before, after)
        actions.append(action)
        final = after
    nobody_moves_when_over(t, final)
    replays(t, actions, final)


@pytest.mark.parametrize("setup", PLAIN[:2], ids=named)
def test_a_log_with_undos_replays_like_the_game(setup: Setup) -> None:
    t, players = setup.built(), setup.players
    steps = list(walk(t, seed=5, most=40))
    entries = [Entry(index + 1, "action", action) for index, (_, action, _) in enumerate(steps)]
    undone = [*entries, Entry(41, "undo"), Entry(42, "undo", target=20)]
    assert replay(t, NAMES[:players], undone).to_dict() == steps[20][0].to_dict()
    assert last_undo(undone) == 42
    redone = [*undone, Entry(43, "redo"), Entry(44, "redo")]
    assert replay(t, NAMES[:players], redone).to_dict() == steps[-1][2].to_dict()
    broken = [entry for entry in entries if entry.seq != 7]
    with pytest.raises(LogMismatch) as stopped:
        replay(t, NAMES[:players], broken)
    assert stopped.value.seq > 7
    assert stopped.value.cause


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("which", [-1, pytest.param(0, marks=pytest.mark.slow)], ids=["most", "fewest"])
@pytest.mark.long
def test_legal_is_what_the_judge_accepts_of_everything(title: str, which: int) -> None:
    tried, t = Tried(), build(title, TITLES[title].players[which], ())
    for s, _, _ in walk(t, seed=7, most=400):
        tried.look(t, s)
    assert len(tried.times) >= 8, tried.times


@pytest.mark.parametrize("setup", FEWEST_OR_MOST, ids=named)
@pytest.mark.long
def test_any_action_is_allowed_refused_in_a_sentence_or_not_understood(setup: Setup) -> None:
    t, random = setup.built(), Random(setup.players)
    answers: Counter[str] = Counter()
    for s, _, _ in walk(t, seed=setup.players, most=160):
        before = s.to_dict()
        answers.update(answered(t, s, random_action(t, s, random)) for _ in range(25))
        assert s.to_dict() == before
    assert min(answers["bad"], answers["refused"], answers["allowed"]) > 0, answers


@pytest.mark.parametrize("title", TITLES)
def test_garbage_is_not_understood(title: str) -> None:
    bid, run = {"do": "Bid", "by": "p1", "private": "A"}, {"do": "RunTrains", "by": "p1", "corp": "AR"}
    odd_amounts: tuple[Any, ...] = ("5", 5.0, True, None, [], 10**30)
    garbage: list[Any] = [
        {}, [], None, "pass", {"do": "Steal"}, {"do": "Pass"}, {"do": "Pass", "by": 3}, {"do": "Pass", "by": "p" * 99},
        {"do": "Pass", "by": "p1", "x": 1}, *({**bid, "amount": odd} for odd in odd_amounts),
        {**run, "routes": "all"}, {**run, "routes": [{"train": "2", "path": ["A1.0", 9, "A1.0"]}]},
        {**run, "routes": [{"train": "2", "path": [0] * 1000}]}, {**run, "routes": [{"train": 2, "path": []}]},
        {"do": "Deal", "by": "chance", "privates": [1, 2]},
    ]  # fmt: skip
    for body in garbage:
        with pytest.raises(BadAction):
            from_json(body)
    t = build(title, TITLES[title].players[0], ())
    s = start(t, NAMES[: t.players])
    for unknown in ("p9", "", "Ann", BANK):
        for action in (Pass(unknown), *(verb.action(unknown) for verb in t.anytime if len(fields(verb.action)) == 1)):
            with suppress(BadAction):
                assert judge(t, s, action) is not None
