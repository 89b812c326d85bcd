"""All games of a server, as far as the reader may see their channels: where, at what pace, who is up, since when."""

from __future__ import annotations

from typing import Any

import discord

from bot.chat.answers import explain, show_privately
from bot.chat.client import Bot
from bot.core.building import players_of, title_of
from bot.core.errors import TableError
from bot.core.pace import NAMES
from bot.core.settings import TableSettings
from bot.rooms.turn.screen import task_of
from bot.rooms.watching.screen import PAGE, games_screen
from bot.rooms.watching.watching import link_to, may_see
from bot.words.lexicon import listed
from storage import Game


async def show(bot: Bot, interaction: discord.Interaction[Any], page: int) -> None:
    """Show a page of the server's games to one person. Raises TableError outside servers."""
    if interaction.guild_id is None:
        raise TableError("This works on a server only; `/turns` lists your games everywhere.")
    games = [
        game for game in await bot.store.games_of_guild(interaction.guild_id) if await may_see(bot, interaction, game)
    ]
    pages = max(1, -(-len(games) // PAGE))
    page = min(max(page, 1), pages)
    lines = [await _line(bot, game) for game in games[(page - 1) * PAGE : page * PAGE]]
    await show_privately(interaction, games_screen(lines, page, pages))


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
    waits = listed(position.lexicon().player(one) for one in position.up)
    opened = " · **a seat is open**" if table.tenures.openings else ""
    return (
        f"- {place} · {position.table().round} · waiting for {waits}: {task_of(position)}, since <t:{since}:R>{opened}"
        f" · {await link_to(bot, game)}"
    )
