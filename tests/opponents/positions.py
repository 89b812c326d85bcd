"""Games with players and options drawn, for tests that want to see them all."""

from __future__ import annotations

from random import Random

from engine import TITLES, BadAction, Title, build


def drawn_title(title_id: str, seed: int) -> Title:
    """The title with players and options drawn; drawn again where they exclude each other."""
    random, recipe = Random(f"{title_id} {seed}"), TITLES[title_id]
    while True:
        options = [option for option in recipe.options if random.random() < 0.2]
        try:
            return build(title_id, random.choice(recipe.players), options)
        except BadAction:
            continue
