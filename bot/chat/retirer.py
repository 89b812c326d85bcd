"""The retirer: takes the controls off past messages, when there is time and Discord's limits leave room.

No turn waits for it. What it has not done when the bot stops, it does when the game's next turn is shown.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from storage import Message

log = logging.getLogger("tetsudo.retirer")
OLD = 3500
"""Seconds after which a message is old: Discord allows about three edits of old messages in six seconds a channel."""
PAUSE = 6.0
"""Seconds since a channel's last edit of an old message before one that can wait is made."""
Retire = Callable[[str, Message], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Past:
    """A past message of a game."""

    game: str
    message: Message


class Retirer:
    """Past messages, and a task that reduces them one at a time with `retire(game, message)`.

    `clock` tells the time, by which messages are old.
    """

    def __init__(self, retire: Retire, deadline: float, clock: Callable[[], int]) -> None:
        self._retire = retire
        self._deadline = deadline
        self._clock = clock
        self._past: dict[int, Past] = {}
        self._last_edits: dict[int, float] = {}
        self.task: asyncio.Task[None] | None = None
        """What is under way; done, or None, when there is nothing to do."""

    def add(self, game: str, message: Message) -> None:
        """Reduce the message when there is time."""
        self._past[message.message_id] = Past(game, message)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._run())

    def edited(self, channel: int, message: int) -> None:
        """Note an edit, whoever makes it: those of old messages share a limit."""
        if self._is_old(message):
            self._last_edits[channel] = time.monotonic()

    async def _run(self) -> None:
        while self._past:
            soonest = min(self._past.values(), key=self._pause)
            if (pause := self._pause(soonest)) > 0:
                await asyncio.sleep(pause)
                continue
            del self._past[soonest.message.message_id]
            try:
                async with asyncio.timeout(self._deadline):
                    await self._retire(soonest.game, soonest.message)
            except Exception as error:
                log.warning("could not remove the buttons of an old message: %r", error, extra={"game": soonest.game})

    def _pause(self, past: Past) -> float:
        """Seconds to wait, so that turns keep most of what Discord allows for old messages."""
        if not self._is_old(past.message.message_id):
            return 0
        return self._last_edits.get(past.message.channel_id, -PAUSE) + PAUSE - time.monotonic()

    def _is_old(self, message: int) -> bool:
        return self._clock() - discord.utils.snowflake_time(message).timestamp() >= OLD
