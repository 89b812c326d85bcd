"""Processes that work for the bot: one that dies costs those who wait for it one new start."""

from __future__ import annotations

import asyncio
import os
import signal
import time

from bot.play.pool import Pool


def ready() -> None:
    """What a process does first: nothing."""


async def test_all_who_see_a_process_die_share_the_next_one() -> None:
    pool = Pool("test", 1, ready)
    try:
        assert await pool.do(abs, -1) == 1
        (first,) = pool.processes()
        waiting = [asyncio.create_task(pool.do(time.sleep, 0.2)) for _ in range(3)]
        await asyncio.sleep(0.1)
        os.kill(first, signal.SIGKILL)
        await asyncio.gather(*waiting)
        assert pool.broken == 1
        assert len(pool.processes()) == 1
    finally:
        pool.close()
