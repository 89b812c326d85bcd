"""The heartbeat of a bot, as `tetsudo health` reads it without Discord's library.

It is a small file beside the database, written every few seconds by the loop that serves the players. A bot that hangs
stops writing, which shows in the file's age but not in its process.
"""

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

from storage import Address, Place

STALE = 60.0
"""Seconds without a heartbeat after which the bot counts as hung."""
OFFLINE = 300.0
"""Seconds without a connection to Discord that count as a fault."""


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


def write_sign(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, "utf-8")
    part.replace(path)
