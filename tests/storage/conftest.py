"""Real databases in a temporary folder, with a clock that stands still until told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from clock import Clock

from storage import Game, Store

ROOT = Path(__file__).parents[2]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
async def store(path: Path, clock: Clock) -> AsyncIterator[Store]:
    async with Store.open(path, clock=clock, busy_seconds=0.2) as opened:
        yield opened


@pytest.fixture
async def game(store: Store) -> Game:
    return await store.create_game(channel_id=7, guild_id=70, host_id=1, title="1889")


@pytest.fixture
def start_child() -> Callable[..., subprocess.Popen[str]]:
    """Start `child.py` with some arguments in a process of its own."""

    def start(*arguments: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("child.py")), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    return start
