"""Writing actions and positions into the ids of buttons, and reading them back.

An id is `KIND:GAME:SEQ:CODE`, 100 characters at most. KIND tells buttons, selects and modals apart, GAME
is the game's id and SEQ the position the control was made for. CODE is a word and its arguments joined
by "|". An action's code is its kind and its fields in order, without the seat, which is that of whoever
presses. `Rooms.read` lets through what the bot can have made, and `must_be_of` what there is in the game; whether it
may be done now is for the engine.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from bot.core.errors import UnknownControl
from bot.words.labels import CONTROLS
from engine import BANK, POOL, Action, BadAction, PlayerId, Title, from_json, to_json
from engine.actions import ACTIONS, RunTrains

ID_PATTERN = r"(?P<game>[0-9a-zA-Z-]{1,20}):(?P<seq>[0-9]{1,7}):(?P<code>.{1,70})"
LIMIT = 100
NOT_OFFERED = "That is not one of the choices: please pick from the list."
SEPARATOR = "|"
NAME = r"[\w&+.-]{1,20}"
"""What names a thing of the game, in what may follow a word."""
_OF_THINGS = ("menu", "lay", "hex", "try", "routes", "further", "ask", "amount")
"""The words whose arguments name things of the game."""


def join(*parts: object) -> str:
    """The parts as one code; None becomes an empty part."""
    return SEPARATOR.join("" if part is None else str(part) for part in parts)


def must_be_of(title: Title, word: str, parts: Sequence[str]) -> None:
    """Raise UnknownControl if the code names what the game does not have."""
    things = (ACTIONS, title.corporations, title.privates, title.hexes, title.tiles, title.trains, (BANK, POOL))
    known = (part.isdecimal() or any(part in some for some in things) for part in parts)
    if word in _OF_THINGS and not all(known):
        raise UnknownControl()


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
    name, *values = code.split(SEPARATOR)
    kind = ACTIONS.get(name)
    if kind is None or kind not in CONTROLS or kind is RunTrains:
        raise BadAction(NOT_OFFERED)
    slots = [field for field in fields(kind) if field.name != "by"]
    if len(values) != len(slots):
        raise BadAction(NOT_OFFERED)
    body: dict[str, Any] = {"do": name, "by": by}
    for field, value in zip(slots, values, strict=True):
        if value == "":
            continue
        body[field.name] = _number(value) if field.type is int else value
    return from_json(body)


def _number(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,12}", text):
        raise BadAction(NOT_OFFERED)
    return int(text)
