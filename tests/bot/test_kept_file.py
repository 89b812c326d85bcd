"""The database that the tests of the bot share: append-only and with its references to each, and empty for the next."""

from __future__ import annotations

import pytest
from club import Club
from kept_file import KeptFile
from player import passes

from storage.errors import StorageError


async def test_a_log_is_not_shortened_references_hold_and_nothing_is_left(club: Club, kept_file: KeptFile) -> None:
    table = await club.begin(2)
    await passes(table, "p1")
    database = club.bot.store._db
    with pytest.raises(StorageError, match="append-only"):
        await database.write(lambda tx: tx.run("DELETE FROM log"))
    with pytest.raises(StorageError, match="FOREIGN KEY"):
        await database.write(lambda tx: tx.run("UPDATE seats SET game = 'none'"))
    assert await database.all("SELECT seq FROM log") == [(1,)]
    kept_file.store()
    tables = await database.all("SELECT name FROM sqlite_schema WHERE type = 'table'")
    assert [name for (name,) in tables if await database.all(f"SELECT * FROM {name}")] == []
