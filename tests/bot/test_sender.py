"""The sender: what is slow is not sent twice, what was sent is not sent again."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from club import Club
from discord import Object
from discord.utils import time_snowflake
from test_fair_undo import three_passed

from bot.chat.messages import CLOCKS, Messages, around, says
from bot.chat.screen import Button, Screen
from bot.core.clock import Around, GameClock
from bot.core.notices import (
    archived_notice,
    board_notice,
    follow_notice,
    late_notice,
    offer_notice,
    ring_notice,
    say_notice,
    seat_notice,
    undo_notice,
    vote_notice,
)
from bot.core.table import Table
from bot.rooms.past.finish import final_screen
from bot.rooms.seats.agreeing import vote_screen
from bot.rooms.seats.screen import notice_screen
from bot.rooms.time.late import archived_screen, late_screen
from bot.rooms.turn import deals, requests
from bot.rooms.turn.asking import request_screen
from bot.rooms.turn.deals import offer_screen
from bot.rooms.turn.screen import turn_screen, waiting_screen
from bot.rooms.watching.screen import board_screen, digest_screen
from engine.action_json import to_json
from engine.actions import Bid, Pass, TradePrivate
from engine.ids import PlayerId, PrivateId
from storage import Break, Notice, Offer, OutboxItem, Ticked, Unavailable

pytestmark = pytest.mark.usefixtures("plain_pictures")


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
    await table.submit(Pass(PlayerId("p1")), user=table.seats["p1"].user_id)
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
    assert [one async for one in around(channel, moment)] == [1, 30, -1, -120, 5 - CLOCKS]


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


async def test_what_was_sent_is_not_mistaken_for_another_message_of_the_same_position(club: Club) -> None:
    """Otherwise a turn is taken for told, after a crash, of which nobody was told."""
    table = await three_passed(club)
    names = {"offer": offer_notice("p2", "{}"), "undo": undo_notice(1), "other undo": undo_notice(3)}
    names |= {"say": say_notice("**Ben** keeps the seat."), "seat": seat_notice("open:p2", "Ben's seat is **open**.")}
    names |= {"late": late_notice("p4", []), "other late": late_notice("p3", []), "archived": archived_notice()}
    names |= {"follow": follow_notice(1, 2, 0, "A round has ended."), "board": board_notice(1)}
    names |= {"vote": vote_notice("pace", "Another pace?"), "other vote": vote_notice("end", "The end?")}
    names |= {"ring": ring_notice(2, "It is still your turn.", dm=False, silence=True)}
    items = {name: item_of(table, notice) for name, notice in {**names, "turn": table.shown()}.items()}
    for name, screens in (await screens_at(table)).items():
        for screen in screens:
            message = await club.bot.messages.send(await club.bot.messages.channel(club.channel.id), screen)
            assert [one for one, item in items.items() if says(message, item)] == [name]


def item_of(table: Table, notice: Notice) -> OutboxItem:
    """The notice as it waits at the table's position."""
    return OutboxItem(9, table.game.id, table.position.seq, notice.kind, notice.body, notice.lane, 0, 2, None, 1)


async def screens_at(table: Table) -> dict[str, list[Screen]]:
    """What is shown at this position for notices of each kind; for a turn, whatever its message may show."""
    game, seq = table.game.id, table.position.seq
    bought = json.dumps(to_json(TradePrivate(PlayerId("p1"), PrivateId("B"), 30)))
    await requests.ask(table, table.seats["p1"].user_id, 1, 900)
    await table.reclock(late_since_now)
    late = await late_screen(table, "p4")
    assert late is not None
    silent = Screen("It is still your turn.", game=game, seq=seq)
    silent.buttons(Button("Not for this turn", "silence"))
    return {
        "turn": [await turn_screen(table), await final_screen(table), await waiting_screen(table, "Other rules.")],
        "offer": [offer_screen(table, Offer(7, game, seq, bought, "p1", "p2", "open", 0, None))],
        "undo": [await request_screen(table, await requests.request(table, 1))],
        "say": [notice_screen("**Ben** keeps the seat.", "", game, seq)],
        "seat": [notice_screen("Ben's seat is **open**.", "open:p2", game, seq)],
        "late": [late],
        "archived": [archived_screen(table.game.id, seq)],
        "follow": [digest_screen("A round has ended.", game, seq, "")],
        "board": [await board_screen(table, "")],
        "ring": [silent],
        "vote": [vote_screen("Another pace?", "pace", game, seq)],
        "other vote": [vote_screen("The end?", "end", game, seq)],
    }


def late_since_now(clock: GameClock, around: Around, now: int, breaks: Sequence[Break]) -> Ticked:
    """The time of whoever is up is over."""
    runs = tuple(replace(one, late_at=now, asked=True) for one in clock.runs)
    return Ticked(replace(clock, runs=runs).text(), None)


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
    await table.submit(Pass(PlayerId("p1")), user=table.seats["p1"].user_id)
    club.bot.sender.wake()
    await shown.wait()
    moved.set()
    await club.bot.sender.idle()
    assert [one.kind.partition(":")[0] for one in await table.store.messages.live(table.game.id)] == ["turn"]
