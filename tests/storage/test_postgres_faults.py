"""PostgreSQL out of reach, restarted, full, read-only; connections that are cut at the worst moment."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from clock import Clock
from postgres_server import PostgresServer
from proxy import Cut, Proxy

from storage import Duplicate, Game, Notice, Row, Store, Unavailable
from storage.db import Tx

COMMIT = b"COMMIT\0"
CUT_OFF = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'tetsudo%'"


@pytest.fixture
def engine() -> str:
    return "postgres"


@pytest.fixture
async def line(postgres: PostgresServer) -> AsyncIterator[Proxy]:
    async with Proxy(postgres.port) as one:
        yield one


@pytest.fixture
async def distant(place: str, line: Proxy, postgres: PostgresServer, clock: Clock) -> AsyncIterator[Store]:
    """The store over a line that can be cut."""
    async with Store.open(place.replace(str(postgres.port), str(line.port)), clock=clock) as opened:
        yield opened


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """A server that the test may stop."""
    server = PostgresServer()
    yield server
    server.remove()


@pytest.mark.broad
async def test_connections_that_were_closed_while_idle_are_made_again(
    store: Store, game: Game, by_hand: Callable[[str], None]
) -> None:
    for seq in range(3):
        by_hand(CUT_OFF)
        assert await store.append(game.id, seq, [Row("action", "{}")]) == seq + 1
        by_hand(CUT_OFF)
        assert (await store.game(game.id)).seq == seq + 1


@pytest.mark.long
async def test_a_transaction_whose_connection_is_cut_is_done_again_once(
    store: Store, game: Game, by_hand: Callable[[str], None]
) -> None:
    tries = 0

    async def work(tx: Tx) -> int:
        nonlocal tries
        tries += 1
        await tx.run("UPDATE games SET version = version + 1 WHERE id = ?", game.id)
        if tries == 1:
            await asyncio.to_thread(by_hand, CUT_OFF)
        return await tx.run("UPDATE games SET version = version + 1 WHERE id = ?", game.id)

    assert await store._db.write(work) == 1
    assert (tries, await store.version(game.id)) == (2, game.version + 2)


@pytest.mark.parametrize("how", ["before", "after"])
async def test_a_move_is_made_once_when_the_line_is_cut_at_its_commit(distant: Store, line: Proxy, how: Cut) -> None:
    game = await distant.create_game(channel_id=7, host_id=1, title="1889")
    for seq in range(5):
        line.cut_once(COMMIT, how)
        rows, notices = [Row("action", f"{seq}")], [Notice("turn", "{}")]
        assert await distant.append(game.id, seq, rows, interaction_id=seq, notices=notices) == seq + 1
        assert line.cuts == seq + 1
        with pytest.raises(Duplicate):
            await distant.append(game.id, seq + 1, rows, interaction_id=seq)
    assert [row.body for row in await distant.log(game.id)] == ["0", "1", "2", "3", "4"]
    assert await distant.outbox.waiting() == 5
    assert await distant.check() == []


@pytest.mark.parametrize(("how", "done"), [("before", False), ("after", True)])
async def test_who_cannot_ask_what_became_of_a_commit_says_so(
    distant: Store, store: Store, line: Proxy, monkeypatch: pytest.MonkeyPatch, how: Cut, done: bool
) -> None:
    game = await distant.create_game(channel_id=7, host_id=1, title="1889")
    monkeypatch.setattr("storage.postgres.database.ANSWER", 0.5)
    line.cut_once(COMMIT, how)
    line.refuses = True
    with pytest.raises(Unavailable, match="not known yet"):
        await distant.append(game.id, 0, [Row("action", "{}")], interaction_id=5)
    line.refuses = False
    assert await distant.was_done(5) == done
    assert (await distant.game(game.id)).seq == int(done)


async def test_writes_and_reads_go_on_over_a_line_that_is_cut_at_random(distant: Store, line: Proxy) -> None:
    game = await distant.create_game(channel_id=7, host_id=1, title="1889")
    stop = asyncio.Event()

    async def cuts() -> None:
        while not stop.is_set():
            await asyncio.sleep(0.03)
            line.cut_all()

    cutting = asyncio.create_task(cuts())
    done, seq = 0, 0
    while done < 40:
        try:
            seq = await distant.append(game.id, done, [Row("action", f"{done}")], interaction_id=done)
            assert seq == done + 1
        except Unavailable:
            stop.set()
            await cutting
            if not await distant.was_done(done):
                continue
            stop.clear()
            cutting = asyncio.create_task(cuts())
        except Duplicate:
            pass
        done += 1
    stop.set()
    await cutting
    assert [row.body for row in await distant.log(game.id)] == [f"{number}" for number in range(40)]
    assert await distant.verify(game.id) == 40


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
@pytest.mark.long
async def test_a_server_that_is_restarted_is_told_plainly_and_served_again(
    own_server: PostgresServer, how: signal.Signals
) -> None:
    async with Store.open(own_server.new_database()) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        await store.append(game.id, 0, [Row("action", "{}")], interaction_id=1)
        await asyncio.to_thread(own_server.stop, how)
        with pytest.raises(Unavailable, match="cannot be reached"):
            await store.append(game.id, 1, [Row("action", "{}")], interaction_id=2)
        with pytest.raises(Unavailable, match="cannot be reached"):
            await store.game(game.id)
        await asyncio.to_thread(own_server.start)
        assert (await store.game(game.id)).seq == 1
        assert await store.append(game.id, 1, [Row("action", "{}")], interaction_id=2) == 2
        assert await store.check() == []


@pytest.mark.parametrize(
    ("code", "words"), [("53100", "the server's disk is full"), ("58030", "disk fails"), ("XX001", "damaged: restore")]
)
async def test_a_server_whose_disk_fails_is_told_plainly_and_nothing_is_written(
    store: Store, game: Game, by_hand: Callable[[str], None], code: str, words: str
) -> None:
    by_hand(
        "CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '{code}'; END $$;"
        "CREATE TRIGGER fails BEFORE INSERT ON interactions FOR EACH ROW EXECUTE FUNCTION fails()"
    )
    with pytest.raises(Unavailable, match=words) as refused:
        await store.append(game.id, 0, [Row("action", "{}")], interaction_id=5)
    assert refused.value.damaged == (code == "XX001")
    assert await store.verify(game.id) == 0
    by_hand("DROP TRIGGER fails ON interactions")
    assert await store.append(game.id, 0, [Row("action", "{}")], interaction_id=5) == 1


async def test_a_read_only_database_is_refused_plainly(
    place: str, store: Store, game: Game, by_hand: Callable[[str], None]
) -> None:
    by_hand(f"ALTER DATABASE {place.rpartition('/')[2]} SET default_transaction_read_only = on; {CUT_OFF}")
    with pytest.raises(Unavailable, match="read-only"):
        await store.append(game.id, 0, [Row("action", "{}")])
    assert (await store.game(game.id)).seq == 0


async def test_what_is_wrong_with_an_address_is_told_without_its_password(
    place: str, postgres: PostgresServer, by_hand: Callable[[str], None]
) -> None:
    by_hand("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
    host, name = f"127.0.0.1:{postgres.port}", place.rpartition("/")[2]
    for address, words in (
        (f"postgresql://postgres:secret@{host}/nosuch", "no database of this name"),
        (f"postgresql://nobody:secret@{host}/{name}", "does not let this user in"),
        ("postgresql://postgres:secret@127.0.0.1:1/games", "cannot be reached"),
        ("postgresql://postgres:secret@nosuch.invalid/games", "cannot be reached"),
        ("postgresql://postgres:secret@nosuch..invalid/games", "cannot be a name"),
        (f"postgresql://postgres:secret@{host}/{name}?sslmode=nonsense", "cannot be used"),
        (f"postgresql://guest:secret@{host}/{postgres.new_database().rpartition('/')[2]}", "permission"),
    ):
        with pytest.raises(Unavailable, match=words) as refused:
            async with Store.open(address):
                pass
        assert "secret" not in str(refused.value)
        assert refused.value.__suppress_context__
