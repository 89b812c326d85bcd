"""Databases of every earlier version come to the present one whole; interrupted upgrades leave them as they were."""

# ruff: noqa: ASYNC240 (small files)

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from storage import Notice, Row, Snapshot, Store, Unavailable
from storage.sqlite import marks, seals
from storage.sqlite.database import connect
from storage.sqlite.migrate import migrations, statements
from storage.store import utc_seconds

Start = Callable[..., "subprocess.Popen[str]"]
NEWEST = len(migrations())

GAME = (
    "INSERT INTO games (id, channel_id, title, options, settings, status, host_id, created_at)"
    " VALUES ('abc123', 7, '1889', '[]', '{}', 'running', 1, 500)"
)
SAMPLES = {  # what a database of each version can hold at least
    1: [GAME, "INSERT INTO seats (game, seat, user_id, name, joined_at) VALUES ('abc123', 1, 5, 'Ann', 500)"],
    2: ["INSERT INTO snapshots VALUES ('abc123', 1, 0, x'00')"],
    3: [
        "INSERT INTO outbox (game, seq, kind, body, lane, created_at, next_attempt_at)"
        " VALUES ('abc123', 0, 'turn', '{}', 'table', 500, 500)"
    ],
    4: ["INSERT INTO standing_orders (game, seat, body, set_at) VALUES ('abc123', 'p1', '{}', 500)"],
    5: ["INSERT INTO votes (game, kind, seat, choice, seq, at) VALUES ('abc123', 'end', 'p1', 'yes', 0, 500)"],
    6: ["INSERT INTO snapshots (game, seq, format, blob) VALUES ('abc123', 0, 1, x'00')"],
    7: ["UPDATE outbox SET attempts = 1, claimed_by = 'bot', unsure_since = 600"],
    8: ["UPDATE games SET version = 5"],
    9: ["UPDATE seals SET number = 1 WHERE game = 'abc123'"],
    10: ["INSERT INTO lessons (user_id, kind, at) VALUES (5, 'track', 500)"],
    11: ["INSERT INTO openings (game, seat, why, opened_at) VALUES ('abc123', 'p1', 'Gone.', 500)"],
    12: [
        "INSERT INTO watches (game, kind, user_id, channel_id, events, every, seq, told_at)"
        " VALUES ('abc123', 'follow', 6, 0, 'round', 3600, 0, 0)"
    ],
    13: [
        "INSERT INTO clocks (game, body, due_at) VALUES ('abc123', '{}', 900)",
        "INSERT INTO people (user_id, body) VALUES (5, '{}')",
        "INSERT INTO pings (user_id, game, kind, body, at) VALUES (5, 'abc123', 'turn', '{}', 800)",
        "INSERT INTO breaks (id, stopped_at, resumed_at) VALUES (1, 600, 700)",
        "INSERT INTO alive (id, at) VALUES (1, 700)",
    ],
    14: [],
    15: ["UPDATE standing_orders SET due_at = 900, claimed_by = 'bot' WHERE game = 'abc123'"],
    16: ["INSERT INTO branches (game, user_id, body, revision, changed_at) VALUES ('abc123', 5, '{}', 0, 500)"],
    17: ["UPDATE messages SET shows = 2 WHERE game = 'abc123'"],
    19: [],
    18: ["INSERT INTO disturbances (by_user, user_id, notice, at) VALUES (5, 6, 1, 500)"],
    22: ["UPDATE games SET rules = 'a1'"],
    20: ["INSERT INTO advice (game, seat, seq) VALUES ('abc123', 'p2', 0)"],
    23: ["INSERT INTO guides (user_id, body, revision, changed_at) VALUES (5, '{}', 0, 500)"],
    24: [
        "INSERT INTO watches (game, kind, user_id, channel_id, events, every, seq, told_at)"
        " VALUES ('abc123', 'post', 6, 8, '', 360, 0, 0)"
    ],
    25: [],
    26: [],
    27: [
        "INSERT INTO puzzle_channels (channel_id, guild_id, user_id, due_at) VALUES (7, 8, 5, 900)",
        "INSERT INTO puzzle_days (channel_id, day, puzzle, begun_at) VALUES (7, 3, '1889-1-20', 900)",
        "INSERT INTO puzzle_answers (channel_id, day, user_id, answer, hit, at) VALUES (7, 3, 5, 0, 1, 950)",
    ],
    21: ["INSERT INTO notes (game, user_id, body) VALUES ('abc123', 5, 'Sell before phase 4.')"],
}


async def bring_to(path: Path, scripts: list[str]) -> None:
    async with connect(path, utc_seconds, 5) as db:
        await db.migrate(scripts)


def version(path: Path) -> int:
    with sqlite3.connect(path) as other:
        number = other.execute("PRAGMA user_version").fetchone()[0]
    other.close()
    return int(number)


def schema(path: Path) -> list[tuple[str, ...]]:
    with sqlite3.connect(path) as other:
        found = other.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
    other.close()
    return found


SAMPLE = {1, seals.SINCE - 1, marks.SINCE - 1, NEWEST - 1, NEWEST}
"""Versions that `make test-all` begins with: the first, those before what is more than statements, and the last."""


