"""The bot on a clock that a file tells, so that a month passes in minutes.

WIRE_TIME names the file: eight bytes, seconds since 1970. The bot looks at what is due twenty times a second, and takes
silences below three hours for no outage, since its clock is moved by up to two.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import bot.chat.client
import bot.chat.messages
import bot.main
import storage.clocks
import storage.store

OFTEN = 0.05
"""Seconds between two looks at what is due."""
UNNOTICED = 3 * 3600
"""Seconds of the moved clock that are no outage."""


def follow(path: str) -> None:
    """Let the store, and so the bot, read the time from the file."""
    with open(path, "rb") as file:
        page = mmap.mmap(file.fileno(), 8, prot=mmap.PROT_READ)
    storage.store.time = SimpleNamespace(time=lambda: struct.unpack("<q", page[:8])[0])  # type: ignore[assignment]
    storage.clocks.LONGEST_SILENCE = UNNOTICED
    bot.chat.client.BEAT = 0
    bot.chat.messages.PAUSE = 0.0
    plain = bot.main.from_environment

    def hurried(*given: Any) -> Any:
        return replace(plain(*given), retry_seconds=OFTEN)

    bot.main.from_environment = hurried  # type: ignore[assignment]
