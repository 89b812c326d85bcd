"""How long whole random games take: python benchmarks/play.py [TITLE...] [--seeds N] [--first S]

Every move of a random game asks for all legal actions and applies one of them, as buttons and autocomplete do. Players
and options of a game are drawn from its seed. Prints for each title the moves, processor seconds, milliseconds a move
(median, 99 of 100, the most), how much of the time the router takes, and a digest of all moves and results: two
versions of the engine with the same digest played the same games.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from walks import some_title

from engine import TITLES, best_routes
from engine.action_json import to_json
from records.simulate import steps

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve", "Flo", "Gus")
router_seconds = 0.0


def timed(ask: Callable[..., Any]) -> Callable[..., Any]:
    """The same question, its time added to the router's."""

    def asked(*args: Any, **options: Any) -> Any:
        global router_seconds
        began = time.process_time()
        answer = ask(*args, **options)
        router_seconds += time.process_time() - began
        return answer

    return asked


def play(title: str, seeds: range) -> None:
    global router_seconds
    router_seconds = 0.0
    moves: list[float] = []
    digest = hashlib.sha256()
    for seed in seeds:
        t = some_title(title, Random(seed))
        before = time.process_time()
        for action, state in steps(t, NAMES[: t.players], seed):
            now = time.process_time()
            moves.append((now - before) * 1000)
            digest.update(json.dumps(to_json(action)).encode())
            if state.over:
                digest.update(json.dumps(state.to_dict()).encode())
            before = time.process_time()
    seconds = sum(moves) / 1000
    print(
        f"{title}: {len(seeds)} games, {len(moves)} moves, {seconds:.2f} s ({seconds / len(seeds):.2f} a game), "
        f"ms a move: median {median(moves):.2f}, 99 % {quantiles(moves, n=100)[98]:.1f}, most {max(moves):.0f}; "
        f"router {router_seconds:.2f} s ({router_seconds / seconds:.0%}); {digest.hexdigest()[:12]}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="How long whole random games take.")
    parser.add_argument("titles", nargs="*", choices=[*TITLES, []], metavar="TITLE")
    parser.add_argument("--seeds", type=int, default=5, help="how many games of each title")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    best_routes.best_runs = timed(best_routes.best_runs)
    best_routes.best_pairs = timed(best_routes.best_pairs)
    for title in options.titles or TITLES:
        play(title, range(options.first, options.first + options.seeds))


if __name__ == "__main__":
    main()
