"""Several processes share the shards on PostgreSQL, die in every way, and people play on all the time.

python tests/wire/wire_deaths.py 1000                     deaths
python tests/wire/wire_deaths.py 20 --kinds kill,stop15   of some kinds alone
python tests/wire/wire_deaths.py 200 --haste 2            with the times of leases half of what they are

A process is killed (kill -9), stopped for 3, 15 or 40 seconds and goes on (SIGSTOP, SIGCONT), loses its connections to
the database for a moment or for longer than a lease holds, or is told to end and started again; or PostgreSQL itself is
started again, or crashes. After each of these all must come to rest, with everything stored once and said once. How
long it took until others served the shards, and how many sessions were begun and resumed, is printed by kind.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import AsyncExitStack, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from postgres_server import PostgresServer
from proxy import Proxy
from wire_checker import Checker, Wrong, ids_of, sound
from wire_crashes import ForkedBot, ForkServer
from wire_people import NoAnswer, until
from wire_play import Party, party
from wire_process import rows, settled
from wire_server import Server
from wire_shards import Shard

from storage import Store

PROCESSES, SHARDS, TABLES, PLAYERS = 3, 6, 4, 3
KINDS = {"kill": 6, "stop3": 2, "stop15": 3, "stop40": 1, "restart": 1, "crash": 1, "cut": 3, "cut15": 2, "end": 2}
"""What may happen, and how often in comparison."""
PARTS = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}
CALM = 120.0
"""Seconds within which everything comes to rest afterwards, however slow the machine."""


class Member:
    """One process: where it is, and how it reaches the database."""

    def __init__(self, number: int, proxy: Proxy) -> None:
        self.number, self.proxy = number, proxy
        self.bot: ForkedBot | None = None


class DeathRun:
    """Processes, tables, and what happens to them."""

    def __init__(self, folder: Path, seed: int, haste: float = 1.0, kinds: tuple[str, ...] = ()) -> None:
        self.folder, self.haste = folder, haste
        self.kinds = {name: often for name, often in KINDS.items() if name in (kinds or KINDS)}
        self.chance = random.Random(seed)
        self.happened: Counter[str] = Counter()
        self.took: dict[str, list[float]] = defaultdict(list)
        """Seconds, by kind, until others served all the shards of a process that something happened to."""
        self.sessions: dict[str, Counter[str]] = defaultdict(Counter)
        """How many sessions were begun and resumed, by kind."""
        self.games = self.rows = 0
        self.playing = asyncio.Event()

    async def run(self, deaths: int) -> None:
        """Let so many things happen. Raises Wrong, or NoAnswer if the bot does not come back."""
        async with AsyncExitStack() as stack:
            self.postgres = PostgresServer()
            stack.callback(self.postgres.remove)
            self.address = self.postgres.new_database()
            async with Store.open(self.address):
                pass
            self.server = await stack.enter_async_context(Server())
            world = self.server.world
            world.recommended, world.starts.concurrency, world.starts.total = SHARDS, 16, 10**9
            world.starts.seconds = 3.0 / self.haste  # a process of a crowded machine may be late
            self.forks = await stack.enter_async_context(ForkServer(self.folder))
            self.members = [
                Member(number, await stack.enter_async_context(Proxy(self.postgres.port)))
                for number in range(PROCESSES)
            ]
            for member in self.members:
                await self._start(member)
            await until(self.server, lambda: self._shared_out() and bool(world.commands), CALM, "all shards")
            await self._play(deaths)
            await sound(self.address)
            if world.starts.too_early or world.reset or world.invalid:
                raise Wrong(f"{world.starts.too_early} sessions too early; {world.invalid}")

    async def _play(self, deaths: int) -> None:
        self.tables: list[tuple[Party, Checker]] = []
        for number in range(TABLES):
            self.tables.append(await self._table((number * SHARDS // TABLES, SHARDS)))
        players = [asyncio.create_task(self._players(number)) for number in range(TABLES)]
        try:
            for _ in range(deaths):
                await self._death(players)
        except BaseException:
            for row in rows(self.address, "SELECT * FROM outbox WHERE done_at IS NULL"):
                print("waits:", row)
            for row in rows(self.address, "SELECT * FROM shards LEFT JOIN processes ON processes.id = process"):
                print("shard:", row)
            print("listening:", self.server.listening())
            for table, _ in self.tables:
                print(f"table {table.game} at {table.seq()}, channel {table.channel.id}")
                for message in list(table.channel.messages.values())[-4:]:
                    shown = [[one.split(":")[2] for one in ids_of(parts)[:1]] for parts, _ in message.versions]
                    print(f"  {message.id} made {message.made:.2f} edited {message.edited}: {shown}")
                for row in rows(self.address, "SELECT * FROM messages WHERE game = ? ORDER BY seq", table.game)[-6:]:
                    print("  known:", row)
                for row in rows(self.address, "SELECT * FROM outbox WHERE game = ? ORDER BY id", table.game)[-8:]:
                    print("  notice:", row)
                for asked in [one for one in self.server.world.requests if str(table.channel.id) in one[2]][-8:]:
                    print("  ", asked)
            raise
        finally:
            under_way = set(players)
            while under_way:  # whoever was just given up waiting for misses that they were cancelled
                for task in under_way:
                    task.cancel()
                _, under_way = await asyncio.wait(under_way, timeout=1.0)
        self.rows += sum(len(checker.moves) for _, checker in self.tables)

    async def _table(self, shard: Shard) -> tuple[Party, Checker]:
        self.games += 1
        table = await party(self.server, self.address, PLAYERS, f"rails{self.games}", shard)
        table.chance, table.twice = self.chance, 0.1
        self.server.world.ack_seconds, usual = CALM, self.server.world.ack_seconds  # nothing happens to anybody now
        await table.begin("1889")
        self.server.world.ack_seconds = usual
        return table, Checker(table, "1889", PLAYERS)

    async def _players(self, number: int) -> None:
        """People at one table, who press on whatever happens."""
        while True:
            await self.playing.wait()
            table = self.tables[number][0]
            with suppress(NoAnswer):
                if not table.ended():
                    await table.turn(3.0)
            await asyncio.sleep(self.chance.random() * 0.3)

    async def _death(self, players: list[asyncio.Task[None]]) -> None:
        """Something happens while people play; then all comes to rest and is checked."""
        self.playing.set()
        await asyncio.sleep(self.chance.random() * 2.0)
        kind = self.chance.choices(list(self.kinds), list(self.kinds.values()))[0]
        self.happened[kind] += 1
        before = self.server.identified, self.server.resumed
        await self._happen(kind)
        await until(self.server, self._all_served, CALM, "all shards")
        self.sessions[kind] += Counter(
            begun=self.server.identified - before[0], resumed=self.server.resumed - before[1]
        )
        await asyncio.sleep(self.chance.random())
        self.playing.clear()
        for task in players:
            if task.done():
                task.result()
        for member in self.members:
            if member.bot is None or member.bot.ended:
                await self._start(member)
        for patience in (2.0, 2.0, 0.0):
            await self._rest()
            try:
                await self._check()
                break
            except Wrong:  # a press came through only now, or old buttons are just being removed
                if not patience:
                    raise
                await asyncio.sleep(patience)
        self._forget_sessions()

    async def _check(self) -> None:
        """Look through all tables; a new game begins where one is over. Raises Wrong."""
        for number, (table, checker) in enumerate(self.tables):
            checker.check()
            if not table.over():
                checker.newest_shows_the_position()
                continue
            self.rows += len(checker.moves)
            self.tables[number] = await self._table((number * SHARDS // TABLES, SHARDS))

    async def _rest(self) -> None:
        """Wait until all is said: every lease is held, nobody presses, nothing waits."""
        await asyncio.sleep(0.3)
        await until(self.server, self._all_served, CALM, "all shards")
        await settled(self.server, self.address, CALM)

    async def _happen(self, kind: str) -> None:
        # One that could not start, since the database did not answer in time, is started again as any other.
        member = self.chance.choice([one for one in self.members if one.bot is not None and not one.bot.ended])
        assert member.bot is not None
        number = rows(self.address, "SELECT id FROM processes WHERE name LIKE ?", f"% {member.bot.pid}")
        taken = asyncio.create_task(self._until_taken(kind, number[0][0])) if number else None
        if kind == "kill":
            await member.bot.end()
        elif kind == "end":
            os.kill(member.bot.pid, signal.SIGTERM)
            await asyncio.wait_for(member.bot.fork.wait(), CALM)
        elif kind.startswith("stop"):
            os.kill(member.bot.pid, signal.SIGSTOP)
            await asyncio.sleep(float(kind[4:]) / self.haste)
            os.kill(member.bot.pid, signal.SIGCONT)
        elif kind.startswith("cut"):
            member.proxy.refuses = True
            member.proxy.cut_all()
            await asyncio.sleep(float(kind[3:] or 0) / self.haste)
            member.proxy.refuses = False
        else:
            how = signal.SIGINT if kind == "restart" else signal.SIGQUIT
            await asyncio.to_thread(self.postgres.stop, how)
            await asyncio.to_thread(self.postgres.start)
        if taken is not None:
            if kind in ("kill", "end"):
                await taken
            taken.cancel()

    async def _until_taken(self, kind: str, number: int) -> None:
        """Note how long it takes until none of the shards is this process's, and all are served."""
        began = time.monotonic()
        sockets = {key: one.socket for key, one in self.server.sessions.items()}

        def held() -> int:
            return int(rows(self.address, "SELECT count(*) FROM shards WHERE process = ?", number)[0][0])

        had = held()  # none if it has just come

        def taken() -> bool:
            alive = [key for key, one in self.server.sessions.items() if one.socket is not None]
            moved = any(self.server.sessions[key].socket is not sockets.get(key) for key in alive)
            return (moved or not had) and not held() and self._all_served()

        await until(self.server, taken, CALM, "its shards to be taken")
        self.took[kind].append((time.monotonic() - began) * self.haste)

    async def _start(self, member: Member) -> None:
        address = self.address.replace(f":{self.postgres.port}/", f":{member.proxy.port}/")
        member.bot = await self.forks.start(
            self.server, address, log=f"bot{member.number}", WIRE_HASTE=str(self.haste), TETSUDO_SHARDS="auto"
        )

    def _all_served(self) -> bool:
        """Whether every shard is somebody's in the database, and its session open."""
        held = rows(self.address, "SELECT count(*) FROM shards JOIN processes ON processes.id = process"
                                  " WHERE until > clock_timestamp()")[0][0]  # fmt: skip
        return held == SHARDS and {number for number, _ in self.server.listening()} == set(range(SHARDS))

    def _shared_out(self) -> bool:
        """Whether all are served, and each process has its fair share."""
        counts = [row[0] for row in rows(self.address, "SELECT count(*) FROM shards GROUP BY process")]
        return counts == [SHARDS // PROCESSES] * PROCESSES and self._all_served()

    def _forget_sessions(self) -> None:
        """As Discord does after some minutes: sessions that nobody came back for end."""
        self.server.sessions = {key: one for key, one in self.server.sessions.items() if one.socket is not None}


async def main(deaths: int, run: DeathRun) -> None:
    began = time.monotonic()
    try:
        await run.run(deaths)
    except BaseException:
        for number in range(PROCESSES):
            print(f"--- process {number}\n{(run.folder / f'bot{number}.log').read_text()[-3000:]}")
        print(f"after {sum(run.happened.values())} deaths")
        raise
    finally:
        print(", ".join(f"{name} {times}" for name, times in sorted(run.happened.items())))
        for kind, seconds in sorted(run.took.items()):
            parts = {
                name: sorted(seconds)[min(int(part * len(seconds)), len(seconds) - 1)] for name, part in PARTS.items()
            }
            told = ", ".join(f"{name} {one:.1f}" for name, one in parts.items())
            print(f"others served after {kind}, in seconds: {told}, {len(seconds)} times")
        for kind, sessions in sorted(run.sessions.items()):
            print(f"sessions after {kind}: {sessions['begun']} begun, {sessions['resumed']} resumed")
    took = f"{time.monotonic() - began:.0f} s; {run.games} games, {run.rows} rows"
    print(f"{deaths} deaths in {took}; nothing lost, nothing twice")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deaths", type=int)
    parser.add_argument("--seed", type=int, default=1889)
    parser.add_argument("--haste", type=float, default=1.0)
    parser.add_argument("--kinds", type=lambda text: tuple(text.split(",")), default=())
    given = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="tetsudo-deaths-")
    asyncio.run(main(given.deaths, DeathRun(Path(folder), given.seed, given.haste, given.kinds)))
    shutil.rmtree(folder)
