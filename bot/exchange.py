"""Games from and to files of other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import aiohttp
import discord

from bot.errors import TableError
from bot.people import clean_name
from bot.table import turn_key
from engine import start
from engine.actions import to_json
from records.errors import BadRecord
from records.export_18xx import export
from records.files import LARGEST, Played, parse, play
from storage import Game, Notice, Row, Store

if TYPE_CHECKING:
    from bot.table import Table


def record_of(table: Table) -> str:
    """The game as 18xx.games' JSON text. Raises TableError where it cannot be carried over."""
    actions = [one.action for one in table.told]
    try:
        record = export(
            table.title, list(table.names.values()), actions, table.game.started_at or table.game.created_at
        )
    except BadRecord as error:
        raise TableError(f"This game cannot be exported: {error}") from error
    return json.dumps(record, ensure_ascii=False)


async def fetch(file: discord.Attachment) -> bytes:
    """The bytes of an uploaded file. Raises TableError if it is too large or cannot be fetched."""
    if file.size > LARGEST:
        raise TableError(f"The file has {file.size:,} bytes; at most {LARGEST:,} are read.")
    try:
        return await file.read()
    except (aiohttp.ClientError, discord.HTTPException, OSError) as error:
        raise TableError("Discord does not hand out the file just now. Nothing was done; please try again.") from error


def replay(data: bytes) -> Played:
    """The game of a file, played to its last action. Raises TableError with the first thing that is wrong."""
    try:
        return play(parse(data))
    except BadRecord as error:
        raise TableError(f"This file cannot be imported. {error}") from error


async def bring_in(
    store: Store, played: Played, users: Sequence[int], *, channel: int, guild: int | None, host: int
) -> Game:
    """A game of this channel that stands where the file ends, or none. Raises TableError, or ChannelTaken."""
    names = [clean_name(name) for name in played.names]
    if len(set(users)) != len(played.names) or len(users) != len(played.names):
        listed = ", ".join(names)
        raise TableError(f"Mention a different person for each of the {len(names)} players, in order: {listed}.")

    async def write() -> Game:
        game = await store.create_game(
            channel_id=channel,
            guild_id=guild,
            host_id=host,
            title=played.title.id,
            options=json.dumps(sorted(played.title.options)),
            settings=json.dumps({"seats": "joined", "undo": "own", "imported": True}),
        )
        for user, name in zip(users, names, strict=True):
            await store.join(game.id, user, name, limit=len(users))
        game = await store.start_game(game.id, notices=[] if played.actions else [_first_turn(played, names)])
        if played.actions:
            rows = [Row("action", json.dumps(to_json(one)), by_seat=one.by, note="imported") for one in played.actions]
            over = bool(played.state.over)
            notices = [Notice(f"turn:imported:{len(rows)}", "{}")]
            await store.append(game.id, 0, rows, notices=notices, status="finished" if over else None)
        return game

    return await store.together(write)


def _first_turn(played: Played, names: list[str]) -> Notice:
    """Shows the first turn; where chance must draw before it, whoever sends this lets it draw."""
    return Notice(f"turn:{turn_key(played.title, [], start(played.title, names))}", "{}")
