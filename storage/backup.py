"""Copies of a database in use, and the search for damage."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import aiosqlite

from storage.db import Database, in_plain_words
from storage.errors import Unavailable


async def copy_to(source: Path, target: Path) -> None:
    """Copy the committed state of one moment to a file that appears whole or not at all."""
    part = target.with_name(target.name + ".part")
    try:
        await asyncio.to_thread(_make_room, part, target)
        with in_plain_words(part):
            await _copy(source, part)
        await asyncio.to_thread(_settle, part, target)
    except OSError as error:
        raise Unavailable(f"The backup {target} cannot be written: {error.strerror}.") from error


async def problems(db: Database) -> list[str]:
    """What SQLite itself finds wrong with the file."""
    found = [str(row[0]) for row in await db.all("PRAGMA integrity_check") if row[0] != "ok"]
    dangling = await db.all("PRAGMA foreign_key_check")
    return found + [f"A row of {table} names something missing in {parent}." for table, _, parent, _ in dangling]


async def _copy(source: Path, part: Path) -> None:
    # A connection of its own, in one step: players' reads go on, and a busy writer cannot make it start again.
    async with (
        aiosqlite.connect(source, isolation_level=None) as original,
        aiosqlite.connect(part, isolation_level=None) as copy,
    ):
        await original.backup(copy, pages=-1)
        await copy.execute_fetchall("PRAGMA journal_mode = DELETE")  # one file without companions
        rows = [tuple(row) for row in await copy.execute_fetchall("PRAGMA quick_check(1)")]
    if rows != [("ok",)]:
        raise Unavailable(f"The backup {part} is damaged: {rows[0][0]}.")


def _make_room(part: Path, target: Path) -> None:
    if target.exists():
        raise Unavailable(f"The backup {target} exists already; choose another name.")
    part.unlink(missing_ok=True)


def _settle(part: Path, target: Path) -> None:
    """Have the copy on the disk before it gets its name, and its name before anyone is told."""
    _to_disk(part)
    part.rename(target)
    _to_disk(target.parent)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
