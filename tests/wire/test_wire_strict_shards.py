"""The stand-in treats sessions, shards and the pace of requests as Discord does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from wire_people import PATIENCE, Person
from wire_server import Server
from wire_shards import shard_of
from wire_world import TOKEN


class Line:
    """A connection to the gateway, used by hand."""

    def __init__(self, session: aiohttp.ClientSession, server: Server) -> None:
        self._session, self._server = session, server

    async def open(self) -> Line:
        self.socket = await self._session.ws_connect(f"ws://127.0.0.1:{self._server.port}/gateway")
        assert (await self.heard())["op"] == 10
        return self

    async def identify(self, shard: Any = None, token: str = TOKEN) -> Any:
        """The first answer to IDENTIFY: its body, or the code with which the connection was closed."""
        body = {"token": token, "intents": 1, "properties": {}}
        await self.say(2, body if shard is None else body | {"shard": shard})
        return await self.heard()

    async def say(self, op: int, body: Any = None) -> None:
        await self.socket.send_str(json.dumps({"op": op, "d": body}))

    async def heard(self) -> Any:
        message = await self.socket.receive(timeout=PATIENCE)
        return json.loads(message.data) if message.type is aiohttp.WSMsgType.TEXT else self.socket.close_code

    async def events(self) -> list[dict[str, Any]]:
        """What has been said meanwhile: all that comes before the answer to a heartbeat."""
        await self.say(1)
        found: list[dict[str, Any]] = []
        while (one := await self.heard())["op"] != 11:
            found.append(one)
        return found


class Lines:
    def __init__(self, server: Server, session: aiohttp.ClientSession) -> None:
        self.server, self._session = server, session

    async def open(self) -> Line:
        return await Line(self._session, self.server).open()

    async def get(self, path: str, token: str | None = TOKEN) -> tuple[int, Any, Any]:
        headers = {} if token is None else {"Authorization": f"Bot {token}"}
        async with self._session.get(f"http://127.0.0.1:{self.server.port}/api{path}", headers=headers) as answer:
            return answer.status, await answer.json(content_type=None), answer.headers


@pytest_asyncio.fixture
async def lines() -> AsyncIterator[Lines]:
    async with Server() as server, aiohttp.ClientSession() as session:
        yield Lines(server, session)


@pytest.mark.parametrize("shard", [[4, 4], [-1, 4], [0, 0], [0], "0/4", [0.0, 4], [True, 4]])
async def test_a_shard_that_is_none_is_refused(lines: Lines, shard: Any) -> None:
    assert await (await lines.open()).identify(shard) == 4010


async def test_too_many_servers_on_a_shard_are_refused(lines: Lines) -> None:
    lines.server.world.most_guilds = 2
    for number in (1, 5, 5):
        lines.server.world.guild(shard=(number, 8))
    assert await (await lines.open()).identify() == 4011
    assert await (await lines.open()).identify([1, 4]) == 4011
    assert (await (await lines.open()).identify([0, 4]))["t"] == "READY"
    assert (await (await lines.open()).identify([5, 8]))["t"] == "READY"


async def test_a_wrong_token_is_refused(lines: Lines) -> None:
    assert await (await lines.open()).identify(token="other") == 4004


async def test_a_session_is_begun_once(lines: Lines) -> None:
    line = await lines.open()
    assert (await line.identify())["t"] == "READY"
    assert await line.identify() == 4005


async def test_a_shard_is_told_of_its_own_servers(lines: Lines) -> None:
    world = lines.server.world
    guilds = [world.guild(f"Club {number}", shard=(number, 3)) for number in range(3)]
    assert [shard_of(one, 3) for one in guilds] == [0, 1, 2]
    shards = []
    for number in range(3):
        line = await lines.open()
        ready = await line.identify([number, 3])
        assert ready["d"]["shard"] == [number, 3]
        assert [one["id"] for one in ready["d"]["guilds"]] == [str(guilds[number])]
        assert [one["d"]["name"] for one in await line.events()] == [f"Club {number}"]
        shards.append(line)
    assert sorted(lines.server.listening()) == [(0, 3), (1, 3), (2, 3)]
    await Person(lines.server, world.person("aiko")).interact(world.channel(guilds[1]), 2, {})
    await lines.server.remove_bot(guilds[2])
    await lines.server.dispatch("MESSAGE_CREATE", {"content": "said to the bot alone"})
    heard = [[one["t"] for one in await line.events()] for line in shards]
    assert heard == [["MESSAGE_CREATE"], ["INTERACTION_CREATE"], ["GUILD_DELETE"]]


async def test_sessions_of_a_bucket_begin_one_after_another(lines: Lines) -> None:
    starts, now = lines.server.world.starts, 100.0
    starts.seconds, starts.concurrency, starts.clock = 5.0, 2, lambda: now
    assert (await (await lines.open()).identify([0, 4]))["t"] == "READY"
    assert (await (await lines.open()).identify([1, 4]))["t"] == "READY"
    early = await (await lines.open()).identify([2, 4])
    assert early["op"] == 9
    assert early["d"] is False
    assert starts.too_early == 1
    now += 5.0
    assert (await (await lines.open()).identify([2, 4]))["t"] == "READY"


async def test_the_gateway_says_how_many_sessions_may_begin(lines: Lines) -> None:
    world = lines.server.world
    world.recommended, world.starts.concurrency = 4, 16
    await (await lines.open()).identify([0, 4])
    status, body, _ = await lines.get("/gateway/bot")
    assert status == 200
    assert body["shards"] == 4
    limit = body["session_start_limit"]
    assert (limit["total"], limit["remaining"], limit["max_concurrency"]) == (1000, 999, 16)
    assert 0 < limit["reset_after"] <= 24 * 3600 * 1000
    world.recommended = None
    assert (await lines.get("/gateway/bot"))[1]["shards"] == 1


async def test_one_session_too_many_in_a_day_costs_the_token(lines: Lines) -> None:
    lines.server.world.starts.total = 2
    first = await lines.open()
    assert (await first.identify())["t"] == "READY"
    assert (await (await lines.open()).identify())["t"] == "READY"
    ended = asyncio.create_task(first.heard())
    assert await (await lines.open()).identify() == 4004
    assert await ended == 4004
    assert (await lines.get("/gateway/bot"))[0] == 401


async def test_a_connection_that_says_too_much_is_closed(lines: Lines) -> None:
    line = await lines.open()
    for _ in range(121):
        await line.say(1)
    heard = [await line.heard() for _ in range(121)]
    assert [one["op"] for one in heard[:-1]] == [11] * 120
    assert heard[-1] == 4008


async def test_fifty_requests_a_second_are_taken(lines: Lines) -> None:
    world, now = lines.server.world, 100.0
    world.pace.clock = lambda: now
    path = f"/channels/{world.channel(world.guild()).id}"
    taken = await asyncio.gather(*(lines.get(path) for _ in range(53)))
    refused = [(body, headers) for status, body, headers in taken if status == 429]
    assert len(refused) == 3
    for body, headers in refused:
        assert body["global"] is True
        assert 0 < body["retry_after"] <= 1
        assert headers["X-RateLimit-Global"] == "true"
        assert headers["X-RateLimit-Scope"] == "global"
    assert (await lines.get("/webhooks/1/token/messages/@original", token=None))[0] != 429
    now += refused[0][0]["retry_after"]
    assert (await lines.get(path))[0] == 200
