"""Connections of shards whose sessions can be gone on with, by whichever process serves the shard next.

A session outlives its connection by some minutes: whoever names it, and the last event that came, is told what came
since.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Self

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from storage import Session

if TYPE_CHECKING:
    from bot.chat.leasing import Leasing

log = logging.getLogger("tetsudo.gateway")
RESUMABLE = 4000
"""Closed with this code, a session can be gone on with."""
PATIENCE = 5.0
"""Seconds to wait for the address at which a session is gone on with."""


class Gateway(DiscordWebSocket):
    """A shard's connection. The library makes these where `use` was called."""

    @classmethod
    async def from_client(cls, client: Any, *, resume: bool = False, **how: Any) -> Self:
        """Connect, with the session that was left, if any. Raises CancelledError where others serve the shard.

        Going on with a session takes it from whoever has it, so a process that comes back too late must not.
        """
        leasing: Leasing = client.leasing
        shard_id: int = how["shard_id"]
        if not leasing.may_connect(shard_id):
            raise asyncio.CancelledError  # the library gives this shard up
        if not resume and (left := leasing.left(shard_id)) is not None:
            there = {"gateway": yarl.URL(left.gateway), "session": left.id, "sequence": left.sequence}
            try:
                async with asyncio.timeout(PATIENCE):
                    return await cls.from_client(client, resume=True, **how | there)
            except (OSError, aiohttp.ClientError, discord.ConnectionClosed, ReconnectWebSocket) as error:
                log.warning("shard %s begins anew, since its session cannot be gone on with: %r", shard_id, error)
        made = await super().from_client(client, resume=resume, **how)
        if resume:
            made._note_replays(client.replayed)
        return made

    def _note_replays(self, replayed: dict[int, None]) -> None:
        """Note the interactions that come until all is told again: who had the session before may have handled them."""
        usual = self._discord_parsers

        def interaction(data: Any) -> None:
            replayed[int(data["id"])] = None
            usual["INTERACTION_CREATE"](data)

        def resumed(data: Any) -> None:
            self._discord_parsers = usual
            usual["RESUMED"](data)

        self._discord_parsers = usual | {"INTERACTION_CREATE": interaction, "RESUMED": resumed}

    async def close(self, code: int = RESUMABLE) -> None:
        """Close the connection, and leave the session to whoever serves the shard next."""
        await super().close(code if self.session_id is None else RESUMABLE)

    @property
    def session(self) -> Session | None:
        """The session, with the last of its events that came."""
        if self.session_id is None or self.sequence is None:
            return None
        return Session(self.session_id, self.sequence, str(self.gateway))


def use() -> None:
    """Have the library connect shards by these. It names its own class, and has no setting for it."""
    discord.shard.DiscordWebSocket = Gateway  # type: ignore[misc]
