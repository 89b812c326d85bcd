"""Copying a file while it is in use."""

import asyncio
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from storage.errors import Unavailable
from storage.sqlite.connection import in_plain_words, keep_private


async def copy_to(source: Path, target: Path) -> None:
    """Copy a consistent snapshot to `target`, which appears complete or not at all."""
    await asyncio.to_thread(_copy_to, source, target)


def _copy_to(source: Path, target: Path) -> None:
    if source.is_dir():
        raise Unavailable(f"{source} is a folder and not the file of a database.")
    if target.exists():
        raise Unavailable(f"The backup {target} already exists; choose another name.")
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        keep_private(part)
        with in_plain_words(part, source):
            _copy(source, part)
        to_disk(part)
        part.rename(target)
        to_disk(target.parent)
    except OSError as error:
        raise Unavailable(f"The backup {target} cannot be written: {error.strerror}.") from error
    finally:
        for left in (part, part.with_name(part.name + "-journal")):  # which SQLite leaves where the disk is full
            with suppress(OSError):
                left.unlink(missing_ok=True)


def _copy(source: Path, part: Path) -> None:
    # Its own connection, in a single step: players' reads go on, and a busy writer cannot make it start over.
    with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(part)) as copy:
        original.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # a single file, without -wal and -shm
        rows = copy.execute("PRAGMA quick_check(1)").fetchall()
    if rows != [("ok",)]:
        raise Unavailable(f"The database {source} is damaged: {rows[0][0]}.", damaged=True)


def one_file(path: Path) -> None:
    """Merge the write-ahead log into the file itself, of which nobody else may make use, and have it on disk.

    SQLite does so by itself where it is closed, but says nothing if it cannot. Raises Unavailable.
    """
    with in_plain_words(path), closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")
    to_disk(path)


def to_disk(path: Path) -> None:
    """Have the file, or the entries of the folder, written to the disk by now."""
    try:
        # A file is opened to be written, without which Windows flushes nothing.
        handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except PermissionError:
        if path.is_dir():  # Windows opens no folders, and keeps their entries in a log of its own
            return
        raise
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
