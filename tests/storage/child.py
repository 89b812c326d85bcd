"""A second process for the tests: it appends, prints what was acknowledged, and may be killed at any point.

child.py endless PATH GAME RUN       append until killed
child.py crashes PATH GAME STATEMENT kill itself just before SQL statement number STATEMENT of one append
child.py shares PATH GAME NAME N     append N rows to a game that another process appends to
child.py migrates PATH SCRIPT        apply one more migration, whose script is in a file
child.py cramped PATH GAME BYTES     append until no file may grow beyond BYTES
child.py serves PATH [SECONDS]       be the file's only user until there is nothing more to read, waiting so long for it
child.py recorded FOLDER N           make a game, append N rows, and tell each in a file of the folder
child.py opens PATH                  open the file as a person without rights, and print what happens
"""

# ruff: noqa: ASYNC240 (small files)

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg

from storage import Notice, Row, Stale, Store, Unavailable, sole_user
from storage.sqlite.database import SqliteDatabase, connect
from storage.sqlite.migrate import migrations
from storage.store import utc_seconds


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


async def endless(path: str, game: str, run: str) -> None:
    async with Store.open(path) as store:
        seq = (await store.game(game)).seq
        say("from", seq)
        while True:
            mark = f"{run}-{seq + 1}"
            say("trying", mark)
            rows = [Row("action", mark), Row("action", mark + "+")]
            seq = await store.append(game, seq, rows, interaction_id=mark, notices=[Notice("turn", mark)])
            say("done", mark, seq)


async def crashes(path: str, game: str, statement: str) -> None:
    async with Store.open(path) as store:
        left = int(statement)

        def count_down(*_statement: object) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        if isinstance(store._db, SqliteDatabase):
            await store._db._writer.set_trace_callback(count_down)
        else:
            before_every_statement(count_down)
        await store.append(game, 1, [Row("action", "last")], interaction_id="last", notices=[Notice("turn", "last")])
        say("done")


def before_every_statement(do: Callable[..., None]) -> None:
    """Call `do` before a connection to PostgreSQL sends anything."""

    def watched(send: Callable[..., Any]) -> Callable[..., Any]:
        def first(*arguments: object, **more: object) -> Any:
            do()
            return send(*arguments, **more)

        return first

    for name in ("execute", "executemany", "fetch", "fetchval"):
        setattr(asyncpg.Connection, name, watched(getattr(asyncpg.Connection, name)))


async def shares(path: str, game: str, name: str, count: str) -> None:
    async with Store.open(path) as store:
        for number in range(int(count)):
            while True:
                seq = (await store.game(game)).seq
                try:
                    say("done", await store.append(game, seq, [Row("action", f"{name}{number}")]), f"{name}{number}")
                    break
                except Stale:
                    say("stale")


async def migrates(path: str, script: str) -> None:
    async with connect(Path(path), utc_seconds, 5) as db:
        say("starting")
        await db.migrate([*migrations(), Path(script).read_text("utf-8")])


async def cramped(path: str, game: str, limit: str) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    async with Store.open(path) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
        seq = (await store.game(game)).seq
        try:
            while True:
                seq = await store.append(game, seq, [Row("action", "x" * 1000)])
                say("done", seq)
        except Unavailable as error:
            say("unavailable", error)
        say("position", (await store.game(game)).seq)


async def serves(path: str, seconds: str = "5") -> None:
    try:
        with sole_user(Path(path), float(seconds), create=True):
            async with Store.open(path):
                say("serving")
                await asyncio.to_thread(sys.stdin.read)
    except Unavailable as error:
        say("unavailable", error)


async def recorded(folder: str, count: str) -> None:
    told = os.open(Path(folder) / "told", os.O_WRONLY | os.O_CREAT)
    async with Store.open(Path(folder) / "games.sqlite") as store:
        assert isinstance(store._db, SqliteDatabase)
        await store._db._writer.execute_fetchall("PRAGMA wal_autocheckpoint = 30")  # so that some moves have one
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        for seq in range(int(count)):
            await store.append(game.id, seq, [Row("action", "x" * 300)], notices=[Notice("turn", "{}")])
            os.write(told, b"%d\n" % (seq + 1))


async def opens(path: str) -> None:
    await asyncio.to_thread(int)  # loads what opening needs: Python's own folder may be closed to others
    if os.geteuid() == 0:
        os.setuid(65534)
    try:
        async with Store.open(path):
            say("opened")
    except Unavailable as error:
        say("unavailable", error)


asyncio.run(globals()[sys.argv[1]](*sys.argv[2:]))
