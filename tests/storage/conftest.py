"""Real databases of both engines, with a clock that stands still until told.

A test that takes `store` or `place` runs on SQLite and on PostgreSQL, unless its module has an `engine` of its own. One
that takes `path` is about files alone.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from shutil import copy

import pytest
from clock import Clock
from postgres_server import PostgresServer

from storage import Game, Store

ROOT = Path(__file__).parents[2]
TEMPLATE = "tetsudo"


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture(scope="session")
def template(postgres: PostgresServer) -> str:
    """A database of the present version, copied for each test."""
    postgres.psql("postgres", f"CREATE DATABASE {TEMPLATE}")

    async def make() -> None:
        async with Store.open(postgres.address(TEMPLATE)):
            pass

    with ThreadPoolExecutor(1) as other:  # this thread's event loop is pytest's
        other.submit(asyncio.run, make()).result()
    return TEMPLATE


@pytest.fixture
def place(engine: str, path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Where a database is, or will be: the name of a file, or an address."""
    if engine == "sqlite":
        yield str(path)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    address = server.new_database(request.getfixturevalue("template"))
    yield address
    server.drop(address)


@pytest.fixture
async def store(engine: str, place: str, clock: Clock, new_file: Path) -> AsyncIterator[Store]:
    if engine == "sqlite":
        copy(new_file, place)
    # What locks a file says so at once. On a server, transactions at the same time wait for each other, and a busy
    # machine takes its time.
    async with Store.open(place, clock=clock, busy_seconds=0.2 if engine == "sqlite" else 10) as opened:
        yield opened


@pytest.fixture
def by_hand(engine: str, place: str, request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Execute statements as another program would. Raises RuntimeError with the engine's words."""
    if engine == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        return lambda sql: str(server.psql(place, sql)) and None

    def execute(sql: str) -> None:
        with closing(sqlite3.connect(place, isolation_level=None)) as other:
            try:
                other.executescript(sql)
            except sqlite3.Error as error:
                raise RuntimeError(str(error)) from error

    return execute


@pytest.fixture
async def game(store: Store) -> Game:
    return await store.create_game(channel_id=7, guild_id=70, host_id=1, title="1889")


@pytest.fixture
def start_child() -> Callable[..., subprocess.Popen[str]]:
    """Start `child.py` with some arguments in a process of its own."""

    def start(*arguments: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("child.py")), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    return start
