"""Several processes share the shards on one PostgreSQL database, and hand them over, lose them and take them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from postgres_server import PostgresServer
from proxy import Proxy
from wire_checker import Checker
from wire_deaths import DeathRun
from wire_people import PATIENCE, NoAnswer, Person, answered, buttons, until
from wire_play import party, playing, seq_of
from wire_process import BotProcess, rows, settled, waiting
from wire_server import Server
from wire_world import Refusal

from bot.chat.leasing import EVERY
from storage.postgres.leases import MARGIN, STEADY

OFTEN = {"WIRE_LOOKS": "5", "WIRE_STEADY": "0.5"}
"""Processes look often who serves what. What leases last is as it is: on a busy machine, shorter ones are over before
anybody renews them."""
Start = Callable[..., Awaitable[BotProcess]]


@pytest.fixture
def server(server: Server) -> Server:
    server.world.recommended, server.world.starts.concurrency = 4, 16
    return server


@pytest.fixture
async def start(server: Server, address: str, tmp_path: Path) -> AsyncIterator[Start]:
    """Starts processes, and ends them after the test."""
    async with AsyncExitStack() as stack:

        async def one(name: str, at: str = address, **settings: str) -> BotProcess:
            given = OFTEN | {"TETSUDO_SHARDS": "auto"} | settings
            bot = BotProcess(server, at, real=False, **given)
            bot.log_file = tmp_path / f"{name}.log"
            await bot.start(wait=False)
            stack.push_async_callback(bot.kill)
            return bot

        yield one


def share(server: Server, address: str, *counts: int) -> Callable[[], bool]:
    """Whether every shard is served, the processes have so many of them, and commands are known."""

    def shared() -> bool:
        try:
            found = rows(address, "SELECT count(*) FROM shards WHERE process IS NOT NULL GROUP BY process")
        except Exception:  # there are no tables yet
            return False
        here = sorted(row[0] for row in found) == sorted(counts)
        connected = sorted(server.listening()) == [(number, 4) for number in range(4)]
        return here and connected and bool(server.world.commands)

    return shared


async def two(server: Server, address: str, start: Start, **settings: str) -> tuple[BotProcess, BotProcess]:
    """Processes that share the shards."""
    first = await start("first", **settings)
    await until(server, share(server, address, 4), what="one process")
    second = await start("second", **settings)
    await until(server, share(server, address, 2, 2), what="two processes")
    return first, second


def kept(server: Server, address: str) -> bool:
    """Whether the sessions that go on are those that the database has."""
    going_on = {(one.id,) for one in server.sessions.values() if one.socket is not None}
    return set(rows(address, "SELECT session FROM shards")) == going_on


def registered(server: Server) -> int:
    return sum(method == "PUT" and path.endswith("/commands") for _, method, path, _ in server.world.requests)


async def test_processes_share_the_shards_and_register_commands_once(
    server: Server, address: str, start: Start
) -> None:
    await two(server, address, start)
    tables = [await party(server, address, name=f"rails{number}", shard=(number, 4)) for number in range(4)]
    for table in tables:
        await table.begin()
        await table.turn()
    await settled(server, address)
    assert registered(server) == 1
    assert all(table.seq() > 0 for table in tables)


async def test_another_takes_the_shards_of_a_process_that_was_killed(
    server: Server, address: str, start: Start
) -> None:
    first = await start("first")
    await until(server, share(server, address, 4), what="one process")
    table = await playing(server, address, shard=(3, 4))
    checker = Checker(table, "1889", 3)
    await table.turn()
    await start("second")
    await until(server, share(server, address, 2, 2), what="two processes")
    await first.kill()
    await until(server, lambda: server.connected < 4, what="the end of its connections")
    await until(server, share(server, address, 4), what="the other process")
    await table.plays()
    checker.check()


async def test_whoever_takes_over_reduces_the_messages_that_a_dead_process_left_with_controls(
    server: Server, address: str, start: Start
) -> None:
    """The turn was shown and its notice done; the process was killed before it came to the message before it."""
    _, second = await two(server, address, start)
    (number,) = rows(address, "SELECT min(number) FROM shards WHERE process = (SELECT max(id) FROM processes)")[0]
    table = await playing(server, address, shard=(number, 4))
    old, dead = table.packet(), asyncio.Event()

    async def hold(verb: str, path: str) -> None:
        if verb == "PATCH" and path.endswith(("/@original", f"/{old.id}")) and not dead.is_set():
            await dead.wait()
            raise Refusal(503, 0, "nobody is there any more")

    server.world.faults.append(hold)
    await table.turn()
    await until(server, lambda: waiting(address) == 0, what="the turn to be shown")
    assert buttons(old)
    await second.kill()
    dead.set()
    await until(server, lambda: not buttons(old), 60.0, what="the old message to be reduced")
    assert seq_of(table.packet()) == table.seq() == 1


async def test_a_press_after_a_death_is_answered_before_any_session_begins(
    server: Server, address: str, start: Start
) -> None:
    """Whoever takes over goes on with the sessions; those of its own begin beside them, and bring the servers.

    What comes again because the last event was not noted yet is not answered again.
    """
    second = await start("second")
    await until(server, share(server, address, 4), what="one process")
    first = await start("first")
    await until(server, share(server, address, 2, 2), what="two processes")
    await until(server, lambda: server.identified == 6 and kept(server, address), what="sessions of its own")
    (number,) = rows(address, "SELECT min(number) FROM shards WHERE process = (SELECT max(id) FROM processes)")[0]
    table = await party(server, address, shard=(number, 4))
    (told,) = [one.seq for one in server.sessions.values() if one.shard[0] == number and one.socket is not None]
    await table.begin()
    begun, resumed = server.identified, server.resumed
    server.world.held = {shard: asyncio.Event() for shard in range(4)}
    assert first.process is not None
    os.kill(first.process.pid, signal.SIGSTOP)
    rows(address, "UPDATE shards SET sequence = ? WHERE number = ?", told, number)
    said = {token: list(one.said) for token, one in server.world.interactions.items()}
    await first.kill()
    await table.turn()
    assert {token: server.world.interactions[token].said for token in said} == said
    assert second.log().count("too late to answer") >= 5
    assert (server.identified, server.resumed) == (begun, resumed + 2)
    elsewhere = server.world.channel(table.channel.guild)
    stranger = Person(server, server.world.person("Yuki"))
    asked = await answered(server, await stranger.slash(elsewhere, "server games"))
    assert "do not know its channels yet" in asked.text
    for held in server.world.held.values():
        held.set()
    await until(server, lambda: server.identified == begun + 2, what="sessions of its own")
    await until(server, share(server, address, 4), what="the end of the others'")
    asked = await answered(server, await stranger.slash(elsewhere, "server games"))
    assert "Games on this server" in asked.text
    await settled(server, address)
    Checker(table, "1889", 3).check()


@pytest.mark.slow
async def test_no_session_is_lost_when_the_database_is_started_again(
    server: Server, address: str, start: Start, postgres: PostgresServer
) -> None:
    await two(server, address, start, WIRE_STEADY=str(STEADY))
    await until(server, lambda: server.identified == 6, what="sessions of its own")
    table = await playing(server, address, shard=(0, 4))
    before = rows(address, "SELECT number, process FROM shards ORDER BY number"), server.identified, server.resumed
    await asyncio.to_thread(postgres.stop)
    try:
        told = await answered(server, await table.people[0].slash(table.channel, "game status"))
    finally:
        await asyncio.to_thread(postgres.start)
    assert "cannot read or save" in told.text
    await asyncio.sleep(STEADY + MARGIN + 2 * EVERY)
    await table.turn()
    after = rows(address, "SELECT number, process FROM shards ORDER BY number"), server.identified, server.resumed
    assert after == before


async def test_a_process_that_is_told_to_end_hands_its_shards_over(server: Server, address: str, start: Start) -> None:
    """The other need not wait until a lease ends."""
    first, second = await two(server, address, start)
    assert await first.stop() == 0
    await until(server, share(server, address, 4), what="the other process")
    assert "handed over shard" in first.log()
    assert "is over" not in second.log()
    assert rows(address, "SELECT count(*) FROM processes") == [(1,)]
    assert await second.stop() == 0
    assert rows(address, "SELECT count(*) FROM processes") == [(0,)]


async def test_a_process_that_the_database_cuts_off_does_not_take_its_sessions_back(
    server: Server, address: str, start: Start, postgres: PostgresServer
) -> None:
    """It still has its connection to Discord, which ends when another process goes on with the session."""
    await start("first")
    await until(server, share(server, address, 4), what="one process")
    async with Proxy(postgres.port) as proxy:
        second = await start("second", address.replace(f":{postgres.port}/", f":{proxy.port}/"))
        await until(server, share(server, address, 2, 2), what="two processes")
        await until(server, lambda: server.identified == 6 and kept(server, address), what="sessions of its own")
        resumed = server.resumed
        proxy.refuses = True
        proxy.cut_all()
        await until(server, lambda: "serves no shards any more" in second.log(), what="its end")
        await until(server, share(server, address, 4), what="the other process")
        assert server.resumed == resumed + 2


async def test_a_process_that_was_frozen_says_and_stores_nothing_more(
    server: Server, address: str, start: Start
) -> None:
    """A press reaches it while it is frozen. Who took over answers the next one, and nothing is doubled."""
    first = await start("first")
    await until(server, share(server, address, 4), what="one process")
    table = await playing(server, address, shard=(0, 4))
    checker = Checker(table, "1889", 3)
    await until(server, lambda: kept(server, address), what="the sessions to be kept")
    assert first.process is not None
    os.kill(first.process.pid, signal.SIGSTOP)
    packet = table.packet()
    server.world.ack_seconds = 1.0
    with pytest.raises(NoAnswer):
        await table.turn()
    second = await start("second")

    def taken() -> bool:
        return rows(address, "SELECT count(DISTINCT process) FROM shards")[0][0] == 1 and "serves" in second.log()

    await until(server, taken, what="the other process")
    os.kill(first.process.pid, signal.SIGCONT)
    await until(server, lambda: "serves no shards any more" in first.log(), what="its end")
    await until(server, share(server, address, 2, 2), what="two processes")
    assert server.resumed == 6
    assert table.packet() is packet
    assert table.seq() == 0
    server.world.ack_seconds = 20.0
    await table.plays()
    checker.check()


@pytest.mark.slow
async def test_named_shards_wait_for_the_process_that_has_them(server: Server, address: str, start: Start) -> None:
    """As in a rolling update: the new one stands by, and begins when the old one is told to end."""
    old = await start("old", TETSUDO_SHARDS="0-3/4")
    await until(server, share(server, address, 4), what="the old process")
    before = rows(address, "SELECT DISTINCT process FROM shards")
    new = await start("new", TETSUDO_SHARDS="0-3/4")
    await until(server, lambda: "shares 4 shards" in new.log(), what="the new process")
    await asyncio.sleep(1)
    assert rows(address, "SELECT DISTINCT process FROM shards") == before
    assert await old.stop() == 0
    await until(server, share(server, address, 4), what="the new process")
    assert rows(address, "SELECT DISTINCT process FROM shards") != before


@pytest.mark.slow
async def test_another_number_of_shards_than_the_others_have_is_refused(
    server: Server, address: str, start: Start
) -> None:
    await start("first", TETSUDO_SHARDS="auto/4")
    await until(server, share(server, address, 4), what="one process")
    other = await start("other", TETSUDO_SHARDS="auto/8")
    assert other.process is not None
    assert await asyncio.wait_for(other.process.wait(), PATIENCE) == 1
    assert "share 4 shards, not 8" in other.log()


@pytest.mark.slow
async def test_nothing_is_lost_or_doubled_when_processes_die(tmp_path: Path) -> None:
    run = DeathRun(tmp_path, seed=1889)
    await run.run(4)
    assert sum(run.happened.values()) == 4


@pytest.mark.slow
async def test_a_process_that_shares_nothing_is_alone(server: Server, address: str, start: Start) -> None:
    await start("first", TETSUDO_SHARDS="")
    await until(server, lambda: server.connected == 4, what="one process")
    for shards in ("", "auto"):
        other = await start("other", TETSUDO_SHARDS=shards)
        assert other.process is not None
        assert await asyncio.wait_for(other.process.wait(), PATIENCE) == 1
        assert "plays the games of" in other.log()
    assert rows(address, "SELECT count(*) FROM processes") == [(0,)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
async def test_nothing_is_lost_or_doubled_when_processes_die_often(tmp_path: Path, seed: int) -> None:
    await DeathRun(tmp_path, seed).run(50)
