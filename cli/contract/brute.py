"""What is legal, found the other way: by trying everything."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from typing import Any, get_args, get_type_hints

from cli.contract import must
from engine import BANK, State, Title, decision, possible, present_step
from engine.actions import Action
from engine.ids import IPO, POOL, PlayerId, stop_id
from engine.title import Verb

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
"""How many actions are many, tried once for each place, and how many are too many."""
OFTEN = 6
"""How often the others are tried."""


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
        """How often by step and kind of action."""

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
        if verb.open_ended or size > LARGEST or self.times[key] >= (1 if size > LARGE else OFTEN):
            return
        offered = set(possible(t, s, verb, player))
        if not offered and not self.times[key]:
            return
        self.times[key] += 1
        accepted = set()
        for action in everything(t, s, verb, player):
            for guard in verb.guards:  # of very many actions: a generator would take longer
                if guard(t, s, action) is not None:
                    break
            else:
                accepted.add(action)
        never, wrongly = accepted - offered, offered - accepted
        must(not never, f"Legal at step {step}, but not among the candidates: {sorted(map(str, never))[:3]}.")
        must(not wrongly, f"Offered at step {step}, though a guard objects: {sorted(map(str, wrongly))[:3]}.")
