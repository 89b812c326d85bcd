"""Every game's present turn is shown in its channel: what stands there is compared with the position.

A notice can be lost, with a message that was deleted, a channel that came back, a copy that was restored. So now and
then, at the start, and when people look for a turn, whatever is not shown is shown anew. That costs a question to the
database, and Discord is only asked where something is missing or somebody looks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress

import discord

from bot.chat.connection import Connection
from bot.chat.messages import Messages
from bot.core import clockwork
from bot.core.errors import TableError
from bot.core.notices import TURNS, turn_notice, turn_of
from storage import Shards, StorageError, Unavailable

log = logging.getLogger("tetsudo.present")
EVERY = 300.0
"""Seconds between two comparisons."""
LOOKED = 60
"""Seconds for which a message that was there is taken to be there."""


class Present:
    """Looks for turns that nobody sees."""

    def __init__(self, bot: Connection, messages: Messages, wake: Callable[[], None]) -> None:
        """`wake` has what was queued sent."""
        self.bot, self._messages, self._wake = bot, messages, wake
        self._hopeless: dict[str, int] = {}
        """Games whose turn cannot be shown, by their version: not before something has happened to them."""
        self._seen: dict[str, int] = {}
        """When a game's message was last looked for, and there."""

    async def compare(self, shards: Shards | None) -> int:
        """Show what is not shown in the games on these shards; how many that were."""
        store, shown = self.bot.store, 0
        for game in await store.messages.unshown(TURNS, shards):
            if self._hopeless.get(game.id) == game.version:
                continue
            self._hopeless.pop(game.id, None)
            try:
                shown += await self._show(game.id)
            except Unavailable:
                raise
            except (TableError, StorageError) as error:
                log.warning("the turn cannot be shown: %s", error, extra={"game": game.id})
                self._hopeless[game.id] = game.version
        if shown:
            self._wake()
        return shown

    async def gone(self, game_id: str) -> None:
        """The game's channel is gone, so nothing can be shown before it is moved."""
        self._hopeless[game_id] = (await self.bot.store.game(game_id)).version

    async def look(self, game_id: str) -> None:
        """Somebody looks for the game's turn: if its message is gone, show it anew."""
        store, now = self.bot.store, self.bot.clock()
        game = await store.game(game_id)
        if game.status != "running" or 0 <= now - self._seen.get(game_id, now - LOOKED) < LOOKED:
            return
        live = [one for one in await store.messages.live(game_id) if turn_of(one.kind) is not None]
        here = [one for one in live if one.channel_id == game.channel_id]
        if here and not await self._is_there(here[-1].channel_id, here[-1].message_id):
            await store.messages.retire([here[-1].message_id])
        if await store.messages.unshown(TURNS, game=game_id):
            with suppress(TableError):
                await self._show(game_id)
            self._wake()
        else:
            self._seen[game_id] = now

    async def _is_there(self, channel_id: int, message_id: int) -> bool:
        """Whether the message is in the channel, as far as anybody can tell."""
        try:
            await (await self._messages.channel(channel_id)).get_partial_message(message_id).fetch()
        except discord.NotFound:
            return False
        except (discord.HTTPException, OSError, TimeoutError):
            return True
        return True

    async def _show(self, game_id: str) -> bool:
        """Queue a notice that shows the game; False if it is archived. Raises TableError or a storage error."""
        if (await clockwork.clock_of(self.bot.store, game_id)).archived is not None:
            return False
        table = await self.bot.tables.get(game_id)
        log.warning("the turn is not shown: it is shown anew", extra={"game": game_id, "seq": table.position.seq})
        await self.bot.store.outbox.post(game_id, [turn_notice(table.key, again=True)])
        return True
