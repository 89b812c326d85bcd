"""What others notice while opponents think: `python benchmarks/thinking.py [SECONDS]`.

Nobody thinks; a strong opponent thinks without pause in the worker threads; one does in a process of its own. Meanwhile
the event loop is asked every millisecond whether it is there, and a worker thread draws another table's turn.
"""

import asyncio
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))


import engine
import renderer
from bot.core.thinking import Thought
from bot.core.work import Work
from bot.rooms.opponents.room import Thinkers
from engine.ids import CHANCE
from engine.state import State
from engine.title import Title
from engine.viewing import board_view, table_view

SECONDS = 20.0


def positions(title: Title, count: int) -> list[State]:
    """Positions of a game of random moves, from its middle."""
    random, state, found = Random(3), engine.start(title, ["Ann", "Ben", "Cho"]), list[State]()
    while not state.over:
        asked = engine.decision(title, state).players
        state = engine.apply(title, state, random.choice(list(engine.legal(title, state, asked[0]))))
        if asked != (CHANCE,):
            found.append(state)
    return found[len(found) // 3 :][:count]


async def think(thinkers: Thinkers, title: Title, states: list[State], spent: list[float]) -> None:
    """Ask one question after another."""
    while True:
        for state in states:
            seat = engine.decision(title, state).players[0]
            if seat != CHANCE:
                started = time.perf_counter()
                await thinkers.choice(Thought(title, state, seat, "strong", 7))
                spent.append(time.perf_counter() - started)


async def others(work: Work, title: Title, state: State, until: float) -> tuple[list[float], list[float]]:
    """How late the loop is, and how long another table's legal moves and picture take, in seconds."""
    late, turns = list[float](), list[float]()

    async def look() -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append(time.perf_counter() - started - 0.001)

    looking = asyncio.create_task(look())
    while time.monotonic() < until:
        started = time.perf_counter()
        await work.do(turn, title, state)
        turns.append(time.perf_counter() - started)
        await asyncio.sleep(0.05)
    looking.cancel()
    return late, turns


def turn(title: Title, state: State) -> None:
    """What a turn's message asks of a worker thread."""
    list(engine.legal(title, state, engine.decision(title, state).players[0]))
    renderer.map_picture(board_view(title, state))
    renderer.table_picture(table_view(title, state))


def line(name: str, values: list[float]) -> str:
    """Median, 99 of 100 and the most, in milliseconds."""
    ordered = sorted(values) or [0.0]
    marks = (ordered[len(ordered) // 2], ordered[int(0.99 * (len(ordered) - 1))], ordered[-1])
    return f"{name}: " + ", ".join(f"{1000 * value:.1f}" for value in marks) + f" ms of {len(values)}"


def memory(process: int) -> int:
    """The most memory that a process has held, in megabytes; 0 where the system does not say."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024


async def main(seconds: float) -> None:
    title = engine.build("1889", 3)
    states = positions(title, 60)
    for name, count in (("nobody thinks", -1), ("worker threads", 0), ("a process", 1)):
        work = Work(ThreadPoolExecutor(2))
        thinkers, spent = Thinkers(max(count, 0), work), list[float]()
        thinking = [asyncio.create_task(think(thinkers, title, states, spent))] if count >= 0 else []
        await asyncio.sleep(2)
        late, turns = await others(work, title, states[0], time.monotonic() + seconds)
        for task in thinking:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        size = "".join(f", {memory(one)} MB" for one in thinkers.pool.processes())
        thinkers.close()
        print(
            f"{name}\n  {line('loop late', late)}\n  {line('another turn', turns)}\n  {line('thoughts', spent)}{size}"
        )


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS))