@pytest.fixture(
    params=[one if one in SAMPLE else pytest.param(one, marks=pytest.mark.slow) for one in range(1, NEWEST + 1)]
)
async def old(request: pytest.FixtureRequest, path: Path) -> Path:
    """A database as version N left it, with a game in it."""
    for number in range(1, request.param + 1):
        await bring_to(path, migrations()[:number])
        with sqlite3.connect(path) as other:
            for statement in SAMPLES[number]:
                other.execute(statement)
        other.close()
    assert version(path) == request.param
    return path


async def test_every_version_has_a_sample() -> None:
    assert sorted(SAMPLES) == list(range(1, NEWEST + 1))


@pytest.mark.long
async def test_a_database_of_any_version_opens_with_its_games(old: Path, tmp_path: Path) -> None:
    async with Store.open(old) as store:
        assert (await store.game("abc123")).title == "1889"
        assert [one.name for one in await store.seats("abc123")] == ["Ann"]
        seq = await store.append(
            "abc123", 0, [Row("action", "{}")], notices=[Notice("turn", "{}")], snapshot=Snapshot(1, 1, b"1")
        )
        assert seq == 1
        assert await store.check() == []
    async with Store.open(tmp_path / "new.sqlite"):
        pass
    assert version(old) == NEWEST
    assert schema(old) == schema(tmp_path / "new.sqlite")


@pytest.mark.long
async def test_who_was_told_what_to_do_is_still_known(path: Path) -> None:
    await bring_to(path, migrations()[:19])
    with sqlite3.connect(path) as other:
        other.execute(GAME)
        for kind, seat in (("suggest", "p1"), ("end", "p2")):
            other.execute("INSERT INTO votes VALUES ('abc123', ?, ?, 'yes', 4, 500)", (kind, seat))
    other.close()
    async with Store.open(path) as store:
        assert await store.advice.given("abc123", "p1", 4)
        assert not await store.advice.given("abc123", "p1", 5)
        assert not await store.advice.given("abc123", "p2", 4)
        assert not [one for one in await store.check() if "advice" in one]


@pytest.mark.second
async def test_opening_again_changes_nothing(path: Path) -> None:
    for _ in range(2):
        async with Store.open(path):
            pass
    assert version(path) == NEWEST


@pytest.mark.long
async def test_two_processes_may_upgrade_at_once(old: Path) -> None:
    async def look() -> str:
        async with Store.open(old) as store:
            return (await store.game("abc123")).title

    assert await asyncio.gather(*(look() for _ in range(3))) == ["1889"] * 3


async def test_a_newer_database_is_refused_untouched(path: Path) -> None:
    await bring_to(path, [*migrations(), "CREATE TABLE future (x TEXT) STRICT;"])
    before = path.read_bytes()
    with pytest.raises(Unavailable, match=f"version {NEWEST + 1}.*up to {NEWEST}"):
        async with Store.open(path):
            pass
    assert path.read_bytes() == before


@pytest.mark.long
async def test_a_migration_that_fails_leaves_the_version_before_it(old: Path) -> None:
    before = version(old), schema(old)
    scripts = migrations()[: before[0]]
    with pytest.raises(Unavailable, match="no such table"):
        await bring_to(old, [*scripts, "CREATE TABLE half (x TEXT);\nDELETE FROM seats;\nDELETE FROM nonsense;"])
    assert (version(old), schema(old)) == before
    async with Store.open(old) as store:
        assert len(await store.seats("abc123")) == 1


@pytest.mark.long
def test_a_migration_that_is_killed_leaves_the_version_before_it(
    path: Path, tmp_path: Path, start_child: Start
) -> None:
    asyncio.run(bring_to(path, migrations()))
    before = schema(path)
    script = tmp_path / "slow.sql"
    script.write_text(
        "CREATE TABLE half (x TEXT);\n"
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000)"
        " INSERT INTO half SELECT hex(randomblob(50)) FROM n;\n"
    )
    child = start_child("migrates", path, script)
    assert child.stdout is not None
    assert child.stdout.readline() == "starting\n"
    wal = path.with_name(path.name + "-wal")
    while not (wal.exists() and wal.stat().st_size > 1_000_000):
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert (version(path), schema(path)) == (NEWEST, before)
    asyncio.run(bring_to(path, [*migrations(), "CREATE TABLE half (x TEXT);"]))
    assert version(path) == NEWEST + 1


def test_scripts_are_taken_apart_into_statements() -> None:
    trigger = "CREATE TRIGGER t BEFORE DELETE ON a\nBEGIN SELECT 1;\nSELECT 2; END;"
    assert list(statements(f"-- first\nCREATE TABLE a (x);\n\n{trigger}\n-- the end\n")) == [
        "-- first\nCREATE TABLE a (x);",
        f"\n{trigger}",
    ]
    with pytest.raises(Unavailable, match="in the middle of a statement"):
        list(statements("CREATE TABLE a (x)\n"))


def test_migrations_are_numbered_without_gaps(tmp_path: Path) -> None:
    for name in ("001_a.sql", "003_c.sql"):
        (tmp_path / name).write_text("SELECT 1;")
    with pytest.raises(Unavailable, match="without gaps"):
        migrations(tmp_path)
