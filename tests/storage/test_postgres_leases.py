"""Processes share the shards: each has one process at most, whatever becomes of it, and only that one writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress

import pytest
from postgres_server import PostgresServer

from storage import LeaseLost, Notice, Row, Session, Shards, Store, Unavailable
from storage.postgres import leases as timing
from storage.postgres.leases import Leases


@pytest.fixture
def engine() -> str:
    return "postgres"


class Crowd:
    """Processes on one database."""

    def __init__(self, address: str, server: PostgresServer, stack: AsyncExitStack) -> None:
        self.address, self.server, self._stack = address, server, stack

    async def process(self, count: int | None = None, recommended: int = 8) -> tuple[Store, Leases]:
        """One more, which has registered."""
        store = await self._stack.enter_async_context(Store.open(self.address))
        leases = store.leases()
        assert leases is not None
        self._stack.push_async_callback(leases.close)
        await leases.join(count, recommended)
        return store, leases

    async def tending(self, *given: int) -> tuple[Store, Leases]:
        """Another process, which has taken what there is for it."""
        store, leases = await self.process(*given)
        await leases.tend()
        return store, leases

    def freeze(self, leases: Leases) -> None:
        """Its time is over, though it is connected."""
        self.server.psql(
            self.address,
            f"UPDATE processes SET until = clock_timestamp() - interval '1 ms' WHERE id = {leases.process}",
        )

    async def end(self, leases: Leases) -> None:
        """It closes its connection, and the server has seen so: the lock that says that it is there is free."""
        held = self._locks()
        await leases.close()
        assert any(self._locks() != held for _ in range(500))

    def _locks(self) -> str:
        own = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        return self.server.psql(self.address, f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND {own}")

    def cut_all(self) -> None:
        """Every connection breaks, as when the server is started again."""
        self.server.psql(
            self.address,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()",
        )


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is gone is seen to be so at once, unless a test says otherwise."""
    monkeypatch.setattr(timing, "STEADY", 0.0)
    monkeypatch.setattr(timing, "MARGIN", 0.0)


@pytest.fixture
async def crowd(place: str, postgres: PostgresServer) -> AsyncIterator[Crowd]:
    async with AsyncExitStack() as stack:
        yield Crowd(place, postgres, stack)


async def test_the_first_process_takes_all_shards_that_discord_recommends(crowd: Crowd) -> None:
    _, leases = await crowd.process(recommended=5)
    held = await leases.tend()
    assert held.own == (0, 1, 2, 3, 4)
    assert (held.others, held.surplus, held.ended) == (0, 0, ())


async def test_a_second_process_gets_its_half_once_the_first_gives_it(crowd: Crowd) -> None:
    _, first = await crowd.tending()
    _, second = await crowd.process()
    assert (await second.tend()).own == ()
    while (held := await first.tend()).surplus:
        await first.give(held.own[-1:], {})
        await second.tend()
    assert held.own == (0, 1, 2, 3)
    assert (await second.tend()).own == (4, 5, 6, 7)


async def test_many_that_look_at_once_never_have_one_shard_twice(crowd: Crowd) -> None:
    processes = [(await crowd.process(recommended=16))[1] for _ in range(4)]
    for _ in range(3):
        await asyncio.gather(*(one.tend() for one in processes))
    held = [number for one in processes for number in (await one.tend()).own]
    assert sorted(held) == list(range(16))


async def test_named_shards_are_taken_and_no_others(crowd: Crowd) -> None:
    _, first = await crowd.process(4)
    _, second = await crowd.process(4)
    assert (await first.tend((0, 1))).own == (0, 1)
    held = await second.tend((1, 2))
    assert held.own == (2,)
    assert held.surplus == 0


async def test_the_shards_of_a_frozen_process_are_taken_with_what_it_had_claimed(crowd: Crowd) -> None:
    store, first = await crowd.tending()
    game = await store.create_game(channel_id=7, guild_id=5 << 22, host_id=1, title="1889")
    await store.outbox.post(game.id, [Notice("say", "{}")])
    (item,) = await store.outbox.claim(first.owner, lease_seconds=90)
    other, second = await crowd.process()
    assert (await second.tend()).own == ()
    assert await other.outbox.claim(second.owner) == []
    crowd.freeze(first)
    held = await second.tend()
    assert held.own == tuple(range(8))
    assert len(held.ended) == 1
    (again,) = await other.outbox.claim(second.owner)
    assert again.id == item.id
    assert again.unsure_since is not None


