"""The bot on many shards: in one process or several, begun one after another, within Discord's limits."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from wire_people import Person, answered, until
from wire_process import BotProcess
from wire_server import Server
from wire_shards import DAY
from wire_world import Channel

from bot.chat import leasing
from bot.core.notices import say_notice
from storage import Store


def clubs(server: Server, count: int) -> list[Channel]:
    """A channel on a server of each shard."""
    return [server.world.channel(server.world.guild(shard=(number, count))) for number in range(count)]


async def helped(server: Server, channel: Channel) -> None:
    """Somebody asks the bot there for help, and gets it."""
    person = Person(server, server.world.person("aiko"))
    shown = await answered(server, await person.slash(channel, "game help"))
    assert "How to play" in shown.text


def registered(server: Server) -> int:
    """How often the commands were registered."""
    return sum(method == "PUT" and path.endswith("/commands") for _, method, path, _ in server.world.requests)


async def test_one_process_serves_all_shards_that_discord_recommends(server: Server, database: Path) -> None:
    server.world.recommended, server.world.starts.concurrency = 3, 16
    channels = clubs(server, 3)
    async with BotProcess(server, database):
        await until(server, lambda: server.connected == 3, what="three shards")
        assert sorted(server.listening()) == [(0, 3), (1, 3), (2, 3)]
        for channel in channels:
            await helped(server, channel)
    assert registered(server) == 1


async def test_processes_share_the_shards_and_register_commands_once(server: Server, tmp_path: Path) -> None:
    server.world.starts.concurrency = 16
    channels = clubs(server, 4)
    first = BotProcess(server, tmp_path / "first.sqlite3", TETSUDO_SHARDS="0-1/4")
    second = BotProcess(server, tmp_path / "second.sqlite3", TETSUDO_SHARDS="2-3/4")
    async with first, second:
        await until(server, lambda: server.connected == 4, what="four shards")
        assert sorted(server.listening()) == [(0, 4), (1, 4), (2, 4), (3, 4)]
        for channel in channels:
            await helped(server, channel)
        assert registered(server) == 1
        await second.kill()
        await until(server, lambda: server.connected == 2, what="two shards")
        await helped(server, channels[1])


async def test_a_turn_of_the_second_shard_is_posted_before_the_last_shard_has_begun(
    server: Server, database: Path
) -> None:
    """Shards begin some seconds apart, and nobody waits for the shards of others."""
    server.world.recommended = 3
    last = server.world.held[2] = asyncio.Event()
    channels = clubs(server, 3)
    began = time.monotonic()
    async with BotProcess(server, database, WIRE_HASTE="5"):
        await until(server, lambda: server.connected == 2, what="two shards")
        for channel in channels[:2]:
            await helped(server, channel)
        assert server.connected == 2
        last.set()
        await until(server, lambda: server.connected == 3, what="three shards")
        assert time.monotonic() - began > 2 * leasing.APART / 5


async def test_a_bot_that_has_begun_too_often_waits_for_the_next_day(server: Server, database: Path) -> None:
    world = server.world
    channel = clubs(server, 1)[0]
    now = DAY - 1
    world.starts.used, world.starts.since, world.starts.clock = world.starts.total - 5, 0.0, lambda: now
    bot = BotProcess(server, database)
    await bot.start(wait=False)
    try:
        await until(server, lambda: "no session can be begun" in bot.log(), what="a line of the log")
        assert server.identified == 0
        now += 1
        await until(server, lambda: server.connected == 1, what="a connection")
        await helped(server, channel)
    finally:
        await bot.kill()
    assert not world.reset


async def test_too_many_servers_for_the_named_shards_end_the_bot_with_a_reason(server: Server, database: Path) -> None:
    server.world.most_guilds = 1
    clubs(server, 1), clubs(server, 1)
    bot = BotProcess(server, database, TETSUDO_SHARDS="0/1")
    assert await bot.fails() == 2
    assert "set TETSUDO_SHARDS" in bot.log()


@pytest.mark.parametrize(("shards", "most"), [("0/1", 45), ("0-1/4", 22)])
async def test_a_process_keeps_to_its_share_of_the_requests(
    server: Server, database: Path, shards: str, most: int
) -> None:
    """Something waits to be said in seventy channels at once: nothing is refused, everything is said."""
    count = int(shards.partition("/")[2])
    tables = [server.world.channel(server.world.guild(shard=(0, count))) for _ in range(70)]
    async with Store.open(database) as store:
        for table in tables:
            game = await store.create_game(channel_id=table.id, guild_id=table.guild, host_id=1, title="1889")
            await store.outbox.post(game.id, [say_notice("The bot is back.")])
    async with BotProcess(server, database, TETSUDO_SHARDS=shards):
        await until(server, lambda: all(table.messages for table in tables), what="all messages")
        posts = sorted(at for at, _, path, _ in server.world.requests if path.startswith("/channels/"))
    assert server.world.pace.refused == 0
    assert posts[-1] - posts[0] > len(tables) / most - 1
