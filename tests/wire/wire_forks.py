"""Bots that start in a moment: forked from a process that has loaded everything, `wire_crash_points.py`."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

WIRE = Path(__file__).parent
SECONDS = 180
"""For loading everything, on a busy machine."""


class Fork:
    """One bot, running or ended; like a process of `asyncio`."""

    def __init__(self) -> None:
        self.pid = 0
        self.status: Future[int] = Future()

    @property
    def returncode(self) -> int | None:
        """How it ended, negative by a signal; None while it runs."""
        return self.status.result() if self.status.done() else None

    async def wait(self) -> int:
        return await asyncio.shield(asyncio.wrap_future(self.status))

    def send_signal(self, number: int) -> None:
        if not self.status.done():
            with suppress(ProcessLookupError):  # it may end by itself just now
                os.kill(self.pid, number)


class Forks:
    """The process that forks. It ends with this one, and its bots with it."""

    def __init__(self) -> None:
        program = [sys.executable, str(WIRE / "wire_crash_points.py")]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(program, stdin=pipe, stdout=pipe, cwd=WIRE.parents[1])
        self._numbers = count()
        self._asked: dict[int, tuple[Fork, Future[Fork]]] = {}
        self._running: dict[int, Fork] = {}
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    async def start(self, env: dict[str, str], log: Path) -> Fork:
        """Fork a bot with this environment, whose output is appended to the file."""
        number, started = next(self._numbers), Future[Fork]()
        self._asked[number] = (Fork(), started)
        self._order({"number": number, "env": env, "log": str(log)})
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(started)), SECONDS)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._reader.join()

    def _order(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with self._lock:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            body = json.loads(line)
            if "started" in body:
                fork, started = self._asked.pop(body["number"])
                fork.pid = body["started"]
                self._running[fork.pid] = fork
                started.set_result(fork)
            else:
                self._running.pop(body["ended"]).status.set_result(body["status"])
        self._process.stdout.close()


@cache
def forks() -> Forks:
    """The one that forks for all the tests of this process."""
    made = Forks()
    atexit.register(made.close)
    return made
