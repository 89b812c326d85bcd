"""Measures the router: python benchmarks/routes.py [--only TEXT] [FILES]

Prints for each stored position and set of trains the total, how many sets of routes are offered, whether they are
proved, the bound, steps and milliseconds (the best of some, all found anew each time), and ends with the slowest.
"""

import argparse
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import positions  # noqa: E402

from engine.router import Best  # noqa: E402
from engine.steps.run import bests_of  # noqa: E402


def ask(body: dict[str, object], ranks: list[str]) -> tuple[tuple[Best, ...], float]:
    """The answer on a board that was never asked before, and the milliseconds it took."""
    asked = positions.ask(body, ranks)
    begun = time.perf_counter()
    bests = bests_of(asked.title, asked.state, asked.corp)
    return bests, (time.perf_counter() - begun) * 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--only", default="", help="only sets of trains written so, as D,D")
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    slowest = []
    for path in options.files or sorted((HERE / "boards").glob("*.json")):
        body = positions.read(path)
        for ranks in body["sets"]:
            label = ",".join(ranks)
            if options.only and options.only != label:
                continue
            answers = [ask(body, ranks) for _ in range(options.times)]
            bests, took = answers[0][0], min(took for _, took in answers)
            assert all([best.routes for best in again] == [best.routes for best in bests] for again, _ in answers)
            proved = bool(bests) and all(best.proved for best in bests)
            total, bound = (bests[0].total, bests[0].bound) if bests else (0, 0)
            steps = max((best.work for best in bests), default=0)
            print(f"{path.stem:18} {label:10} {total:5} {len(bests):2} sets {'proved' if proved else 'OPEN  '} "
                  f"bound {bound:5} {steps:9} steps {took:9.1f} ms", flush=True)  # fmt: skip
            slowest.append((took, path.stem, label))
    print("slowest:", *(f"{took:.0f} ms {name} {label};" for took, name, label in sorted(slowest, reverse=True)[:5]))


if __name__ == "__main__":
    main()
