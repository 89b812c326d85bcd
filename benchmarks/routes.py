"""Measures the router: python benchmarks/routes.py [--only TEXT] [FILES]

Prints for each board and set of trains the total, whether it is proved, the bound, steps and milliseconds (the
best of three, legs and all found anew each time), and ends with the slowest.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from engine.board.board import Board, Grid  # noqa: E402
from engine.board.router import Best, RunRules, Train, best_runs  # noqa: E402
from engine.board.routes import StopRef  # noqa: E402
from engine.board.tile_list import TILES  # noqa: E402
from engine.ids import CorpId, Rank  # noqa: E402
from engine.titles.t1889.map import HEXES  # noqa: E402

GRID = Grid("flat", HEXES, TILES)


def train(rank: str) -> Train:
    large, _, small = rank.partition("+")
    return Train(Rank(rank), None if rank == "D" else int(large), int(small or 0), "diesel" if rank == "D" else "brown")


def load(path: Path) -> tuple[Board, CorpId, list[list[str]]]:
    body = json.loads(path.read_text())
    placed = {name: (tile, turn) for name, (tile, turn) in body["placed"].items()}
    board = Board(GRID, placed, {stop: tuple(places) for stop, places in body["tokens"].items()})
    return board, CorpId(body["corp"]), body["sets"]


def ask(board: Board, corp: CorpId, ranks: list[str]) -> tuple[Best, float]:
    """The answer on a board that was never asked before, and the milliseconds it took."""

    def worth(stop: StopRef, owner: Train) -> int:
        printed = board.stop(*stop)
        return dict(printed.tiers).get(owner.tier, printed.revenue)

    board = Board(board.grid, board.placed, board.tokens)
    begun = time.perf_counter()
    best = best_runs(board, corp, [train(rank) for rank in ranks], RunRules(worth))
    return best, (time.perf_counter() - begun) * 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--only", default="", help="only sets of trains written so, as D+D")
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    slowest = []
    for path in options.files or sorted((HERE / "boards").glob("*.json")):
        board, corp, sets = load(path)
        for ranks in sets:
            label = "+".join(ranks)
            if options.only and options.only != label:
                continue
            answers = [ask(board, corp, ranks) for _ in range(options.times)]
            best, took = answers[0][0], min(took for _, took in answers)
            assert all(answer.routes == best.routes for answer, _ in answers)
            print(f"{path.stem:18} {label:10} {best.total:5} {'proved' if best.proved else 'OPEN  '} "
                  f"bound {best.bound:5} {best.work:9} steps {took:9.1f} ms", flush=True)  # fmt: skip
            slowest.append((took, path.stem, label))
    print("slowest:", *(f"{took:.0f} ms {name} {label};" for took, name, label in sorted(slowest, reverse=True)[:5]))


if __name__ == "__main__":
    main()
