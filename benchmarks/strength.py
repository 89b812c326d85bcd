"""How strong and how fast the players of the program are, and how often people play what they would.

    python benchmarks/strength.py games [TITLE...] [--one LEVEL] [--others POLICY] [--games N] [--jobs J]
    python benchmarks/strength.py people FILE... [--level LEVEL] [--every N]

`games` plays games of one player among others of another kind, seats and numbers of players in rotation, and prints
for each title how often the one comes first (a tie is shared), that as a multiple of its share of seats, each with the
95 % interval, mean worths, how the games ended, what all were worth together, the processor time of its decisions and
the most memory used.
`people` goes through recorded games and prints, by kind of decision, how often the recorded move is the first choice
of the level, or among the first three; of runs, whether they bring the same.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).parents[1]))

from cli import matches
from engine import TITLES, BadAction, State, Title, apply, build, decision, start
from engine.actions import Action, RunTrains
from engine.ids import PlayerId
from opponents import LEVELS, Choice, Level, advise
from opponents import choose as chosen
from opponents.weights import STANDARD, Weights
from records.files import play as replayed

Played = tuple[matches.Result, int, list[float], int]
"""A game: its result, the seat of the one, the processor seconds of its decisions, and the process's megabytes."""
PLAIN = 1.96
"""Standard errors of a 95 % interval."""


def games(args: argparse.Namespace) -> None:
    with ProcessPoolExecutor(args.jobs) as pool:
        for title in args.titles or TITLES:
            asked = [(title, number, args.one, args.others, args.seed + number) for number in range(args.games)]
            told(title, args, [found for found in pool.map(one_game, asked) if found is not None])


def one_game(asked: tuple[str, int, str, str, int]) -> Played | None:
    """One game; None where the title cannot be played by so many."""
    title_id, number, one, others, seed = asked
    tables = list(TITLES[title_id].players)
    players = tables[number % len(tables)]
    seat = number // len(tables) % players
    try:
        title = build(title_id, players)
    except BadAction:
        return None
    times: list[float] = []

    def timed(t: Title, s: State, seat: PlayerId, level: Level, seed: int = 0, weights: Weights = STANDARD) -> Choice:
        began = time.process_time()
        choice = chosen(t, s, seat, level, seed, weights)
        if level == one:
            times.append(time.process_time() - began)
        return choice

    matches.choose = timed
    policies = [one if index == seat else others for index in range(players)]
    result = matches.play(title, policies, seed)
    return result, seat, times, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def told(title: str, args: argparse.Namespace, found: list[Played]) -> None:
    count = len(found)
    firsts = [matches.share_of_first(result, seat) for result, seat, _, _ in found]
    share = mean(1 / len(result.worth) for result, _, _, _ in found)
    won, error = mean(firsts), PLAIN * sqrt(mean(firsts) * (1 - mean(firsts)) / count)
    own = mean(result.worth[seat] for result, seat, _, _ in found)
    rest = mean(mean(w for at, w in enumerate(result.worth) if at != seat) for result, seat, _, _ in found)
    times = sorted(second for _, _, seconds, _ in found for second in seconds)
    ends = Counter(f"{result.end} in {result.phase}" for result, _, _, _ in found)
    rounds = [result.rounds for result, _, _, _ in found]
    totals = [sum(result.worth) for result, _, _, _ in found]
    memory = max(megabytes for _, _, _, megabytes in found)
    print(
        f"{title}: {args.one} among {args.others}: first in {won:.0%} ± {error:.0%} of {count} games, "
        f"{won / share:.2f} ± {error / share:.2f} of its share; worth {own:.0f} against {rest:.0f}\n"
        f"  ends: {', '.join(f'{end} {number}' for end, number in ends.most_common())}; "
        f"operating rounds {min(rounds)} to {max(rounds)}, median {median(rounds):g}; "
        f"worth of all together {min(totals)} to {max(totals)}, median {median(totals):.0f}\n"
        f"  ms a decision: median {median(times) * 1000:.1f}, 99 % {times[len(times) * 99 // 100] * 1000:.0f}, "
        f"most {times[-1] * 1000:.0f}; up to {memory} MB",
        flush=True,
    )


def people(args: argparse.Namespace) -> None:
    first: Counter[str] = Counter()
    third: Counter[str] = Counter()
    all_: Counter[str] = Counter()
    for name in args.files:
        played = replayed(json.loads(Path(name).read_text(encoding="utf-8")), as_recorded=True)
        state = start(played.title, played.names)
        for number, action in enumerate(played.actions):
            if number % args.every == 0 and action.by in decision(played.title, state).players:
                compare(played.title, state, action, args.level, (all_, first, third))
            try:
                state = apply(played.title, state, action)
            except Exception as error:
                print(f"{name}: stopped at action {number}: {error}", file=sys.stderr)
                break
    by_kind: dict[str, str] = defaultdict(str)
    for kind, count in all_.most_common():
        by_kind[kind] = f"first {first[kind] / count:.0%}, among three {third[kind] / count:.0%} of {count}"
    for kind, text in by_kind.items():
        print(f"{kind:<20} {text}")


def compare(
    t: Title, s: State, action: Action, level: Level, counts: tuple[Counter[str], Counter[str], Counter[str]]
) -> None:
    choices = [choice.action for choice in advise(t, s, action.by, level)]
    if len(choices) < 2:
        return
    every, first, third = counts
    kind = f"{s.round} {decision(t, s).step}"
    every[kind] += 1
    alike = [choice == action or same_income(t, s, choice, action) for choice in choices[:3]]
    first[kind] += alike[0]
    third[kind] += any(alike)


def same_income(t: Title, s: State, ours: Action, theirs: Action) -> bool:
    """Whether both run trains for the same amount: routes can be written in many ways."""
    if not (isinstance(ours, RunTrains) and isinstance(theirs, RunTrains)):
        return False
    return apply(t, s, ours).income == apply(t, s, theirs).income


def main() -> None:
    parser = argparse.ArgumentParser(description="How strong and how fast the players of the program are.")
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("games")
    one.add_argument("titles", nargs="*", metavar="TITLE")
    one.add_argument("--one", choices=LEVELS, default="regular")
    one.add_argument("--others", choices=matches.POLICIES, default="learner")
    one.add_argument("--games", type=int, default=200)
    one.add_argument("--seed", type=int, default=0, help="of the first game")
    one.add_argument("--jobs", type=int, default=1)
    one.set_defaults(run=games)
    other = commands.add_parser("people")
    other.add_argument("files", nargs="+", metavar="FILE")
    other.add_argument("--level", choices=LEVELS, default="regular")
    other.add_argument("--every", type=int, default=1, help="look at every Nth action only")
    other.set_defaults(run=people)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
