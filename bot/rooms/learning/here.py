"""What a rule says in one game: whether its options switch it off, change it, or bring it in.

Each option names the rule that describes it, and that rule's line in the ledger names those that it touches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from bot.rooms.learning.ledger import ID, Rule, ledger
from engine import TITLES
from engine.actions import Action
from engine.title import Title
from engine.usual import SECRECY

Standing = Literal["in force", "off", "changed", "chosen", "not chosen"]


@dataclass(frozen=True, slots=True)
class Here:
    """How a rule stands in a game, and by which rule of its options."""

    standing: Standing = "in force"
    by: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """A sentence in bold; "" where there is nothing to say."""
        by = " and ".join(self.by)
        match self.standing:
            case "off":
                return f"**Not in this game:** {by}."
            case "changed":
                return f"**Changed in this game:** {by}."
            case "chosen":
                return "**An option of this game.**"
            case "not chosen":
                return "**Not in this game:** an option that was not chosen."
        return ""


def here(title: Title | None, rule: Rule) -> Here:
    """How the rule stands in the game; without a game, or in one of another title, it is in force."""
    if title is None or title.id != rule.title:
        return Here()
    chosen = chosen_rules(title.id, title.options)
    brought = {one for each in chosen for one in ledger()[each].brings}
    off = _touching(chosen, rule.id, "off") if rule.id not in brought else ()
    if off:
        return Here("off", off)
    if changed := _touching(chosen, rule.id, "changes"):
        return Here("changed", changed)
    if rule.id in optional_rules(title.id):
        return Here("chosen" if rule.id in chosen or rule.id in brought else "not chosen")
    return Here()


def _touching(chosen: Iterable[str], rule: str, how: Literal["off", "changes"]) -> tuple[str, ...]:
    return tuple(one for one in chosen if rule in getattr(ledger()[one], how))


@cache
def chosen_rules(title: str, options: frozenset[str]) -> tuple[str, ...]:
    """The rules that describe the options, with the parts of those that have parts."""
    cited = {found[0] for option in options for found in ID.finditer(TITLES[title].options[option])}
    return tuple(rule for rule in ledger() if rule in cited or rule.rstrip("abcdef") in cited)


@cache
def optional_rules(title: str) -> frozenset[str]:
    """The rules that describe options and hold only where these are chosen."""
    return frozenset(rule.id for rule in ledger().values() if (rule.title, rule.area) == (title, "VAR"))


def offers(title: Title, kind: type[Action]) -> bool:
    """Whether the game has this kind of action at all."""
    return any(verb.action is kind for verb in title.every_verb())


def in_this_game(page: str, title: Title | None) -> str:
    """What a page of help adds about the channel's game; "" if nothing."""
    if title is None:
        return ""
    if page == "treasury":
        return f"In this game {who_sees_treasuries(title)} may know it."
    if page == f"t{title.id}" and title.options:
        chosen = [text for option, text in TITLES[title.id].options.items() if option in title.options]
        return "\n".join(["**The options of this game change some of that:**", *(f"- {one}" for one in chosen)])
    return ""


def who_sees_treasuries(title: Title) -> str:
    """Who may know what a company has: "everybody", "its president alone"."""
    secrecy = title.policy.secrecy
    if secrecy.open_treasuries:
        return "everybody"
    return "its president alone" if secrecy.sees_treasury is SECRECY.sees_treasury else "its shareholders"
