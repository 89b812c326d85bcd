"""The real bot in its own process, over HTTP and WebSocket."""

from __future__ import annotations

from pathlib import Path

from wire_play import party, seq_of
from wire_process import BotProcess
from wire_server import Server


async def test_a_game_is_created_joined_started_and_played(server: Server, database: Path) -> None:
    table = await party(server, database)
    async with BotProcess(server, table.database, real=True) as bot:
        await table.begin()
        await table.plays(6)
        assert table.seq() >= 5
        assert seq_of(table.packet()) == table.seq()
        assert await bot.stop() == 0
        asked = [(method, path) for _, method, path, _ in server.world.requests]
        acknowledged = max(number for number, (_, path) in enumerate(asked) if path.endswith("/callback"))
        assert acknowledged < asked.index(("POST", f"/channels/{table.channel.id}/messages"), acknowledged)
