"""Processes that work for the bot: one that dies costs those who wait for it one new start."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from bot.core.work import Pool


def ready() -> None:
    """What a process does first: nothing."""


def dies_once(note: Path) -> None:
    """Wait to be killed, unless somebody was before."""
    if not note.exists():
        note.touch()
        time.sleep(600)


def _until_there(note: Path) -> None:
    while not note.exists():
        time.sleep(0.01)


@pytest.mark.broad
async def test_all_who_see_a_process_die_share_the_next_one(tmp_path: Path) -> None:
    pool = Pool("test", 1, ready)
    try:
        assert await pool.do(abs, -1) == 1
        (first,) = pool.processes()
        note = tmp_path / "waits"
        waiting = [asyncio.create_task(pool.do(dies_once, note)) for _ in range(3)]
        await asyncio.to_thread(_until_there, note)
        os.kill(first, signal.SIGKILL)
        await asyncio.gather(*waiting)
        assert pool.broken == 1
        assert len(pool.processes()) == 1
    finally:
        pool.close()


@pytest.mark.broad
async def test_waiting_for_a_process_does_not_count() -> None:
    pool = Pool("test", 1, ready)
    try:
        assert await pool.do(abs, -1) == 1
        await asyncio.gather(*(pool.do(time.sleep, 0.3, seconds=1.0) for _ in range(8)))
        assert pool.broken == 0
    finally:
        pool.close()
