"""What a title comes to use of the engine, found without playing: by the names that functions read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from dis import get_instructions
from itertools import pairwise
from types import CodeType, FunctionType, ModuleType
from typing import Any


class Reachable:
    """All objects that the roots lead to: what records and tables hold, and what functions call or read.

    A function leads to whatever its names stand for in its module. A class leads to its methods, but not to the
    defaults of its fields: a policy that a title replaces is not reached through the one that it replaces.
    """

    def __init__(self, roots: Iterable[object]) -> None:
        self.objects: dict[int, object] = {}
        self.names: set[str] = set()
        waiting = list(roots)
        while waiting:
            found = waiting.pop()
            if id(found) not in self.objects:
                self.objects[id(found)] = found
                waiting += self._next(found)

    def __contains__(self, wanted: object) -> bool:
        """Whether the object itself was met, or for text like "Title.bank" a record with this field and its use."""
        if isinstance(wanted, str):
            record, _, field = wanted.partition(".")
            return field in self.names and any(
                kind.__name__ == record and field in kind.__dataclass_fields__
                for kind in self.objects.values()
                if isinstance(kind, type) and is_dataclass(kind)
            )
        return not isinstance(wanted, int) and id(wanted) in self.objects  # equal numbers may be one object

    def _next(self, found: object) -> Iterator[object]:
        found = getattr(found, "__wrapped__", found)
        if isinstance(found, FunctionType):
            yield from self._named_in(found)
        elif isinstance(found, type):
            if found.__module__.startswith("engine"):
                yield from _methods(found)
        elif isinstance(found, Mapping):
            yield from (*found.keys(), *found.values())
        elif isinstance(found, tuple | list | frozenset | set):
            yield from found
        elif type(found).__module__.startswith("engine"):
            yield type(found)
            if is_dataclass(found):
                yield from (getattr(found, field.name) for field in fields(found))

    def _named_in(self, function: FunctionType) -> Iterator[object]:
        for code in _codes(function.__code__):
            self.names |= set(code.co_names)
            for step, following in pairwise(get_instructions(code)):
                if step.opname == "LOAD_GLOBAL" and step.argval in function.__globals__:
                    value = function.__globals__[step.argval]
                    yield vars(value)[following.argval] if isinstance(value, ModuleType) else value
        yield from (cell.cell_contents for cell in function.__closure__ or ())
        yield from (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function and of all that is defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _methods(kind: type[Any]) -> Iterator[object]:
    yield from kind.__bases__
    for name, value in vars(kind).items():
        if name not in getattr(kind, "__dataclass_fields__", {}):
            value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if isinstance(value, FunctionType):
                yield value
