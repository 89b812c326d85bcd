"""The database and the bot's work in the thread of the event loop.

To hand each question over to another thread and back is a third of what a test of the bot costs. With the threads of
the real program run the tests of the storage, of the board, on the wire, and those marked `threads`.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from aiosqlite import core

from bot.core.work import Work


def use(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on."""
    monkeypatch.setattr(core.Connection, "_connect", _connect)
    monkeypatch.setattr(core.Connection, "_execute", _execute)
    monkeypatch.setattr(core.Connection, "stop", _stop)
    monkeypatch.setattr(Work, "do", _do)


async def _here(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """Others may go on first, as they do while another thread works."""
    await asyncio.sleep(0)
    return function(*args, **named)


async def _do(work: Work, function: Callable[..., Any], *args: Any) -> Any:
    return await _here(function, *args)


async def _execute(connection: Any, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    if not connection._running or not connection._connection:
        raise ValueError("Connection closed")
    return await _here(function, *args, **named)


async def _connect(connection: Any) -> Any:
    if connection._connection is None:
        connection._connection = connection._connector()
    return connection


def _stop(connection: Any) -> "asyncio.Future[None] | None":
    """The thread has nothing to do but to end; nobody waits for it where the loop is over."""
    opened: sqlite3.Connection | None = connection._connection
    connection._running, connection._connection = False, None
    if opened is not None:
        opened.close()
    done = None
    with suppress(RuntimeError):
        done = asyncio.get_running_loop().create_future()
    connection._tx.put_nowait((done, partial(getattr, core, "_STOP_RUNNING_SENTINEL")))
    return done
