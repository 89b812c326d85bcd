"""What positions say of the end, learnt from games of the program against itself (`opponents/estimate.py`).

    python benchmarks/learn.py play FILE [TITLE...] [--games N] [--seed S] [--jobs J]
    python benchmarks/learn.py fit FILE [--records FILE...] [--write]

`play` adds games to FILE, one a line: their positions as rounds begin and at some moments between, and the end. Those
that are there are not played again, so it can be broken off and gone on with. Numbers of players go in rotation; in
a third of the games all are regulars, in a third regulars and strong, in the others the levels are mixed.

`fit` learns a ridge regression of the leads in the end, one for all titles, and tells how good it is in games that it
has not learnt from: how far what is thought goes with the end (the correlation), how far it is off, how often the end
is within the worths told for half of all games, and how often whoever is told such a chance comes first. A title for
which half the regular's valuation and half the sketch are clearly less far off keeps these. With `--records` it tells
the same of recorded games, and with `--write` it writes `opponents/learnt.json`.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from operator import mul
from pathlib import Path
from random import Random
from statistics import correlation, mean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from cli.boards import positions
from cli.files import played_from
from cli.matches import keep, kept, moves
from engine import TITLES, State, Title, build, scores, start
from engine.ids import PlayerId
from engine.past import rounds_of
from engine.stored import body_of, state_of
from opponents import LEVELS, Level
from opponents.estimate import HALF, SIGNS, Estimate, Learnt, Signs, leads, learnt, signs, spread_at, weighed

TABLES: tuple[tuple[Level, ...], ...] = (("regular",), ("regular", "strong"), LEVELS)
"""Which levels sit together, each in a third of the games."""
BETWEEN = 0.04
"""What part of the positions within rounds is kept."""

PENALTY = 0.1
"""How much large weights are held back, as part of what speaks for them."""
FOLDS = 8
"""In how many parts the games are cut, each of which is told from the others."""
KNOTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""How far the end is, where the spread is told."""
UNKNOWN = (1.0, 1.0)
BY_HAND = Learnt((0.0, 0.5, 0.5, *[0.0] * (len(SIGNS) - 3)), (0.0,) * len(SIGNS), UNKNOWN, UNKNOWN)
"""Half the regular's valuation and half the sketch, as the strong has it."""
KEPT = 0.95
"""What part of the learnt estimate's squares those by hand may come to, to be kept in a title: games are few."""
WRITTEN = Path(__file__).parents[1] / "opponents" / "learnt.json"


@dataclass(slots=True)
class Game:
    """One game: positions of it, and what came of it."""

    title: str
    players: int
    seed: int
    positions: list[dict[str, Any]]
    """As `engine.stored.body_of` writes them."""
    worth: list[int]
    """By seat, in the end."""


def one_game(asked: tuple[str, int, int]) -> Game:
    title_id, players, seed = asked
    title, random = build(title_id, players), Random(f"learn {title_id} {players} {seed}")
    met = random.choice(TABLES)
    levels = [random.choice(met) for _ in range(players)]
    state: State = start(title, [f"P{number}" for number in range(1, players + 1)])
    where, positions = ("", 0, 0), []
    for _, state in moves(title, levels, seed):
        now = (state.round, state.turn, state.or_number)
        if not state.over and (now != where or random.random() < BETWEEN):
            positions.append(body_of(state))
        where = now
    known = dict(scores(title, state))
    return Game(title_id, players, seed, positions, [known[seat] for seat in state.players])


def play(args: argparse.Namespace) -> None:
    """Add games to the file."""
    there = {(one.title, one.seed) for one in kept(args.file, Game)}
    asked = [
        (title, tables[seed % len(tables)], seed)
        for seed in range(args.seed, args.seed + args.games)
        for title in args.titles or TITLES
        if (title, seed) not in there
        for tables in [list(TITLES[title].players)]
    ]
    with ProcessPoolExecutor(args.jobs) as pool:
        for game in pool.map(one_game, asked):
            keep(args.file, game)
            print(game.title, game.players, game.seed, game.worth, flush=True)


@dataclass(frozen=True, slots=True)
class Sample:
    """What is seen of one seat in one position, and its lead and worth in the end."""

    title: str
    seats: Signs
    seat: int
    lead: float
    worth: int

    def off(self, guess: float) -> float:
        """How far off its worth is, as part of the mean, with this lead."""
        return self.worth * len(self.seats.rows) / max(self.seats.together, 1.0) - 1 - guess

    @property
    def row(self) -> tuple[float, ...]:
        """What the weights are for: the signs, and again in proportion to how far the end is."""
        signs = self.seats.rows[self.seat]
        return (*signs, *(self.seats.distance * sign for sign in signs))


Weights = dict[str, Learnt]
"""By title."""
Sampled = list[list[Sample]]
"""By game."""


