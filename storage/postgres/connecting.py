"""How every connection to the server is made."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from storage.place import Address
from storage.postgres.errors import in_plain_words

ANSWER = 30.0
"""Seconds that a statement may take."""
_SETTINGS = {
    "tetsudo.program": "on",  # renews seals
    # A process that was frozen, or cut off, must not keep others from its games for long.
    "idle_in_transaction_session_timeout": "20000",
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
