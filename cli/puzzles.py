"""`tetsudo puzzles`: play games and choose the puzzles that the bot ships."""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, get_args

from cli.failure import must_take, written_whole
from cli.matches import how_many, moves
from engine import TITLES, build, start
from engine.titles import AS_MOST_PLAY
from opponents.puzzles import Kind, Puzzle, puzzles

KINDS: tuple[Kind, ...] = get_args(Kind)
APART, ALIKE = 8, 2
"""How many moves lie between two puzzles of a kind at least, and how many in a game may have the same answer."""
Found = list[tuple[str, Puzzle]]
"""Puzzles, each with the name of its game."""


def add_commands(command: Any) -> None:
    made = command("puzzles", _run, help="play games among players of the program and find puzzles in them")
    made.add_argument("--out", type=Path, required=True, metavar="FILE", help="bot/rooms/puzzles/puzzles.json")
    made.add_argument("--seed", type=int, default=1, metavar="S", help="of the first game of each title")
    made.add_argument("--games", type=how_many, default=2, metavar="N", help="of each title")
    made.add_argument("--each", type=how_many, default=6, metavar="N", help="puzzles of each kind and title")
    made.add_argument("--jobs", type=how_many, default=1, metavar="J", help="in how many processes")


def _run(args: argparse.Namespace) -> int:
    """Write the file, and tell how many puzzles there are of each kind and title."""
    from bot.rooms.puzzles.laid import Prelude, row_of, written

    must_take(args.out)
    wanted = [(title, seed) for title in sorted(TITLES) for seed in range(args.seed, args.seed + args.games)]
    with ProcessPoolExecutor(args.jobs) as pool:
        played = dict(zip(wanted, pool.map(partial(_found, sorted(TITLES)), wanted), strict=True))
    chosen: dict[tuple[str, Kind], Found] = {}
    for title in sorted(TITLES):
        all_of_it = [
            (f"{title}-{seed}", one) for (of, seed), (_, found) in played.items() if of == title for one in found
        ]
        for kind in KINDS:
            chosen[title, kind] = _spread([one for one in all_of_it if one[1].kind == kind], args.each)
    order = list(_turns(chosen, Random(args.seed)))
    last = {game: max(one.at for of, one in order if of == game) for game in dict.fromkeys(game for game, _ in order)}
    games = {
        f"{title}-{seed}": Prelude(title, (AS_MOST_PLAY,), [row_of(one) for one in actions[: last[f"{title}-{seed}"]]])
        for (title, seed), (actions, _) in played.items()
        if f"{title}-{seed}" in last
    }
    written_whole(args.out, written(games, order).encode())
    for (title, kind), some in chosen.items():
        print(f"{title:<5} {kind:<7} {len(some)}")
    return 0


def _found(titles: Sequence[str], game: tuple[str, int]) -> tuple[list[Any], list[Puzzle]]:
    """A game's actions, and the puzzles in it."""
    from bot.rooms.puzzles.laid import NAMES

    title_id, seed = game
    title = build(title_id, len(NAMES), [AS_MOST_PLAY])
    made = list(moves(title, ["regular"] * len(NAMES), seed * len(titles) + titles.index(title_id)))
    actions = [action for action, _ in made]
    states = [start(title, NAMES), *(state for _, state in made)]
    return actions, list(puzzles(title, states, actions, seed))


def _spread(found: Found, most: int) -> Found:
    """So many of them from all stages of their games, those with most answers first, and none much like another."""
    unlike: Found = []
    seen: Counter[object] = Counter()
    for game, one in sorted(found, key=lambda pair: -len(pair[1].answers)):
        alike = (game, one.answers[one.right])
        if seen[alike] < ALIKE and all(game != other or abs(one.at - two.at) >= APART for other, two in unlike):
            unlike.append((game, one))
            seen[alike] += 1
    unlike = sorted(unlike[: 3 * most], key=lambda pair: pair[1].at)
    step = max(1.0, len(unlike) / most)
    return [unlike[int(number * step)] for number in range(min(most, len(unlike)))]


def _turns(chosen: Mapping[tuple[str, Kind], Found], random: Random) -> Iterator[tuple[str, Puzzle]]:
    """All of them, so that neither a title nor a kind comes twice in a row while there are others."""
    left = {key: random.sample(some, len(some)) for key, some in chosen.items()}
    titles = sorted({title for title, _ in chosen})
    for day in count():
        if not any(left.values()):
            return
        if some := left[titles[day % len(titles)], KINDS[day % len(KINDS)]]:
            yield some.pop()
