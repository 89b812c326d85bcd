"""Maps are drawn ahead while nobody waits for a picture, hex by hex."""

from __future__ import annotations

import asyncio
import stat
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import forgetting
import pytest
import pytest_asyncio
from club import Club
from PIL import Image
from test_drawers import until

import engine
import renderer
from bot import main
from bot.core.position import Position
from bot.core.work import Work
from bot.rooms.turn import pictures
from bot.rooms.turn.pictures import Ahead
from bot.settings import Settings
from engine.ids import HexId
from engine.viewing import board_view
from engine.views import BoardView
from renderer import packing, tiles
from renderer.shared import SharedParts
from storage import Address


def position(title_id: str, work: Work) -> Position:
    title = engine.build(title_id, 3)
    return Position(title, engine.start(title, ("Aiko", "Ben", "Chloe")), 0, {}, work)


async def idle(ahead: Ahead) -> None:
    """Wait until nothing is left to be drawn ahead."""
    if ahead._task is not None:
        await ahead._task


@pytest.mark.parametrize("local_names", [False, True])
@pytest.mark.broad
def test_hexes_drawn_ahead_are_not_drawn_for_the_pictures(monkeypatch: pytest.MonkeyPatch, local_names: bool) -> None:
    title = engine.build("1890", 3)
    whole = board_view(title, engine.start(title, ("a", "b", "c")))
    view = replace(whole, hexes=whole.hexes[:40:3])
    forgetting.parts()
    for draw in renderer.hexes_ahead(view, local_names):
        draw()
    assert renderer.hexes_ahead(view, local_names) == []
    monkeypatch.setattr(tiles, "draw_ground", None)
    monkeypatch.setattr(tiles, "HexArt", None)
    some = [one.id for one in view.hexes]
    renderer.map_picture(view, local_names=local_names)
    renderer.map_picture(view, focus=some[:1], local_names=local_names)
    renderer.map_picture(view, focus=some[:7], local_names=local_names)
    with pytest.raises(TypeError):
        renderer.map_picture(replace(view, hexes=tuple(replace(one, name="New") for one in view.hexes)))


@pytest.mark.broad
def test_drawing_ahead_drops_nothing_that_is_in_use(tmp_path: Path) -> None:
    title = engine.build("1889", 3)
    view = board_view(title, engine.start(title, ("a", "b", "c")))
    forgetting.parts()
    parts = SharedParts(tmp_path / "parts.drawn", 8 << 20)
    packing.DRAWN.share(parts)
    try:
        before = forgetting.held()
        for draw in renderer.hexes_ahead(view):
            draw()
        assert len(parts) > 50
        assert packing.DRAWN._kept.total == 0
        assert forgetting.held() - before < 3 << 20  # letters
    finally:
        packing.DRAWN.share(None)
        parts.close()


@pytest.mark.second
async def test_whoever_waits_for_a_picture_goes_first(monkeypatch: pytest.MonkeyPatch, work: Work) -> None:
    """At most the hex that is being drawn comes before the end of a picture."""
    order: list[str] = []
    monkeypatch.setattr(renderer, "hexes_ahead", lambda *_: [partial(order.append, "hex")] * 400)
    drawing = asyncio.Event()

    def prepare() -> partial[renderer.Picture]:
        loop.call_soon_threadsafe(drawing.set)
        return partial(renderer.Picture, b"", 0, 0, "")

    loop = asyncio.get_running_loop()
    drawn = Ahead(work)
    drawn.add("game", position("1889", work))
    await asyncio.to_thread(until, lambda: len(order) >= 5)
    for _ in range(5):
        before = len(order)
        await work.draw(prepare)
        assert len(order) <= before + 1
        await asyncio.sleep(0.01)
    await idle(drawn)
    assert order == ["hex"] * 400


@pytest.mark.second
@pytest.mark.threads
async def test_a_game_that_goes_on_is_drawn_as_it_is_now(monkeypatch: pytest.MonkeyPatch, work: Work) -> None:
    seen: list[int] = []

    def hexes(view: object, local: bool) -> list[Callable[[], None]]:
        return [partial(draw, len(boards)) for _ in range(30)]

    def draw(board: int) -> None:
        seen.append(board)
        if len(seen) == 5:
            went_on.wait(60)

    boards: list[int] = []
    went_on = threading.Event()
    monkeypatch.setattr(renderer, "hexes_ahead", hexes)
    drawn, here = Ahead(work), position("1889", work)
    drawn.add("game", here)
    await asyncio.to_thread(until, lambda: len(seen) == 5)
    boards.append(1)
    drawn.add("game", here)
    went_on.set()
    await idle(drawn)
    assert 0 < seen.count(0) < 30
    assert seen[-30:] == [1] * 30


async def test_only_so_many_games_wait_to_be_drawn(monkeypatch: pytest.MonkeyPatch, work: Work) -> None:
    monkeypatch.setattr(pictures, "MOST", 3)
    count: list[int] = []
    monkeypatch.setattr(renderer, "hexes_ahead", lambda *_: [partial(count.append, 1)])
    drawn, here = Ahead(work), position("1889", work)
    for number in range(10):
        drawn.add(str(number), here)
    await idle(drawn)
    assert len(count) == 3


async def test_a_map_that_cannot_be_drawn_ahead_stops_no_other(
    monkeypatch: pytest.MonkeyPatch, work: Work, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[int] = []

    def hexes(view: object, local: bool) -> list[Callable[[], None]]:
        done.append(1)
        raise ValueError("no such hex")

    monkeypatch.setattr(renderer, "hexes_ahead", hexes)
    drawn, here = Ahead(work), position("1889", work)
    drawn.add("one", here)
    drawn.add("other", here)
    await idle(drawn)
    assert len(done) == 2
    assert caplog.text.count("was not drawn ahead") == 2
    await drawn.close()


# In the bot


@pytest_asyncio.fixture
async def eager(club: Club) -> AsyncIterator[Club]:
    club.bot.ahead = club.bot.keep(Ahead(club.bot.work))
    yield club
    await club.bot.ahead.close()


@pytest.mark.pictures
async def test_after_a_turn_went_out_its_map_is_drawn_ahead(eager: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[HexId] = []

    def hexes(view: BoardView, local: bool) -> list[Callable[[], None]]:
        shown.extend(one.id for one in view.hexes)
        return []

    monkeypatch.setattr(renderer, "hexes_ahead", hexes)
    await eager.begin(3)
    await idle(eager.bot.ahead)
    assert "K8" in shown


async def test_parts_are_kept_beside_the_games_and_stay(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "games.sqlite3")
    for known in (False, True):
        async with main.kept_parts(settings) as parts:
            assert parts == tmp_path / "games.sqlite3.drawn"
            assert packing.DRAWN.has("a hex in a test") is known
            packing.DRAWN.draw_ahead("a hex in a test", lambda: (Image.new("L", (1, 1)), 0, 0))
    assert stat.S_ISREG(parts.stat().st_mode)
    assert not packing.DRAWN.has("a hex in a test")


async def test_with_a_server_parts_go_with_the_bot() -> None:
    settings = Settings(database=Address("postgresql://nowhere/games"))
    async with main.kept_parts(settings) as parts:
        packing.DRAWN.draw_ahead("a hex in a test", lambda: (Image.new("L", (1, 1)), 0, 0))
        assert parts.exists()
    assert not parts.parent.exists()
