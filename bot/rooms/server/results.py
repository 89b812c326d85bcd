"""Finished games of a server: who came where, how quickly people moved, and ratings.

A rating comes from games that were created as rated, played to their end by the people who began them, and not
imported. It is OpenSkill's Plackett-Luce model, per title and server, over the games in the order in which they ended.
Nothing of it is stored: results are, and the rest follows from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import engine
from bot.core import clockwork
from bot.core.hours import Stops
from bot.core.log import bare
from bot.core.opponents import is_person
from bot.core.settings import TableSettings
from engine.actions import EndGame
from storage import Game, LogRow, Store


@dataclass(frozen=True, slots=True)
class Result:
    """One finished game: the people by place, each with how many did better."""

    game: str
    title: str
    places: tuple[tuple[int, int], ...]
    rated: bool
    """Whether it counts for ratings."""


@dataclass(frozen=True, slots=True)
class Rated:
    """Somebody's rating in one title."""

    user: int
    value: float
    """What the person's skill is at least, almost surely (mu - 3 sigma); 0 before the first game."""
    games: int


async def results(store: Store, guild: int) -> list[Result]:
    """The finished games of a server that have a result, in the order in which they ended."""
    games = [one for one in await store.games_of_guild(guild, "finished") if one.result]
    games.sort(key=lambda one: one.finished_at or 0)
    return [await _result(store, one) for one in games]


async def _result(store: Store, game: Game) -> Result:
    scores: dict[str, int] = json.loads(game.result or "{}")
    users = {f"p{seat.seat}": seat.user_id for seat in await store.seats(game.id) if is_person(seat.user_id)}
    places = [
        (users[seat], sum(other > worth for other in scores.values()))
        for seat, worth in scores.items()
        if seat in users
    ]
    return Result(game.id, game.title, tuple(places), await _counts(store, game, len(scores)))


async def _counts(store: Store, game: Game, players: int) -> bool:
    """Whether the game is rated, was not stopped, nobody was substituted, and no opponent played."""
    settings = TableSettings.read(game.settings)
    if not settings.rated or settings.imported or players < 2:
        return False
    if (await store.tenures.of_game(game.id)).handovers:
        return False
    people = [seat.user_id for seat in await store.seats(game.id) if is_person(seat.user_id)]
    return len(set(people)) == players and not stopped(await store.log(game.id))


def stopped(rows: Sequence[LogRow]) -> bool:
    """Whether the game ended because somebody ended it."""
    live = engine.live_actions(bare(rows))
    by_seq = {row.seq: row for row in rows}
    return bool(live) and json.loads(by_seq[live[-1].seq].body).get("do") == EndGame.__name__


def ratings(played: Iterable[Result], title: str) -> list[Rated]:
    """Everybody's rating in a title, the best first."""
    from openskill.models import PlackettLuce, PlackettLuceRating  # not needed to start the bot

    model = PlackettLuce()
    known: dict[int, PlackettLuceRating] = {}
    games: dict[int, int] = {}
    for one in played:
        if not one.rated or one.title != title:
            continue
        users = [user for user, _ in one.places]
        teams = [[known.get(user) or model.rating()] for user in users]
        for user, (now,) in zip(users, model.rate(teams, ranks=[place for _, place in one.places]), strict=True):
            known[user], games[user] = now, games.get(user, 0) + 1
    found = [Rated(user, rating.ordinal(), games[user]) for user, rating in known.items()]
    return sorted(found, key=lambda one: -one.value)


async def seconds_to_move(store: Store, games: Iterable[str], user: int) -> float | None:
    """The median of how long the person took from when somebody else had moved; None without a move.

    Their quiet hours, as they are now, do not count.
    """
    person = (await clockwork.people_of(store, [user]))[user]
    awake = Stops(person.zone, person.quiet)
    spent: list[int] = []
    for game in games:
        before: tuple[int | None, int] | None = None
        for by, at in await store.steps(game):
            if by == user and before is not None and before[0] != user:
                spent.append(awake.running(before[1], at))
            before = (by, at)
    return median(spent) if spent else None
