"""What Discord refuses to take: sizes and forms of messages, modals, autocomplete answers and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

COMPONENTS_V2 = 1 << 15
EPHEMERAL = 1 << 6
UPLOAD = 10 * 1024 * 1024
NAME = re.compile(r"[-_'\w]{1,32}")


class Invalid(Exception):
    """The payload would be answered with 400, code 50035; the text says which part is wrong."""


def need(holds: bool, what: str) -> None:
    if not holds:
        raise Invalid(what)


def walk(node: Any) -> Iterator[dict[str, Any]]:
    """All components of a payload, outer ones first."""
    if isinstance(node, dict):
        yield node
        for key in ("components", "component", "accessory"):
            yield from walk(node.get(key) or [])
    elif isinstance(node, list):
        for one in node:
            yield from walk(one)


def text_of(content: str, components: list[dict[str, Any]]) -> str:
    """All the text that a reader of the message sees, controls left out."""
    shown = [str(one.get("content", "")) for one in walk(components) if one.get("type") == 10]
    return "\n".join([content, *shown]).strip()


def check_message(body: dict[str, Any], files: dict[str, bytes], kept: set[str]) -> None:
    """Raise Invalid for a message that Discord would not take. `kept` are names of files it already has."""
    content = body.get("content") or ""
    components = body.get("components") or []
    layout = bool((body.get("flags") or 0) & COMPONENTS_V2)
    need(len(content) <= 2000, "content: more than 2000 characters")
    need(not (layout and (content or body.get("embeds"))), "content: not with the components flag")
    need(bool(content or components or files or body.get("embeds")), "Cannot send an empty message")
    check_components(components, layout, {*files, *kept})
    need(len(files) <= 10, "files: more than 10")
    need(sum(map(len, files.values())) <= UPLOAD, "files: too large")
    for one in body.get("attachments") or []:
        need(len(one.get("description") or "") <= 1024, "attachments: description too long")
    need(len(str(body.get("nonce") or "")) <= 25, "nonce: more than 25 characters")


def check_components(components: list[dict[str, Any]], layout: bool, names: set[str]) -> None:
    found = list(walk(components))
    need(len(found) <= 40, "components: more than 40")
    need(layout or all(one["type"] == 1 for one in components), "components: rows only, without the flag")
    text = sum(len(str(one.get("content", ""))) for one in found if one["type"] == 10)
    need(text <= 4000, f"components: {text} characters, more than 4000")
    ids = [one["custom_id"] for one in found if "custom_id" in one]
    need(len(ids) == len(set(ids)), "components: a custom_id twice")
    for one in found:
        check_component(one, names)


def check_component(one: dict[str, Any], names: set[str]) -> None:
    need(len(one.get("custom_id", "x")) in range(1, 101), "custom_id: 1 to 100 characters")
    kind = one["type"]
    if kind == 1:
        inside = [child["type"] for child in one["components"]]
        need(1 <= len(inside) <= 5, "row: 1 to 5 controls")
        need(3 not in inside or len(inside) == 1, "row: a list is alone")
    elif kind == 2:
        need(1 <= len(one.get("label") or "") <= 80, "button: label of 1 to 80 characters")
    elif kind == 3:
        options = one["options"]
        need(1 <= len(options) <= 25, f"select: {len(options)} options")
        need(len({option["value"] for option in options}) == len(options), "select: a value twice")
        need(len(one.get("placeholder") or "") <= 150, "select: placeholder too long")
        for option in options:
            need(1 <= len(option["label"]) <= 100 and 1 <= len(option["value"]) <= 100, "select: option too long")
            need(len(option.get("description") or "") <= 100, "select: description too long")
    elif kind == 10:
        need(bool(one["content"].strip()), "text: empty")
    elif kind == 12:
        need(1 <= len(one["items"]) <= 10, "gallery: 1 to 10 pictures")
        for item in one["items"]:
            url = item["media"]["url"]
            need(len(item.get("description") or "") <= 1024, "gallery: description too long")
            need(not url.startswith("attachment://") or url[13:] in names, f"gallery: no file {url[13:]}")


def check_modal(body: dict[str, Any]) -> None:
    need(1 <= len(body.get("title", "")) <= 45, "modal: title of 1 to 45 characters")
    need(1 <= len(body.get("custom_id", "")) <= 100, "modal: custom_id of 1 to 100 characters")
    need(1 <= len(body["components"]) <= 5, "modal: 1 to 5 parts")
    for one in walk(body["components"]):
        need(len(one.get("label") or "") <= 45, "modal: label too long")
        need(len(one.get("placeholder") or "") <= 150, "modal: placeholder too long")
        need(len(one.get("description") or "") <= 100, "modal: description too long")


def check_choices(choices: list[dict[str, Any]]) -> None:
    need(len(choices) <= 25, "choices: more than 25")
    for one in choices:
        need(1 <= len(one["name"]) <= 100 and len(str(one["value"])) <= 100, "choices: name or value too long")


def check_commands(commands: list[dict[str, Any]]) -> None:
    """The limits on registering an application's commands."""
    need(len(commands) <= 100, "commands: more than 100")
    need(len({one["name"] for one in commands}) == len(commands), "commands: a name twice")
    for one in commands:
        check_command(one, top=True)
        need(size(one) <= 8000, f"command {one['name']}: more than 8000 characters")


def check_command(one: dict[str, Any], *, top: bool = False) -> None:
    name = one["name"]
    need(bool(NAME.fullmatch(name)) and name == name.lower(), f"command {name!r}: bad name")
    need(1 <= len(one.get("description") or "") <= 100, f"command {name}: description of 1 to 100 characters")
    options = one.get("options") or []
    need(len(options) <= 25, f"command {name}: more than 25 options")
    required = [bool(option.get("required")) for option in options if option["type"] > 2]
    need(
        required == sorted(required, reverse=True), f"command {name}: an option that is required after one that is not"
    )
    need(len(one.get("choices") or []) <= 25, f"command {name}: more than 25 choices")
    need(top or not (one.get("choices") and one.get("autocomplete")), f"command {name}: choices and autocomplete")
    for option in options:
        check_command(option)


def size(one: dict[str, Any]) -> int:
    """Characters that count against the limit of a command."""
    own = len(one["name"]) + len(one.get("description") or "")
    own += sum(len(choice["name"]) + len(str(choice["value"])) for choice in one.get("choices") or [])
    return own + sum(size(option) for option in one.get("options") or [])
