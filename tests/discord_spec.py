"""Discord's published specification (OpenAPI 3.1), by which tests check what the bot sends and stand-ins answer.

The file is not part of this repository (https://github.com/discord/discord-api-spec). It is looked for beside it, in
`../shared/discord`, or where DISCORD_SPEC says. Without it only the limits of `wire/wire_limits.py` are checked.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError

FILE = Path(os.environ.get("DISCORD_SPEC") or Path(__file__).parents[1].parent / "shared" / "discord" / "openapi.json")
ABSENT = "Discord's specification is not beside this repository (../shared/discord/openapi.json)"
MOST_FAULTS = 3
Schema = dict[str, Any]


class Specification:
    """The schemas of requests and answers, by method and path."""

    def __init__(self, document: dict[str, Any]) -> None:
        patterns = [(tuple(path.strip("/").split("/")), body) for path, body in document["paths"].items()]
        self._paths = sorted(patterns, key=lambda pair: sum(word.startswith("{") for word in pair[0]))
        self._answer = _Schemas(document["components"]["schemas"])
        ids = self._answer.named["SnowflakeType"] | {"type": ["string", "integer"], "minimum": 0}
        # Ids are written as strings, and read as numbers too.
        self._request = _Schemas(self._answer.named | {"SnowflakeType": ids})

    def request_faults(self, method: str, path: str, body: Any) -> list[str]:
        """What is wrong with the JSON body of a request, in words; nothing where all is well."""
        operation = self._operation(method, path)
        if operation is None:
            return [f"{method} {path} is not in the specification"]
        content = operation.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        if schema is None:
            return [] if body in (None, {}) else ["a body where none is specified"]
        return self._request.faults(schema, body)

    def answer_faults(self, method: str, path: str, status: int, body: Any) -> list[str]:
        """What is wrong with an answer; `body` is None where it has none."""
        operation = self._operation(method, path)
        if operation is None:
            return [f"{method} {path} is not in the specification"]
        if status >= 500:
            return []
        if status >= 400:
            name = "RatelimitedResponse" if status == 429 else "ErrorResponse"
            return self.faults(name, body)
        if str(status) not in operation["responses"]:
            return [f"status {status} is not in the specification"]
        schema = operation["responses"][str(status)].get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return [] if body is None else ["a body where none is specified"]
        return self._answer.faults(schema, body)

    def faults(self, name: str, body: Any) -> list[str]:
        """What is wrong with something that Discord sends, by the name of its schema: "MessageResponse"."""
        return self._answer.faults(self._answer.named[name], body)

    @cache  # noqa: B019
    def _operation(self, method: str, path: str) -> dict[str, Any] | None:
        words = tuple(path.strip("/").split("/"))
        for pattern, body in self._paths:
            if len(pattern) == len(words) and all(
                one.startswith("{") or one == word for one, word in zip(pattern, words, strict=True)
            ):
                operation: dict[str, Any] | None = body.get(method.lower())
                return operation
        return None


class _Schemas:
    """The named schemas that others refer to, and a validator of each that was asked for."""

    def __init__(self, named: dict[str, Schema]) -> None:
        self.named = named
        self._validators: dict[int, Draft202012Validator] = {}

    def faults(self, schema: Schema, body: Any) -> list[str]:
        validator = self._validators.get(id(schema))
        if validator is None:
            validator = Draft202012Validator(schema | {"components": {"schemas": self.named}})
            self._validators[id(schema)] = validator
        return [_words(error) for error in islice(validator.iter_errors(body), MOST_FAULTS)]


def _words(error: ValidationError) -> str:
    """Where it is and what is wrong; of what fits no member of a union, what comes closest."""
    closest = max(_leaves(error), key=lambda one: len(one.instance_path))
    return f"{'.'.join(map(str, ['$', *closest.instance_path]))}: {closest.message[:200]}"


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    members: list[list[ValidationError]] = getattr(error.kind, "context", [])
    if not members:
        yield error
    for member in members:
        for one in member:
            yield from _leaves(one)


@cache
def specification() -> Specification | None:
    """The specification, None where its file is not at hand."""
    return Specification(json.loads(FILE.read_text("utf-8"))) if FILE.exists() else None
