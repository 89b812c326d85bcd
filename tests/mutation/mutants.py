"""The mutants of a title: one rule taken away or one number changed, in the title as it is built.

A `Mutant` knows how to spoil a built `Title`; where the title's options or numbers of players differ, it spoils
all builds that have what it spoils. Its key says where: `guard OR/track/LayTile without in_supply`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, partial
from operator import attrgetter
from typing import Any

from engine import BadAction
from engine.printed import Face, Phase
from engine.title import Guard, Policy, Step, Title, Verb
from engine.titles import TITLES
from engine.usual import POLICY

Path = tuple[Hashable, ...]


@dataclass(frozen=True)
class Mutant:
    key: str
    spoil: Callable[[Title], Title]
    rule: str = ""
    """What the guard cites: its tests are tried first."""
    guard: Guard | None = None
    """The guard that is missing: only tests in which it objects can tell."""
    policy: str = ""
    """The policy that is another, with its group if it has one: only tests in which it is asked can tell."""

    @property
    def kind(self) -> str:
        return self.key.partition(" ")[0]


def builds(title_id: str) -> Iterator[Title]:
    """The title for each number of players, plain and with each option."""
    recipe = TITLES[title_id]
    for players in recipe.players:
        for options in (frozenset[str](), *(frozenset({option}) for option in recipe.options)):
            try:
                yield recipe.build(players, options)
            except BadAction:  # an option may be for some numbers of players only
                continue


def mutants(title_id: str) -> list[Mutant]:
    """All mutants of the title, each once, in a fixed order."""
    found: dict[str, Mutant] = {}
    for title in builds(title_id):
        for mutant in (*_of_verbs(title), *_of_steps(title), *_of_settles(title), *_of_policy(title), *_of_box(title)):
            found.setdefault(mutant.key, mutant)
    return list(found.values())


# Verbs and steps


def _places(title: Title) -> Iterator[tuple[str, Verb]]:
    """Every verb with its place; one that stands beside several steps of a round has the round for its place."""
    for round_ in title.rounds.values():
        for step in round_.steps:
            for verb in step.verbs:
                beside = sum(verb in other.verbs for other in round_.steps) > 1
                yield _place(round_.name, "" if beside else step.name, verb), verb
    for name, step in title.interrupts.items():
        for verb in step.verbs:
            yield _place("interrupt", name, verb), verb
    for verb in title.anytime:
        yield _place("anytime", "", verb), verb


def _place(part: str, step: str, verb: Verb) -> str:
    return "/".join(word for word in (part, step, verb.action.__name__) if word)


def with_verbs(title: Title, place: str, change: Callable[[Verb], Verb | None]) -> Title:
    def changed(part: str, step: str, verbs: tuple[Verb, ...]) -> tuple[Verb, ...]:
        new = (change(v) if place in (_place(part, step, v), _place(part, "", v)) else v for v in verbs)
        return tuple(verb for verb in new if verb is not None)

    def step_changed(part: str, step: Step) -> Step:
        return replace(step, verbs=changed(part, step.name, step.verbs))

    return replace(
        title,
        rounds={
            name: replace(round_, steps=tuple(step_changed(name, step) for step in round_.steps))
            for name, round_ in title.rounds.items()
        },
        interrupts={
            name: replace(step, verbs=changed("interrupt", name, step.verbs)) for name, step in title.interrupts.items()
        },
        anytime=changed("anytime", "", title.anytime),
    )


def _of_verbs(title: Title) -> Iterator[Mutant]:
    for place, verb in _places(title):
        for guard in verb.guards:
            yield _without_guard(title, place, verb, guard)
        yield Mutant(f"verb {place} gone", partial(with_verbs, place=place, change=lambda verb: None))
        yield _asked_of(place, not verb.anybody)


def _asked_of(place: str, anybody: bool) -> Mutant:
    return Mutant(
        f"verb {place} {'for anybody' if anybody else 'for the asked alone'}",
        lambda t: with_verbs(t, place, lambda verb: replace(verb, anybody=anybody)),
    )


def _without_guard(title: Title, place: str, verb: Verb, guard: Guard) -> Mutant:
    return Mutant(
        f"guard {place} without {guard.__name__}",
        lambda t: with_verbs(t, place, lambda verb: verb.without(guard)),
        rule=title.rule(verb, guard),
        guard=guard,
    )


def _of_steps(title: Title) -> Iterator[Mutant]:
    """Only an operating round asks its steps whether they stop the turn."""

    def changed(name: str, word: str, change: Callable[[Step], Step]) -> Mutant:
        return Mutant(f"step {name} {word}", lambda t: _with_step(t, name, change))

    for step in title.rounds["OR"].steps:
        yield changed(step.name, "always asked", lambda step: replace(step, asks=lambda t, s: True))
        yield changed(step.name, "never asked", lambda step: replace(step, asks=lambda t, s: False))
        if step.skipped is not None:
            yield changed(step.name, "skipped without more", lambda step: replace(step, skipped=None))


def _with_step(title: Title, name: str, change: Callable[[Step], Step]) -> Title:
    part = title.rounds["OR"]
    steps = tuple(change(step) if step.name == name else step for step in part.steps)
    return replace(title, rounds={**title.rounds, "OR": replace(part, steps=steps)})


def _of_settles(title: Title) -> Iterator[Mutant]:
    for settle in title.settle:
        yield Mutant(
            f"settle without {settle.__name__}",
            partial(_without_settle, settle=settle),
        )
    for event in title.events:
        yield Mutant(
            f"event {event} without effect",
            partial(_without_event, event=event),
        )


def _without_settle(title: Title, settle: Callable[..., None]) -> Title:
    return replace(title, settle=tuple(kept for kept in title.settle if kept is not settle))


def _without_event(title: Title, event: str) -> Title:
    return replace(title, events={**title.events, event: lambda t, s: None})


# Policies


def _answers() -> dict[str, list[Any]]:
    """By group and field of `Policy`, as `routes.aims`, its default and what any title puts there."""
    found: dict[str, list[Any]] = {
        f"{group.name}.{field.name}": [getattr(getattr(POLICY, group.name), field.name)]
        for group in fields(Policy)
        for field in fields(getattr(POLICY, group.name))
    }
    for title_id in TITLES:
        for title in builds(title_id):
            for name, values in found.items():
                value = attrgetter(name)(title.policy)
                if value not in values:
                    values.append(value)
    return found


@cache
def _own_answers(title_id: str) -> dict[str, list[Any]]:
    """By field that only this title's policy has, what its options put there; records as scenarios are left out."""
    policies = [title.policy for title in builds(title_id)]
    groups = {group.name for group in fields(Policy)}
    found: dict[str, list[Any]] = {}
    for policy in policies:
        for name in (field.name for field in fields(policy) if field.name not in groups):
            value = getattr(policy, name)
            values = found.setdefault(name, [])
            if value not in values and not is_dataclass(value):
                values.append(value)
    return found


