"""Rules change under running games: no game is lost, none is silently another, and all end."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from asyncio import to_thread
from pathlib import Path

import pytest
from mutation.mutants import Mutant, with_verbs
from party import RICHER, Party, change_rules, last_to_act, party, rules

from bot.core.errors import TableError, Unreadable
from bot.core.loading import RuleChange
from bot.core.log import POSITION, border_row
from bot.core.moves import Move
from bot.core.table import Table
from bot.core.tables import Tables
from bot.rooms.turn.screen import whole_story
from bot.words.rule_changes import WORDS, Changed
from cli.main import main
from cli.troubles import troubles
from engine.actions import LayTile
from engine.facts import Passed
from engine.steps.track import hex_reached, reachable
from engine.stored import body_of
from engine.title import Title
from engine.titles import TITLES
from storage import Row


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


@pytest.mark.long
async def test_a_game_goes_on_from_where_it_stood_and_the_channel_is_told(tmp_path: Path) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 30)
        before, _ = await game.read(None)
        table, change = await game.read(RICHER)
        assert change is not None
        assert table.position.state.cash == before.position.state.cash
        assert "the position would now be different (money" in change.sentence
        assert change.sentence in await said(game)
        assert (await game.read(RICHER))[1] is None  # told once


@pytest.mark.long
async def test_a_change_is_stored_as_facts_and_worded_when_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 30)
        _, change = await game.read(RICHER)
        assert change is not None
        row = (await game.store.log(game.game))[-1]
        assert row.told is None
        assert Changed(**json.loads(row.body)["changed"]).way == "stored"
        assert change.sentence not in row.body
        monkeypatch.setitem(WORDS, "cash", "Geld")
        table, _ = await game.read(RICHER)
        assert "(Geld" in whole_story(table)[-1]
        assert table.past[-1].lines == (change.sentence.replace("(money", "(Geld"),)


@pytest.mark.long
async def test_what_an_earlier_release_said_of_a_change_is_told_in_its_words(tmp_path: Path) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 30)
        table, _ = await game.read(None)
        row = border_row(table.title, table.position.state, {}, {})
        old = Row(POSITION, row.body, rules=row.rules, position=row.position, told="The rules were other ones.")
        await game.store.append(game.game, table.position.seq, [old])
        again, change = await game.read(None)
        assert change is None
        assert again.past[-1].lines == ("The rules were other ones.",)
        assert whole_story(again)[:-1] == whole_story(table)


def _as_the_letter_has_it(title: Title) -> Title:
    """1889 before its third revision: a yellow tile had only to come to a hex in reach."""
    loose = with_verbs(title, "OR/track/LayTile", lambda verb: verb.swap(reachable, hex_reached))
    return dataclasses.replace(loose, changes=title.changes[:1])


LOOSE = Mutant("yellow tiles need not join", _as_the_letter_has_it)


@pytest.mark.rule("1889-TRK-04")
@pytest.mark.broad
async def test_a_game_with_a_tile_that_joins_nothing_keeps_it_and_lays_no_other(tmp_path: Path) -> None:
    async with party(tmp_path, "1889", 18) as game:
        table, _ = await game.read(LOOSE)
        while not any(isinstance(move.action, LayTile) and apart(move) for move in table.moves):
            await game.play(table, 1)
        (loose,) = [move.action for move in table.moves if isinstance(move.action, LayTile) and apart(move)]
        placed = table.position.state.board.placed
        again, change = await game.read(None)
        assert change is not None
        assert change.facts.way == "stored"
        assert "a yellow tile joins track that its company reaches [1889-TRK-04]" in change.sentence
        assert "would no longer be allowed [1889-TRK-04]" in change.sentence
        assert again.position.state.board.placed == placed
        assert placed[loose.hex] == (loose.tile, loose.rotation)
        await game.end()
        after, _ = await game.read(None)
        assert not [move for move in after.moves if isinstance(move.action, LayTile) and apart(move)]


def apart(move: Move) -> bool:
    """Whether the yellow tile that was just laid meets neither other track nor its company's token."""
    laid, board = move.action, move.state.board
    assert isinstance(laid, LayTile)
    face, at_home = board.face(laid.hex), any(here == laid.hex for here, _ in board.token_stops(laid.corp))
    beyond = (board.grid.beyond.get((laid.hex, side)) for side in face.exits)
    joined = at_home or any(step and step[1] in board.face(step[0]).exits for step in beyond)
    return face.face.colour == "yellow" and not joined


@pytest.mark.rule("1890-VAR-05")
@pytest.mark.long
async def test_a_game_that_passed_over_who_had_too_little_goes_on_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with party(tmp_path, "1890", 3, ["hidden_cash"]) as game:
        with monkeypatch.context() as earlier:
            earlier.setattr("engine.rounds.stock.publicly", lambda t, s, purse: s)
            earlier.setattr("engine.rounds.stock.revealed", lambda t: t)
            earlier.setattr("engine.rounds.stock._idle_for_ever", lambda t, s: False)
            table, _ = await game.read(None)
            while not any(isinstance(one, Passed) and one.forced for move in table.moves for one in move.state.facts):
                await game.play(table, 1)
            before = body_of(table.position.state)
        again, change = await game.read(None)
        assert change is not None
        assert change.facts.way == "stored"
        assert body_of(again.position.state) == before
        assert "undo stops here" in change.sentence
        await game.play(again, 20)
        assert (await game.read(None))[1] is None


