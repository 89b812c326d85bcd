"""How well the forecast of opponents knows when phases begin, games end, and who ends ahead.

    python benchmarks/courses.py TITLE [--option OPTION] [--players N] [--level LEVEL] [--games N] [--seed S] [--jobs J]

At the start of every stock round of games among equal opponents it notes after how many operating rounds the phases
to come are thought to begin, and the game to end, and prints by how many rounds that was too late in the mean, and how
far off. What began no more counts as one round after the end that was thought.

There it also notes by what part of the table's mean each seat is ahead of it: in worth now, in what a regular thinks of
the position, and at the end of the strong's sketch. It prints by game turn how far each goes with the lead in the end
(the correlation: 1 tells all, 0 nothing).
"""

import argparse
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import correlation, mean, pstdev

sys.path.insert(0, str(Path(__file__).parents[1]))

from cli.matches import moves
from engine import TITLES, State, Title, build, scores, start
from engine.ids import OR, SR
from engine.shares import worth
from opponents import LEVELS
from opponents.estimate import leads
from opponents.forecast import Course, course_of, sketched
from opponents.prospects import Valuation
from opponents.sketch import Sketch

Errors = dict[str, list[int]]
"""By what was forecast, rounds by which it was thought too late."""
Leads = dict[tuple[int, str], list[tuple[float, float]]]
"""By game turn and by what it was thought, the leads of seats as thought and in the end."""


def thought_of(t: Title, s: State, course: Course) -> dict[str, list[float]]:
    """The leads in worth now, as a regular sees them, and at the end of the strong's sketch."""
    sketch = Sketch(t, s)
    sketch.raises = True
    sketched(sketch)
    return {
        "worth now": leads([worth(t, s, seat) for seat in s.players]),
        "regular": leads(Valuation(t, s, course).outcome().worth),
        "sketch": leads(sketch.worth()),
    }


def one_game(title_id: str, options: tuple[str, ...], players: int, level: str, seed: int) -> tuple[Errors, Leads]:
    title = build(title_id, players, options)
    rounds, where = 0, ("", 0, 0)
    began: list[int] = []
    thought: list[tuple[int, int, Course]] = []
    ahead: list[tuple[int, dict[str, list[float]]]] = []
    state: State = start(title, [f"P{seat}" for seat in range(players)])
    for _, state in moves(title, (level,) * players, seed):
        now = (state.round, state.turn, state.or_number)
        if now != where and not state.over:
            where = now
            rounds += state.round == OR
            if state.round == SR and state.turn > 1:
                course = course_of(title, state)
                thought.append((rounds, state.phase, course))
                ahead.append((state.turn, thought_of(title, state, course)))
        began += [rounds] * (state.phase + 1 - len(began))
    errors: Errors = defaultdict(list)
    for at, phase, course in thought:
        for step, later in enumerate(range(phase + 1, len(began)), start=1):
            due = next((clock + 1 for clock, then in enumerate(course.phases) if then >= later), course.rounds + 1)
            errors[f"phase {step} ahead"].append(due - (began[later] - at))
        if state.over != "bankrupt":
            errors["end"].append(course.rounds - (rounds - at))
    known = dict(scores(title, state))
    ended = leads([known[seat] for seat in state.players])
    found: Leads = {
        (turn, what): list(zip(guessed, ended, strict=True))
        for turn, guesses in ahead
        for what, guessed in guesses.items()
    }
    return dict(errors), found


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
    pairs: Leads = defaultdict(list)
    with ProcessPoolExecutor(args.jobs) as pool:
        for missed, found in pool.map(play, range(args.seed, args.seed + args.games)):
            for what, late in missed.items():
                errors[what] += late
            for kind, both in found.items():
                pairs[kind] += both
    for what, late in sorted(errors.items()):
        print(f"{what}: {mean(late):+.2f} rounds, off by {mean(map(abs, late)):.2f}, of {len(late)}")
    for (turn, how), both in sorted(pairs.items()):
        guessed, ended = zip(*both, strict=True)
        if pstdev(guessed) and pstdev(ended):
            print(f"lead in turn {turn}, by {how}: {correlation(guessed, ended):+.2f} of {len(both)}")


if __name__ == "__main__":
    main()
