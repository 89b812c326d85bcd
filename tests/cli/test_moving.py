"""The commands for games in PostgreSQL, and moving games there and back."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from postgres_server import PostgresServer
from test_database import _fill

from cli.main import main
from storage import Notice, Offer, Order, Row, Snapshot, Store, place_of, serving
from storage.sqlite.migrate import migrations


@pytest.fixture(scope="module")
def lively(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games as they are in the midst of play: with notices sent and waiting, offers, orders, votes, a loan."""
    path = tmp_path_factory.mktemp("lively") / "games.sqlite3"
    asyncio.run(_fill(path, 3))
    asyncio.run(_liven(path))
    return path


@pytest.fixture
def file(lively: Path, tmp_path: Path) -> Path:
    """The same for one test alone."""
    shutil.copytree(lively.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / lively.name


async def _liven(path: Path) -> None:
    async with Store.open(path) as store:
        first, second, *_ = await store.games()
        await store.outbox.post(first.id, [Notice("say", f'{{"n": {number}}}', str(number)) for number in range(5)])
        claimed = await store.outbox.claim("us", limit=5)
        await store.outbox.done(claimed[0], channel_id=1, message_id=2**62)
        await store.outbox.done(claimed[-1])
        await store.outbox.prune(2**40)  # the number of a notice that is gone is not given again
        await _offer(store, second.id, "{}")
        await store.orders.set(first.id, {"p1": Order('{"pass": 1}', 900)}, interaction_id=77)
        await store.votes.cast(first.id, "end", "p2")
        await store.lessons.dismiss(5, "track")
        tried = [await store.branches.add(second.id, 5, "{}", most=9) for _ in range(2)]
        await store.branches.remove(second.id, [tried[1].id])  # nor is that of a branch
        await store.tenures.open(second.id, "p1", held_by=1)
        await store.snapshots.save(first.id, Snapshot((await store.game(first.id)).seq, 9, bytes(range(256))))


async def _offer(store: Store, game: str, body: str) -> Offer:
    return await store.offers.make(game, (await store.game(game)).seq, body, from_seat="p1", to_seat="p2")


@pytest.fixture
def database(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty one, in which the games are to be."""
    address = postgres.new_database()
    monkeypatch.setenv("TETSUDO_DB", address)
    yield address
    postgres.drop(address)


def tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as one:
        names = [row[0] for row in one.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            name: sorted(one.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names if name != "seals"
        } | {"games in order": one.execute("SELECT id FROM games ORDER BY rowid").fetchall()}


def move(source: object, target: object) -> int:
    return main(["move-to", str(target), "--database", str(source)])


def test_games_move_to_postgresql_and_back(
    file: Path, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, back = file.read_bytes(), tmp_path / "back.sqlite3"
    assert move(file, database) == 0
    assert "4 games with 125 rows are in postgresql://" in capsys.readouterr().out
    assert file.read_bytes() == before
    assert main(["verify"]) == 0
    assert "4 games with 125 rows are sound and replay" in capsys.readouterr().out
    assert move(database, back) == 0
    assert main(["verify", "--database", str(back)]) == 0
    assert tables(back) == tables(file)
    assert sorted(one.name for one in tmp_path.glob("back*")) == ["back.sqlite3", "back.sqlite3.lock"]


async def _play_on(place: str) -> tuple[list[str], list[int]]:
    """What is sent next, and the numbers that a notice, an offer, a seat get."""
    async with Store.open(place, clock=lambda: 2**33) as store:
        first, second, *_ = await store.games()
        await store.append(first.id, first.seq, [Row("note", "{}")], notices=[Notice("say", "new", "x")])
        waiting = await store.outbox.claim("them", limit=50)
        offer = await _offer(store, second.id, "[]")
        made = await store.create_game(channel_id=500, host_id=1, title="1889")
        await store.join(made.id, 5, "Ann", limit=3)
        assert [one.id for one in await store.games()][-1] == made.id
        assert await store.check() == []
        return [one.nonce for one in waiting if one.body != "new"], [max(one.id for one in waiting), offer.id]


def test_play_goes_on_there_as_it_would_have_here(file: Path, database: str) -> None:
    assert move(file, database) == 0
    there = asyncio.run(_play_on(database))
    assert there == asyncio.run(_play_on(str(file)))
    assert there[1][0] == 6


def test_nothing_is_moved_while_a_bot_runs(
    file: Path, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def while_served(place: object, *arguments: str) -> int:
        async with serving(place_of(str(place)), 0):
            return await asyncio.to_thread(main, [*arguments])

    there = ["move-to", database, "--database", str(file)]
    assert asyncio.run(while_served(file, *there)) == 1
    assert "plays the games" in capsys.readouterr().err
    assert asyncio.run(while_served(database, *there)) == 1
    assert "plays the games" in capsys.readouterr().err
    assert move(file, database) == 0
    assert asyncio.run(while_served(database, "move-to", str(tmp_path / "back.sqlite3"))) == 1
    assert asyncio.run(while_served(database, "rules", "--go-on")) == 1
    assert "nothing was changed. Another process" in capsys.readouterr().err
    assert not (tmp_path / "back.sqlite3").exists()


def test_games_are_never_mixed_with_others(file: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert move(file, database) == 0
    assert move(file, database) == 1
    assert "already has games" in capsys.readouterr().err
    assert move(database, file) == 1
    assert "exists already" in capsys.readouterr().err
    assert move(database, database) == 1
    assert "pg_dump" in capsys.readouterr().err
    assert move(file, file.with_name("other")) == 1
    assert "tetsudo backup" in capsys.readouterr().err
    assert move(database, file.parent / "none" / "x.sqlite3") == 1
    assert "does not exist" in capsys.readouterr().err


def test_damaged_games_are_not_moved(file: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("UPDATE games SET host_id = 9 WHERE channel_id = 1")
    assert move(file, database) == 1
    assert "is not sound; nothing was moved" in capsys.readouterr().err
    assert main(["verify"]) == 1
    assert "is empty" in capsys.readouterr().err


def test_a_text_that_postgresql_cannot_hold_moves_nothing(
    file: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def spoil() -> None:
        async with Store.open(file) as store:
            await store.change_game((await store.games())[0].id, settings="\0")

    asyncio.run(spoil())
    assert move(file, database) == 1
    assert "letters that cannot be" in capsys.readouterr().err
    assert main(["verify"]) == 0
    assert "0 games" in capsys.readouterr().out


def test_a_copy_that_is_not_the_same_is_noticed_and_not_kept(
    file: Path, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from storage import moving

    real = moving.tables_of

    async def without_votes(*both: object) -> object:
        return [one for one in await real(*both) if one.name != "votes"]  # type: ignore[arg-type]

    back = tmp_path / "back.sqlite3"
    assert move(file, database) == 0
    copy_to = Store.copy_to

    async def forgets_votes(*both: object) -> int:
        with monkeypatch.context() as changed:
            changed.setattr(moving, "tables_of", without_votes)
            return await copy_to(*both)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "copy_to", forgets_votes)
    assert move(database, back) == 1
    assert "The table votes is not the same" in capsys.readouterr().err
    assert [one.name for one in tmp_path.glob("back*")] == ["back.sqlite3.lock"]


def test_a_file_of_an_earlier_version_moves_and_stays_as_it_was(tmp_path: Path, database: str) -> None:
    old = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(old)) as other:
        for script in migrations()[:6]:
            other.executescript(script)
        other.execute(
            "INSERT INTO games (id, channel_id, title, options, settings, status, host_id, created_at)"
            " VALUES ('abc123', 7, '1889', '[]', '{}', 'open', 1, 500)"
        )
        other.execute("PRAGMA user_version = 6")
        other.commit()
    before = old.read_bytes()
    assert move(old, database) == 0
    assert old.read_bytes() == before
    assert main(["verify", "abc123"]) == 0


def test_what_another_program_changed_is_found_there(
    file: Path, database: str, postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert move(file, database) == 0
    postgres.psql(database, "UPDATE games SET host_id = 9 WHERE channel_id = 1")
    assert main(["verify"]) == 1
    assert "were changed by another program" in capsys.readouterr().out


def test_games_are_verified_as_they_were_while_moves_go_on(file: Path, database: str) -> None:
    assert move(file, database) == 0

    async def looks() -> None:
        async with Store.open(database) as store, Store.still(database) as still:
            (game, *_) = await store.games()
            assert await still.verify(game.id) == game.seq
            await store.append(game.id, game.seq, [Row("note", "{}")])
            assert await still.verify(game.id) == game.seq
            assert (await still.game(game.id)).seq == len(await still.log(game.id)) == game.seq

    asyncio.run(looks())


def test_backup_and_restore_name_postgresqls_own_tools(
    file: Path, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", str(tmp_path / "copy.dump")]) == 1
    assert "pg_dump --format=custom" in capsys.readouterr().err
    assert main(["restore", str(file)]) == 1
    assert "pg_restore" in capsys.readouterr().err


def test_a_dump_that_is_restored_is_sound_and_played_on(
    file: Path, database: str, postgres: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert move(file, database) == 0
    dump = tmp_path / "games.dump"
    postgres.run("pg_dump", "--format=custom", f"--file={dump}", database)
    restored = postgres.new_database()
    postgres.run("pg_restore", "--no-owner", f"--dbname={restored}", dump)
    assert main(["verify", "--database", restored]) == 0
    assert asyncio.run(_play_on(restored)) == asyncio.run(_play_on(database))
    postgres.drop(restored)
    assert "4 games" in capsys.readouterr().out


@pytest.mark.broad
def test_the_health_of_a_database_is_told(
    file: Path,
    database: str,
    postgres: PostgresServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert move(file, database) == 0
    assert main(["health"]) == 0
    assert f"{database} can be read and written." in capsys.readouterr().out
    postgres.psql(database, f"ALTER DATABASE {database.rpartition('/')[2]} SET default_transaction_read_only = on")
    assert main(["health"]) == 1
    assert "read-only" in capsys.readouterr().err
    monkeypatch.setenv("TETSUDO_DB", "postgresql://postgres:secret@127.0.0.1:1/games")
    assert main(["health"]) == 1
    told = capsys.readouterr().err
    assert "cannot be reached" in told
    assert "secret" not in told


def test_a_file_that_cannot_be_made_whole_is_not_left_behind(
    file: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the disk is full, SQLite leaves the games in the log beside the file, and says nothing."""
    assert move(file, database) == 0
    back, copied = tmp_path / "back.sqlite3", Store.copy_to
    others: list[sqlite3.Connection] = []

    async def watched(old: Store, new: Store) -> int:
        others.append(sqlite3.connect(f"{back}.part"))  # which keeps the log from being merged, too
        others[0].executescript("BEGIN; SELECT count(*) FROM games;")
        return await copied(old, new)

    monkeypatch.setattr(Store, "copy_to", watched)
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0.2))  # it stays busy for good
    capsys.readouterr()
    assert move(database, back) == 1
    others[0].close()
    assert "cannot be used" in capsys.readouterr().err
    assert not back.exists()
