"""Game files of either format: parsing them, playing them, and checking the result they claim."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import Action, EngineError, Entry, PlayerId, State, Title, live_actions, scores, start
from records import native
from records.errors import BadRecord
from records.json_18xx import VAGUE, RecordPlayer, effective, header
from records.playback import Playback
from records.shapes import Body, Record

LARGEST = 4_000_000
"""Bytes of the largest file accepted; the longest recorded games have well under a million."""

Watch = Callable[[Title, dict[PlayerId, Any], int, State, Body | None], None]
"""Called with title, the file's player ids by seat, and index, position and record of each action; first with -1."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A game played from a file, with the result the file claims (None: no claim)."""

    title: Title
    names: tuple[str, ...]
    ids: dict[PlayerId, Any]
    actions: tuple[Action, ...]
    state: State
    claimed: Mapping[str, int] | None
    against_rules: tuple[str, ...] = ()
    """What was played against the rules, a sentence each."""
    differences: tuple[str, ...] = ()
    """Where the record states different figures from the rules', a sentence each."""

    def difference(self) -> str | None:
        """The first difference from the claimed result, as a sentence; None if there is none."""
        for player, value in scores(self.title, self.state) if self.claimed else ():
            assert self.claimed is not None
            wanted = self.claimed.get(str(self.ids[player]))
            if wanted != value:
                says = "does not name them" if wanted is None else f"says {wanted}"
                return f"{self.state.names[player]} has {value} at the end, the record's result {says}."
        return None

    @property
    def departures(self) -> tuple[str, ...]:
        """All in which the record is not the game that the rules give, a sentence each."""
        difference = self.difference()
        return (*self.against_rules, *self.differences, *([difference] if difference else ()))


def parse(data: bytes) -> Body:
    """The JSON object in a file. Raises BadRecord if there is none or it is too large."""
    if len(data) > LARGEST:
        raise BadRecord(f"The file has {len(data):,} bytes; the most that can be read is {LARGEST:,}.")
    try:
        body = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadRecord("The file is not text in UTF-8.") from error
    except json.JSONDecodeError as error:
        raise BadRecord(f"The file is not JSON: {error.msg} in line {error.lineno}.") from error
    except (RecursionError, ValueError) as error:
        raise BadRecord("The file's JSON cannot be read: it is nested too deeply or has absurd numbers.") from error
    if not isinstance(body, dict):
        raise BadRecord("The file is JSON, but not a game.")
    if b"\\u" in data:  # JSON can write half a letter, which no text can hold
        try:
            json.dumps(body, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise BadRecord("The file has half a character in it, which cannot be written.") from error
    return body


def play(body: Record, watch: Watch | None = None, *, as_recorded: bool = False) -> Replay:
    """Play a game file of either format to its last action. Raises BadRecord, which names the first bad action.

    `as_recorded`: an action that the rules refuse is played anyway; only one that cannot be played at all is bad.
    """
    try:
        return (_play_native if "tetsudo" in body else _play_18xx)(body, watch, as_recorded)
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        # Anything a malformed file can cause; our own audits raise AssertionError, which is not caught.
        raise BadRecord(f"The file is not well formed: {VAGUE}.") from error


def _play_18xx(record: Record, watch: Watch | None, as_recorded: bool) -> Replay:
    head = header(record)
    reader = RecordPlayer(head, as_recorded=as_recorded)
    actions = list(reader.opening)
    if watch:
        watch(head.title, head.ids, -1, reader.state, None)
    for index, recorded in enumerate(effective(record)):
        try:
            actions += reader.play(recorded)
        except EngineError as error:
            text = f"Action {recorded.get('id')} ({recorded['type']}) is refused: {error}"
            raise BadRecord(" ".join((text, *_earlier(reader.differences)))) from error
        if watch:
            watch(head.title, head.ids, index, reader.state, recorded)
    claimed = native.claimed(record)
    against, different = tuple(reader.playback.against_rules), tuple(reader.differences)
    return Replay(head.title, head.names, head.ids, tuple(actions), reader.state, claimed, against, different)


def _earlier(differences: Sequence[str]) -> Sequence[str]:
    """The first difference, after which the record is no longer the same game as ours."""
    return [f"Before that the figures differ: {differences[0]}"] if differences else []


def _play_native(body: Record, watch: Watch | None, as_recorded: bool) -> Replay:
    game = native.read(body)
    playback = Playback(game.title, start(game.title, game.names), as_recorded)
    ids: dict[PlayerId, Any] = {player: player for player in playback.state.players}
    live: Sequence[Entry] = live_actions(game.entries)
    if watch:
        watch(game.title, ids, -1, playback.state, None)
    actions = []
    for index, entry in enumerate(live):
        assert entry.action is not None
        where = f"Entry {entry.seq} ({type(entry.action).__name__})"
        try:
            if playback.play(entry.action, where):
                actions.append(entry.action)
        except EngineError as error:
            raise BadRecord(f"{where} is refused: {error}") from error
        if watch:
            watch(game.title, ids, index, playback.state, {"id": entry.seq, "type": type(entry.action).__name__})
    against = tuple(playback.against_rules)
    return Replay(game.title, game.names, ids, tuple(actions), playback.state, game.result, against)
