"""Opponents at the tables move when it is their turn.

That an opponent must move is due work: the game's clock says so from the transaction of the move before. The sender
wakes us as soon as that move is shown; what a stop of the bot left undone the ticker finds. An opponent's move is
stored like anybody's, one by one, so a stop loses what was being thought and nothing else.
"""

from __future__ import annotations

import asyncio
import logging

from bot.chat.client import Bot
from bot.core import outcome
from bot.core.errors import Outdated, TableError
from bot.core.table import Table
from bot.core.thinking import Thought
from bot.rooms.opponents.thinkers import Thinkers
from engine.actions import Action
from engine.errors import BadAction, Refused
from storage import StorageError

log = logging.getLogger("tetsudo.opponents")


class Opponents:
    """Moves for the opponents of all games, each game in a task of its own."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def wake(self, game_id: str) -> None:
        """Move for the game's opponents as long as it is their turn."""
        self._again.add(game_id)
        if game_id not in self._playing:
            task = self._playing[game_id] = asyncio.create_task(self._play(game_id))
            task.add_done_callback(lambda _: self._playing.pop(game_id, None))

    async def idle(self) -> None:
        """Wait until nobody thinks."""
        while self._playing:
            await asyncio.gather(*self._playing.values(), return_exceptions=True)

    async def close(self) -> None:
        """Break off; whoever serves the games next goes on."""
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, game_id: str) -> None:
        try:
            while game_id in self._again:
                self._again.discard(game_id)
                await self._move(game_id)
        except (TableError, StorageError) as error:
            log.warning("an opponent waits: %s", error, extra={"game": game_id})
        except Exception:
            log.exception("an opponent could not move", extra={"game": game_id})
        finally:
            self._again.discard(game_id)
            self.bot.sender.wake()

    async def _move(self, game_id: str) -> None:
        """Move until the game waits for a person, or nobody."""
        while True:
            table = await self.bot.tables.get(game_id)
            if table.thinking is None:
                return
            seen = table.position.seq
            try:
                await self._decide(table, seen)
            except Outdated:
                continue  # somebody has changed the game meanwhile, by an undo for instance

    async def _decide(self, table: Table, seen: int) -> None:
        seat = table.thinking
        level = None if seat is None else table.opponent(seat)
        if seat is None or level is None:
            return
        question = table.asks(seat, level)
        try:
            await table.decided(await self._thought(question), seen=seen)
        except (Refused, BadAction):
            log.exception("an opponent wanted what is not possible", extra={"game": table.game.id, "seq": seen})
            await table.decided(await self._whatever(question), seen=seen)

    async def _thought(self, question: Thought) -> Action:
        """What the opponent decides; something sensible if it fails to."""
        try:
            return (await self.bot.its(Thinkers).choice(question)).action
        except Exception:
            log.exception("an opponent could not decide")
            return await self._whatever(question)

    async def _whatever(self, question: Thought) -> Action:
        return await self.bot.work.do(outcome.whatever, question.title, question.state, question.seat)
