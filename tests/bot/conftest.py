"""A bot on a simulated Discord, with people to act as."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copy
from typing import Any

import light_discord
import pytest
import pytest_asyncio
from club import Club, read_code
from days import Day, Hand
from discord_spec import specification
from kept_file import KeptFile
from one_thread import in_one_thread as in_one_thread
from PIL import Image
from simcord.http import router

import renderer
from bot.chat import codes
from bot.chat.answers import explain
from bot.core.errors import UnknownControl
from bot.core.work import Work
from bot.house import House
from bot.settings import Settings, Wanted
from storage import Store

NAMES = ("aiko", "ben", "chloe", "daichi", "emma", "fumi", "goro")
SETTLE_SECONDS = 60.0
PATIENCE = 20.0
BUTTON, LIST = 2, 3
"""Discord's numbers of components."""
RIGHT: dict[str, Any] = {}
"""The commands that were last found right, by where they are sent to: the bot of each test sends them again."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow machines draw slowly: give every action a minute to settle."""
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here:
            item.add_marker(pytest.mark.simcord(settle_timeout=SETTLE_SECONDS))


@pytest.fixture
def hand() -> Hand:
    """The time, which the test sets."""
    return Hand()


@pytest.fixture(scope="session")
def kept_file(tmp_path_factory: pytest.TempPathFactory, new_file: Path) -> Iterator[KeptFile]:
    kept = KeptFile(copy(new_file, tmp_path_factory.mktemp("kept") / "games.sqlite3"))
    yield kept
    kept.close()


@pytest_asyncio.fixture
async def store(tmp_path: Path, new_file: Path, request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """An empty database; its clock is `hand` where the test asks for that, and otherwise the machine's.

    By what damage is noticed is left out, unless the test is about threads: a twelfth of what a test costs.
    """
    clock = {"clock": request.getfixturevalue("hand")} if "hand" in request.fixturenames else {}
    if request.node.get_closest_marker("threads") is None:
        opened = request.getfixturevalue("kept_file").store(**clock)
        yield opened
        await opened._db.close()
        return
    async with Store.open(copy(new_file, tmp_path / "games.sqlite3"), **clock) as opened:
        yield opened


@pytest_asyncio.fixture
async def day(club: Club, hand: Hand) -> Day:
    """The club by day, nothing of which happens unless the test lets time pass."""
    club.bot.sweep.cancel()
    made = Day(club, hand)
    await made.tick()
    return made


@pytest.fixture(autouse=True)
def on_light_discord(in_one_thread: pytest.MonkeyPatch) -> None:
    light_discord.use(in_one_thread)


@pytest.fixture(autouse=True)
def no_old_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulated Discord dates its messages long ago, and edits of old ones would wait for one another."""
    monkeypatch.setattr("bot.chat.messages.PAUSE", 0.0)
    monkeypatch.setattr("bot.chat.health.MOMENT", 0.0)


@pytest.fixture
def new_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message is old by the clock that tests move."""
    monkeypatch.setattr("bot.chat.messages.OLD", 2**40)


@pytest.fixture
def work() -> Iterator[Work]:
    with ThreadPoolExecutor(2) as pool:
        yield Work(pool)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the bot answers otherwise when it takes long is for the tests that ask for it, not for slow machines."""
    monkeypatch.setattr("bot.rooms.turn.choosing.FORM_SECONDS", PATIENCE)
    monkeypatch.setattr("bot.rooms.trying.screen.SECONDS", PATIENCE)


@pytest.fixture(autouse=True)
def valid_requests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything that the bot sends is as Discord's specification says, and the bot knows all controls it makes.

    Nor does an autocomplete offer a name twice.

    Without the specification's file only the controls are checked.
    """
    known, dispatch, wrong = specification(), router.dispatch, list[str]()

    def validated(backend: Any, method: str, path: str, *, json: Any = None, **rest: Any) -> Any:
        if json is None or json != RIGHT.get(path):
            look(method, path, json)
            if path.endswith("/commands") and not wrong:
                RIGHT[path] = json
        return dispatch(backend, method, path, json=json, **rest)

    def look(method: str, path: str, json: Any) -> None:
        wrong.extend(f"{method} {path}: {code} is no code" for code in codes_in(json) if not is_known(code))
        names = names_offered(json)
        wrong.extend(f"{method} {path}: {one} twice" for one in set(names) if names.count(one) > 1)
        if known is not None:
            wrong.extend(f"{method} {path}: {one}" for one in known.request_faults(method, path, json))

    monkeypatch.setattr(router, "dispatch", validated)
    yield
    assert wrong == []


def codes_in(body: Any) -> Iterator[str]:
    """The codes of all buttons and options in what is sent."""
    nodes = [body]
    while nodes:
        node = nodes.pop()
        if isinstance(node, list):
            nodes += node
        elif isinstance(node, dict):
            nodes += node.values()
            made = re.fullmatch(f"[a-z]:{codes.ID_PATTERN}", str(node["custom_id"])) if "custom_id" in node else None
            if made and node.get("type") == BUTTON:
                yield made["code"]
            if made and node.get("type") == LIST:
                yield from (one["value"] for one in node["options"])


def is_known(code: str) -> bool:
    """Whether the bot reads the code."""
    try:
        read_code(code)
    except UnknownControl:
        return False
    return True


def names_offered(body: Any) -> list[str]:
    """The names of the choices in an answer to typing."""
    data = body.get("data") if isinstance(body, dict) else None
    return [one["name"] for one in data.get("choices") or []] if isinstance(data, dict) else []


@pytest.fixture
def simcord_bot(store: Store, tmp_path: Path) -> House:
    return House(store, Settings(database=tmp_path / "games.sqlite3", shards=Wanted(count=1), thinkers=0))


@pytest.fixture
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is one white pixel."""
    pixel = io.BytesIO()
    Image.new("RGB", (1, 1), "white").save(pixel, "PNG")
    blank = renderer.Picture(pixel.getvalue(), 1, 1, "blank")
    for name in renderer.__all__:
        if name.endswith("_picture"):
            monkeypatch.setattr(renderer, name, lambda *args, **kwargs: blank)
    monkeypatch.setattr(renderer, "hexes_ahead", lambda *args: [])


@pytest.fixture(autouse=True)
def no_drawing(request: pytest.FixtureRequest) -> None:
    """With a club there are plain pictures, unless the test is marked `pictures`."""
    if "simcord_env" in request.fixturenames and request.node.get_closest_marker("pictures") is None:
        request.getfixturevalue("plain_pictures")


@pytest.fixture
def club(simcord_env: Any) -> Iterator[Club]:
    """A server with one channel, seven members, and the bot in it. Refusals are answers; other errors fail the test."""
    guild = simcord_env.create_guild("Club")
    channel = guild.create_text_channel("shikoku")
    members = [guild.add_member(simcord_env.create_user(name, global_name=name.title())) for name in NAMES]
    yield Club(simcord_env, guild, channel, members)
    assert [error for error in simcord_env.errors if explain(error) is None] == []
