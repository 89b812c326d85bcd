"""Programs as JSON values and back, read strictly: what does not fit a kind exactly is refused."""

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, fields, replace
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from engine import Action, BadAction, Title
from engine.action_json import from_json as action_from_json
from engine.action_json import to_json as action_to_json
from engine.ids import seat
from programs.auction import BidFor, BidToPick
from programs.following import Follow
from programs.offers import AnswerOffers
from programs.operating import Operate
from programs.program import LARGEST, Cause, Program
from programs.run_out import RunOut
from programs.stock import Buy, PassAhead, Sell

KINDS: Mapping[str, type[Program]] = {
    one.kind: one for one in (Buy, Sell, PassAhead, BidFor, BidToPick, Operate, AnswerOffers, Follow, RunOut)
}
"""Every kind of program by its name in JSON."""
MOST_LETTERS, MOST_SAID, MOST_ITEMS = 60, 600, 40
T = TypeVar("T", bound=Program | Cause)


class BadProgram(ValueError):
    """Not a program that this version knows."""


class NewerProgram(BadProgram):
    """Not one that this version knows; a newer one may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Newer(Program):
    """A program of a newer version, which waits for a process that knows it."""

    kind: ClassVar[str] = "newer"

    text: str
    """As it was stored."""


def to_json(program: Program) -> dict[str, Any]:
    """A JSON object with the program's kind under "kind"."""
    if isinstance(program, Newer):
        body: dict[str, Any] = json.loads(program.text)
        return body
    return {"kind": program.kind, **{one.name: _plain(getattr(program, one.name)) for one in fields(program)}}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return action_to_json(value) if isinstance(value, Action) else value


def from_json(body: Any) -> Program:
    """The program that `to_json` wrote. Raises BadProgram for anything else."""
    name = body.get("kind") if isinstance(body, Mapping) else None
    if not isinstance(name, str):
        raise BadProgram("This is not a program.")
    kind = KINDS.get(name)
    if kind is None:
        raise NewerProgram("This is not a kind of program.")
    return _made(kind, {name: value for name, value in body.items() if name != "kind"})


def cause_to_json(cause: Cause) -> dict[str, Any]:
    """A JSON object with what is known of a cause."""
    return {one.name: value for one in fields(cause) if (value := getattr(cause, one.name))}


def cause_from_json(body: Any) -> Cause:
    """The cause that `cause_to_json` wrote. Raises BadProgram for anything else."""
    if not isinstance(body, Mapping):
        raise BadProgram("This is not a cause.")
    said = body.get("text", "")
    cause = _made(Cause, {name: value for name, value in body.items() if name != "text"})
    return replace(cause, text=str(said)[:MOST_SAID])


def _made(kind: type[T], body: Mapping[str, Any]) -> T:
    hints = get_type_hints(kind)
    if not set(body) <= {one.name for one in fields(kind)}:
        raise NewerProgram(f"{kind.__name__} has other fields.")
    values = {name: _read(hints[name], value) for name, value in body.items()}
    try:
        return kind(**values)
    except TypeError as error:
        raise BadProgram(f"{kind.__name__} is incomplete.") from error


def fits(program: Program, title: Title) -> bool:
    """Whether all that the program names is in the game."""
    known: Mapping[str, Container[object]] = {
        "PlayerId": [seat(number) for number in range(title.players)],
        "CorpId": title.corporations,
        "PrivateId": title.privates,
        "Rank": title.trains,
    }
    hints = get_type_hints(type(program))
    return all(_named(hints[one.name], getattr(program, one.name), known) for one in fields(program))


def _named(hint: Any, value: Any, known: Mapping[str, Container[object]]) -> bool:
    if isinstance(value, tuple):
        return all(_named(get_args(hint)[0], one, known) for one in value)
    if isinstance(value, Action):
        hints = get_type_hints(type(value))
        return all(_named(hints[one.name], getattr(value, one.name), known) for one in fields(value))
    kinds = [one for one in (hint, *get_args(hint)) if isinstance(one, NewType)]
    return value is None or all(value in known.get(one.__name__, (value,)) for one in kinds)


def _read(hint: Any, value: Any) -> Any:
    """The value, if it is of this type."""
    origin, inner = get_origin(hint), get_args(hint)
    if isinstance(hint, NewType):
        return _read(hint.__supertype__, value)
    if origin is Literal:
        fits = isinstance(value, str)
        if fits and value not in inner:
            raise NewerProgram("A choice in a program is not one of its kind's.")
    elif origin in (Union, UnionType):
        if value is None and NoneType in inner:
            return None
        return _read(next(one for one in inner if one is not NoneType), value)
    elif origin is tuple:
        if not isinstance(value, list) or len(value) > MOST_ITEMS:
            raise BadProgram("A list in a program is malformed or too long.")
        return tuple(_read(inner[0], one) for one in value)
    elif isinstance(hint, type) and issubclass(hint, Action):
        return _read_action(hint, value)
    elif hint is bool:
        fits = isinstance(value, bool)
    elif hint is int:
        fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST
    else:
        fits = isinstance(value, str) and len(value) <= MOST_LETTERS
    if not fits:
        raise BadProgram("A value in a program is not of its kind.")
    return value


def _read_action(kind: type[Action], value: Any) -> Action:
    try:
        action = action_from_json(value)
    except BadAction as error:
        raise BadProgram(str(error)) from error
    if not isinstance(action, kind):
        raise BadProgram(f"A program needs {kind.__name__} there.")
    return action
