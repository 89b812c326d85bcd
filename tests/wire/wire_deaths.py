"""Kill the bot at many points of its life, and look after every restart whether anything was lost or doubled.

python tests/wire/wire_deaths.py 1000 [SEED]
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
sys.path.insert(0, str(Path(__file__).parent))

from wire_oracle import Oracle, Wrong, sound
from wire_people import NoAnswer, until
from wire_play import Party, party
from wire_process import Died, rows, settled
from wire_server import Server

from storage.migrate import migrations

PLAYERS = 3
KINDS = {"": (110, 120), "http": (12, 24), "COMMIT": (6, 16), "drawing": (12, 12)}
"""Kinds of points, and about how many of them there are in a start and in some turns."""
TURNS = 3
HERE = Path(__file__).parent


class Nursery:
    """Starts bots fast, by forking a process that has loaded everything."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gone: dict[int, asyncio.Event] = {}

    async def __aenter__(self) -> Nursery:
        program = [sys.executable, str(HERE / "wire_mortal.py")]
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*program, stdin=pipe, stdout=pipe, cwd=HERE.parent.parent)
        self.born: asyncio.Queue[int] = asyncio.Queue()
        self.reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()
        await self.reader

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            body = json.loads(line)
            if "born" in body:
                self.gone[body["born"]] = asyncio.Event()
                self.born.put_nowait(body["born"])
            else:
                self.gone[body["died"]].set()

    async def birth(self, server: Server, database: Path, die: str = "", *, pixels: bool = True) -> Life:
        """A bot, with the point at which it dies."""
        env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        env |= server.environment(database)
        env |= {"WIRE_DIE": die, "WIRE_DEATH": str(self.folder / "death"), "WIRE_PIXELS": "1" if pixels else "0"}
        (self.folder / "death").unlink(missing_ok=True)
        assert self.process.stdin is not None
        order = {"env": env, "log": str(self.folder / "bot.log")}
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        return Life(await self.born.get(), self)


class Life:
    """One bot that is alive, or was."""

    def __init__(self, pid: int, nursery: Nursery) -> None:
        self.pid, self.nursery = pid, nursery
        self.gone = nursery.gone[pid]

    @property
    def dead(self) -> bool:
        return self.gone.is_set()

    def arm(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGUSR1)

    async def end(self) -> str:
        """Make sure that it is dead; the point at which it died, or that it outlived its point."""
        note = self.nursery.folder / "death"
        with suppress(ProcessLookupError):  # it may die this moment by itself
            if not self.dead:
                os.kill(self.pid, signal.SIGKILL)
        await self.gone.wait()
        return note.read_text() if note.exists() else "outlived its point; killed at rest"


