"""How every connection to the server is made and asked, and one that hears of notices which another process queued."""

import asyncio
import os
import re
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from typing import Any

import asyncpg

from storage.errors import Unavailable
from storage.place import Address
from storage.postgres.errors import in_plain_words

ANSWER = 30.0
"""Seconds that a statement may take."""
_MARK = re.compile(r"\?(\d*)")
CHANNEL = "tetsudo_outbox"
PAUSES = (0.2, 1.0, 5.0)
"""Seconds between attempts to connect again; the last one repeats."""
_SETTINGS = {
    "tetsudo.program": "on",  # renews seals
    # A process that was frozen, or cut off, must not keep others from its games for long.
    "idle_in_transaction_session_timeout": "8000",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "2",
}


def keywords(**settings: str) -> Mapping[str, Any]:
    """What asyncpg is told besides the address: time limits, and settings of the session."""
    name = f"tetsudo {socket.gethostname()} {os.getpid()}"
    return {
        "timeout": 10.0,
        "command_timeout": ANSWER,
        "server_settings": {"application_name": name[:63], **_SETTINGS, **settings},
    }


@asynccontextmanager
async def one_connection(place: Address, **settings: str) -> AsyncIterator[Any]:
    """A connection of its own, closed on exit. Raises Unavailable."""
    with in_plain_words(place):
        connection = await asyncpg.connect(place.url, **keywords(**settings))
    try:
        yield connection
    finally:
        try:
            await connection.close(timeout=2)
        except Exception:  # it is gone already
            connection.terminate()


@lru_cache(maxsize=1000)
def numbered(sql: str) -> str:
    """SQLite's `?` and `?1` as `$1`. As there, a bare `?` follows the greatest number before it."""
    last = 0

    def number(mark: re.Match[str]) -> str:
        nonlocal last
        here = int(mark[1]) if mark[1] else last + 1
        last = max(last, here)
        return f"${here}"

    return _MARK.sub(number, sql)


async def hints(place: Address) -> AsyncIterator[str]:
    """The games of notices as they are queued; "" at the start and after a lost connection, when some were missed."""
    failed = 0
    while True:
        heard: asyncio.Queue[str | None] = asyncio.Queue()
        with suppress(Unavailable):
            async with one_connection(place) as connection:
                connection.add_termination_listener(lambda _, heard=heard: heard.put_nowait(None))
                with in_plain_words(place):
                    await connection.add_listener(CHANNEL, lambda *told, heard=heard: heard.put_nowait(told[-1]))
                failed = 0
                yield ""
                while (game := await heard.get()) is not None:
                    yield game
        await asyncio.sleep(PAUSES[min(failed, len(PAUSES) - 1)])
        failed += 1
