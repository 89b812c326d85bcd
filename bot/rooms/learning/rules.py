"""Rules from the ledgers: one with its example, ruling and relatives, a section, or what a search found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from bot.chat.answers import rule_code
from bot.chat.screen import MAX_OPTIONS, Button, Option, Screen
from bot.core.errors import TableError
from bot.rooms.learning import ledger
from bot.rooms.learning.here import here
from bot.rooms.learning.ledger import Rule
from engine import TITLES
from engine.title import Title

MOST_RELATED = 10
"""How many related rules get a button: two rows."""
MOST_FOUND = 8
"""How many rules that a search found are shown with their text; the list has more."""
EXCERPT = 240


def rule_screen(rule: Rule, game: Title | None = None) -> Screen:
    """One rule as it stands in the channel's game, with buttons to related ones and to its section."""
    stands = here(game, rule)
    lines = [
        f"### {rule.id}",
        f"-# {TITLES[rule.title].name} · {rule.section}",
        *filter(None, [stands.said]),
        rule.text,
    ]
    if rule.example:
        lines.append(f"**Example:** {rule.example}")
    if rule.ruling:
        lines.append(f"**Ruling:** {rule.ruling}")
    if re.search(r"\[[A-D]\]", rule.text):
        lines.append("-# Letters in brackets are the scenarios for which it holds.")
    screen = Screen("\n".join(lines))
    related = list(dict.fromkeys([*stands.by, *rule.related]))[:MOST_RELATED]
    screen.buttons(*(Button(one, rule_code(one)) for one in related))
    screen.buttons(Button(f"All on {rule.section.partition(' (')[0]}", rule_code(f"{rule.title}-{rule.area}")))
    return screen


def section_screen(title: str, area: str) -> Screen:
    """The rules of one section, to choose from. Raises TableError if there is none."""
    rules = ledger.of_section(title, area)
    if not rules:
        raise TableError(f"There is no section {area} in the rules of {title}.")
    screen = Screen(
        f"### {TITLES[title].name}: {rules[0].section}\n{len(rules)} rules, {rules[0].id} to {rules[-1].id}."
    )
    add_rules(screen, (rule.id for rule in rules), "Choose a rule…")
    return screen


def named_screen(name: str, game: Title | None = None) -> Screen:
    """The rule or section of this ID, as it stands in the channel's game. Raises TableError if there is none."""
    if rule := ledger.ledger().get(name):
        return rule_screen(rule, game)
    title, _, area = name.partition("-")
    if title not in TITLES:
        raise TableError(f"There is no rule {name}.")
    return section_screen(title, area)


def search_screen(words: str, title: str = "", game: Title | None = None) -> Screen:
    """What an ID, the letters of a section, or words find in the title's rules, or in all. Raises TableError."""
    rule = ledger.by_id(words, title)
    if rule is not None:
        return rule_screen(rule, game)
    whose, _, area = words.strip().upper().rpartition("-")
    if ledger.of_section(whose or title, area):
        return section_screen(whose or title, area)
    found = ledger.search(words, title)
    if not found:
        of = f" of {TITLES[title].name}" if title else ""
        raise TableError(f"No rule{of} fits “{words[:60]}”. Try other words, or an ID such as 1889-TRK-08.")
    return rule_screen(found[0], game) if len(found) == 1 else _found_screen(words, found, game)


def _found_screen(words: str, found: Sequence[Rule], game: Title | None) -> Screen:
    lines = [f"### Rules on “{words[:60]}”"]
    for rule in found[:MOST_FOUND]:
        text = rule.text if len(rule.text) <= EXCERPT else f"{rule.text[:EXCERPT].rstrip()}…"
        lines.append(" ".join(filter(None, [f"- **{rule.id}**", here(game, rule).said, text])))
    if len(found) > MOST_FOUND:
        lines.append(f"-# and {len(found) - MOST_FOUND} more")
    screen = Screen("\n".join(lines))
    add_rules(screen, (rule.id for rule in found[:MAX_OPTIONS]), "Open a rule…")
    return screen


def add_rules(screen: Screen, rules: Iterable[str], hint: str) -> None:
    """Add a list of rules, each once; what is no ID of a rule is left out."""
    wanted = [rule for rule in dict.fromkeys(rules) if rule]
    found = [ledger.ledger()[rule] for rule in wanted if rule in ledger.ledger()]
    if found:
        options = [Option(f"{rule.id} · {rule.section}", rule_code(rule.id), rule.text) for rule in found]
        screen.select("rules", hint, options)


def suggested(typed: str, title: str = "") -> list[tuple[str, str]]:
    """Sections, and rules that fit what was typed, as (name, value) for a list of suggestions."""
    wanted = typed.strip().casefold()
    heads = [
        (f"{one}-{area} · {name}", f"{one}-{area}")
        for one in ([title] if title else TITLES)
        for area, name in ledger.sections(one).items()
        if wanted in f"{one}-{area} · {name}".casefold()
    ]
    exact = ledger.by_id(typed, title)
    begun = (rule for rule in ledger.ledger().values() if wanted and rule.id.casefold().startswith(wanted))
    found = [exact] if exact is not None else list(islice(begun, MAX_OPTIONS)) or ledger.search(typed, title)
    return [*heads, *((f"{rule.id} · {rule.text}", rule.id) for rule in found)][:MAX_OPTIONS]