def sampled(title: Title, positions: Iterable[State], worth: Sequence[int]) -> list[Sample]:
    """What is seen in the positions of a game."""
    ends = leads(worth)
    seen = [signs(title, s) for s in positions]
    return [Sample(title.id, one, seat, lead, worth[seat]) for one in seen for seat, lead in enumerate(ends)]


def of_game(game: Game) -> list[Sample]:
    """The samples of a game that was played here."""
    title = build(game.title, game.players)
    names = {PlayerId(f"p{seat}"): f"P{seat}" for seat in range(1, game.players + 1)}
    return sampled(title, (state_of(title, names, body) for body in game.positions), game.worth)


def of_record(path: Path) -> list[Sample]:
    """The samples of a recorded game: its positions as rounds end."""
    played = played_from(path, as_recorded=True)
    states = positions(played)
    ends = [states[one.end] for one in rounds_of(states)[:-1]]
    known = dict(scores(played.title, played.state))
    return sampled(played.title, ends, [known[seat] for seat in played.state.players])


def ridge(samples: Sequence[Sample], penalty: float = PENALTY) -> Learnt:
    """The weights that come closest, and the spread of each title still to be told."""
    rows = [one.row for one in samples]
    scale = [max(1e-6, mean(value * value for value in column) ** 0.5) for column in zip(*rows, strict=True)]
    scaled = [[value / size for value, size in zip(row, scale, strict=True)] for row in rows]
    columns = list(zip(*scaled, strict=True))
    matrix = [[sum(map(mul, one, other)) for other in columns] for one in columns]
    for at, line in enumerate(matrix):
        line[at] += penalty * len(rows)
    wanted = [sum(value * one.lead for value, one in zip(column, samples, strict=True)) for column in columns]
    found = [value / size for value, size in zip(solved(matrix, wanted), scale, strict=True)]
    return Learnt(tuple(found[: len(SIGNS)]), tuple(found[len(SIGNS) :]), UNKNOWN, UNKNOWN)


def solved(matrix: list[list[float]], wanted: list[float]) -> list[float]:
    """The solution of so many linear equations, by elimination."""
    lines = [[*line, value] for line, value in zip(matrix, wanted, strict=True)]
    for at in range(len(lines)):
        pivot = max(range(at, len(lines)), key=lambda number: abs(lines[number][at]))
        lines[at], lines[pivot] = lines[pivot], lines[at]
        for number, line in enumerate(lines):
            if number != at and (factor := line[at] / lines[at][at]):
                lines[number] = [one - factor * other for one, other in zip(line, lines[at], strict=True)]
    return [line[-1] / line[at] for at, line in enumerate(lines)]


