"""Connections of shards whose sessions can be gone on with, by whichever process serves the shard next.

A session outlives its connection by some minutes: whoever names it, and the last event that came, is told what came
since.
"""

import asyncio
import logging
from datetime import timedelta
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
SKEW = timedelta(seconds=2)
"""By how much this machine's clock may be behind Discord's."""


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
        before = discord.utils.time_snowflake(discord.utils.utcnow() + SKEW)
        made = await super().from_client(client, resume=resume, **how)
        if resume:
            made._note_replays(client.replayed, before)
        return made

    def _note_replays(self, replayed: dict[int, None], before: int) -> None:
        """Note the interactions with ids before this one: who had the session then may have handled them.

        RESUMED does not say where they end, since that of whoever resumed before is told again, too.
        """
        usual = self._discord_parsers["INTERACTION_CREATE"]

        def interaction(data: Any) -> None:
            if int(data["id"]) < before:
                replayed[int(data["id"])] = None
            usual(data)

        self._discord_parsers = self._discord_parsers | {"INTERACTION_CREATE": interaction}

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
