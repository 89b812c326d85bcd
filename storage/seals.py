"""Seals: hashes of each game's row and seats, by which `check` finds what was changed behind the program's back.

The log has hashes of its own. Triggers renew the seals within the statement that changes a row or a seat, as long as it
is this program's; how, and what is hashed, is the engine's business.
"""

from __future__ import annotations

from storage.db import Database


async def broken(db: Database, *games: str) -> list[str]:
    """What differs from the seals of these games, or of all, a sentence each."""
    wrong = [] if games else await _missing(db)
    chosen = games or [one for (one,) in await db.all("SELECT id FROM games ORDER BY rowid")]
    for game in chosen:
        sealed = await db.one("SELECT row, seats FROM seals WHERE game = ?", game)
        if not sealed:
            wrong.append(f"Game {game} was not made by this program.")
            continue
        row, seats = await db.seals_of(game)
        if sealed[0] != row:
            wrong.append(f"The settings, the host or the status of game {game} were changed by another program.")
        if sealed[1] != seats:
            wrong.append(f"The seats of game {game} were changed by another program.")
    return wrong


async def _missing(db: Database) -> list[str]:
    there = (await db.one("SELECT count(*) FROM seals JOIN games ON games.id = seals.game"))[0]
    made = await db.games_made()
    return [f"Of {made} games that were made, {made - there} are missing."] if there < made else []
