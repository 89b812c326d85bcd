"""Presses come over HTTP: what Discord signed is done once, by any process, whatever becomes of the one that serves."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families
from wire_checker import Checker
from wire_endpoint import Crowd, Endpoint, noticed, one_death
from wire_people import acknowledged, answered, buttons
from wire_play import Party, party, playing
from wire_process import BotProcess, free_port, rows, settled
from wire_server import Server
from wire_world import snowflake


@pytest.fixture
async def crowd(server: Server, address: str, tmp_path: Path) -> AsyncIterator[Crowd]:
    """Two processes that share four shards."""
    made = Crowd(server, address, tmp_path, WIRE_LOOKS="5", WIRE_STEADY="0.5")
    await made.start()
    await made.shared(1)
    await made.start()
    await made.shared(2)
    yield made
    await made.end()


async def figures(port: int) -> dict[str, float]:
    """What the bot counted, by name and label."""
    async with aiohttp.ClientSession() as host, host.get(f"http://127.0.0.1:{port}/metrics") as answer:
        found = text_string_to_metric_families(await answer.text())
        return {"".join([one.name, *one.labels.values()]): one.value for family in found for one in family.samples}


def ping(**more: Any) -> bytes:
    return json.dumps({"id": str(snowflake()), "type": 1, "token": "t", "version": 1} | more).encode()


async def test_what_discord_signed_lately_is_believed_and_nothing_else(server: Server, tmp_path: Path) -> None:
    endpoint, port, watched = Endpoint(server), free_port(), free_port()
    endpoint.open = [port]
    settings = endpoint.settings(port) | {"TETSUDO_METRICS": str(watched)}
    async with BotProcess(server, tmp_path / "games.sqlite3", real=False, **settings):
        body = ping()
        good = endpoint.signed(body)
        assert await endpoint.post(body, good) == (200, '{"type": 1}')
        other = Endpoint(Server()).signed(body)
        without = {"Content-Type": "application/json"}
        short = good | {"X-Signature-Ed25519": good["X-Signature-Ed25519"][:-2]}
        unlike = good | {"X-Signature-Timestamp": str(int(good["X-Signature-Timestamp"]) - 1)}
        for headers in (other, without, short, unlike, good | {"X-Signature-Ed25519": "no hex"}):
            assert (await endpoint.post(body, headers))[0] == 401
        assert (await endpoint.post(body.replace(b'"t"', b'"u"'), good))[0] == 401
        for seconds in (-60, 60):
            assert (await endpoint.post(body, endpoint.signed(body, time.time() + seconds)))[0] == 401
        for unreadable in (b"no json", b"[]", ping(type=9), ping(id="x")):
            assert (await endpoint.post(unreadable, endpoint.signed(unreadable)))[0] == 400
        assert (await endpoint.post(body, good, "/"))[0] == 404
        counted = await figures(watched)
    refused = {why: counted[f"tetsudo_endpoint_refused_total{why}"] for why in ("forged", "unsigned", "stale")}
    assert refused == {"forged": 5, "unsigned": 1, "stale": 2}
    assert counted["tetsudo_endpoint_refused_totalunreadable"] == 4


async def test_one_process_on_a_file_plays_over_http(server: Server, tmp_path: Path) -> None:
    """Commands, presses, lists that complete what is typed, and forms; what comes twice is done once."""
    endpoint, port, watched = Endpoint(server), free_port(), free_port()
    endpoint.open = [port]
    settings = endpoint.settings(port) | {"TETSUDO_METRICS": str(watched)}
    async with BotProcess(server, tmp_path / "games.sqlite3", real=False, **settings) as bot:
        table = await playing(server, bot.database)
        checker = Checker(table, "1889", 3)
        table.twice = 1.0
        await table.plays(3)
        checker.check()
        await looks_and_writes(table)
        counted = await figures(watched)
    assert set(endpoint.replies) == {202}
    assert counted["tetsudo_endpoint_refused_totalreplayed"] >= 3
    assert counted["tetsudo_acknowledgement_seconds_countcomponent"] >= 3


async def looks_and_writes(table: Party) -> None:
    """Somebody completes a word, and writes a note in a form."""
    server, person = table.server, table.people[0]
    typed = await acknowledged(server, await person.complete(table.channel, "game create", "title", "18"))
    assert typed.choices
    more = await answered(server, await person.click(table.packet(), buttons(table.packet())["More…"]))
    hand = await answered(server, await person.click(more, buttons(more)["My hand"]))
    opened = await acknowledged(server, await person.click(hand, buttons(hand)["Note…"]))
    assert opened.modal is not None
    written = await person.fill(table.channel, opened.modal, note="Buy the 5")
    assert "Buy the 5" in (await answered(server, written)).text


async def test_a_press_reaches_the_process_that_serves_its_game_through_any_other(server: Server, crowd: Crowd) -> None:
    table = await party(server, crowd.address, shard=(3, 4))
    serves = crowd.serving(table)
    crowd.endpoint.open.remove(serves)
    await table.begin()
    checker = Checker(table, "1889", 3)
    await table.plays(2)
    await looks_and_writes(table)
    checker.check()
    assert set(crowd.endpoint.replies) == {202}
    assert rows(crowd.address, "SELECT count(*) FROM inbox WHERE borrowed") == [(0,)]


async def test_who_presses_does_not_notice_that_the_process_that_serves_their_game_is_killed(
    server: Server, crowd: Crowd
) -> None:
    """Each press is answered within Discord's three seconds and done once; nobody reads of any trouble."""
    table = await playing(server, crowd.address, shard=(3, 4))
    checker = Checker(table, "1889", 3)
    server.world.ack_seconds = 3.0
    for number in range(2):
        await one_death(crowd, table, number)
        checker.check()
        if not number:
            await crowd.start()
            await crowd.shared(2)
    assert set(crowd.endpoint.replies) == {202}


