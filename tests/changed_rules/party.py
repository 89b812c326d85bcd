"""A running game under rules that change: people who act at random, a database, and no Discord."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import engine
from bot.core.errors import TableError
from bot.core.loading import RuleChange
from bot.core.table import Table
from bot.core.work import Work
from bot.rooms.turn.screen import whole_story
from bot.words.narration import gathered
from engine.errors import EngineError
from engine.stored import ODD, body_of, playable, state_of
from engine.title import Title
from engine.titles import TITLES
from records.simulate import choose
from storage import Store

sys.path.append(str(Path(__file__).parents[1]))
from mutation.mutants import Mutant, mutants


def _richer(title: Title) -> Title:
    better = {key: dataclasses.replace(one, revenue=one.revenue + 5) for key, one in title.privates.items()}
    return dataclasses.replace(title, privates=better)


RICHER = Mutant("private incomes +5", _richer)
"""By these rules every move of a game stays legal, but its money is another."""
LONGEST = 4000
"""Moves after which a game by the printed rules has a fault."""


@contextmanager
def rules(title: str, mutant: Mutant | None) -> Iterator[None]:
    """The title by other rules; None: by the printed ones."""
    recipe = TITLES[title]
    if mutant is not None:
        spoil = mutant.spoil
        TITLES[title] = dataclasses.replace(
            recipe, build=lambda players, options: spoil(recipe.build(players, options))
        )
    try:
        yield
    finally:
        TITLES[title] = recipe


@dataclass
class Party:
    """One game, and what has become of it."""

    store: Store
    title: str
    game: str
    random: Random
    work: Work
    mutant: Mutant | None = None
    """By which rules it was played last."""
    found: dict[str, int] = field(default_factory=dict)
    """How often which way was taken."""

    async def read(self, mutant: Mutant | None) -> tuple[Table, RuleChange | None]:
        """The game as another process would read it, by these rules."""
        with rules(self.title, mutant):
            table = Table(self.store, self.work, await self.store.game(self.game), await self.store.seats(self.game))
            return table, await table.load()

    async def play(self, table: Table, moves: int) -> None:
        """So many moves, some of them taken back; fewer where the rules are too odd to play by."""
        for _ in range(moves):
            if table.position.over:
                return
            try:
                if self.random.random() < 0.05:
                    await (table.redo if self.random.random() < 0.4 else table.undo)(user=last_to_act(table))
                    continue
                action = choose(table.title, table.position.state, self.random)
                await table.submit(action, user=int(action.by[1:]))
            except TableError:
                continue
            except (EngineError, *ODD):
                return

    async def change(self, mutant: Mutant | None) -> Table:
        """Put other rules under the game, and see that it is neither lost nor silently another; the table by them."""
        before, none = await self.read(self.mutant)
        assert none is None, f"by the rules it was played by: {none}"
        state, story, seq = before.position.state, await self._noted(before), before.position.seq
        try:
            table, change = await self.read(mutant)
        except (EngineError, *ODD) as error:
            if mutant is None:
                raise
            return await self._back(before, f"cannot be read: {type(error).__name__}")
        same = _leads_there(table, before)
        if change is None:
            assert same, "another position, and nothing was said"
            assert table.position.seq == seq
            self._count("unnoticed")
        elif change.facts.way == "stored":
            assert not same, f"nothing is different by {mutant and mutant.key}: {change.sentence}"
            assert table.position.seq == seq + 1
            assert body_of(table.position.state) == body_of(state)
            assert whole_story(table)[:-1] == story
            assert whole_story(table)[-1] == change.sentence
            await self._no_way_back(table)
        else:
            assert not playable(table.title, state), f"{change.facts.way}, though the position can be played"
            assert table.position.seq == seq, "rows were written"
            return await self._back(before, change.facts.way)
        if change is not None:
            self._count(change.facts.way)
        self.mutant = mutant
        return table

    async def _noted(self, table: Table) -> list[str]:
        """What was told of the game at the time, as it is shown."""
        told = {row.seq: row.told or "" for row in await self.store.log(self.game)}
        lines = [line for one in table.past for line in one.lines]
        return gathered([*lines, *(line for move in table.moves for line in told[move.seq].splitlines())])

    async def _no_way_back(self, table: Table) -> None:
        for way in (table.undo, table.redo):
            try:
                await way(user=last_to_act(table))
            except TableError:
                continue
            raise AssertionError(f"{way.__name__} crossed the change of the rules")

    async def _back(self, before: Table, why: str) -> Table:
        """These rules do not fit the game: by those before it is still what it was."""
        self._count(why)
        again, change = await self.read(self.mutant)
        assert change is None
        assert body_of(again.position.state) == body_of(before.position.state)
        assert whole_story(again) == whole_story(before)
        return again

    async def end(self) -> None:
        """Play on by the printed rules, to the end."""
        table = await self.change(None)
        while not table.position.over:
            assert table.position.seq < LONGEST
            await self.play(table, 50)
        assert (await self.store.game(self.game)).status == "finished"
        assert (await self.read(None))[1] is None
        assert await self.store.verify(self.game) == table.position.seq

    def _count(self, what: str) -> None:
        self.found[what] = self.found.get(what, 0) + 1


def _leads_there(table: Table, before: Table) -> bool:
    """Whether the moves lead by the table's rules, one by one, where they led before."""
    beginning = before.beginning
    if before.past:  # read anew, as a board knows the tiles of its own title
        state = state_of(table.title, beginning.names, body_of(beginning))
    else:
        state = engine.start(table.title, list(before.names.values()))
    if not before.moves and body_of(state) != body_of(before.beginning):
        return False
    for move in before.moves:
        try:
            state = engine.apply(table.title, state, move.action)
        except (EngineError, *ODD):
            return False
        if body_of(state) != body_of(move.state):
            return False
    return True


