"""A server's games and results, as the house finds them: /server and /stats."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat import codes
from bot.chat.answers import explain, show_privately
from bot.chat.client import Bot
from bot.chat.commands import Interaction
from bot.chat.press import Press, showing
from bot.chat.room import Room
from bot.chat.screen import Button, Screen
from bot.core.errors import TableError
from bot.core.pace import NAMES
from bot.core.settings import TableSettings, players_of, title_of
from bot.rooms.server.results import ratings_screen, results, seconds_to_move, stats_screen
from bot.rooms.turn.screen import task_of
from bot.rooms.watching.watching import link_to, may_see
from storage import Game

PAGE = 10
"""Games on a page."""


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
    screen.buttons(*(Button(label, codes.join("games", number)) for label, number in turns))
    return screen


async def _line(bot: Bot, game: Game) -> str:
    """One game: its channel, what is played, at what pace, who must decide, since when, with a link."""
    place = f"<#{game.channel_id}> · {title_of(game).name}"
    pace = TableSettings.read(game.settings).pace
    place += f" · {NAMES[pace.name]}" if pace.name != "none" else ""
    if game.status == "open":
        seats, most = await bot.store.seats(game.id), players_of(game)[1]
        return f"- {place} · {len(seats)} of up to {most} have joined · {await link_to(bot, game)}"
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
        f"- {place} · {position.table().round} · waiting for {waits}, since <t:{since}:R>{opened}"
        f" · {await link_to(bot, game)}"
    )


class Stats(commands.Cog):
    """Figures of one person."""

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(player="Whose; your own if left out")
    async def stats(self, interaction: Interaction, player: discord.Member | None = None) -> None:
        """Games finished on this server: places, titles, ratings, and how quickly the moves came"""
        store, user = interaction.client.store, (player or interaction.user).id
        played = await results(store, interaction.guild_id or 0)
        mine = [one.game for one in played if any(who == user for who, _ in one.places)]
        await show_privately(interaction, stats_screen(user, played, await seconds_to_move(store, mine, user)))


@app_commands.guild_only()
class ServerCommands(commands.GroupCog, group_name="server", group_description="All games of this server"):
    """The /server commands."""

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


async def _games(given: Press) -> Screen:
    """Another page of the server's games."""
    return await _page(given.interaction, int(given.parts[0]))


ROOM = Room(presses={"games": showing(_games)}, cogs=(ServerCommands, Stats))
