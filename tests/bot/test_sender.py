"""The sender: what is slow is not sent twice, what was sent is not sent again."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from club import Club

from bot.ui.sender import Sender
from engine.actions import Pass
from engine.ids import PlayerId

pytestmark = pytest.mark.usefixtures("plain_pictures")


async def test_a_send_that_outlasts_its_claim_is_not_repeated(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await club.begin(3)
    begun, looked, ready = asyncio.Event(), asyncio.Event(), asyncio.Event()
    post, claim, posts = Sender._post, table.store.outbox.claim, 0

    async def slowly(self: Sender, *args: Any, **more: Any) -> None:
        nonlocal posts
        posts += 1
        begun.set()
        await ready.wait()
        await post(self, *args, **more)

    async def watched(owner: str, **more: Any) -> Any:
        items = await claim(owner, **more)
        looked.set()
        return items

    monkeypatch.setattr(Sender, "_post", slowly)
    monkeypatch.setattr(table.store.outbox, "claim", watched)
    await table.submit(Pass(PlayerId("p1")), user=table.seats["p1"].user_id)
    club.bot.sender.wake()
    await begun.wait()
    looked.clear()
    monkeypatch.setattr(table.store._db, "clock", lambda: int(time.time()) + 3600)
    await club.bot.sender.retry()
    club.bot.sender.wake()
    await looked.wait()
    ready.set()
    await club.bot.sender.idle()
    assert posts == 1
    assert [user.id for user in club.packet().mentions] == [table.seats["p2"].user_id]


async def test_a_claim_outlives_the_longest_send(club: Club) -> None:
    """So that a second process, too, waits until the first has given up."""
    table = await club.begin(3)
    deadline = club.bot.settings.send_deadline
    claim = table.store.outbox.claim
    asked: list[int] = []

    async def watched(owner: str, **more: Any) -> Any:
        asked.append(more["lease_seconds"])
        return await claim(owner, **more)

    table.store.outbox.claim = watched  # type: ignore[method-assign]
    club.bot.sender.wake()
    await club.bot.sender.idle()
    assert min(asked) > deadline
