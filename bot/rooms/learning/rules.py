"""Rules from the ledgers: one as it stands in a game, a section, or what a search found; and /rule.

Each option of a title names the rule that describes it, and that rule's line in the ledger names those that it touches.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import rule_code, show_privately
from bot.chat.commands import TEXT, Interaction, offered, or_nothing, title_named, titles_matching
from bot.chat.screen import MAX_OPTIONS, Button, Option, Screen
from bot.core.errors import TableError
from bot.rooms.learning import ledger
from bot.rooms.learning.help import game_here
from engine import TITLES, Title

Standing = Literal["in force", "off", "changed", "chosen", "not chosen"]
MOST_RELATED = 10
"""How many related rules get a button: two rows."""
MOST_FOUND = 8
"""How many rules that a search found are shown with their text; the list has more."""
EXCERPT = 240
_LISTED = re.compile(r" · .*")
"""What follows an ID in a list."""
_SECTION = re.compile(r"(?:(\d{4})N?)?(?: |(-))?([A-Z]{2,3})")


@dataclass(frozen=True, slots=True)
class Here:
    """What has become of a rule in a game, and which rule of an option caused that."""

    standing: Standing = "in force"
    by: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """A sentence in bold; "" where there is nothing to say."""
        by = " and ".join(self.by)
        return {
            "in force": "",
            "off": f"**Not in this game:** {by}.",
            "changed": f"**Changed in this game:** {by}.",
            "chosen": "**An option of this game.**",
            "not chosen": "**Not in this game:** an option that was not chosen.",
        }[self.standing]


def here(title: Title | None, rule: ledger.Rule) -> Here:
    """How the rule stands in the game; without a game, or in one of another title, it is in force."""
    if title is None or title.id != rule.title:
        return Here()
    chosen = chosen_rules(title.id, title.options)
    brought = {one for each in chosen for one in ledger.ledger()[each].brings}
    optional = rule.id in optional_rules(title.id)
    if optional and rule.id not in {*chosen, *brought}:
        return Here("not chosen")
    off = _touching(chosen, rule.id, "off") if rule.id not in brought else ()
    if off:
        return Here("off", off)
    if changed := _touching(chosen, rule.id, "changes"):
        return Here("changed", changed)
    return Here("chosen") if optional else Here()


def _touching(chosen: Iterable[str], rule: str, how: Literal["off", "changes"]) -> tuple[str, ...]:
    return tuple(one for one in chosen if rule in getattr(ledger.ledger()[one], how))


@cache
def chosen_rules(title: str, options: frozenset[str]) -> tuple[str, ...]:
    """The rules that describe the options, with the parts of those that have parts."""
    cited = {found[0] for option in options for found in ledger.ID.finditer(TITLES[title].options[option])}
    return tuple(rule for rule in ledger.ledger() if rule in cited or rule.rstrip("abcdef") in cited)


@cache
def optional_rules(title: str) -> frozenset[str]:
    """The rules that describe options and hold only where these are chosen."""
    return frozenset(rule.id for rule in ledger.ledger().values() if (rule.title, rule.area) == (title, "VAR"))


def rule_screen(rule: ledger.Rule, game: Title | None = None) -> Screen:
    """One rule as it stands in the channel's game, with buttons to related ones and to its section."""
    stands = here(game, rule)
    lines = [
        f"### {rule.id}",
        f"-# {_played(rule.title, game)} · {rule.section}",
        *filter(None, [stands.said]),
        rule.text,
    ]
    if rule.example:
        lines.append(f"**Example:** {rule.example}")
    if rule.ruling:
        lines.append(f"**Ruling:** {rule.ruling}")
    if re.search(r"\[[A-D]\]", rule.text):
        here_too = f"; this game is {_scenario(game)}" if game is not None and game.id == rule.title else ""
        lines.append(f"-# Letters in brackets are the scenarios for which it holds{here_too}.")
    screen = Screen("\n".join(lines))
    related = dict.fromkeys([*stands.by, *rule.related])
    screen.buttons(*(Button(one, rule_code(one)) for one in islice(related, MOST_RELATED)))
    return screen.buttons(Button(f"All on {rule.section.partition(' (')[0]}", rule_code(f"{rule.title}-{rule.area}")))


def _played(title: str, game: Title | None) -> str:
    """What the title is called; where the channel's game is of it, by the scenario that is played there."""
    return game.name if game is not None and game.id == title else TITLES[title].name


def _scenario(game: Title) -> str:
    """The letter of the game's scenario in the rules."""
    return next((one[-1].upper() for one in game.options if one.startswith("scenario_")), "C")


