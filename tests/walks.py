"""Random games as positions, for the tests that need many of them."""

from __future__ import annotations

from random import Random

from cli.contract.play import walk
from engine import BadAction, Title, build
from engine.titles import TITLES

__all__ = ["some_title", "walk"]


def some_title(title: str, random: Random) -> Title:
    """The title for a random number of players with random options, drawn again where they exclude each other."""
    recipe = TITLES[title]
    while True:
        options = [option for option in recipe.options if random.random() < 0.2]
        try:
            return build(title, random.choice(recipe.players), options)
        except BadAction:
            continue
