"""Random games as positions, for the tests that need many of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tables import NAMES

from engine import BadAction, State, Title, apply, build, start
from engine.actions import Action
from engine.titles import TITLES
from records.simulate import ANYHOW, Taste, choose


def some_title(title: str, random: Random) -> Title:
    """The title for a random number of players with random options, drawn again where they exclude each other."""
    recipe = TITLES[title]
    while True:
        options = [option for option in recipe.options if random.random() < 0.2]
        try:
            return build(title, random.choice(recipe.players), options)
        except BadAction:
            continue


def walk(t: Title, seed: int, most: int = 20_000, taste: Taste = ANYHOW) -> Iterator[tuple[State, Action, State]]:
    """(position, action, next position), to the end of the game or `most` actions."""
    random = Random(seed)
    s = start(t, NAMES[: t.players])
    for _ in range(most):
        if s.over:
            return
        action = choose(t, s, random, taste)
        after = apply(t, s, action)
        yield s, action, after
        s = after
