"""Markup made by functions: whatever is not markup already is escaped, so no name and no sentence can add any."""

import re
from collections.abc import Iterable
from html import escape


class Html(str):
    """Markup, as it goes into a page."""

    __slots__ = ()


Child = str | int | None | Iterable["Child"]
"""What an element can hold: markup, text, numbers, nothing, or several of these."""
Attribute = str | int | bool | None
_PER_CENT = re.compile(r"(?<=\d) %")
_VOID = frozenset({"input", "meta", "link", "br", "img"})


def el(tag: str, *children: Child, **attributes: Attribute) -> Html:
    """An element. `cls` is its class; underscores in names of attributes are hyphens; None and False leave one out."""
    head = "".join(map(_attribute, attributes.items()))
    return Html(f"<{tag}{head}>" if tag in _VOID else f"<{tag}{head}>{text(children)}</{tag}>")


def _attribute(item: tuple[str, Attribute]) -> str:
    name, value = item
    if value is None or value is False:
        return ""
    name = "class" if name == "cls" else name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def text(child: Child) -> Html:
    """What stands inside an element."""
    if isinstance(child, Html):
        return child
    if child is None:
        return Html("")
    if isinstance(child, str | int):
        return Html(_words(str(child)))
    return Html("".join(map(text, child)))


def _words(plain: str) -> str:
    """The words escaped; a figure and its sign of per cent stay on one line."""
    return escape(_PER_CENT.sub("\N{NO-BREAK SPACE}%", plain))


def message(lines: Iterable[str]) -> Html:
    """Lines of a message as the channel is told them: headings, small print and items, one below the other."""
    return Html("".join(_line(line) for line in "\n".join(lines).split("\n") if line))


def _line(line: str) -> Html:
    if line.startswith("### "):
        return el("h2", said(line[4:]))
    if line.startswith("-# "):
        return el("p", said(line[3:]), cls="notes")
    return el("p", said(line.removeprefix("- ")))


_MARK = re.compile(r"\\(.)|(\*\*|\*|~~|`)")
_TAGS = {"**": "b", "*": "i", "~~": "s", "`": "code"}


def said(sentence: str) -> Html:
    """A sentence as the channel is told it, with its bold, italic and struck words, and its commands."""
    made: list[str] = []
    stack: list[str] = []
    at = 0
    for mark in _MARK.finditer(sentence):
        made.append(_words(sentence[at : mark.start()]))
        at = mark.end()
        if mark[1]:
            made.append(escape(mark[1]))
        elif mark[2] in stack:
            while stack[-1] != mark[2]:
                made.append(f"</{_TAGS[stack.pop()]}>")
            made.append(f"</{_TAGS[stack.pop()]}>")
        else:
            stack.append(mark[2])
            made.append(f"<{_TAGS[mark[2]]}>")
    made.append(_words(sentence[at:]))
    made += [f"</{_TAGS[one]}>" for one in reversed(stack)]
    return Html("".join(made))
