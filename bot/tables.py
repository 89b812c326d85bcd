"""The live tables, each loaded when it is first needed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict

from bot.errors import NoGame, TableError
from bot.position import Work
from bot.table import Table
from storage import Game, Store

log = logging.getLogger("tetsudo.tables")
KEPT = 60
"""How many games stay in memory that nobody has looked at for a while."""
IN_USE = 120.0
"""Seconds after its last use for which a game stays, whatever their number: somebody may be acting on it."""


class Tables:
    """Loaded games by id; the least used are let go, since every one can be read again."""

    def __init__(self, store: Store, work: Work) -> None:
        self.store = store
        self.work = work
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._used: dict[str, float] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    def __len__(self) -> int:
        """How many games are in memory."""
        return len(self._tables)

    async def get(self, game_id: str) -> Table:
        """The table of a game that has begun. Raises UnknownGame, LogMismatch, or TableError before the start."""
        table = self._tables.get(game_id)
        if table is None:
            async with self._locks.setdefault(game_id, asyncio.Lock()):
                table = self._tables.get(game_id) or await self._load(game_id)
        self._tables.move_to_end(game_id)
        self._used[game_id] = time.monotonic()
        return table

    def let_go(self) -> None:
        """Forget games that nobody has used for a while, beyond those that are kept; each can be read again."""
        old = time.monotonic() - IN_USE
        idle = [key for key, one in self._tables.items() if self._used.get(key, 0) < old and not one.lock.locked()]
        for key in idle[: max(0, len(self._tables) - KEPT)]:
            self.forget(key)
            self._locks.pop(key, None)

    async def in_channel(self, channel_id: int) -> Table:
        """The table of the channel's game. Raises NoGame, or TableError while seats are still being taken."""
        return await self.get((await self.game_in(channel_id)).id)

    async def game_in(self, channel_id: int) -> Game:
        """The channel's game, open, running, or the last that ended. Raises NoGame."""
        game = await self.store.game_in_channel(channel_id)
        if game is None or game.status == "abandoned":
            raise NoGame()
        return game

    def forget(self, game_id: str) -> None:
        """Read the game anew the next time."""
        self._tables.pop(game_id, None)
        self._used.pop(game_id, None)

    async def _load(self, game_id: str) -> Table:
        game = await self.store.game(game_id)
        if game.status == "open":
            raise TableError("This game has not begun yet: press Start, or use `/game start`, once all have joined.")
        table = Table(self.store, self.work, game, await self.store.seats(game_id))
        await table.load()
        if game.status == "running":
            await table.begin()
        self._tables[game_id] = table
        self.let_go()
        log.info("loaded", extra={"game": game_id, "title": game.title, "rows": game.seq})
        return table
