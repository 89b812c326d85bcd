"""Pictures drawn by processes of their own, which may die at any moment."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import forgetting
import pytest
import pytest_asyncio
from club import Club, buttons, text
from errands import ends, own_number, slow_once, wrong_view
from player import answer

import engine
import renderer
from bot.chat.screen import Image, Screen
from bot.core.errors import NotDrawn
from bot.core.work import Died, Drawers, Work
from bot.house import House
from bot.rooms.trying.lines import TryOuts
from bot.rooms.turn.pictures import add
from bot.settings import Settings
from engine.viewing import board_view
from renderer import Picture
from renderer.packing import DRAWN
from renderer.png import Drawing
from renderer.shared import SharedParts
from storage import Store

pytestmark = pytest.mark.long

MEGABYTE = 1 << 20


def first_map(number: int = 0) -> Drawing:
    """A map that no other call gives."""
    title = engine.build("1889", 3)
    view = board_view(title, engine.start(title, ("Aiko", "Ben", "Chloe")))
    return partial(renderer.map_picture, view, width=800 + number)


@pytest_asyncio.fixture
async def drawers() -> AsyncIterator[Drawers]:
    """Drawers of the test's own, which it may end."""
    made = Drawers(2, 8 * MEGABYTE)
    yield made
    made.close()


@pytest.fixture(scope="module")
def kept() -> Iterator[Drawers]:
    made = Drawers(2, 8 * MEGABYTE)
    yield made
    made.close()


@pytest.fixture
def lasting(kept: Drawers) -> Drawers:
    """Drawers that no test ends: to start them takes longer than most that they draw."""
    return kept


def slow() -> Picture:
    time.sleep(2)
    return first_map()()


def noted(note: Path) -> int:
    """The process that wrote the note, once it has."""
    until(lambda: note.exists() and bool(note.read_text()))
    return int(note.read_text())


def until(true: Callable[[], bool]) -> None:
    last = time.monotonic() + 60
    while not true():
        assert time.monotonic() < last
        time.sleep(0.02)


@pytest.mark.broad
async def test_a_drawer_draws_what_this_process_would_have_drawn(lasting: Drawers) -> None:
    there = await lasting.draw(first_map())
    assert there.png == first_map()().png
    assert (await lasting.draw(partial(own_number, 1))).width != os.getpid()


@pytest.mark.broad
async def test_a_drawer_killed_in_mid_picture_costs_nothing_but_time(drawers: Drawers, tmp_path: Path) -> None:
    note = tmp_path / "drawer"
    waiting = asyncio.create_task(drawers.draw(partial(slow_once, note, first_map())))
    beside = asyncio.create_task(drawers.draw(first_map(1)))
    os.kill(await asyncio.to_thread(noted, note), signal.SIGKILL)
    async with asyncio.timeout(60):
        assert (await waiting).png == first_map()().png
        assert (await beside).width == 801
    assert drawers.pool.broken == 1


@pytest.mark.broad
async def test_a_picture_that_kills_every_drawer_is_given_up_and_others_are_drawn(drawers: Drawers) -> None:
    with pytest.raises(NotDrawn):
        await drawers.draw(partial(ends))
    assert drawers.pool.broken == 2
    assert (await drawers.draw(first_map())).width == 800