async def test_nobody_notices_that_the_process_that_serves_their_game_is_frozen(server: Server, crowd: Crowd) -> None:
    """For ten seconds nobody serves the game: presses are acknowledged, forms open, and what they ask is done then."""
    table = await playing(server, crowd.address, shard=(3, 4))
    checker = Checker(table, "1889", 3)
    person = table.people[0]
    more = await answered(server, await person.click(table.packet(), buttons(table.packet())["More…"]))
    hand = await answered(server, await person.click(more, buttons(more)["My hand"]))
    server.world.ack_seconds = 3.0
    port = crowd.serving(table)
    frozen = crowd.bots[port]
    crowd.endpoint.open.remove(port)
    assert frozen.process is not None
    frozen.process.send_signal(signal.SIGSTOP)
    opened = await acknowledged(server, await person.click(hand, buttons(hand)["Note…"]))
    assert opened.modal is not None
    typed = await acknowledged(server, await person.complete(table.channel, "game create", "title", "18"))
    assert typed.choices
    written = await acknowledged(server, await person.fill(table.channel, opened.modal, note="Buy the 5"))
    asked = await acknowledged(server, await person.slash(table.channel, "game status"))
    await asyncio.sleep(1.5)
    answers = [*asked.answers, *written.answers]
    assert not answers or crowd.serving(table) != port  # that is for whoever takes over, who may be there already
    await table.turn()
    assert "1889" in (await answered(server, asked)).text
    assert "Buy the 5" in (await answered(server, written)).text
    assert {how for (how,) in rows(crowd.address, "SELECT borrowed FROM inbox WHERE id = ?", written.id)} == {True}
    frozen.process.send_signal(signal.SIGCONT)
    await crowd.shared(2)
    await settled(server, crowd.address)
    checker.check()
    assert len(written.said) == 1
    assert [noticed(one) for one in (written, *table.presses)] == [[], *[[] for _ in table.presses]]
    assert not rows(crowd.address, "SELECT 1 FROM inbox WHERE body IS NOT NULL")


async def test_a_press_that_was_done_but_not_finished_is_not_done_again(server: Server, crowd: Crowd) -> None:
    """As if who served had died just after its transaction: it is taken anew, and the person reads nothing of it."""
    table = await playing(server, crowd.address, shard=(3, 4))
    checker = Checker(table, "1889", 3)
    given = await table.turn()
    await settled(server, crowd.address)
    said = list(given.said)
    (before,) = rows(crowd.address, "SELECT count(*) FROM log")
    rows(
        crowd.address,
        "UPDATE inbox SET body = ?, process = NULL WHERE id = ? RETURNING id",
        *(json.dumps(given.payload), given.id),
    )

    def done() -> bool:
        return not rows(crowd.address, "SELECT 1 FROM inbox WHERE body IS NOT NULL")

    for _ in range(200):
        if done():
            break
        await asyncio.sleep(0.1)
    assert done()
    assert rows(crowd.address, "SELECT count(*) FROM log") == [before]
    assert given.said == said
    checker.check()
