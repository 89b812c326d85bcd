"""The bot in a process of its own: started, watched, killed."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import asyncpg
from wire_forks import Fork, forks
from wire_people import PATIENCE, until
from wire_server import Server

from storage.postgres.connecting import numbered

Database = Path | str
"""A file, or the address of a PostgreSQL database."""
ROOT = Path(__file__).parent.parent.parent


class BotProcess:
    """A bot, its errors in a file: the real program if `real`, else a fork that draws one pixel and is soon ready."""

    def __init__(self, server: Server, database: Database, *, real: bool = False, **settings: str) -> None:
        self.real = real
        self.server = server
        self.database: Any = database
        self.log_file = Path(os.devnull) if isinstance(database, str) else database.with_suffix(".log")
        self.settings = settings
        self.file_limit: int | None = None
        """Bytes beyond which none of its files may grow, as if the disk were full."""
        self.process: asyncio.subprocess.Process | Fork | None = None

    async def start(self, *, wait: bool = True) -> BotProcess:
        keep = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
        env = keep | {"WIRE_PIXELS": "1", "WIRE_FILE_LIMIT": str(self.file_limit or 0)}
        env |= self.server.environment(self.database) | self.settings
        before = self.server.identified
        program = self._program()
        if program is None:
            self.process = await forks().start(env, self.log_file)
        else:
            with self.log_file.open("ab") as errors:
                self.process = await asyncio.create_subprocess_exec(
                    sys.executable, *program, cwd=ROOT, env=env, stdout=errors, stderr=errors
                )
        if wait:
            await until(self.server, lambda: self.ended or self.server.identified > before, what="a connection")
            assert not self.ended, self.log()
        return self

    def _program(self) -> list[str] | None:
        """What to run; None to fork it from a process that has loaded everything."""
        if self.real:
            return ["-m", "cli.main", "bot"] if "TETSUDO_BOARD" in self.settings else ["-m", "bot"]
        alone = "WIRE_PROFILE" in self.settings  # which is written at a regular end
        return [str(ROOT / "tests" / "wire" / "wire_crash_points.py"), "alone"] if alone else None

    async def fails(self) -> int:
        """Start it where it cannot run; its exit code."""
        await self.start(wait=False)
        assert self.process is not None
        return await asyncio.wait_for(self.process.wait(), PATIENCE)

    @property
    def ended(self) -> bool:
        return self.process is None or self.process.returncode is not None

    def log(self) -> str:
        return self.log_file.read_text("utf-8") if self.log_file.exists() else ""

    async def kill(self) -> None:
        """End it without warning."""
        if not self.ended:
            assert self.process is not None
            self.process.send_signal(signal.SIGKILL)
            await self.process.wait()

    async def dies_posting(self, acting: Awaitable[object], channel: int | None = None) -> None:
        """Do this, and kill the bot once Discord has its message, in this channel, of which it does not hear.

        Discord forgets the nonce.
        """
        posted, killed, world = asyncio.Event(), asyncio.Event(), self.server.world

        async def no_answer(verb: str, path: str) -> None:
            if verb == "POST" and path.endswith(f"/{channel}/messages" if channel else "/messages"):
                posted.set()
                await killed.wait()

        world.afters.append(no_answer)
        await acting
        await asyncio.wait_for(posted.wait(), PATIENCE)
        await self.kill()
        killed.set()
        world.afters.clear()
        world.nonce_seconds = 0

    async def stop(self) -> int:
        """Ask it to end, as a host does; its exit code."""
        assert self.process is not None
        if not self.ended:
            self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), PATIENCE)

    async def __aenter__(self) -> BotProcess:
        return await self.start()

    async def __aexit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Unless the test failed by then: nothing went wrong that nobody had foreseen."""
        await self.kill()
        assert error or "incident" not in self.log()


def free_port() -> int:
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return int(any_port.getsockname()[1])


def rows(database: Database, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Look into the database beside the bot."""
    if isinstance(database, str):
        return looker(database).rows(sql, values)
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5)) as connection:
        return connection.execute(sql, values).fetchall()


@cache
def looker(address: str) -> Looker:
    return Looker(address)


class Looker:
    """A connection to PostgreSQL that is asked without an event loop: it has one of its own, in a thread."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._thread = ThreadPoolExecutor(1)
        self._loop = asyncio.new_event_loop()
        self._connection: Any = None

    def rows(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return self._thread.submit(self._loop.run_until_complete, self._rows(sql, values)).result(60)

    async def _rows(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        for _ in range(200):
            try:
                if self._connection is None or self._connection.is_closed():
                    self._connection = await asyncpg.connect(self._address)
                return [tuple(row) for row in await self._connection.fetch(numbered(sql), *values)]
            except (
                OSError,
                asyncpg.PostgresConnectionError,
                asyncpg.OperatorInterventionError,
                asyncpg.InterfaceError,
            ):
                self._connection = None  # the server is started again just now
                await asyncio.sleep(0.1)
        raise AssertionError(f"{self._address} does not answer")


def waiting(database: Database) -> int:
    """Notices that are not sent."""
    return int(rows(database, "SELECT count(*) FROM outbox WHERE done_at IS NULL")[0][0])


class BotEnded(Exception):
    """The bot ended while a test waited for it."""


async def settled(
    server: Server, database: Database, seconds: float = PATIENCE, given_up: Callable[[], bool] = lambda: False
) -> None:
    """Wait until the bot has sent everything it has to send. Raises BotEnded as soon as `given_up`."""
    quiet = 0

    def still() -> bool:
        nonlocal quiet
        if given_up():
            raise BotEnded
        calm = server.connected > 0 and server.world.busy == 0 and waiting(database) == 0
        quiet = quiet + 1 if calm else 0
        return quiet >= 2

    await until(server, still, seconds, "quiet")
