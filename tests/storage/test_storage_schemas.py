"""Both engines have the same tables at the same version, whoever wrote a script of its own for one."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from postgres_server import PostgresServer

from storage import Store, Unavailable
from storage.postgres.migrate import FIRST
from storage.postgres.migrate import migrations as postgres_migrations
from storage.sqlite.migrate import FOLDER
from storage.sqlite.migrate import migrations as sqlite_migrations

TYPES = {"INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea"}
OF_POSTGRES_ALONE = {("about", "program"), ("about", "version"), ("about", "games_made"), ("games", "rowid")}
"""What SQLite keeps elsewhere: in the header of the file, in `sqlite_sequence`, in a column that is not listed."""
LEASES = ("processes", "shards", "session_starts", "registered", "inbox")
"""Tables of processes that share the games; a file is served by one."""
Columns = dict[tuple[str, str], tuple[str, bool]]
Keys = set[tuple[str, tuple[str, ...], bool]]


async def make(place: str) -> None:
    async with Store.open(place):
        pass


def of_sqlite(path: Path) -> tuple[Columns, Keys]:
    """(table, column) -> its type and whether it may be NULL; (table, columns, partial) of what is unique."""
    columns: Columns = {}
    keys: Keys = set()
    with closing(sqlite3.connect(path)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in (one for one in tables if not one.startswith("sqlite_")):
            found = file.execute(f"PRAGMA table_info({table})").fetchall()
            columns |= {(table, name): (TYPES[kind], not must and not key) for _, name, kind, must, _, key in found}
            keys.add((table, tuple(name for *_, name, _, _, _, key in found if key), False))
            for _, index, unique, _, partial in file.execute(f"PRAGMA index_list({table})").fetchall():
                names = tuple(row[2] for row in file.execute(f"PRAGMA index_info({index})"))
                if unique:
                    keys.add((table, names, bool(partial)))
    return columns, keys


def of_postgres(server: PostgresServer, address: str) -> tuple[Columns, Keys]:
    rows = server.psql(
        address,
        "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns"
        " WHERE table_schema = 'public'",
    )
    columns: Columns = {}
    for table, name, kind, null in (row.split("|") for row in rows.splitlines()):
        columns[table, name] = kind, null == "YES"
    indexes = server.psql(
        address,
        "SELECT indrelid::regclass, array_to_string(array(SELECT attname FROM unnest(indkey)"
        " WITH ORDINALITY AS k (n, o) JOIN pg_attribute ON attrelid = indrelid AND attnum = n ORDER BY o), ','),"
        " indpred IS NOT NULL FROM pg_index"
        " WHERE indisunique AND indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)",
    )
    split = [row.split("|") for row in indexes.splitlines()]
    return columns, {(table, tuple(names.split(",")), partial == "t") for table, names, partial in split}


async def test_both_engines_have_the_same_tables(address: str, path: Path, postgres: PostgresServer) -> None:
    await make(str(path))
    await make(address)
    (columns, keys), (theirs, their_keys) = of_sqlite(path), of_postgres(postgres, address)
    alone = {one for one in theirs if one[0] in LEASES} | OF_POSTGRES_ALONE
    assert {one: what for one, what in theirs.items() if one not in alone} == columns
    assert {one for one in their_keys if one[0] not in ("about", *LEASES)} == keys


def test_each_migration_is_for_both_engines_and_has_one_name() -> None:
    names = {engine: {file.name for file in (FOLDER / engine).glob("*.sql")} for engine in ("sqlite", "postgres")}
    assert {name for name in names["postgres"] if int(name[:3]) > FIRST} <= names["sqlite"]
    assert list(postgres_migrations()) == list(range(FIRST, len(sqlite_migrations()) + 1))


@pytest.mark.broad
async def test_an_empty_database_is_made_by_several_processes_at_once(address: str, postgres: PostgresServer) -> None:
    await asyncio.gather(*(make(address) for _ in range(4)))
    assert postgres.psql(address, "SELECT version, games_made FROM about") == f"{max(postgres_migrations())}|0"


async def test_a_database_of_another_program_is_left_alone(address: str, postgres: PostgresServer) -> None:
    for other in ("CREATE TABLE recipes (name text)", "CREATE TABLE about (version text)"):
        postgres.psql(address, other)
        with pytest.raises(Unavailable, match="belongs to another program"):
            await make(address)
        tables = postgres.psql(address, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        assert tables == ("1" if "recipes" in other else "2")


async def test_a_database_of_a_newer_version_is_refused(address: str, postgres: PostgresServer) -> None:
    await make(address)
    newest = max(postgres_migrations())
    postgres.psql(address, "UPDATE about SET version = version + 1")
    with pytest.raises(Unavailable, match=f"version {newest + 1}.*up to {newest}"):
        await make(address)


async def test_a_migration_that_fails_leaves_the_version_before_it(
    address: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make(address)
    before = of_postgres(postgres, address), postgres.psql(address, "SELECT version FROM about")
    newest = max(postgres_migrations())
    scripts = {**postgres_migrations(), newest + 1: "CREATE TABLE half (x text); DELETE FROM nonsense;"}
    with monkeypatch.context() as changed:
        changed.setattr("storage.postgres.database.migrations", lambda: scripts)
        with pytest.raises(Unavailable, match='"nonsense" does not exist'):
            await make(address)
    assert (of_postgres(postgres, address), postgres.psql(address, "SELECT version FROM about")) == before
    await make(address)


async def test_a_store_that_is_open_goes_on_while_a_newer_program_adds_columns(
    address: str, postgres: PostgresServer
) -> None:
    async with Store.open(address) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        for number in range(3):
            await store.change_game(game.id, host_id=number)
            postgres.psql(
                address, f"ALTER TABLE games ADD later{number} text; ALTER TABLE seats ADD later{number} text"
            )
            assert (await store.game(game.id)).host_id == number
        await store.join(game.id, 1, "Ann", limit=3)
        assert await store.check() == []
