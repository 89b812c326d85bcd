"""Discord's side of an Interactions Endpoint URL: signed requests, by a balancer, to any of the processes behind it.

python tests/wire/wire_endpoint.py 20      kills the process that serves a table 20 times while its people press
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import aiohttp
from nacl.signing import SigningKey
from postgres_server import PostgresServer
from wire_checker import Checker
from wire_people import Person, answered, buttons, until
from wire_play import Party, playing
from wire_process import BotProcess, free_port, rows, settled
from wire_server import Server
from wire_world import Interaction, Message

PROMISED = 3.0
"""Seconds that Discord waits for the reply to its request."""
TRIES = 4
"""How often the balancer brings a request to another process that answered nothing, or that it is not ready."""
WRONG = ("Sorry", "Nothing was changed", "so nothing was done", "cannot read or save", "already been done", "try again")
"""What people read who notice that something went wrong."""


class Endpoint:
    """What Discord and a balancer do. The bot's processes are behind it by their ports, all that are in `open`."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.key = SigningKey.generate()
        self.open: list[int] = []
        self.replies: list[int] = []
        """The statuses of what Discord was told, 0 where nobody told it anything in time."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._next = 0
        server.bring = self._bring

    def settings(self, port: int) -> dict[str, str]:
        """What a process needs that is to be behind it."""
        return {"TETSUDO_ENDPOINT": str(port), "DISCORD_PUBLIC_KEY": self.key.verify_key.encode().hex()}

    def signed(self, body: bytes, at: float | None = None) -> dict[str, str]:
        stamp = str(int(time.time() if at is None else at))
        signature = self.key.sign(stamp.encode() + body).signature.hex()
        return {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": stamp, "Content-Type": "application/json"}

    async def _bring(self, body: dict[str, Any]) -> None:
        """People do not wait for the reply."""
        task = asyncio.create_task(self._brought(json.dumps(body).encode()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _brought(self, body: bytes) -> None:
        status = 0
        try:
            async with asyncio.timeout(PROMISED):
                status, _ = await self.post(body, self.signed(body))
        except TimeoutError:
            pass
        self.replies.append(status)

    async def post(self, body: bytes, headers: dict[str, str], path: str = "/interactions") -> tuple[int, str]:
        """The status and text of the first process that answers and is ready."""
        told = 0, ""
        async with aiohttp.ClientSession() as discord:
            for _ in range(TRIES):
                self._next += 1
                port = self.open[self._next % len(self.open)]
                try:
                    async with discord.post(f"http://127.0.0.1:{port}{path}", data=body, headers=headers) as reply:
                        told = reply.status, await reply.text()
                except (aiohttp.ClientError, OSError):
                    continue
                if told[0] != 503:
                    return told
        return told


class Crowd:
    """Processes on one PostgreSQL database that share four shards, each with an endpoint."""

    def __init__(self, server: Server, address: str, folder: Path, **settings: str) -> None:
        self.server, self.address, self.folder, self.settings = server, address, folder, settings
        self.endpoint = Endpoint(server)
        self.bots: dict[int, BotProcess] = {}
        """By port."""
        server.world.recommended, server.world.starts.concurrency = 4, 16
        server.world.starts.total = 10**6

    async def start(self) -> int:
        """One more, the port of its endpoint."""
        port = free_port()
        settings = self.endpoint.settings(port) | {"TETSUDO_SHARDS": "auto"} | self.settings
        bot = BotProcess(self.server, self.address, real=False, **settings)
        bot.log_file = self.folder / f"{port}.log"
        await bot.start(wait=False)
        self.bots[port] = bot
        self.endpoint.open.append(port)
        return port

    async def shared(self, number: int) -> None:
        """Wait until so many processes have all shards, and each a session of its own beside none of others."""

        def shared() -> bool:
            held = rows(self.address, "SELECT count(*) FROM shards WHERE process IS NOT NULL GROUP BY process")
            counts = sorted(row[0] for row in held)
            listening = sorted(self.server.listening()) == [(one, 4) for one in range(4)]
            return len(counts) == number and sum(counts) == 4 and counts[-1] - counts[0] <= 1 and listening

        def ready() -> bool:
            try:
                return shared() and bool(self.server.world.commands)
            except Exception:  # there are no tables yet
                return False

        await until(self.server, ready, what=f"{number} processes")

    def serving(self, table: Party) -> int:
        """The port of the process that serves the table."""
        shard = (table.channel.guild >> 22) % 4
        ((name,),) = rows(
            self.address, "SELECT name FROM processes JOIN shards ON process = id WHERE number = ?", shard
        )
        (port,) = [port for port, bot in self.bots.items() if bot.process and str(bot.process.pid) == name.split()[-1]]
        return port

    async def kill(self, port: int) -> None:
        self.endpoint.open.remove(port)
        await self.bots.pop(port).kill()

    async def end(self) -> None:
        for bot in self.bots.values():
            await bot.kill()


def noticed(given: Interaction) -> list[str]:
    """What somebody reads of a press who notices that something went wrong."""
    return [text for text in given.said if any(one in text for one in WRONG)]


def pressing(person: Person, message: Message, label: str) -> Any:
    return person.click(message, buttons(message)[label])


async def one_death(crowd: Crowd, table: Party, number: int) -> dict[str, float]:
    """Kill who serves the table, about when its people press; the seconds until they were answered."""
    port, packet, before = crowd.serving(table), table.packet(), len(crowd.server.world.interactions)
    early = await pressing(table.people[0], packet, "More…")
    turn = asyncio.create_task(table.turn()) if number % 2 else None
    await asyncio.sleep(0.02 * (number % 8))
    await crowd.kill(port)
    began = time.monotonic()
    shown = await pressing(table.people[1], packet, "More…")
    await answered(crowd.server, shown)
    took = {"shown": time.monotonic() - began}
    await (turn or table.turn())
    took["turn"] = time.monotonic() - began
    await answered(crowd.server, early)
    given = list(crowd.server.world.interactions.values())[before:]
    took["acknowledged"] = max(one.acked or 99.0 for one in given)
    wrong = [text for one in given for text in noticed(one)]
    assert not wrong, wrong
    await settled(crowd.server, crowd.address)
    return took


async def main(deaths: int) -> None:
    """Print how long people waited."""
    took: dict[str, list[float]] = {}
    async with AsyncExitStack() as stack:
        postgres = PostgresServer()
        stack.callback(postgres.remove)
        server = await stack.enter_async_context(Server())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        crowd = Crowd(server, postgres.new_database(), folder)
        stack.push_async_callback(crowd.end)
        await crowd.start()
        await crowd.shared(1)
        await crowd.start()
        await crowd.shared(2)
        table = await playing(server, crowd.address, shard=(3, 4))
        checker = Checker(table, "1889", 3)
        for number in range(deaths):
            for kind, seconds in (await one_death(crowd, table, number)).items():
                took.setdefault(kind, []).append(seconds)
            await crowd.start()
            await crowd.shared(2)
            checker.check()
        assert set(crowd.endpoint.replies) == {202}, crowd.endpoint.replies
    for kind, times in took.items():
        print(f"{kind}: p50 {sorted(times)[len(times) // 2]:.2f} s, most {max(times):.2f} s of {len(times)}")
    print(f"load {os.getloadavg()[0]:.0f}")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
