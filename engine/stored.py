"""Positions as they are kept: packed small, readable by later versions, and told apart by a fingerprint.

Names of people are left out: a seat may change hands without a change of the position.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, get_args, get_type_hints

from engine.board.board import Board
from engine.errors import BadPosition, EngineError
from engine.flow import decision, legal, present_step
from engine.ids import PlayerId
from engine.plain import read_fields, unfolded
from engine.state import Own, State
from engine.title import Title

Body = dict[str, Any]

UPGRADES: tuple[Callable[[Body], Body], ...] = ()
"""The one at index N makes a body of format N + 2 of one of format N + 1.

Whoever renames a field of a position or gives one another meaning adds one. A new field needs none: its default stands
in until the game moves on.
"""
FORMAT = len(UPGRADES) + 1
"""How positions are written now."""

_LEFT_OUT = ("names", "board", "facts")
_FIELDS = tuple(name for name in State.__slots__ if name not in _LEFT_OUT)
_NAMED = (*_FIELDS, "placed", "stations")
_fields = attrgetter(*_FIELDS)
ODD = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What code may raise on a position that its rules could never lead to."""


def body_of(state: State) -> Body:
    """The position as a JSON value."""
    body = state.to_dict()
    del body["names"]
    return body


def state_of(title: Title, names: Mapping[PlayerId, str], body: Body, form: int = FORMAT) -> State:
    """The position that `body_of` wrote in an earlier or the present format. Raises BadPosition.

    Fields that are not there have their defaults.
    """
    body = _upgraded(body, form)
    try:
        placed = {hex_id: (tile, rotation) for hex_id, (tile, rotation) in body["board"]["placed"].items()}
        tokens = {stop: tuple(places) for stop, places in body["board"]["tokens"].items()}
        own = title.own(**read_fields(title.own, body.get("own", {})))
        values = {name: value for name, value in body.items() if name not in (*_LEFT_OUT, "own")}
        return State(dict(names), Board(title.grid, placed, tokens), own=own, **read_fields(State, values))
    except ODD as error:
        raise BadPosition(f"The position cannot be read: {error!r}") from error


def pack(state: State) -> bytes:
    """The position in some 1,500 bytes."""
    return zlib.compress(json.dumps(body_of(state), separators=(",", ":")).encode())


def unpack(title: Title, names: Mapping[PlayerId, str], blob: bytes, form: int = FORMAT) -> State:
    """What `pack` wrote in that format. Raises BadPosition."""
    return state_of(title, names, _unzipped(blob), form)


def _unzipped(blob: bytes) -> Body:
    try:
        body = json.loads(zlib.decompress(blob))
    except (zlib.error, ValueError) as error:
        raise BadPosition(f"The position is damaged: {error}") from error
    if not isinstance(body, dict):
        raise BadPosition("The position is damaged: it is not an object.")
    return body


def _upgraded(body: Body, form: int) -> Body:
    if not 1 <= form <= FORMAT:
        raise BadPosition(f"The position is of format {form}; this version knows formats up to {FORMAT}.")
    try:
        for upgrade in UPGRADES[form - 1 :]:
            body = upgrade(body)
    except ODD as error:
        raise BadPosition(f"The position cannot be read: {error!r}") from error
    return body


class Fingerprints:
    """Fingerprints of positions, fast for those that follow each other, as most fields stay as they were."""

    def __init__(self) -> None:
        self._last: tuple[Any, ...] = (None,) * len(_NAMED)
        self._texts = [f"{name} null" for name in _NAMED]

    def of(self, state: State) -> str:
        """The same text for equal positions, whoever sits at the table; it begins with the shape of positions."""
        values = _values(state)
        for number, (last, value) in enumerate(zip(self._last, values, strict=True)):
            if last is not value and last != value:
                self._texts[number] = f"{_NAMED[number]} {_written(value)}"
        self._last = values
        text = "\n".join(self._texts)
        return f"{shape(type(state.own))}:{hashlib.sha256(text.encode()).hexdigest()[:32]}"


_written = json.JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False, default=unfolded).encode
"""The same as of `plain(value)`: JSON goes on into what is within."""


def fingerprint(state: State) -> str:
    """The fingerprint of one position alone."""
    return Fingerprints().of(state)


def comparable(print_: str | None, title: Title) -> bool:
    """Whether a stored fingerprint is there and was made of positions of the present shape."""
    return print_ is not None and print_.startswith(f"{shape(title.own)}:")


def shape(own: Any) -> str:
    """Names the fields that positions with this record of the title's own have, and their types."""
    return _digest(own)


@cache
def _digest(own: Any) -> str:
    return hashlib.sha256(json.dumps([FORMAT, _shape(State), _shape(own)]).encode()).hexdigest()[:8]


def _shape(kind: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type) and kind not in (Board, Own):
        hints = get_type_hints(kind)
        return {one.name: _shape(hints[one.name]) for one in fields(kind) if one.name not in _LEFT_OUT}
    return [str(kind), *map(_shape, get_args(kind))]


def agrees(state: State, blob: bytes, form: int = FORMAT) -> bool:
    """Whether the position is the one that `pack` wrote, as far as that format could tell. Raises BadPosition."""
    old, new = _upgraded(_unzipped(blob), form), body_of(state)
    own = {name: new["own"][name] for name in old.get("own", {}) if name in new["own"]}
    new["own"], old["own"] = own, {name: old["own"][name] for name in own}
    return all(old[name] == new[name] for name in old if name in new)


def differences(one: State, other: State) -> list[str]:
    """The fields in which two positions differ, in the order of `State`."""
    both = zip(_NAMED, _values(one), _values(other), strict=True)
    return [name for name, first, second in both if first != second]


def playable(title: Title, state: State) -> bool:
    """Whether the game can go on from the position: somebody is asked and can do something, or it is over."""
    if state.over:
        return True
    try:
        present_step(title, state)
        title.phase(state)
        return any(True for seat in decision(title, state).players for _ in legal(title, state, seat))
    except (EngineError, *ODD):
        return False


def _values(state: State) -> tuple[Any, ...]:
    """What makes a position, by the names of `_NAMED`."""
    return (*_fields(state), state.board.placed, state.board.tokens)
