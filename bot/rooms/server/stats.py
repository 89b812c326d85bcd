"""What somebody has played on a server, and its table of ratings."""

from __future__ import annotations

from collections.abc import Sequence

import engine
from bot.chat.screen import Screen
from bot.rooms.past.finish import MEDALS
from bot.rooms.server.results import Rated, Result, ratings

NO_GAMES = "<@{user}> has finished no game on this server yet."
NO_RATINGS = "Nobody has a rating here yet: `/game create rated:True` sets up a game that counts."
HOW = (
    "Ratings by OpenSkill: what somebody's skill is at least, 0 before the first game. "
    "Rated games count that were played to their end by those who began them."
)
MOST = 20
"""How many people of a title are listed."""


def stats_screen(user: int, played: Sequence[Result], seconds: float | None) -> Screen:
    """The games, places and ratings of one person, title by title."""
    mine = [one for one in played if any(who == user for who, _ in one.places)]
    if not mine:
        return Screen(NO_GAMES.format(user=user))
    lines = [f"### Games of <@{user}>", f"{_games(len(mine))} finished on this server."]
    if seconds is not None:
        lines[-1] += f" Half of their moves took no more than {duration(seconds)}, quiet hours not counted."
    for title in dict.fromkeys(one.title for one in mine):
        own = [place for one in mine if one.title == title for who, place in one.places if who == user]
        best = ", ".join(f"{_medal(place)} {own.count(place)}" for place in sorted(set(own)))
        rating = next((one for one in ratings(played, title) if one.user == user), None)
        told = f" · rating {rating.value:.1f} after {_games(rating.games)}" if rating is not None else ""
        lines.append(f"- **{engine.TITLES[title].name}**: {_games(len(own))} · {best}{told}")
    return Screen("\n".join(lines))


def ratings_screen(played: Sequence[Result]) -> Screen:
    """The ratings of everybody, title by title."""
    lines: list[str] = []
    for title in engine.TITLES:
        found = ratings(played, title)
        if found:
            lines += [f"**{engine.TITLES[title].name}**", *map(_rated, range(1, MOST + 1), found)]
    if not lines:
        return Screen(NO_RATINGS)
    return Screen("\n".join(["### Ratings on this server", *lines]), footer=HOW)


def duration(seconds: float) -> str:
    """ "45 s", "12 min", "3 h 20 min", "2 days"."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{round(seconds)} s"
    if minutes < 90:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h" + (f" {minutes % 60} min" if minutes % 60 else "")
    return f"{round(minutes / 1440)} days"


def _rated(place: int, one: Rated) -> str:
    return f"{place}. <@{one.user}> {one.value:.1f} · {_games(one.games)}"


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _medal(place: int) -> str:
    return MEDALS[place] if place < len(MEDALS) else f"{place + 1}th"
