"""Looking stored games over: whether the database is sound, and whether every game replays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cli.rules import Examined, GoOn, examine
from storage import BrokenLog, Game, Store


@dataclass(frozen=True, slots=True)
class Found:
    """What looking all games over has found."""

    games: int
    rows: int
    problems: list[str]
    """Of the database, of the checksums, of games of which nothing can be made, and what is damaged beside them: a
    sentence each."""
    touched: list[Examined]
    """Games that changed rules affect."""


async def looked_over(store: Store, only: Sequence[str] = ()) -> Found:
    """Check all games, or only these, and replay them if they are sound."""
    games = await chosen(store, only)
    problems = await problems_of(store, only)
    replayed = [] if problems else await examined(store, games)
    problems += [one.text for one in replayed if one.change is None]
    problems += await store.damaged_beside(*only)
    touched = [one for one in replayed if one.change is not None]
    return Found(len(games), sum(game.seq for game in games), problems, touched)


async def problems_of(store: Store, only: Sequence[str]) -> list[str]:
    """What is wrong with the database and the checksums, a sentence each."""
    problems = await store.changed_elsewhere(*only) if only else await store.check()
    for game in await chosen(store, only):
        try:
            await store.verify(game.id)
        except BrokenLog as error:
            if str(error) not in problems:
                problems.append(str(error))
    return problems


async def examined(store: Store, games: Sequence[Game], go_on: GoOn = "never") -> list[Examined]:
    """Those of the games that would not be where they are by the present rules."""
    return [one for game in games if (one := await examine(store, game, go_on)) is not None]


async def chosen(store: Store, only: Sequence[str]) -> list[Game]:
    """These games, or all. Raises UnknownGame."""
    return [await store.game(one) for one in only] or await store.games("open", "running", "finished", "abandoned")
