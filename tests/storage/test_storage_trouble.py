"""Files that cannot serve: full, read-only, locked, damaged, foreign, closed. And copies of good ones."""

# ruff: noqa: ASYNC240 (small files)

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import aiosqlite
import pytest

from storage import Game, Notice, Row, Seat, Store, Unavailable, sole_user
from storage.sqlite.backup import copy_to
from storage.sqlite.database import SqliteDatabase

Start = Callable[..., "subprocess.Popen[str]"]


def writer(store: Store) -> aiosqlite.Connection:
    assert isinstance(store._db, SqliteDatabase)
    return store._db._writer


@pytest.fixture
def engine() -> str:
    return "sqlite"


async def test_a_full_disk_refuses_plainly_and_keeps_what_was_acknowledged(store: Store, game: Game) -> None:
    (pages,) = [row[0] for row in await writer(store).execute_fetchall("PRAGMA page_count")]
    await writer(store).execute_fetchall(f"PRAGMA max_page_count = {pages + 10}")
    seq = 0

    async def play_on() -> None:
        nonlocal seq
        while True:
            seq = await store.append(game.id, seq, [Row("action", "x" * 3000)], interaction_id=seq)

    with pytest.raises(Unavailable, match="disk is full"):
        await play_on()
    assert 0 < seq == await store.verify(game.id)
    await writer(store).execute_fetchall("PRAGMA max_page_count = 1000000")
    assert await store.append(game.id, seq, [Row("action", "more")], interaction_id=seq) == seq + 1
    assert await store.check() == []


@pytest.mark.broad
async def test_a_disk_that_fails_within_a_commit_refuses_plainly(store: Store, game: Game, start_child: Start) -> None:
    limit = 700_000
    child = start_child("cramped", Path(str(store._db.place)), game.id, limit)
    out, errors = child.communicate()
    lines = out.splitlines()
    assert lines[-2].startswith("unavailable The database"), errors
    done = max(int(line.split()[1]) for line in lines if line.startswith("done"))
    assert lines[-1] == f"position {done}"
    assert await store.verify(game.id) == done
    assert await store.append(game.id, done, [Row("action", "more")]) == done + 1


@pytest.mark.broad
async def test_a_read_only_file_is_refused_plainly(start_child: Start) -> None:
    with tempfile.TemporaryDirectory() as folder:  # the test's own folder may be closed to other users
        path = Path(folder) / "games.sqlite"
        async with Store.open(path) as store:
            await store.create_game(channel_id=7, host_id=1, title="1889")
        os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR | stat.S_IROTH | stat.S_IXOTH)
        path.chmod(stat.S_IRUSR | stat.S_IROTH)
        out, errors = start_child("opens", path).communicate()
        os.chmod(folder, stat.S_IRWXU)
    assert out.startswith("unavailable The database"), errors
    assert "read-only" in out or "cannot be opened" in out


async def test_a_file_that_turns_read_only_is_refused_plainly(store: Store, game: Game) -> None:
    await writer(store).execute_fetchall("PRAGMA query_only = ON")
    with pytest.raises(Unavailable, match="read-only"):
        await store.append(game.id, 0, [Row("action", "{}")])
    assert (await store.game(game.id)).seq == 0


