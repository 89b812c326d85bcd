"""The command line of the arena, and its table."""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from cli.arena.games import ArenaGame, Conditions, entrant, games
from cli.arena.ratings import rated
from cli.failure import Failure
from cli.matches import POLICIES, built, how_many, share_of_first
from engine import TITLES

SECONDS = 10.0


def add_commands(command: Any) -> None:
    text = "play levels and outside programs against each other, and rate them"
    arena = command("arena", _run, help=text, description=f"{text} (docs/arena.md)")
    arena.add_argument("title", choices=sorted(TITLES))
    arena.add_argument("entrants", nargs="+", metavar="PLAYER", help=f"{', '.join(POLICIES)} or NAME=COMMAND")
    arena.add_argument("--players", type=how_many, metavar="N", help="how many sit at a table (all who take part)")
    arena.add_argument("--games", type=how_many, default=20, metavar="N")
    arena.add_argument("--seed", type=int, default=0, metavar="S", help="of the first game")
    arena.add_argument("--option", action="append", default=[], metavar="NAME", help="an option of the title")
    arena.add_argument("--jobs", type=how_many, default=1, metavar="J", help="in how many processes")
    arena.add_argument("--seconds", type=float, default=SECONDS, metavar="T", help="for a decision of a program")
    arena.add_argument("--keep", type=Path, metavar="FILE", help="what games are added to and not played again")


def _run(args: argparse.Namespace) -> int:
    """Play and tell. Raises Failure."""
    terms = _terms(args)
    found = list(games(terms, range(args.seed, args.seed + args.games), args.jobs, args.keep))
    print("\n".join(table(terms, found)))
    return 0


def _terms(args: argparse.Namespace) -> Conditions:
    if not args.seconds > 0:  # nor what is no number
        raise Failure("a decision takes some time.")
    entrants = tuple(entrant(text) for text in args.entrants)
    if len({one.name for one in entrants}) < max(2, len(entrants)):
        raise Failure("it takes at least two players, each with a name of its own.")
    terms = Conditions(args.title, tuple(args.option), args.players or len(entrants), entrants, args.seconds)
    built(terms.title, terms.players, terms.options)
    return terms


def table(terms: Conditions, found: Sequence[ArenaGame]) -> list[str]:
    """What came of the games, for people."""
    ratings = rated([list(zip(game.seats, game.worth, strict=True)) for game in found])
    width = max(len("player"), *(len(name) for name in ratings))
    lines = [f"{'player':<{width}} {'rating':>6} {'95 % interval':>15} {'seats':>5} {'first':>6} {'worth: mean':>12}"]
    for name, rating in ratings.items():
        places = [(game, seat) for game in found for seat, who in enumerate(game.seats) if who == name]
        first = sum(share_of_first(game.worth, seat) for game, seat in places) / len(places)
        interval = f"{rating.low:+.0f} to {rating.high:+.0f}"
        worth = mean(game.worth[seat] for game, seat in places)
        lines.append(
            f"{name:<{width}} {rating.points:>+6.0f} {interval:>15} {len(places):>5} {first:>6.0%} {worth:>12.0f}"
        )
    ends = ", ".join(f"{end} {count}" for end, count in Counter(game.end for game in found).most_common())
    return [*lines, f"{len(found)} games of {terms.title} for {terms.players}; ends: {ends}", *_faults(found)]


def _faults(found: Sequence[ArenaGame]) -> list[str]:
    """What decisions were made for outside programs."""
    faults: dict[str, list[str]] = {}
    for game in found:
        for name, sentences in game.faults.items():
            faults.setdefault(name, []).extend(sentences)
    return [
        f"{len(sentences)} decisions were made for {name}; most often: {Counter(sentences).most_common(1)[0][0]}"
        for name, sentences in faults.items()
    ]
