"""How long a picture of the history takes: `python benchmarks/look_back.py FILE...` with recorded games.

Each game is stored; then its table is read anew and pictures of moves in its middle are made, by a bot that has drawn
such tiles before. Prints milliseconds of one core: reading the table, and the screen with each kind of picture; and the
median and worst of reading and one screen together. A game of 1890: `tetsudo simulate 1890 --policy ... --out FILE`.
"""

import asyncio
import gc
import json
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import engine
from bot.core.log import rows_of
from bot.core.moves import Move
from bot.core.position import Position
from bot.core.tables import Tables
from bot.core.work import Work
from bot.main import COLLECTED_AFTER
from bot.rooms.past.history import VIEWS, Bookmark, browser_screen
from records.files import Replay, parse, play
from storage import Store

TIMES = 9


async def stored(store: Store, played: Replay, channel: int) -> str:
    """The game in the store, as if it had been played there."""
    title = played.title
    game = await store.create_game(
        channel_id=channel, host_id=1, title=title.id, options=json.dumps(sorted(title.options))
    )
    for number, name in enumerate(played.names):
        await store.join(game.id, number + 1, name, limit=6)
    await store.start_game(game.id)
    state, moves = engine.start(title, played.names), []
    for seq, action in enumerate(played.actions, start=1):
        state = engine.apply(title, state, action)
        moves.append(Move(seq, action, 1, None, state))
    names = Position(title, state, 0, dict(state.names), Work(ThreadPoolExecutor(1))).lexicon()
    await store.append(game.id, 0, rows_of(title, moves, names))
    return game.id


async def looked_at(store: Store, pool: ThreadPoolExecutor, game: str, spent: dict[str, list[float]]) -> None:
    """Read the table, look at one more of its moves in each way, and note the seconds."""
    turn = len(spent.get("read", ()))
    begun = time.process_time()
    table = await Tables(store, Work(pool)).get(game)
    spent.setdefault("read", []).append(time.process_time() - begun)
    middle = Bookmark(table.seq_of(len(table.moves) // 2 + turn * 7))
    for view in VIEWS:
        begun = time.process_time()
        await browser_screen(table, replace(middle, view=view), None)
        spent.setdefault(view, []).append(time.process_time() - begun)


async def main(games: list[tuple[str, Replay]]) -> None:
    gc.set_threshold(COLLECTED_AFTER)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        async with Store.open(Path(folder) / "games.sqlite3") as store:
            for channel, (path, played) in enumerate(games):
                game = await stored(store, played, channel)
                await looked_at(store, pool, game, {})
                spent: dict[str, list[float]] = {}
                for _ in range(TIMES):
                    await looked_at(store, pool, game, spent)
                cold = [read + max(spent[view][turn] for view in VIEWS) for turn, read in enumerate(spent["read"])]
                told = ", ".join(f"{name} {1000 * statistics.median(one):.0f}" for name, one in spent.items())
                print(f"{path}: {len(played.actions)} moves, ms: {told}")
                print(f"  from cold: median {1000 * statistics.median(cold):.0f}, worst {1000 * max(cold):.0f}")


if __name__ == "__main__":
    asyncio.run(main([(path, play(parse(Path(path).read_bytes()), as_recorded=True)) for path in sys.argv[1:]]))