_ANSWERS: dict[str, list[Any]] = {}


def _of_policy(title: Title) -> Iterator[Mutant]:
    if not _ANSWERS:
        _ANSWERS.update(_answers())
    for name, answers in (_ANSWERS | _own_answers(title.id)).items():
        old = attrgetter(name)(title.policy)
        for new in (answer for answer in _wrong(old, answers) if _word(answer) != _word(old)):
            yield Mutant(
                f"policy {name} {_word(old)} -> {_word(new)}",
                partial(_with_policy, name=name, old=old, new=new),
                policy=name,
            )


def _with_policy(title: Title, name: str, old: Any, new: Any) -> Title:
    """The title with `new` for `old`; where it has something else, as it is."""
    if _word(attrgetter(name)(title.policy)) != _word(old):
        return title
    group, _, field = name.rpartition(".")
    change = {group: replace(getattr(title.policy, group), **{field: new})} if group else {field: new}
    return replace(title, policy=replace(title.policy, **change))


def _wrong(old: Any, answers: list[Any]) -> list[Any]:
    """Other answers: of functions and words those of others, of numbers one more and one less, of lists one fewer."""
    if isinstance(old, bool):
        return [not old]
    if isinstance(old, int):
        return [old + 1, old - 1]
    if _of_functions(old):
        return [*answers, *(old[:index] + old[index + 1 :] for index in range(len(old)))]
    return answers


def _of_functions(value: Any) -> bool:
    return isinstance(value, tuple) and all(map(callable, value))


def _word(value: Any) -> str:
    """What tells the answer; functions by name, as one that looks at options is made anew for each title built."""
    if _of_functions(value):
        return "(" + ", ".join(each.__module__.rpartition(".")[2] + "." + each.__name__ for each in value) + ")"
    if not callable(value):
        return str(value)
    folder = value.__module__.split(".")[2] if ".titles." in value.__module__ else ""
    return ".".join(filter(None, (folder, value.__name__)))


