"""Bringing a database file up to this program's version.

`migrations/sqlite/NNN_name.sql` leads from version NNN - 1 to NNN, numbered from 1 without gaps; in PostgreSQL, too,
unless there is another of this name in `migrations/postgres/`. A version is the same in both engines: same tables, same
columns. Each runs in one transaction together with its version number, so an interrupted one leaves the previous
version intact. A released migration is never edited; a schema change is a new file.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

from storage.db import Reader, Tx
from storage.errors import Unavailable
from storage.place import Place
from storage.sqlite import marks, seals
from storage.sqlite.connection import in_plain_words

FOLDER = Path(__file__).parents[1] / "migrations"
APPLICATION_ID = 1415935091


@cache
def migrations(folder: Path = FOLDER / "sqlite") -> list[str]:
    """The texts of all migrations; the one at index N leads to version N + 1. Raises Unavailable."""
    files = sorted(folder.glob("[0-9][0-9][0-9]_*.sql"))
    numbers = [int(file.name[:3]) for file in files]
    if numbers != list(range(1, 1 + len(files))):
        raise Unavailable(f"The migrations in {folder} are not numbered from 1 without gaps: {numbers}.")
    return [file.read_text("utf-8") for file in files]


def must_be_known(place: Place, version: int, newest: int) -> None:
    """Raise Unavailable where a database is of a newer version than this program."""
    if version > newest:
        raise Unavailable(
            f"The database {place} has version {version}, but this program only knows versions up to {newest}: "
            "use the newer program, or restore a backup made before the upgrade."
        )


def statements(script: str) -> Iterator[str]:
    """The statements of a script. Each must end at the end of a line."""
    lines: list[str] = []
    for line in script.splitlines():
        lines.append(line)
        text = "\n".join(lines)
        if sqlite3.complete_statement(text):
            yield text
            lines.clear()
    if any(line.strip() and not line.startswith("--") for line in lines):
        raise Unavailable(f"A migration ends in the middle of a statement: {lines}.")


async def step(tx: Tx, version: int, script: str) -> None:
    """What leads to the version, all of it in one transaction."""
    if await tx.one("PRAGMA user_version") >= (version,):  # another process may have been first
        return
    for statement in statements(script):
        await tx.run(statement)
    if version == seals.SINCE:
        await seals.seal_all(tx)
    if version == marks.SINCE:
        await marks.mark_all(tx)
    await tx.run(f"PRAGMA user_version = {version}")


async def version_of(db: Reader, path: Path, newest: int) -> int:
    """The version that the file has. Raises what `_check_mark` does."""
    mark, version = await db.one("PRAGMA application_id"), await db.one("PRAGMA user_version")
    tables = await db.all("SELECT name FROM sqlite_schema LIMIT 1")
    _check_mark(path, bool(tables), mark[0], version[0], newest)
    return int(version[0])


def look(path: Path) -> None:
    """Read a little of the file and change nothing, also where it is of an earlier version. Raises Unavailable."""
    # Without a write-ahead log nobody uses it, and SQLite would leave an empty one behind.
    real = path.resolve()
    busy = real.with_name(real.name + "-wal").exists()
    address = f"{real.as_uri()}?mode=ro" + ("" if busy else "&immutable=1")
    with in_plain_words(path), closing(sqlite3.connect(address, uri=True)) as connection:
        (mark,), (version,) = (
            connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
        )
        tables = connection.execute("SELECT name FROM sqlite_schema").fetchall()
        _check_mark(path, bool(tables), mark, version, len(migrations()))
        if tables:
            connection.execute("SELECT count(*) FROM games").fetchone()


def _check_mark(path: Path, filled: bool, mark: int, version: int, newest: int) -> None:
    """Refuse another program's file, or one of a newer version."""
    if filled and mark != APPLICATION_ID:
        raise Unavailable(f"The database {path} belongs to another program.")
    must_be_known(path, version, newest)
