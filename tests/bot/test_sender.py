"""The sender: what is slow is not sent twice, what was sent is not sent again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from club import Club
from discord import Object
from discord.utils import time_snowflake

from bot.ui.sender import CLOCKS, Sender, _around
from engine.actions import Pass
from engine.ids import PlayerId
from storage import Unavailable

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


class Posted:
    """A channel with messages posted so many seconds after a moment, by Discord's clock."""

    def __init__(self, moment: int, *seconds: int) -> None:
        self.ids = {time_snowflake(datetime.fromtimestamp(moment + one, UTC)): one for one in seconds}

    async def history(
        self, *, limit: int, after: Object, before: Object | None = None, oldest_first: bool
    ) -> AsyncIterator[int]:
        found = [one for one in sorted(self.ids) if after.id < one and (before is None or one < before.id)]
        for one in (found if oldest_first else found[::-1])[:limit]:
            yield self.ids[one]


async def test_what_was_sent_is_looked_for_before_the_attempt_too() -> None:
    """Discord's clock may be behind ours: then what we sent seems older than the attempt to send it."""
    moment = 1_800_000_000
    channel = Posted(moment, -2 * CLOCKS, 5 - CLOCKS, -120, -1, 1, 30)
    assert [one async for one in _around(channel, moment)] == [1, 30, -1, -120, 5 - CLOCKS]


async def test_what_was_sent_while_the_database_was_away_is_noted_at_the_next_look(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only when the claim has run out: until then nothing else could be said in the channel."""
    table = await club.begin(3)
    await club.bot.sender.idle()
    done = table.store.outbox.done

    async def away(*_: Any, **__: Any) -> None:
        raise Unavailable("The database cannot be used: it is away.")

    monkeypatch.setattr(table.store.outbox, "done", away)
    await table.submit(Pass(PlayerId("p1")), user=table.seats["p1"].user_id)
    club.bot.sender.wake()
    await club.bot.sender.idle()
    assert await table.store.outbox.waiting() == 1
    monkeypatch.setattr(table.store.outbox, "done", done)
    club.bot.sender.wake()
    await club.bot.sender.idle()
    assert await table.store.outbox.waiting() == 0