class Deaths:
    """A table whose bot dies again and again."""

    def __init__(self, folder: Path, seed: int, title: str = "1889") -> None:
        self.folder, self.title = folder, title
        self.chance = random.Random(seed)
        self.where: Counter[str] = Counter()
        self.games = 0
        self.rows = 0

    async def run(self, points: int) -> None:
        """Kill `points` times. Raises Wrong, or NoAnswer where the bot does not come back."""
        async with Server() as server, Nursery(self.folder) as nursery:
            self.server, self.nursery = server, nursery
            await self._begin()
            for number in range(points):
                kind = self.chance.random()
                if kind < 0.05:
                    point = await self._dies_migrating(number)
                elif kind < 0.25:
                    point = await self._dies_starting()
                else:
                    point = await self._dies_playing()
                self.where[point] += 1
                if self.party.over():
                    await self._begin()
            life = await nursery.birth(server, self.database)
            await self._quiet(life)
            await life.end()
            self.rows += len(self.oracle.told)
            await sound(self.database)

    @property
    def database(self) -> Path:
        return self.folder / "games.sqlite3"

    async def _begin(self) -> None:
        """A new game, begun by a bot that lives."""
        if self.games:
            self.rows += len(self.oracle.told)
        self.games += 1
        life = await self.nursery.birth(self.server, self.database)
        await until(self.server, lambda: self.server.connected > 0, what="a connection")
        self.party: Party = await party(self.server, self.database, PLAYERS, f"rails{self.games}")
        self.party.chance = self.chance
        self.party.twice = 0.1
        await self.party.begin(self.title)
        self.oracle = Oracle(self.party, self.title, PLAYERS)
        await life.end()

    async def _quiet(self, life: Life) -> None:
        """Wait until the bot has come up and said all that was left, and look at everything."""
        await until(self.server, lambda: life.dead or self.server.connected > 0, 60, "a connection")
        with suppress(Died):
            await settled(self.server, self.database, given_up=lambda: life.dead)
            self.oracle.check()
            if not self.party.over():
                self.oracle.newest_shows_the_position()

    def _order(self, mode: str, kind: str | None = None) -> str:
        """A point at which to die, of any kind unless told, each kind as likely. Discord may have forgotten nonces."""
        self.server.world.nonce_seconds = self.chance.choice((0.0, 300.0))
        chosen = self.chance.choice(list(KINDS)) if kind is None else kind
        most = KINDS[chosen][mode == "signal"]
        return f"{mode}:{chosen}:{self.chance.randint(1, most)}"

    async def _dies_starting(self) -> str:
        """The bot dies while it starts, with things left to say half of the time."""
        if self.chance.random() < 0.5:
            await self._dies_playing(leave=True)
        life = await self.nursery.birth(self.server, self.database, self._order("start"))
        with suppress(NoAnswer):
            await until(self.server, lambda: life.dead, 1.0, "its death")
        return f"starting: {await life.end()}"

    async def _dies_migrating(self, number: int) -> str:
        """The bot dies while it makes a new database; the next one goes on from there."""
        path = self.folder / f"fresh{number}.sqlite3"
        life = await self.nursery.birth(self.server, path, self._order("start", ""))
        with suppress(NoAnswer):
            await until(self.server, lambda: life.dead, 1.0, "its death")
        point = await life.end()
        before = self.server.identified
        life = await self.nursery.birth(self.server, path)
        await until(self.server, lambda: self.server.identified > before, 60, "a connection")
        await life.end()
        await sound(path)
        if rows(path, "PRAGMA user_version")[0][0] != len(migrations()):
            raise Wrong("the database was not brought to the present version")
        return f"new database: {point}"

    async def _dies_playing(self, *, leave: bool = False) -> str:
        """The bot dies during some turns; what it had left to say is said by the next one."""
        pixels = self.chance.random() < 0.9
        life = await self.nursery.birth(self.server, self.database, self._order("signal"), pixels=pixels)
        await self._quiet(life)
        life.arm()
        for _ in range(TURNS):
            await self._turn_or_death(life)
            if life.dead or self.party.over():
                break
            await self._quiet(life)
        point = f"playing: {await life.end()}"
        if not leave:
            again = await self.nursery.birth(self.server, self.database)
            await self._quiet(again)
            await again.end()
        return point

    async def _turn_or_death(self, life: Life) -> None:
        async def play() -> None:
            with suppress(NoAnswer):
                await self.party.turn()

        turn, death = asyncio.create_task(play()), asyncio.create_task(life.gone.wait())
        await asyncio.wait({turn, death}, return_when=asyncio.FIRST_COMPLETED)
        death.cancel()
        if not turn.done():
            turn.cancel()
            await asyncio.wait({turn})
        elif turn.exception():
            raise turn.exception()  # type: ignore[misc]


def kinds(where: Counter[str]) -> Counter[str]:
    """The points in classes, for people."""
    found: Counter[str] = Counter()
    for point, times in where.items():
        phase, _, name = point.partition(": ")
        found[f"{phase}: {' '.join(name.split()[:2])}"] += times
    return found


async def main(points: int, seed: int) -> None:
    with tempfile.TemporaryDirectory(prefix="tetsudo-deaths-") as folder:
        deaths = Deaths(Path(folder), seed)
        began = time.monotonic()
        try:
            await deaths.run(points)
        except BaseException:
            print((Path(folder) / "bot.log").read_text()[-4000:])
            print(f"after {sum(deaths.where.values())} deaths")
            raise
        finally:
            for name, times in sorted(kinds(deaths.where).items()):
                print(f"{times:5} {name}")
        print(f"{points} deaths at {len(deaths.where)} different points in {time.monotonic() - began:.0f} s; "
              f"{deaths.games} games, {deaths.rows} rows; nothing lost, nothing twice")  # fmt: skip


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1889))
