"""Whether the bot is well: its heartbeats, and what monitoring asks over HTTP (`/metrics`, `/health`, `/alive`)."""

import asyncio
import json
import logging
import math
import os
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Protocol, get_args

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, Gauge, generate_latest

from bot import metrics
from bot.chat.connection import Connection
from bot.chat.heartbeat import illness, sign_of, write_sign
from bot.chat.leasing import Leasing
from bot.settings import SettingsError
from bot.version import commit, version
from storage import Status, Unavailable

log = logging.getLogger("tetsudo.health")
EVERY = 10.0
"""Seconds between heartbeats."""
MOMENT = 0.05
"""Seconds by which a heartbeat measures how late the event loop is."""


class Heart:
    """Writes one bot's heartbeats."""

    def __init__(self, bot: Connection) -> None:
        self.bot = bot
        self.path = sign_of(bot.settings.database)
        self.began = time.monotonic()
        self.seen_online = time.monotonic()
        self.lag = 0.0
        """Seconds by which the event loop was late to the last heartbeat, which is what players feel."""

    async def beat(self) -> None:
        started = time.perf_counter()
        await asyncio.sleep(MOMENT)
        self.lag = max(0.0, time.perf_counter() - started - MOMENT)
        await asyncio.to_thread(write_sign, self.path, json.dumps(await self.sign()))

    async def sign(self) -> dict[str, Any]:
        """How the bot is at the moment. Raises Unavailable."""
        shards, connected = self.bot.connections()
        if connected == shards and self.bot.requests.may() and not self.bot.is_ws_ratelimited():
            self.seen_online = time.monotonic()
        return {
            "tick": round(time.monotonic(), 1),
            "pid": os.getpid(),
            "up_seconds": round(time.monotonic() - self.began),
            "offline_seconds": round(time.monotonic() - self.seen_online),
            "shards": shards,
            "shards_connected": connected,
            "guilds": self.bot.servers(),
            "notices_waiting": await self.bot.store.outbox.waiting(),
            "refused_lately": self.bot.requests.refusals.number,
            "refused_most": self.bot.requests.refusals.most,
            "stopped_seconds": self.bot.requests.refusals.resumes_in,
        }

    def stop(self) -> None:
        """Remove the file: a bot that shuts down cleanly leaves none, unless the disk is read-only by then."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            log.warning("could not remove %s: %s", self.path, error.strerror)


AGES = ((60, "under 1 min"), (600, "1 to 10 min"), (3600, "10 to 60 min"), (math.inf, "over 1 h"))
"""Notices that wait are counted by age, up to so many seconds."""


class Watched(Connection, Protocol):
    """The bot, as far as its figures are about it."""

    heart: Heart
    leasing: Leasing | None

    @property
    def latencies(self) -> list[tuple[int, float]]: ...


@asynccontextmanager
async def served(bot: Watched, place: tuple[str, int] | None) -> AsyncIterator[None]:
    """Answer at this host and port, if any. Raises SettingsError if they cannot be used."""
    if place is None:
        yield
        return
    metrics.BUILD.info({"version": version(), "commit": await asyncio.to_thread(commit)})
    app = web.Application()
    for path, answer in (("/metrics", _metrics), ("/health", _health), ("/alive", _alive)):
        app.router.add_get(path, partial(answer, bot))
    async with site(app, place, "TETSUDO_METRICS"):
        yield


@asynccontextmanager
async def site(app: web.Application, place: tuple[str, int], setting: str) -> AsyncIterator[None]:
    """Serve an application at the host and port that a setting names. Raises SettingsError if they cannot be used."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, *place).start()
        except OSError as error:
            raise SettingsError(f"{setting} names {place[0]}:{place[1]}, which cannot be used: {error}.") from error
        log.info("%s is served", setting, extra={"host": place[0], "port": place[1]})
        yield
    finally:
        await runner.cleanup()


async def _metrics(bot: Watched, _: web.Request) -> web.Response:
    """All metrics. Those that the database knows stay as they were while it cannot be used."""
    _look(bot)
    try:
        await _count(bot)
    except Unavailable as error:
        log.warning("games are not counted: %s", error)
    return web.Response(body=generate_latest(metrics.REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})


async def _health(bot: Watched, _: web.Request) -> web.Response:
    try:
        sign = await bot.heart.sign()
        wrong = illness(sign, sign["tick"])
    except Unavailable as error:
        wrong = str(error)
    return web.Response(text=wrong or "The bot is well.", status=503 if wrong else 200)


async def _alive(bot: Watched, _: web.Request) -> web.Response:
    """Answered by the loop that serves the players: a process that does not is to be started again."""
    return web.Response(text="The bot is alive.")


def _look(bot: Watched) -> None:
    """Set the gauges that the process itself knows."""
    refusals, (shards, connected) = bot.requests.refusals, bot.connections()
    metrics.LAG.set(bot.heart.lag)
    metrics.REFUSED.set(refusals.number)
    metrics.REFUSED_LIMIT.set(refusals.most)
    metrics.STOPPED.set(refusals.resumes_in)
    metrics.SHARDS.set(shards)
    metrics.CONNECTED.set(connected)
    metrics.SERVERS.set(bot.servers())
    metrics.LOADED.set(len(bot.tables))
    if bot.leasing is not None:
        metrics.LEASE_AGE.set(bot.leasing.age)
    _fill(metrics.GATEWAY_LATENCY, {str(shard): one for shard, one in bot.latencies if math.isfinite(one)})


async def _count(bot: Watched) -> None:
    """Set the gauges that the database knows. Raises Unavailable."""
    numbers = await bot.store.numbers(bot.serving)
    _fill(metrics.GAMES, {state: numbers.get(state, 0) for state in get_args(Status)})
    metrics.UNREAD.set(len(await bot.store.unread(bot.serving)))
    now, since = bot.clock(), await bot.store.outbox.waiting_since(bot.serving)
    found = dict.fromkeys((name for _, name in AGES), 0)
    for minute, number in since.items():
        found[next(name for most, name in AGES if now - minute - 60 < most)] += number
    _fill(metrics.NOTICES, found)
    metrics.OLDEST.set(max(0, now - min(since) - 60) if since else 0)


def _fill(gauge: Gauge, values: Mapping[str, float]) -> None:
    """Set a gauge for each label, and none that is gone."""
    gauge.clear()
    for label, value in values.items():
        gauge.labels(label).set(value)
