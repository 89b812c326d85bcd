"""Trouble on the wire: connections that break, requests that fail, presses that come twice, late or at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from wire_people import PATIENCE, acknowledged, answered, buttons, until
from wire_play import Party, moves, party, pick, playing, seq_of, shown
from wire_process import BotProcess, rows, settled
from wire_server import Server
from wire_world import Refusal

Step = Callable[[str, str], Awaitable[None]]


def failing(table: Party, times: int, refusal: Refusal, *, method: str = "") -> Step:
    """The next requests that post to or edit in the table's channel fail."""
    left = times

    async def step(verb: str, path: str) -> None:
        nonlocal left
        if str(table.channel.id) in path and verb in ("POST", "PATCH") and method in verb and left > 0:
            left -= 1
            raise refusal

    return step


def hanging(table: Party, first: asyncio.Event, others: asyncio.Event) -> Step:
    """The next post in the table's channel hangs until `first`, those after it until `others`."""
    waits = first

    async def step(verb: str, path: str) -> None:
        nonlocal waits
        if verb == "POST" and path == f"/channels/{table.channel.id}/messages":
            one, waits = waits, others
            await one.wait()

    return step


async def test_failing_requests_delay_one_table_and_no_other(server: Server, database: Path) -> None:
    async with BotProcess(server, database, TETSUDO_SEND_DEADLINE="3", WIRE_PAUSE="1"):
        tables = [await party(server, database, name=f"rails{number}") for number in range(5)]
        for table in tables:
            await table.begin()
        calm, *troubled = tables
        world = server.world
        limited = Refusal(429, 0, "You are being rate limited.", {"Retry-After": "1.5"})
        world.faults += [
            failing(troubled[0], 1, Refusal(500, 0, "Internal Server Error")),
            failing(troubled[1], 1, limited),
            hanging(troubled[2], at_the_end := asyncio.Event(), later := asyncio.Event()),
        ]
        world.afters.append(failing(troubled[3], 1, Refusal(502, 0, "Bad Gateway"), method="POST"))
        turns = [asyncio.create_task(one.turn()) for one in troubled]
        for _ in range(2):
            await calm.turn()
        await asyncio.gather(turns[0], turns[1], turns[3])
        assert not turns[2].done()
        later.set()
        await turns[2]  # the bot has given up waiting for the first request, and tried again
        for table in tables:
            await shown(table)
        at_the_end.set()
        world.faults.clear()
        for table in tables:
            assert len({one.id for one in table.channel.messages.values() if seq_of(one) == table.seq()}) == 1
            await table.turn()


@pytest.mark.slow
async def test_broken_connections_are_made_again_and_nothing_is_missed(
    server: Server, bot: BotProcess, table: Party
) -> None:
    await server.drop()
    missed = await table.people[0].slash(table.channel, "game status")  # sent while nobody listens
    assert "waiting" in (await answered(server, missed)).text or missed.answers
    assert server.resumed == 1
    await server.invalidate(resumable=True)
    await until(server, lambda: server.resumed == 2, what="another resumption")
    identified = server.identified
    await server.invalidate(resumable=False)
    await until(server, lambda: server.identified == identified + 1, what="another session")
    for _ in range(4):
        await server.drop()
        await until(server, lambda: server.connected == 1, what="a connection")
    await server.drop(forget=True)
    await until(server, lambda: server.identified == identified + 2, what="another session")
    await table.plays()
    assert seq_of(table.packet()) == table.seq()
    assert not bot.ended


async def test_presses_that_come_twice_or_together_act_once(server: Server, table: Party) -> None:
    packet = table.packet()
    person, button = table.up(packet), buttons(packet)["Pass"]
    given = await person.click(packet, button, copies=3)
    await until(server, lambda: table.seq() == 1, what="the action")
    await settled(server, table.database)
    assert table.seq() == 1
    assert given.said == []  # nothing but the public message tells of it

    # In two clients at once, and by people who are not up
    packet = table.packet()
    person, button = table.up(packet), buttons(packet)["Pass"]
    others = [one for one in table.people if one is not person]
    both = [await person.click(packet, button), await person.click(packet, button)]
    wrong = [await one.click(packet, button) for one in others]
    for one in [*both, *wrong]:
        await acknowledged(server, one)
    await until(server, lambda: table.seq() == 2, what="the action")
    await settled(server, table.database)
    assert table.seq() == 2
    await until(server, lambda: sum(bool(one.said) for one in both) == 1, what="one answer that it was too late")
    assert "moved on" in "".join(both[0].said + both[1].said)
    await until(server, lambda: all(one.said for one in wrong), what="refusals")


