"""Changes the rules under running games of every title, so often as wanted.

python tests/changed_rules 1000          250 changes for each title
python tests/changed_rules 100 1860      this title alone
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from party import change_rules  # noqa: E402

from engine.titles import TITLES  # noqa: E402

EACH = 40
"""Changes in one game."""


def main() -> int:
    wanted, titles = int(sys.argv[1]), sys.argv[2:] or list(TITLES)
    for title in titles:
        found: Counter[str] = Counter()
        seed = 0
        while found.total() * len(titles) < wanted:
            seed += 1
            with tempfile.TemporaryDirectory() as folder:
                try:
                    found.update(asyncio.run(change_rules(Path(folder), title, seed, EACH)))
                except BaseException:
                    print(f"{title}, seed {seed}", flush=True)
                    raise
        print(f"{title}: {seed} games, {found.total()} changes: {dict(found.most_common())}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
