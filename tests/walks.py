"""Random games as positions, for the tests that need many of them. Each is played once and kept: change no position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from random import Random

from tastes import eager

from cli.contract import play
from engine import BadAction, State, Title, build, start
from engine.actions import Action
from engine.titles import TITLES
from records.simulate import LONGEST, Picker, choose_among, steps

__all__ = ["some_title", "walk", "whole_game"]

NAMES = ("Ann", "Ben", "Cho")
KEPT = 8
"""Games that a process remembers."""
SHORT = {"1889": 24, "1888": 18, "1860": 30, "1890": 28}
"""The seeds of games that come to a late phase and to their end in few moves."""
Step = tuple[State, Action, State]


def walk(t: Title, seed: int, most: int = LONGEST, pick: Picker = choose_among) -> Iterator[Step]:
    """(position, action, next position) of a random game, to its end or `most` actions."""
    return islice(_kept(t, seed, pick).moves(), most)


@lru_cache(KEPT)
def whole_game(title_id: str, *options: str) -> tuple[Title, Sequence[State], Sequence[Action]]:
    """An eager game of three to its end: its beginning and all later positions, and its actions."""
    title = build(title_id, len(NAMES), options)
    played = list(steps(title, NAMES, SHORT.get(title_id, 1), eager))
    return title, (start(title, NAMES), *(state for _, state in played)), tuple(action for action, _ in played)


def some_title(title: str, random: Random) -> Title:
    """The title for a random number of players with random options, drawn again where they exclude each other."""
    recipe = TITLES[title]
    while True:
        options = [option for option in recipe.options if random.random() < 0.2]
        try:
            return build(title, random.choice(recipe.players), options)
        except BadAction:
            continue


class _Game:
    """A game that is played on as far as somebody looks."""

    def __init__(self, rest: Iterator[Step]) -> None:
        self._rest, self._played = rest, list[Step]()

    def moves(self) -> Iterator[Step]:
        for number in range(LONGEST):
            if number == len(self._played):
                step = next(self._rest, None)
                if step is None:
                    return
                self._played.append(step)
            yield self._played[number]


@lru_cache(KEPT)
def _kept(t: Title, seed: int, pick: Picker) -> _Game:
    return _Game(play.walk(t, seed, pick=pick))