@asynccontextmanager
async def party(folder: Path, title: str, seed: int, chosen: Sequence[str] | None = None) -> AsyncIterator[Party]:
    """A game that has just begun, with random players, and with random options unless they are chosen."""
    random = Random(f"{title}{seed}")
    recipe = TITLES[title]
    while True:
        options = [option for option in recipe.options if random.random() < 0.2]
        options = options if chosen is None else list(chosen)
        players = random.choice(recipe.players)
        try:
            recipe.build(players, frozenset(options))
            break
        except engine.BadAction:
            continue
    with ThreadPoolExecutor(1) as executor:
        async with Store.open(folder / f"{title}-{seed}.sqlite") as store:
            game = await store.create_game(channel_id=7, host_id=1, title=title, options=json.dumps(options))
            for user in range(1, players + 1):
                await store.join(game.id, user, f"P{user}", limit=players)
            await store.start_game(game.id)
            begun = Party(store, title, game.id, random, Work(executor))
            table, _ = await begun.read(None)
            await table.go_on()
            yield begun


async def change_rules(folder: Path, title: str, seed: int, changes: int) -> dict[str, int]:
    """Play a game to its end and change its rules so often meanwhile; which ways were taken how often."""
    # A policy of another title reads that title's own record, which is no change that a version could bring.
    every = [one for one in mutants(title) if "-> t18" not in one.key or f"-> t{title}" in one.key]
    async with party(folder, title, seed) as game:
        table, _ = await game.read(None)
        for number in range(changes):
            await game.play(table, game.random.randint(1, 20))
            back = game.mutant is not None and game.random.random() < 0.3
            felt = number % 4 == 3  # most rules that are drawn have not come up yet; this one has
            table = await game.change(RICHER if felt else None if back else game.random.choice(every))
        await game.end()
        return game.found


def last_to_act(table: Table) -> int:
    """Whoever may take back the last move freely."""
    acted = [one.action.by for one in table.moves if not one.automatic]
    return int(acted[-1][1:]) if acted else 1
