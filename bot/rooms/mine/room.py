"""What is a person's own, as the house finds it: /my, their cards, games and settings.

`/turns` is the same as `/my games`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, explain, show_privately
from bot.chat.client import Bot
from bot.chat.commands import TEXT, Interaction, matching, table_here
from bot.chat.messages import link
from bot.chat.room import Room
from bot.chat.screen import MAX_TEXT, Screen
from bot.core import clockwork
from bot.core.errors import TableError
from bot.core.hours import likely, local, zones
from bot.core.notices import LOBBY, turn_of
from bot.core.table import Table
from bot.core.times import clock_lines
from bot.rooms.mine import mine
from bot.rooms.programs.screen import programs_screen
from bot.rooms.turn import cards
from bot.rooms.turn.act import NO_HAND
from bot.rooms.turn.screen import task_of
from bot.words.lexicon import listed
from engine.ids import PlayerId
from storage import Game

SPACE = MAX_TEXT - 100
"""Characters for the list of games, without what follows it."""


@app_commands.guild_only()
class My(commands.GroupCog, group_name="my", group_description="Your cards, your games and your settings"):
    """The /my commands."""

    @app_commands.command()
    async def hand(self, interaction: Interaction) -> None:
        """Your own cards, and what only you may see"""
        await acknowledge(interaction, shows=True)
        await show_privately(interaction, await cards.hand_screen(*await _own_seat(interaction)))

    @app_commands.command()
    async def programs(self, interaction: Interaction) -> None:
        """What moves for you, known to you alone: buy, pass, bid, run a company"""
        await acknowledge(interaction, shows=True)
        await show_privately(interaction, programs_screen(*await _own_seat(interaction)))

    @app_commands.command()
    async def games(self, interaction: Interaction) -> None:
        """Your games everywhere, and which of them wait for you"""
        await _show_games(interaction)

    @app_commands.command()
    @app_commands.describe(zone="Your time zone, by the nearest large city")
    async def settings(self, interaction: Interaction, zone: TEXT | None = None) -> None:
        """Your time zone, quiet hours, where you are told, and when you are away"""
        await acknowledge(interaction, shows=True)
        await mine.settings(interaction.client, interaction, zone or "")

    @app_commands.command()
    @app_commands.describe(
        person="Because of whom you want no pings; nobody for this channel's game",
        off="Whether you want them again",
    )
    async def mute(self, interaction: Interaction, person: discord.Member | None = None, off: bool = False) -> None:
        """No more pings because of a person, or in this channel's game but for your turns"""
        await acknowledge(interaction, shows=True)
        game = "" if person is not None else (await interaction.client.tables.game_in(interaction.channel_id or 0)).id
        await mine.mute(interaction.client, interaction, game, 0 if person is None else person.id, off)

    @settings.autocomplete("zone")
    async def _zones(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        now, wanted = interaction.client.clock(), current.strip().replace(" ", "_").casefold()
        fitting = [one for one in zones() if wanted in one.casefold()]
        if not wanted:
            fitting = [*filter(None, [likely(str(interaction.locale))]), *fitting]
        named = [(f"{one}, {local(one, now):%H:%M} now", one) for one in fitting[:100]]
        return matching(named, "")


async def _own_seat(interaction: Interaction) -> tuple[Table, PlayerId]:
    """The channel's table, and the person's seat there. Raises TableError."""
    table = await table_here(interaction)
    mine = table.seats_of(interaction.user.id)
    if not mine:
        raise TableError(NO_HAND)
    return table, mine[0]


class Turns(commands.Cog):
    """/turns, which also works in direct messages."""

    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def turns(self, interaction: Interaction) -> None:
        """Your games everywhere, and which of them wait for you"""
        await _show_games(interaction)


async def _show_games(interaction: Interaction) -> None:
    """Show the person's games: first those that wait for them, the longest waiting first."""
    await acknowledge(interaction, shows=True)
    bot, user = interaction.client, interaction.user.id
    rows = [await _row(bot, game, user) for game in await bot.store.games_of_user(user)]
    waiting = [row.text for row in sorted(rows, key=lambda row: row.since) if row.mine]
    others = [row.text for row in rows if not row.mine]
    lines = (["**Your turn**", *waiting] if waiting else ["No game is waiting for you."]) + (
        ["**Other games**", *others] if others else []
    )
    await show_privately(interaction, Screen("\n".join(_fitting(lines))))


def _fitting(lines: list[str]) -> list[str]:
    """As many whole lines as a message holds, and how many more there are."""
    ends = list(accumulate(len(line) + 1 for line in lines))
    kept = sum(end <= SPACE for end in ends)
    return lines if kept == len(lines) else [*lines[:kept], f"… and {len(lines) - kept} more"]


@dataclass(frozen=True, slots=True)
class _Row:
    """One game as its line says it; `since` is when it began to wait, in seconds since 1970."""

    text: str
    mine: bool = False
    since: int = 0


async def _row(bot: Bot, game: Game, user: int) -> _Row:
    place = await _place(bot, game)
    if game.status == "open":
        return _Row(f"- {place}: not started yet, created <t:{game.created_at}:R>")
    try:
        table = await bot.tables.get(game.id)
    except Exception as error:
        return _Row(f"- {place}: cannot be opened. {explain(error) or ''}")
    position, view = table.position, table.position.table()
    if (await clockwork.clock_of(bot.store, game.id)).archived is not None:
        return _Row(f"- {place}: {view.title}, archived, since nobody has moved for long")
    trouble = bot.sender.trouble(game.id)
    unseen = f"\n  {trouble}" if trouble else ""
    times = await bot.store.times(game.id, after=game.seq - 1)
    since = times.get(game.seq) or game.started_at or game.created_at
    asked = f"asked <t:{since}:R>"
    clock = " ".join(await clock_lines(table))
    asked += f". {clock}" if clock else ""
    if set(table.seats_of(user)) & set(position.up):
        text = f"- {place}: **{view.title}**, {view.round}: {task_of(position)}, {asked}{unseen}"
        return _Row(text, mine=True, since=since)
    waits = listed(position.lexicon().player(one) for one in position.up)
    return _Row(f"- {place}: {view.title}, waiting for {waits}, {asked}{unseen}")


async def _place(bot: Bot, game: Game) -> str:
    """The game's channel, with a link to the newest message that has its controls."""
    live = [one for one in await bot.store.messages.live(game.id) if turn_of(one.kind) or one.kind == LOBBY]
    return f"<#{game.channel_id}> ([message]({link(game, live[-1])}))" if live else f"<#{game.channel_id}>"


ROOM = Room(
    presses={"mine": mine.pressed},
    forms={"mine": mine.submitted},
    acted=mine.moved_while_away,
    cogs=(My, Turns),
)
