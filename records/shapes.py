"""What JSON objects are called in this package, and how their fields are read."""

import json
from collections.abc import Mapping
from typing import Any

Record = Mapping[str, Any]
"""A JSON object that was read from a file: a game, or one of its actions."""
Body = dict[str, Any]
"""A JSON object to be written."""


_QUOTED = 60
"""The most characters that are quoted of what a file has in a place."""


class Malformed(ValueError):
    """What is wrong with a recorded action, as the rest of a sentence that begins with it."""


def shown(value: Any) -> str:
    """A value of a file for people, as it stands there, cut off where it is long."""
    written = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return written if len(written) <= _QUOTED else f"{written[:_QUOTED]}…"


def field(recorded: Record, key: str) -> Any:
    """A field that must be there."""
    if key not in recorded:
        raise Malformed(f"does not say its {key}")
    return recorded[key]


def text(recorded: Record, key: str) -> str:
    """A field that is a text."""
    value = field(recorded, key)
    if isinstance(value, str):
        return value
    raise Malformed(f"is not well formed: its {key} is {shown(value)}")


def number(recorded: Record, key: str) -> int:
    """A field that is a whole number, perhaps written as a text."""
    value = field(recorded, key)
    try:
        if isinstance(value, int | str) and not isinstance(value, bool):
            return int(value)
    except ValueError:
        pass
    raise Malformed(f"is not well formed: its {key} is {shown(value)}")


def texts(recorded: Record, key: str) -> list[str]:
    """A field that is a list of texts, at least one."""
    value = field(recorded, key)
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return value
    raise Malformed(f"is not well formed: its {key} are {shown(value)}")


def records(recorded: Record, key: str) -> list[Record]:
    """A field that is a list of objects."""
    value = field(recorded, key)
    if isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
        return value
    raise Malformed(f"is not well formed: its {key} are {shown(value)}")
