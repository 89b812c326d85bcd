"""One open database for the tests of a process, empty for each.

To open a file, and to prepare each statement for it anew, is a quarter of what a short test of the bot costs.
"""

import sqlite3
from functools import partial
from pathlib import Path

from aiosqlite import Connection

from storage import Store
from storage.db import Clock
from storage.sqlite.database import SqliteDatabase
from storage.store import utc_seconds

STATEMENTS = 1000
"""Prepared ones that are kept: more than the program has."""
SETTINGS = ("synchronous = OFF", "query_only = ON")
"""Of the two connections. What a cut of the power leaves is for the tests of the storage."""


class KeptFile:
    """A file of the present version, used in this thread alone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        connect = partial(sqlite3.connect, path, isolation_level=None, cached_statements=STATEMENTS)
        self._files = [connect() for _ in SETTINGS]
        self._through = [Connection(connect, iter_chunk_size=64) for _ in SETTINGS]
        for file, through, setting in zip(self._files, self._through, SETTINGS, strict=True):
            file.execute(f"PRAGMA {setting}")
            through._connection = file
        self._writer = self._files[0]
        self._tables = self._writer.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        self._in_use = False
        self._let_the_log_be_emptied()

    def _let_the_log_be_emptied(self) -> None:
        """It stays append-only as long as a test uses it."""
        self._writer.create_function("is_in_use", 0, lambda: self._in_use)
        self._writer.execute("DROP TRIGGER log_is_not_shortened")
        self._writer.execute(
            "CREATE TEMP TRIGGER log_is_not_shortened BEFORE DELETE ON main.log WHEN is_in_use()"
            " BEGIN SELECT raise(ABORT, 'the log is append-only: no row is deleted'); END"
        )

    def store(self, clock: Clock = utc_seconds) -> Store:
        """Empty, for the next test."""
        self._in_use = False
        self._writer.rollback()
        self._writer.execute("PRAGMA foreign_keys = OFF")
        self._writer.execute("BEGIN")
        for (table,) in self._tables:
            self._writer.execute(f"DELETE FROM {table}")
        self._writer.execute("COMMIT")
        self._writer.execute("PRAGMA foreign_keys = ON")
        self._in_use = True
        return Store(SqliteDatabase(self._path, clock, *self._through))

    def close(self) -> None:
        for file, through in zip(self._files, self._through, strict=True):
            through._connection = None
            file.close()
