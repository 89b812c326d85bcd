"""Signs go to Discord as its specification says, once."""

from __future__ import annotations

from pathlib import Path

from wire_people import until
from wire_process import BotProcess
from wire_server import Server
from wire_world import World

from bot.chat.signs import drawn


async def test_signs_are_uploaded_once(server: Server, database: Path) -> None:
    world, wanted = server.world, len(drawn())
    async with BotProcess(server, database, TETSUDO_SIGNS="on"):
        await until(server, lambda: len(world.emojis) == wanted, what="signs")
    first, before = dict(world.emojis), looked(world)
    async with BotProcess(server, database, TETSUDO_SIGNS="on"):
        await until(server, lambda: looked(world) > before, what="a look at what is there")
    assert world.emojis == first


def looked(world: World) -> int:
    """How often the bot has asked for the application's emojis."""
    return sum(method == "GET" and path.endswith("/emojis") for _, method, path, _ in world.requests)
