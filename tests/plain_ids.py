"""A plugin for mypy: in tests and benchmarks every id is a plain string.

`PlayerId`, `CorpId`, `HexId` and their like keep ids apart in the program. Tests write ids as literals all the time,
`LayTile("p1", "AR", "C4", "57", 0)`; to wrap each would hide what they say, and to ignore each would hide mistakes.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import AnalyzeTypeContext, FunctionContext, Plugin
from mypy.types import Type

IDS = "engine.ids."


class PlainIds(Plugin):
    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """An id in an annotation is a str."""
        return (lambda context: context.api.named_type("builtins.str", [])) if fullname.startswith(IDS) else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """`CorpId("AR")` is a str."""
        name = fullname.removeprefix(IDS)
        if name == fullname or not name[0].isupper():
            return None
        return lambda context: context.api.named_generic_type("builtins.str", [])


def plugin(version: str) -> type[Plugin]:
    return PlainIds
