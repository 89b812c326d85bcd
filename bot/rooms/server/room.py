"""A server's games and results, as the house finds them: /server and /stats.

A rating comes from games that were created as rated, played to their end by the people who began them, and not
imported. It is OpenSkill's Plackett-Luce model, per title and server, over the games in the order in which they ended.
Nothing of it is stored: results are, and the rest follows from them.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

import engine
from bot.chat import codes
from bot.chat.answers import explain, show_privately
from bot.chat.client import Bot
from bot.chat.commands import Interaction
from bot.chat.press import showing
from bot.chat.room import Room
from bot.chat.screen import Button, Screen
from bot.core import clockwork
from bot.core.errors import TableError
from bot.core.hours import Stops
from bot.core.log import bare
from bot.core.moves import read_note
from bot.core.opponents import is_person
from bot.core.pace import NAMES
from bot.core.table_settings import TableSettings, players_of, title_of
from bot.rooms.past.history import ordinal
from bot.rooms.turn.screen import task_of
from bot.rooms.watching.room import link_to, may_see
from engine.actions import EndGame
from storage import Game, LogRow, Store

HOW = (
    "Ratings by OpenSkill: what somebody's skill is at least, 0 before the first game. "
    "Rated games count that were played to their end by those who began them."
)
MOST = 20
"""How many people of a title are listed."""
PAGE = 10
"""Games on a page."""


@dataclass(frozen=True, slots=True)
class Result:
    """One finished game: the people whose seats they were, by place, each with how many did better."""

    game: str
    title: str
    places: tuple[tuple[int, int], ...]
    rated: bool
    """Whether it counts for ratings."""


@dataclass(frozen=True, slots=True)
class Rated:
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
    users = {f"p{seat.seat}": seat.user_id for seat in await store.seats(game.id)}
    users |= {one.seat: one.owner_id for one in (await store.tenures.of_game(game.id)).loans}
    places = [
        (users[seat], sum(other > worth for other in scores.values()))
        for seat, worth in scores.items()
        if is_person(users[seat])
    ]
    return Result(game.id, game.title, tuple(places), await _counts(store, game, len(scores)))


async def _counts(store: Store, game: Game, players: int) -> bool:
    """Whether the game is rated, was not stopped, nobody was substituted, and no opponent played."""
    settings = TableSettings.read(game.settings)
    if not settings.rated or settings.invited or players < 2:
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

    Their quiet hours, as they are now, do not count, nor does time before the game or their seat was theirs. What is
    taken back or restored, an answer to an offer, and what a host does for others are no moves of theirs.
    """
    person = await clockwork.person_of(store, user)
    awake = Stops(person.zone, person.quiet)
    spent: list[int] = []
    for game in games:
        seated = [one.at for one in (await store.tenures.of_game(game)).handovers if one.to_id == user]
        begun = [(await store.game(game)).started_at or 0, *seated]
        before: tuple[int | None, int] | None = None
        for by, at, kind, stored in await store.steps(game):
            note = read_note(stored)
            own = kind == "action" and (note is None or note.how not in ("host", "offer"))
            if by == user and own and before is not None and before[0] != user:
                spent.append(awake.running(max(before[1], *(one for one in begun if one <= at)), at))
            before = (by, at)
    return median(spent) if spent else None


# What is shown


def stats_screen(user: int, played: Sequence[Result], seconds: float | None) -> Screen:
    """The games, places and ratings of one person, title by title."""
    mine = [one for one in played if any(who == user for who, _ in one.places)]
    if not mine:
        return Screen(f"<@{user}> has not finished a game on this server yet.")
    lines = [f"### Games of <@{user}>", f"{_games(len(mine))} finished on this server."]
    if seconds is not None:
        lines[-1] += f" Half of their moves took no more than {duration(seconds)}, quiet hours not counted."
    for title in dict.fromkeys(one.title for one in mine):
        these = [one for one in mine if one.title == title]
        own = [place for one in these for who, place in one.places if who == user]
        best = ", ".join(f"{ordinal(place)} ×{own.count(place)}" for place in sorted(set(own)))
        rating = next((one for one in ratings(played, title) if one.user == user), None)
        told = f" · rating {rating.value:.1f} after {_games(rating.games)}" if rating is not None else ""
        lines.append(f"- **{engine.TITLES[title].name}**: {_games(len(these))} · {best}{told}")
    return Screen("\n".join(lines))


