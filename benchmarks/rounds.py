"""How opponents go on from where people stood: stock rounds of recorded games, played again from their start.

    python benchmarks/rounds.py FILE... [--level LEVEL] [--turns T,T,...] [--whole] [--seed S]

All seats are played by one level. Of each stock round it prints what people did in it and what the level does:
decisions, shares bought, sold, and bought and sold again, idle cash at its end as part of what all are worth, and that.
With `--whole` it plays on to the end of the game, from operating rounds, too, and compares what all are worth together
then.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from cli.matches import Opponent
from engine import CHANCE, State, Title, apply, decision, scores, start
from engine.actions import Action, BuyShare, SellShares
from engine.ids import OR, SR
from engine.shares import worth
from opponents import LEVELS
from records.files import play
from records.simulate import LONGEST, draw

MOST = 200
"""Decisions after which a stock round counts as one without end."""


@dataclass(frozen=True, slots=True)
class Round:
    """What went on in a stock round."""

    decisions: int
    bought: int
    sold: int
    turned: int
    """Shares bought and sold again by the same player."""
    idle: float
    """Players' cash at its end as part of what they are worth."""
    worth: int
    """Of all together, at its end."""

    def __str__(self) -> str:
        return (
            f"{self.decisions} decisions, bought {self.bought}, sold {self.sold}, turned {self.turned}, "
            f"idle {self.idle:.0%}, worth {self.worth}"
        )


def together(t: Title, s: State) -> int:
    """What all players are worth now."""
    return sum(worth(t, s, seat) for seat in s.players)


def round_of(t: Title, course: Sequence[tuple[State, Action]]) -> Round:
    """The stock round with which a course of positions and actions begins."""
    bought: Counter[tuple[str, str]] = Counter()
    number = purchases = sold = turned = 0
    last = course[0][0]
    for state, action in course[:MOST]:
        if state.round != SR or state.turn != course[0][0].turn:
            break
        number, last = number + 1, state
        if isinstance(action, BuyShare):
            bought[action.by, action.corp] += 1
            purchases += 1
        if isinstance(action, SellShares):
            again = min(action.count, bought[action.by, action.corp])
            bought[action.by, action.corp] -= again
            sold, turned = sold + action.count, turned + again
    cash = sum(last.cash[seat] for seat in last.players)
    return Round(number, purchases, sold, turned, cash / together(t, last), together(t, last))


def played(t: Title, s: State, args: argparse.Namespace) -> Iterator[tuple[State, Action]]:
    """The course on from a position: to the end of its stock round, or of the game."""
    random, player, turn = Random(args.seed), Opponent(args.level, args.seed), s.turn
    for _ in range(LONGEST if args.whole else MOST):
        seat = decision(t, s).players[0] if not s.over else None
        if seat is None or not (args.whole or (s.round == SR and s.turn == turn)):
            return
        action = draw(t, s, random) if seat == CHANCE else player.move(t, s, seat, lambda _: True)
        yield s, action
        s = apply(t, s, action)


def begun(course: Sequence[tuple[State, Action]], args: argparse.Namespace) -> list[int]:
    """Where a level begins to play on: stock rounds but the first, with `--whole` operating rounds, too."""
    first = dict[tuple[int, str, int], int]()
    for at, (state, _) in enumerate(course):
        if (state.round == SR and state.turn > 1) or (args.whole and state.round == OR):
            first.setdefault((state.turn, state.round, state.or_number), at)
    return [at for (turn, *_), at in first.items() if not args.turns or str(turn) in args.turns.split(",")]


def compared(path: Path, args: argparse.Namespace) -> Iterator[tuple[Round | None, Round | None, float]]:
    """The rounds of a recorded game: of stock rounds what people did and what the level does, and with `--whole` what
    part of what people had in the end it has."""
    game = play(json.loads(path.read_text(encoding="utf-8")), as_recorded=True)
    t, state, course = game.title, start(game.title, game.names), list[tuple[State, Action]]()
    for action in game.actions:
        course.append((state, action))
        state = apply(t, state, action)
    for at in begun(course, args):
        at_first, began = course[at][0], time.process_time()
        ours = list(played(t, at_first, args))
        print(f"{path.name} {at_first.round} {at_first.turn}", end="")
        theirs = own = None
        if at_first.round == SR:
            theirs, own = round_of(t, course[at:]), round_of(t, ours)
            print(f", people: {theirs}\n  {args.level}: {own}", end="")
        part = 0.0
        if args.whole:
            last = apply(t, *ours[-1])
            part = sum(dict(scores(t, last)).values()) / sum(dict(scores(t, state)).values())
            print(f"; the game ends with {part:.2f} of what people had, by {last.over}", end="")
        print(f"; {time.process_time() - began:.1f} s", flush=True)
        yield theirs, own, part


def main() -> None:
    parser = argparse.ArgumentParser(description="How opponents go on from where people stood.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--level", choices=LEVELS, default="strong")
    parser.add_argument("--turns", help="only the stock rounds of these game turns")
    parser.add_argument("--whole", action="store_true", help="play on to the end of the game")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    people, level, parts = zip(*(one for path in args.files for one in compared(path, args)), strict=True)
    for name, every in (("people", people), (args.level, level)):
        found = [one for one in every if one]
        print(
            f"{name}: {len(found)} stock rounds, most decisions {max(one.decisions for one in found)}, "
            f"idle cash: median {median(one.idle for one in found):.0%}, over 15 % in "
            f"{sum(one.idle > 0.15 for one in found)}, turned {sum(one.turned for one in found)}"
        )
    if args.whole:
        print(
            f"{len(parts)} games end with a median of {median(parts):.2f} of what people had, at least {min(parts):.2f}"
        )


if __name__ == "__main__":
    main()
