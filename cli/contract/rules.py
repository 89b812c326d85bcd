"""Rules by their IDs: what the title cites stands in its ledger."""

import re
from collections.abc import Iterator
from importlib import resources

from cli.contract import must
from engine import Title

LEDGERS = resources.files("engine") / "ledgers"
_LINE = re.compile(r"^- \*\*(?P<id>[^*]+)\*\*", re.MULTILINE)


def cited(t: Title) -> Iterator[tuple[str, str]]:
    """Every rule that the title names, with where it names it."""
    for key, rule in t.cites.items():
        guard = key[1] if isinstance(key, tuple) else key
        yield rule, f"the guard {guard.__name__}"
    yield from ((rule, f"whoever acts out of turn in {name}") for name, rule in t.turn_rules.items())
    yield from ((rule, f"the event {name!r}") for name, rule in t.event_rules.items())
    yield from ((phase.rule, f"phase {phase.name}") for phase in t.phases if phase.rule)


def rules_are_known(t: Title) -> None:
    """Every rule that the title cites is in its ledger, and every guard cites one."""
    ledger = LEDGERS / f"{t.id}.md"
    must(ledger.is_file(), f"There is no ledger engine/ledgers/{t.id}.md.")
    known = {found["id"] for found in _LINE.finditer(ledger.read_text(encoding="utf-8"))}
    for rule, where in cited(t):
        must(rule in known, f"{rule} is no rule of the ledger; it is cited for {where}.")
    for verb in t.every_verb():
        for guard in verb.guards:
            listed = t.rule(verb, guard) in known
            must(listed, f"{guard.__name__} of {verb.action.__name__} cites no rule of the ledger.")
