"""The puzzles that are shipped, `puzzles.json`: games that the program played, and the questions found in them.

`tetsudo puzzles` makes the file anew. Day by day the puzzles follow each other as they stand there.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import Any

import engine
from engine.action_json import from_json, to_json
from engine.actions import ACTIONS, Action
from engine.ids import CorpId, PlayerId
from engine.state import State
from engine.title import Title
from opponents import Reason
from opponents.puzzles import Answer, Puzzle

NAMES = ("Hana", "Ivan", "Joy", "Kofi")
"""Who plays."""


@dataclass(frozen=True, slots=True)
class Prelude:
    """A game that the program played, as far as there are puzzles in it."""

    title: str
    options: tuple[str, ...]
    moves: Sequence[Sequence[Any]]
    """Each as a row: its kind, and its fields in order."""

    def box(self) -> Title:
        """The title as it was played."""
        return engine.build(self.title, len(NAMES), self.options)

    def after(self, count: int) -> State:
        """The position after so many moves."""
        title = self.box()
        state = engine.start(title, NAMES)
        for row in self.moves[:count]:
            state = engine.apply(title, state, _action(row))
        return state


@dataclass(frozen=True, slots=True)
class Shelved:
    """A puzzle with its game."""

    name: str
    """The game and after how many moves: "1889-7-120"."""
    game: Prelude
    puzzle: Puzzle


@cache
def shelf() -> Mapping[str, Shelved]:
    """All puzzles by name, in the order of their days."""
    return {one.name: one for one in read((resources.files(__package__) / "puzzles.json").read_text("utf-8"))}


def read(text: str) -> list[Shelved]:
    """What `written` wrote."""
    body: dict[str, Any] = json.loads(text)
    games = {name: Prelude(one["title"], tuple(one["options"]), one["moves"]) for name, one in body["games"].items()}
    return [Shelved(f"{game}-{at}", games[game], _puzzle(at, *rest)) for game, at, *rest in body["puzzles"]]


def written(games: Mapping[str, Prelude], found: Iterable[tuple[str, Puzzle]]) -> str:
    """Games by name, and puzzles in the order of their days, each with its game's name: as JSON, one to a line."""
    kept = {
        name: json.dumps({"title": one.title, "options": one.options, "moves": one.moves}, **_SHORT)
        for name, one in games.items()
    }
    rows = [json.dumps([game, *_puzzle_row(one)], **_SHORT) for game, one in found]
    told = ",\n".join(f'"{name}":{text}' for name, text in kept.items())
    return f'{{"games":{{\n{told}\n}},\n"puzzles":[\n' + ",\n".join(rows) + "\n]}\n"


_SHORT: dict[str, Any] = {"separators": (",", ":"), "ensure_ascii": False}


def row_of(action: Action) -> list[Any]:
    """An action as a row."""
    body = to_json(action)
    row = [body["do"], *(body.get(field.name) for field in fields(action))]
    while row[-1] is None:
        row.pop()
    return row


def _action(row: Sequence[Any]) -> Action:
    kind, *values = row
    names = [field.name for field in fields(ACTIONS[kind])]
    return from_json(
        {"do": kind, **{name: value for name, value in zip(names, values, strict=False) if value is not None}}
    )


def _puzzle_row(one: Puzzle) -> list[Any]:
    answers = [answer if isinstance(answer, int | str) else row_of(answer) for answer in one.answers]
    reasons = [[reason.why, reason.amount, reason.before, reason.what] for reason in one.reasons]
    return [one.at, one.kind, one.who, answers, one.right, one.traps, reasons]


def _puzzle(at: int, kind: Any, who: str, answers: Sequence[Any], right: int, traps: Any, reasons: Any) -> Puzzle:
    known: list[Answer] = [_action(one) if isinstance(one, list) else one for one in answers]
    about = PlayerId(who) if kind == "shares" else CorpId(who)
    return Puzzle(at, kind, about, tuple(known), right, tuple(traps), tuple(Reason(*one) for one in reasons))
