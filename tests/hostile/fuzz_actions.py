"""Actions that nobody should send, against positions of every title; and the script that tries a million of them.

    python tests/hostile/fuzz_actions.py 1000000 [SEED]

Some are legal actions with one or two values changed, some are well-typed but otherwise arbitrary, some are JSON that
is not even that. Whatever is tried, the position must not change, and what is refused is refused in a sentence.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

sys.path[:0] = [str(Path(__file__).parent.parent.parent), str(Path(__file__).parent.parent)]

# ruff: noqa: E402 (the folders above must be known first)

from walks import walk

from engine import TITLES, BadAction, Refused, State, Title, build, judge, legal
from engine.action_json import from_json, to_json
from engine.actions import ACTIONS, Action, Route
from engine.flow import apply

STRANGE = ("", " ", "p0", "p99", "chance", "bank", "pool", "ipo", "@everyone", "<@1>", "A" * 4000, "\u202e\u200b", "Ω",
           "-1", "0", "None", "../etc", "'; DROP TABLE log; --", "C10.0", "Z99", "\0")  # fmt: skip
NUMBERS = (-(10**9), -1, 0, 1, 2, 3, 5, 7, 10, 20, 30, 65, 70, 100, 105, 1000, 10**9 - 1, 10**9)
BATCH = 400
LEGAL_AT_ONCE = 40


class Fault(AssertionError):
    """An answer that no player should get, or a position that changed."""


@dataclass
class Report:
    tried: int = 0
    accepted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    malformed: int = 0
    without_rule: Counter[str] = field(default_factory=Counter)
    titles: Counter[str] = field(default_factory=Counter)


class Words:
    """Names of all things of one game, for values of every kind."""

    def __init__(self, title: Title, state: State, chance: random.Random) -> None:
        self.chance = chance
        stops = [stop for hex_id in list(title.hexes) for stop in (f"{hex_id}.0", f"{hex_id}.1")]
        self.stops = stops
        self.plain = [*state.players, *title.corporations, *title.privates, *title.hexes, *title.trains, *STRANGE]
        self.by_name = {
            "by": [*state.players, "chance", *STRANGE[:4]],
            "corp": [*title.corporations, *STRANGE],
            "private": [*title.privates, *STRANGE],
            "hex": [*title.hexes, *STRANGE],
            "stop": [*stops, *STRANGE],
            "rank": [*title.trains, *STRANGE],
            "trade_in": [*title.trains, *STRANGE],
            "tile": [*title.tiles, *STRANGE],
            "source": ["bank", "pool", "ipo", *title.corporations, *STRANGE],
            "kind": ["pay", "withhold", "half", *STRANGE],
        }

    def value(self, name: str, kind: Any) -> Any:
        """Any value of the kind; often one that the name suggests."""
        inner = [one for one in get_args(kind) if one is not type(None)]
        if type(None) in get_args(kind):
            return None if self.chance.random() < 0.3 else self.value(name, inner[0])
        if get_origin(kind) is tuple:
            return tuple(self.value(name, inner[0]) for _ in range(self.chance.choice((0, 1, 1, 2, 5))))
        if kind is Route:
            path = tuple(
                self.chance.choice(self.stops) if self.chance.random() < 0.4 else self.chance.randrange(-1, 7)
                for _ in range(self.chance.randrange(0, 9))
            )
            return Route(self.value("rank", str), path)
        if kind is int:
            return self.chance.choice(NUMBERS) if self.chance.random() < 0.7 else self.chance.randrange(-50, 500)
        if kind is bool:
            return self.chance.random() < 0.5
        return self.chance.choice(self.by_name.get(name, self.plain))

    def action(self) -> Action:
        """A well-typed action without sense."""
        kind = self.chance.choice(list(ACTIONS.values()))
        hints = get_type_hints(kind)
        return kind(**{one.name: self.value(one.name, _base(hints[one.name])) for one in fields(kind)})

    def mutated(self, action: Action) -> Action:
        """The action with one or two values changed."""
        hints = get_type_hints(type(action))
        for one in self.chance.sample(fields(action), min(len(fields(action)), self.chance.choice((1, 1, 2)))):
            action = replace(action, **{one.name: self.value(one.name, _base(hints[one.name]))})
        return action

    def json(self, action: Action) -> Any:
        """Its JSON with something that does not belong there."""
        body = to_json(action)
        key = self.chance.choice(list(body))
        wrong: tuple[Any, ...] = (None, [], {}, 1.5, float("nan"), True, -1, 10**30, "x" * 5000, [[[]]], {"do": "Pass"})
        body[key] = self.chance.choice(wrong)
        if self.chance.random() < 0.2:
            del body[key]
        return body


def _base(kind: Any) -> Any:
    """The plain type under a NewType."""
    return getattr(kind, "__supertype__", kind)


def positions(title_id: str, seed: int, longest: int) -> Iterator[tuple[Title, State]]:
    """Positions of random games of a title, one game after the other with changing options."""
    chance = random.Random(f"{title_id}{seed}")
    recipe = TITLES[title_id]
    while True:
        players = chance.choice(recipe.players)
        options = [one for one in recipe.options if chance.random() < 0.3]
        try:
            title = build(title_id, players, options)
        except BadAction:
            continue
        skip = chance.randrange(0, 25)
        for state, _, _ in islice(walk(title, chance.randrange(10**6), longest), skip, None, 25):
            yield title, state


def attempt(title: Title, state: State, action: Action, report: Report) -> None:
    """Try one action. Raises Fault for an answer that no player should get."""
    report.tried += 1
    try:
        refused = judge(title, state, action)
    except BadAction as error:
        refused = None
        report.malformed += 1
        sentence(str(error), action)
        return
    except Exception as error:
        raise Fault(f"{action} was answered with {error!r}") from error
    if refused is None:
        report.accepted += 1
        return
    sentence(refused.text, action)
    report.refused[refused.rule] += 1
    if not refused.rule:
        report.without_rule[refused.text] += 1


def sentence(text: str, action: object) -> None:
    if len(text) < 12 or text[-1] not in ".)”?" or text[0] != text[0].upper() or len(text) > 1500:
        raise Fault(f"{str(action)[:300]} was answered with {text[:300]!r}")


def batch(title: Title, state: State, chance: random.Random, report: Report, size: int) -> None:
    """Try `size` actions at one position, and see that it is still the same."""
    words = Words(title, state, chance)
    seeds = [one for seat in state.players for one in islice(legal(title, state, seat), LEGAL_AT_ONCE)]
    before = repr(state)
    for number in range(size):
        kind = chance.random()
        if kind < 0.5 and seeds:
            action = words.mutated(chance.choice(seeds))
        elif kind < 0.95 or not seeds:
            action = words.action()
        else:
            try:
                action = from_json(words.json(chance.choice(seeds)))
            except BadAction as error:
                if len(str(error)) > 1500:
                    raise Fault(f"{str(error)[:300]} is too long") from error
                report.malformed += 1
                report.tried += 1
                continue
        attempt(title, state, action, report)
        if number % 40 == 0:
            try:
                apply(title, state, action)
            except (Refused, BadAction):
                pass
            except Exception as error:
                raise Fault(f"{action} was answered with {error!r}") from error
    if repr(state) != before:
        raise Fault(f"a position of {title.id} changed")
    report.titles[title.id] += size


def run(count: int, seed: int, longest: int = 400, size: int = BATCH) -> Report:
    """Try `count` actions, evenly over the titles."""
    chance, report = random.Random(seed), Report()
    sources = {title_id: positions(title_id, seed, longest) for title_id in TITLES}
    while report.tried < count:
        for found in sources.values():
            title, state = next(found)
            batch(title, state, chance, report, size)
    return report


if __name__ == "__main__":
    began = time.monotonic()
    done = run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1889)
    refused = f"{sum(done.refused.values()):,} refused by {len(done.refused)} rules"
    print(f"{done.tried:,} actions in {time.monotonic() - began:.0f} s: {done.accepted:,} legal, {refused},")
    print(f"{done.malformed:,} malformed; {dict(done.titles)}")
    for text, times in done.without_rule.most_common(10):
        print(f"  without a rule, {times}: {text}")
