"""Hearing of notices that another process queued, by LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from storage.errors import Unavailable
from storage.place import Address
from storage.postgres.connecting import one_connection
from storage.postgres.errors import in_plain_words

CHANNEL = "tetsudo_outbox"
PAUSES = (0.2, 1.0, 5.0)
"""Seconds between attempts to connect again; the last one repeats."""


async def hints(place: Address) -> AsyncIterator[str]:
    """The games of notices as they are queued; "" at the start and after a lost connection, when some were missed."""
    failed = 0
    while True:
        heard: asyncio.Queue[str | None] = asyncio.Queue()
        with suppress(Unavailable):
            async with one_connection(place) as connection:
                connection.add_termination_listener(lambda _, heard=heard: heard.put_nowait(None))
                with in_plain_words(place):
                    await connection.add_listener(CHANNEL, _into(heard))
                failed = 0
                yield ""
                while (game := await heard.get()) is not None:
                    yield game
        await asyncio.sleep(PAUSES[min(failed, len(PAUSES) - 1)])
        failed += 1


def _into(heard: asyncio.Queue[str | None]) -> Any:
    def listener(_connection: Any, _process: int, _channel: str, game: str) -> None:
        heard.put_nowait(game)

    return listener
