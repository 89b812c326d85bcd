"""The ledgers of rules as players read and search them.

The files are `engine/ledgers/*.md`; their README says how a line is written.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from bot.rooms.learning.finding import Shelf
from engine import TITLES

ID = re.compile(r"(\d{4})-([A-Z]{2,3})-(\d{2}[a-z]?)")
_LINE = re.compile(r"- \*\*(?P<id>\d{4}-[A-Z]{2,3}-\d{2}[a-z]?)\*\* (?P<text>.*)")
_SECTION = re.compile(r"## (?P<area>[A-Z]{2,3}): (?P<name>.*)")
_MENTION = re.compile(r"(?:\b(\d{4})-)?\b([A-Z]{2,3})-(\d{2}[a-z]?)((?:(?:/|, | and | to )-\d{2}[a-z]?)*)")
_TYPED = re.compile(r"(?:(\d{4})[-n ]*)?([a-z]{2,3})[- ]?(\d{1,2})([a-z]?)", re.IGNORECASE)
_SOURCES = re.compile(r" ?\{[^}]*\}")
_TOUCHED = re.compile(r"\{(off|changes|brings): ([^}]*)\}")
_FACTS = re.compile(r"[;,]? ?\(?see facts\)?")
_SIGNS = {
    "X": "18xx.games",
    "R": "the rule book",
    "M": "the manual",
    "J": "the Japanese rule book",
    "S": "the scenario sheet",
    "F": "the FAQ",
}
"""What the letters of sources mean; in brackets they are scenarios."""
_SIGN = re.compile(r"(?<![\[\w&])([XRMJSF])(?='s|[ ,;:.)])")
_SIGN_IN_TEXT = re.compile(r"(?<![\[\w&])(X|[RMJ](?='s|:| asks| wins| names| silent))(?!\w)")
WEIGHTS = (4, 1, 1, 0.3)
"""Of a rule's first word, which often says what it is about, of its text, of example and ruling, of its section."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a ledger, its sources left out."""

    id: str
    title: str
    """The title's id."""
    area: str
    """The letters of its section: "TRK"."""
    section: str
    text: str
    example: str = ""
    ruling: str = ""
    off: tuple[str, ...] = ()
    """The rules that do not hold where this one is chosen as an option."""
    changes: tuple[str, ...] = ()
    """Those that say something else there."""
    brings: tuple[str, ...] = ()
    """Those that hold there although another option switches them off."""
    related: tuple[str, ...] = ()
    """The rules that it names, then those that name it."""


@cache
def ledger() -> Mapping[str, Rule]:
    """Every rule of every title by ID, in the order of the ledgers."""
    rules = {rule.id: rule for title in TITLES for rule in _read(title)}
    return _linked(rules)


def _read(title: str) -> Iterable[Rule]:
    area, section = "", ""
    text = (resources.files("engine") / "ledgers" / f"{title}.md").read_text(encoding="utf-8")
    for line in text.replace("\n  - ", " ").splitlines():
        if heading := _SECTION.fullmatch(line):
            area, section = heading["area"], heading["name"]
        elif line.startswith("## "):
            area = ""
        elif area and (found := _LINE.fullmatch(line)):
            yield _rule(found["id"], title, area, section, found["text"])


def _rule(rule_id: str, title: str, area: str, section: str, line: str) -> Rule:
    parts = {"text": "", "Ex": "", "Ruling": ""}
    key = "text"
    for piece in re.split(r"(?:^| )(Ex|Ruling): ", _FACTS.sub("", _SOURCES.sub("", line))):
        if piece in ("Ex", "Ruling"):
            key = piece
        else:
            parts[key] = f"{parts[key]} {piece}".strip()
    touched = {how: _named(title, rules) for how, rules in _TOUCHED.findall(line)}
    return Rule(
        rule_id, title, area, section, _in_words(parts["text"], _SIGN_IN_TEXT),
        _in_words(parts["Ex"], _SIGN_IN_TEXT), _in_words(parts["Ruling"], _SIGN),
        touched.get("off", ()), touched.get("changes", ()), touched.get("brings", ()), _named(title, line),
    )  # fmt: skip


def _in_words(text: str, sign: re.Pattern[str]) -> str:
    """The text with its letters for sources written out."""
    text = re.sub(r"(^|\. )≠X", r"\1Unlike 18xx.games", text).replace("≠X", "unlike 18xx.games")
    text = sign.sub(lambda found: _SIGNS[found[1]], text)
    return re.sub(r"(?:^|(?<=[.?] ))the (?=rule book|manual|scenario sheet|Japanese|FAQ)", "The ", text)


def _named(title: str, line: str) -> tuple[str, ...]:
    """The rules that a line of the title's ledger names: "1889-EMR-07/-08", "SR-08"."""
    named: dict[str, None] = {}
    for whose, area, number, more in _MENTION.findall(line):
        numbers = (number, *re.findall(r"-(\d{2}[a-z]?)", more))
        named.update((f"{whose or title}-{area}-{one}", None) for one in numbers)
    return tuple(named)


def _linked(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    naming, parts = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for rule in rules.values():
        parts[_whole(rule)].append(rule.id)
        for other in rule.related:
            naming[other].append(rule.id)

    def related(rule: Rule) -> tuple[str, ...]:
        named = dict.fromkeys((*parts[rule.id], _whole(rule), *rule.related, *naming[rule.id]))
        return tuple(one for one in named if one in rules and one != rule.id)

    return {rule.id: replace(rule, related=related(rule)) for rule in rules.values()}


def _whole(rule: Rule) -> str:
    """The rule of which this one is a part: VAR-17 of VAR-17a."""
    return rule.id.rstrip("abcdef")


def sections(title: str) -> dict[str, str]:
    """The title's sections: letters and name, in the order of its ledger."""
    return {rule.area: rule.section for rule in ledger().values() if rule.title == title}


def of_section(title: str, area: str) -> list[Rule]:
    return [rule for rule in ledger().values() if (rule.title, rule.area) == (title, area)]


def by_id(text: str, title: str = "") -> Rule | None:
    """The rule that the text names: "1889-TRK-08", or of a known title "trk 8"."""
    found = _TYPED.fullmatch(text.strip())
    if found is None:
        return None
    whose = found[1] or title
    return ledger().get(f"{whose}-{found[2].upper()}-{int(found[3]):02}{found[4].casefold()}")


def search(text: str, title: str = "") -> list[Rule]:
    """The rules that the words fit, best first; of one title, or of all. Words may be mistyped."""
    return [ledger()[rule] for rule in _shelf(title).find(text)]


@cache
def _shelf(title: str) -> Shelf:
    rules = {name: rule for name, rule in ledger().items() if name.startswith(title)}
    return Shelf({name: _parts(rule) for name, rule in rules.items()}, WEIGHTS)


def _parts(rule: Rule) -> tuple[str, ...]:
    first, _, more = rule.text.partition(" ")
    return (first, more, f"{rule.example} {rule.ruling}", rule.section)
