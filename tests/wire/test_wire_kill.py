"""`kill -9` at many crash points: no acknowledged action is lost or doubled, everybody is pinged exactly once."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest
from wire_checker import Checker, Wrong
from wire_crashes import CrashRun
from wire_people import PATIENCE, answered, buttons, until
from wire_play import Party, party, seq_of
from wire_process import BotProcess, rows, settled
from wire_server import Server
from wire_world import Message, Refusal


async def test_nothing_is_lost_or_doubled_when_the_bot_is_killed(tmp_path: Path) -> None:
    run = CrashRun(tmp_path, seed=1889)
    await run.run(5)
    assert sum(run.crashed_at.values()) == 5
    assert run.rows > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
async def test_nothing_is_lost_or_doubled_when_the_bot_is_killed_often(tmp_path: Path, seed: int) -> None:
    await CrashRun(tmp_path, seed).run(250)


async def test_the_real_program_is_killed_and_old_buttons_still_work(server: Server, database: Path) -> None:
    """`python -m bot` itself, without crash points or a fork server, killed while people play."""
    table = await party(server, database)
    async with BotProcess(server, table.database, real=True) as bot:
        await table.begin()
        checker = Checker(table, "1889", 3)
        await table.plays()
        packet = table.packet()
        await bot.kill()
        await bot.start()
        await settled(server, table.database)
        assert table.packet() is packet
        checker.check()
        await table.plays()
        checker.check()
        assert seq_of(table.packet()) == table.seq() >= 2


@pytest.mark.parametrize(("before", "after"), [(0, 250), (2100, 50)])
async def test_a_message_that_got_through_is_found_among_many_others(
    server: Server, bot: BotProcess, table: Party, before: int, after: int
) -> None:
    """The bot is killed right after posting, Discord forgets the nonce, and people talk before and after that."""
    packet = table.packet()
    for _ in range(before):
        server.world.said(table.channel, table.people[0].account, ago=10)
    await bot.dies_posting(table.up(packet).click(packet, buttons(packet)["Pass"]))
    shown = table.packet()
    for _ in range(after):
        server.world.said(table.channel, table.people[0].account)
    await bot.start()
    await settled(server, table.database)
    assert table.packet() is shown
    assert [one for user, one in server.world.pings if seq_of(one) == 1] == [shown]
    await table.turn()


@pytest.mark.parametrize("through", [True, False])
async def test_a_programs_move_and_its_message_outlast_a_kill_between_them(
    server: Server, bot: BotProcess, table: Party, through: bool
) -> None:
    """Whether the message got through or not: the next to move is asked once, and programs go on afterwards."""
    up, second, third = table.people
    await answered(server, await second.slash(table.channel, "pass", when="round"))
    posted, killed = asyncio.Event(), asyncio.Event()

    async def hold(verb: str, path: str) -> None:
        if verb == "POST" and path.endswith("/messages"):
            posted.set()
            await killed.wait()
            if not through:
                raise Refusal(503, 0, "nobody is there any more")

    (server.world.afters if through else server.world.faults).append(hold)
    packet = table.packet()
    await up.click(packet, buttons(packet)["Pass"])
    await asyncio.wait_for(posted.wait(), PATIENCE)
    assert table.seq() == 2
    await bot.kill()
    killed.set()
    server.world.afters.clear()
    server.world.faults.clear()
    await bot.start()
    await settled(server, table.database)
    assert table.up(table.packet()) is third
    assert [user for user, one in server.world.pings if seq_of(one) == 2] == [third.id]
    assert rows(table.database, "SELECT by_seat, note FROM log ORDER BY seq")[1][1] is None
    assert len(rows(table.database, "SELECT 1 FROM standing_orders WHERE body LIKE '%\"pass\"%'")) == 1


async def test_the_checker_finds_a_turn_pinged_twice_or_never(server: Server, table: Party) -> None:
    checker = Checker(table, "1889", 3)
    checker.check()
    server.world.pings.append(server.world.pings[-1])
    with pytest.raises(Wrong, match="pinged 2 times"):
        checker.check()
    del server.world.pings[-2:]
    with pytest.raises(Wrong, match="pinged 0 times"):
        checker.check()


# Opponents: what was moved stays, what was being thought is thought again


def seats(table: Party) -> list[tuple[str, int | None]]:
    """Who made each row of the log."""
    return rows(table.database, "SELECT by_seat, by_user FROM log WHERE game = ? ORDER BY seq", table.game)


def passed(table: Party, times: int) -> bool:
    return [seat for seat, _ in seats(table)].count("p1") >= times


def asked_anew(table: Party, before: Message) -> bool:
    """Whether another message has controls."""
    return any(buttons(one) for one in table.channel.messages.values() if one is not before)


async def test_opponents_go_on_after_the_bot_was_killed_while_they_thought(server: Server, database: Path) -> None:
    table = await party(server, database, people=1)
    async with BotProcess(server, table.database) as bot:
        await table.begin(opponents=2, level="regular")
        host = table.people[0]
        for number in range(1, 3):
            packet = table.packet()
            await host.click(packet, buttons(packet)["Pass"])
            await until(server, partial(passed, table, number), what="the pass")
            await bot.kill()
            known = seats(table)
            await bot.start()
            await until(server, partial(asked_anew, table, packet), what="the next turn")
            await settled(server, table.database)
            assert seats(table)[: len(known)] == known
        made = seats(table)
        assert [seat for seat, user in made if user is not None and user > 0] == ["p1"] * 2
        assert {seat for seat, user in made if user is not None and user < 0} == {"p2", "p3"}
        pinged = [one.text.count(f"<@{host.id}>, your turn") for one in table.channel.messages.values()]
        assert sum(pinged) == 1
