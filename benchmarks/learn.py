"""What positions say of the end, learnt from games of the program against itself (`opponents/estimate.py`).

    python benchmarks/learn.py play FILE [TITLE...] [--games N] [--seed S] [--jobs J]
    python benchmarks/learn.py fit FILE... [--levels FILE...] [--write]
    python benchmarks/learn.py tell [FILE...] [--records FILE...] [--advice]

`play` adds games to FILE, one a line: their positions as rounds begin and at some moments between, and the end. Those
that are there are not played again, so it can be broken off and gone on with. Numbers of players go in rotation; in
a third of the games all are regulars, in a third regulars and strong, in the others the levels are mixed.

`fit` learns a ridge regression of the leads in the end, one for all titles, and for each title how far off that is in
games that it has not learnt from; and how much better or worse than regulars others do, from further games with
`--levels` too, which change nothing else. `--write` writes `opponents/learnt.json`.

`tell` says how good what is written there is in these games, best in such as it was not learnt from: how far what is
thought goes with the end (the correlation), how far it is off, how often the end is within the worths told for half of
all games, by third of the game, and how often whoever is told such a chance comes first, of each level too. With
`--advice` it asks in each position for advice, as people do at the table. Positions of one game are much alike, so
intervals go by games.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from math import exp, log
from operator import mul
from pathlib import Path
from random import Random
from statistics import correlation, mean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from strength import PLAIN

from cli.boards import positions
from cli.files import played_from
from cli.matches import keep, kept, moves
from engine import CHANCE, TITLES, State, Title, build, decision, scores, start
from engine.ids import PlayerId
from engine.past import rounds_of
from engine.stored import body_of, state_of
from opponents import LEVELS, Level
from opponents.advice import counsel
from opponents.estimate import (
    ALL,
    BY_TITLE,
    HALF,
    SIGNS,
    VAGUE,
    Estimate,
    Learnt,
    Signs,
    centred,
    estimate,
    known_at,
    leads,
    learnt,
    signs,
    skills,
    weighed,
)
from opponents.levels import PEOPLE, Levels

TABLES: tuple[tuple[Level, ...], ...] = (("regular",), ("regular", "strong"), LEVELS)
"""Which levels sit together, each in a third of the games."""
BETWEEN = 0.04
"""What part of the positions within rounds is kept."""

PENALTY = 0.1
"""How much large weights are held back, as part of what speaks for them."""
FOLDS = 8
"""In how many parts the games are cut, each of which is told from the others."""
SLOPES = tuple(step / 4 for step in range(-16, 33))
"""By what power of e figures are tried to be larger far from the end."""
EXACT = 0.001
"""Nothing is nearer than that."""
UNKNOWN = (1.0, 1.0)
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
    levels: list[Level]
    """By seat."""


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
    return Game(title_id, players, seed, positions, [known[seat] for seat in state.players], levels)


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
class Seen:
    """What is seen of a position, and what everybody is worth in the end."""

    title: str
    signs: Signs
    worth: Sequence[int]
    levels: Sequence[Level | None]

    @property
    def rows(self) -> list[tuple[float, ...]]:
        """By seat what the weights are for: the signs, and again in proportion to how far the end is."""
        return [(*row, *(self.signs.distance * sign for sign in row)) for row in self.signs.rows]


Ended = tuple[Title, list[State], list[int], Levels]
"""Positions of a game, the worths in the end by seat, and which seats the program played."""


def ended(files: Iterable[Path], records: Iterable[Path] = ()) -> Iterator[Ended]:
    """Games that were played here, and recorded ones with their positions as rounds end."""
    for game in (one for path in files for one in kept(path, Game)):
        title = build(game.title, game.players)
        names = {PlayerId(f"p{seat}"): f"P{seat}" for seat in range(1, game.players + 1)}
        levels = dict(zip(names, game.levels, strict=True))
        yield title, [state_of(title, names, body) for body in game.positions], game.worth, levels
    for path in records:
        played = played_from(path, as_recorded=True)
        states = positions(played)
        known = dict(scores(played.title, played.state))
        worth = [known[seat] for seat in played.state.players]
        yield played.title, [states[one.end] for one in rounds_of(states)[:-1]], worth, PEOPLE


def seen(game: Ended) -> list[Seen]:
    """What is seen in the positions of a game."""
    title, states, worth, levels = game
    by_seat = [levels.get(seat) for seat in states[0].players]
    return [Seen(title.id, signs(title, state), worth, by_seat) for state in states]


def ridge(positions: Sequence[Seen]) -> Learnt:
    """The weights that come closest, and the spread still to be told."""
    ends = [lead for one in positions for lead in leads(one.worth)]
    found = closest([row for one in positions for row in one.rows], ends, PENALTY)
    return Learnt(tuple(found[: len(SIGNS)]), tuple(found[len(SIGNS) :]), UNKNOWN, UNKNOWN, UNKNOWN)


def closest(rows: Sequence[Sequence[float]], ends: Sequence[float], penalty: float = 0.0) -> list[float]:
    """The weights by which the rows come closest to the ends."""
    scale = [max(1e-6, mean(value * value for value in column) ** 0.5) for column in zip(*rows, strict=True)]
    scaled = [[value / size for value, size in zip(row, scale, strict=True)] for row in rows]
    columns = list(zip(*scaled, strict=True))
    matrix = [[sum(map(mul, one, other)) for other in columns] for one in columns]
    for at, line in enumerate(matrix):
        line[at] += penalty * len(rows)
    wanted = [sum(map(mul, column, ends)) for column in columns]
    return [value / size for value, size in zip(solved(matrix, wanted), scale, strict=True)]


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


def middle(figures: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """What figures come to at the end and far from it: half of them are more, half less. Each is after its distance."""
    logs = [(distance, log(max(EXACT, figure))) for distance, figure in figures]

    def tried(slope: float) -> tuple[float, float, float]:
        near = median(rest := [value - slope * distance for distance, value in logs])
        return mean(abs(value - near) for value in rest), near, near + slope

    _, near, far = min(map(tried, SLOPES))
    return round(exp(near), 3), round(exp(far), 3)


Thought = tuple[Seen, Estimate]
"""A position and what is thought of it."""


def thought(positions: Iterable[Seen], known: Learnt) -> list[Thought]:
    """What is thought in each position; of levels only where something has been learnt of them."""
    return [(one, weighed(one.signs, known, one.levels)) for one in positions]


def held_out(games: Sequence[Sequence[Seen]]) -> list[Thought]:
    """What is thought of each position by what was learnt from other games."""
    told = list[Thought]()
    for fold in range(FOLDS):
        known = ridge([one for at, game in enumerate(games) if at % FOLDS != fold for one in game])
        told += thought((one for game in games[fold::FOLDS] for one in game), known)
    return told


def measured(weights: Learnt, told: Sequence[Thought]) -> Learnt:
    """The weights with how far off this is."""
    grown = middle((vague(one), sum(one.worth) / max(1.0, found.together)) for one, found in told)
    spread, ends = list[tuple[float, float]](), list[tuple[float, float]]()
    for one, found in told:
        each = known_at(grown, vague(one)) * max(1.0, found.together) / len(one.worth)
        for guess, lead, worth in zip(found.leads, leads(one.worth), one.worth, strict=True):
            spread.append((one.signs.distance, abs(lead - guess) / HALF))
            ends.append((vague(one), abs(worth / each - 1 - guess) / HALF))
    return replace(weights, spread=middle(spread), ends=middle(ends), grown=grown)


def skill(told: Sequence[Thought]) -> dict[Level, float]:
    """What leads come to besides what is thought of them, by level; the weights stay what they are for people."""
    kinds: list[Level] = [level for level in LEVELS if level != "regular"]
    rows, rest = list[tuple[float, ...]](), list[float]()
    for one, found in told:
        columns = [centred(skills(one.levels, {kind: 1.0}, one.signs.distance)) for kind in kinds]
        rows += zip(*columns, strict=True)
        rest += [lead - guess for lead, guess in zip(leads(one.worth), found.leads, strict=True)]
    return {kind: round(value, 4) for kind, value in zip(kinds, closest(rows, rest), strict=True)}


def vague(one: Seen) -> float:
    """How far the end is, as far as that matters for what all will be worth together."""
    return min(VAGUE, one.signs.distance)


def fit(args: argparse.Namespace) -> None:
    """Learn, tell how good it is, and write it down."""
    games = [seen(game) for game in ended(args.file)]
    Random(1).shuffle(games)
    every = [one for game in games for one in game]
    weights, told = ridge(every), held_out(games)
    by_title = dict[str, Learnt]()
    for title in (ALL, *sorted({one.title for one in every})):
        mine = [one for one in told if title in (ALL, one[0].title)]
        close(title, mine)
        by_title[title] = measured(weights, mine)
    by_level = skill(told + thought((one for game in ended(args.levels) for one in seen(game)), weights))
    print(f"levels: {by_level}")
    if args.write:
        WRITTEN.write_text(text_of(replace(weights, skill=by_level), by_title), encoding="utf-8")


def close(name: str, told: Sequence[Thought]) -> None:
    """Tell how close the guesses are, beside what they were made of."""
    ends = [lead for one, _ in told for lead in leads(one.worth)]
    rows = [row for one, _ in told for row in one.signs.rows]
    kinds = {SIGNS[at]: [row[at] for row in rows] for at in range(3)}
    kinds |= {
        "by hand": [(row[1] + row[2]) / 2 for row in rows],
        "told": [lead for _, found in told for lead in found.leads],
    }
    print(f"{name}: {len(ends)} seats of positions")
    for kind, values in kinds.items():
        off = mean((value - end) ** 2 for value, end in zip(values, ends, strict=True)) ** 0.5
        print(f"  {kind}: correlation {correlation(values, ends):.2f}, off by {off:.3f}")


@dataclass(frozen=True, slots=True)
class Said:
    """What a seat was told, and what came of it."""

    level: Level | None
    third: int
    inside: bool
    chance: int
    first: bool


def said(game: Ended, advice: bool) -> list[Said]:
    """What seats are told in the positions of a game: whoever is up by advice, or all by the estimate."""
    title, states, worth, levels = game
    return [
        Said(
            levels.get(state.players[seat]),
            3 * at // len(states),
            low <= worth[seat] <= high,
            chance,
            worth[seat] == max(worth),
        )
        for at, state in enumerate(states)
        for seat, chance, low, high in (advised if advice else estimated)(title, state, levels)
    ]


Telling = tuple[int, int, float, float]
"""A seat, its chance to come first, and between which worths it ends in half of all games."""


def estimated(t: Title, s: State, levels: Levels) -> list[Telling]:
    """What the estimate tells all seats."""
    found = estimate(t, s, levels)
    return [(seat, chance, *found.range(seat)) for seat, chance in enumerate(found.firsts())]


def advised(t: Title, s: State, levels: Levels) -> list[Telling]:
    """What whoever is up is told with advice."""
    seat = decision(t, s).players[0]
    if seat == CHANCE or not (end := counsel(t, s, seat, levels=levels).end):
        return []
    chance, ends = end
    return [(s.players.index(seat), chance.amount, ends.before or 0, ends.amount)]


def tell(args: argparse.Namespace) -> None:
    """Tell how good what was learnt is in these games."""
    games = [
        (game[0].id, thought(seen(game), learnt(game[0].id)), said(game, args.advice))
        for game in ended(args.file, args.records)
    ]
    for name in (ALL, *sorted({title for title, *_ in games})):
        mine = [one for one in games if name in (ALL, one[0])]
        close(name, [one for _, guesses, _ in mine for one in guesses])
        report([told for *_, told in mine])


def report(games: Sequence[Sequence[Said]]) -> None:
    """Tell how often what was said came true."""
    print(f"  within the worths told for half: {share([[one.inside for one in game] for game in games])}")
    for third in range(3):
        print(f"    third {third + 1}: {share([[one.inside for one in game if one.third == third] for game in games])}")
    came(games)
    for level in LEVELS:
        of_level = [[one for one in game if one.level == level] for game in games]
        if any(of_level):
            print(f"  {level}:")
            came(of_level)


def came(games: Sequence[Sequence[Said]]) -> None:
    """Tell how often those come first who are told such a chance."""
    for fifth in range(5):
        some = [[one for one in game if min(one.chance // 20, 4) == fifth] for game in games]
        if any(some):
            chance = mean(one.chance for game in some for one in game)
            print(f"  first where told {chance:.0f} of 100: {share([[one.first for one in game] for game in some])}")


def share(games: Iterable[Sequence[bool]]) -> str:
    """How often it is so, with the 95 % interval: what is so in a game often is so all along it."""
    found = [one for one in games if one]
    count = sum(map(len, found))
    part = sum(map(sum, found)) / count
    off = PLAIN * sum((sum(one) - part * len(one)) ** 2 for one in found) ** 0.5 / count
    return f"{part:.0%} ± {off:.0%} of {count} in {len(found)} games"


def text_of(weights: Learnt, by_title: dict[str, Learnt]) -> str:
    """The file that keeps what was learnt."""
    parts = [f'  "{name}": {[round(value, 3) for value in getattr(weights, name)]}' for name in ("near", "far")]
    for name in BY_TITLE:
        lines = [f'    "{title}": {list(getattr(one, name))}' for title, one in by_title.items()]
        parts.append(f'  "{name}": {{\n' + ",\n".join(lines) + "\n  }")
    parts.append(f'  "skill": {json.dumps(weights.skill)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


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
    fitting.add_argument("--levels", type=Path, nargs="*", default=[], metavar="FILE", help="further games, for levels")
    fitting.add_argument("--write", action="store_true")
    fitting.set_defaults(do=fit)
    telling = ways.add_parser("tell")
    telling.add_argument("file", type=Path, nargs="*")
    telling.add_argument("--records", type=Path, nargs="*", default=[], metavar="FILE")
    telling.add_argument("--advice", action="store_true", help="ask for advice in each position")
    telling.set_defaults(do=tell)
    args = parser.parse_args()
    args.do(args)


if __name__ == "__main__":
    main()
