"""Which shards a process serves, how fast it may talk, and when a session may begin."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.chat.connection import NotServing, Requests
from bot.chat.leasing import APART, Gateway, OwnSlots, Sessions
from bot.settings import SettingsError, Wanted, from_environment, read_shards

TOKEN = {"DISCORD_TOKEN": "a.b.c"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", None),
        ("0-3/16", Wanted((0, 1, 2, 3), 16, shared=True)),
        ("15/16", Wanted((15,), 16, shared=True)),
        (" auto ", Wanted(shared=True)),
        ("AUTO/32", Wanted(count=32, shared=True)),
    ],
)
def test_the_setting_names_shards(text: str, wanted: Wanted | None) -> None:
    assert read_shards(text) == wanted
    assert from_environment(TOKEN | {"TETSUDO_SHARDS": text}).shards == wanted


@pytest.mark.parametrize("text", ["0-16/16", "3-1/16", "16", "0/0", "auto/0", "auto/x", "-1/4", "0-3/16,5/16", "all"])
def test_shards_that_cannot_be_are_named_in_a_sentence(text: str) -> None:
    with pytest.raises(SettingsError, match=r"TETSUDO_SHARDS is .* such as 0-3/16"):
        from_environment(TOKEN | {"TETSUDO_SHARDS": text})


class Hand:
    """The time, which goes on only while somebody sleeps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        for module in ("bot.chat.connection", "bot.chat.leasing"):
            clock = SimpleNamespace(monotonic=lambda: self.now, time=lambda: self.now + 1_800_000_000)
            monkeypatch.setattr(f"{module}.time", clock)
        monkeypatch.setattr("bot.chat.connection.asyncio", SimpleNamespace(sleep=self._slept, Lock=asyncio.Lock))

    async def _slept(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    return Hand(monkeypatch)


async def begun(hand: Hand, own: Sequence[int], shards: int, seconds: float) -> list[float]:
    """When a process with these shards begins requests that it always has enough of."""
    hand.now = 100.0
    pace, times = Requests(50), list[float]()
    pace.share(own, shards)
    while hand.now < 100 + seconds:
        await pace.wait()
        times.append(hand.now)
    return times


@pytest.mark.parametrize(
    ("shards", "processes"),
    [(1, 1), (16, 1), (16, 3), (16, 16), (45, 45), (128, 8), (128, 32), (128, 64), (128, 127), (400, 20)],
)
async def test_processes_together_make_as_many_requests_as_the_token_may(
    hand: Hand, shards: int, processes: int
) -> None:
    """However the shards are shared out: side by side, as by ranges, or one after the other, as by leases."""
    edges = [number * shards // processes for number in range(processes + 1)]
    ranges = [range(first, last) for first, last in pairwise(edges)]
    for split in (ranges, [range(number, shards, processes) for number in range(processes)]):
        times = sorted([at for own in split for at in await begun(hand, own, shards, 20)])
        assert 45 * 20 - shards <= sum(at < 120 for at in times) <= 45 * 20 + 1
        assert all(later - first >= 0.99 for first, later in zip(times, times[45:], strict=False))


async def test_the_requests_of_one_process_are_spread(hand: Hand) -> None:
    times = await begun(hand, range(16), 128, 60)
    mean = 128 / 16 / 45
    assert max(later - first for first, later in pairwise(times)) < 3 * mean


async def test_requests_that_come_together_begin_one_after_the_other(hand: Hand) -> None:
    pace = Requests(50)
    began = await asyncio.gather(*(pace.wait() for _ in range(90)))
    assert len(began) == 90
    assert hand.now - 100 >= 89 / 45


@pytest.mark.long
async def test_what_waited_while_the_process_was_held_up_does_not_begin_all_at_once() -> None:
    pace, times = Requests(500), list[float]()

    async def begins() -> None:
        await pace.wait()
        times.append(time.monotonic())

    requests = [asyncio.create_task(begins()) for _ in range(150)]
    await asyncio.sleep(0.02)
    time.sleep(0.2)  # noqa: ASYNC251 - what holds it up
    await asyncio.gather(*requests)
    assert all(later - first >= 0.09 for first, later in zip(times, times[50:], strict=False))


async def test_without_a_limit_of_ours_nothing_waits(hand: Hand) -> None:
    pace, began = Requests(0), hand.now
    for _ in range(1000):
        await pace.wait()
    assert hand.now == began


async def test_a_process_without_shards_makes_one_request_a_second(hand: Hand) -> None:
    assert len(await begun(hand, (), 16, 10)) == 10


async def test_sessions_of_one_bucket_are_apart_and_others_are_not(hand: Hand) -> None:
    slots = OwnSlots()
    assert await slots.take(0, APART) == 0
    assert await slots.take(1, APART) == 0
    assert await slots.take(0, APART) == APART
    assert await slots.take(0, APART) == APART, "whoever only waits keeps nothing"
    hand.now += APART
    assert await slots.take(0, APART) == 0
    assert await slots.take(0, APART) == APART


async def test_whoever_is_told_to_wait_asks_again_until_a_session_may_begin(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slept(seconds: float) -> None:
        hand.now += seconds

    async def gateway() -> tuple[int, str, dict[str, int]]:
        return 4, "", {"total": 1000, "remaining": 900, "reset_after": 1000, "max_concurrency": 1}

    class Shared(OwnSlots):
        async def take(self, bucket: int, apart: float) -> float:
            waits.append(await super().take(bucket, apart))
            if len(waits) == 2:
                self._next[bucket] += apart  # another process was quicker
            return waits[-1]

    monkeypatch.setattr("bot.chat.leasing.asyncio", SimpleNamespace(sleep=slept))
    waits: list[float] = []
    sessions = Sessions(gateway)
    sessions.slots = Shared()
    began = hand.now
    for shard in range(2):
        await sessions.may_begin(shard)
    assert waits == [0, APART, APART, 0]
    assert hand.now - began == 2 * APART


async def test_discord_is_asked_once_for_sessions_that_follow_one_another() -> None:
    asked = 0

    async def gateway() -> tuple[int, str, dict[str, int]]:
        nonlocal asked
        asked += 1
        return 4, "", {"total": 1000, "remaining": 900, "reset_after": 1000, "max_concurrency": 16}

    sessions = Sessions(gateway)
    assert await sessions.recommended() == 4
    for shard in range(4):
        await sessions.may_begin(shard)
    assert asked == 1


async def test_the_last_sessions_of_a_day_are_left_alone() -> None:
    left = iter([10, 10, 1000])

    async def gateway() -> tuple[int, str, dict[str, int]]:
        return 1, "", {"total": 1000, "remaining": next(left), "reset_after": 20, "max_concurrency": 1}

    await Sessions(gateway).may_begin(0)
    assert next(left, None) is None


@pytest.fixture
async def discord_at() -> AsyncIterator[str]:
    """The address of something that answers whatever it is asked."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response()

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(app) as server:
        yield str(server.make_url("/"))


async def test_a_process_whose_lease_is_in_doubt_answers_people_and_says_nothing_else(discord_at: str) -> None:
    requests = Requests(0)
    requests.may_send = lambda: False
    async with aiohttp.ClientSession(discord_at, trace_configs=[requests.trace()]) as session:
        with pytest.raises(NotServing):
            await session.post("channels/7/messages", headers={"Authorization": "Bot a.b.c"})
        assert (await session.post("interactions/5/t/callback")).status == 200
        requests.may = lambda: False
        with pytest.raises(NotServing):
            await session.post("interactions/5/t/callback")


@pytest.mark.parametrize("resume", [True, False])
async def test_a_shard_that_others_serve_is_not_connected_again(resume: bool) -> None:
    """Going on with its session would take it from them."""
    client = SimpleNamespace(leasing=SimpleNamespace(may_connect=lambda shard: False))
    with pytest.raises(asyncio.CancelledError):
        await Gateway.from_client(client, shard_id=3, resume=resume)
