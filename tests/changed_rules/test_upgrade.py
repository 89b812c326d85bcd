"""A database that the first release wrote, without revisions, fingerprints or positions, under the present program.

`released/first.json` tells where its games stood, by channel.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mutation.mutants import Mutant
from party import RICHER, rules

from bot.core.loading import RuleChange
from bot.core.table import Table
from bot.core.work import Work
from bot.rooms.turn.screen import whole_story
from bot.words.rule_changes import ANEW
from cli.main import main
from engine.actions import LayTile, Pass
from storage import Row, Store

RELEASED = Path(__file__).parent / "released"
STOOD: dict[str, dict[str, Any]] = json.loads((RELEASED / "first.json").read_text())
REFUSED = "104"
"""In this game something was played that is not allowed any more."""
ASKED = {"101": "1889-PRV-09", "103": "1860-SEC-02"}
"""In these games somebody was passed over who is asked now, by this rule: who owns a private to exchange, or could not
pay."""
PLAIN = "102"
"""A game of 1888-N that stands as it was left."""
WORK = Work(ThreadPoolExecutor(1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    copy = tmp_path / "games.sqlite3"
    copy.write_bytes(gzip.decompress((RELEASED / "first.sqlite3.gz").read_bytes()))
    return copy


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with Store.open(path) as opened:
        yield opened


async def read(store: Store, channel: str) -> tuple[Table, RuleChange | None]:
    game = await store.game_in_channel(int(channel))
    assert game is not None
    table = Table(store, WORK, game, await store.seats(game.id))
    return table, await table.load()


def standing(table: Table, channel: str) -> dict[str, Any]:
    """What `STOOD` tells of the game, as it is now."""
    body = table.position.state.to_dict() | {"seq": table.position.seq}
    return {name: body[name] for name in STOOD[channel]}


@pytest.mark.parametrize("channel", STOOD)
@pytest.mark.long
async def test_every_game_of_the_first_release_stands_where_it_stood(store: Store, channel: str) -> None:
    table, change = await read(store, channel)
    stood = dict(STOOD[channel])
    if channel == REFUSED:
        assert change is not None
        assert (change.facts.way, "1890-OR-03" in change.sentence) == ("as played", True)
        # Nothing can be sold between players in the first stock round now, so it ends without the pass that was played.
        assert "1890-SR-11" in change.sentence
        assert ANEW in change.sentence
        stood["seq"] += 1
    elif channel in ASKED:
        assert change is not None
        assert (change.facts.way, ASKED[channel] in change.sentence) == ("as played", True)
        stood["seq"] += 1
        stood["up"] = table.position.state.up  # "whose turn it is may differ"
    else:
        assert change is None
    assert json.loads(json.dumps(standing(table, channel))) == stood
    assert await store.verify(table.game.id) == table.position.seq


@pytest.mark.second
async def test_a_first_look_keeps_the_position_of_an_old_game(store: Store) -> None:
    table, _ = await read(store, PLAIN)
    kept = await store.snapshots.last(table.game.id)
    assert kept is not None
    assert kept.seq == table.position.seq


@pytest.mark.long
async def test_an_old_game_notices_rules_that_change_after_the_first_look(store: Store) -> None:
    before, _ = await read(store, PLAIN)
    with rules("1888", RICHER):
        table, change = await read(store, PLAIN)
    assert change is not None
    assert change.facts.way == "stored"
    assert table.position.state.cash == before.position.state.cash
    assert whole_story(table)[:-1] == whole_story(before)  # nothing was noted at the time, it is told from the moves


@pytest.mark.long
async def test_what_was_told_of_tiles_is_known_though_the_positions_are_gone(store: Store) -> None:
    """By the actions, in rows as each release wrote them."""
    before, _ = await read(store, PLAIN)
    with rules("1888", RICHER):
        table, _ = await read(store, PLAIN)
    laid = {move.seq: move.action.tile for move in before.moves if isinstance(move.action, LayTile)}
    told = {one.seq: line.text for one in table.past for line in one.told if line.track and one.seq in laid}
    assert laid
    assert told.keys() == laid.keys()
    assert all(f" lays tile {laid[seq]} " in text for seq, text in told.items())
    passes = {move.seq for move in before.moves if isinstance(move.action, Pass)}
    assert not any(line.track for one in table.past if one.seq in passes for line in one.told)


@pytest.mark.long
@pytest.mark.parametrize("mutant", [None, RICHER])
async def test_an_old_game_with_a_move_that_is_refused_now_goes_on_and_says_that_figures_may_differ(
    store: Store, mutant: Mutant | None
) -> None:
    """A pass out of turn, which no release allowed, for one that a later release forbids."""
    game = await store.game_in_channel(int(PLAIN))
    assert game is not None
    before, _ = await read(store, PLAIN)
    up = before.position.up[0]
    other = next(seat for seat in before.seats if seat != up)
    await store.append(game.id, game.seq, [Row("action", json.dumps({"do": "Pass", "by": other}), by_seat=other)])
    with rules("1888", mutant):
        table, change = await read(store, PLAIN)
    assert change is not None
    assert change.facts.way == "as played"
    assert ANEW in change.sentence
    assert "stand as they were played" not in change.sentence
    assert change.facts.seq == game.seq + 1
    assert f"move {len(before.moves) + 1}" in change.sentence
    assert table.position.seq == game.seq + 2
    assert table.past[-1].lines == (change.sentence,)
    with rules("1888", mutant):
        assert (await read(store, PLAIN))[1] is None


@pytest.mark.long
async def test_an_old_game_with_a_move_that_cannot_be_played_waits_for_the_host(store: Store, path: Path) -> None:
    game = await store.game_in_channel(int(PLAIN))
    assert game is not None
    await store.append(game.id, game.seq, [Row("action", '{"do": "Fly", "by": "p1"}', by_seat="p1")])
    table, change = await read(store, PLAIN)
    assert change is not None
    assert (change.facts.way, change.facts.lost) == ("cut", 1)
    assert table.position.seq == game.seq + 1
    with pytest.raises(Exception, match="the game is waiting for the bot's host"):
        await table.undo(user=1)


@pytest.mark.long
def test_verify_finds_nothing_wrong(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--database", str(path)]) == 0
    assert "6 games" in capsys.readouterr().out
