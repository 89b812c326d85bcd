"""Games in progress of every release (`corpus.py`): each is opened where it stood, and played on."""

from __future__ import annotations

import asyncio
import json
import lzma
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from corpus import RELEASED
from tastes import eager

import engine
from bot.core.table import Table
from bot.core.work import Work
from engine.titles import TITLES
from records.simulate import choose
from storage import Store

STEPS = sorted(RELEASED.glob("*-steps.sqlite3.xz"))
CORPORA = sorted({*RELEASED.glob("*.sqlite3.xz")} - {*STEPS})
CHANGED: dict[tuple[str, int], str] = {
    ("1.0.0-steps", 110): "1860-TRK-09",
    ("1.0.0-steps", 140): "1890-COR-08",
    **{
        (version, channel): rule
        for version in ("0.1.0", "1.0.0")
        for channel, rule in (
            (106, "1860-TRK-09"),
            (107, "1860-TRK-09"),
            (108, "1860-TRK-04"),
            (122, "1890-VAR-14"),
            (123, "1890-VAR-11a"),
            (127, "1890-COR-08"),
        )
    },
}
"""Version and channel of a game that a corrected rule has changed since, with the rule. It goes on by itself."""
MOVES = 12
FEW = 4
"""Moves that `make test-all` plays on from each of the many decisions of a release."""


def opened(packed: Path, folder: Path) -> Path:
    place = folder / "games.sqlite3"
    place.write_bytes(lzma.decompress(packed.read_bytes()))
    return place


async def play_on(table: Table, moves: int) -> None:
    random = Random(table.game.channel_id)
    await table.go_on()
    for _ in range(moves):
        if table.position.over:
            return
        action = choose(table.title, table.position.state, random, eager)
        await table.submit(action, user=int(action.by[1:]))


async def look(place: Path, version: str, every: int = 1, moves: int = MOVES) -> Counter[Any]:
    """Open every game and play on; the titles, options and phases that were met."""
    met: Counter[Any] = Counter()
    with ThreadPoolExecutor(1) as executor:
        async with Store.open(place) as store:
            for game in (await store.games("running"))[::every]:
                stood = await store.snapshots.last(game.id)
                assert stood is not None
                table = Table(store, Work(executor), game, await store.seats(game.id))
                change = await table.load()
                rule = CHANGED.get((version, game.channel_id))
                assert (change is None) == (rule is None), f"{game.channel_id}: {change and change.sentence}"
                assert change is None or (change.safe and str(rule) in change.sentence)
                state = table.position.state
                met.update([(game.title, table.title.phases[state.phase].name)])
                met.update([(game.title, table.position.decision.step)])
                met.update((game.title, option) for option in json.loads(game.options))
                await play_on(table, moves)
                assert table.position.seq > game.seq
                assert await store.verify(game.id) == table.position.seq
            assert await store.check() == []
    return met


NEWER: dict[str, frozenset[str]] = {}
"""Options that came after a release."""
RARE = {"1860": "excess", "1888": "discard", "1889": "bonus tile", "1890": "set par"}
"""A decision of each title that only some games come to."""


def version_of(packed: Path) -> str:
    return packed.name.removesuffix(".sqlite3.xz")


@pytest.mark.parametrize("packed", STEPS, ids=version_of)
@pytest.mark.parametrize("moves", [FEW, pytest.param(MOVES, marks=pytest.mark.slow)])
@pytest.mark.broad
def test_games_stand_at_the_decisions_that_a_release_asked_and_go_on(packed: Path, moves: int, tmp_path: Path) -> None:
    met = asyncio.run(look(opened(packed, tmp_path), version_of(packed), moves=moves))
    assert met.keys() >= RARE.items()


@pytest.mark.parametrize("packed", CORPORA, ids=version_of)
@pytest.mark.long
def test_some_games_of_a_release_stand_where_they_stood_and_go_on(packed: Path, tmp_path: Path) -> None:
    met = asyncio.run(look(opened(packed, tmp_path), version_of(packed), every=9))
    assert {title for title, _ in met} == set(TITLES)


@pytest.mark.parametrize("packed", CORPORA, ids=version_of)
@pytest.mark.slow
def test_all_games_of_a_release_stand_where_they_stood_and_go_on(packed: Path, tmp_path: Path) -> None:
    met = asyncio.run(look(opened(packed, tmp_path), version_of(packed)))
    for name, recipe in TITLES.items():
        phases = {one.name for one in engine.build(name, recipe.players[0]).phases}
        older = set(recipe.options) - NEWER.get(version_of(packed), frozenset())
        assert {what for title, what in met if title == name} >= phases | older
