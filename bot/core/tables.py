"""The live tables, each loaded on first use."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from bot.core import clockwork
from bot.core.errors import NoGame, TableError, Unreadable
from bot.core.keyed import Locks
from bot.core.loading import RuleChange
from bot.core.position import Position
from bot.core.table import Table
from bot.core.table_settings import TableSettings
from bot.core.work import Work
from engine import EngineError
from engine.stored import ODD
from storage import BrokenLog, Game, LeaseLost, Shards, Store, Unavailable

log = logging.getLogger("tetsudo.tables")
KEPT = 60
"""How many idle games stay in memory."""
IN_USE = 120.0
"""Seconds after its last use during which a game always stays: somebody may be acting on it."""
NOT_STARTED = "This game has not started yet: its host can press Start once everyone has joined."
TO_ACCEPT = "This imported game waits until everybody has accepted."
BETWEEN = 0.05
"""Seconds between two games of a survey, so that players who act meanwhile do not wait."""


class Tables:
    """Loaded games by id; the least recently used are dropped, since any can be reloaded."""

    def __init__(self, store: Store, work: Work, advance: Callable[[str], None] = lambda game: None) -> None:
        self.store = store
        self.work = work
        self._advance = advance
        self.watchers: set[Callable[[str], None]] = set()
        """Called with the id of a game whose table has come to another position."""
        self.when_loaded: Callable[[str, Position], None] = lambda game, position: None
        """Is shown the position of each game that somebody needs."""
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._used: dict[str, float] = {}
        self._reading = Locks()
        self._unreadable: set[str] = set()
        """The games that could not be read when somebody last needed them."""

    def __len__(self) -> int:
        return len(self._tables)

    async def get(self, game_id: str) -> Table:
        """The table of a game that has started, up to date.

        Raises UnknownGame, Unreadable, or TableError before the start.
        """
        table = self._tables.get(game_id)
        if table is None:
            async with self._reading.of(game_id):
                table = self._tables.get(game_id) or await self._load(game_id)
        self._tables.move_to_end(game_id)
        self._used[game_id] = time.monotonic()
        async with self._readable(table.game):
            await table.read_on()
        return table

    def _moved(self, game_id: str) -> None:
        for watcher in tuple(self.watchers):
            watcher(game_id)

    def loaded(self) -> list[Table]:
        """The games in memory, the most recently used last."""
        return list(self._tables.values())

    def let_go(self) -> None:
        """Drop idle games beyond the number kept; any can be reloaded."""
        old = time.monotonic() - IN_USE
        idle = [key for key, one in self._tables.items() if self._used.get(key, 0) < old and not one.lock.locked()]
        for key in idle[: max(0, len(self._tables) - KEPT)]:
            self.forget(key)

    async def in_channel(self, channel_id: int) -> Table:
        """The table of the channel's game. Raises NoGame, or TableError while people are still joining."""
        return await self.get((await self.game_in(channel_id)).id)

    async def game_in(self, channel_id: int) -> Game:
        """The channel's open or running game, or the last one that ended. Raises NoGame."""
        game = await self.store.game_in_channel(channel_id)
        if game is None or game.status == "abandoned":
            raise NoGame()
        return game

    async def waits(self, game: Game) -> bool:
        """Whether a running game waits for the bot's host, as one does that cannot be read."""
        if game.rules == self.store.rules and game.id not in self._unreadable:
            with suppress(BrokenLog):  # then reading it tells whether it can go on
                await self.store.verify(game.id)
                return False
        try:
            return (await self.get(game.id)).change is not None
        except Unreadable:
            return True

    def forget(self, game_id: str) -> None:
        """Drop the game, so that it is reloaded when next needed."""
        self._tables.pop(game_id, None)
        self._used.pop(game_id, None)

    async def survey(self, shards: Shards | None = None) -> int:
        """Read the running games, on some shards, that other rules wrote last; how many changed rules touch.

        Those that can go on do so.
        """
        touched = 0
        for game_id in await self.store.unread(shards):
            async with self._reading.of(game_id):
                if game_id in self._tables:
                    continue
                try:
                    _, change = await self._read(await self.store.game(game_id))
                except LeaseLost:
                    continue  # the shard was handed over meanwhile: whoever has it reads its games
                except Unreadable:
                    touched += 1
                    continue
            touched += change is not None
            await asyncio.sleep(BETWEEN)
        return touched

    async def _read(self, game: Game) -> tuple[Table, RuleChange | None]:
        async with self._readable(game):
            table = Table(self.store, self.work, game, await self.store.seats(game.id), self._advance, self._moved)
            change = await table.load()
        if game.status == "running" and table.change is None and game.rules != self.store.rules:
            with suppress(Unavailable):  # then it is read again at the next start
                await self.store.read(game.id, table.game.version)
        clock = await self.store.clocks.of_game(game.id)
        if game.status == "running" and (clock is None or (table.goes_on and not clockwork.thinks(clock))):
            await table.reclock()  # of an earlier version, or imported
        if change is not None:
            log.warning("%s (%s)", change.sentence, change.facts.way, extra={"game": game.id, "seq": change.facts.seq})
        return table, change

    async def _load(self, game_id: str) -> Table:
        game = await self.store.game(game_id)
        if game.status == "open":
            raise TableError(TO_ACCEPT if TableSettings.read(game.settings).invited else NOT_STARTED)
        table, _ = await self._read(game)
        self._tables[game_id] = table
        self._used[game_id] = time.monotonic()  # before others go, or it would go itself where all of them are in use
        self.when_loaded(game_id, table.position)
        self.let_go()
        log.info("loaded", extra={"game": game_id, "title": game.title, "rows": game.seq})
        return table

    @asynccontextmanager
    async def _readable(self, game: Game) -> AsyncIterator[None]:
        """Raise Unreadable where nothing can be made of a game's log, which says so if it is damaged."""
        try:
            try:
                yield
            except (EngineError, *ODD):
                await self.store.verify(game.id)
                raise
            self._unreadable.discard(game.id)
        except (EngineError, BrokenLog, *ODD) as error:
            if game.id not in self._unreadable:  # each keystroke of an autocomplete finds it out anew
                log.error("cannot be read: %r", error, extra={"game": game.id})
            self._unreadable.add(game.id)
            raise Unreadable(error, ended=game.status != "running") from error