async def test_a_press_too_late_to_answer_does_nothing_and_one_whose_acknowledgement_is_lost_acts(
    server: Server, bot: BotProcess, table: Party
) -> None:
    packet = table.packet()
    server.world.ack_seconds = 3.0
    late = await table.up(packet).click(packet, buttons(packet)["Pass"], late=3.5)
    await until(server, lambda: "too late to answer" in bot.log(), what="a note of it")
    assert late.acked is None
    server.world.ack_seconds = 20.0
    assert table.seq() == 0

    async def lost(verb: str, path: str) -> None:
        if path.endswith("/callback"):
            server.world.afters.clear()
            raise Refusal(502, 0, "Bad Gateway")

    server.world.afters.append(lost)  # discord.py sends the acknowledgement again
    await table.up(packet).click(packet, buttons(packet)["Pass"])
    await until(server, lambda: table.seq() == 1, what="the action")


@pytest.mark.parametrize("when", ["faults", "afters"])
async def test_a_press_counts_though_the_connection_breaks_as_it_is_acknowledged(
    server: Server, table: Party, when: str
) -> None:
    steps = getattr(server.world, when)

    async def cut(verb: str, path: str) -> None:
        if path.endswith("/callback"):
            steps.clear()
            raise asyncio.CancelledError  # closes the connection without an answer

    steps.append(cut)
    given = await table.passes()
    await until(server, lambda: table.seq() == 1 or bool(given.said), what="the action")
    assert table.seq() == 1, given.said


async def test_limits_for_each_channel_are_kept(server: Server, table: Party) -> None:
    """With Discord's five messages in five seconds, a fast table is slowed down and nothing gets lost."""
    server.world.rate = (3, 2.0)
    for _ in range(6):
        packet = table.packet()
        await table.press(packet, table.up(packet), pick(table.chance, moves(packet)))
        await asyncio.sleep(0.05)
    await settled(server, table.database)
    assert seq_of(table.packet()) == table.seq()


async def test_a_send_that_is_given_up_while_all_must_wait_lets_the_others_go_on(
    server: Server, database: Path
) -> None:
    async with BotProcess(server, database, TETSUDO_SEND_DEADLINE="1", WIRE_PAUSE="1") as bot:
        table = await playing(server, database)
        everywhere = {"Retry-After": "2", "X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
        server.world.faults.append(failing(table, 1, Refusal(429, 0, "You are being rate limited.", everywhere)))
        await table.plays()
        assert "Global rate limit" in bot.log()
        assert seq_of(table.packet()) == table.seq()


@pytest.mark.parametrize("asked", ["/users/@me", "/gateway/bot", "/applications"])
async def test_a_bot_that_is_told_to_end_while_it_starts_ends_quietly(
    server: Server, database: Path, asked: str
) -> None:
    came, never = asyncio.Event(), asyncio.Event()

    async def hanging_there(verb: str, path: str) -> None:
        if path.startswith(asked):
            came.set()
            await never.wait()

    server.world.faults.append(hanging_there)
    bot = BotProcess(server, database)
    await bot.start(wait=False)
    await asyncio.wait_for(came.wait(), PATIENCE)
    assert await bot.stop() == 0, bot.log()
    assert "cannot" not in bot.log()
    never.set()


async def test_what_was_pressed_just_before_the_bot_is_told_to_end_is_done(
    server: Server, bot: BotProcess, table: Party
) -> None:
    came = asyncio.Event()

    async def slow(verb: str, path: str) -> None:
        if path.endswith("/callback"):
            came.set()
            await asyncio.sleep(0.3)

    server.world.faults.append(slow)
    await table.passes()
    await asyncio.wait_for(came.wait(), PATIENCE)
    assert await bot.stop() == 0
    assert table.seq() == 1
    assert "Traceback" not in bot.log()


@pytest.mark.parametrize("status", [401, 503])
async def test_what_no_setting_can_mend_ends_a_start_in_another_way_than_a_wrong_token(
    server: Server, database: Path, status: int
) -> None:
    """By the first systemd starts the bot again, and not by the second."""
    server.world.faults.append(AsyncMock(side_effect=Refusal(status, 0, "No")))
    bot = BotProcess(server, database)
    assert await bot.fails() == {401: 2, 503: 1}[status], bot.log()


async def test_a_second_bot_on_the_same_games_refuses_to_start(server: Server, database: Path, tmp_path: Path) -> None:
    async with BotProcess(server, database) as bot:
        second = BotProcess(server, bot.database)
        second.log_file = tmp_path / "second.log"
        assert await second.fails() == 1
        assert "Another process" in second.log()
        assert bot.process is not None
        assert str(bot.process.pid) in second.log()
        await bot.kill()
        async with BotProcess(server, bot.database):
            assert rows(bot.database, "SELECT count(*) FROM games") == [(0,)]