@pytest.mark.slow
async def test_a_drawing_that_never_ends_is_given_up(
    drawers: Drawers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.core.work.SECONDS", 30.0)
    note = tmp_path / "drawer"
    async with asyncio.timeout(180):
        assert (await drawers.draw(partial(slow_once, note, first_map()))).width == 800
    drawer = noted(note)
    await asyncio.to_thread(until, lambda: not _runs(drawer))


async def test_what_drawing_raises_is_raised_here(lasting: Drawers) -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        await lasting.draw(partial(wrong_view))
    assert lasting.pool.broken == 0


def _runs(process: int) -> bool:
    """Whether it runs, and is not just waiting to be noticed as dead."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


# What they share


@pytest.mark.broad
async def test_what_one_drawer_has_drawn_no_other_draws_again_and_drawers_end_with_their_pool(
    drawers: Drawers,
) -> None:
    await drawers.draw(first_map())
    parts = SharedParts(drawers.parts, 8 * MEGABYTE)
    before = len(parts)
    assert before > 50
    for _ in range(8):
        await drawers.draw(first_map())
    assert len(parts) == before
    parts.close()
    drawer, folder = (await drawers.draw(partial(own_number, 2))).width, drawers.parts.parent
    assert folder.exists()
    drawers.close()
    await asyncio.to_thread(until, lambda: not _runs(drawer))
    assert not folder.exists(), "no file is left"


async def test_hexes_are_drawn_ahead_by_drawers_and_shared(lasting: Drawers) -> None:
    title = engine.build("1889", 3)
    view = board_view(title, engine.start(title, ("Aiko", "Ben", "Chloe")))
    forgetting.parts()
    parts = SharedParts(lasting.parts, 8 * MEGABYTE)
    DRAWN.share(parts)
    try:
        ahead = renderer.hexes_ahead(view)
        with ThreadPoolExecutor(1) as threads:
            for draw in ahead[:6]:
                await Work(threads, lasting).draw_part(draw)
        assert len(parts) >= 6
        assert len(renderer.hexes_ahead(view)) <= len(ahead) - 6
    finally:
        DRAWN.share(None)
        parts.close()


# In the bot


@pytest.mark.pictures
async def test_a_turn_goes_out_with_pictures_of_drawers(club: Club, lasting: Drawers) -> None:
    club.bot.work.drawers = lasting
    await club.begin(3)
    assert len(club.packet().attachments) == 1
    assert "could not be drawn" not in text(club.packet())


@pytest.mark.pictures
async def test_a_turn_goes_out_without_pictures_where_drawers_always_die_and_says_so(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(*_: Any, **__: Any) -> Picture:
        raise Died()

    dying = club.bot.work.drawers = Drawers(1, MEGABYTE)
    monkeypatch.setattr(dying.pool, "do", dies)
    try:
        table = await club.begin(3)
        packet = club.packet()
        assert not packet.attachments
        assert "The pictures could not be drawn this time; `/show` tries again." in text(packet)
        assert [user.id for user in packet.mentions] == [table.seats["p1"].user_id]
        assert "could not be drawn this time" in await answer(club.aiko.slash(club.channel, "show market"))
        await club.aiko.click(packet, label=next(one for one in buttons(packet) if one.startswith("Buy ")))
        assert table.position.seq == 1
    finally:
        club.bot.work.drawers = None
        dying.close()


async def test_a_message_goes_out_without_pictures_that_take_too_long_and_says_so(lasting: Drawers) -> None:
    async def pictured() -> Image:
        return Image("map.png", (await work.draw(lambda: partial(slow))).png, "")

    with ThreadPoolExecutor(1) as threads:
        work, screen = Work(threads, lasting, patience=0.1), Screen("Aiko must decide.")
        await add(screen, work, pictured())
    assert screen.text.startswith("Aiko must decide.\n-# The pictures could not be drawn this time")
    assert screen.images == []


def test_pictures_are_waited_for_half_as_long_as_sending_may_take(store: Store, tmp_path: Path) -> None:
    hasty = House(store, Settings(database=tmp_path / "games.sqlite3", send_deadline=8.0, thinkers=0))
    assert (hasty.work.patience, hasty.its(TryOuts).work.patience) == (4.0, 4.0)


async def test_drawers_share_the_file_of_parts_that_is_kept(store: Store, tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "games.sqlite3", drawers=1, thinkers=0)
    async with House(store, settings, parts=tmp_path / "parts.drawn") as house:
        assert house.work.drawers is not None
        assert house.work.drawers.parts == tmp_path / "parts.drawn"
