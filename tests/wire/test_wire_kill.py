"""`kill -9` at many points: nothing acknowledged is lost, nothing is there twice, nobody is pinged twice or never."""

from __future__ import annotations

from pathlib import Path

import pytest
from wire_deaths import Deaths
from wire_oracle import Oracle, Wrong
from wire_play import party, seq_of
from wire_process import BotProcess, settled
from wire_server import Server


async def test_nothing_is_lost_or_doubled_when_the_bot_is_killed(tmp_path: Path) -> None:
    deaths = Deaths(tmp_path, seed=1889)
    await deaths.run(16)
    assert sum(deaths.where.values()) == 16
    assert deaths.rows > 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
async def test_nothing_is_lost_or_doubled_when_the_bot_is_killed_often(tmp_path: Path, seed: int) -> None:
    await Deaths(tmp_path, seed).run(250)


async def test_the_real_program_is_killed_and_old_buttons_still_work(tmp_path: Path) -> None:
    """Without anything between: `python -m bot`, killed while people play."""
    async with Server() as server:
        table = await party(server, tmp_path / "games.sqlite3")
        async with BotProcess(server, table.database, real=True) as bot:
            await table.begin()
            oracle = Oracle(table, "1889", 3)
            await table.turn()
            await settled(server, table.database)
            packet = table.packet()
            await bot.kill()
            await bot.start()
            await settled(server, table.database)
            assert table.packet() is packet
            oracle.check()
            await table.turn()
            await settled(server, table.database)
            oracle.check()
            assert seq_of(table.packet()) == table.seq() >= 2


async def test_the_look_afterwards_finds_what_is_wrong(tmp_path: Path) -> None:
    async with Server() as server:
        table = await party(server, tmp_path / "games.sqlite3")
        async with BotProcess(server, table.database):
            await table.begin()
            oracle = Oracle(table, "1889", 3)
            oracle.check()
            server.world.pings.append(server.world.pings[-1])
            with pytest.raises(Wrong, match="pinged 2 times"):
                oracle.check()
            del server.world.pings[-2:]
            with pytest.raises(Wrong, match="pinged 0 times"):
                oracle.check()
