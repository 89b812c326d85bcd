"""What writing and reading games costs, by engine; and against another version of the program, taking turns with it.

    python benchmarks/appends.py                                  a SQLite file
    python benchmarks/appends.py postgresql://...                 PostgreSQL, an empty database
    python benchmarks/appends.py --against FOLDER                 SQLite, this program and the one in FOLDER in turn
    python benchmarks/appends.py --folder /dev/shm                without waiting for a disk

Times are medians in milliseconds; `cpu` is processor time of this process. An append is one move as the bot writes it:
a row, a notice, a position of 1,500 bytes, and the press that made it.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

APPENDS, READS = 450, 300
BODY = '{"do": "LayTile", "by": "p1", "corp": "AR", "hex": "C4", "tile": "57", "rotation": 2}'


async def measured(place: str) -> dict[str, tuple[float, float]]:
    """What was measured -> the median in milliseconds, and processor time in milliseconds each."""
    from storage import Notice, Row, Snapshot, Store

    blob = os.urandom(1500)
    async with Store.open(place) as store:
        game = (await store.create_game(channel_id=1, host_id=1, title="1889")).id
        for user in (1, 2, 3):
            await store.join(game, user, f"P{user}", limit=6)
        await store.start_game(game)

        async def append(seq: int) -> None:
            row = Row("action", BODY, "p1", 10**17, None, 3, "1:0123456789abcdef", "*AR* lays tile 57 on C4.")
            notices, snapshot = [Notice("turn", "{}")], Snapshot(seq + 1, 1, blob)
            await store.append(
                game, seq, [row], expected_version=None, interaction_id=10**18 + seq, notices=notices, snapshot=snapshot
            )

        async def send(_: int) -> None:
            for item in await store.outbox.claim("us", limit=1):
                await store.outbox.done(item, channel_id=1, message_id=item.id)

        await timed(append, 50)
        return {
            "append": await timed(append, APPENDS, 50),
            "claim and done": await timed(send, READS),
            f"log of {APPENDS + 50}": await timed(lambda _: store.log(game), 50),
            "version": await timed(lambda _: store.version(game), READS),
        }


async def timed(work: Callable[[int], Awaitable[object]], times: int, first: int = 0) -> tuple[float, float]:
    """The median and the processor time of each, in milliseconds."""
    took, began = [], time.process_time()
    for number in range(first, first + times):
        start = time.perf_counter()
        await work(number)
        took.append(time.perf_counter() - start)
    return 1000 * statistics.median(took), 1000 * (time.process_time() - began) / times


def in_turn(folder: str | None, programs: list[Path], rounds: int) -> list[list[dict[str, tuple[float, float]]]]:
    """By program: what each round measured in a process of its own."""
    found: list[list[dict[str, tuple[float, float]]]] = [[] for _ in programs]
    for number in range(rounds):
        order = range(len(programs)) if number % 2 else reversed(range(len(programs)))
        for which in order:
            with tempfile.TemporaryDirectory(dir=folder) as place:
                command = [sys.executable, __file__, str(Path(place) / "games.sqlite"), "--json"]
                env = os.environ | {"PYTHONPATH": str(programs[which])}
                done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
                found[which].append(json.loads(done.stdout))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("place", nargs="?")
    parser.add_argument("--against", type=Path)
    parser.add_argument("--folder")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    here = Path(__file__).parents[1]
    if args.place:
        results = asyncio.run(measured(args.place))
        if args.json:
            print(json.dumps(results))
        else:
            print("\n".join(f"{name}: {wall:.3f} ms, cpu {cpu:.3f} ms" for name, (wall, cpu) in results.items()))
        return
    programs = [here, *([args.against.resolve()] if args.against else [])]
    found = in_turn(args.folder, programs, args.rounds)
    for name in found[0][0]:
        walls, cpus = [[statistics.median(one[name][n] for one in each) for each in found] for n in (0, 1)]
        ratio = ""
        if args.against:
            pairs = [[one[name][n] / other[name][n] for one, other in zip(*found, strict=True)] for n in (0, 1)]
            ratio = f"; of the other: {statistics.median(pairs[0]):.3f}, cpu {statistics.median(pairs[1]):.3f}"
        print(f"{name}: {walls[0]:.3f} ms, cpu {cpus[0]:.3f} ms{ratio}")


if __name__ == "__main__":
    main()
