"""Seals: hashes of each game's row and seats, by which `check` finds what was changed behind the program's back.

The log has hashes of its own. Every transaction of this program renews the seals of the games it touched; which those
are is noted by triggers that exist on its own connection alone.
"""

from __future__ import annotations

import hashlib
import json

from storage.db import Database, Tx

SINCE = 9
"""The version of the file that has seals. The migration to it seals every game as it finds it."""

_ROW = (
    "SELECT id, guild_id, channel_id, title, options, settings, status, host_id, created_at, started_at, finished_at,"
    " result, seq, head FROM games WHERE id = ?"
)
_SEATS = "SELECT id, seat, user_id, name, joined_at, left_at FROM seats WHERE game = ? ORDER BY id"
_WATCH = (
    "PRAGMA temp_store = MEMORY",
    "CREATE TEMP TABLE touched (game TEXT NOT NULL)",
    *(
        f"CREATE TEMP TRIGGER {table}_{event} AFTER {event} ON main.{table}"
        f" BEGIN INSERT INTO touched VALUES ({which}.{key}); END"
        for table, key in (("games", "id"), ("seats", "game"))
        for event, which in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD"))
    ),
)


async def watch(db: Database) -> None:
    """Renew seals with every transaction from now on."""
    await db.prepare(_WATCH)
    db.before_commit = _renew


async def seal(tx: Tx, game: str) -> None:
    """Seal a game as it is now."""
    hashes = _hash(await tx.all(_ROW, game)), _hash(await tx.all(_SEATS, game))
    if not await tx.run("UPDATE seals SET row = ?, seats = ? WHERE game = ?", *hashes, game):
        await tx.run("INSERT INTO seals (row, seats, game) VALUES (?, ?, ?)", *hashes, game)


async def seal_all(tx: Tx) -> None:
    """Seal every game as it is now."""
    for (game,) in await tx.all("SELECT id FROM games ORDER BY rowid"):
        await seal(tx, game)


async def broken(db: Database, *games: str) -> list[str]:
    """What differs from the seals of these games, or of all, a sentence each."""
    wrong = [] if games else await _missing(db)
    chosen = games or [one for (one,) in await db.all("SELECT id FROM games ORDER BY rowid")]
    for game in chosen:
        sealed = await db.one("SELECT row, seats FROM seals WHERE game = ?", game)
        if not sealed:
            wrong.append(f"Game {game} was not made by this program.")
            continue
        if sealed[0] != _hash(await db.all(_ROW, game)):
            wrong.append(f"The settings, the host or the status of game {game} were changed by another program.")
        if sealed[1] != _hash(await db.all(_SEATS, game)):
            wrong.append(f"The seats of game {game} were changed by another program.")
    return wrong


async def _missing(db: Database) -> list[str]:
    there = (await db.one("SELECT count(*) FROM seals JOIN games ON games.id = seals.game"))[0]
    made = (await db.one("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'seals'"))[0]
    return [f"Of {made} games that were made, {made - there} are missing."] if there < made else []


async def _renew(tx: Tx) -> None:
    touched = await tx.all("SELECT DISTINCT game FROM temp.touched")
    for (game,) in touched:
        await seal(tx, game)
    if touched:
        await tx.run("DELETE FROM temp.touched")


def _hash(rows: list[tuple[object, ...]]) -> str:
    return hashlib.sha256(json.dumps(rows, separators=(",", ":")).encode()).hexdigest()
