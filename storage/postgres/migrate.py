"""Bringing a PostgreSQL database up to this program's version, which the table `about` keeps.

Each script runs in one transaction together with its version number, behind a lock, so that of several processes one
applies it. A database with tables of another program is refused: ours expects to have one for itself.
"""

from collections.abc import Mapping
from functools import partial

from storage.db import Database, Tx
from storage.errors import Unavailable
from storage.place import Address, Place
from storage.postgres.connecting import one_connection
from storage.postgres.errors import in_plain_words
from storage.scripts import FOLDER, must_be_known, read

FIRST = 10
"""The version of the first script: the games were in SQLite alone until then."""
KEY = 1415935091
"""Of our advisory locks: "Tets". The second number says what is locked."""
MIGRATING, SERVING = 1, 2
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"


def migrations() -> Mapping[int, str]:
    """Version -> the script that leads to it."""
    return read(FOLDER / "postgres", first=FIRST)


async def migrate(db: Database, scripts: Mapping[int, str]) -> None:
    """Apply the scripts that the database lacks. Raises Unavailable if it is not ours or of a newer version."""
    there = await _version(db)
    check(db.place, there, max(scripts))
    for version, script in scripts.items():
        if there < version:
            await db.write(partial(_step, version=version, script=script))


async def must_be_newest(db: Database) -> None:
    """Raise Unavailable unless the database is ours and of this program's version."""
    there, newest = await _version(db), max(migrations())
    check(db.place, there, newest)
    if there == 0:
        raise Unavailable(f"The database {db.place} is empty. The bot makes its tables when it starts.")
    if there < newest:
        raise Unavailable(
            f"The database {db.place} has version {there}, this program {newest}: the bot upgrades it when it starts."
        )


async def _step(tx: Tx, version: int, script: str) -> None:
    await tx.run("SELECT pg_advisory_xact_lock(?, ?)", KEY, MIGRATING)
    if await _version(tx) >= version:  # another process was first
        return
    await tx.run(script)
    await tx.run("UPDATE about SET version = ?", version)


async def _version(db: Database | Tx) -> int:
    """The database's version: 0 if it is empty, -1 if it is another program's."""
    tables = [name for (name,) in await db.all(_TABLES)]
    if "about" not in tables:
        return -1 if tables else 0
    columns = await db.all(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()"
        " AND table_name = 'about' AND column_name IN ('program', 'version')"
    )
    return int((await db.one("SELECT version FROM about"))[0]) if len(columns) == 2 else -1


def check(place: Place, version: int, newest: int) -> None:
    """Refuse another program's database, or one of a newer version. Raises Unavailable."""
    if version < 0:
        raise Unavailable(f"The database {place} belongs to another program: make one for the games alone.")
    must_be_known(place, version, newest)


async def look(place: Address) -> None:
    """Read a little of the database and change nothing, also where it is of an earlier version. Raises Unavailable."""
    async with one_connection(place) as connection:
        with in_plain_words(place):
            tables = [name for (name,) in await connection.fetch(_TABLES)]
            version = await connection.fetchval("SELECT version FROM about") if "about" in tables else -len(tables)
            check(place, version, max(migrations()))
            if version:
                await connection.fetchval("SELECT count(*) FROM games")
            if await connection.fetchval("SHOW transaction_read_only") == "on":
                raise Unavailable(f"The database {place} cannot be used: it is read-only; perhaps it is a replica.")
