"""What boards to try out on take: memory and time of lines of sixty moves, in long games of each title.

    python benchmarks/trying.py            ten lines of each title, from about move 300 of a random game
    python benchmarks/trying.py --draw     the same with the board shown, pictures and all, after each move

"kept" is what a line takes in memory once it is laid out, with all that was asked about its last position; "stored" its
row of the database. A "move" is a press on the board until the line is stored and laid out, the first look at a line
after a restart is "opened". "loop" is the longest time for which the event loop was held up meanwhile.
"""

import argparse
import asyncio
import gc
import json
import sys
import tempfile
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import engine
from bot.core.errors import TableError
from bot.core.tables import Tables
from bot.core.work import Work
from bot.rooms.trying.lines import TryOut, TryOuts
from bot.rooms.trying.screen import board_screen
from engine.action_json import to_json
from engine.stored import fingerprint
from records.simulate import choose, simulate
from storage import Row, Store

MOVES, LINES, AHEAD = 300, 10, 55
NAMES = ("Aiko", "Ben", "Chloe")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true", help="show the board after each move")
    args = parser.parse_args()
    print(f"{'':6}{'kept':>10}{'stored':>10}{'move':>8}{'longest':>9}{'opened':>8}{'loop':>8}")
    for title in sorted(engine.TITLES):
        asyncio.run(_title(title, args.draw))


async def _title(title: str, draw: bool) -> None:
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool, ThreadPoolExecutor(1) as aside:
        async with Store.open(Path(folder) / "games.sqlite3") as store:
            tables = Tables(store, Work(pool))
            table = await tables.get(await _game(store, title))
            trying, random = TryOuts(tables, Work(aside)), Random(1)
            tracemalloc.start()
            await _line(trying, table, 100, 3, random, draw, [])  # what is made once for all lines
            before = _held()
            lines = [await _line(trying, table, user, AHEAD, random, draw, []) for user in range(1, LINES + 1)]
            kept = (_held() - before) / LINES
            tracemalloc.stop()
            stored = max(len(one.branch.body) for one in lines)
            gap, times = [0.0], list[float]()
            ticking = asyncio.create_task(_tick(gap))
            for user in range(11, 11 + LINES):
                await _line(trying, table, user, AHEAD, random, draw, times)
            anew, opened = TryOuts(tables, Work(aside)), list[float]()
            for one in lines:
                start = time.perf_counter()
                table.seats["p1"] = replace(table.seats["p1"], user_id=one.branch.user_id)
                await anew.get(table.id, one.branch.id, one.branch.user_id)
                opened.append(time.perf_counter() - start)
            ticking.cancel()
            figures = (kept / 1e6, stored / 1e3, median(times) * 1e3, max(times) * 1e3, max(opened) * 1e3, gap[0] * 1e3)
            print(
                "{:6}{:7.3f} MB{:7.1f} KB{:5.0f} ms{:6.0f} ms{:5.0f} ms{:5.0f} ms".format(title, *figures), flush=True
            )


async def _line(
    trying: TryOuts, table: Any, user: int, count: int, random: Random, draw: bool, times: list[float]
) -> TryOut:
    """A line of random moves, by somebody who has the first seat for it."""
    table.seats["p1"] = replace(table.seats["p1"], user_id=user)
    one = await trying.begin(table, user)
    while len(one.ahead) < count and not one.position.over:
        action = choose(one.title, one.position.state, random)
        start = time.perf_counter()
        with suppress(TableError):
            one = await trying.move(one, [action])
        if draw:
            await board_screen(one)
        times.append(time.perf_counter() - start)
    return one


async def _game(store: Store, title: str) -> str:
    built = engine.build(title, len(NAMES))
    actions, _ = simulate(built, NAMES, 7)
    game = await store.create_game(channel_id=1, host_id=1, title=title)
    for number, name in enumerate(NAMES, start=1):
        await store.join(game.id, number, name, limit=len(NAMES))
    await store.start_game(game.id)
    state, rows = engine.start(built, NAMES), []
    for action in actions[: min(MOVES, len(actions) - 100)]:
        state = engine.apply(built, state, action)
        rows.append(Row("action", json.dumps(to_json(action)), position=fingerprint(state), rules=built.revision))
    await store.append(game.id, 0, rows)
    return game.id


def _held() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


async def _tick(gap: list[float]) -> None:
    last = time.perf_counter()
    while True:
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        gap[0], last = max(gap[0], now - last - 0.001), now


if __name__ == "__main__":
    main()
