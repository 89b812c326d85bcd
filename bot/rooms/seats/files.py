"""/game export and import: files of 18xx.games."""

from __future__ import annotations

import io
from contextlib import suppress

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, send_file
from bot.chat.commands import LONG_TEXT, Interaction, mentioned
from bot.chat.posting import must_be_able_to_post
from bot.core.errors import TAKEN, NoGame, TableError, Unreadable
from bot.rooms.seats import game_files
from bot.rooms.seats.joining import join, open_lobby
from storage import ChannelTaken


class FilesCommands(commands.Cog):
    """Games as files."""

    @app_commands.command()
    async def export(self, interaction: Interaction) -> None:
        """Export the game as a file for 18xx.games"""
        await acknowledge(interaction, shows=True)
        bot = interaction.client
        game = await bot.store.game_in_channel(interaction.channel_id or 0)
        if game is None or (game.status == "abandoned" and not game.seq):
            raise NoGame()
        game_files.must_be_open(game)
        what, text = "Here is the game so far.", ""
        with suppress(Unreadable):
            table = await bot.tables.get(game.id)
            if not table.past and table.change is None:
                text = await bot.work.do(game_files.record_of, table)
        if not text:
            names = [seat.name for seat in await bot.store.seats(game.id)]
            text = await bot.work.do(game_files.log_of, game, names, await bot.store.log(game.id))
            what = "Here is the game's log. Its rules changed along the way, so other programs cannot replay it."
        file = discord.File(io.BytesIO(text.encode()), f"{game.title}-{game.id}.json")
        await send_file(interaction, what, file)

    @app_commands.command(name="import")
    @app_commands.describe(file="The game's JSON file", players="Mention the players, in the file's order")
    async def import_(self, interaction: Interaction, file: discord.Attachment, players: LONG_TEXT) -> None:
        """Import a game from an 18xx.games file"""
        await acknowledge(interaction, shows=True)
        await must_be_able_to_post(interaction)
        bot = interaction.client
        data = await game_files.fetch(file)
        played = await bot.work.do(game_files.replay, data)
        users = mentioned(players)
        channel, guild, host = interaction.channel_id or 0, interaction.guild_id, interaction.user.id
        try:
            game = await game_files.bring_in(bot.store, played, users, channel=channel, guild=guild, host=host)
        except ChannelTaken as error:
            raise TableError(TAKEN) from error
        if host in users:
            await join(bot, game.id, interaction, once=False)
        await open_lobby(interaction, game, "✓ Imported: it continues once everybody has accepted.")
