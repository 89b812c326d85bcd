"""Records as JSON values and back, by their annotations: how positions are written and read."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

Reader = Callable[[Any], Any]


def plain(value: Any) -> Any:
    """The value as JSON has it: records as objects, tuples as lists, sets as sorted lists."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, frozenset) or hasattr(value, "__dataclass_fields__"):
        return plain(unfolded(value))
    return value


def unfolded(value: Any) -> Any:
    """A set as a sorted list, or a record as an object, with what is within left as it is."""
    if isinstance(value, frozenset):
        return sorted(value)
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def read_fields(kind: type, body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record of this kind that `plain` wrote.

    What the kind does not know is left out, so a body of another version still reads; its defaults fill the rest.
    """
    hints = _hints(kind)
    return {name: reader(hints[name])(value) for name, value in body.items() if name in hints}


_hints = cache(get_type_hints)


@cache
def reader(hint: Any) -> Reader:
    """What makes a value of this type of what `plain` wrote. TypeError for types that positions do not use."""
    origin, inner = get_origin(hint), get_args(hint)
    if isinstance(hint, NewType):
        return reader(hint.__supertype__)
    if hint in (str, int, bool, NoneType) or origin is Literal:
        return _as_is
    if origin in (Union, UnionType):
        return _union(hint, [reader(each) for each in inner if each is not NoneType])
    if origin is tuple:
        return _tuple([reader(each) for each in inner if each is not Ellipsis], endless=inner[-1] is Ellipsis)
    if origin is frozenset:
        return frozenset
    if origin in (dict, Mapping):
        item = reader(inner[1])
        return lambda body: {key: item(value) for key, value in body.items()}
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda body: hint(**read_fields(hint, body))
    raise TypeError(f"positions hold no {hint}")


def _as_is(value: Any) -> Any:
    return value


def _union(hint: Any, readers: list[Reader]) -> Reader:
    if all(read is _as_is for read in readers):
        return _as_is
    if len(readers) != 1:
        raise TypeError(f"JSON does not tell apart the kinds of {hint}")
    return lambda body: None if body is None else readers[0](body)


def _tuple(readers: list[Reader], *, endless: bool) -> Reader:
    if endless:
        return lambda body: tuple(map(readers[0], body))
    return lambda body: tuple(read(value) for read, value in zip(readers, body, strict=True))
