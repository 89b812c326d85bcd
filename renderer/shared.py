"""Packed parts of pictures that outlive a process and that several share, in one SQLite file of a bounded size.

It is a cache: whatever goes wrong with the file, the parts are drawn anew, and nobody notices but the clock.
"""

import hashlib
import logging
import os
import sqlite3
import threading
from collections.abc import Hashable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import PIL

log = logging.getLogger("tetsudo.renderer")
_PAGE = 4096
_DROPPED = 32
"""How many parts are dropped at a time, the oldest ones, when the file is full: whoever draws hardly notices."""
_PATIENCE = 0.2
"""Seconds to wait for another process that writes; drawing takes less than waiting longer."""


class SharedParts:
    """Parts by what they show. Each process opens the file for itself; threads of one take turns.

    What an earlier version of the renderer has drawn is not found, and is dropped in time.
    """

    def __init__(self, path: Path, limit: int) -> None:
        """`limit` is the size of the file, in bytes. A file that is damaged is replaced."""
        self._path, self._limit = path, limit
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        self._open()

    def get(self, key: Hashable) -> bytes | None:
        """What some process kept under the key, or None."""
        rows = self._run("SELECT part, sum FROM parts WHERE key = ?", _digest(key))
        part = bytes(rows[0][0]) if rows else None
        return part if part is not None and _sum(part) == rows[0][1] else None

    def has(self, key: Hashable) -> bool:
        """Whether some process kept something under the key."""
        return bool(self._run("SELECT 1 FROM parts WHERE key = ?", _digest(key)))

    def put(self, key: Hashable, packed: bytes) -> None:
        self._run("INSERT OR REPLACE INTO parts (key, part, sum) VALUES (?, ?, ?)", _digest(key), packed, _sum(packed))
        if self._size() > self._limit:
            self._run("DELETE FROM parts WHERE number IN (SELECT number FROM parts ORDER BY number LIMIT ?)", _DROPPED)

    def __len__(self) -> int:
        return int(self._run("SELECT count(*) FROM parts")[0][0])

    def close(self) -> None:
        """Close the file once no thread uses it, since SQLite crashes otherwise; nothing is found from then on."""
        with self._lock:
            self._shut()

    def _shut(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _size(self) -> int:
        pages, free = (self._run(f"PRAGMA {what}") for what in ("page_count", "freelist_count"))
        return int((pages[0][0] - free[0][0]) * _PAGE) if pages and free else 0

    def _run(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that the statement gives; none if the file cannot be used just now."""
        with self._lock:
            try:
                return self._file.execute(statement, values).fetchall() if self._file is not None else []
            except sqlite3.Error as error:
                log.debug("shared parts of pictures: %s", error)
                if _damaged(error):
                    self._open(anew=True)
                return []

    def _open(self, *, anew: bool = False) -> None:
        """Open the file, or begin it `anew`, as where it is damaged; where that fails, too, nothing is shared."""
        self._shut()
        try:
            for end in ("", "-wal", "-shm") if anew else ():
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
            _begin_private(self._path)
            self._file = _opened(self._path)
        except (sqlite3.Error, OSError) as error:
            log.debug("shared parts of pictures: %s", error)
            if _damaged(error) and not anew:
                self._open(anew=True)


def _begin_private(path: Path) -> None:
    """Make the file, for the bot's own user alone; what SQLite keeps beside it gets the same permissions."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _opened(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        file.execute(f"PRAGMA page_size = {_PAGE}")
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = OFF")
        file.execute("PRAGMA cache_size = -512")
        file.execute(
            "CREATE TABLE IF NOT EXISTS parts "
            "(number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, part BLOB NOT NULL, sum BLOB NOT NULL)"
        )
    except sqlite3.Error:
        file.close()
        raise
    return file


def _damaged(error: Exception) -> bool:
    """Whether the file is no good; a full disk or another process that writes is not the file's fault."""
    return type(error) is sqlite3.DatabaseError


def _sum(part: bytes) -> bytes:
    """Tells whether a part came back as it was kept: a machine that lost its power may have written half of it."""
    return hashlib.blake2b(part, digest_size=8).digest()


@cache
def _version() -> bytes:
    """What decides how parts look: the renderer's code, and Pillow's version."""
    found = hashlib.blake2b(PIL.__version__.encode(), digest_size=16)
    for file in sorted(Path(__file__).parent.glob("*.py")):
        found.update(file.read_bytes())
    return found.digest()


def _digest(key: Hashable) -> bytes:
    """The same in every process of this version."""
    return hashlib.blake2b(repr(key).encode(), digest_size=16, key=_version()).digest()
