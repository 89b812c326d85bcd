"""Heartbeats: a small file beside the database, written every few seconds by the loop that serves the players.

`tetsudo health` reads it. A bot that hangs stops writing, which shows in the file's age but not in its process.
"""

import asyncio
import hashlib
import json
import logging
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from bot.chat.connection import Connection
from storage import Address, Place

log = logging.getLogger("tetsudo.health")
EVERY = 10.0
"""Seconds between heartbeats."""
STALE = 60.0
"""Seconds without a heartbeat after which the bot counts as hung."""
OFFLINE = 300.0
"""Seconds without a connection to Discord that count as a fault."""
MOMENT = 0.05
"""Seconds by which a heartbeat measures how late the event loop is."""


class Heart:
    """Writes one bot's heartbeats."""

    def __init__(self, bot: Connection) -> None:
        self.bot = bot
        self.path = sign_of(bot.settings.database)
        self.began = time.monotonic()
        self.seen_online = time.monotonic()
        self.lag = 0.0
        """Seconds by which the event loop was late to the last heartbeat, which is what players feel."""

    async def beat(self) -> None:
        """Write one heartbeat."""
        started = time.perf_counter()
        await asyncio.sleep(MOMENT)
        self.lag = max(0.0, time.perf_counter() - started - MOMENT)
        await asyncio.to_thread(_write, self.path, json.dumps(await self.sign()))

    async def sign(self) -> dict[str, Any]:
        """How the bot is at the moment. Raises Unavailable."""
        shards, connected = self.bot.connections()
        if connected == shards and self.bot.requests.may() and not self.bot.is_ws_ratelimited():
            self.seen_online = time.monotonic()
        return {
            "tick": round(time.monotonic(), 1),
            "pid": os.getpid(),
            "up_seconds": round(time.monotonic() - self.began),
            "offline_seconds": round(time.monotonic() - self.seen_online),
            "shards": shards,
            "shards_connected": connected,
            "guilds": self.bot.servers(),
            "notices_waiting": await self.bot.store.outbox.waiting(),
            "refused_lately": self.bot.requests.refusals.number,
            "refused_most": self.bot.requests.refusals.most,
            "stopped_seconds": self.bot.requests.refusals.resumes_in,
        }

    def stop(self) -> None:
        """Remove the file: a bot that shuts down cleanly leaves none, unless the disk is read-only by then."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            log.warning("could not remove %s: %s", self.path, error.strerror)


def sign_of(database: Place) -> Path:
    """The file with the heartbeats of the bot that serves `database`: beside it, or in the temporary folder."""
    if isinstance(database, Address):
        name = hashlib.sha256(database.url.encode()).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"tetsudo-{name}.alive"
    return database.with_name(database.name + ".alive")


def last_sign(database: Place) -> dict[str, Any] | None:
    """The last heartbeat, or None if no bot is running or it shut down cleanly."""
    try:
        sign = json.loads(sign_of(database).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return sign if isinstance(sign, dict) else None


def illness(sign: dict[str, Any], tick: float) -> str | None:
    """What is wrong with the bot that wrote the heartbeat, in a sentence, or None.

    `tick` is the present reading of the machine's monotonic clock, which nobody sets and which all processes share.
    """
    age = tick - float(sign.get("tick", 0))
    if age < 0:
        return "The bot has given no sign of life since the machine started: start it."
    if age > STALE:
        return f"The bot (process {sign.get('pid')}) has given no sign of life for {age:.0f} seconds: restart it."
    if float(sign.get("offline_seconds", 0)) > OFFLINE:
        return f"The bot has had no connection to Discord for {sign['offline_seconds']} seconds."
    return None


def _write(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, "utf-8")
    part.replace(path)