def section_screen(title: str, area: str, game: Title | None = None) -> Screen:
    """The rules of one section, to choose from. Raises TableError if there is none."""
    rules = ledger.of_section(title, area)
    if not rules:
        raise TableError(f"There is no section {area} in the rules of {title}.")
    screen = Screen(
        f"### {_played(title, game)}: {rules[0].section}\n{len(rules)} rules, {rules[0].id} to {rules[-1].id}."
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
    return section_screen(title, area, game)


def search_screen(words: str, title: str = "", game: Title | None = None) -> Screen:
    """What an ID, the letters of a section, or words find in the title's rules, or in all. Raises TableError."""
    words = _LISTED.sub("", words)
    rule = ledger.by_id(words, title)
    if rule is not None:
        return rule_screen(rule, game)
    if section := _SECTION.fullmatch(words.strip().upper()):
        whose, dash, area = section[1] or title, section[2], section[3]
        if ledger.of_section(whose, area):
            return section_screen(whose, area, game)
        if whose in TITLES and dash:
            return _sections_screen(whose, area)
    if missing := _no_such(words.strip().upper(), title):
        raise TableError(missing)
    found = ledger.search(words, title)
    if not found:
        of = f" of {_played(title, game)}" if title else ""
        raise TableError(f"No rule{of} fits “{words[:60]}”. Try other words, or an ID such as 1889-TRK-08.")
    return rule_screen(found[0], game) if len(found) == 1 else _found_screen(words, found, game)


def _sections_screen(title: str, missing: str) -> Screen:
    """The sections of the title's rules, to choose from, as there is none of these letters."""
    screen = Screen(f"There is no section {missing} in the rules of {title}. These there are:")
    found = [f"{title}-{area} · {name}" for area, name in ledger.sections(title).items()]
    screen.select("rules", "Choose a section…", [Option(one, rule_code(one.partition(" ")[0])) for one in found])
    return screen


def _no_such(typed: str, title: str) -> str:
    """That there is no rule of the ID that was typed, and where to look; "" where none was typed."""
    found = re.fullmatch(r"(?:(\d{4})-)?([A-Z]{2,3})-\d{1,2}[A-Z]?", typed)
    whose = (found[1] or title) if found else ""
    if found is None or whose not in TITLES:
        return ""
    area = f"{whose}-{found[2]}"
    lists = f"`/rule {area}` lists those of its section." if ledger.of_section(whose, found[2]) else ""
    return f"There is no rule {area}{typed[typed.rindex('-') :]}. {lists}".rstrip()


def _found_screen(words: str, found: Sequence[ledger.Rule], game: Title | None) -> Screen:
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
    found = [ledger.ledger()[rule] for rule in dict.fromkeys(rules) if rule in ledger.ledger()]
    if found:
        options = [Option(f"{rule.id} · {rule.section}", rule_code(rule.id), rule.text) for rule in found]
        screen.select("rules", hint, options)


def suggested(typed: str, title: str = "") -> list[tuple[str, str]]:
    """Sections, and rules that fit what was typed, as (name, value) for a list of suggestions."""
    typed = _LISTED.sub("", typed)
    wanted = typed.strip().casefold()
    named, dash, _ = wanted.partition("-")
    whole = f"{title}-{wanted}" if dash and named not in TITLES else wanted
    exact = ledger.by_id(typed, title)
    begun = (rule for rule in ledger.ledger().values() if wanted and rule.id.casefold().startswith(whole))
    found = [exact] if exact is not None else list(islice(begun, MAX_OPTIONS))
    no_rule = bool(dash) and named in TITLES and not found  # as the answer does, it brings the title's sections
    heads = [
        (f"{one}-{area} · {name}", f"{one}-{area}")
        for one in ([named] if no_rule else [title] if title else TITLES)
        for area, name in ledger.sections(one).items()
        if no_rule or wanted in f"{one}-{area} · {name}".casefold()
    ]
    found = found if found or no_rule else ledger.search(typed, title)
    return [*heads, *((f"{rule.id} · {rule.text}", rule.id) for rule in found)][:MAX_OPTIONS]


class Rules(commands.Cog):
    @app_commands.command()
    @app_commands.describe(words="What about, or a rule's ID", title="Which game; this channel's if left out")
    @app_commands.autocomplete(title=titles_matching)
    async def rule(self, interaction: Interaction, words: TEXT, title: TEXT | None = None) -> None:
        """Look up a rule by words or by its ID"""
        game, here = await _title(interaction, title), await game_here(interaction.client, interaction.channel_id or 0)
        await show_privately(interaction, await interaction.client.work.do(search_screen, words, game, here))

    @rule.autocomplete("words")
    @or_nothing
    async def _words(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        title = await _title(interaction, str(getattr(interaction.namespace, "title", "") or ""))
        return offered(await interaction.client.work.do(suggested, current, title))


async def _title(interaction: Interaction, named: str | None) -> str:
    """The title that was named, or that of the channel's game; "" if there is none. Raises TableError."""
    if named:
        return title_named(named)
    game = await interaction.client.store.game_in_channel(interaction.channel_id or 0)
    return game.title if game is not None and game.title in TITLES else ""
