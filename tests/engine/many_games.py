"""Play many random games of a title, over its players and options, with every move audited.

    python tests/engine/many_games.py 1890 1000 [first seed] [eager]

The options of each game are drawn, and drawn again where they exclude each other. Eager players build, run and buy
trains whenever they can, and come to the last phases. Ends with how the games ended.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random
from time import perf_counter

# ruff: noqa: E402 (the folders must be known first)
sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent), str(Path(__file__).parents[1])]

from tastes import eager
from walks import some_title, walk

from cli.contract.sound import audit_move
from records.simulate import choose_among


def main(title: str, games: str, first: str = "0", player: str = "") -> None:
    ends: Counter[tuple[str, str]] = Counter()
    moves, began = 0, perf_counter()
    for seed in range(int(first), int(first) + int(games)):
        t = some_title(title, Random(seed))
        last = None
        for before, _, after in walk(t, seed, pick=eager if player == "eager" else choose_among):
            audit_move(t, before, after)
            last = after
            moves += 1
        assert last is not None
        if not last.over:  # random players can lose all money that could ever move
            print(f"seed {seed}: {t.players} players, {sorted(t.options)} did not end")
        ends[str(last.over) or "nothing", t.phase(last).name] += 1
    print(f"{games} games, {moves} moves, {perf_counter() - began:.0f} s")
    for (end, phase), count in sorted(ends.items()):
        print(f"{count:5} ended by {end} in phase {phase}")


if __name__ == "__main__":
    main(*sys.argv[1:])