@pytest.mark.long
async def test_undo_stops_where_the_rules_changed(tmp_path: Path) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 30)
        await game.read(RICHER)
        with rules("1889", RICHER):
            table, _ = await game.read(RICHER)
            with pytest.raises(TableError, match="nothing to undo since the rules"):
                await table.undo(user=1)
            while not any(not move.automatic for move in table.moves):
                await game.play(table, 1)
            await table.undo(user=last_to_act(table))
            assert not [move for move in table.moves if not move.automatic]


@pytest.mark.long
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


@pytest.mark.long
async def test_a_start_reads_only_the_games_that_other_rules_wrote_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    load = Table.load

    async def counted(table: Table) -> RuleChange | None:
        read.append(table.game.id)
        return await load(table)

    async with party(tmp_path, "1889", 3) as game:
        game.store.play_by("as now")
        await begun(game, 10)
        monkeypatch.setattr(Table, "load", counted)
        assert await Tables(game.store, game.work).survey() == 0
        assert read == []
        game.store.play_by("after an update")
        for _ in range(2):
            assert await Tables(game.store, game.work).survey() == 0
            assert read == [game.game]


@pytest.mark.long
async def test_a_game_that_waits_for_the_host_is_looked_at_by_every_start(tmp_path: Path) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 10)
        now = await game.store.game(game.game)
        await game.store.append(game.game, now.seq, [Row("action", '{"do": "Fly", "by": "p1"}', by_seat="p1")])
        game.store.play_by("after an update")
        for _ in range(2):
            assert await Tables(game.store, game.work).survey() == 1
        assert await game.store.unread() == [game.game]
        (line,) = [one async for one in troubles(game.store) if "no message" not in one]
        assert f"Game {game.game} (1889, running): entry {now.seq + 1}." in line
        assert f"`tetsudo rules --go-on {game.game}`" in line


@pytest.mark.broad
async def test_a_start_finds_the_games_that_changed_rules_touch(tmp_path: Path) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 30)
        tables = Tables(game.store, game.work)
        assert await tables.survey() == 0
        with rules("1889", RICHER):
            assert await tables.survey() == 1
            assert await tables.survey() == 0


@pytest.mark.long
async def test_a_damaged_position_is_not_gone_on_from(tmp_path: Path) -> None:
    """Its fingerprint is in the log; then the moves stand as the present rules have them, which the channel is told."""
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 30)
        with sqlite3.connect(str(game.store._db.place)) as other:
            other.execute("UPDATE snapshots SET blob = (SELECT zeroblob(9))")
        other.close()
        assert (await game.read(None))[1] is None
        _, change = await game.read(RICHER)
        assert change is not None
        assert change.facts.way == "as played"
        assert "stand as they were played" not in change.sentence
        assert "money, prices or whose turn it is may differ from what was last shown" in change.sentence


@pytest.mark.broad
async def test_moves_that_lead_where_they_led_stand_as_they_were_played(tmp_path: Path) -> None:
    """A tile that is refused now, but lies where it lay, in a game whose position is lost."""
    async with party(tmp_path, "1889", 1) as game:
        table, _ = await game.read(LOOSE)
        while not any(isinstance(move.action, LayTile) and apart(move) for move in table.moves):
            await game.play(table, 1)
        before = body_of(table.position.state)
        await game.store._db.write(lambda tx: tx.run("DELETE FROM snapshots"))
        again, change = await game.read(None)
        assert change is not None
        assert change.facts.way == "as played"
        assert "its moves stand as they were played, and undo stops here" in change.sentence
        assert body_of(again.position.state) == before


@pytest.mark.long
async def test_the_host_reads_how_many_games_wait_and_a_script_learns_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 20)
        path = str(game.store._db.place)
        seq = (await game.store.game(game.game)).seq
        await game.store.append(game.game, seq, [Row("action", '{"do": "Fly", "by": "p1"}', by_seat="p1")])
        await game.store._db.write(lambda tx: tx.run("DELETE FROM snapshots"))
    assert await to_thread(main, ["rules", "--database", path]) == 1
    said = capsys.readouterr().out
    assert "waiting for you: 1; unable to go on: 0. `tetsudo rules --go-on` lets those that wait go on." in said
    assert await to_thread(main, ["rules", "--go-on", "--database", path]) == 0
    assert "waiting for you: 0; unable to go on: 0." in capsys.readouterr().out
    assert await to_thread(main, ["rules", "--database", path]) == 0


@pytest.mark.broad
async def test_the_host_lists_touched_games_and_lets_them_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with party(tmp_path, "1889", 3) as game:
        await begun(game, 30)
        path = str(game.store._db.place)
    with rules("1889", RICHER):
        assert await to_thread(main, ["rules", "--database", path]) == 0
        assert "Affected by changed rules: 1" in capsys.readouterr().out
        assert await to_thread(main, ["verify", "--database", path]) == 0
        assert "changed rules affect 1" in capsys.readouterr().out
        assert await to_thread(main, ["rules", "--go-on", "--database", path]) == 0
        assert "goes on. The rules of" in capsys.readouterr().out
        assert await to_thread(main, ["rules", "--database", path]) == 0
        assert "Affected by changed rules: 0" in capsys.readouterr().out
