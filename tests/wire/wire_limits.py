"""What Discord refuses to take beyond its published schemas: the limits and rules that its documentation tells.

Where the specification is not at hand, these alone are asked; so some things are checked by both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

SUPPRESS_EMBEDS, EPHEMERAL, LOADING, SILENT, VOICE, COMPONENTS_V2 = 1 << 2, 1 << 6, 1 << 7, 1 << 12, 1 << 13, 1 << 15
POSTED = SUPPRESS_EMBEDS | SILENT | VOICE | COMPONENTS_V2
"""Flags that a message in a channel may be posted with."""
EDITED = SUPPRESS_EMBEDS | COMPONENTS_V2
UPLOAD = 10 * 1024 * 1024
"""Bytes of one file."""
REQUEST = 25 * 1024 * 1024
"""Bytes of all files of a request."""
NAME = re.compile(r"[-_'\w]{1,32}")
LARGEST = 2**53
COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
"""Types of interactions."""
CALLBACKS = {COMMAND: {4, 5, 9, 12}, COMPONENT: {4, 5, 6, 7, 9, 12}, AUTOCOMPLETE: {8}, FORM: {4, 5, 12}}
"""Which types of callbacks answer which type of interaction; a form that a message opened may also change it."""


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


def unique(values: Iterable[Any], what: str) -> None:
    every = list(values)
    need(len(set(every)) == len(every), what)


# Messages


def check_message(
    body: dict[str, Any], files: dict[str, bytes], kept: dict[str, str], *, flags: int = POSTED, has: int = 0
) -> None:
    """Raise Invalid for a message that Discord would not take.

    `kept` are names of files it already has, with their ids; `flags` those that may be set here, `has` those it has.
    """
    content, components = body.get("content") or "", body.get("components") or []
    given = body.get("flags") or 0
    need(not given & ~(flags | has), f"flags: {given & ~(flags | has)} cannot be set here")
    layout = bool((given | has) & COMPONENTS_V2)
    need(len(content) <= 2000, "content: more than 2000 characters")
    others = [key for key in ("content", "embeds", "poll", "sticker_ids") if body.get(key)]
    need(not (layout and others), f"{others}: not with the components flag")
    need(bool(content or components or files or kept or body.get("embeds")), "Cannot send an empty message")
    check_files(body, files, kept)
    check_components(components, layout, {*files, *kept})
    check_mentions(body.get("allowed_mentions") or {})
    need(len(str(body.get("nonce") or "")) <= 25, "nonce: more than 25 characters")
    need(sum(map(embed_length, body.get("embeds") or [])) <= 6000, "embeds: more than 6000 characters")


def embed_length(one: dict[str, Any]) -> int:
    fields = [field.get(key) or "" for field in one.get("fields") or [] for key in ("name", "value")]
    others = [(one.get("footer") or {}).get("text") or "", (one.get("author") or {}).get("name") or ""]
    return sum(map(len, [one.get("title") or "", one.get("description") or "", *fields, *others]))


def check_files(body: dict[str, Any], files: dict[str, bytes], kept: dict[str, str]) -> None:
    need(len(files) + len(kept) <= 10, "files: more than 10")
    need(all(len(data) <= UPLOAD for data in files.values()), "files: one is too large")
    need(sum(map(len, files.values())) <= REQUEST, "files: together too large")
    listed = body.get("attachments") or []
    unique((str(one["id"]) for one in listed), "attachments: an id twice")
    known = {str(number) for number in range(len(files))} | set(kept.values())
    for one in listed:
        need(str(one["id"]) in known, f"attachments: {one['id']} is neither uploaded nor there")
        need(len(one.get("description") or "") <= 1024, "attachments: description too long")


def check_mentions(allowed: dict[str, Any]) -> None:
    for kind in ("users", "roles"):
        named = allowed.get(kind) or []
        need(not (named and kind in (allowed.get("parse") or [])), f"allowed_mentions: {kind} both parsed and named")
        need(len(named) <= 100, f"allowed_mentions: more than 100 {kind}")


def check_components(components: list[dict[str, Any]], layout: bool, names: set[str]) -> None:
    found = list(walk(components))
    need(len(found) <= 40, "components: more than 40")
    need(layout or all(one["type"] == 1 for one in components), "components: rows only, without the flag")
    need(layout or len(components) <= 5, "components: more than 5 rows, without the flag")
    text = sum(len(str(one.get("content", ""))) for one in found if one["type"] == 10)
    need(text <= 4000, f"components: {text} characters, more than 4000")
    unique((one["custom_id"] for one in found if one.get("custom_id")), "components: a custom_id twice")
    unique((one["id"] for one in found if one.get("id")), "components: an id twice")
    for one in found:
        check_component(one, names)


def check_component(one: dict[str, Any], names: set[str]) -> None:
    need(1 <= len(one.get("custom_id") or "x") <= 100, "custom_id: 1 to 100 characters")
    kind = one["type"]
    if kind == 1:
        inside = [child["type"] for child in one["components"]]
        need(1 <= len(inside) <= 5, "row: 1 to 5 controls")
        need(set(inside) == {2} or len(inside) == 1, "row: a list is alone")
    elif kind == 2:
        check_button(one)
    elif kind == 3:
        check_select(one)
    elif kind == 10:
        need(bool(one["content"].strip()), "text: empty")
    elif kind == 11:
        check_media(one["media"], names)
    elif kind == 12:
        need(1 <= len(one["items"]) <= 10, "gallery: 1 to 10 pictures")
        for item in one["items"]:
            need(len(item.get("description") or "") <= 1024, "gallery: description too long")
            check_media(item["media"], names)
    elif kind == 13:
        need(one["file"]["url"].startswith("attachment://"), "file: only of this message")
        check_media(one["file"], names)


def check_media(media: dict[str, Any], names: set[str]) -> None:
    address = media["url"]
    need(address.startswith(("attachment://", "https://", "http://")), "media: address")
    need(not address.startswith("attachment://") or address[13:] in names, f"media: no file {address[13:]}")


def check_button(one: dict[str, Any]) -> None:
    """A button does something, leads somewhere or sells something, and only that."""
    wanted = {5: "url", 6: "sku_id"}.get(one["style"], "custom_id")
    for key in ("custom_id", "url", "sku_id"):
        need(bool(one.get(key)) == (key == wanted), f"button: {key} with style {one['style']}")
    shown = bool(one.get("label") or one.get("emoji"))
    need(shown != (one["style"] == 6), "button: label or emoji")
    need(len(one.get("label") or "") <= 80, "button: label of more than 80 characters")


def check_select(one: dict[str, Any]) -> None:
    options = one["options"]
    need(1 <= len(options) <= 25, f"select: {len(options)} options")
    unique((option["value"] for option in options), "select: a value twice")
    need(len(one.get("placeholder") or "") <= 150, "select: placeholder too long")
    least, most = one.get("min_values"), one.get("max_values")
    least, most = 1 if least is None else least, 1 if most is None else most
    need(least <= most <= len(options), "select: how many to choose")
    need(sum(bool(option.get("default")) for option in options) <= most, "select: too many chosen beforehand")
    for option in options:
        need(1 <= len(option["label"]) <= 100 and 1 <= len(option["value"]) <= 100, "select: option too long")
        need(len(option.get("description") or "") <= 100, "select: description too long")


# Answers to interactions


def check_callback(interaction: int, callback: int, *, from_message: bool) -> None:
    """Whether this type of callback answers this type of interaction."""
    allowed = CALLBACKS[interaction] | ({6, 7} if interaction == FORM and from_message else set())
    need(callback in allowed, f"type: {callback} does not answer an interaction of type {interaction}")


def check_modal(body: dict[str, Any]) -> None:
    need(1 <= len(body.get("title", "")) <= 45, "modal: title of 1 to 45 characters")
    need(1 <= len(body.get("custom_id", "")) <= 100, "modal: custom_id of 1 to 100 characters")
    need(1 <= len(body["components"]) <= 5, "modal: 1 to 5 parts")
    inner = list(walk(body["components"]))
    unique((one["custom_id"] for one in inner if "custom_id" in one), "modal: a custom_id twice")
    for one in inner:
        need(len(one.get("label") or "") <= 45, "modal: label too long")
        need(len(one.get("placeholder") or "") <= (100 if one["type"] == 4 else 150), "modal: placeholder too long")
        need(len(one.get("description") or "") <= 100, "modal: description too long")
        if one["type"] == 3:
            check_select(one)
        elif one["type"] == 4:
            least, most = one.get("min_length") or 0, one.get("max_length") or 4000
            need(0 <= least <= most <= 4000, "modal: lengths of the text")
            value = one.get("value") or ""
            need(not value or least <= len(value) <= most, "modal: the text that is there does not fit")


def check_choices(choices: list[dict[str, Any]]) -> None:
    need(len(choices) <= 25, "choices: more than 25")
    unique((one["name"] for one in choices), "choices: a name twice")
    for one in choices:
        check_choice(one)


def check_choice(one: dict[str, Any]) -> None:
    need(1 <= len(one["name"]) <= 100, "choice: name of 1 to 100 characters")
    value = one["value"]
    need(len(value) <= 100 if isinstance(value, str) else abs(value) <= LARGEST, "choice: value too long")


# Commands


def check_commands(commands: list[dict[str, Any]]) -> None:
    """The limits on registering an application's commands."""
    need(len(commands) <= 100, "commands: more than 100")
    unique(((one["name"], one.get("type") or 1) for one in commands), "commands: a name twice")
    for one in commands:
        check_command(one)
        need(size(one) <= 8000, f"command {one['name']}: more than 8000 characters")


