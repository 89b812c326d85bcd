"""Games with players and options drawn, for tests that want to see them all, and what is thought of positions."""

from __future__ import annotations

from random import Random

from engine import TITLES, BadAction, State, Title, build
from engine.ids import PlayerId
from opponents import Choice, regular
from opponents.choice import best_first
from opponents.question import ask
from opponents.weights import STANDARD, Weights


def drawn_title(title_id: str, seed: int) -> Title:
    """The title with players and options drawn; drawn again where they exclude each other."""
    random, recipe = Random(f"{title_id} {seed}"), TITLES[title_id]
    while True:
        options = [option for option in recipe.options if random.random() < 0.2]
        try:
            return build(title_id, random.choice(recipe.players), options)
        except BadAction:
            continue


def considered(title: Title, state: State, seat: PlayerId, weights: Weights = STANDARD) -> Choice:
    """What a regular does that goes by no rule of thumb."""
    return best_first(regular.rate(ask(title, state, seat, weights), Random(0)))[0]
