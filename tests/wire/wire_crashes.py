"""Crash the bot at many points, and check after every restart that nothing was lost or doubled.

python tests/wire/wire_crashes.py 1000                                 a game of 1889 from its beginning
python tests/wire/wire_crashes.py 500 --title 1860 --seed 7 --long 300 --talk 150
    games of 1860 that had 300 moves before, in a channel where people post up to 150 messages before a restart
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from wire_checker import Checker, Wrong, sound
from wire_forks import Fork, forks
from wire_people import NoAnswer, until
from wire_play import Party, party
from wire_process import BotEnded, Database, rows, settled
from wire_server import Server

from storage.sqlite.migrate import migrations

PLAYERS = 3
KINDS = {"": (110, 120), "http": (12, 24), "COMMIT": (6, 16), "drawing": (12, 12)}
"""Kinds of points, and about how many of them there are in a start and in some turns."""
TURNS = 3


class ForkServer:
    """Starts bots that crash where they are told to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.forks = forks()
        self._started: list[Fork] = []

    async def __aenter__(self) -> ForkServer:
        return self

    async def __aexit__(self, *_: object) -> None:
        for fork in self._started:
            fork.send_signal(signal.SIGKILL)
            await fork.wait()

    async def start(
        self, server: Server, database: Database, crash: str = "", *, pixels: bool = True, log: str = "bot", **more: str
    ) -> ForkedBot:
        """Start a bot that crashes at the point `crash`, if any is named; see `wire_crash_points.py`."""
        env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        env |= server.environment(database)
        env |= {"WIRE_CRASH": crash, "WIRE_CRASHED": str(self.folder / "crash"), "WIRE_PIXELS": "1" if pixels else "0"}
        env |= more
        (self.folder / "crash").unlink(missing_ok=True)
        before = server.identified
        fork = await self.forks.start(env, self.folder / f"{log}.log")
        self._started.append(fork)
        return ForkedBot(server, before, fork, self.folder / "crash")


class ForkedBot:
    """One such bot, running or ended."""

    def __init__(self, server: Server, before: int, fork: Fork, note: Path) -> None:
        """`before`: how many sessions had been begun when it was started."""
        self.server, self.before = server, before
        self.fork, self.pid = fork, fork.pid
        self.note = note
        """Where the point is written at which it crashed."""

    @property
    def ended(self) -> bool:
        return self.fork.returncode is not None

    async def connected(self) -> None:
        """Wait until it listens, or has ended; one that was killed before may seem to listen for a moment."""
        await until(self.server, lambda: self.ended or self.server.identified > self.before, what="a connection")

    def arm(self) -> None:
        self.fork.send_signal(signal.SIGUSR1)

    async def end(self) -> str:
        """Kill it if it still runs. Returns the point where it crashed, or that it never reached its point."""
        self.fork.send_signal(signal.SIGKILL)
        await self.fork.wait()
        return self.note.read_text() if self.note.exists() else "never reached its point; killed at rest"


