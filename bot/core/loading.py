"""A stored game, read under the present rules; and how it goes on where they no longer lead where they led."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import engine
from bot.core.log import Reading, read, told_instead
from bot.core.notices import say_notice, turn_notice
from bot.core.orders import Orders
from bot.core.position import Position
from bot.core.rule_change import RuleChange, change_of, row_of_change
from bot.core.turns import turn_key
from bot.core.work import Work
from bot.words.lexicon import Lexicon
from engine.state import State
from engine.stored import FORMAT, pack
from engine.title import Title
from storage import Game, LogRow, Snapshot, Stale, Store

GoOn = Literal["safe", "never", "always"]
"""Where moves may go on from changed rules by themselves: where nothing is lost, nowhere, or everywhere."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a game's table is made of."""

    reading: Reading
    seq: int
    """The last row of the log; 0 before the first."""
    version: int
    """The game's version, counting what loading it has written."""
    orders: Orders
    waits: RuleChange | None = None
    """What changed rules mean for the game, where it waits for the host of the bot to decide."""
    change: RuleChange | None = None
    """The same, also where the game went on by itself."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a game is read from: its row, its title with its options, and the players' names by seat."""

    store: Store
    work: Work
    game: Game
    title: Title
    names: Mapping[str, str]

    def lexicon(self, state: State, seq: int) -> Lexicon:
        """The names of things at this position."""
        return Position(self.title, state, seq, dict(self.names), self.work).lexicon()


def snapshot_of(seq: int, state: State) -> Snapshot:
    """The position after row `seq`, as it is kept."""
    return Snapshot(seq, FORMAT, pack(state))


async def load(source: Source, go_on: GoOn = "safe") -> Loaded:
    """Read the game from its log.

    Where that no longer leads where it led, the game goes on as `rule_change` says, if it is to: "safe" does not where
    moves would be lost. Raises LogMismatch if the log cannot be read at all, BrokenLog if it was altered.
    """
    store, game, title = source.store, source.game, source.title
    start = engine.start(title, list(source.names.values()))
    rows = await store.log(game.id)
    snapshot = await store.snapshots.last(game.id)
    orders = Orders.read(await store.orders.of_game(game.id), title, game.id)
    reading = await source.work.do(read, title, start, rows, snapshot)
    loaded = Loaded(reading, rows[-1].seq if rows else 0, game.version, orders)
    names = source.lexicon(reading.state, loaded.seq)
    if reading.misfit is None:
        if rows and snapshot is None and go_on != "never":  # played with a release that kept none
            await store.snapshots.save(game.id, await source.work.do(_first_snapshot, reading, rows, names))
        return loaded
    await store.verify(game.id)  # a log that was altered is damaged: no rule has changed
    change = await source.work.do(change_of, title, reading, rows, snapshot, names)
    if change.way == "none" or go_on == "never" or not (change.safe or go_on == "always"):
        return replace(loaded, waits=change, change=change)
    version = await _go_on(source, change, reading, rows, snapshot, names)
    again = await load(replace(source, game=replace(game, version=version)), "never")
    return replace(again, change=change)


def _first_snapshot(reading: Reading, rows: Sequence[LogRow], names: Lexicon) -> Snapshot:
    """The position of a game that has none stored, with what is to be told of its moves."""
    noted = json.dumps(told_instead(reading.moves, rows, names))
    return replace(snapshot_of(rows[-1].seq, reading.state), told=noted)


async def _go_on(
    source: Source,
    change: RuleChange,
    reading: Reading,
    rows: Sequence[LogRow],
    snapshot: Snapshot | None,
    names: Lexicon,
) -> int:
    """Go on from the position of a change of the rules, and tell the channel; the game's version after that."""
    game, title = source.game, source.title
    row = await source.work.do(row_of_change, title, change, reading, rows, snapshot, names)
    before = len(reading.past) + len(await source.work.do(engine.live_actions, reading.entries)) + 1
    now = turn_notice(turn_key(title, [], change.state, before))
    seq = rows[-1].seq
    try:
        await source.store.append(
            game.id,
            seq,
            [row],
            expected_version=game.version,
            notices=[say_notice(change.sentence), now],
            snapshot=snapshot_of(seq + 1, change.state),
        )
    except Stale:  # another process was first
        return game.version
    return game.version + 1
