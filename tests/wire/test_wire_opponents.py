"""Opponents on a bot that is killed: what was moved stays, what was being thought is thought again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from wire_people import buttons, until
from wire_play import Party, party
from wire_process import BotProcess, rows, settled
from wire_server import Server
from wire_world import Message


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
