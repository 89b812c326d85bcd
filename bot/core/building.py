"""The titles that stored games are played by."""

from __future__ import annotations

import json
from functools import lru_cache

import engine
from bot.core.errors import TableError
from engine.title import Title
from storage import Game


@lru_cache(maxsize=512)
def buildable(title_id: str, options: frozenset[str]) -> tuple[Title, tuple[int, ...]]:
    """The title for the fewest players who can play with these options, and all possible player counts.

    Raises TableError with the reason if there are none.
    """
    recipe = engine.TITLES[title_id]
    refused, smallest, numbers = "", None, []
    for players in recipe.players:
        try:
            title = recipe.build(players, options)
        except engine.BadAction as error:
            refused = str(error)
        else:
            smallest = smallest or title
            numbers.append(players)
    if smallest is None:
        raise TableError(refused)
    return smallest, tuple(numbers)


def title_of(game: Game) -> Title:
    """The title with the game's options."""
    return buildable(game.title, frozenset(json.loads(game.options)))[0]


def players_of(game: Game) -> tuple[int, int]:
    """The fewest and the most players."""
    numbers = buildable(game.title, frozenset(json.loads(game.options)))[1]
    return numbers[0], numbers[-1]
