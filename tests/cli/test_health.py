"""`tetsudo health`, as a container asks it."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.chat.heartbeat import sign_of
from cli.main import main
from storage import Store
from storage.sqlite.migrate import migrations


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "games.sqlite3"
    monkeypatch.setenv("TETSUDO_DB", str(path))
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return path


async def _make(path: Path) -> None:
    async with Store.open(path):
        pass


@pytest.mark.second
def test_a_sound_database_is_healthy_without_a_token(database: Path) -> None:
    asyncio.run(_make(database))
    assert main(["health"]) == 0


def test_a_database_of_an_earlier_version_stays_as_it_is(database: Path) -> None:
    with closing(sqlite3.connect(database)) as old:
        old.executescript(f"PRAGMA journal_mode = WAL; {migrations()[0]}; PRAGMA user_version = 1;")
    before = database.read_bytes()
    assert main(["health"]) == 0
    assert (database.read_bytes(), os.listdir(database.parent)) == (before, [database.name])


def test_what_is_in_the_write_ahead_log_is_left_there(database: Path) -> None:
    """As beside a bot that was killed."""
    with closing(sqlite3.connect(database)) as old:
        old.executescript(f"PRAGMA journal_mode = WAL; {migrations()[0]}; PRAGMA user_version = 1;")
        killed = database.with_name("killed.sqlite3")
        killed.write_bytes(database.read_bytes())
        killed.with_name("killed.sqlite3-wal").write_bytes(database.with_name(f"{database.name}-wal").read_bytes())
    killed.replace(database)
    wal = killed.with_name("killed.sqlite3-wal").replace(database.with_name(f"{database.name}-wal"))
    before = database.read_bytes(), wal.read_bytes()
    assert len(before[1]) > 4096
    assert main(["health"]) == 0
    assert (database.read_bytes(), wal.read_bytes()) == before


@pytest.mark.second
def test_a_database_of_a_newer_version_is_not_healthy(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_make(database))
    with closing(sqlite3.connect(database)) as newer:
        newer.execute(f"PRAGMA user_version = {len(migrations()) + 1}")
    assert main(["health"]) == 1
    assert "use the newer program" in capsys.readouterr().err


def test_a_missing_database_is_not_made(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["health"]) == 1
    assert "does not exist" in capsys.readouterr().err
    assert not database.exists()


def test_a_damaged_database_is_named(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database.write_bytes(b"not a database" * 400)
    assert main(["health"]) == 1
    assert str(database) in capsys.readouterr().err


def test_a_wrong_setting_is_named(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TETSUDO_WORKERS", "many")
    assert main(["health"]) == 1
    assert "TETSUDO_WORKERS" in capsys.readouterr().err


def _sign(database: Path, **said: object) -> None:
    body = {
        "tick": time.monotonic(),
        "pid": 7,
        "up_seconds": 7200,
        "offline_seconds": 0,
        "guilds": 3,
    }
    sign_of(database).write_text(json.dumps(body | said))


@pytest.mark.second
def test_a_bot_that_gives_signs_of_life_is_well(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_make(database))
    _sign(database)
    assert main(["health"]) == 0
    assert "up 2.0 h, 3 servers" in capsys.readouterr().out


@pytest.mark.second
def test_a_bot_that_hangs_is_not_well(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_make(database))
    _sign(database, tick=time.monotonic() - 200)
    assert main(["health"]) == 1
    assert "no sign of life for 200 seconds" in capsys.readouterr().err


@pytest.mark.long
def test_a_clock_that_is_set_hides_no_bot_that_hangs(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_make(database))
    _sign(database, tick=time.monotonic() + 500)
    assert main(["health"]) == 1
    assert "since the machine started" in capsys.readouterr().err


@pytest.mark.second
def test_a_bot_that_lost_discord_is_not_well(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_make(database))
    _sign(database, offline_seconds=900)
    assert main(["health"]) == 1
    assert "no connection to Discord for 900 seconds" in capsys.readouterr().err
