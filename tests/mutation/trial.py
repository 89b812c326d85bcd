"""Tries mutants in forked children of one pytest session, in which the title's tests are collected but not run.

A child spoils `TITLES` and runs tests until one fails: those marked with the rule first, then those that have found
most so far, the quick ones first. A child that uses too much processor time or memory has found the mutant too.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import zip_longest
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from mutation.mutants import Mutant, builds

from engine.title import Guard, Policy
from engine.titles import TITLES
from engine.usual import POLICY

SECONDS = 120
"""Processor time of one child."""
MEMORY = 3 << 30


@dataclass
class Told:
    """What one test of the sound title told: how long it took, which guards objected and which policies were asked."""

    seconds: float
    heard: set[str]


@dataclass
class Trial:
    """A pytest plugin. `outcome` says of each mutant which test found it, or "" where none did."""

    title: str
    mutants: list[Mutant]
    report: Callable[[Mutant, str], None]
    outcome: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    """Tests that fail on the sound title: nothing can be said then."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self._concerns(item)]

    def _concerns(self, item: pytest.Item) -> bool:
        """Whether the test's name, its parameters or its rules speak of the title."""
        name, _, parameters = item.nodeid.partition("[")
        about = {part for word in parameters.rstrip("]").split("-") for part in word.split("_")}
        about |= {rule.partition("-")[0] for mark in item.iter_markers("rule") for rule in mark.args}
        return f"test_{self.title}_" in name or self.title in about

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        gc.collect()
        gc.freeze()
        told = self._sound(items)
        if not self.broken:
            found: dict[str, Counter[str]] = {}
            for mutant in self.mutants:
                kind = found.setdefault(mutant.kind, Counter())
                order = self._order(mutant, items, told, kind)
                by = _in_child(partial(self._try, mutant, order)) or ""
                kind[by] += 1
                self.outcome[mutant.key] = by
                self.report(mutant, by)
        return True

    def _sound(self, items: dict[str, pytest.Item]) -> dict[str, Told]:
        guards = [mutant.guard for mutant in self.mutants if mutant.guard]
        answer = _in_child(lambda: json.dumps(_listen(self.title, list(items.values()), guards)), SECONDS * 10)
        told = json.loads(answer or "{}")
        self.broken = [name for name in items if told.get(name) is None]
        return {name: Told(seconds, set(heard)) for name, (seconds, heard) in told.items()} if not self.broken else {}

    def _order(
        self, mutant: Mutant, items: dict[str, pytest.Item], told: dict[str, Told], found: Counter[str]
    ) -> list[pytest.Item]:
        def rank(name: str) -> tuple[bool, int, float]:
            marked = any(mutant.rule in mark.args for mark in items[name].iter_markers("rule"))
            return (not marked, -found[name], told[name].seconds)

        needed = _word(mutant.guard) if mutant.guard else mutant.policy
        names = [name for name in items if not needed or needed in told[name].heard]
        return [items[name] for name in sorted(names, key=rank)]

    def _try(self, mutant: Mutant, order: list[pytest.Item]) -> str:
        spoil_title(self.title, mutant)
        for item, following in zip_longest(order, order[1:]):
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                return item.nodeid
        return ""


def spoil_title(title: str, mutant: Mutant) -> None:
    """Have all builds of the title spoilt from now on."""
    recipe = TITLES[title]
    TITLES[title] = replace(recipe, build=lambda players, options: mutant.spoil(recipe.build(players, options)))


def _listen(title: str, items: list[pytest.Item], guards: list[Guard]) -> dict[str, tuple[float, list[str]] | None]:
    """Run all tests; by test its seconds and what was heard in it, None where it failed."""
    found: dict[str, tuple[float, list[str]] | None] = {}
    heard: set[str] = set()
    _hear_policies(title, heard)
    for item, following in zip_longest(items, items[1:]):
        heard.clear()
        began = time.process_time()
        with _hearing(guards, heard):
            reports = runtestprotocol(item, log=False, nextitem=following)
        failed = any(report.failed for report in reports)
        found[item.nodeid] = None if failed else (time.process_time() - began, sorted(heard))
    return found


def _hear_policies(title_id: str, heard: set[str]) -> None:
    for group in fields(Policy):
        _hear_group(f"{group.name}.", type(getattr(POLICY, group.name)), heard)
    for kind in {type(title.policy) for title in builds(title_id)}:
        _hear_group("", kind, heard)


def _hear_group(word: str, group: Any, heard: set[str]) -> None:
    ask = group.__getattribute__

    def hear(policies: Any, name: str) -> Any:
        heard.add(f"{word}{name}")
        return ask(policies, name)

    group.__getattribute__ = hear


@contextmanager
def _hearing(guards: list[Guard], heard: set[str]) -> Iterator[None]:
    words = {guard.__code__: _word(guard) for guard in guards}

    def hear(frame: Any, event: str, arg: Any) -> None:
        if event == "return" and arg is not None and frame.f_code in words:
            heard.add(words[frame.f_code])

    sys.setprofile(hear)
    try:
        yield
    finally:
        sys.setprofile(None)


def _word(guard: Guard) -> str:
    return f"{guard.__module__}.{guard.__qualname__}"


def _in_child(work: Callable[[], str], seconds: int = SECONDS) -> str | None:
    """What `work` says, done in a forked child; if it dies, the signal that ended it or its error."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            answer = work()
        except BaseException as error:
            answer = f"{type(error).__name__}: {traceback.format_exception_only(error)[-1].strip()}"
        with os.fdopen(writing, "w") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else answer
