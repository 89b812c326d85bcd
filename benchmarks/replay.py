"""How long recorded games take to replay, fully judged, in one warm process (processor time).

    python benchmarks/replay.py FILE...

Prints for each file the best and the median of some runs, per action too, and the ratio to the first file.
"""

import json
import statistics
import sys
import time
from pathlib import Path

from records.files import play

RUNS = 9


def main() -> None:
    first = 0.0
    for name in sys.argv[1:]:
        body = json.loads(Path(name).read_text(encoding="utf-8"))
        play(body)
        times = []
        for _ in range(RUNS):
            began = time.process_time()
            played = play(body)
            times.append(time.process_time() - began)
        best, middle = min(times), statistics.median(times)
        first = first or middle
        print(
            f"{Path(name).name}: {len(played.actions)} actions, best {best:.4f} s, median {middle:.4f} s, "
            f"{middle / len(played.actions) * 1e6:.0f} us an action, {middle / first:.2f} of the first"
        )


if __name__ == "__main__":
    main()
