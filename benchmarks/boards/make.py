"""Makes the boards that the router is measured on: the map of 1889 laid as densely as it goes.

    python benchmarks/boards/make.py      writes benchmarks/boards/*.json

A board is {"placed": {hex: [tile, rotation]}, "tokens": {stop: [company or null]}, "corp", "sets": [[rank]]}.
`brown`: brown tiles without regard to how many there are, every city open. `box`: only tiles in the box, as
at the end of a long game, some cities full. Rotations are chosen so that as much track as possible meets.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from engine.board.board import Grid  # noqa: E402
from engine.board.tile_list import TILES  # noqa: E402
from engine.board.tiles import turned  # noqa: E402
from engine.ids import HexId, TileId  # noqa: E402
from engine.titles.t1889.map import HEXES  # noqa: E402

GRID = Grid("flat", HEXES, TILES)
BROWN = {"plain": "39 40 41 42 45 46 47", "city": "448 611", "town": "3 58", "K4": "466", "I4": "492", "F9": "465"}
BROWNEST = {**BROWN, "plain": "43 44 45 46 47 70", "city": "63"}
STOCK = {
    "3": 2, "5": 2, "6": 2, "7": 2, "8": 5, "9": 5, "12": 1, "13": 1, "14": 1, "15": 3, "16": 1, "19": 1, "20": 1,
    "23": 2, "24": 2, "25": 1, "26": 1, "27": 1, "28": 1, "29": 1, "39": 1, "40": 1, "41": 1, "42": 1, "45": 1,
    "46": 1, "47": 1, "57": 2, "58": 3, "205": 1, "206": 1, "437": 1, "448": 4, "465": 1, "466": 1, "492": 1, "611": 2,
}  # fmt: skip
SETS = (["D"], ["D", "D"], ["6", "D"], ["6", "5"], ["4", "4", "4"], ["3", "3", "2", "2"])


def kind(name: str) -> str:
    stops = {stop.kind for stop in HEXES[HexId(name)].face.stops}
    return name if name in BROWN else "city" if "city" in stops else "town" if "town" in stops else "plain"


def fit(name: HexId, tile: str, turn: int, placed: dict[HexId, tuple[str, int]]) -> int:
    """How much of the tile's track meets that of its neighbours, less what runs into nothing."""
    good = 0
    for side in turned(TILES[TileId(tile)].face, turn).exits:
        step = GRID.beyond.get((name, side))
        if step is None:
            good -= 3
            continue
        there, entry = step
        if there in placed:
            other = turned(TILES[TileId(placed[there][0])].face, placed[there][1])
        else:
            other = turned(HEXES[there].face, 0)
            if HEXES[there].face.colour not in ("gray", "red"):
                continue
        good += 2 if entry in other.exits else -2
    return good


def lay(seed: int, wanted: dict[str, str], stock: dict[str, int] | None) -> dict[HexId, tuple[str, int]]:
    rng = random.Random(seed)
    placed: dict[HexId, tuple[str, int]] = {}
    names = [name for name in HEXES if HEXES[name].face.colour not in ("gray", "red")]
    names.sort(key=lambda name: (kind(name) == "plain", rng.random()))
    for _ in range(3):  # laid, then turned again twice when the neighbours are known
        for name in names:
            old = placed.pop(name, None)
            if old and stock is not None:
                stock[old[0]] += 1
            tiles = wanted[kind(name)].split() if stock is None else [t for t in stock if stock[t] and suits(name, t)]
            ranked = [(fit(name, tile, turn, placed), rng.random(), tile, turn) for tile in tiles for turn in range(6)]
            if not ranked:
                continue
            _, _, tile, turn = max(ranked)
            placed[name] = (tile, turn)
            if stock is not None:
                stock[tile] -= 1
    return placed


def suits(name: str, tile: str) -> bool:
    face = TILES[TileId(tile)].face
    if name in BROWN or face.label:
        return tile in BROWN.get(name, "").split()
    stops = {stop.kind for stop in face.stops}
    return ("city" if "city" in stops else "town" if "town" in stops else "plain") == kind(name)


def tokens(seed: int, placed: dict[HexId, tuple[str, int]], full: float) -> dict[str, list[str | None]]:
    """Two or three tokens of AR, and others in a share `full` of the other cities."""
    rng = random.Random(seed + 1)
    found: dict[str, list[str | None]] = {}
    cities = []
    for name, printed in HEXES.items():
        face = TILES[TileId(placed[name][0])].face if name in placed else printed.face
        cities += [(f"{name}.{i}", stop.slots) for i, stop in enumerate(face.stops) if stop.kind == "city"]
    rng.shuffle(cities)
    for number, (stop, slots) in enumerate(cities):
        if number < 2 + seed % 2:
            found[stop] = ["AR"] + [None] * (slots - 1)
        elif rng.random() < full:
            found[stop] = ["IR", "SR", "KO"][:slots]
    return dict(sorted(found.items()))


def main() -> None:
    for seed in range(6):
        for label, wanted, box, full in (
            ("brown", BROWN, False, 0.0), ("brownest", BROWNEST, False, 0.0), ("box", BROWN, True, 0.25),
        ):  # fmt: skip
            placed = lay(seed, wanted, dict(STOCK) if box else None)
            body = {
                "placed": {name: list(tile) for name, tile in sorted(placed.items())},
                "tokens": tokens(seed, placed, full),
                "corp": "AR",
                "sets": SETS,
            }
            (HERE / f"1889-{label}-{seed}.json").write_text(json.dumps(body) + "\n")


if __name__ == "__main__":
    main()
