"""Writing actions and positions into the ids of buttons, and reading them back.

An id is `KIND:GAME:SEQ:CODE`, 100 characters at most. KIND tells buttons, selects and modals apart, GAME
is the game's id and SEQ the position the control was made for. CODE is a word and its arguments joined
by "|". An action's code is its kind and its fields in order, without the seat, which is that of whoever
presses.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from typing import Any

from bot.text.labels import CONTROLS
from engine.actions import ACTIONS, Action, RunTrains, from_json, to_json
from engine.errors import BadAction
from engine.ids import PlayerId

ID_PATTERN = r"(?P<game>[0-9a-zA-Z-]{1,20}):(?P<seq>[0-9]{1,7}):(?P<code>.{1,70})"
LIMIT = 100
SEPARATOR = "|"


def join(*parts: object) -> str:
    """The parts as one code; None becomes an empty part."""
    return SEPARATOR.join("" if part is None else str(part) for part in parts)


def split(code: str) -> list[str]:
    """The parts of a code that `join` made, all as text."""
    return code.split(SEPARATOR)


def action_code(action: Action, effort: int = 0) -> str:
    """A short code for the action; routes are too long, so their code is a digest and the effort that finds them."""
    if isinstance(action, RunTrains):
        return join("RunTrains", action.corp, digest(action), *([effort] if effort else []))
    body = to_json(action)
    names = [field.name for field in fields(action) if field.name != "by"]
    return join(type(action).__name__, *(body.get(name) for name in names))


def digest(action: Action) -> str:
    """Ten characters that tell apart actions at the same position."""
    body = {key: value for key, value in to_json(action).items() if key != "by"}
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:10]


def read_action(code: str, by: PlayerId) -> Action:
    """The action that `action_code` encoded, taken by seat `by`. Raises BadAction."""
    name, *values = split(code)
    kind = ACTIONS.get(name)
    if kind is None or kind not in CONTROLS or kind is RunTrains:
        raise BadAction("The game does not know what this button stands for.")
    slots = [field for field in fields(kind) if field.name != "by"]
    if len(values) != len(slots):
        raise BadAction("This button is incomplete.")
    body: dict[str, Any] = {"do": name, "by": by}
    for field, value in zip(slots, values, strict=True):
        if value == "":
            continue
        body[field.name] = _number(value) if field.type == "int" else value
    return from_json(body)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise BadAction("This button carries no whole number.") from error
