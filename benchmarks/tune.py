"""What each weight of the players' judgement does: games in which every seat weighs everything in its own way.

    python benchmarks/tune.py play FILE [TITLE...] [--level LEVEL] [--players N] [--games N] [--seed S]
    python benchmarks/tune.py fit FILE

`play` adds games to FILE, one a line; those that are there are not played again. Each seat draws each of the `Weights`
between half and twice what it is. `fit` asks how the leads in the end depend on all of them at once, so one game tells
of every weight, and as often as there are seats: it prints by what part of the table's mean a seat gains that has a
weight twice as large as it is, with the 95 % interval. Of some twenty weights one is beyond its interval by chance.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

from learn import solved
from strength import PLAIN

from cli.matches import Agreed, Opponent, keep, kept, play
from engine import TITLES, State, Title, build
from engine.actions import Action
from engine.ids import PlayerId
from opponents import LEVELS, Level, choose
from opponents.estimate import leads
from opponents.weights import STANDARD, Weights

NAMES = tuple(one.name for one in fields(Weights) if one.type is float and getattr(STANDARD, one.name))


@dataclass(slots=True)
class Game:
    """One game: how each seat weighed things, and what came of it."""

    title: str
    seed: int
    drawn: list[list[float]]
    """By seat, for each of NAMES the power of two that its weight is multiplied by, from -1 to 1."""
    worth: list[int]
    """By seat, in the end."""


@dataclass(frozen=True, slots=True)
class Weighing(Opponent):
    weights: Weights

    def move(self, t: Title, s: State, seat: PlayerId, agreed: Agreed) -> Action:
        return choose(t, s, seat, self.level, self.seed, self.weights).action


def one_game(title: Title, level: Level, seed: int) -> Game:
    random = Random(f"tune {title.id} {seed}")
    drawn = [[round(random.uniform(-1, 1), 3) for _ in NAMES] for _ in range(title.players)]
    weights = [
        replace(STANDARD, **{name: getattr(STANDARD, name) * 2**power for name, power in zip(NAMES, one, strict=True)})
        for one in drawn
    ]
    return Game(title.id, seed, drawn, play(title, [Weighing(level, seed, one) for one in weights], seed).worth)


def fit(games: Sequence[Game]) -> list[tuple[str, float, float]]:
    """For each weight what a seat gains that has it twice as large, as part of the table's mean, and half the interval.

    What a seat of the title has anyway is taken off, and so is what all at the table have in common.
    """
    rows: list[list[float]] = []
    gained: list[float] = []
    usual: dict[tuple[str, int], list[float]] = defaultdict(list)
    for game in games:
        for seat, lead in enumerate(leads(game.worth)):
            usual[game.title, seat].append(lead)
    for game in games:
        common = [mean(column) for column in zip(*game.drawn, strict=True)]
        for seat, lead in enumerate(leads(game.worth)):
            rows.append([one - other for one, other in zip(game.drawn[seat], common, strict=True)])
            gained.append(lead - mean(usual[game.title, seat]))
    columns = list(zip(*rows, strict=True))
    matrix = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in columns] for one in columns]
    found = solved(matrix, [sum(a * b for a, b in zip(one, gained, strict=True)) for one in columns])
    off = [gain - sum(a * b for a, b in zip(row, found, strict=True)) for row, gain in zip(rows, gained, strict=True)]
    square = sum(one * one for one in off) / (len(rows) - len(games) - len(NAMES))
    told = []
    for at, name in enumerate(NAMES):
        inverse = solved(matrix, [float(number == at) for number in range(len(NAMES))])[at]
        told.append((name, found[at], PLAIN * sqrt(square * inverse)))
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description="What each weight of the players' judgement does.")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("play", help="play games and add them to a file")
    one.add_argument("file", type=Path)
    one.add_argument("titles", nargs="*", choices=[*TITLES, []], metavar="TITLE")
    one.add_argument("--level", choices=LEVELS, default="strong")
    one.add_argument("--players", type=int, default=4)
    one.add_argument("--games", type=int, default=100, help="for each title")
    one.add_argument("--seed", type=int, default=0, help="of the first game")
    other = commands.add_parser("fit", help="tell what the weights do")
    other.add_argument("file", type=Path)
    args = parser.parse_args()
    known = kept(args.file, Game)
    if args.command == "play":
        there = {(game.title, game.seed) for game in known}
        for title_id in args.titles or TITLES:
            title = build(title_id, args.players)
            for seed in range(args.seed, args.seed + args.games):
                if (title_id, seed) not in there:
                    keep(args.file, one_game(title, args.level, seed))
        return
    print(f"{len(known)} games")
    for name, gain, error in sorted(fit(known), key=lambda told: -abs(told[1]) / told[2]):
        print(f"{name:<14} {gain:+.1%} ± {error:.1%}")


if __name__ == "__main__":
    main()