class CrashRun:
    """One table, whose bot crashes again and again."""

    def __init__(self, folder: Path, seed: int, title: str = "1889", *, long: int = 0, talk: int = 0) -> None:
        """`long`: moves of a game before the first crash. `talk`: most messages of people between crash and restart."""
        self.folder, self.title, self.long, self.talk = folder, title, long, talk
        self.chance = random.Random(seed)
        self.crashed_at: Counter[str] = Counter()
        self.games = 0
        self.rows = 0

    async def run(self, points: int) -> None:
        """Crash `points` times. Raises Wrong, or NoAnswer if the bot does not come back."""
        async with Server() as server, ForkServer(self.folder) as forks:
            self.server, self.forks = server, forks
            await self._begin()
            for number in range(points):
                kind = self.chance.random()
                if kind < 0.05:
                    point = await self._crash_migrating(number)
                elif kind < 0.25:
                    point = await self._crash_starting()
                else:
                    point = await self._crash_playing()
                self.crashed_at[point] += 1
                if self.party.over():
                    await self._begin()
            bot = await forks.start(server, self.database)
            await self._quiet(bot)
            await self._goes_on(bot)
            await bot.end()
            self.rows += len(self.checker.moves)
            await sound(self.database)

    @property
    def database(self) -> Path:
        return self.folder / "games.sqlite3"

    async def _begin(self) -> None:
        """Begin a new game, with a bot that does not crash."""
        if self.games:
            self.rows += len(self.checker.moves)
        self.games += 1
        bot = await self.forks.start(self.server, self.database)
        await bot.connected()
        self.party: Party = await party(self.server, self.database, PLAYERS, f"rails{self.games}")
        self.party.chance = self.chance
        self.party.twice = 0.1
        await self.party.begin(self.title)
        self.checker: Checker = Checker(self.party, self.title, PLAYERS)
        while self.party.seq() < self.long and not self.party.over():
            with suppress(NoAnswer):
                await self.party.turn()
            await settled(self.server, self.database)
        self.checker.check()
        await bot.end()
        if self.party.over():  # before it was long enough
            await self._begin()

    async def _quiet(self, bot: ForkedBot) -> None:
        """Wait until the bot is up and has sent everything, then check the game."""
        await bot.connected()
        with suppress(BotEnded):
            await settled(self.server, self.database, given_up=lambda: bot.ended)
            self.checker.check()
            if not self.party.over():
                self.checker.newest_shows_the_position()

    async def _goes_on(self, bot: ForkedBot) -> None:
        """The game is played on as if nothing had been."""
        before = self.party.seq()
        while self.party.seq() == before and not self.party.over():
            await self.party.turn()
            await self._quiet(bot)

    def _order(self, mode: str, kind: str | None = None) -> str:
        """A random crash point, of a random kind unless given. Half of the time Discord forgets all nonces."""
        self.server.world.nonce_seconds = self.chance.choice((0.0, 300.0))
        chosen = self.chance.choice(list(KINDS)) if kind is None else kind
        most = KINDS[chosen][mode == "signal"]
        return f"{mode}:{chosen}:{self.chance.randint(1, most)}"

    async def _crash_starting(self) -> str:
        """Crash during a start; half of the time with messages left to send."""
        if self.chance.random() < 0.5:
            await self._crash_playing(leave=True)
        bot = await self.forks.start(self.server, self.database, self._order("start"))
        with suppress(NoAnswer):
            await until(self.server, lambda: bot.ended, 1.0, "its crash")
        return f"starting: {await bot.end()}"

    async def _crash_migrating(self, number: int) -> str:
        """Crash while a new database is made; the next start finishes it."""
        path = self.folder / f"fresh{number}.sqlite3"
        bot = await self.forks.start(self.server, path, self._order("start", ""))
        with suppress(NoAnswer):
            await until(self.server, lambda: bot.ended, 1.0, "its crash")
        point = await bot.end()
        bot = await self.forks.start(self.server, path)
        await bot.connected()
        await bot.end()
        await sound(path)
        if rows(path, "PRAGMA user_version")[0][0] != len(migrations()):
            raise Wrong("the database was not brought to the present version")
        return f"new database: {point}"

    async def _crash_playing(self, *, leave: bool = False) -> str:
        """Crash during some turns. Unless `leave`, another bot then sends what was left to send."""
        pixels = self.chance.random() < 0.9
        bot = await self.forks.start(self.server, self.database, self._order("signal"), pixels=pixels)
        await self._quiet(bot)
        bot.arm()
        for _ in range(TURNS):
            await or_crash(bot, self._turn())
            if bot.ended or self.party.over():
                break
            await self._quiet(bot)
        point = f"playing: {await bot.end()}"
        for _ in range(self.chance.randint(0, self.talk)):
            self.server.world.said(self.party.channel, self.chance.choice(self.party.people).account)
        if not leave:
            again = await self.forks.start(self.server, self.database)
            await self._quiet(again)
            await again.end()
        return point

    async def _turn(self) -> None:
        with suppress(NoAnswer):
            await self.party.turn()


async def or_crash(bot: ForkedBot, acting: Coroutine[Any, Any, None]) -> None:
    """Do it, or what is done of it by the time at which the bot has crashed."""
    doing, crash = asyncio.create_task(acting), asyncio.create_task(bot.fork.wait())
    await asyncio.wait({doing, crash}, return_when=asyncio.FIRST_COMPLETED)
    crash.cancel()
    if not doing.done():
        doing.cancel()
        await asyncio.wait({doing})
    elif doing.exception():
        raise doing.exception()  # type: ignore[misc]


def kinds(crashed_at: Counter[str]) -> Counter[str]:
    """The crash points by kind, for people to read."""
    grouped: Counter[str] = Counter()
    for point, times in crashed_at.items():
        phase, _, name = point.partition(": ")
        grouped[f"{phase}: {' '.join(name.split()[:2])}"] += times
    return grouped


async def main(points: int, run: CrashRun) -> None:
    began = time.monotonic()
    try:
        await run.run(points)
    except BaseException:
        print((run.folder / "bot.log").read_text()[-4000:])
        print(f"after {sum(run.crashed_at.values())} crashes")
        raise
    finally:
        for name, times in sorted(kinds(run.crashed_at).items()):
            print(f"{times:5} {name}")
    took = f"{time.monotonic() - began:.0f} s; {run.games} games, {run.rows} rows"
    print(f"{run.title}: {points} crashes at {len(run.crashed_at)} points in {took}; nothing lost, nothing twice")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("points", type=int)
    parser.add_argument("--title", default="1889")
    parser.add_argument("--seed", type=int, default=1889)
    parser.add_argument("--long", type=int, default=0)
    parser.add_argument("--talk", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tetsudo-crashes-") as folder:
        crash_run = CrashRun(Path(folder), given.seed, given.title, long=given.long, talk=given.talk)
        asyncio.run(main(given.points, crash_run))
