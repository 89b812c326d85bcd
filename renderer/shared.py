"""Packed parts of pictures that several processes share, in one SQLite file of a bounded size.

It is a cache: whatever goes wrong with the file, the parts are drawn anew, and nobody notices but the clock.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import threading
from collections.abc import Hashable
from pathlib import Path

log = logging.getLogger("tetsudo.renderer")
_PAGE = 4096
_DROPPED = 4
"""One part in so many is dropped, the oldest ones, when the file is full."""
_PATIENCE = 0.2
"""Seconds to wait for another process that writes; drawing takes less than waiting longer."""


class SharedParts:
    """Parts by what they show. Each process opens the file for itself; threads of one take turns."""

    def __init__(self, path: Path, limit: int) -> None:
        """`limit` is the size of the file, in bytes."""
        self._limit = limit
        self._lock = threading.Lock()
        self._file = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            self._file.execute(f"PRAGMA page_size = {_PAGE}")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = OFF")
            self._file.execute("PRAGMA cache_size = -512")
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS parts (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, part BLOB)"
            )
        except sqlite3.Error as error:
            self._failed(error)

    def get(self, key: Hashable) -> bytes | None:
        """What some process kept under the key, or None."""
        try:
            with self._lock:
                row = self._file.execute("SELECT part FROM parts WHERE key = ?", (_digest(key),)).fetchone()
        except sqlite3.Error as error:
            self._failed(error)
            return None
        return None if row is None else bytes(row[0])

    def put(self, key: Hashable, packed: bytes) -> None:
        """Keep it for all processes."""
        try:
            with self._lock:
                self._file.execute("INSERT OR IGNORE INTO parts (key, part) VALUES (?, ?)", (_digest(key), packed))
                if self._size() > self._limit:
                    self._drop()
        except sqlite3.Error as error:
            self._failed(error)

    def __len__(self) -> int:
        """How many parts there are."""
        with self._lock:
            return int(self._file.execute("SELECT count(*) FROM parts").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _size(self) -> int:
        pages, free = (self._file.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "freelist_count"))
        return int((pages - free) * _PAGE)

    def _drop(self) -> None:
        self._file.execute(
            "DELETE FROM parts WHERE number < (SELECT number FROM parts ORDER BY number "
            f"LIMIT 1 OFFSET (SELECT count(*) / {_DROPPED} FROM parts))"
        )

    def _failed(self, error: sqlite3.Error) -> None:
        log.debug("shared parts of pictures: %s", error)


def _digest(key: Hashable) -> bytes:
    """The same in every process."""
    return hashlib.blake2b(repr(key).encode(), digest_size=16).digest()
