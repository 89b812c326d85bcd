"""Games in progress as a release writes them, for every later one to open and play on.

    python tests/changed_rules/corpus.py

writes `released/VERSION.sqlite3.xz`, of the version that runs: every title, option and phase is in some game. And
`released/VERSION-steps.sqlite3.xz`, in which games stand at each decision that random ones come to. They are made once
for each release, by `.ci/release`, and never again.
"""

from __future__ import annotations

import asyncio
import json
import lzma
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1]), str(Path(__file__).parent)]

# ruff: noqa: E402 (the folders above must be known first)

from tastes import eager

import engine
from bot.core import outcome
from bot.core.orders import Orders
from bot.core.outcome import following
from bot.core.table import Table
from bot.core.work import Work
from bot.version import version
from cli.contract.play import one_of_each_kind
from engine.state import State
from engine.title import Title
from engine.titles import TITLES
from records.simulate import choose
from storage import Store

RELEASED = Path(__file__).parent / "released"
FIRST_CHANNEL = 101
MOST_OPTIONS = 5
TRIES = 16
"""Games played in search of one that comes to a phase."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be made: in this phase, with these options, for so many players."""

    title: str
    phase: str
    options: tuple[str, ...]
    players: int
    step: str = ""
    """Where it is to stand; anywhere if empty."""

    @property
    def names(self) -> list[str]:
        """Of its players."""
        return [f"P{number}" for number in range(1, self.players + 1)]

    def built(self) -> Title:
        return engine.build(self.title, self.players, self.options)


def setups(name: str) -> list[Setup]:
    """One for each phase at least, and more until every option is in one."""
    recipe, found = TITLES[name], list[Setup]()
    left = [one.options for one in one_of_each_kind(name) if len(one.options) in (1, 2)]
    Random(name).shuffle(left)
    phases = [one.name for one in engine.build(name, recipe.players[0]).phases]
    while left or len(found) < len(phases):
        number = len(found)
        players, phase = recipe.players[number % len(recipe.players)], phases[number % len(phases)]
        chosen: tuple[str, ...] = ()
        for options in list(left) if phase != phases[-1] else ():  # some options end a game before that
            more = tuple(dict.fromkeys((*chosen, *options)))
            if len(more) <= MOST_OPTIONS and _fits(name, players, more):
                chosen = more
                left.remove(options)
        found.append(Setup(name, phase, chosen, players))
    return found


def at_steps(name: str) -> Iterator[tuple[Setup, str, int]]:
    """A game for each decision that random games of the title come to, with its seed and how many moves of people."""
    recipe, met = TITLES[name], set[str]()
    for number in range(TRIES):
        players = recipe.players[number % len(recipe.players)]
        setup = Setup(name, "", (), players)
        title, seed, moved = setup.built(), f"{name} steps {number}", 0
        random, state = _seeded(seed), engine.start(setup.built(), setup.names)
        while not (state := _followed(title, state)).over:
            step = engine.decision(title, state).step
            if moved and step not in met:
                met.add(step)
                yield replace(setup, step=step), seed, moved
            state = engine.apply(title, state, choose(title, state, random, eager))
            moved += 1


def _fits(name: str, players: int, options: tuple[str, ...]) -> bool:
    try:
        engine.build(name, players, options)
    except engine.BadAction:
        return False
    return True


def _scouted(setup: Setup) -> tuple[str, int]:
    """A seed, and after how many moves of people its game is in the phase and some way on.

    Of a phase that no game comes to, the longest game, shortly before its end.
    """
    title, best = setup.built(), ("", 0)
    for number in range(TRIES):
        seed, moved = f"{setup}{number}", 0
        random, beyond = _seeded(seed), Random(seed).randrange(2, 20)
        state = engine.start(title, setup.names)
        while not (state := _followed(title, state)).over and beyond:
            state = engine.apply(title, state, choose(title, state, random, eager))
            beyond -= title.phases[state.phase].name == setup.phase
            moved += 1
        if not beyond:
            return seed, moved
        best = max(best, (seed, moved - 3), key=lambda one: one[1])
    return best


def _followed(title: Title, state: State) -> State:
    """The position once the bot has done what no person is asked for."""
    for move in following(title, state, 1, Orders()):
        state = move.state
    return state


def _seeded(seed: str) -> Random:
    """What decides for people; chance begins anew, too."""
    outcome.RANDOM = Random(f"{seed} chance")
    return Random(seed)


async def write(place: Path, games: Iterable[tuple[Setup, str, int]]) -> None:
    """Fill a new database with games, each of a seed and so many moves of people."""
    with ThreadPoolExecutor(1) as executor:
        async with Store.open(place) as store:
            for channel, (setup, seed, moves) in enumerate(games, FIRST_CHANNEL):
                await _game(store, Work(executor), channel, setup, seed, moves)
            await tidy(store)
    with closing(sqlite3.connect(place)) as file:
        file.execute("VACUUM")


async def tidy(store: Store) -> None:
    """Leave out the notices: there is no bot to send them."""
    while items := await store.outbox.claim("corpus", limit=1000):
        for item in items:
            await store.outbox.drop(item, "there is no channel")
    await store.outbox.prune(store.clock() + 1)


async def _game(store: Store, work: Work, channel: int, setup: Setup, seed: str, moves: int) -> None:
    game = await store.create_game(channel_id=channel, host_id=1, title=setup.title, options=json.dumps(setup.options))
    for user, name in enumerate(setup.names, 1):
        await store.join(game.id, user, name, limit=setup.players)
    await store.start_game(game.id)
    table = Table(store, work, await store.game(game.id), await store.seats(game.id))
    await table.load()
    random = _seeded(seed)
    await table.go_on()
    for _ in range(moves):
        action = choose(table.title, table.position.state, random, eager)
        await table.submit(action, user=int(action.by[1:]))
    state = table.position.state
    assert setup.step in ("", table.position.decision.step)
    print(f"{channel} {setup}: {table.position.seq} rows, phase {table.title.phases[state.phase].name}", flush=True)


def main() -> None:
    """Write the corpora of the version that runs."""
    everywhere = ((one, *_scouted(one)) for name in sorted(TITLES) for one in setups(name))
    steps = [one for name in sorted(TITLES) for one in at_steps(name)]  # all before any is played: they share chance
    for suffix, games in (("", everywhere), ("-steps", steps)):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "games.sqlite3"
            asyncio.run(write(place, games))
            packed = lzma.compress(place.read_bytes(), preset=9 | lzma.PRESET_EXTREME)
        made = RELEASED / f"{version()}{suffix}.sqlite3.xz"
        made.write_bytes(packed)
        print(f"{made.name}: {len(packed):,} bytes")


if __name__ == "__main__":
    main()
