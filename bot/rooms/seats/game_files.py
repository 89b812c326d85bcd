"""Importing and exporting game files of other programs."""

import asyncio
import io
import json
from collections.abc import Sequence

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import send_file, tell
from bot.chat.commands import LONG_TEXT, Interaction, mentioned
from bot.chat.rights import must_be_able_to_post
from bot.core.errors import NoGame, TableError, Unreadable
from bot.core.log import rows_of
from bot.core.moves import Move, Note, company_of
from bot.core.notices import LobbyNotice, queued
from bot.core.table import Table
from bot.core.table_settings import TableSettings, title_of
from bot.rooms.seats.lobby import join
from bot.words.lexicon import clean_name, lexicon
from engine import apply, start
from engine.stored import FORMAT, pack
from records.errors import BadRecord
from records.export_18xx import export
from records.files import LARGEST, Replay, parse, play
from storage import Game, LogRow, Row, Snapshot, Store

STILL_SECRET = (
    "This game hides money, and its moves would tell everybody how much there is: nothing is exported before it is "
    "over (`/game end` ends it)."
)


def record_of(table: Table) -> str:
    """The game as JSON text for 18xx.games. Raises TableError if it cannot be exported."""
    actions = [one.action for one in table.moves]
    try:
        record = export(
            table.title, list(table.names.values()), actions, table.game.started_at or table.game.created_at
        )
    except BadRecord as error:
        raise TableError(f"This game cannot be exported: {error}") from error
    return json.dumps(record, ensure_ascii=False)


def must_be_open(game: Game) -> None:
    """Raise TableError if the game still runs and its moves would tell money that is hidden.

    The moves give every position, whatever anybody may see of it; so nothing of such a game can be exported until its
    end. A game whose title or options this version does not know may hide anything.
    """
    if game.status != "running":
        return
    try:
        hidden = not title_of(game).policy.secrecy.hides_nothing
    except (TableError, LookupError, ValueError):
        hidden = True
    if hidden:
        raise TableError(STILL_SECRET)


def log_of(game: Game, names: Sequence[str], rows: Sequence[LogRow]) -> str:
    """Every row of the log as JSON text, whatever the present rules say of it."""
    log = [
        {"seq": one.seq, "kind": one.kind, "body": json.loads(one.body), "by": one.by_seat, "at": one.at}
        | {key: value for key, value in (("rules", one.rules), ("told", one.told)) if value is not None}
        for one in rows
    ]
    options = json.loads(game.options or "[]")
    body = {"title": game.title, "options": options, "players": list(names), "status": game.status, "log": log}
    return json.dumps(body, ensure_ascii=False)


async def fetch(file: discord.Attachment) -> bytes:
    """The bytes of an uploaded file. Raises TableError if it is too large or cannot be downloaded."""
    if file.size > LARGEST:
        raise TableError(f"The file has {file.size:,} bytes; the most I can read is {LARGEST:,}.")
    try:
        return await file.read()
    except (aiohttp.ClientError, discord.HTTPException, OSError) as error:
        raise TableError("I cannot get the file from Discord right now. Please try again.") from error


def replay(data: bytes) -> Replay:
    """A file's game, played to its last action. Raises TableError with the first thing that is wrong."""
    try:
        played = play(parse(data))
    except BadRecord as error:
        raise TableError(f"This file cannot be imported. {error}") from error
    if played.departures:
        raise TableError(f"This file cannot be imported. {played.departures[0]}")
    return played


async def bring_in(
    store: Store, played: Replay, users: Sequence[int], *, channel: int, guild: int | None, host: int
) -> Game:
    """Create a game in this channel that stands where the file ends, and begins once everybody has accepted their seat.

    Raises TableError or ChannelTaken.
    """
    names = [clean_name(name) for name in played.names]
    if len(set(users)) != len(played.names) or len(users) != len(played.names):
        listed = ", ".join(names)
        raise TableError(f"Mention {len(names)} different people, one for each player in this order: {listed}.")

    rows, packed = await asyncio.to_thread(lambda: (_rows(played, names), pack(played.state)))

    settings = TableSettings(
        seats="joined", invited=tuple(zip(users, names, strict=True)), over=bool(played.state.over)
    )

    async def write() -> Game:
        game = await store.create_game(
            channel_id=channel,
            guild_id=guild,
            host_id=host,
            title=played.title.id,
            options=json.dumps(sorted(played.title.options)),
            settings=settings.text(),
        )
        if rows:
            await store.append(game.id, 0, rows, snapshot=Snapshot(len(rows), FORMAT, packed))
        await store.outbox.post(game.id, [queued(LobbyNotice())])
        return game

    game = await store.together(write)
    return await store.game(game.id)


def _rows(played: Replay, names: Sequence[str]) -> list[Row]:
    """The moves of the file as the log keeps them."""
    title, state = played.title, start(played.title, list(names))
    words = lexicon(state.names, title)
    moves = []
    for seq, action in enumerate(played.actions, start=1):
        company = company_of(state)
        state = apply(title, state, action)
        moves.append(Move(seq, action, None, Note("imported"), state, company))
    return rows_of(title, moves, words)


class FilesCommands(commands.Cog):
    @app_commands.command()
    async def export(self, interaction: Interaction) -> None:
        """Export the game as a file for 18xx.games"""
        bot = interaction.client
        game = await bot.store.game_in_channel(interaction.channel_id or 0)
        if game is None or (game.status == "abandoned" and not game.seq):
            raise NoGame()
        must_be_open(game)
        what, text, why = "Here is the game so far.", "", "Its rules changed along the way"
        try:
            table = await bot.tables.get(game.id)
            if not table.past and table.change is None:
                text = await bot.work.do(record_of, table)
        except Unreadable as error:
            why = "It is damaged" if error.damaged else why
        if not text:
            names = [seat.name for seat in await bot.store.seats(game.id)]
            text = await bot.work.do(log_of, game, names, await bot.store.log(game.id))
            what = f"Here is the game's log. {why}, so other programs cannot replay it."
        file = discord.File(io.BytesIO(text.encode()), f"{game.title}-{game.id}.json")
        await send_file(interaction, what, file)

    @app_commands.command(name="import")
    @app_commands.describe(file="The game's JSON file", players="Mention the players, in the file's order")
    async def import_(self, interaction: Interaction, file: discord.Attachment, players: LONG_TEXT) -> None:
        """Import a game from an 18xx.games file"""
        await must_be_able_to_post(interaction)
        bot = interaction.client
        data = await fetch(file)
        played = await bot.work.do(replay, data)
        users = mentioned(players)
        channel, guild, host = interaction.channel_id or 0, interaction.guild_id, interaction.user.id
        game = await bring_in(bot.store, played, users, channel=channel, guild=guild, host=host)
        if host in users:
            await join(bot, game, interaction, once=False)
        await tell(interaction, "✓ Imported. The players are asked to accept it.")
