"""Random games as positions, for the tests that need many of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tables import NAMES

from engine import State, Title, apply, start
from engine.actions import Action
from records.simulate import choose


def walk(t: Title, seed: int, most: int = 20_000) -> Iterator[tuple[State, Action, State]]:
    """(position, action, next position), to the end of the game or `most` actions."""
    random = Random(seed)
    s = start(t, NAMES[: t.players])
    for _ in range(most):
        if s.over:
            return
        action = choose(t, s, random)
        after = apply(t, s, action)
        yield s, action, after
        s = after
