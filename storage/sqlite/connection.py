"""Connections to a SQLite file, and its errors in plain words."""

import asyncio
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import aiosqlite

from storage.errors import StorageError, Unavailable

_CAUSES = {
    sqlite3.SQLITE_FULL: "the disk is full, or the file has reached its size limit",
    sqlite3.SQLITE_BUSY: "another process keeps it locked",
    sqlite3.SQLITE_LOCKED: "another connection keeps it locked",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_PERM: "access to it is not permitted",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check the path and the permissions of its folder",
    sqlite3.SQLITE_CORRUPT: "it is damaged: restore it from a backup",
    sqlite3.SQLITE_NOTADB: "it is not a SQLite database, or it is damaged: restore it from a backup",
    sqlite3.SQLITE_IOERR: "reading or writing the disk failed",
}
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@asynccontextmanager
async def connection(path: Path, busy_seconds: float, *pragmas: str) -> AsyncIterator[aiosqlite.Connection]:
    """Open a connection; it waits `busy_seconds` for another process before it fails."""
    with in_plain_words(path):
        await asyncio.to_thread(_try_to_open, path)
        opened = await aiosqlite.connect(path, timeout=busy_seconds, isolation_level=None)
    try:
        with in_plain_words(path):
            for pragma in pragmas:
                await opened.execute_fetchall(f"PRAGMA {pragma}")
        yield opened
    finally:
        await opened.close()


def _try_to_open(path: Path) -> None:
    """Fail here if the file cannot be opened: aiosqlite's thread would outlive the failure and complain."""
    keep_private(path)
    sqlite3.connect(path).close()


def keep_private(path: Path) -> None:
    """Make the file, if there is none, for its owner alone; close one of earlier versions to all but its group.

    SQLite gives -wal and -shm the permissions of the file itself.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        return
    except OSError:  # there is one, or there can be none, which SQLite says better
        pass
    for companion in ("", "-wal", "-shm"):
        beside = path.with_name(path.name + companion)
        with suppress(OSError):  # not ours to change
            mode = stat.S_IMODE(beside.stat().st_mode)
            if mode & stat.S_IRWXO:
                beside.chmod(mode & ~stat.S_IRWXO)


@contextmanager
def in_plain_words(path: Path, source: Path | None = None) -> Iterator[None]:
    """Translate SQLite's errors into ours. Where it is a copy of a `source`, that is what is damaged."""
    try:
        yield
    except (OverflowError, UnicodeEncodeError) as error:
        raise StorageError("A number is too large to be stored, or a text has letters that cannot be.") from error
    except sqlite3.IntegrityError as error:
        raise StorageError(f"The database {path} refused a row: {error}.") from error
    except sqlite3.Error as error:
        code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
        if "decode to UTF-8" in str(error):
            code = sqlite3.SQLITE_CORRUPT
        cause = _CAUSES.get(code, str(error))
        damaged = code in _DAMAGE
        named = source if source is not None and damaged else path
        raise Unavailable(f"The database {named} cannot be used: {cause}.", damaged=damaged) from error
    except UnicodeDecodeError as error:  # in the text of an error, which repeats what is damaged
        cause = _CAUSES[sqlite3.SQLITE_CORRUPT]
        raise Unavailable(f"The database {source or path} cannot be used: {cause}.", damaged=True) from error
