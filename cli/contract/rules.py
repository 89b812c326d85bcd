"""Rules by their IDs: what the title cites stands in its ledger."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import resources

from cli.contract import must
from engine import Title

LEDGERS = resources.files("engine") / "ledgers"
SENTENCE = re.compile(r"[-A-Z0-9¥£$€“].{8,}[.]", re.DOTALL)
"""How a refusal reads."""
EVENTS = ("rust", "export", "bank", "bankruptcy", "price lowered", "leaderless")
"""Those that every title may have, as `facts.event` names them."""
_LINE = re.compile(r"^- \*\*(?P<id>[^*]+)\*\*", re.MULTILINE)


def cited(t: Title) -> Iterator[tuple[str, str]]:
    """Every rule that the title names, with where it names it."""
    for key, rule in t.cites.items():
        guard = key[1] if isinstance(key, tuple) else key
        yield rule, f"the guard {guard.__name__}"
    yield from ((rule, f"whoever acts out of turn in {name}") for name, rule in t.turn_rules.items())
    yield from ((rule, f"the event {name!r}") for name, rule in t.event_rules.items())
    yield from ((phase.rule, f"phase {phase.name}") for phase in t.phases if phase.rule)


def known_rules(t: Title) -> list[str]:
    """The rules of the title's ledger. Raises Broken if it has none."""
    ledger = LEDGERS / f"{t.id}.md"
    must(ledger.is_file(), f"There is no ledger engine/ledgers/{t.id}.md.")
    return [found["id"] for found in _LINE.finditer(ledger.read_text(encoding="utf-8"))]


def rules_are_known(t: Title) -> None:
    """Every rule that the title cites is in its ledger, and every guard cites one."""
    known = known_rules(t)
    twice = [rule for rule, count in Counter(known).items() if count > 1]
    must(not twice, f"{', '.join(twice)} is in the ledger twice.")
    for rule, where in cited(t):
        must(rule in known, f"{rule} is no rule of the ledger; it is cited for {where}.")
    strange = set(t.event_rules) - {*EVENTS, *t.wording.announcements, *t.wording.states}
    must(not strange, f"`event_rules` has {', '.join(sorted(strange))}: there is no such event.")
    for verb in t.every_verb():
        for guard in verb.guards:
            listed = t.rule(verb, guard) in known
            must(listed, f"{guard.__name__} of {verb.action.__name__} cites no rule of the ledger.")


def guards_are_asked(t: Title, kinds: Sequence[Title]) -> None:
    """Each guard for which the title cites a rule is asked by a verb, at least with some options."""
    asked = {
        key for kind in kinds for verb in kind.every_verb() for one in verb.guards for key in (one, (verb.action, one))
    }
    for key, rule in t.cites.items():
        name = " of ".join((key[1].__name__, key[0].__name__)) if isinstance(key, tuple) else key.__name__
        must(key in asked, f"{name} is cited for {rule}, but no verb asks it, whatever the options.")


def refusal_is_told(t: Title, text: str, rule: str, of: str = "") -> None:
    """A refusal is a sentence and cites a rule of the title."""
    must(isinstance(text, str) and SENTENCE.fullmatch(text), f"A refusal{of} is no sentence: {text!r}.")
    must("None" not in text, f"A refusal{of} says None: {text!r}.")
    own = re.fullmatch(rf"{re.escape(t.id)}-[A-Z]+-[0-9]+[a-z]?", rule)
    must(own, f"A refusal{of} cites {rule!r}, which is no rule of {t.id}: {text}")
