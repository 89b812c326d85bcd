"""Copies of a game in memory: they know when they are old, and reading them writes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import AsyncMock

import pytest
import pytest_asyncio

from bot.core import desks
from bot.core.errors import Outdated
from bot.core.table_settings import TableSettings
from bot.core.tables import Tables
from bot.core.work import Work
from engine.actions import Pass
from engine.ids import PlayerId
from programs import PassAhead
from storage import Game, LogRow, Store, Unavailable

P1, P2 = PlayerId("p1"), PlayerId("p2")


async def begun(store: Store, title: str, options: str = "[]", channel: int = 7) -> Game:
    game = await store.create_game(channel_id=channel, host_id=1, title=title, options=options)
    for user in (1, 2, 3):
        await store.join(game.id, user, f"P{user}", limit=3)
    return await store.start_game(game.id)


@pytest_asyncio.fixture
async def two(store: Store) -> AsyncIterator[tuple[Tables, Tables]]:
    """The tables of two processes on one file."""
    with ThreadPoolExecutor(1) as executor:
        yield Tables(store, Work(executor)), Tables(store, Work(executor))


async def test_a_copy_reads_on_when_another_process_has_moved(store: Store, two: tuple[Tables, Tables]) -> None:
    game = await begun(store, "1889")
    mine, theirs = [await one.get(game.id) for one in two]
    await mine.submit(Pass(P1), user=1)
    assert theirs.position.seq == 0
    assert (await two[1].get(game.id)).position.seq == 1
    assert theirs.position.seq == 1  # the same copy, with its lock


async def test_a_press_on_a_newer_position_than_the_copy_counts(store: Store, two: tuple[Tables, Tables]) -> None:
    game = await begun(store, "1889")
    mine, theirs = [await one.get(game.id) for one in two]
    await mine.submit(Pass(P1), user=1)
    await theirs.submit(Pass(P2), user=2, seen=1)
    assert [one.action for one in (await two[0].get(game.id)).moves] == [Pass(P1), Pass(P2)]


async def test_a_press_on_an_earlier_position_is_refused(store: Store, two: tuple[Tables, Tables]) -> None:
    game = await begun(store, "1889")
    mine, theirs = [await one.get(game.id) for one in two]
    await mine.submit(Pass(P1), user=1)
    with pytest.raises(Outdated):
        await theirs.submit(Pass(P1), user=1, seen=0)


async def test_a_program_switched_on_in_another_process_is_carried_out(
    store: Store, two: tuple[Tables, Tables]
) -> None:
    game = await begun(store, "1889")
    mine, theirs = [await one.get(game.id) for one in two]
    await desks.enable(mine, P2, PassAhead(span="once"))
    await theirs.submit(Pass(P1), user=1)
    assert [one.action.by for one in theirs.moves] == ["p1", "p2"]
    assert (await two[0].get(game.id)).orders.desk(P2).kept == ()


async def test_other_settings_reach_every_copy_without_a_new_position(store: Store, two: tuple[Tables, Tables]) -> None:
    game = await begun(store, "1889")
    table = await two[0].get(game.id)
    await store.change_game(game.id, settings=TableSettings(undo="anyone").text(), channel_id=8)
    assert await two[0].get(game.id) is table
    assert (table.settings.undo, table.game.channel_id, table.position.seq) == ("anyone", 8, 0)


async def test_settings_changed_while_somebody_moves_do_not_cost_the_move(
    store: Store, two: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await begun(store, "1889")
    table = await two[0].get(game.id)
    append = store.append

    async def meanwhile(*args: object, **more: object) -> int:
        monkeypatch.setattr(store, "append", append)
        await store.change_game(game.id, settings=TableSettings(undo="anyone").text())
        return await append(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "append", meanwhile)
    await table.submit(Pass(P1), user=1, seen=0)
    assert table.position.seq == 1
    assert table.settings.undo == "anyone"


async def test_a_copy_that_could_not_read_on_tries_again(
    store: Store, two: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await begun(store, "1889")
    mine, theirs = [await one.get(game.id) for one in two]
    await mine.submit(Pass(P1), user=1)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(store, "log", AsyncMock(side_effect=Unavailable("another process keeps it locked")))
        with pytest.raises(Unavailable):
            await two[1].get(game.id)
    assert await two[1].get(game.id) is theirs
    assert theirs.position.seq == 1


@pytest.mark.second
async def test_whoever_comes_while_a_copy_reads_on_waits_for_it(
    store: Store, two: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read already says that the copy is new, while its position is still the old one."""
    game = await begun(store, "1889")
    mine, _ = [await one.get(game.id) for one in two]
    await mine.submit(Pass(P1), user=1)
    reading, go_on, log = asyncio.Event(), asyncio.Event(), store.log

    async def slowly(*args: Any, **more: Any) -> list[LogRow]:
        reading.set()
        await go_on.wait()
        return await log(*args, **more)

    monkeypatch.setattr(store, "log", slowly)
    first = asyncio.create_task(two[1].get(game.id))
    await reading.wait()
    second = asyncio.create_task(two[1].get(game.id))
    await asyncio.wait({second}, timeout=0.1)
    assert not second.done()
    go_on.set()
    assert [(await one).position.seq for one in (first, second)] == [1, 1]


async def test_more_games_than_are_kept_may_be_in_use_at_once(
    store: Store, two: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.core.tables.KEPT", 1)
    games = [await begun(store, "1889", channel=channel) for channel in (7, 8, 9)]
    tables = [await two[0].get(game.id) for game in games]
    assert [await two[0].get(game.id) for game in games] == tables  # one copy of each, with its lock
    monkeypatch.setattr("bot.core.tables.IN_USE", -1.0)
    two[0].let_go()
    assert two[0].loaded() == tables[-1:]


async def test_reading_a_game_writes_nothing(store: Store, two: tuple[Tables, Tables]) -> None:
    """In the beginner's game chance deals privates first; that is the sender's business."""
    game = await begun(store, "1889", '["beginner"]')
    table = await two[0].get(game.id)
    assert table.position.chance
    assert await store.log(game.id) == []
    assert await store.game(game.id) == game
    await table.go_on()
    assert not (await two[1].get(game.id)).position.chance
