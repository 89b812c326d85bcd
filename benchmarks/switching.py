"""How long the event loop waits for the interpreter's lock while threads search, by `sys.setswitchinterval`.

    python benchmarks/switching.py                   2 threads; 5, 1, 0.5 and 0.1 ms in turn, 5 times each
    python benchmarks/switching.py --threads 3

A tick of the loop is one press being handled: it wakes when it is due, needs the lock some ten times as it reads and
writes, and goes to sleep. Prints the milliseconds from when it was due, and how many searches of an 1889 board the
threads finished in a second of processor time: what switching more often costs.
"""

import argparse
import asyncio
import os
import statistics
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))


import engine
from records.simulate import simulate

PAUSE = 0.01
"""Seconds between two ticks."""
WAKES = 10
"""How often a tick gives the lock away, as sockets and files do."""


class Searching:
    """Threads that find legal actions over and over, as the bot does for each turn."""

    def __init__(self, threads: int) -> None:
        title = engine.build("1889", 3)
        state = engine.start(title, ("Aiko", "Ben", "Chloe"))
        for action in simulate(title, ("Aiko", "Ben", "Chloe"), 5)[0][:250]:
            state = engine.apply(title, state, action)
            if engine.decision(title, state).step == "track":
                track = state
        state = track
        self.title, self.state = title, state
        self.done = 0
        self.over = False
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(threads)]

    def run(self) -> None:
        seat = engine.decision(self.title, self.state).players[0]
        while not self.over:
            self.state.board.forget()
            for _ in engine.legal(self.title, self.state, seat):
                pass
            self.done += 1


async def ticks(seconds: float) -> list[float]:
    """Milliseconds of each tick."""
    found = []
    read, write = os.pipe()
    last = time.perf_counter() + seconds
    while time.perf_counter() < last:
        began = time.perf_counter() + PAUSE
        await asyncio.sleep(PAUSE)
        for _ in range(WAKES):
            os.write(write, b"x")
            os.read(read, 1)
        found.append((time.perf_counter() - began) * 1000)
    os.close(read)
    os.close(write)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    searching = Searching(args.threads)
    for thread in searching.threads:
        thread.start()
    waits: dict[float, list[float]] = defaultdict(list)
    speeds: dict[float, list[float]] = defaultdict(list)
    for _ in range(args.rounds):
        for interval in (5.0, 1.0, 0.5, 0.1):
            sys.setswitchinterval(interval / 1000)
            before, began = searching.done, time.process_time()
            waits[interval] += asyncio.run(ticks(args.seconds))
            speeds[interval].append((searching.done - before) / (time.process_time() - began))
    searching.over = True
    print(f"{'interval':>10}{'tick p50':>10}{'p99':>8}{'searches':>10}")
    for interval, found in waits.items():
        high = statistics.quantiles(found, n=100)[98]
        print(f"{interval:7.1f} ms{statistics.median(found):10.1f}{high:8.1f}{statistics.mean(speeds[interval]):10.1f}")


if __name__ == "__main__":
    main()
