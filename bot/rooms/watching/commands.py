"""/game follow and /game watch, /server games and table: watching from outside the table."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import TEXT, Interaction, matching
from bot.chat.screen import Screen
from bot.core.errors import NoGame, TableError
from bot.core.settings import title_of
from bot.rooms.watching import watching
from storage import Game


class Watching(commands.Cog):
    """Following games, and live boards."""

    @app_commands.command()
    async def follow(self, interaction: Interaction) -> None:
        """Be told what happens in this channel's game, by direct message or in a thread"""
        await acknowledge(interaction, shows=True)
        game = await _game_around(interaction)
        await watching.follow(interaction.client, interaction, game.id)

    @app_commands.command()
    @app_commands.describe(
        game="Which game, by its id; in a thread, that of its channel", stop="End the live board here"
    )
    async def watch(self, interaction: Interaction, game: TEXT | None = None, stop: bool = False) -> None:
        """Make this channel or thread a live board of a game: one message, edited after each turn"""
        await acknowledge(interaction, shows=True)
        shown = await _game_around(interaction) if game is None else await _game_named(interaction, game)
        said = await watching.watch(interaction, shown, stop)
        interaction.client.sender.wake()
        await show_privately(interaction, Screen(said))

    @watch.autocomplete("game")
    async def _games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        games = await interaction.client.store.games_of_guild(interaction.guild_id or 0, "running")
        mine = [one for one in games if await watching.may_see(interaction.client, interaction, one)]
        return matching([(f"{title_of(one).name}, game {one.id}", one.id) for one in mine], current)


async def _game_around(interaction: Interaction) -> Game:
    """The game of this channel, or of the channel that this thread belongs to. Raises NoGame."""
    tables, channel = interaction.client.tables, interaction.channel
    try:
        return await tables.game_in(interaction.channel_id or 0)
    except NoGame:
        if not isinstance(channel, discord.Thread) or channel.parent_id is None:
            raise
        return await tables.game_in(channel.parent_id)


async def _game_named(interaction: Interaction, text: str) -> Game:
    """The game of this server with the id. Raises TableError for one that the person does not see."""
    found = await interaction.client.store.game(text.strip().lower())
    if found.guild_id != interaction.guild_id or not await watching.may_see(interaction.client, interaction, found):
        raise TableError(f"There is no game {found.id} on this server.")
    return found
