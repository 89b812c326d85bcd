"""The sender: what is slow is not sent twice, what was sent is not sent again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any
from unittest.mock import AsyncMock

import aiohttp
import pytest
from club import Club
from days import Hand
from discord import Object
from discord.utils import time_snowflake
from player import passes

from bot.chat.messages import CLOCKS, Messages, around
from bot.chat.screen import Button, Screen
from bot.core.notices import (
    say_notice,
)
from bot.core.table import Table
from bot.rooms.turn import deals
from engine.actions import Bid
from engine.ids import PlayerId, PrivateId
from storage import Notice, OutboxItem, Unavailable


async def test_a_send_that_outlasts_its_claim_is_not_repeated(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await club.begin(3)
    begun, looked, ready = asyncio.Event(), asyncio.Event(), asyncio.Event()
    post, claim, posts = Messages.post, table.store.outbox.claim, 0

    async def slowly(self: Messages, *args: Any, **more: Any) -> None:
        nonlocal posts
        posts += 1
        begun.set()
        await ready.wait()
        await post(self, *args, **more)

    async def watched(owner: str, **more: Any) -> Any:
        items = await claim(owner, **more)
        looked.set()
        return items

    monkeypatch.setattr(Messages, "post", slowly)
    monkeypatch.setattr(table.store.outbox, "claim", watched)
    await passes(table, "p1")
    club.bot.sender.wake()
    await begun.wait()
    looked.clear()
    monkeypatch.setattr(table.store._db, "clock", lambda: int(time.time()) + 3600)
    await club.bot.sender.reopened(club.bot.guilds[0])
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
    await club.says()
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
    assert [one async for one in around(channel, moment)] == [1, 30, -1, -120, 5 - CLOCKS]


async def test_what_was_sent_while_the_database_was_away_is_noted_at_the_next_look(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only when the claim has run out: until then nothing else could be said in the channel."""
    table = await club.begin(3)
    await club.bot.sender.idle()
    done = table.store.outbox.done
    away = AsyncMock(side_effect=Unavailable("The database cannot be used: it is away."))
    monkeypatch.setattr(table.store.outbox, "done", away)
    await passes(table, "p1")
    await club.says()
    assert await table.store.outbox.waiting() == 1
    monkeypatch.setattr(table.store.outbox, "done", done)
    await club.says()
    assert await table.store.outbox.waiting() == 0


async def test_what_was_deleted_before_the_bot_knew_that_it_was_sent_is_sent_again(club: Club) -> None:
    """Discord knows a message by its nonce for some minutes, also a deleted one: then it is unknown, it says."""
    table = await club.begin(3)
    await club.bot.sender.idle()
    unknown = {"status": 404, "code": 10008, "message": "Unknown Message", "times": 1}
    club.env.backend.faults.append({"method": "POST", "path": "/channels/*/messages", **unknown})
    await passes(table, "p1")
    await club.says()
    assert [user.id for user in club.packet().mentions] == [table.seats["p2"].user_id]
    assert await table.store.outbox.waiting() == 0


async def test_each_failure_waits_longer_than_the_one_before(
    club: Club, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(3)
    await club.bot.sender.idle()
    monkeypatch.setattr(Messages, "post", AsyncMock(side_effect=OSError("The network is down.")))
    await table.store.outbox.post(table.game.id, [say_notice("**Ben** keeps the seat.")])
    for pause in (5, 15, 60):
        await club.says()
        assert await table.store._db.all("SELECT next_attempt_at FROM outbox WHERE done_at IS NULL") == [
            (hand.now + pause,)
        ]
        hand.now += pause


async def test_what_was_sent_is_known_by_its_notice_and_not_by_what_it_says(club: Club) -> None:
    """Otherwise a turn is taken for told, after a crash, of which nobody was told."""
    table = await club.begin(3)
    place = await club.bot.messages.channel(club.channel.id)
    alike = say_notice("**Ben** keeps the seat.")
    since = int(place.created_at.timestamp())
    notices = (alike, alike, table.shown())
    items = [item_of(table, number, notice, since) for number, notice in enumerate(notices, start=901)]
    bare = Screen(game=table.game.id)
    bare.buttons(Button("No more reminders", "silence"))
    await club.bot.messages.send(place, Screen("**Ben** keeps the seat."))
    assert [await club.bot.messages.earlier(item, place) for item in items] == [None] * 3
    sent = [
        await club.bot.messages.send(place, screen, nonce=item.nonce)
        for item, screen in zip(items, (Screen("Alike."), Screen("Alike."), bare), strict=True)
    ]
    found = [await club.bot.messages.earlier(item, place) for item in items]
    assert [one and one.id for one in found] == [one.id for one in sent]


def item_of(table: Table, number: int, notice: Notice, since: int) -> OutboxItem:
    """The notice as it waits at the table's position, after an attempt of which nobody knows how it ended."""
    seq = table.position.seq
    return OutboxItem(number, table.game.id, seq, notice.kind, notice.body, notice.lane, 0, 2, since)


async def test_an_offer_that_is_posted_too_late_loses_its_buttons(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game may go on, and its next turn be shown, while the offer is still on its way."""
    table = await club.begin(3)
    send, shown, moved = Messages.send, asyncio.Event(), asyncio.Event()

    async def slowly(self: Messages, place: Any, screen: Screen, *more: Any) -> Any:
        if "The offer ends" in screen.footer:
            await moved.wait()
        message = await send(self, place, screen, *more)
        shown.set()
        return message

    monkeypatch.setattr(Messages, "send", slowly)
    await deals.make(table, Bid(PlayerId("p1"), PrivateId("B"), 35), PlayerId("p2"), seen=None, interaction=900)
    club.bot.sender.wake()
    await passes(table, "p1")
    club.bot.sender.wake()
    await shown.wait()
    moved.set()
    await club.bot.sender.idle()
    assert [one.kind.partition(":")[0] for one in await table.store.messages.live(table.game.id)] == ["turn"]


@pytest.mark.parametrize("where", ["asking for the channel", "telling who acted"])
async def test_a_connection_that_breaks_while_it_is_found_out_why_nothing_can_be_posted_stops_no_other_notice(
    club: Club, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    await club.begin(3)
    await club.bot.sender.idle()
    broken = AsyncMock(side_effect=aiohttp.ServerDisconnectedError())
    if where == "asking for the channel":
        monkeypatch.setattr(club.bot, "fetch_channel", broken)
    else:
        monkeypatch.setattr("bot.chat.sender.show_privately", broken)
    path = f"/channels/{club.channel.id}/messages"
    club.env.inject_error("POST", path, status=404, code=10003, times=1)
    await club.aiko.click(club.packet(), label="Pass")
    await club.bot.sender.idle()  # raises what stops it
    assert await club.bot.store.outbox.waiting() == 1
