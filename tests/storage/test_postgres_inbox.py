"""What comes over HTTP is taken by the process that serves its server, borrowed by another in need, and done once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from postgres_server import PostgresServer

from storage import LeaseLost, Shards, Store
from storage.postgres import leases as timing
from storage.postgres.inbox import EXPIRED, IN_TIME, REMEMBERED, TOO_LATE, Inbox
from storage.postgres.leases import Leases

EVEN, ODD = Shards((0,), 2), Shards((1,), 2)
ON_ODD = 1 << 22
"""A server of the second of two shards."""


@pytest.fixture
def engine() -> str:
    return "postgres"


class Crowd:
    """Two processes on one database."""

    def __init__(self, address: str, server: PostgresServer, made: list[tuple[Inbox, Leases]]) -> None:
        self.address, self.server = address, server
        (self.one, self.of_one), (self.other, self.of_other) = made

    def age(self, seconds: float) -> None:
        """Let what came have come earlier."""
        self.server.psql(self.address, f"UPDATE inbox SET at = at - interval '1 second' * {seconds}")

    def silent(self, leases: Leases, seconds: float) -> None:
        """Let a process have renewed its lease so long ago."""
        until = f"clock_timestamp() + interval '1 second' * {timing.LASTS - seconds}"
        self.server.psql(self.address, f"UPDATE processes SET until = {until} WHERE id = {leases.process}")

    def ended(self, leases: Leases) -> None:
        self.server.psql(self.address, f"DELETE FROM processes WHERE id = {leases.process}")


@pytest.fixture
async def crowd(place: str, postgres: PostgresServer) -> AsyncIterator[Crowd]:
    async with AsyncExitStack() as stack:
        made = []
        for _ in range(2):
            store = await stack.enter_async_context(Store.open(place))
            leases = store.leases()
            assert leases is not None
            stack.push_async_callback(leases.close)
            await leases.join(2, 2)
            made.append((store.inbox(leases), leases))
        yield Crowd(place, postgres, made)


async def test_who_serves_the_server_takes_it_once(crowd: Crowd) -> None:
    assert await crowd.one.keep(7, ON_ODD, "{}", ours=False)
    assert not await crowd.other.keep(7, ON_ODD, "{}", ours=False)
    assert await crowd.one.take(EVEN) == []
    (item,) = await crowd.other.take(ODD)
    assert (item.id, item.body, item.borrowed) == (7, "{}", False)
    assert await crowd.other.take(ODD) == []


async def test_what_is_done_is_done_and_remembered_for_a_while(crowd: Crowd) -> None:
    await crowd.one.keep(7, None, "{}", ours=True)
    await crowd.other.done(7)  # it is not theirs
    crowd.ended(crowd.of_one)
    (item,) = await crowd.other.take(EVEN)
    await crowd.other.done(item.id)
    assert await crowd.other.take(EVEN) == []
    assert not await crowd.one.keep(7, None, "{}", ours=False)
    crowd.age(REMEMBERED)
    await crowd.one.prune()
    assert await crowd.one.keep(7, None, "{}", ours=False)


async def test_what_is_left_is_free_for_whoever_serves_by_then(crowd: Crowd) -> None:
    await crowd.one.keep(7, None, "{}", ours=True)
    await crowd.one.leave(7)
    assert len(await crowd.other.take(EVEN)) == 1
    crowd.age(EXPIRED)
    await crowd.one.prune()
    assert await crowd.one.keep(7, None, "{}", ours=False)


async def test_what_nobody_takes_in_time_is_borrowed_once(crowd: Crowd) -> None:
    await crowd.one.keep(7, None, "{}", ours=False)
    assert await crowd.other.borrow() == []
    crowd.age(IN_TIME)
    (item,) = await crowd.other.borrow()
    assert item.borrowed
    assert item.age >= IN_TIME
    assert await crowd.one.borrow() == []
    await crowd.other.leave(7)
    assert await crowd.one.borrow() == []
    assert [one.borrowed for one in await crowd.one.take(EVEN)] == [True]


async def test_what_cannot_be_acknowledged_any_more_is_not_borrowed(crowd: Crowd) -> None:
    await crowd.one.keep(7, None, "{}", ours=False)
    crowd.age(TOO_LATE)
    assert await crowd.other.borrow() == []


async def test_of_a_process_that_lives_nothing_is_borrowed_but_of_one_that_is_silent_or_gone(crowd: Crowd) -> None:
    for number in (7, 8):
        await crowd.one.keep(number, None, "{}", ours=True)
        crowd.age(IN_TIME)
        assert await crowd.other.borrow() == []
        if number == 7:
            crowd.silent(crowd.of_one, 3)
        else:
            await crowd.of_one.close()
        async with asyncio.timeout(2):  # the server takes a moment to notice that a connection is gone
            while not (found := await crowd.other.borrow()):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert [item.id for item in found] == [number]
        crowd.silent(crowd.of_one, 0)


async def test_a_process_whose_lease_is_over_takes_nothing(crowd: Crowd) -> None:
    await crowd.one.keep(7, None, "{}", ours=False)
    crowd.ended(crowd.of_one)
    with pytest.raises(LeaseLost):
        await crowd.one.take(EVEN)
    await crowd.one.keep(8, None, "{}", ours=True)  # which is not so any more
    assert [item.id for item in await crowd.other.take(EVEN)] == [7, 8]