async def test_what_a_process_writes_after_its_time_is_refused(crowd: Crowd) -> None:
    store, first = await crowd.tending()
    game = await store.create_game(channel_id=7, guild_id=5 << 22, host_id=1, title="1889")
    await store.outbox.post(game.id, [Notice("say", "{}")])
    crowd.freeze(first)
    with pytest.raises(LeaseLost):
        await store.join(game.id, 1, "Ann", limit=3)
    with pytest.raises(LeaseLost):
        await store.create_game(channel_id=8, guild_id=5 << 22, host_id=1, title="1889")
    with pytest.raises(LeaseLost):
        await store.outbox.claim(first.owner)
    await (await crowd.process())[1].tend()
    with pytest.raises(LeaseLost):
        await first.tend()
    assert await store.seats(game.id) == []
    assert len(await store.games()) == 1


async def test_a_process_writes_only_about_games_of_its_shards(crowd: Crowd) -> None:
    store, first = await crowd.process(4)
    await first.tend((0, 1))
    ours = await store.create_game(channel_id=7, guild_id=5 << 22, host_id=1, title="1889")
    await store.join(ours.id, 1, "Ann", limit=3)
    await store.join(ours.id, 2, "Ben", limit=3)
    await store.start_game(ours.id)
    other, second = await crowd.process(4)
    await second.tend((2, 3))
    with pytest.raises(LeaseLost):
        await other.append(ours.id, 0, [Row("action", "{}")])
    await store.append(ours.id, 0, [Row("action", "{}")])
    homeless = await store.create_game(channel_id=8, host_id=1, title="1889")
    await store.join(homeless.id, 1, "Ann", limit=3)
    with pytest.raises(LeaseLost):
        await store.create_game(channel_id=9, guild_id=6 << 22, host_id=1, title="1889")


async def test_nobody_takes_a_shard_while_a_write_about_it_is_under_way(crowd: Crowd) -> None:
    store, first = await crowd.tending()
    game = await store.create_game(channel_id=7, guild_id=5 << 22, host_id=1, title="1889")
    other, second = await crowd.process()
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        await store.join(game.id, 1, "Ann", limit=3)
        begun.set()
        await go_on.wait()

    writing = asyncio.create_task(store.together(slow))
    await begun.wait()
    crowd.freeze(first)
    assert (await second.tend()).own == ()
    go_on.set()
    await writing
    assert (await second.tend()).own == tuple(range(8))
    assert len(await other.seats(game.id)) == 1


