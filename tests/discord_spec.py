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

from jsonschema import Draft202012Validator, ValidationError, validators
from jsonschema.protocols import Validator

FILE = Path(os.environ.get("DISCORD_SPEC") or Path(__file__).parents[1].parent / "shared" / "discord" / "openapi.json")
ABSENT = "Discord's specification is not beside this repository (../shared/discord/openapi.json)"
MOST_FAULTS = 3
SNOWFLAKE = "#/components/schemas/SnowflakeType"
Schema = dict[str, Any]


class Specification:
    """The schemas of requests and answers, by method and path."""

    def __init__(self, document: dict[str, Any]) -> None:
        patterns = [(tuple(path.strip("/").split("/")), body) for path, body in document["paths"].items()]
        self._paths = sorted(patterns, key=lambda pair: sum(word.startswith("{") for word in pair[0]))
        schemas = {f"#/components/schemas/{name}": body for name, body in document["components"]["schemas"].items()}
        numbers = {"type": ["string", "integer"], "pattern": schemas[SNOWFLAKE]["pattern"], "minimum": 0}
        # Ids are written as strings, and read as numbers too.
        self._request = _validator(schemas | {SNOWFLAKE: numbers})
        self._answer = _validator(schemas)

    def request_faults(self, method: str, path: str, body: Any) -> list[str]:
        """What is wrong with the JSON body of a request, in words; nothing where all is well."""
        operation = self._operation(method, path)
        if operation is None:
            return [f"{method} {path} is not in the specification"]
        content = operation.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        if schema is None:
            return [] if body in (None, {}) else ["a body where none is specified"]
        return _faults(self._request, schema, body)

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
        return _faults(self._answer, schema, body)

    def faults(self, name: str, body: Any) -> list[str]:
        """What is wrong with something that Discord sends, by the name of its schema: "MessageResponse"."""
        return _faults(self._answer, {"$ref": f"#/components/schemas/{name}"}, body)

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


def _validator(schemas: dict[str, Schema]) -> type[Validator]:
    """The validator of JSON Schema with references looked up at once, and unions told apart by `type`.

    The library tries every member of a union, some thousand for one message of ours; this is 20 times as fast.
    """

    sound: set[int] = set()

    def reference(validator: Any, name: str, instance: Any, _: Schema) -> Iterator[ValidationError]:
        seen = hash((name, json.dumps(instance)))  # most of what is sent has been sent before
        if seen in sound:
            return
        errors = list(validator.descend(instance, schemas[name]))
        if not errors:
            sound.add(seen)
        yield from errors

    def union(keyword: str) -> Any:
        general = Draft202012Validator.VALIDATORS[keyword]

        def check(validator: Any, members: list[Schema], instance: Any, schema: Schema) -> Iterator[ValidationError]:
            fitting = [one for one in members if _may_fit(schemas, one, instance)]
            if len(fitting) == 1:
                yield from validator.descend(instance, fitting[0])
            else:
                yield from general(validator, fitting, instance, schema)

        return check

    changed = {"$ref": reference, "oneOf": union("oneOf"), "anyOf": union("anyOf")}
    return validators.extend(Draft202012Validator, changed)


def _may_fit(schemas: dict[str, Schema], member: Schema, instance: Any) -> bool:
    """Whether the instance is null where the member is, its constant, and of its `type` where both have one."""
    if "const" in member:
        return bool(instance == member["const"])
    if member == {"type": "null"}:
        return instance is None
    if instance is None:
        return "$ref" not in member
    of_type = schemas.get(member.get("$ref", ""), member).get("properties", {}).get("type", {})
    if not isinstance(instance, dict) or "type" not in instance or "enum" not in of_type:
        return True
    return instance["type"] in of_type["enum"]


def _faults(kind: type[Validator], schema: Schema, body: Any) -> list[str]:
    errors = islice(kind(schema).iter_errors(body), MOST_FAULTS)
    return [f"{error.json_path}: {error.message[:200]}" for error in errors]


@cache
def specification() -> Specification | None:
    """The specification, None where its file is not at hand."""
    return Specification(json.loads(FILE.read_text("utf-8"))) if FILE.exists() else None