# What is in the box

_TABLES = ("hexes", "corporations", "privates", "trains", "phases", "market")
_DRAWN = {"at", "name", "name_local", "colour", "icons", "note", "group", "track", "printed", "meaning", "joined"}
"""Fields that are for people, or facts of pictures: not numbers of a rule. Track has its own tests, face by face."""


def _of_box(title: Title) -> Iterator[Mutant]:
    yield _changed_number(("bank",), title.bank, title.bank + 10)
    for name in ("cash", "cert_limit"):
        old = getattr(title, name)
        yield _for_players(title.players, _changed_number((name,), old, old + 1))
    for tile, count in title.supply.items():
        yield _changed_number(("supply", tile), count, count + 1)
        yield from _of_record(("tiles", tile), title.tiles[tile])
    for table in _TABLES:
        yield from _of_record((table,), getattr(title, table))


def _for_players(players: int, mutant: Mutant) -> Mutant:
    return Mutant(f"{mutant.key} for {players}", lambda t: mutant.spoil(t) if t.players == players else t)


def _of_record(path: Path, value: Any) -> Iterator[Mutant]:
    """Mutants of all numbers, yes-or-no answers and lists below a printed record, unless they are not said there."""
    if isinstance(value, bool):
        yield _changed_number(path, value, not value)
    elif isinstance(value, int):
        yield _changed_number(path, value, value + (10 if value >= 10 and value % 10 == 0 else 1))
    elif isinstance(value, frozenset):
        for member in sorted(value):
            yield _changed_number(path, value, value - {member})
    elif isinstance(value, Mapping):
        for key, member in value.items():
            yield from _of_record((*path, key), member)
    elif isinstance(value, tuple):
        if path[-1] in ("powers", "events", "colours", "homes"):
            for index in range(len(value)):
                yield _changed_number(path, value, value[:index] + value[index + 1 :])
        for index, member in enumerate(value):
            yield from _of_record((*path, index), member)
    elif is_dataclass(value):
        for field in fields(value):
            printed = getattr(value, field.name)
            if field.name not in _DRAWN and (printed != field.default or isinstance(value, Phase)):
                yield from _of_field((*path, field.name), printed)


def _of_field(path: Path, value: Any) -> Iterator[Mutant]:
    if path[-1] in ("rusts_on", "on_sale_with", "trade_in", "count", "certificate", "tokens_of", "terrain") and value:
        yield _changed_number(path, value, None)
    if path[-1] == "zone" and value != "normal":
        yield _changed_number(path, value, "normal")
    if path[-1] in ("arrow", "label") and value:
        yield _changed_number(path, value, "")
    yield from _of_record(path, value)


def _changed_number(path: Path, old: Any, new: Any) -> Mutant:
    where = "/".join(map(str, path))

    def spoil(title: Title) -> Title:
        try:
            return _put(title, path, old, new)
        except LookupError:  # this build has other things in the box
            return title

    return Mutant(f"number {where} {_told(old)} -> {_told(new)}", spoil)


def _told(value: Any) -> str:
    if is_dataclass(value):
        return type(value).__name__
    if isinstance(value, tuple):
        return f"({', '.join(map(_told, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(map(_told, sorted(value)))}}}"
    return str(value)


_FACES: dict[tuple[Face, Path], Face] = {}
"""Faces are known by identity: one spoilt face for all builds."""


def _put(value: Any, path: Path, old: Any, new: Any) -> Any:
    """The record with `new` at the path where `old` stood; LookupError where something else stands."""
    if not path:
        if value != old:
            raise LookupError(value)
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        return {**value, step: _put(value[step], rest, old, new)}
    if isinstance(value, tuple):
        assert isinstance(step, int)
        return (*value[:step], _put(value[step], rest, old, new), *value[step + 1 :])
    if value is None:
        raise LookupError(path)
    assert isinstance(step, str)
    if isinstance(value, Face):
        if (value, path) not in _FACES:
            _FACES[value, path] = replace(value, **{step: _put(getattr(value, step), rest, old, new)})
        return _FACES[value, path]
    if step not in {field.name for field in dataclasses.fields(value)}:
        raise LookupError(path)
    return replace(value, **{step: _put(getattr(value, step), rest, old, new)})