async def test_a_missing_folder_is_told_plainly(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be opened"):
        async with Store.open(tmp_path / "missing" / "games.sqlite"):
            pass


@pytest.mark.long
async def test_a_locked_file_is_refused_plainly_and_served_afterwards(store: Store, game: Game, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="another process keeps it locked"):
        await store.append(game.id, 0, [Row("action", "{}")])
    assert (await store.game(game.id)).seq == 0  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    assert await store.append(game.id, 0, [Row("action", "{}")]) == 1


async def test_a_file_that_is_no_database_is_refused_plainly(path: Path) -> None:
    path.write_bytes(b"These are my notes on the game of last Friday. " * 100)
    with pytest.raises(Unavailable, match=r"not a SQLite database.*restore"):
        async with Store.open(path):
            pass


@pytest.mark.long
async def test_a_damaged_file_is_refused_plainly(path: Path) -> None:
    async with Store.open(path) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        await store.append(game.id, 0, [Row("action", "x" * 500) for _ in range(200)])
    content = bytearray(path.read_bytes())
    for page in range(4096, len(content), 4096):
        content[page : page + 64] = os.urandom(64)
    path.write_bytes(content)
    with pytest.raises(Unavailable, match="damaged: restore it from a backup"):
        async with Store.open(path) as store:
            await store.log(game.id)


@pytest.mark.long
@pytest.mark.parametrize("text", [b"INTEGER", b"lay the tile"], ids=["of the schema", "of a row"])
async def test_damaged_text_is_refused_plainly(path: Path, text: bytes) -> None:
    async with Store.open(path) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        await store.append(game.id, 0, [Row("action", "lay the tile")])
    path.write_bytes(path.read_bytes().replace(text, b"\xe3" + text[1:]))
    with pytest.raises(Unavailable, match="damaged: restore it from a backup") as refused:
        async with Store.open(path) as store:
            await store.log(game.id)
    assert refused.value.damaged


@pytest.mark.long
async def test_only_its_owner_reads_the_file_and_what_is_beside_it(path: Path) -> None:
    with open_to_all(), sole_user(path):
        async with Store.open(path) as store:
            await store.create_game(channel_id=7, host_id=1, title="1889")
            await copy_to(path, path.with_name("copy.sqlite"))
            modes = {one.name: one.stat().st_mode for one in path.parent.iterdir()}
    assert len(modes) >= 5
    assert [name for name, mode in modes.items() if mode & (stat.S_IRWXG | stat.S_IRWXO)] == []


@pytest.mark.second
async def test_a_file_of_an_earlier_release_is_closed_to_strangers(path: Path) -> None:
    with open_to_all():
        sqlite3.connect(path).execute("PRAGMA journal_mode = WAL").connection.close()
    path.chmod(0o664)
    async with Store.open(path) as store:
        await store.create_game(channel_id=7, host_id=1, title="1889")
        companions = [path.with_name(path.name + end) for end in ("", "-wal", "-shm")]
        assert {stat.S_IMODE(one.stat().st_mode) for one in companions} == {0o660}


@contextmanager
def open_to_all() -> Iterator[None]:
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


@pytest.mark.long
async def test_damage_is_found_by_the_check(path: Path) -> None:
    async with Store.open(path) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        await store.append(game.id, 0, [Row("action", f"lay the tile {number}") for number in range(3)])
    path.write_bytes(path.read_bytes().replace(b"lay the tile 1", b"lay the tile 7"))
    async with Store.open(path) as store:
        (problem,) = await store.check()
        assert problem == f"The log of game {game.id} is broken at 2: its content or the row before it was altered."


async def test_a_reference_to_nothing_is_found_by_the_check(store: Store, path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("INSERT INTO seats (game, seat, user_id, name, joined_at) VALUES ('nosuch', 1, 5, 'Ann', 0)")
    other.close()
    assert await store.check() == ["A row of seats refers to a missing row of games."]


async def test_a_file_of_another_program_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(Unavailable, match="belongs to another program"):
        async with Store.open(path):
            pass
    assert path.read_bytes() == before


async def test_a_backup_is_whole_while_the_game_goes_on(store: Store, game: Game, tmp_path: Path) -> None:
    await store.join(game.id, 5, "Ann", limit=3)
    await store.append(game.id, 0, [Row("action", "a")], notices=[Notice("turn", "{}")])
    copy = tmp_path / "copy.sqlite"
    await copy_to(Path(str(store._db.place)), copy)
    await store.append(game.id, 1, [Row("action", "after the backup")])
    assert sorted(file.name for file in tmp_path.glob("copy*")) == ["copy.sqlite"]
    async with Store.open(copy) as restored:
        assert await restored.check() == []
        assert [row.body for row in await restored.log(game.id)] == ["a"]
        assert await restored.seats(game.id) == [Seat(game.id, 1, 5, "Ann", 1_000_000, None)]
        assert await restored.outbox.waiting() == 1
        assert await restored.append(game.id, 1, [Row("action", "b")]) == 2


async def test_a_backup_never_replaces_a_file(store: Store, game: Game, tmp_path: Path) -> None:
    await copy_to(Path(str(store._db.place)), tmp_path / "copy.sqlite")
    for target in (tmp_path / "copy.sqlite", Path(str(store._db.place))):
        with pytest.raises(Unavailable, match="already exists"):
            await copy_to(Path(str(store._db.place)), target)
    with pytest.raises(Unavailable):
        await copy_to(Path(str(store._db.place)), tmp_path / "missing" / "copy.sqlite")
    assert await store.check() == []


async def test_a_backup_that_fails_leaves_nothing_behind(
    store: Store, game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.sqlite.backup.os.fsync", Mock(side_effect=OSError(5, "Input/output error")))
    with pytest.raises(Unavailable, match="Input/output error"):
        await copy_to(Path(str(store._db.place)), tmp_path / "copy.sqlite")
    assert list(tmp_path.glob("copy*")) == []


async def test_a_backup_on_a_full_disk_leaves_no_journal(
    store: Store, game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Path, part: Path) -> None:
        part.with_name(f"{part.name}-journal").write_bytes(b"what SQLite cannot clear there")
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("storage.sqlite.backup._copy", full)
    with pytest.raises(Unavailable, match="disk is full"):
        await copy_to(Path(str(store._db.place)), tmp_path / "copy.sqlite")
    assert list(tmp_path.glob("copy*")) == []


@pytest.mark.long
async def test_a_database_can_be_moved_once_it_is_closed(path: Path, tmp_path: Path) -> None:
    async with Store.open(path) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
    shutil.move(path, tmp_path / "moved.sqlite")
    async with Store.open(tmp_path / "moved.sqlite") as store:
        assert await store.game(game.id) == game
