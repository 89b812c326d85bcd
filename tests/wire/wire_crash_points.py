"""The bot with crash points: before and after SQL statements, HTTP requests and gateway messages, around drawings.

`wire_crash_points.py` is a fork server: it loads everything once and reads orders, one JSON object a line:
{"number": N, "env": {...}, "log": "FILE"}. For each it forks a bot and prints {"number": N, "started": PID}, and later
{"ended": PID, "status": S}; `wire_forks.py` gives the orders.

`wire_crash_points.py alone` runs one bot in this process. WIRE_FILE_LIMIT is the most bytes that any of its files may
have, as on a full disk. WIRE_HASTE=N makes all times of leases and sessions that many times shorter; WIRE_LOOKS=N only
those between two looks at who serves what, to hand over, and between two sessions, so that no lease ends sooner.
WIRE_STEADY=S is for tests that do not start the server of databases again: a connection must have stood for S seconds
to tell who is gone. With TETSUDO_BOARD there is a board, as with the real program.
WIRE_PAUSE=N lets what could not be sent wait N seconds, so that a test knows what it was that showed it.
WIRE_RETIRE=S leaves S seconds between edits of old messages of a channel. WIRE_TIME: see `wire_clock.py`.

WIRE_CRASH="start:KIND:N" crashes at the Nth point after the start whose name contains KIND, "signal:KIND:N" at the Nth
after SIGUSR1. KIND may be a way, "A>B": then points of kind A are passed first, one of each kind, and those of kind B
counted. The name of the point is written to the file WIRE_CRASHED. WIRE_PIXELS=1 draws pictures of one pixel.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import resource
import select
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

import aiohttp
import aiosqlite
import discord
from PIL import Image
from wire_clock import follow

import renderer
from board.hosted import beside
from bot.chat import leasing, messages, sender, signs
from bot.chat.connection import Requests
from bot.main import main
from bot.rooms.learning.ledger import ledger
from bot.rooms.page import room as boards
from bot.rooms.seats.options import options_beside
from bot.version import rules
from engine import TITLES
from storage.postgres import leases

IN_THE_MIDDLE = 0.015
"""Seconds from the start of a drawing to a crash in the middle of it."""


class CrashPoints:
    """Counts the crash points as they are reached, and kills the process at the one ordered."""

    def __init__(self, order: str, note: str) -> None:
        self.mode, way, number = (*order.split(":"), "", "", "")[:3]
        *self.passed, self.kind = way.split(">")
        self.left = int(number or 0)
        self.note = note
        self.armed = self.mode == "start"
        self.lock = threading.Lock()

    def arm(self, *_: object) -> None:
        self.armed = True

    def reach(self, name: str, *, within: bool = False) -> None:
        """A point is reached. `within`: crash a little later, in the middle of what begins here."""
        with self.lock:
            if not self.armed or (self.passed or [self.kind])[0] not in name:
                return
            if self.passed:
                self.passed.pop(0)
                return
            self.left -= 1
            due = self.left == 0
        if due and within:
            threading.Timer(IN_THE_MIDDLE, self.crash, [name]).start()
        elif due:
            self.crash(name)

    def crash(self, name: str) -> None:
        Path(self.note).write_text(name)
        os.kill(os.getpid(), signal.SIGKILL)


def hasten(times: float) -> None:
    """Let leases and sessions end, and begin, in a fraction of their time."""
    for module, names in (
        (leasing, ("EVERY", "GIVEN_UP", "LAST_WORDS", "SILENT", "TAKEN_OVER", "APART")),
        (leases, ("LASTS", "MARGIN", "STEADY")),
    ):
        for name in names:
            setattr(module, name, getattr(module, name) / times)
    leases.PATIENCE = max(leases.PATIENCE / times, 2.0)


def look_often(times: float) -> None:
    """Renew leases, hand shards over and begin sessions in a fraction of the time: what a lease lasts is as it was."""
    leasing.EVERY /= times
    leasing.APART /= times
    leasing.LAST_WORDS /= min(times, 2.0)  # by then a connection is closed, too


def play() -> int:
    """Run the bot as its environment says."""
    hasten(float(os.environ.get("WIRE_HASTE", "1")))
    look_often(float(os.environ.get("WIRE_LOOKS", "1")))
    leases.STEADY = float(os.environ.get("WIRE_STEADY", leases.STEADY))
    limit_files(int(os.environ.get("WIRE_FILE_LIMIT", "0")))
    return main(beside) if "TETSUDO_BOARD" in os.environ else main()


def watch(points: CrashPoints) -> None:
    """Put crash points into the libraries under the bot; the bot itself is unchanged."""
    execute = aiosqlite.Connection._execute

    async def watched_execute(self: Any, fn: Any, *args: Any, **kwargs: Any) -> Any:
        name = " ".join(str(args[0] if args else getattr(fn, "__name__", "")).split()[:3])
        points.reach(f"before sql {name}")
        result = await execute(self, fn, *args, **kwargs)
        points.reach(f"after sql {name}")
        return result

    request = aiohttp.ClientSession._request

    async def watched_request(self: Any, method: str, url: Any, **kwargs: Any) -> Any:
        name = f"{method} {kind_of(str(url))}"
        points.reach(f"before http {name}")
        result = await request(self, method, url, **kwargs)
        points.reach(f"after http {name}")
        return result

    trace = Requests.trace

    def dated_trace(self: Requests) -> aiohttp.TraceConfig:
        config = trace(self)

        async def dated(_: object, __: object, sent: aiohttp.TraceRequestStartParams) -> None:
            sent.headers["X-Sent-At"] = f"{time.time():.6f}"

        config.on_request_start.append(dated)
        return config

    receive = discord.gateway.DiscordWebSocket.received_message

    async def watched_receive(self: Any, message: Any, /) -> None:
        points.reach("before gateway message")
        await receive(self, message)
        points.reach("after gateway message")

    delay = discord.state.AutoShardedConnectionState._delay_shard_ready

    async def impatient(self: Any, shard_id: int) -> None:
        self.guild_ready_timeout = 0.1  # discord.py waits 2 s for more servers; the stand-in has said all at once
        await delay(self, shard_id)

    discord.state.AutoShardedConnectionState._delay_shard_ready = impatient  # type: ignore[method-assign]
    boards.LOOKS = (0.0,) * len(boards.LOOKS)  # type: ignore[assignment]  # the stand-in knows at once who is where
    aiosqlite.Connection._execute = watched_execute  # type: ignore[method-assign]
    Requests.trace = dated_trace  # type: ignore[method-assign]
    aiohttp.ClientSession._request = watched_request  # type: ignore[method-assign, assignment]
    discord.gateway.DiscordWebSocket.received_message = watched_receive  # type: ignore[method-assign]
    if "WIRE_PAUSE" in os.environ:
        sender.PAUSES = (int(os.environ["WIRE_PAUSE"]),)  # type: ignore[assignment]
    if "WIRE_RETIRE" in os.environ:
        messages.PAUSE = float(os.environ["WIRE_RETIRE"])
    if path := os.environ.get("WIRE_TIME"):
        follow(path)
    if os.environ.get("WIRE_PIXELS") == "1":
        renderer.hexes_ahead = lambda *_: []  # of which there are none in a pixel
    for name in renderer.__all__:
        if name.endswith("_picture"):
            setattr(renderer, name, watched_drawing(points, getattr(renderer, name), name))


def kind_of(url: str) -> str:
    """The path of an address with N for each number, so that equal requests have equal names."""
    path = url.partition("/api")[2].partition("?")[0]
    return "/".join("N" if len(word) > 14 else word for word in path.split("/")) or "gateway"


def watched_drawing(points: CrashPoints, draw: Callable[..., Any], name: str) -> Callable[..., Any]:
    pixels = os.environ.get("WIRE_PIXELS") == "1"

    def drawn(*args: Any, **kwargs: Any) -> Any:
        points.reach(f"while drawing {name}", within=not pixels)
        result = PIXEL if pixels else draw(*args, **kwargs)
        points.reach(f"after drawing {name}")
        return result

    return drawn


def one_pixel() -> renderer.Picture:
    out = io.BytesIO()
    Image.new("RGB", (1, 1), "white").save(out, "PNG")
    return renderer.Picture(out.getvalue(), 1, 1, "blank")


PIXEL = one_pixel()


def run_bot(order: dict[str, Any]) -> None:
    """Run one bot in a process just forked; never returns."""
    with open(order["log"], "ab", buffering=0) as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.clear()
    os.environ.update(order["env"])
    points = CrashPoints(os.environ.get("WIRE_CRASH", ""), os.environ.get("WIRE_CRASHED", os.devnull))
    signal.signal(signal.SIGUSR1, points.arm)
    watch(points)
    status = 1
    try:
        status = play()
    finally:
        sys.stderr.flush()
        os._exit(status)


def fork_server() -> None:
    """Fork bots as ordered until the orders end, then kill those that still run.

    What each bot would draw and read as it starts is drawn and read before, for all of them.
    """
    signs.drawn()
    ledger()
    rules()
    for recipe in TITLES.values():
        options_beside(recipe, ())
    gc.collect()
    gc.freeze()
    running: set[int] = set()
    buffer = b""
    while True:
        ready, _, _ = select.select([0], [], [], 0.01 if running else None)
        if ready:
            data = os.read(0, 65536)
            if not data:
                break
            *orders, buffer = (buffer + data).split(b"\n")
            for order in orders:
                made = json.loads(order)
                child = os.fork()
                if child == 0:
                    run_bot(made)
                running.add(child)
                say({"number": made["number"], "started": child})
        for child in list(running):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                running.discard(child)
                say({"ended": child, "status": os.waitstatus_to_exitcode(status)})
    for child in running:
        os.kill(child, signal.SIGKILL)


def say(body: dict[str, int]) -> None:
    os.write(1, json.dumps(body).encode() + b"\n")


def sample(path: str) -> None:
    """Note every 5 ms what each thread does, and write the most frequent functions at the end."""
    counts: Counter[str] = Counter()

    def look() -> None:
        me = threading.get_ident()
        while True:
            time.sleep(0.005)
            for number, frame in sys._current_frames().items():
                if number == me:
                    continue
                names = []
                at: Any = frame
                while at is not None:
                    code = at.f_code
                    names.append(f"{Path(code.co_filename).parent.name}/{Path(code.co_filename).stem}.{code.co_name}")
                    at = at.f_back
                if not IDLE.intersection(names[:2]):
                    counts.update(set(names))
                    counts["all"] += 1

    threading.Thread(target=look, daemon=True).start()
    atexit.register(lambda: Path(path).write_text("\n".join(f"{n:6} {name}" for name, n in counts.most_common(120))))


IDLE = {"python3.11/selectors.select", "concurrent/thread._worker", "python3.11/threading.wait"}


def alone() -> int:
    """One bot in this very process, as its environment says."""
    watch(CrashPoints("", os.devnull))
    if path := os.environ.get("WIRE_PROFILE"):
        sample(path)
    return play()


def limit_files(limit: int) -> None:
    """Let no file of this process grow beyond so many bytes, if any."""
    if limit:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


if __name__ == "__main__":
    if sys.argv[1:] == ["alone"]:
        sys.exit(alone())
    fork_server()
