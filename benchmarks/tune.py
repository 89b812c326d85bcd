"""Better weights for the regular by self-play: each weight is changed in turn, and kept where that wins.

    python benchmarks/tune.py [TITLE...] [--weights NAME,NAME] [--games N] [--factor F] [--rounds R] [--jobs J]

In every game half of the seats play with the changed weight, the other half without; seats and numbers of players go
in rotation. What is compared is the mean worth of the two halves, as part of the mean of the table. A change is kept
if the 95 % interval of that lies above zero. The last line gives the weights that were found.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import fields, replace
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))

from engine import CHANCE, TITLES, apply, build, decision, scores, start
from opponents import choose
from opponents.weights import STANDARD, Weights
from records.simulate import draw

PLAIN = 1.96
"""Standard errors of a 95 % interval."""
Asked = tuple[str, int, int, Weights, Weights]


def one_game(asked: Asked) -> float:
    """By what part of the table's mean worth those with the first weights come out above the others."""
    title_id, number, seed, changed, kept = asked
    tables = list(TITLES[title_id].players)
    title = build(title_id, tables[number % len(tables)])
    random = Random(seed)
    state = start(title, [f"P{seat}" for seat in range(title.players)])
    odd = number // len(tables) % 2
    weights = {seat: kept if index % 2 == odd else changed for index, seat in enumerate(state.players)}
    while not state.over:
        seat = decision(title, state).players[0]
        if seat == CHANCE:
            action = draw(title, state, random)
        else:
            action = choose(title, state, seat, "regular", seed, weights[seat]).action
        state = apply(title, state, action)
    worth = dict(scores(title, state))
    ours = mean(worth[seat] for seat in worth if weights[seat] == changed)
    theirs = mean(worth[seat] for seat in worth if weights[seat] != changed)
    return (ours - theirs) / max(mean(worth.values()), 1.0)


def gain(pool: Executor, args: argparse.Namespace, changed: Weights, kept: Weights) -> tuple[float, float]:
    """The mean of all games, and half the width of its interval."""
    asked = [
        (title, number, args.seed + number, changed, kept)
        for number in range(args.games)
        for title in args.titles or TITLES
    ]
    found = list(pool.map(one_game, asked))
    return mean(found), PLAIN * stdev(found) / sqrt(len(found))


def main() -> None:
    parser = argparse.ArgumentParser(description="Better weights for the regular by self-play.")
    parser.add_argument("titles", nargs="*", metavar="TITLE")
    parser.add_argument("--weights", default="", help="only these, by name, with commas between them")
    parser.add_argument("--games", type=int, default=40, help="for each title and change; at least 2")
    parser.add_argument("--factor", type=float, default=1.6, help="by how much a weight is made larger and smaller")
    parser.add_argument("--rounds", type=int, default=1, help="how often all weights are gone through")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    args = parser.parse_args()
    names = args.weights.split(",") if args.weights else [one.name for one in fields(Weights) if one.type is float]
    best = STANDARD
    with ProcessPoolExecutor(args.jobs) as pool:
        for _ in range(args.rounds):
            for name in names:
                for factor in (args.factor, 1 / args.factor):
                    changed = replace(best, **{name: getattr(best, name) * factor})
                    by, error = gain(pool, args, changed, best)
                    kept = by - error > 0
                    print(
                        f"{name} {getattr(changed, name):g}: {by:+.1%} ± {error:.1%}{', kept' if kept else ''}",
                        flush=True,
                    )
                    if kept:
                        best = changed
                        break
    print(best)


if __name__ == "__main__":
    main()
