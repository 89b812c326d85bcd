"""Rules change under running games: no game is lost, none is silently another, and all end."""

from __future__ import annotations

import json
import sqlite3
from asyncio import to_thread
from pathlib import Path

import pytest
from party import RICHER, Party, change_rules, last_to_act, party, rules

from bot.play.errors import TableError, Unreadable
from bot.play.tables import Tables
from cli.main import main
from engine.titles import TITLES


async def begun(game: Party, moves: int) -> None:
    table, _ = await game.read(None)
    while table.position.seq < moves:
        await game.play(table, 1)


async def said(game: Party) -> list[str]:
    """What waits to be said in the channel, in sentences."""
    found = []
    while items := await game.store.outbox.claim("us", limit=100):
        for item in items:
            found += [json.loads(item.body)["text"]] if item.kind == "say" else []
            await game.store.outbox.drop(item, "read by the test")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
async def test_rules_change_under_a_running_game(title: str, tmp_path: Path) -> None:
    found = await change_rules(tmp_path, title, seed=1, changes=12)
    assert sum(found.values()) == 13
    assert found.get("stored", 0) > 0


async def test_a_game_goes_on_from_where_it_stood_and_the_channel_is_told(tmp_path: Path) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 60)
        before, _ = await game.read(None)
        table, change = await game.read(RICHER)
        assert change is not None
        assert table.position.state.cash == before.position.state.cash
        assert "the position would now be different (money" in change.sentence
        assert change.sentence in await said(game)
        assert (await game.read(RICHER))[1] is None  # told once


async def test_undo_stops_where_the_rules_changed(tmp_path: Path) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 60)
        await game.read(RICHER)
        with rules("1889", RICHER):
            table, _ = await game.read(RICHER)
            with pytest.raises(TableError, match="nothing to undo since the rules"):
                await table.undo(user=1)
            while not any(not move.automatic for move in table.moves):
                await game.play(table, 1)
            await table.undo(user=last_to_act(table))
            assert not [move for move in table.moves if not move.automatic]


async def test_a_title_that_is_gone_leaves_the_game_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 20)
        tables = Tables(game.store, game.work)
        with monkeypatch.context() as without:
            without.delitem(TITLES, "1889")
            with pytest.raises(Unreadable, match="no game '1889'"):
                await tables.get(game.game)
            assert await tables.survey() == 1
        assert await tables.survey() == 0


async def test_a_start_finds_the_games_that_changed_rules_touch(tmp_path: Path) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 60)
        tables = Tables(game.store, game.work)
        assert await tables.survey() == 0
        with rules("1889", RICHER):
            assert await tables.survey() == 1
            assert await tables.survey() == 0


async def test_a_damaged_position_is_not_gone_on_from(tmp_path: Path) -> None:
    """Its fingerprint is in the log; then the moves stand as the present rules have them, which the channel is told."""
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 60)
        with sqlite3.connect(str(game.store.place)) as other:
            other.execute("UPDATE snapshots SET blob = (SELECT zeroblob(9))")
        other.close()
        assert (await game.read(None))[1] is None
        _, change = await game.read(RICHER)
        assert change is not None
        assert change.way == "as played"


async def test_the_host_lists_touched_games_and_lets_them_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 60)
        path = str(game.store.place)
    with rules("1889", RICHER):
        assert await to_thread(main, ["rules", "--database", path]) == 0
        assert "Affected by changed rules: 1" in capsys.readouterr().out
        assert await to_thread(main, ["verify", "--database", path]) == 0
        assert "changed rules affect 1" in capsys.readouterr().out
        assert await to_thread(main, ["rules", "--go-on", "--database", path]) == 0
        assert "goes on. The rules of" in capsys.readouterr().out
        assert await to_thread(main, ["rules", "--database", path]) == 0
        assert "Affected by changed rules: 0" in capsys.readouterr().out
