"""Ledger, code and tests name the same rules: none unknown, none of a built title without code and test or a reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from operator import attrgetter
from pathlib import Path
from pkgutil import resolve_name

import pytest
from mutation.explained import EXPLAINED, IN_EVERY_TITLE
from mutation.mutants import builds
from reachable import Reachable

import engine
from engine import Title, viewing
from engine.titles import TITLES

pytestmark = pytest.mark.second
ROOT = Path(__file__).parents[1]
LEDGERS = ROOT / "engine" / "ledgers"
DEFINITION = re.compile(r"^- \*\*(\d{4}-[A-Z]+-\d+[a-z]?)\*\*", re.MULTILINE)
CODE = re.compile(r"^- \*\*([^*]+)\*\* .*\{code: ([^}]+)\}", re.MULTILINE)
NO_CODE = re.compile(r"^- \*\*([^*]+)\*\* .*\{no code: [^}]+\}", re.MULTILINE)
ID = re.compile(r"\b\d{4}-[A-Z]{2,3}-\d{2}[a-z]?\b")

UNTESTED = {
    "1889-SR-29": "Passing ahead is the bot's: it plays rows of ordinary passes, the engine knows nothing of it.",
}
"""Rules that no test of the engine can check, and why."""


def ledger(title: str) -> str:
    return (LEDGERS / f"{title}.md").read_text()


def defined() -> set[str]:
    return {rule for path in LEDGERS.glob("*.md") for rule in DEFINITION.findall(path.read_text())}


@cache
def marked() -> dict[str, list[str]]:
    """Rule IDs in the `rule` markers of all tests, with the tests that carry them."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text()
        for test, rule in _markers(ast.parse(text)) if "mark.rule(" in text else ():
            found.setdefault(rule, []).append(f"{path.name}::{test}")
    return found


def _markers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    classes = [one for one in tree.body if isinstance(one, ast.ClassDef)]
    for node in [*tree.body, *(one for kind in classes for one in kind.body)]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
                    for argument in decorator.args:
                        assert isinstance(argument, ast.Constant), f"{node.name}: write rule IDs out"
                        yield node.name, str(argument.value)


def quoted() -> dict[str, set[str]]:
    """Rule IDs anywhere in the engine's code, by file."""
    return {
        str(path.relative_to(ROOT)): found
        for path in sorted((ROOT / "engine").rglob("*.py"))
        if (found := set(ID.findall(path.read_text())))
    }


def test_the_ledgers_define_each_rule_once() -> None:
    for path in LEDGERS.glob("*.md"):
        rules = DEFINITION.findall(path.read_text())
        assert len(rules) == len(set(rules)), path.name
        assert all(rule.startswith(path.stem) for rule in rules), path.name
    assert sum(rule.startswith("1889") for rule in defined()) == 238


def test_tests_and_code_name_no_unknown_rule() -> None:
    known = defined()
    assert not {rule: tests for rule, tests in marked().items() if rule not in known}
    assert not {path: rules - known for path, rules in quoted().items() if rules - known}
    assert not set(UNTESTED) - known


def rules_of(title: str) -> set[str]:
    return {rule for rule in defined() if rule.startswith(title)}


@pytest.mark.parametrize("title", TITLES)
def test_every_rule_has_a_test_or_a_reason(title: str) -> None:
    rules = rules_of(title)
    assert rules, f"no ledger of {title}"
    missing = sorted(rules - set(marked()) - set(UNTESTED))
    assert not missing, f"{len(missing)} rules of {title} without a test: {', '.join(missing)}"


@cache
def in_every_way(title: str) -> tuple[Title, ...]:
    """The title for each number of players, plain and with each of its options."""
    return tuple(builds(title))


@pytest.mark.parametrize("title", TITLES)
def test_every_refusal_cites_an_existing_rule(title: str) -> None:
    known = defined()
    for built in in_every_way(title):
        for verb in built.every_verb():
            for guard in verb.guards:
                assert built.rule(verb, guard) in known, guard.__name__
        assert {*built.turn_rules.values(), *built.event_rules.values()} <= known
        assert {phase.rule for phase in built.phases} <= known


@pytest.mark.parametrize("title", TITLES)
def test_every_guard_that_cites_a_rule_is_asked(title: str) -> None:
    """A guard that stands in no verb refuses nothing, and a test of that guard alone would not tell."""
    cited = {key for built in in_every_way(title) for key in built.cites}
    asked = {
        (verb.action, guard) if (verb.action, guard) in cited else guard
        for built in in_every_way(title)
        for verb in built.every_verb()
        for guard in verb.guards
    }
    assert not sorted(str(key) for key in cited - asked)


@cache
def code_of(title: str) -> dict[str, list[str]]:
    """What does each rule by its line of the ledger: names in the folder of the title or the engine, or fields."""
    return {rule: code.split(", ") for rule, code in CODE.findall(ledger(title))}


def named(title: str, name: str) -> object:
    """What the ledger of the title calls by this name; a field like "Title.bank" is its name."""
    if name[0].isupper():
        return name
    own = TITLES[title].build.__module__.removesuffix(".title")
    try:
        return resolve_name(f"{own}.{name}")
    except (ImportError, AttributeError):
        return resolve_name(f"engine.{name}")


def quoted_to_players(title: str) -> set[str]:
    """Rules that refusals of the title quote."""
    ways = in_every_way(title)
    cited = {built.rule(verb, guard) for built in ways for verb in built.every_verb() for guard in verb.guards}
    return cited.union(*(built.turn_rules.values() for built in ways))


@pytest.mark.parametrize("title", TITLES)
def test_every_rule_is_found_in_code_or_says_why_not(title: str) -> None:
    found = quoted_to_players(title) | set(code_of(title))
    without = set(NO_CODE.findall(ledger(title)))
    assert found | without == rules_of(title)
    assert not found & without


@pytest.mark.parametrize("title", TITLES)
def test_the_title_uses_all_that_is_said_to_implement_its_rules(title: str) -> None:
    questions = [getattr(engine, name) for name in engine.__all__ if name not in ("TITLES", "build")]
    views = [viewing.board_view, viewing.market_view, viewing.table_view]
    used = Reachable([*in_every_way(title), TITLES[title], *questions, *views])
    for rule, names in code_of(title).items():
        for name in names:
            assert named(title, name) in used, f"{rule}: nothing of {title} uses {name}"


@pytest.mark.parametrize("title", TITLES)
def test_policies_whose_mutants_are_explained_exist(title: str) -> None:
    """An explanation under a name of former days explains nothing, and the survivor is told as new."""
    explained = {
        key.split()[1].rstrip(".*") for key in (*EXPLAINED[title], *IN_EVERY_TITLE) if key.startswith("policy ")
    }
    for built in in_every_way(title):
        attrgetter(*explained)(built.policy)
