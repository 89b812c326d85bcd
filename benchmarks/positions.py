"""Stored positions of one company's trains, on which the router is measured.

A file is {"title", "players", "options", "phase", "corp", "placed": {hex: [tile, rotation]}, "tokens": {stop: [company
or null]}, "sets": [[rank]]}: a board, and the sets of trains that the company runs on it, one after another.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import State, Title, build, start
from engine.board.board import Board
from engine.ids import CorpId, HexId, Rank, StopId, TileId


@dataclass(frozen=True, slots=True)
class Asked:
    """One question for the router: a company's trains on a board with empty caches."""

    title: Title
    state: State
    corp: CorpId
    ranks: tuple[Rank, ...]


def read(path: Path) -> dict[str, Any]:
    """A file's contents."""
    body: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return body


def questions(body: dict[str, Any]) -> Iterator[Asked]:
    """The position with each of its sets of trains."""
    for ranks in body["sets"]:
        yield ask(body, ranks)


def ask(body: dict[str, Any], ranks: list[str]) -> Asked:
    """The position with these trains, on its own board."""
    title = build(body["title"], body["players"], body.get("options", ()))
    state = start(title, tuple(f"P{number}" for number in range(1, title.players + 1)))
    corp = CorpId(body["corp"])
    placed = {HexId(name): (TileId(tile), turn) for name, (tile, turn) in body["placed"].items()}
    tokens = {StopId(stop): tuple(places) for stop, places in body["tokens"].items()}
    state.board = Board(title.grid, placed, tokens)
    state.phase = next(number for number, phase in enumerate(title.phases) if phase.name == body["phase"])
    state.trains[corp] = tuple(Rank(rank) for rank in ranks)
    state.operating = corp
    return Asked(title, state, corp, state.trains[corp])
