"""What is legal, found the other way: by trying everything."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice, product
from typing import Any, get_args, get_type_hints

from cli.contract import must
from cli.contract.rules import refusal_is_told
from engine import BANK, IPO, POOL, Action, PlayerId, State, Title, decision, possible, present_step
from engine.ids import stop_id
from engine.title import Guard, Verb

DOMAINS: dict[str, Any] = {
    "corp": lambda t, s: t.corporations,
    "private": lambda t, s: t.privates,
    "hex": lambda t, s: t.hexes,
    "tile": lambda t, s: t.supply,
    "rotation": lambda t, s: range(6),
    "rank": lambda t, s: t.trains,
    "source": lambda t, s: (IPO, POOL, BANK, *s.players[:1]),
    "count": lambda t, s: range(-1, max(corp.shares for corp in t.corporations.values()) + 2),
    "value": lambda t, s: range(-1, 8),
    "row": lambda t, s: range(-1, len(t.market.rows) + 1),
    "col": lambda t, s: range(-1, max(map(len, t.market.rows)) + 1),
    "kind": lambda t, s: ("pay", "withhold", "half", ""),
    "stop": lambda t, s: [
        stop_id(name, i) for name, face in s.board.faces.items() for i in range(len(face.face.stops))
    ],
}
"""By field of an action, the values worth trying."""
LARGE, LARGEST = 5_000, 250_000
"""How many actions are many, and how many are too many."""
SELDOM, OFTEN = (1, 12), (1, 2, 4, 8, 16, 32, 64, 128)
"""The how manieth time that they are met many actions are tried, and others: late in a game there is more to try."""


def everything(t: Title, s: State, verb: Verb, player: PlayerId) -> Iterator[Action]:
    """Every action of the verb's kind that there is, legal or not."""
    names = [field.name for field in fields(verb.action) if field.name != "by"]
    hints = get_type_hints(verb.action)
    domains = [[*DOMAINS[name](t, s), *([None] if type(None) in get_args(hints[name]) else [])] for name in names]
    for values in product(*domains):
        yield verb.action(player, *values)


class Tried:
    """Compares what verbs offer with what their guards accept of everything; each verb a few times."""

    def __init__(self) -> None:
        self.times: Counter[tuple[str, str]] = Counter()
        """How often by step and kind of action it was met."""
        self.heard: set[Guard] = set()
        """Guards whose refusals were looked at."""

    def look(self, t: Title, s: State) -> None:
        """Try the verbs of the present step."""
        step = present_step(t, s)
        player = decision(t, s).players[0]
        for verb in (*step.verbs, *t.anytime):
            self._try(t, s, step.name, verb, player)

    def _try(self, t: Title, s: State, step: str, verb: Verb, player: PlayerId) -> None:
        key = (step, verb.action.__name__)
        size = 1
        for field in fields(verb.action):
            size *= 1 if field.name == "by" or verb.open_ended else len(DOMAINS[field.name](t, s))
        if verb.open_ended or size > LARGEST:
            return
        listed = list(possible(t, s, verb, player))
        if not listed and not self.times[key]:
            for action in islice(verb.candidates(t, s, player), OFTEN[-1]):
                self._accepts(t, s, verb, action)
            return
        self.times[key] += 1
        if self.times[key] not in (SELDOM if size > LARGE else OFTEN):
            return
        offered = set(listed)
        must(len(offered) == len(listed), f"Step {step} offers something twice: {listed[:3]}.")
        accepted = {action for action in everything(t, s, verb, player) if self._accepts(t, s, verb, action)}
        never, wrongly = accepted - offered, offered - accepted
        must(not never, f"Legal at step {step}, but not among the candidates: {sorted(map(str, never))[:3]}.")
        must(not wrongly, f"Offered at step {step}, though a guard objects: {sorted(map(str, wrongly))[:3]}.")

    def _accepts(self, t: Title, s: State, verb: Verb, action: Action) -> bool:
        """Whether no guard objects; what each says is looked at once."""
        for guard in verb.guards:  # of very many actions: a generator would take longer
            text = guard(t, s, action)
            if text is not None:
                if guard not in self.heard:
                    self.heard.add(guard)
                    refusal_is_told(t, text, t.rule(verb, guard), f" of {guard.__name__}")
                return False
        return True
