"""Runs a part of the program without what Windows lacks: `python without_posix.py program|playground`.

A stand-in for that system as far as the standard library differs: modules that are not there, names that are missing
from those that are, an event loop without signal handlers, folders that cannot be opened, files open for reading that
cannot be flushed.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.abc
import multiprocessing.reduction
import os
import signal
import sqlite3
import sys
import tempfile
import warnings
import zoneinfo
from pathlib import Path
from typing import Any

import aiohttp  # what the bot stands on is imported as it is: it has ways of its own for each system
import aiosqlite
import asyncpg
import discord.ext.commands
import discord.ext.tasks
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
import simcord
from test_platforms import ONLY_POSIX, ONLY_POSIX_NAMES, PACKAGES, ROOT

AS_IT_IS = (aiohttp, aiosqlite, asyncpg, discord, multiprocessing, PIL, simcord, sqlite3, zoneinfo)


class Missing(importlib.abc.MetaPathFinder):
    """Modules that this system does not have."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name in ONLY_POSIX:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def take_away() -> None:
    for name in ONLY_POSIX - {"posix"}:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Missing())
    for module, names in (("os", os), ("signal", signal)):
        for one in ONLY_POSIX_NAMES[module]:
            if hasattr(names, one):
                delattr(names, one)

    def no_handler(*given: object) -> None:
        raise NotImplementedError

    asyncio.SelectorEventLoop.add_signal_handler = no_handler  # type: ignore[method-assign,assignment]
    plain_open, plain_sync = os.open, os.fsync
    read_only: set[int] = set()

    def opened(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if by_us() and os.path.isdir(path):
            raise PermissionError(13, "Permission denied", str(path))
        handle = plain_open(path, flags, *more, **named)
        (read_only.discard if flags & (os.O_WRONLY | os.O_RDWR) else read_only.add)(handle)
        return handle

    def synced(fd: Any) -> None:
        if by_us() and fd in read_only:
            raise OSError(9, "Bad file descriptor")
        plain_sync(fd)

    os.open, os.fsync = opened, synced


def by_us() -> bool:
    """Whether the caller's caller is a module of ours: the standard library has ways of its own for each system."""
    return str(sys._getframe(2).f_globals["__name__"]).startswith(PACKAGES)


def everything() -> None:
    """Import every module of the program, each of which may ask on what system it is."""
    system, sys.platform = sys.platform, "win32"
    for name in [one for one in sys.modules if one.partition(".")[0] in PACKAGES]:  # which asked too early
        del sys.modules[name]
    for package in PACKAGES:
        for one in sorted((ROOT / package).rglob("*.py")):
            if one.stem not in ("__init__", "__main__"):
                importlib.import_module(".".join(one.relative_to(ROOT).with_suffix("").parts))
    sys.platform = system


async def a_game(database: Path) -> None:
    from storage import Row, Store, sole_user

    with sole_user(database, create=True):
        async with Store.open(database) as store:
            game = await store.create_game(channel_id=7, host_id=1, title="1889")
            await store.append(game.id, 0, [Row("action", "{}")])


async def the_bot(database: Path) -> None:
    """Started as far as Discord, which cannot be reached."""
    from bot.main import CannotStart, run
    from bot.settings import Settings, check_database

    check_database(database)
    settings = Settings(token="a.b.c", database=database, api_base="http://127.0.0.1:9/api")
    with pytest.raises(CannotStart, match="Discord cannot be reached"):
        await run(settings)


async def the_playground(database: Path) -> None:
    from playground.page import page
    from playground.server import local_server

    async with local_server(database, "1889", 2, humans=2) as here, page(here) as shown:
        async with aiohttp.ClientSession() as session, session.get(shown.url) as answer:
            assert answer.status == 200
        await here.asked().slash(here.channel, "pass")
        assert (await here.bot.tables.in_channel(here.channel.id)).position.seq == 1


def commands(folder: str, database: Path) -> None:
    """What looks after the database."""
    from cli.main import main as command

    os.environ["TETSUDO_DB"] = str(database)
    for line in (["backup", f"{folder}/copy"], ["restore", f"{folder}/copy"], ["health"]):
        assert command(line) == 0, line


def main(what: str) -> None:
    take_away()
    everything()
    warnings.filterwarnings("error", category=EncodingWarning, module="|".join(PACKAGES))
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "games.sqlite3"
        if what == "playground":
            asyncio.run(the_playground(database))
        else:
            asyncio.run(the_bot(database))
            asyncio.run(a_game(database))
            commands(folder, database)
    print("well")


if __name__ == "__main__":
    main(sys.argv[1])
