"""How long the bot's event loop is held up at most, while people ask for long things in a long game.

    python benchmarks/loop_gap.py                    a whole game, and one undone and redone up to 20,000 rows
    python benchmarks/loop_gap.py --where 50         also what the loop was doing wherever it was held for 50 ms

The bot and the simulated Discord share one process and one loop: the figures are of both, and of a machine that may
have other things to do. Nothing is subtracted.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import logging
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import positions
import simcord

import engine
from bot.house import House
from bot.logs import start_logs
from bot.main import warm_up
from bot.settings import Settings
from engine.steps.run import bests_of
from engine.stored import fingerprint
from records.export_18xx import export
from records.files import LARGEST
from records.json_18xx import MOST
from records.simulate import simulate
from storage import Row, Store

BOARDS = Path(__file__).parent / "boards"
NAMES = ("Aiko", "Ben", "Chloe")
FULL = 0.95
"""How much of the largest record that can be imported is used."""
SETTLE_SECONDS = 300.0
IDLE = ("_worker", "_connection_worker_thread")
"""Functions in which threads wait for work."""
TICK = 0.001
"""Seconds between two looks at the clock."""


@dataclass
class Gaps:
    """The longest time between two turns of the loop since `begin`."""

    where: float
    """Seconds after which another thread notes what the loop is doing."""
    longest: float = 0.0
    last: float = field(default_factory=time.perf_counter)
    collection: float = 0.0
    """The longest garbage collection, during which no thread goes on."""
    collecting: float = 0.0
    seen: list[str] = field(default_factory=list)

    def begin(self) -> None:
        self.longest, self.collection, self.last = 0.0, 0.0, time.perf_counter()
        self.seen.clear()

    async def tick(self) -> None:
        while True:
            now = time.perf_counter()
            self.longest, self.last = max(self.longest, now - self.last), now
            await asyncio.sleep(TICK)

    def collect(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self.collecting = time.perf_counter()
        else:
            self.collection = max(self.collection, time.perf_counter() - self.collecting)

    def watch(self) -> None:
        """Note what each thread is doing, once for each time that the loop is held up."""
        noted = 0.0
        while True:
            time.sleep(self.where / 2)
            if time.perf_counter() - self.last > self.where and self.last != noted:
                noted = self.last
                self.seen += [calls for calls in map(_calls, sys._current_frames().values()) if calls]


def _calls(frame: FrameType) -> str:
    """The innermost calls of a thread; nothing if it waits for work."""
    calls = traceback.extract_stack(frame)[-6:]
    if (
        Path(calls[-1].filename).name in ("selectors.py", "threading.py", "queue.py", "loop_gap.py")
        or calls[-1].name in IDLE
    ):
        return ""
    return " < ".join(f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in reversed(calls))


@contextlib.asynccontextmanager
async def gaps(where: float) -> AsyncIterator[Gaps]:
    found = Gaps(where / 1000)
    task = asyncio.create_task(found.tick())
    gc.callbacks.append(found.collect)
    if where:
        threading.Thread(target=found.watch, daemon=True).start()
    try:
        yield found
    finally:
        gc.callbacks.remove(found.collect)
        task.cancel()


class Hall:
    """A simulated server with the bot and three people."""

    def __init__(self, env: Any, gaps: Gaps) -> None:
        self.env = env
        self.gaps = gaps
        self.guild = env.create_guild("Hall")
        self.people = [self.guild.add_member(env.create_user(name.lower(), global_name=name)) for name in NAMES]

    @property
    def bot(self) -> House:
        bot: House = self.env.bot
        return bot

    async def measured(self, name: str, work: Callable[[], Awaitable[Any]]) -> Any:
        """Do it, and print how long it took and the longest gap meanwhile."""
        await self.env.settle()
        self.gaps.begin()
        began = time.perf_counter()
        done = await work()
        took = time.perf_counter() - began
        await asyncio.sleep(5 * TICK)  # so that a gap at the end counts too
        gap, collection = 1000 * self.gaps.longest, 1000 * self.gaps.collection
        print(f"  {name:32} longest gap {gap:4.0f} ms, garbage collection {collection:4.0f} ms, in all {took:5.2f} s")
        for calls in self.gaps.seen:
            print(f"      {calls}")
        return done

    async def brought(self, name: str, record: bytes) -> Any:
        """A channel with a game imported from the record, which everybody has accepted."""
        channel = self.guild.create_text_channel(name)
        players = " ".join(f"<@{one.id}>" for one in self.people)
        await self.measured(
            f"import of {len(record):,} bytes",
            lambda: self.people[0].slash(channel, "game import", file=("game.json", record), players=players),
        )
        for person in self.people[1:]:
            await person.slash(channel, "game join")
        return channel


def records(title: str, seed: int) -> tuple[bytes, bytes]:
    """Nearly a whole game as 18xx.games keeps it; and the same with as much undone and said as can be imported."""
    built = engine.build(title, len(NAMES), ["online"])
    plain = export(built, NAMES, simulate(built, NAMES, seed)[0][:-1])
    recorded = list(plain["actions"])
    number = recorded[-1]["id"]
    while len(recorded) < FULL * MOST:
        for kind in ("undo", "redo"):
            number += 1
            recorded.append({"type": kind, "entity": recorded[0]["entity"], "id": number, "created_at": 0})
    size = len(json.dumps({**plain, "actions": recorded}))
    said = {"type": "message", "entity": recorded[0]["entity"], "id": 0, "created_at": 0, "message": "hm " * 30}
    recorded += [said] * int((FULL * LARGEST - size) / (len(json.dumps(said)) + 2))
    return json.dumps(plain).encode(), json.dumps({**plain, "actions": recorded}).encode()


async def lengthened(hall: Hall, channel: Any, rows: int) -> None:
    """Undo and redo the last move behind the bot's back, until the log has so many rows."""
    table = await hall.bot.tables.in_channel(channel.id)
    title, moves, seq = table.title, table.moves, table.position.seq
    before, now = fingerprint(moves[-2].state), fingerprint(moves[-1].state)
    undo = Row("undo", json.dumps({"to": moves[-2].seq}), rules=title.revision, position=before)
    redo = Row("redo", "{}", rules=title.revision, position=now)
    more = [undo, redo] * ((rows - seq) // 2)
    if more:
        await hall.bot.store.append(table.game.id, seq, more)


async def ask(hall: Hall, channel: Any, game: str) -> None:
    """Everything long that people ask of one game."""
    person = hall.people[0]

    async def undo() -> None:
        asked = await person.slash(channel, "game undo")
        await person.click((asked.followups or [asked.response])[-1], label="Undo it")

    hall.bot.tables.forget(game)  # as after a restart
    await hall.measured("first answer after a restart", lambda: person.slash(channel, "game status"))
    await hall.measured("/game history", lambda: person.slash(channel, "game history"))
    await hall.measured("/game history page:3", lambda: person.slash(channel, "game history", page=3))
    await hall.measured("/game export", lambda: person.slash(channel, "game export"))
    await hall.measured("/game undo", undo)
    await hall.measured("/game redo", lambda: person.slash(channel, "game redo"))
    await undo()
    hall.bot.tables.forget(game)  # as after a restart
    await hall.measured("redo after a restart", lambda: person.slash(channel, "game redo"))


def search() -> None:
    """The best routes of the largest boards, for each set of trains."""
    for board in sorted(BOARDS.glob("1890-*.json")):
        body = positions.read(board)
        for ranks in body["sets"]:
            asked = positions.ask(body, ranks)
            bests_of(asked.title, asked.state, asked.corp)


async def redaction() -> None:
    logging.getLogger("tetsudo").error("%s", "aA1_." * 200_000)
    logging.getLogger("tetsudo").error("so", extra={"body": "aA1_." * 200_000})


async def measure(args: argparse.Namespace, folder: Path) -> None:
    short, big = await asyncio.to_thread(records, args.title, args.seed)
    database = folder / "games.sqlite3"
    async with Store.open(database) as store, gaps(args.where) as found:
        bot = House(store, Settings(database=database))
        async with simcord.run(bot, check_errors=False, settle_timeout=SETTLE_SECONDS) as env:
            hall = Hall(env, found)
            await asyncio.to_thread(warm_up)
            await hall.measured("nothing, for comparison", lambda: asyncio.sleep(1))
            await hall.measured("two lines of 1 MB in the log", redaction)
            await hall.measured("search for the best routes", lambda: hall.bot.work.search(search))
            for rows in args.rows:
                channel = await hall.brought(f"rails{rows}", short if rows == args.rows[0] else big)
                await lengthened(hall, channel, rows)
                game = await store.game_in_channel(channel.id)
                assert game is not None
                print(f"{args.title}, {game.seq:,} rows")
                await ask(hall, channel, game.id)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 20_000], help="least rows of each game")
    parser.add_argument("--title", default="1889", choices=sorted(engine.TITLES))
    parser.add_argument("--seed", type=int, default=1889)
    parser.add_argument("--where", type=float, default=0.0, metavar="MS", help="say where the loop was held so long")
    args = parser.parse_args()
    start_logs(logging.CRITICAL)
    logging.getLogger("tetsudo").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="tetsudo-loop-") as folder, open("/dev/null", "w") as nowhere:
        for handler in logging.getLogger().handlers:
            assert isinstance(handler, logging.StreamHandler)
            handler.setStream(nowhere)
        asyncio.run(measure(args, Path(folder)))


if __name__ == "__main__":
    main()
