"""The tests of the wire run on slow and busy machines too, and no body goes over the wire that Discord would refuse."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from wire_play import Party, playing
from wire_process import BotProcess
from wire_server import Server
from wire_world import World

PATIENT = 20.0
"""Seconds in which to acknowledge, where a test is about something else. Discord gives 3."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A bot killed in the middle of a body makes the stand-in's own reader of forms warn."""
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here:
            item.add_marker(pytest.mark.filterwarnings("ignore:unread_data:DeprecationWarning"))


@pytest.fixture(autouse=True)
def worlds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[World]]:
    """Every stand-in of a test: it waits longer than Discord does, unless the test sets its own limit.

    In the end all that the bot sent and all that the stand-in answered is as Discord's specification says. A test that
    sends what is wrong empties the lists itself.
    """
    begin = World.__init__
    made: list[World] = []

    def lenient(world: World) -> None:
        begin(world)
        world.ack_seconds = PATIENT
        made.append(world)

    monkeypatch.setattr(World, "__init__", lenient)
    yield made
    for world in made:
        assert world.invalid == []
        assert world.misanswered == []
        assert world.deprecated == []


@pytest_asyncio.fixture
async def server(worlds: list[World]) -> AsyncIterator[Server]:
    async with Server() as made:
        yield made


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest_asyncio.fixture
async def bot(server: Server, database: Path) -> AsyncIterator[BotProcess]:
    """A bot that runs. Who needs other settings than the usual ones starts it in the test."""
    async with BotProcess(server, database) as made:
        yield made


@pytest_asyncio.fixture
async def table(bot: BotProcess) -> Party:
    """Three people, whose game has begun."""
    return await playing(bot.server, bot.database)