def ratings_screen(played: Sequence[Result]) -> Screen:
    lines: list[str] = []
    for title in engine.TITLES:
        found = ratings(played, title)
        lines += [f"**{engine.TITLES[title].name}**"] if found else []
        for place, one in enumerate(found[:MOST], start=1):
            lines.append(f"{place}. <@{one.user}> {one.value:.1f} · {_games(one.games)}")
    if not lines:
        return Screen("Nobody has a rating here yet: `/game create rated:True` sets up a game that counts.")
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


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


async def _page(interaction: discord.Interaction[Any], page: int) -> Screen:
    """A page of the server's games, as far as the person may see them. Raises TableError outside servers."""
    bot = interaction.client
    if interaction.guild_id is None:
        raise TableError("This works only on a server; `/turns` lists your games everywhere.")
    games = [
        game for game in await bot.store.games_of_guild(interaction.guild_id) if await may_see(bot, interaction, game)
    ]
    pages = max(1, -(-len(games) // PAGE))
    page = min(max(page, 1), pages)
    lines = [await _line(bot, game) for game in games[(page - 1) * PAGE : page * PAGE]]
    text = "\n".join(["### Games on this server", *lines]) if lines else "No game is being played on this server."
    screen = Screen(text, footer=f"Page {page} of {pages}" if pages > 1 else "")
    turns = [("◀ Back", page - 1)] if page > 1 else []
    turns += [("More ▶", page + 1)] if page < pages else []
    return screen.buttons(*(Button(label, codes.join("games", number)) for label, number in turns))


async def _line(bot: Bot, game: Game) -> str:
    """One game: its channel, what is played, at what pace, who must decide, since when, with a link."""
    place = f"<#{game.channel_id}> · {title_of(game).name}"
    settings = TableSettings.read(game.settings)
    pace, invited = settings.pace, len(settings.invited)
    place += f" · {NAMES[pace.name]}" if pace.name != "none" else ""
    if game.status == "open":
        wanted = f"{invited} have accepted" if invited else f"up to {players_of(game)[1]} have joined"
        return f"- {place} · {len(await bot.store.seats(game.id))} of {wanted} · {await link_to(bot, game)}"
    try:
        table = await bot.tables.get(game.id)
    except Exception as error:
        return f"- {place} · cannot be opened. {explain(error) or ''}"
    position = table.position
    times = await bot.store.times(game.id, after=game.seq - 1)
    since = times.get(game.seq) or game.started_at or game.created_at
    waits = table.waits_for(task_of(position))
    opened = " · **a seat is open**" if table.tenures.openings else ""
    return (
        f"- {place} · {position.table().round} · waiting for {waits}, since <t:{since}:f>{opened}"
        f" · {await link_to(bot, game)}"
    )


class Stats(commands.Cog):
    @app_commands.command()
    @app_commands.describe(player="Whose; your own if left out")
    async def stats(self, interaction: Interaction, player: discord.Member | None = None) -> None:
        """Games finished on this server: places, titles, ratings, and how quickly the moves came"""
        store, user = interaction.client.store, (player or interaction.user).id
        played = await results(store, interaction.guild_id or 0)
        mine = [one.game for one in played if any(who == user for who, _ in one.places)]
        await show_privately(interaction, stats_screen(user, played, await seconds_to_move(store, mine, user)))


class ServerCommands(commands.GroupCog, group_name="server", group_description="All games of this server"):
    @app_commands.command()
    @app_commands.describe(page="1 is the first page")
    async def games(self, interaction: Interaction, page: app_commands.Range[int, 1, 1000] = 1) -> None:
        """All games of this server: where, who must decide, and since when"""
        await show_privately(interaction, await _page(interaction, page))

    @app_commands.command()
    async def table(self, interaction: Interaction) -> None:
        """The ratings of this server's players, title by title"""
        played = await results(interaction.client.store, interaction.guild_id or 0)
        await show_privately(interaction, ratings_screen(played))


ROOM = Room(
    presses={"games": showing(lambda given: _page(given.interaction, int(given.parts[0])))},
    codes={"games": r"\d{1,4}"},
    cogs=(ServerCommands, Stats),
)
