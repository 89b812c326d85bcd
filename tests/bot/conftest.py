"""A bot on a simulated Discord, with people to act as."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import simcord
from club import Club
from discord_spec import specification
from PIL import Image
from simcord.http import router

import renderer
from bot.settings import Settings
from bot.shards import Wanted
from bot.ui.answers import explain
from bot.ui.client import Bot
from storage import Store

NAMES = ("aiko", "ben", "chloe", "daichi", "emma", "fumi", "goro")
SETTLE_SECONDS = 60.0
LOOK_SECONDS = 0.01


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow machines draw slowly: give every action a minute to settle."""
    for item in items:
        if Path(item.fspath).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.simcord(settle_timeout=SETTLE_SECONDS))


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with Store.open(tmp_path / "games.sqlite3") as opened:
        yield opened


@pytest.fixture(autouse=True)
def no_old_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulated Discord dates its messages long ago, and edits of old ones would wait for one another."""
    monkeypatch.setattr("bot.ui.retirer.PAUSE", 0.0)


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulation looks every 50 ms whether the bot is done: that would be half of the time of these tests."""
    monkeypatch.setitem(simcord.Env._settle_internal.__kwdefaults__, "idle", LOOK_SECONDS)


@pytest.fixture(autouse=True)
def valid_requests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything that the bot sends is as Discord's specification says; without that file nothing is checked."""
    known, dispatch, wrong = specification(), router.dispatch, list[str]()

    def validated(backend: Any, method: str, path: str, *, json: Any = None, **rest: Any) -> Any:
        if known is not None:
            wrong.extend(f"{method} {path}: {one}" for one in known.request_faults(method, path, json))
        return dispatch(backend, method, path, json=json, **rest)

    monkeypatch.setattr(router, "dispatch", validated)
    yield
    assert wrong == []


@pytest.fixture
def simcord_bot(store: Store, tmp_path: Path) -> Bot:
    return Bot(store, Settings(database=tmp_path / "games.sqlite3", shards=Wanted(count=1)))


@pytest.fixture
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long games do without drawing: every picture is one white pixel."""
    pixel = io.BytesIO()
    Image.new("RGB", (1, 1), "white").save(pixel, "PNG")
    blank = renderer.Picture(pixel.getvalue(), 1, 1, "blank")
    for name in renderer.__all__:
        if name.endswith("_picture"):
            monkeypatch.setattr(renderer, name, lambda *args, **kwargs: blank)


@pytest.fixture
def club(simcord_env: Any) -> Iterator[Club]:
    """A server with one channel, seven members, and the bot in it. Refusals are answers; other errors fail the test."""
    guild = simcord_env.create_guild("Club")
    channel = guild.create_text_channel("shikoku")
    members = [guild.add_member(simcord_env.create_user(name, global_name=name.title())) for name in NAMES]
    yield Club(simcord_env, guild, channel, members)
    assert [error for error in simcord_env.errors if explain(error) is None] == []
