"""People at the stand-in: whoever is told to stop waiting does."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from wire_people import until


@pytest.mark.parametrize("turns", range(6))
async def test_whoever_is_told_to_stop_waiting_stops_also_if_something_happens_just_then(turns: int) -> None:
    """Somebody who waits on would press buttons beside the others, of a bot that was killed."""
    server: Any = SimpleNamespace(world=SimpleNamespace(moved=asyncio.Condition()))
    waiting = asyncio.create_task(until(server, lambda: False, 60))
    await asyncio.sleep(0.01)
    async with server.world.moved:
        server.world.moved.notify_all()
    for _ in range(turns):
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait({waiting}, timeout=0.5)
    assert waiting.cancelled()
