"""How much memory a bot takes, stage by stage, in a fresh process; megabytes, shared pages counted in part.

    python benchmarks/memory.py                    imports, start, then 1, 10 and 50 games, a turn each
    python benchmarks/memory.py --cache 16         the same with smaller caches

Random players have played the games, of all titles, to about 400 moves. `python benchmarks/load.py idle` measures a
whole bot with a database and a connection.
"""

import argparse
import gc
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

MOVES = 400
NAMES = ("Aiko", "Ben", "Chloe")


def held() -> tuple[float, float]:
    """(proportional set, resident set) in megabytes."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    found = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines[1:]}
    return found["Pss"], found["Rss"]


def told(what: str) -> None:
    from bot.core.work import give_back

    gc.collect()
    before = held()
    give_back()
    after = held()
    print(f"{what:32}{after[0]:8.0f}{after[1]:8.0f}{before[0]:12.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=int, default=48, help="megabytes for pictures")
    parser.add_argument("--games", default="1,10,50")
    args = parser.parse_args()
    logs = _played()  # by other processes, which take the memory with them
    from bot.core.work import keep_small

    keep_small()
    print(f"{'':32}{'PSS':>8}{'RSS':>8}{'untrimmed':>12}")
    import bot.main

    told("imports")
    from renderer.cache import limit_all

    limit_all(args.cache << 20)
    bot.main.warm_up()
    told("started, nothing to do")
    tables: list[Any] = []
    for count in map(int, args.games.split(",")):
        while len(tables) < count:
            tables.append(_table(logs[len(tables) % len(logs)], len(tables)))
        told(f"{count} games, a turn of each")


def _played() -> list[tuple[str, list[str]]]:
    """(title, actions as JSON) of some games, played in a process of its own."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        return list(pool.map(_play, range(12)))


def _play(number: int) -> tuple[str, list[str]]:
    import engine
    from engine.action_json import to_json
    from records.simulate import simulate

    title = sorted(engine.TITLES)[number % len(engine.TITLES)]
    actions, _ = simulate(engine.build(title, len(NAMES)), NAMES, 100 + number)
    return title, [json.dumps(to_json(action)) for action in actions]


def _table(log: tuple[str, list[str]], number: int) -> Any:
    """A game's moves and present position, with the pictures of its turn drawn."""
    import asyncio

    from turns import show

    import engine
    from bot.core.moves import Move, follow
    from bot.core.position import Position
    from bot.core.work import Work
    from engine.action_json import from_json

    name, actions = log
    title = engine.build(name, len(NAMES))
    state = engine.start(title, NAMES)
    moves = []
    for seq, text in enumerate(actions[: min(MOVES, len(actions) - 20 - number // 12)], 1):
        action = from_json(json.loads(text))
        after = engine.apply(title, state, action)
        follow(state, after)
        moves.append(Move(seq, action, None, None, after))
        state = after

    async def shown() -> Position:
        with ThreadPoolExecutor(1) as pool:
            position = Position(title, state, len(moves), dict(state.names), Work(pool))
            if position.up and position.up[0] in state.players:
                await show(position)
            return position

    return moves, asyncio.run(shown())


if __name__ == "__main__":
    main()
