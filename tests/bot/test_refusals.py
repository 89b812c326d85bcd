"""Requests that Discord refuses are counted, and long before it bans the address the bot stops by itself."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web
from club import Club, text
from player import passes, private_answer

from bot.chat import connection as refusals
from bot.chat.connection import LEAST, MOST, WINDOW, Paused, Refusals, Requests
from bot.core.notices import say_notice
from storage import Shards


class Watch:
    """The time, as a test sets it."""

    now = 1000.0


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    monkeypatch.setattr(refusals, "time", SimpleNamespace(monotonic=lambda: watch.now, time=time.time))
    return watch


def refuse(counted: Refusals, times: int, status: int = 403, scope: str | None = None) -> None:
    for _ in range(times):
        counted.count(status, scope)


def test_it_is_careful_at_half_and_stops_until_half_is_free(watch: Watch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    counted = Refusals()
    refuse(counted, MOST // 2 - 1)
    assert not counted.careful
    watch.now += 100
    refuse(counted, 1)
    assert counted.careful
    assert not counted.stopped
    refuse(counted, MOST // 2)
    assert counted.stopped
    assert counted.resumes_in == WINDOW
    assert f"nothing is sent for {WINDOW:.0f} s" in caplog.text
    watch.now += WINDOW - 100
    assert counted.number == MOST // 2 + 1
    assert counted.stopped
    assert counted.resumes_in == 100
    watch.now += 100
    assert not counted.stopped
    assert (counted.number, counted.resumes_in) == (0, 0)
    assert "sending goes on" in caplog.text


def test_it_tells_when_sending_goes_on(watch: Watch) -> None:
    counted = Refusals()
    for _ in range(MOST):
        counted.count(429)
        watch.now += 0.1
    wait = counted.resumes_in
    watch.now += wait - 2
    assert counted.stopped
    watch.now += 4
    assert not counted.stopped


@pytest.mark.usefixtures("watch")
def test_only_what_discord_counts_is_counted() -> None:
    counted = Refusals()
    for status in (200, 204, 400, 404, 500):
        refuse(counted, 10, status)
    refuse(counted, 10, 429, "shared")
    assert counted.number == 0
    for status in (401, 403, 429):
        refuse(counted, 1, status, "user")
    assert counted.number == 3


@pytest.mark.parametrize("shards", [1, 16, 128])
@pytest.mark.parametrize("processes", [1, 3, 16, 100])
def test_processes_behind_one_address_stay_far_below_a_ban_together(shards: int, processes: int) -> None:
    """Even if all of them end, and others take over who know nothing of what was refused before."""
    total = 0
    for number in range(processes):
        pace = Requests(50)
        pace.share(range(number, shards, processes), shards)
        total += pace.refusals.most
    assert total <= MOST + processes * LEAST
    assert total + MOST < 10_000


@pytest_asyncio.fixture
async def refusing() -> AsyncIterator[tuple[str, list[str]]]:
    """A server that refuses everything, and what it was asked."""
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(status=403)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}", asked
    await runner.cleanup()


async def test_a_process_asks_for_nothing_more_but_answers_people(refusing: tuple[str, list[str]]) -> None:
    address, asked = refusing
    pace = Requests(0)
    pace.share((0,), 1000)
    ours = {"Authorization": "Bot token"}
    async with aiohttp.ClientSession(trace_configs=[pace.trace()]) as session:
        for _ in range(LEAST):
            await session.post(f"{address}/channels/1/messages", headers=ours)
        with pytest.raises(Paused):
            await session.post(f"{address}/channels/1/messages", headers=ours)
        assert len(asked) == LEAST
        await session.get(f"{address}/gateway/bot", headers=ours)
        await session.post(f"{address}/interactions/1/token/callback")
        assert len(asked) == LEAST + 2


@pytest.mark.usefixtures("watch")
async def test_while_it_is_stopped_nothing_is_sent_and_people_read_why(club: Club) -> None:
    table = await club.begin(3)
    counted = club.bot.requests.refusals
    counted.part = 0
    refuse(counted, LEAST)
    before = club.packet().id
    said = await club.aiko.slash(club.channel, "pass")
    await club.bot.sender.idle()
    assert club.packet().id == before
    assert "post nothing for about 10 min" in text(private_answer(said))
    counted._lately.clear()
    await club.bot.sender.sweep()
    await club.bot.sender.idle()
    assert club.packet().id != before
    assert await table.store.outbox.waiting() == 0


@pytest.mark.usefixtures("watch")
async def test_while_it_is_careful_nothing_is_tried_again_and_what_is_new_is_sent(club: Club) -> None:
    table = await club.begin(3)
    outbox, counted = table.store.outbox, club.bot.requests.refusals
    await outbox.post(table.game.id, [say_notice("refused before")])
    (item,) = await outbox.claim("somebody")
    await outbox.failed(item, "403", club.bot.clock(), refused=True)
    counted.part = 0
    refuse(counted, LEAST // 2)
    await outbox.post(table.game.id, [replace(say_notice("new"), lane="another")])
    await club.says()
    assert await outbox.waiting() == 1
    counted._lately.clear()
    await club.bot.sender.sweep()
    await club.bot.sender.idle()
    assert await outbox.waiting() == 0


@pytest.mark.usefixtures("watch")
async def test_what_changes_in_one_channel_hurries_nothing_in_another(club: Club) -> None:
    table = await club.begin(3)
    outbox, guild = table.store.outbox, club.bot.guilds[0]
    await outbox.post(table.game.id, [say_notice("refused")])
    (item,) = await outbox.claim("somebody")
    await outbox.failed(item, "403", club.bot.clock() + 3600, refused=True)
    other = guild.get_channel(club.guild.create_text_channel("elsewhere").id)
    assert other is not None
    await club.bot.sender.reopened(guild, other)
    await club.bot.sender.idle()
    assert await outbox.waiting() == 1
    await club.bot.sender.reopened(guild, guild.get_channel(club.channel.id))
    await club.bot.sender.idle()
    assert await outbox.waiting() == 0


@pytest.mark.usefixtures("watch")
async def test_what_discord_refused_is_not_tried_again_when_a_connection_is_back(club: Club) -> None:
    table = await club.begin(3)
    error = {"status": 403, "code": 50013, "message": "Missing Permissions"}
    club.env.inject_error("POST", "/channels/*/messages", times=1, **error)
    await passes(table, "p1")
    await club.says()
    await club.bot.sender.resumed(Shards((0,), 1))
    await club.bot.sender.idle()
    assert await table.store.outbox.waiting() == 1
    await club.bot.sender.reopened(club.bot.guilds[0])
    await club.bot.sender.idle()
    assert await table.store.outbox.waiting() == 0
