"""A bot that hangs is noticed, one that is well says so."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families
from wire_people import until
from wire_play import party, playing
from wire_process import ROOT, BotProcess, free_port, waiting
from wire_server import Server

from bot.chat.heartbeat import last_sign, sign_of


async def health(database: Path) -> tuple[int, str]:
    """`tetsudo health` as a container runs it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cli.main", "health"),
        cwd=ROOT,
        env={"TETSUDO_DB": str(database)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    return process.returncode or 0, out.decode()


async def test_a_bot_gives_signs_of_life_until_it_hangs(server: Server, database: Path) -> None:
    async with BotProcess(server, database) as bot:
        await playing(server, bot.database)
        await until(server, lambda: last_sign(bot.database) is not None, what="a sign")
        assert (await health(bot.database))[0] == 0
        assert bot.process is not None
        bot.process.send_signal(signal.SIGSTOP)
        sign = sign_of(bot.database)
        await asyncio.to_thread(age, sign)
        code, said = await health(bot.database)
        assert (code, "no sign of life" in said) == (1, True)
        bot.process.send_signal(signal.SIGCONT)
        assert await bot.stop() == 0
        assert last_sign(bot.database) is None


def age(sign: Path) -> None:
    """Make a sign look five minutes old, so that the test need not wait."""
    import json

    body = json.loads(sign.read_text())
    sign.write_text(json.dumps(body | {"tick": body["tick"] - 300}))


async def test_a_bot_shows_its_figures(server: Server, database: Path) -> None:
    port = free_port()
    async with BotProcess(server, database, TETSUDO_METRICS=str(port)) as bot:
        table = await playing(server, bot.database)
        await table.turn()
        await until(server, lambda: waiting(bot.database) == 0, what="the turn")
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as host:
            answered = await (await host.get("/alive")).text(), (await host.get("/health")).status
            said = await (await host.get("/metrics")).text()
        assert answered == ("The bot is alive.", 200)
        await bot.stop()
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(said):
        for one in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(one.labels.items()))
            found[f"{one.name}{{{labels}}}"] = one.value
    pressed = found["tetsudo_interactions_total{kind=component}"]
    assert pressed > 0
    assert found["tetsudo_acknowledgement_seconds_count{kind=component}"] == pressed
    assert found["tetsudo_acknowledgement_seconds_bucket{kind=component,le=3.0}"] == pressed
    assert found["tetsudo_turn_shown_seconds_count{}"] > 0
    assert found["tetsudo_discord_requests_total{counted=yes,route=POST /channels/:id/messages,status=200}"] > 0
    assert (
        found["tetsudo_discord_requests_total{counted=no,route=POST /interactions/:id/:token/callback,status=200}"] > 0
    )
    assert found["tetsudo_games{state=running}"] == 1
    assert found["tetsudo_shards{}"] == found["tetsudo_shards_connected{}"] == 1
    assert found["tetsudo_servers{}"] == 1
    assert found["tetsudo_gateway_events_total{event=began}"] == 1
    assert found["tetsudo_gateway_sessions_left{}"] > 0
    assert found["tetsudo_database_seconds_count{kind=write}"] > 0
    assert found["tetsudo_notices_oldest_seconds{}"] < 60
    assert "tetsudo_build_info" in said


async def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with Server() as server:
            bot = await BotProcess(server, tmp_path / "games.sqlite3", TETSUDO_METRICS=str(port)).start(wait=False)
            await until(server, lambda: bot.ended, what="an end")
            assert f"TETSUDO_METRICS names 127.0.0.1:{port}, which cannot be used" in bot.log()


@pytest.mark.slow
async def test_a_turn_goes_out_without_pictures_while_what_draws_hangs(server: Server, database: Path) -> None:
    table = await party(server, database)
    hurried = {"TETSUDO_DRAWERS": "1", "TETSUDO_SEND_DEADLINE": "6"}
    async with BotProcess(server, table.database, real=True, **hurried) as bot:
        await table.begin()
        assert "could not be drawn" not in table.packet().text
        assert bot.process is not None
        drawers = await asyncio.to_thread(children, bot.process.pid)
        for drawer in drawers:
            os.kill(drawer, signal.SIGSTOP)
        await table.turn()
        await until(server, lambda: "could not be drawn" in table.packet().text, what="the turn")
        for drawer in drawers:
            os.kill(drawer, signal.SIGKILL)
        await bot.stop()


def children(process: int) -> list[int]:
    """What it has started: the drawers, and what tidies up after them."""
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