async def test_a_process_that_is_frozen_within_a_statement_keeps_no_shard_from_others(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the parts of a statement the server waits without any limit, and so keeps what is locked."""
    monkeypatch.setattr(timing, "STUCK", 1.0)
    store, first = await crowd.tending()
    _, second = await crowd.process()
    async with store._db._pool.acquire() as connection:  # type: ignore[attr-defined]
        await connection.execute("BEGIN")
        await connection.fetch("SELECT 1 FROM processes WHERE id = $1 FOR KEY SHARE", first.process)
        await connection.prepare("SELECT $1::bigint + 1")
        crowd.freeze(first)
        assert (await second.tend()).own == ()
        await asyncio.sleep(1.1)
        for _ in range(300):
            if (held := await second.tend()).own:
                break
            await asyncio.sleep(0.1)
    assert held.own == tuple(range(8))


async def test_notices_are_claimed_for_own_shards(crowd: Crowd) -> None:
    store, first = await crowd.tending(2)
    for shard in range(2):
        game = await store.create_game(channel_id=shard, guild_id=(4 + shard) << 22, host_id=1, title="1889")
        await store.outbox.post(game.id, [Notice("say", "{}")])
    (item,) = await store.outbox.claim(first.owner, shards=Shards((1,), 2))
    assert (await store.game(item.game)).guild_id == 5 << 22


async def test_those_that_leave_are_not_counted_and_take_nothing(crowd: Crowd) -> None:
    _, first = await crowd.tending()
    _, second = await crowd.process()
    await first.leaving()
    for number in (await first.tend(take=False)).own:
        await first.give([number], {})
        assert not await first.is_served(number)
        await second.tend()
        assert await first.is_served(number)
    assert (await second.tend()).own == tuple(range(8))
    await first.leave()
    assert crowd.server.psql(crowd.address, "SELECT count(*) FROM processes") == "1"


async def test_a_process_that_leaves_frees_its_shards_at_once(crowd: Crowd) -> None:
    _, first = await crowd.tending()
    _, second = await crowd.process()
    await first.leave()
    assert (await second.tend()).own == tuple(range(8))


async def test_a_process_that_comes_again_has_another_number(crowd: Crowd) -> None:
    _, first = await crowd.tending()
    before = first.process
    crowd.freeze(first)
    assert await first.join(8, 8) == 8
    assert first.process > before
    assert (await first.tend()).own == tuple(range(8))


async def test_the_number_of_shards_is_the_same_for_all(crowd: Crowd) -> None:
    _, first = await crowd.process(4)
    with pytest.raises(Unavailable, match="share 4 shards, not 8"):
        await crowd.process(8)
    _, second = await crowd.process(recommended=8)
    assert second.count == 4
    await first.leave()
    await second.leave()
    assert (await crowd.process(recommended=2))[1].count == 4
    assert (await crowd.process(4))[1].count == 4


async def test_more_shards_are_recommended_after_all_have_stopped(crowd: Crowd) -> None:
    _, first = await crowd.process(recommended=4)
    await first.leave()
    _, second = await crowd.process(recommended=6)
    assert second.count == 6
    assert (await second.tend()).own == tuple(range(6))


@pytest.mark.broad
async def test_sessions_of_a_bucket_are_apart_over_all_processes(crowd: Crowd) -> None:
    _, first = await crowd.process()
    _, second = await crowd.process()
    assert await first.take(0, 1.0) == 0
    assert 0 < await second.take(0, 1.0) <= 1
    assert 0 < await first.take(0, 1.0) <= 1, "whoever only waits keeps nothing"
    assert await second.take(1, 1.0) == 0
    await asyncio.sleep(1.0)
    taken = sorted(await asyncio.gather(*(one.take(0, 1.0) for one in (first, second))))
    assert taken[0] == 0 < taken[1] <= 1


async def test_commands_that_were_registered_are_known_to_all(crowd: Crowd) -> None:
    _, first = await crowd.process()
    _, second = await crowd.process()
    await first.register(99, "abc")
    assert await second.registered(99) == "abc"
    await second.register(99, "def")
    assert await first.registered(99) == "def"
    assert await first.registered(98) != "def"


async def test_a_process_that_is_late_goes_on_unless_somebody_ended_it(crowd: Crowd) -> None:
    store, first = await crowd.tending()
    crowd.freeze(first)
    assert (await first.tend()).own == tuple(range(8))
    await store.create_game(channel_id=7, guild_id=5 << 22, host_id=1, title="1889")


async def test_the_shards_of_a_process_are_taken_when_its_connection_is_gone(crowd: Crowd) -> None:
    _, first = await crowd.tending()
    _, second = await crowd.process()
    assert (await second.tend()).ended == ()
    await crowd.end(first)
    held = await second.tend()
    assert held.own == tuple(range(8))
    assert len(held.ended) == 1
    with pytest.raises(LeaseLost):
        await first.tend()


async def test_a_process_that_is_back_soon_keeps_its_shards(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    _, first = await crowd.tending()
    _, second = await crowd.process()
    monkeypatch.setattr(timing, "MARGIN", 60.0)
    await crowd.end(first)
    assert not first.connected
    assert (await second.tend()).ended == ()
    assert second.hurries
    assert len((await first.tend()).own) == 8
    monkeypatch.setattr(timing, "MARGIN", 0.0)
    assert (await second.tend()).ended == ()
    assert first.connected
    assert not second.hurries


async def test_all_keep_their_shards_when_the_server_is_started_again(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is back first does not take the others, who are not, for dead: not even if their time is over."""
    _, first = await crowd.process()
    _, second = await crowd.process()
    await first.tend()
    await second.tend()
    monkeypatch.setattr(timing, "STEADY", 60.0)
    crowd.cut_all()
    crowd.freeze(first)
    for process, own in ((second, (4, 5, 6, 7)), (first, (0, 1, 2, 3))):
        with suppress(Unavailable):  # it may not know yet that its connection broke
            await process.tend()
        assert (await process.tend()).own == own


async def test_a_broken_connection_is_told_of(crowd: Crowd) -> None:
    _, first = await crowd.process()
    broken = asyncio.Event()
    first.lost = broken.set
    crowd.cut_all()
    await asyncio.wait_for(broken.wait(), 20)
    assert not first.connected


async def test_a_process_of_an_earlier_release_is_there_as_long_as_its_lease_holds(crowd: Crowd) -> None:
    """It holds no lock."""
    _, first = await crowd.tending()
    await first.close()
    crowd.server.psql(crowd.address, "UPDATE processes SET watched = false")
    _, second = await crowd.process()
    assert (await second.tend()).ended == ()
    crowd.freeze(first)
    assert len((await second.tend()).ended) == 1


async def test_sessions_are_kept_for_whoever_takes_the_shards(crowd: Crowd) -> None:
    _, first = await crowd.process(2)
    assert (await first.tend()).sessions == {}
    zero, one = Session("abc", 7, "wss://a"), Session("def", 8, "wss://b")
    assert (await first.tend(sessions={0: zero, 1: one})).sessions == {0: zero, 1: one}
    _, second = await crowd.process()
    await second.tend(sessions={0: one})
    later = Session("def", 9, "wss://b")
    await first.give([1], {1: later})
    assert (await second.tend()).sessions == {1: later}
    await crowd.end(first)
    assert (await second.tend()).sessions == {0: zero, 1: later}
