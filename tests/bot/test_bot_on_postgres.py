"""The bot on PostgreSQL: a game from its creation through a restart, and a server that is gone for a while."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator

import pytest_asyncio
from club import Club, buttons, text
from player import private_answer
from postgres_server import PostgresServer
from test_exchange import record

from bot.rooms.seats import lobby
from bot.rooms.seats.game_files import bring_in, replay
from storage import Store


@pytest_asyncio.fixture
async def store(address: str) -> AsyncIterator[Store]:
    async with Store.open(address) as opened:
        yield opened


async def test_a_game_is_played_undone_and_gone_on_with_after_a_restart(club: Club) -> None:
    table = await club.begin(3)
    for _ in range(4):
        await club.who(str(table.position.up[0]), table).click(club.packet(), label="Pass")
    await club.undo(club.aiko)
    assert len(table.moves) == 3
    await club.restart()
    table = await club.table()
    assert len(table.moves) == 3
    await club.who(str(table.position.up[0]), table).click(club.packet(), label="Pass")
    assert len((await club.table()).moves) == 4
    assert await club.bot.store.check() == []
    assert await club.bot.store.outbox.waiting() == 0


async def test_a_press_while_the_server_is_gone_is_answered_and_counts_once_later(
    club: Club, postgres: PostgresServer
) -> None:
    table = await club.begin(2)
    packet, seq = club.packet(), table.position.seq
    await asyncio.to_thread(postgres.stop, signal.SIGQUIT)
    result = await club.aiko.click(packet, label="Pass")
    assert "cannot" in text(private_answer(result)) or "not known" in text(private_answer(result))
    await asyncio.to_thread(postgres.start)
    await club.aiko.click(packet, label="Pass")
    assert (await club.table()).position.seq == seq + 1
    assert buttons(club.packet())
    assert await club.bot.store.check() == []


async def test_people_who_accept_at_once_begin_the_game_once(club: Club) -> None:
    """Here their transactions run side by side."""
    played, store = replay(await record(club, 1)), club.bot.store
    users = [member.id for member in club.members[:3]]
    for channel in range(5, 10):
        game = await bring_in(store, played, users, channel=channel, guild=club.guild.id, host=users[0])
        begun = await asyncio.gather(*(lobby.accept(store, game, user, None) for user in users))
        assert sorted(begun) == [False, False, True]
