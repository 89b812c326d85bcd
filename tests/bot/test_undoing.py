"""Undo and redo at a table, in memory and after it was read again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from player import passes

from bot.core import clock, clockwork, log
from bot.core.errors import TableError
from bot.core.hours import HOUR
from bot.core.pace import own
from bot.core.table import Table
from bot.core.table_settings import TableSettings
from bot.core.tables import Tables
from bot.core.work import Work
from storage import Store


async def tables_with_a_game(store: Store, count: int) -> tuple[Tables, str]:
    """A game of three, the first of whom have passed."""
    game = await store.create_game(channel_id=7, host_id=1, title="1889")
    for user in (1, 2, 3):
        await store.join(game.id, user, f"P{user}", limit=6)
    await store.start_game(game.id)
    tables = Tables(store, Work(ThreadPoolExecutor(1)))
    table = await tables.get(game.id)
    await passes(table, *("p1", "p2", "p3")[:count])
    return tables, game.id


def passed(table: Table) -> list[int]:
    return [one.seq for one in table.moves]


async def test_what_is_undone_is_redone_step_by_step_whether_or_not_the_table_was_read_again(store: Store) -> None:
    tables, game = await tables_with_a_game(store, 2)
    table = await tables.get(game)
    await table.undo(user=2)
    tables.forget(game)
    table = await tables.get(game)
    await table.undo(user=1)
    assert passed(table) == []
    for user, seqs in ((1, [1]), (2, [1, 2])):
        await table.redo(user=user)
        assert passed(table) == seqs
    with pytest.raises(TableError, match="nothing to redo"):
        await table.redo(user=1)
    tables.forget(game)
    assert passed(await tables.get(game)) == [1, 2]


async def test_a_move_ends_what_can_be_redone(store: Store) -> None:
    tables, game = await tables_with_a_game(store, 2)
    table = await tables.get(game)
    await table.undo(user=2)
    await passes(table, table.position.up[0])
    with pytest.raises(TableError, match="nothing to redo"):
        await table.redo(user=1)
    assert passed(table) == [1, 4]


async def test_undo_and_redo_play_nothing_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, game = await tables_with_a_game(store, 2)
    table = await tables.get(game)
    monkeypatch.setattr(log.engine, "apply", None)
    monkeypatch.setattr(log.engine, "live_actions", None)
    for _ in range(3):
        await table.undo(user=2)
        await table.redo(user=2)
    assert passed(table) == [1, 2]


@pytest.mark.parametrize("read_again", [False, True])
@pytest.mark.parametrize("other", [2, 3])
async def test_nobody_else_forces_a_slip_that_was_taken_back(store: Store, other: int, read_again: bool) -> None:
    tables, game = await tables_with_a_game(store, 1)
    await (await tables.get(game)).undo(user=1)
    if read_again:
        tables.forget(game)
    table = await tables.get(game)
    with pytest.raises(TableError, match="P1"):
        await table.redo(user=other)
    assert passed(table) == []
    await table.redo(user=1)
    assert passed(table) == [1]


async def test_the_host_brings_back_no_move_of_others_unless_the_host_acts_for_them(store: Store) -> None:
    tables, game = await tables_with_a_game(store, 2)
    table = await tables.get(game)
    await table.undo(user=2)
    with pytest.raises(TableError, match="P2"):
        await table.redo(user=1)  # user 1 is the host
    await store.change_game(game, settings=TableSettings(host_acts=True).text())
    await table.redo(user=1)
    assert passed(table) == [1, 2]


async def test_whose_move_another_took_back_brings_it_back(store: Store) -> None:
    tables, game = await tables_with_a_game(store, 2)
    await store.change_game(game, settings=TableSettings(undo="anyone").text())
    table = await tables.get(game)
    await table.undo(user=3)
    with pytest.raises(TableError, match=r"\*P2\*\* and \*\*P3"):
        await table.redo(user=1)
    await table.redo(user=2)
    assert passed(table) == [1, 2]


async def test_several_moves_come_back_by_whoever_took_them_back_alone(store: Store) -> None:
    tables, game = await tables_with_a_game(store, 2)
    table = await tables.get(game)
    await table.undo(user=1, seq=1, agreed=("p2", "p3"))
    assert passed(table) == []
    with pytest.raises(TableError, match=r"Only \*\*P1\*\* can"):
        await table.redo(user=2)
    await table.redo(user=1)
    assert passed(table) == [1, 2]


async def test_nobody_alone_ends_a_game_again_whose_end_was_taken_back(store: Store) -> None:
    tables, game = await tables_with_a_game(store, 1)
    table = await tables.get(game)
    await table.end_here()
    await table.undo(user=1, seq=2, agreed=("p2", "p3"))
    with pytest.raises(TableError, match="cannot be redone"):
        await table.redo(user=1)
    assert not table.position.over


async def test_a_turn_that_was_taken_back_and_redone_with_others_brings_its_time_once(store: Store) -> None:
    """Where turns are replayed instead, one of them may begin after other moves; those that are redone do not."""
    tables, game = await tables_with_a_game(store, 0)
    await store.change_game(game, settings=TableSettings(pace=own(10, 5, 100)).text())
    table = await tables.get(game)
    await table.reclock()
    await table.reclock(clock.repaced)

    async def banks() -> list[int]:
        accounts = (await clockwork.clock_of(store, game)).accounts
        return [round(accounts[seat].bank / HOUR) for seat in table.seats]

    await passes(table, "p1", "p2", "p3")
    assert await banks() == [15, 15, 15]
    await table.undo(user=1, seq=1, agreed=("p2", "p3"))
    await table.redo(user=1)
    assert await banks() == [15, 15, 15]
    await passes(table, "p1", "p2", "p3")
    assert await banks() == [20, 20, 20]
