"""`tetsudo backup`, `restore` and `verify` on databases with games in them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import engine
from cli.main import main
from engine.action_json import to_json
from records.simulate import simulate
from storage import Notice, Order, PersonTicked, Row, Snapshot, Store, Ticked, Unavailable, serving, sole_user
from storage.sqlite import marks, seals
from storage.sqlite.connection import in_plain_words
from storage.sqlite.migrate import migrations

PLAYED = 40


async def _fill(path: Path, games: int) -> None:
    """Games of two players at different lengths, the first one with an undo and a redo."""
    title = engine.build("1889", 2)
    actions, _ = simulate(title, ("P1", "P2"), 3)
    async with Store.open(path) as store:
        for number in range(games):
            game = await store.create_game(channel_id=number, host_id=1, title="1889")
            for user in (1, 2):
                await store.join(game.id, user, f"P{user}", limit=6)
            await store.start_game(game.id)
            rows = [Row("action", json.dumps(to_json(one)), by_seat=one.by) for one in actions[: PLAYED + number]]
            await store.append(game.id, 0, rows)
        first = (await store.games())[0]
        await store.append(first.id, first.seq, [Row("undo", '{"to": 30}')])
        await store.append(first.id, first.seq + 1, [Row("redo", "{}")])
        await store.create_game(channel_id=99, host_id=1, title="1860")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    asyncio.run(_fill(folder / "games.sqlite3", 3))
    return folder


@pytest.fixture
def database(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "games.sqlite3"
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("TETSUDO_DB", str(path))
    return path


def damage(path: Path, sql: str, *values: object) -> None:
    with sqlite3.connect(path) as other:
        other.execute("DROP TRIGGER IF EXISTS log_is_not_changed")
        other.execute("DROP TRIGGER IF EXISTS log_is_not_shortened")
        other.execute(sql, values)
    other.close()


@pytest.mark.broad
def test_sound_games_are_verified(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify"]) == 0
    # 123 actions, an undo and a redo
    assert "4 games with 125 rows are sound and replay" in capsys.readouterr().out


@pytest.mark.second
def test_a_changed_action_is_named(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(database, "UPDATE log SET body = '{}' WHERE seq = 7")
    assert main(["verify"]) == 1
    assert "broken at 7" in capsys.readouterr().out


@pytest.mark.long
def test_damage_beside_the_games_is_named(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def waiting() -> None:
        async with Store.open(database) as store:
            game = (await store.games())[0]
            await store.append(
                game.id, game.seq, [Row("undo", "{}")], notices=[Notice("say", "{}")], snapshot=Snapshot(43, 1, b"x")
            )
            await store.clocks.change(game.id, lambda body, now, breaks: Ticked("{}", None))
            await store.orders.set(game.id, {"p1": Order("{}")})
            await store.people.change(5, lambda body, now, owed: PersonTicked("{}", None))
            await store.branches.add(game.id, 5, "{}", most=3)

    asyncio.run(waiting())
    for table in ("outbox", "clocks", "standing_orders", "people", "branches"):
        damage(database, f"UPDATE {table} SET body = '[]'")
    damage(database, "UPDATE snapshots SET blob = x'00'")
    assert main(["verify"]) == 1
    said = capsys.readouterr().out
    for table in ("outbox", "clocks", "standing_orders", "people", "branches", "snapshots"):
        assert f"A row of {table} (" in said
    assert "Problems: 6." in said


@pytest.mark.long
def test_a_backup_with_damage_beside_the_games_is_restored(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert main(["backup", str(copy)]) == 0
    damage(copy, "INSERT INTO lessons VALUES (5, 'track', 500)")
    assert main(["restore", str(copy)]) == 0
    assert "A row of lessons (user_id 5, kind track) was changed" in capsys.readouterr().out
    assert main(["verify"]) == 1


@pytest.mark.long
def test_a_log_that_no_longer_fits_the_rules_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.sqlite3"

    async def wrong() -> None:
        async with Store.open(path) as store:
            game = await store.create_game(channel_id=1, host_id=1, title="1889")
            for user in (1, 2):
                await store.join(game.id, user, f"P{user}", limit=6)
            await store.start_game(game.id)
            await store.append(game.id, 0, [Row("action", '{"do": "Pass", "by": "p2"}')])

    asyncio.run(wrong())
    assert main(["verify", "--database", str(path)]) == 0
    assert "entry 1. The rules of Shikoku 1889 have changed" in capsys.readouterr().out


@pytest.mark.long
def test_one_game_is_verified_alone(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(database) as other:
        ids = [row[0] for row in other.execute("SELECT id FROM games ORDER BY channel_id")]
    other.close()
    damage(database, "UPDATE log SET body = '{}' WHERE seq = 7 AND game = ?", ids[0])
    assert main(["verify", ids[1]]) == 0
    assert re.search(r": 1 game with \d+ rows is sound and replays, in", capsys.readouterr().out)
    assert main(["verify", ids[0]]) == 1
    assert main(["verify", "nogame"]) == 1
    assert "There is no game nogame." in capsys.readouterr().err


@pytest.mark.long
def test_a_backup_is_restored_to_a_fresh_place(database: Path, tmp_path: Path) -> None:
    copy, fresh = tmp_path / "copy.sqlite3", tmp_path / "elsewhere" / "games.sqlite3"
    assert main(["backup", str(copy)]) == 0
    assert main(["restore", str(copy), "--database", str(fresh)]) == 0
    assert main(["verify", "--database", str(fresh)]) == 0
    assert contents(fresh) == contents(database)


def contents(path: Path) -> list[list[object]]:
    with sqlite3.connect(path) as other:
        found = [
            other.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in ("games", "seats", "log")
        ]
    other.close()
    return found


def test_a_backup_is_made_while_somebody_writes(database: Path, tmp_path: Path) -> None:
    """What is committed but only in the write-ahead log is in the copy, and the writer is not stopped."""

    async def work() -> None:
        async with Store.open(database) as store:
            await store.create_game(channel_id=500, host_id=1, title="1889")
            assert await asyncio.to_thread(main, ["backup", str(tmp_path / "copy.sqlite3")]) == 0
            await store.create_game(channel_id=501, host_id=1, title="1889")

    asyncio.run(work())
    with sqlite3.connect(tmp_path / "copy.sqlite3") as other:
        assert other.execute("SELECT count(*) FROM games").fetchone() == (5,)
    other.close()


def test_a_disk_that_fails_is_told_without_a_traceback(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(database / "no" / "folder"))
    assert main(["verify"]) == 1
    assert "cannot be used: Not a directory." in capsys.readouterr().err


def test_a_backup_replaces_no_file(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "copy.sqlite3").write_text("mine")
    assert main(["backup", str(tmp_path / "copy.sqlite3")]) == 1
    assert "already exists" in capsys.readouterr().err
    assert (tmp_path / "copy.sqlite3").read_text() == "mine"


@pytest.mark.long
def test_restoring_keeps_what_it_replaces(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert main(["backup", str(copy)]) == 0
    damage(database, "UPDATE log SET body = '{}' WHERE seq = 7")
    damaged = contents(database)
    database.with_name(database.name + "-wal").write_bytes(b"left over")
    assert main(["restore", str(copy)]) == 0
    assert main(["verify"]) == 0
    kept = tmp_path / "games.sqlite3.before-restore"
    assert kept.exists()
    assert kept.with_name(kept.name + "-wal").read_bytes() == b"left over"
    assert contents(kept) == damaged


FILING = {os: "link replace rename unlink fsync", shutil: "copyfile rmtree"}
"""What `tetsudo` does with files."""


def stopped(left: int, *arguments: str) -> int:
    """The exit code of `tetsudo` in a process forked from this one, killed before it does so many steps with files."""
    child = os.fork()
    if child == 0:
        try:
            end_after(left)
            os._exit(main(arguments))
        finally:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def end_after(left: int) -> None:
    """End this process before it does one more step with files than this."""
    steps = iter(range(left))

    def ending(function: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any, **options: Any) -> Any:
            if next(steps, None) is None:
                os._exit(9)
            return function(*args, **options)

        return step

    for module, names in FILING.items():
        for name in names.split():
            setattr(module, name, ending(getattr(module, name)))


def not_merged(database: Path, folder: Path) -> Path:
    """A copy of a file whose last change is in its write-ahead log alone."""
    folder.mkdir()
    with closing(sqlite3.connect(database)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute("INSERT OR IGNORE INTO lessons VALUES (5, 'track', 500)")
        other.commit()
        for one in database.parent.glob(f"{database.name}*"):
            shutil.copyfile(one, folder / one.name)
    return folder / database.name


def learned(path: Path) -> int:
    with closing(sqlite3.connect(path)) as other:
        return int(other.execute("SELECT count(*) FROM lessons").fetchone()[0])


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.broad
def test_a_restore_ended_at_any_moment_leaves_the_old_file_or_the_restored_one(database: Path, tmp_path: Path) -> None:
    copy, steps, found = tmp_path / "copy.sqlite3", 0, set()
    assert main(["backup", str(copy)]) == 0
    while True:
        path = not_merged(database, tmp_path / str(steps))
        code = stopped(steps, "restore", str(copy), "--database", str(path))
        assert contents(path) == contents(copy)
        found.add(learned(path))
        if learned(path) == 0:  # it was replaced, and is kept
            (kept,) = path.parent.glob("*.before-restore")
            assert learned(kept) == 1
        if code != 9:
            break
        steps += 1
    assert code == 0
    assert steps > 8
    assert found == {0, 1}
    killed = tmp_path / "3" / database.name
    assert list(killed.parent.glob(".restore*"))
    assert main(["restore", str(copy), "--database", str(killed)]) == 0
    assert not list(killed.parent.glob(".restore*"))


def test_a_bot_begins_no_empty_file_where_a_restore_was_not_finished(database: Path) -> None:
    async def begin() -> None:
        async with serving(database):
            pass

    database.rename(database.with_name(database.name + ".before-restore"))
    with pytest.raises(Unavailable, match="a restore was not finished"):
        asyncio.run(begin())
    assert not database.exists()
    database.with_name(database.name + ".before-restore").rename(database)
    asyncio.run(begin())


@pytest.mark.second
def test_a_damaged_backup_is_not_restored(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert main(["backup", str(copy)]) == 0
    before = contents(database)
    damage(copy, "UPDATE log SET body = '{}' WHERE seq = 7")
    assert main(["restore", str(copy)]) == 1
    assert "nothing was changed" in capsys.readouterr().err
    copy.write_bytes(copy.read_bytes()[:5000])
    assert main(["restore", str(copy)]) == 1
    assert main(["restore", str(tmp_path / "none.sqlite3")]) == 1
    assert contents(database) == before


def test_what_is_no_backup_is_named_when_it_is_to_be_restored(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.sqlite3"
    other.write_bytes(b"something else" * 1000)
    assert main(["restore", str(other)]) == 1
    assert capsys.readouterr().err.startswith(f"tetsudo: nothing was changed. The database {other} cannot be used")
    assert main(["restore", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"tetsudo: {tmp_path} is not a file.\n"


def test_nothing_is_restored_under_a_bot_that_runs(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", str(tmp_path / "copy.sqlite3")]) == 0
    with sole_user(database):
        assert main(["restore", str(tmp_path / "copy.sqlite3")]) == 1
    assert "nothing was changed. Another process" in capsys.readouterr().err


@pytest.mark.parametrize(
    "version",
    [
        one
        if one in (1, seals.SINCE, marks.SINCE, len(migrations()) - 1)
        else pytest.param(one, marks=pytest.mark.slow)
        for one in range(1, len(migrations()))
    ],
)
@pytest.mark.long
def test_a_backup_of_an_earlier_version_is_restored(version: int, tmp_path: Path) -> None:
    old, path = tmp_path / "old.sqlite3", tmp_path / "games.sqlite3"
    with sqlite3.connect(old) as other:
        for number, script in enumerate(migrations()[:version], start=1):
            other.executescript(f"{script}; PRAGMA user_version = {number};")
    other.close()
    assert main(["backup", str(tmp_path / "copy.sqlite3"), "--database", str(old)]) == 0
    assert main(["restore", str(tmp_path / "copy.sqlite3"), "--database", str(path)]) == 0
    assert main(["verify", "--database", str(path)]) == 0


@pytest.mark.parametrize("command", [["verify"], ["troubles"], ["backup", "copy.sqlite3"]])
def test_what_is_damaged_is_named_and_not_its_copy(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = tmp_path / "games.sqlite3"
    damaged.write_text("no database at all, and long enough to be looked at " * 100)
    monkeypatch.chdir(tmp_path)
    for place, words in ((damaged, f"The database {damaged} cannot be used"), (tmp_path, f"{tmp_path} is a folder")):
        assert main([*command, "--database", str(place)]) == 1
        said = capsys.readouterr()
        assert words in said.out + said.err


def test_an_empty_file_is_not_called_sound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "games.sqlite3"
    empty.touch()
    assert main(["verify", "--database", str(empty)]) == 1
    assert capsys.readouterr().err == f"tetsudo: {empty} is empty: nothing was ever stored in it.\n"


def test_an_empty_file_replaces_no_games(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, empty = database.read_bytes(), tmp_path / "copy.sqlite3"
    empty.touch()
    assert main(["restore", str(empty)]) == 1
    assert capsys.readouterr().err == f"tetsudo: {empty} is empty, so it is no backup; nothing was changed.\n"
    assert database.read_bytes() == before


@pytest.mark.second
def test_a_restore_on_a_full_disk_says_so(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(path: Path) -> None:
        with in_plain_words(path):
            raise sqlite3.OperationalError("database or disk is full")

    before, copy = database.read_bytes(), tmp_path / "copy.sqlite3"
    assert main(["backup", str(copy)]) == 0
    monkeypatch.setattr("cli.database.one_file", full)
    assert main(["restore", str(copy)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("tetsudo: nothing was changed. ")
    assert "database or disk is full" in said
    assert database.read_bytes() == before


@pytest.mark.broad
def test_what_an_unfinished_restore_kept_takes_nothing_from_games_that_go_on(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, names = tmp_path / "copy.sqlite3", ("", "-wal")
    assert main(["backup", str(copy)]) == 0

    async def play(moves: int) -> int:
        async with Store.open(database) as store:
            for _ in range(moves):
                game = (await store.games())[1]
                await store.append(game.id, game.seq, [Row("undo", "{}"), Row("redo", "{}")])
            for name in names:  # as they are where the bot is killed
                shutil.copyfile(f"{database}{name}", tmp_path / f"killed{name}")
            assert await store.check() == []
            return (await store.games())[1].seq

    asyncio.run(play(5))
    for name in names:
        (tmp_path / f"killed{name}").replace(f"{database}{name}")
    with monkeypatch.context() as broken:
        broken.setattr("cli.database._leave_alone", Mock(side_effect=OSError))
        assert main(["restore", str(copy)]) == 1
    played = asyncio.run(play(200))
    main(["verify", "--database", f"{database}.before-restore"])
    assert asyncio.run(play(0)) == played


@pytest.mark.parametrize(
    "rest", ["host:port", "host:99999", "[::1", "u:pass/word@host", "u:pass#word@host", "u:12/3@h"]
)
def test_an_address_that_is_none_is_refused_without_being_repeated(
    rest: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["verify", "--database", f"postgresql://{rest}/games"])
    monkeypatch.setenv("TETSUDO_DB", f"postgresql://{rest}/games")
    assert main(["verify"]) == 1
    said = capsys.readouterr().err
    assert said.count("This is no address of a PostgreSQL database") == 2
    assert rest not in said
