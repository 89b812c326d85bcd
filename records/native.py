"""Our own game files: title, options, players and log as one JSON object.

{"tetsudo": 1, "title": "1889", "options": [...], "players": ["Ann", ...],
 "log": [{"seq": 1, "kind": "action", "action": {"do": "BuyPrivate", "by": "p1", "private": "A"}}, ...],
 "finished": true, "result": {"p1": 5230, ...}}
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import Action, BadAction, Entry, State, Title, build, from_json, scores, to_json
from records.errors import BadRecord
from records.shapes import Body, Record, shown

FORMAT = 1
LONGEST = 10_000
"""Entries in the longest log accepted."""


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game that was read from a file."""

    title: Title
    names: tuple[str, ...]
    entries: tuple[Entry, ...]
    result: Mapping[str, int] | None = None


def written(title: Title, actions: Sequence[Action], state: State) -> Body:
    """The file of a game in which nothing was taken back; `state` is the position after these actions."""
    log = [{"seq": seq, "kind": "action", "action": to_json(action)} for seq, action in enumerate(actions, start=1)]
    return {
        "tetsudo": FORMAT,
        "title": title.id,
        "options": sorted(title.options),
        "players": list(state.names.values()),
        "log": log,
        "finished": bool(state.over),
        "result": dict(scores(title, state)),
    }


def read(body: Record) -> GameFile:
    """The game in a file's JSON object. Raises BadRecord, which says what is missing or wrong, and where."""
    if body.get("tetsudo") != FORMAT:
        raise BadRecord(f"This file is of format {shown(body.get('tetsudo'))}; this program reads format {FORMAT}.")
    names, options = _texts(body.get("players")), _texts(body.get("options"))
    if names is None or options is None:
        raise BadRecord("The file does not list its players and options.")
    log = body.get("log")
    if not isinstance(log, list) or len(log) > LONGEST:
        raise BadRecord("The file's log is missing or malformed.")
    try:
        title = build(str(body.get("title")), len(names), options)
    except BadAction as error:
        raise BadRecord(str(error)) from error
    result = claimed(body) if body.get("finished") else None
    entries = tuple(_entry_from_json(position, item) for position, item in enumerate(log, start=1))
    _check_redos(entries)
    return GameFile(title, names, entries, result)


def _check_redos(entries: Sequence[Entry]) -> None:
    """Each redo takes back an undo that nothing but other undos and redos followed."""
    undone = 0
    for entry in entries:
        undone = {"action": 0, "undo": undone + 1, "redo": undone - 1}[entry.kind]
        if undone < 0:
            raise BadRecord(f"Entry {entry.seq} of the log restores nothing: nothing was undone just before it.")


def claimed(body: Record) -> Mapping[str, int] | None:
    """The result that a game file of either format claims; None if it claims none."""
    result = body.get("result")
    if result is None or result == {}:
        return None
    if isinstance(result, Mapping) and all(type(worth) is int for worth in result.values()):
        return result
    raise BadRecord(f"The file's result is {shown(result)}, where each player's worth should stand.")


def _texts(value: Any) -> tuple[str, ...] | None:
    """The items of a list, if all are texts; otherwise None."""
    return tuple(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def _entry_from_json(position: int, item: Any) -> Entry:
    if not isinstance(item, Mapping) or item.get("kind") not in ("action", "undo", "redo"):
        raise BadRecord(f"Entry {position} of the log is not an action, an undo or a redo.")
    target = item.get("target")
    if target is not None and not (isinstance(target, int) and 0 <= target < position):
        raise BadRecord(f"Entry {position} of the log goes back to entry {shown(target)}, which is not before it.")
    if item["kind"] != "action":
        return Entry(position, item["kind"], target=target)
    try:
        return Entry(position, "action", from_json(item.get("action") or {}))
    except BadAction as error:
        raise BadRecord(f"Entry {position} of the log: {error}") from error