def check_command(one: dict[str, Any]) -> None:
    need((one.get("type") == 4) == ("handler" in one), f"command {one['name']}: a handler is for launching alone")
    if (one.get("type") or 1) != 1:
        need(
            one["type"] == 4 or (not one.get("description") and not one.get("options")),
            f"command {one['name']}: not of its type",
        )
        return
    check_name(one)
    check_options(one["name"], one.get("options") or [])


def check_name(one: dict[str, Any]) -> None:
    name = one["name"]
    need(bool(NAME.fullmatch(name)) and name == name.lower(), f"command {name!r}: bad name")
    need(1 <= len(one.get("description") or "") <= 100, f"command {name}: description of 1 to 100 characters")


def check_options(name: str, options: Sequence[dict[str, Any]]) -> None:
    """Options of a command: either commands below it, or what is typed."""
    need(len(options) <= 25, f"command {name}: more than 25 options")
    unique((option["name"] for option in options), f"command {name}: an option twice")
    below = [option["type"] in (1, 2) for option in options]
    need(all(below) or not any(below), f"command {name}: subcommands beside options")
    required = [bool(option.get("required")) for option in options]
    need(sorted(required, reverse=True) == required, f"command {name}: a required option after one that is not")
    for option in options:
        check_name(option)
        if option["type"] == 2:
            need(bool(option.get("options")), f"group {option['name']}: empty")
            need(all(one["type"] == 1 for one in option["options"]), f"group {option['name']}: subcommands only")
        if option["type"] in (1, 2):
            check_options(option["name"], option.get("options") or [])
        else:
            check_typed(option)


def check_typed(option: dict[str, Any]) -> None:
    name, choices = option["name"], option.get("choices") or []
    need(not (choices and option.get("autocomplete")), f"option {name}: choices and autocomplete")
    need(not (choices or option.get("autocomplete")) or option["type"] in (3, 4, 10), f"option {name}: of its type")
    need(len(choices) <= 25, f"option {name}: more than 25 choices")
    unique((one["name"] for one in choices), f"option {name}: a choice's name twice")
    unique((one["value"] for one in choices), f"option {name}: a choice's value twice")
    for one in choices:
        check_choice(one)
        need(isinstance(one["value"], str) == (option["type"] == 3), f"option {name}: a choice of another type")
    for least, most in (("min_value", "max_value"), ("min_length", "max_length")):
        if option.get(least) is not None and option.get(most) is not None:
            need(option[least] <= option[most], f"option {name}: {least} above {most}")


def size(one: dict[str, Any]) -> int:
    """Characters that count against the limit of a command."""
    own = len(one["name"]) + len(one.get("description") or "")
    own += sum(len(choice["name"]) + len(str(choice["value"])) for choice in one.get("choices") or [])
    return own + sum(size(option) for option in one.get("options") or [])
