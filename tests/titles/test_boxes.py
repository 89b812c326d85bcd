"""All that is printed in each title, against a second entry of it in `boxes/`, one line for each thing.

To change a line there, have the rule book open: the lines of a wrong entry and a wrong title agree.
`python tests/titles/test_boxes.py` writes them anew; the difference is to be read before it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from engine import TITLES, BadAction, Title, build, start
from engine.viewing import board_view

BOXES = Path(__file__).parent / "boxes"
FOR_PEOPLE = {
    "at", "name", "name_local", "colour", "icons", "note", "later", "group", "printed", "meaning", "id", "rule",
}  # fmt: skip
"""Names, colours, hints for drawing, and what describes it."""


def said(value: Any) -> str:
    """A printed thing in a few words: of a record the fields that say something, of tuples and tables each entry."""
    if is_dataclass(value):
        told = [(f.name, getattr(value, f.name), f.default) for f in fields(value) if f.name not in FOR_PEOPLE]
        parts = [f"{name}={said(part)}" for name, part, default in told if part != default]
        return f"{type(value).__name__}({' '.join(parts)})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {said(part)}' for key, part in value.items())}}}"
    if isinstance(value, frozenset):
        return f"{{{', '.join(map(str, sorted(value)))}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(said, value))}]"
    return str(value)


def things(t: Title) -> Iterator[tuple[str, str]]:
    """Each thing in the box by a name, in words."""
    yield from ((name, said(getattr(t, name))) for name in ("bank", "cash", "cert_limit", "opening"))
    for table in ("corporations", "privates", "trains", "hexes"):
        yield from ((f"{table} {key}", said(thing)) for key, thing in getattr(t, table).items())
    for tile, count in t.supply.items():
        yield f"tile {tile}", f"{count} of {said(t.tiles[tile])}"
    for phase in t.phases:
        yield f"phase {phase.name}", said(phase)
    for index, row in enumerate(t.market.rows):
        yield f"market {index}", " ".join(_cell(cell) for cell in row)
    yield "zones", said(t.market.zones)
    yield "tiers", str(t.market.tiers)


def _cell(cell: Any) -> str:
    return f"{cell.price}{'*' if cell.par else ''}{cell.arrow[:1]}{cell.zone[:1]}" if cell else "."


def box(title: str) -> Iterator[str]:
    """The plain title for the most players in full, and what is different in every other way to build it."""
    recipe = TITLES[title]
    full = dict(things(recipe.build(max(recipe.players), frozenset())))
    yield from (f"{name}: {text}" for name, text in full.items())
    for option in ("", *recipe.options):
        for players in recipe.players:
            try:
                other = dict(things(recipe.build(players, frozenset({option} if option else ()))))
            except BadAction:
                continue
            yield f"# {players} players {option}".rstrip()
            yield from (f"{name}: {text}" for name, text in other.items() if full.get(name) != text)
            yield from (f"no {name}" for name in full if name not in other)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.long
def test_what_is_in_the_box(title: str) -> None:
    entered = (BOXES / f"{title}.txt").read_text().splitlines()
    for built, line in zip_longest(box(title), entered, fillvalue="nothing"):
        assert built == line


@pytest.mark.parametrize("title", TITLES)
def test_no_token_waits_for_a_place_as_the_game_begins(title: str) -> None:
    players = TITLES[title].players[0]
    t = build(title, players)
    shown = board_view(t, start(t, ("Ann", "Ben", "Cho")[:players])).hexes
    assert not [icon for one in shown for icon in one.icons if icon.startswith("token:")]


if __name__ == "__main__":
    for name in TITLES:
        (BOXES / f"{name}.txt").write_text("".join(f"{line}\n" for line in box(name)))
