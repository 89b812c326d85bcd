"""How well the forecast of opponents knows when phases begin and games end.

    python benchmarks/courses.py TITLE [--option OPTION] [--players N] [--level LEVEL] [--games N] [--seed S] [--jobs J]

At the start of every stock round of games among equal opponents it notes after how many operating rounds the phases
to come are thought to begin, and the game to end, and prints by how many rounds that was too late in the mean, and how
far off. What began no more counts as one round after the end that was thought.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

from cli.matches import moves
from engine import TITLES, State, build, start
from engine.ids import OR, SR
from opponents import LEVELS
from opponents.forecast import Course, course_of

Errors = dict[str, list[int]]
"""By what was forecast, rounds by which it was thought too late."""


def one_game(title_id: str, options: tuple[str, ...], players: int, level: str, seed: int) -> Errors:
    title = build(title_id, players, options)
    rounds, where = 0, ("", 0, 0)
    began: list[int] = []
    thought: list[tuple[int, int, Course]] = []
    state: State = start(title, [f"P{seat}" for seat in range(players)])
    for _, state in moves(title, (level,) * players, seed):
        now = (state.round, state.turn, state.or_number)
        if now != where and not state.over:
            where = now
            rounds += state.round == OR
            if state.round == SR and state.turn > 1:
                thought.append((rounds, state.phase, course_of(title, state)))
        began += [rounds] * (state.phase + 1 - len(began))
    errors: Errors = defaultdict(list)
    for at, phase, course in thought:
        for step, later in enumerate(range(phase + 1, len(began)), start=1):
            found = next((clock + 1 for clock, known in enumerate(course.phases) if known >= later), course.rounds + 1)
            errors[f"phase {step} ahead"].append(found - (began[later] - at))
        if state.over != "bankrupt":
            errors["end"].append(course.rounds - (rounds - at))
    return dict(errors)


def main() -> None:
    parser = argparse.ArgumentParser(description="How well the forecast of opponents knows when phases begin.")
    parser.add_argument("title", choices=list(TITLES))
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--level", choices=LEVELS, default="regular")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    play = partial(one_game, args.title, tuple(args.option), args.players, args.level)
    errors: Errors = defaultdict(list)
    with ProcessPoolExecutor(args.jobs) as pool:
        for found in pool.map(play, range(args.seed, args.seed + args.games)):
            for what, late in found.items():
                errors[what] += late
    for what, late in sorted(errors.items()):
        print(f"{what}: {mean(late):+.2f} rounds, off by {mean(map(abs, late)):.2f}, of {len(late)}")


if __name__ == "__main__":
    main()
