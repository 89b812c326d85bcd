"""Every title with every option: what the bot shows at positions of random games is worded and within Discord's limits.

No Discord is asked: the messages are built from the position alone, as they would be sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from walks import walk

import engine
from bot.words.labels import CONTROLS
from bot.words.narration import TELLERS
from cli.contract.texts import seen, shown, told, undrawn
from engine import facts
from engine.actions import ACTIONS, Deal, StateRevenue
from engine.facts import Fact
from engine.ids import CHANCE
from engine.title import Title

SAMPLED = 7
"""Every so many positions of a game are shown."""
ONE_OF = 3
"""Of so many options of a title one is in `make test-all`; the engine's tests and `make sweeps` try each."""


def boxes() -> Iterator[Any]:
    """Each title plain, with each option alone, and with the most and the fewest players."""
    for key, recipe in engine.TITLES.items():
        for number, option in enumerate(("", *recipe.options)):
            players = recipe.players[-1] if option else recipe.players[0]
            marks = [pytest.mark.slow] if number % ONE_OF else []
            name = f"{key}-{players}-{option or 'plain'}"
            yield pytest.param(key, players, [option] if option else [], id=name, marks=marks)


def built(key: str, players: int, options: list[str]) -> Title:
    """The title with the options, and with as few others and as many players as they need."""
    others = ([], *([option] for option in engine.TITLES[key].options if option not in options))
    for more in others:
        for number in range(players, 1, -1):
            with suppress(engine.BadAction):
                return engine.build(key, number, [*options, *more])
    raise AssertionError(options)


async def look(key: str, players: int, options: list[str], seed: int, most: int) -> None:
    title, work = built(key, players, options), undrawn()
    names = None
    for number, (state, action, after) in enumerate(walk(title, seed, most)):
        names = names or seen(title, state, work).lexicon()
        told(title, after, names)
        if number % SAMPLED == 0 and action.by != CHANCE:
            await shown(title, state, work)


@pytest.mark.parametrize(("key", "players", "options"), list(boxes()))
@pytest.mark.long
async def test_the_first_turns_are_shown_within_the_limits(key: str, players: int, options: list[str]) -> None:
    await look(key, players, options, 1, 120)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize(("key", "players", "options"), list(boxes()))
async def test_whole_games_are_shown_within_the_limits(key: str, players: int, options: list[str], seed: int) -> None:
    await look(key, players, options, seed, 20_000)


def test_every_kind_of_action_has_a_label() -> None:
    never_pressed = {Deal, StateRevenue}
    assert set(ACTIONS.values()) - never_pressed == set(CONTROLS)


def test_every_kind_of_fact_has_words() -> None:
    kinds = {one for one in vars(facts).values() if isinstance(one, type) and issubclass(one, Fact) and one is not Fact}
    assert kinds - {facts.CashMoved} == set(TELLERS)