def spread_of(samples: Sequence[Sample], off: Sequence[float]) -> tuple[float, ...]:
    """How far off estimates are, by how far the end is: half of them lie within HALF times that."""
    knots = []
    for at in KNOTS:
        near = sorted((abs(one.seats.distance - at), abs(by)) for one, by in zip(samples, off, strict=True))
        knots.append(median(by for _, by in near[: max(30, len(near) // 4)]) / HALF)
    each = [abs(by) / spread_at(knots, one.seats.distance) for one, by in zip(samples, off, strict=True)]
    return tuple(round(value * median(each) / HALF, 3) for value in knots)


def thought(samples: Sequence[Sample], learnt: Learnt) -> list[float]:
    """The lead that the weights tell of each sample."""
    return [weighed(one.seats, learnt).leads[one.seat] for one in samples]


def held_out(games: Sampled) -> list[tuple[Sample, float]]:
    """The samples, each with what was thought of it by what was learnt from other games."""
    told = list[tuple[Sample, float]]()
    for fold in range(FOLDS):
        learnt = ridge([one for at, game in enumerate(games) if at % FOLDS != fold for one in game])
        some = [one for game in games[fold::FOLDS] for one in game]
        told += zip(some, thought(some, learnt), strict=True)
    return told


def best_of(title: str, told: Sequence[tuple[Sample, float]], found: Learnt) -> tuple[Learnt, list[float]]:
    """What is less far off for a title, what was found or what is made by hand, with its guesses of these samples."""
    samples, learnt = split(told)
    hand = thought(samples, BY_HAND)

    def off(guesses: Sequence[float]) -> float:
        return sum((one.lead - guess) ** 2 for one, guess in zip(samples, guesses, strict=True))

    guesses, weights = (hand, BY_HAND) if off(hand) < KEPT * off(learnt) else (learnt, found)
    print(f"{title}: {'by hand' if weights is BY_HAND else 'learnt'}")
    return measured(weights, samples, guesses), guesses


def measured(weights: Learnt, samples: Sequence[Sample], guesses: Sequence[float]) -> Learnt:
    """The weights with how far off these guesses are."""
    both = list(zip(samples, guesses, strict=True))
    spread = spread_of(samples, [one.lead - guess for one, guess in both])
    return replace(weights, spread=spread, ends=spread_of(samples, [one.off(guess) for one, guess in both]))


def of_now(title: str, told: Sequence[tuple[Sample, float]]) -> tuple[Learnt, list[float]]:
    """The weights that there are, with how far off they are in these games, and their guesses."""
    samples, weights = [one for one, _ in told], learnt()[title]
    guesses = thought(samples, weights)
    return measured(weights, samples, guesses), guesses


def report(name: str, samples: Sequence[Sample], guesses: Sequence[float], by_title: Weights) -> None:
    """Tell how good the guesses are, beside what they were made of."""
    ends = [one.lead for one in samples]
    signs_of = [one.seats.rows[one.seat] for one in samples]
    hand = [(row[1] + row[2]) / 2 for row in signs_of]
    kinds = {**{SIGNS[at]: [row[at] for row in signs_of] for at in range(3)}, "by hand": hand, "told": list(guesses)}
    inside, chances = list[bool](), defaultdict[int, list[bool]](list)
    both = list(zip(samples, guesses, strict=True))
    while both:
        some, both = both[: len(both[0][0].seats.rows)], both[len(both[0][0].seats.rows) :]  # of one position
        known = by_title[some[0][0].title]
        spread, off = (spread_at(knots, some[0][0].seats.distance) for knots in (known.spread, known.ends))
        inside += [abs(one.off(guess)) <= HALF * off for one, guess in some]
        best = max(one.lead for one, _ in some)
        firsts = Estimate(tuple(guess for _, guess in some), spread, 1.0, off).firsts()
        for (one, _), first in zip(some, firsts, strict=True):
            chances[min(first // 20, 4)].append(one.lead == best)
    print(f"{name}: {len(samples)} seats of positions")
    for kind, values in kinds.items():
        off = mean((value - end) ** 2 for value, end in zip(values, ends, strict=True)) ** 0.5
        print(f"  {kind}: correlation {correlation(values, ends):.2f}, off by {off:.3f}")
    print(f"  within the worths told for half: {mean(inside):.0%}")
    for at, won in sorted(chances.items()):
        print(f"  first where told {20 * at} to {20 * at + 19} of 100: {mean(won):.0%} of {len(won)}")


def fit(args: argparse.Namespace) -> None:
    """Learn, tell how good it is, and write it down."""
    games = [of_game(one) for path in args.file for one in kept(path, Game)]
    Random(1).shuffle(games)
    told, found, by_title = held_out(games), ridge([one for game in games for one in game]), Weights()
    every = list[tuple[Sample, float]]()
    for title in sorted({one.title for one, _ in told}):
        mine = [(one, guess) for one, guess in told if one.title == title]
        report(f"{title}, learnt", *split(mine), {title: found})
        by_title[title], guesses = of_now(title, mine) if args.spreads else best_of(title, mine, found)
        every += zip([one for one, _ in mine], guesses, strict=True)
        report(title, *split(every[-len(mine) :]), by_title)
    report(f"all {len(games)} games, held out", *split(every), by_title)
    if args.records:
        people = [one for path in args.records for one in of_record(path)]
        guesses = [weighed(one.seats, by_title[one.title]).leads[one.seat] for one in people]
        report("records", people, guesses, by_title)
    if args.write:
        WRITTEN.write_text(text_of(by_title), encoding="utf-8")


def split(told: Sequence[tuple[Sample, float]]) -> tuple[list[Sample], list[float]]:
    """The samples, and what is thought of them."""
    return [one for one, _ in told], [guess for _, guess in told]


def text_of(by_title: Weights) -> str:
    """The file that keeps what was learnt."""
    titles = []
    for title, one in by_title.items():
        parts = (("near", one.near), ("far", one.far), ("spread", one.spread), ("ends", one.ends))
        lines = [f'    "{name}": {[round(value, 3) for value in values]}' for name, values in parts]
        titles.append(f'  "{title}": {{\n' + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(titles) + "\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn what positions say of the end.")
    ways = parser.add_subparsers(required=True)
    playing = ways.add_parser("play")
    playing.add_argument("file", type=Path)
    playing.add_argument("titles", nargs="*", choices=[*TITLES, []], metavar="TITLE")
    playing.add_argument("--games", type=int, default=100, help="of each title")
    playing.add_argument("--seed", type=int, default=0)
    playing.add_argument("--jobs", type=int, default=1)
    playing.set_defaults(do=play)
    fitting = ways.add_parser("fit")
    fitting.add_argument("file", type=Path, nargs="+")
    fitting.add_argument("--records", type=Path, nargs="*", default=[], metavar="FILE")
    fitting.add_argument("--spreads", action="store_true", help="keep the weights; learn only how far off they are")
    fitting.add_argument("--write", action="store_true")
    fitting.set_defaults(do=fit)
    args = parser.parse_args()
    args.do(args)


if __name__ == "__main__":
    main()
