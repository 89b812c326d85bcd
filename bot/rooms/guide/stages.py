"""The stages of the guided game: their texts from `stages.toml`, and where each begins.

A stage begins after so many moves of a game that was played before, kept as its actions in `games.json`. There are two:
"first", and "late", which goes on otherwise from a position of "first".
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import engine
from bot.core.moves import follow
from bot.core.opponents import named
from bot.rooms.guide.aims import AIMS, YOU, Aim
from bot.rooms.learning.help import flowing, texts
from engine.action_json import from_json
from engine.actions import Action
from engine.state import State
from engine.title import Title
from engine.titles import AS_MOST_PLAY

TITLE = "1889"
OTHERS = {"p2": named(1), "p3": named(2)}
"""The opponents, by seat."""
FORKS = {"late": ("first", 126)}
"""From where a game goes on otherwise: the other game, and how many of its moves."""


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do: the aim in a sentence, why, and what came of it."""

    aim: str
    why: str
    asks: Aim
    then: Mapping[str, str]
    """By what came of it."""
    missed: Mapping[str, str]
    """By what was done instead: a kind word, and the way back."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage: what is told at its start, and what is to be done, one after the other."""

    key: str
    heading: str
    story: str
    game: str
    at: int
    """After how many moves of its game it begins."""
    tasks: tuple[Task, ...]


def _stage(key: str, one: Mapping[str, Any]) -> Stage:
    return Stage(key, one["heading"], flowing(one["story"]), one["game"], one["at"], tuple(map(_task, one["tasks"])))


def _task(one: Mapping[str, Any]) -> Task:
    then, missed = ({key: flowing(text) for key, text in one[group].items()} for group in ("then", "missed"))
    return Task(one["aim"], flowing(one["why"]), AIMS[one["asks"]], then, missed)


_TEXTS = texts("stages.toml", __package__)
ABOUT = {key: flowing(text) for key, text in _TEXTS["about"].items()}
"""What is told before the first stage and after the last."""
STAGES = tuple(_stage(key, one) for key, one in _TEXTS["stages"].items())
"""In their order."""
BY_KEY = {stage.key: stage for stage in STAGES}


@cache
def title() -> Title:
    """The title of the guided game: as most people play it."""
    return engine.build(TITLE, 1 + len(OTHERS), [AS_MOST_PLAY])


def _moves(game: str) -> tuple[Action, ...]:
    games = json.loads((resources.files(__package__) / "games.json").read_text("utf-8"))
    other, count = FORKS.get(game, ("", 0))
    begun = _moves(other)[:count] if other else ()
    return (*begun, *map(from_json, games[game]))


@cache
def beginning(game: str, at: int) -> State:
    """The position after so many moves of a game; names are put in when it is shown."""
    state = engine.start(title(), [str(YOU), *OTHERS.values()])
    for action in _moves(game)[:at]:
        after = engine.apply(title(), state, action)
        follow(state, after)
        state = after
    return state
