"""Game files of either kind: reading them from bytes, playing them, comparing with what they say of the result."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import EngineError, Entry, State, Title, live_actions, scores, start
from engine import apply as apply_action
from engine.actions import Action
from engine.ids import PlayerId
from records import native
from records.dialect import DIALECTS, Dialect
from records.errors import BadRecord
from records.json_18xx import Reader, effective, header

LARGEST = 4_000_000
"""Bytes of the largest file that is read; the longest recorded games have well under one million."""

Watch = Callable[[Title, dict[PlayerId, Any], int, State, dict[str, Any] | None], None]
"""Called with title, the file's player ids by seat, and index, position and record of each action; first with -1."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game played from a file to where it went, with what the file says of its result (None: nothing)."""

    title: Title
    names: tuple[str, ...]
    ids: dict[PlayerId, Any]
    actions: tuple[Action, ...]
    state: State
    claimed: Mapping[str, int] | None

    def difference(self) -> str | None:
        """The first difference from the claimed result, in a sentence; None if all agree."""
        if self.claimed is None:
            return None
        for player, value in scores(self.title, self.state):
            wanted = self.claimed.get(str(self.ids[player]))
            if wanted != value:
                return f"{self.state.names[player]} has {value}, the record says {wanted}."
        return None


def parse(data: bytes) -> dict[str, Any]:
    """The JSON object of a file. BadRecord if it is none, or too large."""
    if len(data) > LARGEST:
        raise BadRecord(f"The file has {len(data):,} bytes; at most {LARGEST:,} are read.")
    try:
        body = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadRecord("The file is not text in UTF-8.") from error
    except json.JSONDecodeError as error:
        raise BadRecord(f"The file is not JSON: {error.msg} in line {error.lineno}.") from error
    except (RecursionError, ValueError) as error:
        raise BadRecord("The file is no JSON that can be read: it is nested too deep or has absurd numbers.") from error
    if not isinstance(body, dict):
        raise BadRecord("The file holds JSON, but not a game.")
    return body


def dialect_of(title: Title) -> Dialect:
    """How 18xx.games names the title's things; our own names where it does not play it."""
    return next((item for item in DIALECTS.values() if item.title == title.id), Dialect(title.id, {}))


def play(body: Mapping[str, Any], watch: Watch | None = None) -> Played:
    """Play a game file of either kind to its last action. BadRecord names the first action that fails."""
    try:
        return _play_native(body, watch) if "tetsudo" in body else _play_18xx(body, watch)
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        # Whatever a file can have in a wrong place; our own audits are AssertionErrors and go on.
        raise BadRecord(f"The file is not well formed: {type(error).__name__}, {error}.") from error


def _play_18xx(record: Mapping[str, Any], watch: Watch | None) -> Played:
    head = header(record)
    reader = Reader(head)
    actions = list(reader.opening)
    if watch:
        watch(head.title, head.ids, -1, reader.state, None)
    for index, recorded in enumerate(effective(record)):
        try:
            actions += reader.play(recorded)
        except EngineError as error:
            raise BadRecord(f"Action {recorded.get('id')} ({recorded['type']}) is refused: {error}") from error
        if watch:
            watch(head.title, head.ids, index, reader.state, recorded)
    claimed = record.get("result")
    claimed = claimed if isinstance(claimed, Mapping) and claimed else None
    return Played(head.title, head.names, head.ids, tuple(actions), reader.state, claimed)


def _play_native(body: Mapping[str, Any], watch: Watch | None) -> Played:
    game = native.read(body)
    state = start(game.title, game.names)
    ids: dict[PlayerId, Any] = {player: player for player in state.players}
    live: Sequence[Entry] = live_actions(game.entries)
    if watch:
        watch(game.title, ids, -1, state, None)
    for index, entry in enumerate(live):
        assert entry.action is not None
        try:
            state = apply_action(game.title, state, entry.action)
        except EngineError as error:
            raise BadRecord(f"Entry {entry.seq} ({type(entry.action).__name__}) is refused: {error}") from error
        if watch:
            watch(game.title, ids, index, state, {"id": entry.seq, "type": type(entry.action).__name__})
    actions = tuple(entry.action for entry in live if entry.action is not None)
    return Played(game.title, game.names, ids, actions, state, game.result)
