"""How the seals are renewed in a file: by triggers, which exist on this program's own connection alone."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from storage.db import Tx

SINCE = 9
"""The version of the file that has seals. The migration to it seals every game as it finds it."""

_OF_GAME = (
    *("id", "guild_id", "channel_id", "title", "options", "settings", "status", "host_id", "created_at", "started_at"),
    *("finished_at", "result", "seq", "head"),
)
_OF_SEAT = ("id", "seat", "user_id", "name", "joined_at", "left_at")
ROW = f"SELECT {', '.join(_OF_GAME)} FROM games WHERE id = ?"
SEATS = f"SELECT {', '.join(_OF_SEAT)} FROM seats WHERE game = ?"

_NEW_ROW = f"seal_of(json_array(json_array({', '.join('NEW.' + name for name in _OF_GAME)})))"
WATCH = (
    "PRAGMA temp_store = MEMORY",
    "CREATE TEMP TRIGGER game_made AFTER INSERT ON main.games"
    f" BEGIN INSERT INTO seals (game, row, seats) VALUES (NEW.id, {_NEW_ROW}, seal_of('[]')); END",
    f"CREATE TEMP TRIGGER game_changed AFTER UPDATE OF {', '.join(_OF_GAME)} ON main.games"
    f" BEGIN UPDATE seals SET row = {_NEW_ROW} WHERE game = NEW.id; END",
    *(
        f"CREATE TEMP TRIGGER seats_{event} AFTER {event} ON main.seats BEGIN"
        f" UPDATE seals SET seats = (SELECT seal_of(json_group_array(json_array({', '.join(_OF_SEAT)})))"
        f" FROM seats WHERE game = {which}.game) WHERE game = {which}.game; END"
        for event, which in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD"))
    ),
)


async def seal_all(tx: Tx) -> None:
    """Seal every game as it is now, where none has been sealed."""
    for (game,) in await tx.all("SELECT id FROM games ORDER BY rowid"):
        hashes = sealed(await tx.all(ROW, game)), sealed(await tx.all(SEATS, game))
        await tx.run("INSERT INTO seals (game, row, seats) VALUES (?, ?, ?)", game, *hashes)


def seal_of(rows: str) -> str:
    """The hash of rows in JSON, for the triggers."""
    return sealed(json.loads(rows))


def sealed(rows: Iterable[Any]) -> str:
    """The hash of rows that begin with their ids, in whatever order they come."""
    return hashlib.sha256(json.dumps(sorted(rows), separators=(",", ":")).encode()).hexdigest()
