"""Where in the game one player falls behind others of another kind, or gets ahead.

    python benchmarks/stages.py TITLE [--one LEVEL] [--others POLICY] [--games N] [--seed S]

Plays games as `strength.py games` does, and prints as stock and operating rounds begin, turn by turn, what the one has
beside the mean of the others, with 95 % intervals: worth and cash as parts of theirs, what its shares last earned, and
companies of its own. What decides a game shows there rounds before it shows in the worth.
"""

import argparse
from collections import defaultdict
from math import sqrt
from statistics import mean, stdev

from strength import PLAIN, setting

from cli import matches
from cli.matches import Player
from engine import TITLES, State, Title, start
from engine.ids import PlayerId
from engine.shares import worth
from opponents import LEVELS

SIGNS = ("worth", "cash", "earned", "companies")
Stage = tuple[int, str]
"""The game turn, and the kind of round."""


def stages(title: Title, players: list[str | Player], mine: int, seed: int) -> dict[Stage, tuple[float, ...]]:
    """Of one game, by stage: what the one has beside the others, in the order of SIGNS."""
    found: dict[Stage, tuple[float, ...]] = {}
    state = start(title, [f"P{number}" for number in range(1, title.players + 1)])
    for _, after in matches.moves(title, players, seed):
        stage = (state.turn, str(state.round))
        if stage not in found:
            found[stage] = beside(title, state, state.players[mine])
        state = after
    return found


def beside(t: Title, s: State, seat: PlayerId) -> tuple[float, ...]:
    """What the seat has beside the mean of the others."""
    own, *others = (signs(t, s, one) for one in sorted(s.players, key=lambda one: one != seat))
    rest = [mean(column) for column in zip(*others, strict=True)]
    parts = [mine / max(theirs, 1.0) - 1 for mine, theirs in zip(own[:2], rest[:2], strict=True)]
    return (*parts, *(mine - theirs for mine, theirs in zip(own[2:], rest[2:], strict=True)))


def signs(t: Title, s: State, seat: PlayerId) -> tuple[float, ...]:
    """What the seat has, in the order of SIGNS."""
    earned = sum(s.held(corp, seat) * (s.last_run.get(corp) or 0) / t.corporations[corp].shares for corp in s.floated)
    return worth(t, s, seat), s.cash[seat], earned, sum(s.president[corp] == seat for corp in s.floated)


def main() -> None:
    parser = argparse.ArgumentParser(description="Where in the game one player falls behind others, or gets ahead.")
    parser.add_argument("title", choices=TITLES)
    parser.add_argument("--one", choices=LEVELS, default="strong")
    parser.add_argument("--others", default="regular", metavar="POLICY", help="a level, random, or LEVEL@COMMIT")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    args = parser.parse_args()
    all_ = defaultdict[Stage, list[tuple[float, ...]]](list)
    for seed in range(args.seed, args.seed + args.games):
        title, mine, rest = setting(args.title, args.others, seed)
        players = [args.one if seat == mine else rest for seat in range(title.players)]
        for stage, found in stages(title, players, mine, seed).items():
            all_[stage].append(found)
    for (turn, kind), games in all_.items():
        columns = zip(SIGNS, zip(*games, strict=True), strict=True)
        print(f"{kind} {turn}, {len(games)} games: " + ", ".join(f"{name} {told(column)}" for name, column in columns))


def told(found: tuple[float, ...]) -> str:
    """A mean with its interval."""
    spread = PLAIN * stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0
    return f"{mean(found):+.2f} ± {spread:.2f}"


if __name__ == "__main__":
    main()
