"""Makes the boards that the router is measured on: the map of every title laid as densely as it goes.

    python benchmarks/boards/make.py      writes benchmarks/boards/TITLE-full-N.json and TITLE-late-N.json

`full`: on every hex the tile of the last colours with the most track, without regard to how many there are, no city
full. `late`: only tiles in the box, as at the end of a long game, some cities full of others' tokens. Rotations are
chosen so that as much track as possible meets. The boards 1889-brown, -brownest and -box are kept from before, laid
by hand-picked tiles. See benchmarks/positions.py for the form.
"""

import json
import random
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from engine import Title, build  # noqa: E402
from engine.board.board import rotations  # noqa: E402
from engine.board.tiles import Turned, turned  # noqa: E402
from engine.ids import HexId, TileId  # noqa: E402
from engine.printed import COLOURS  # noqa: E402
from engine.titles import TITLES  # noqa: E402

Placed = dict[HexId, tuple[TileId, int]]
SOLID = ("gray", "red", "blue")


def suits(t: Title, name: HexId, tile: TileId) -> bool:
    """Whether the tile can lie there at some rotation, some time."""
    printed, face = t.hexes[name].face, t.tiles[tile].face
    return printed.label == face.label and bool(rotations(turned(printed, 0), face)) and kinds(printed) == kinds(face)


def kinds(face: object) -> list[str]:
    return sorted("town" if stop.kind == "halt" else stop.kind for stop in face.stops)  # type: ignore[attr-defined]


def fit(t: Title, name: HexId, face: Turned, placed: Placed) -> int:
    """How much of the tile's track meets that of its neighbours, less what runs into nothing."""
    good = len(face.segments)
    for side in face.exits:
        step = t.grid.beyond.get((name, side))
        if step is None:
            return -99
        there, entry = step
        if there in placed:
            other = turned(t.tiles[placed[there][0]].face, placed[there][1])
        else:
            other = turned(t.hexes[there].face, 0)
            if other.face.colour not in SOLID:
                continue
            if entry not in other.exits:
                return -99
        good += 3 if entry in other.exits else -2
    return good


def lay(t: Title, seed: int, stock: Counter[TileId] | None) -> Placed:
    rng = random.Random(seed)
    placed: Placed = {}
    names = [name for name in t.hexes if t.hexes[name].face.colour not in SOLID]
    names.sort(key=lambda name: (not t.hexes[name].face.stops, rng.random()))
    fitting = {name: [tile for tile in t.supply if suits(t, name, tile)] for name in names}
    for _ in range(3):  # laid, then turned again twice when the neighbours are known
        for name in names:
            old = placed.pop(name, None)
            if old and stock is not None:
                stock[old[0]] += 1
            ranked = [
                (t.tiles[tile].face.colour in COLOURS[2:] if stock is None else False,
                 fit(t, name, turned(t.tiles[tile].face, rotation), placed), rng.random(), tile, rotation)
                for tile in fitting[name] if stock is None or stock[tile] > 0
                for rotation in rotations(turned(t.hexes[name].face, 0), t.tiles[tile].face)
            ]  # fmt: skip
            if ranked and max(ranked)[1] > -50:
                *_, tile, rotation = max(ranked)
                placed[name] = (tile, rotation)
                if stock is not None:
                    stock[tile] -= 1
    return placed


def tokens(t: Title, seed: int, placed: Placed, full: float) -> tuple[str, dict[str, list[str | None]]]:
    """A company with its home and two more tokens, and others in a share `full` of the other cities."""
    rng = random.Random(seed + 1)
    companies = [corp for corp in t.corporations.values() if corp.homes]
    corp = companies[seed % len(companies)]
    found: dict[str, list[str | None]] = {}
    cities = []
    for name, printed in t.hexes.items():
        face = t.tiles[placed[name][0]].face if name in placed else printed.face
        cities += [(name, index, stop.slots) for index, stop in enumerate(face.stops) if stop.kind == "city"]
    rng.shuffle(cities)
    cities.sort(key=lambda city: city[0] != corp.homes[0][0])
    rivals = [other.id for other in companies if other is not corp]
    for number, (name, index, slots) in enumerate(cities):
        if number < min(3, len(corp.token_costs)):
            found[f"{name}.{index}"] = [corp.id] + [None] * (slots - 1)
        elif rng.random() < full:
            found[f"{name}.{index}"] = list(rivals[:slots])
    return corp.id, dict(sorted(found.items()))


def sets(t: Title) -> list[list[str]]:
    *_, before, third, last = (str(rank) for rank in t.trains)
    return [[last], [last, last], [third, last], [before, third]]


def main() -> None:
    for recipe in TITLES.values():
        t = build(recipe.id, recipe.players[-1])
        for seed in range(6):
            for label, box, full in (("full", False, 0.0), ("late", True, 0.25)):
                placed = lay(t, seed, Counter(t.supply) if box else None)
                corp, held = tokens(t, seed, placed, full)
                body = {
                    "title": recipe.id, "players": t.players, "options": [], "phase": t.phases[-1].name, "corp": corp,
                    "placed": {name: list(tile) for name, tile in sorted(placed.items())}, "tokens": held,
                    "sets": sets(t),
                }  # fmt: skip
                (HERE / f"{recipe.id}-{label}-{seed}.json").write_text(json.dumps(body) + "\n")


if __name__ == "__main__":
    main()
