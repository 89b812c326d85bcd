"""The database and the work of bot and board in the thread of the event loop.

To hand each question over to another thread and back is a third of what a test of the bot costs, and a fifth of one of
the board. With the threads of the real program run the tests of the storage, on the wire, and those marked `threads`.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from aiosqlite import core

from bot.chat import health
from bot.core.work import Work
from storage import events
from storage.sqlite import connection


@pytest.fixture(autouse=True)
def in_one_thread(request: pytest.FixtureRequest) -> Iterator[pytest.MonkeyPatch]:
    """Unless the test is about threads; also where it undoes what it has patched."""
    with pytest.MonkeyPatch.context() as patched:
        if request.node.get_closest_marker("threads") is None:
            _use(patched)
        yield patched


def _use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.Connection, "__await__", _connected)
    monkeypatch.setattr(core.Connection, "_execute", _execute)
    monkeypatch.setattr(core.Connection, "stop", _stop)
    monkeypatch.setattr(Work, "do", _do)
    for module in (connection, events, health):
        monkeypatch.setattr(module, "asyncio", SimpleNamespace(to_thread=_here, sleep=asyncio.sleep))


async def _here(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """Whoever can go on goes first, as while another thread works; a turn of the loop for nobody costs, too."""
    loop: Any = asyncio.get_running_loop()
    if loop._ready:
        await asyncio.sleep(0)
    return function(*args, **named)


async def _do(work: Work, function: Callable[..., Any], *args: Any) -> Any:
    return await _here(function, *args)


async def _execute(opened: Any, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    if not opened._running or not opened._connection:
        raise ValueError("Connection closed")
    return await _here(function, *args, **named)


def _connected(opened: Any) -> Generator[Any, None, Any]:
    """Without starting its thread."""
    opened._connection = opened._connector()
    return opened
    yield  # makes it a generator


def _stop(opened: Any) -> None:
    file: sqlite3.Connection | None = opened._connection
    opened._running, opened._connection = False, None
    if file is not None:
        file.close()
