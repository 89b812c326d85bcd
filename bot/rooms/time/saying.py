"""What is said about time: that a turn waits for somebody, that they are late, that a game is archived."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from bot.chat.client import Bot
from bot.chat.screen import Button, Screen
from bot.core import clockwork
from bot.core.clock import LATE
from bot.core.notices import ARCHIVED, LateNotice, RingNotice
from bot.core.person import Person
from bot.core.table import Table
from bot.rooms.time import late
from bot.rooms.time.rings import CLOSED
from storage import OutboxItem

ASKED = "the table decides about somebody"
"""What people are told later whom the question may not ping at once, after the channel."""


async def say_ring(bot: Bot, item: OutboxItem, ring: RingNotice) -> None:
    """Tell a person what waits for them: by direct message, or in answer to the turn's message."""
    person = (await clockwork.people_of(bot.store, [ring.user]))[ring.user]
    screen = Screen(ring.text, game=item.game, seq=item.seq)
    if ring.silence:
        screen.buttons(Button("Not for this turn", "silence"))
    if ring.dm and not person.closed:
        if await _told_directly(bot, item, ring, screen):
            return
        person = await clockwork.change_person(bot.store, ring.user, lambda one, now: replace(one, closed=True))
    if ring.private:
        await bot.store.outbox.drop(item, "only they may read it, and they accept no direct messages")
        return
    if await bot.messages.sent_before(item):
        await _heard(bot, ring)
        return
    if ring.waits and not (await clockwork.clock_of(bot.store, item.game)).waits_for(ring.user):
        await bot.store.outbox.drop(item, "the game waits for somebody else")
        return
    if ring.dm:
        screen.text = f"<@{ring.user}>: {ring.text}\n{CLOSED}"
    await bot.present.look(item.game)  # what is answered may have been deleted
    free = _free(bot, person, ring.user)
    await bot.messages.post(item, screen, free, reply=True, told=partial(_heard, bot, ring) if free else None)


async def _told_directly(bot: Bot, item: OutboxItem, ring: RingNotice, screen: Screen) -> bool:
    """Send it as a direct message; False if the person accepts none of the bot's."""
    place = await bot.messages.direct(ring.user)
    if place is None:
        return False
    if await bot.messages.sent_before(item, place=place):
        await _heard(bot, ring)
        return True
    message = await bot.messages.send_direct(place, screen, item.nonce)
    if message is None:
        return False
    await _heard(bot, ring)
    await bot.store.outbox.done(item, message_id=message.id)
    return True


async def _heard(bot: Bot, ring: RingNotice) -> None:
    """The person knows of the turns that they were told of."""
    await clockwork.heard(bot.store, ring.turns, [ring.user])


def _free(bot: Bot, person: Person, user: int) -> list[int]:
    """The person, if they may be disturbed now."""
    now = bot.clock()
    return [user] if person.reachable(now) == now else []


async def say_late(bot: Bot, item: OutboxItem, asked: LateNotice) -> None:
    """Ask the others what to do about a seat whose time is up."""
    if await bot.messages.sent_before(item, remember=True):
        return
    screen = await late.late_screen(await bot.tables.get(item.game), asked.seat)
    if screen is None:
        await bot.store.outbox.drop(item, "nobody is late any more")
        return
    free = await clockwork.pinged_for(bot.store, item.game, asked.ping, item.id, ASKED)
    await bot.messages.post(item, screen, free, remember=True)


async def say_archived(bot: Bot, item: OutboxItem, _: Any) -> None:
    """Say that a game was archived, with a button that wakes it."""
    if await bot.messages.sent_before(item, remember=True):
        return
    screen = late.archived_screen(await bot.tables.get(item.game), item.seq)
    await bot.messages.post(item, screen, [], remember=True)


async def stands(table: Table, kind: str) -> bool:
    """Whether the others are still asked about somebody who is late."""
    return _is_late(kind) and (await clockwork.clock_of(table.store, table.game.id)).late is not None


async def left(table: Table, kind: str) -> Screen | None:
    """What is left of the question about somebody who was late, or of an archived game's message."""
    del table
    return Screen(late.SETTLED) if _is_late(kind) or kind == ARCHIVED else None


def _is_late(kind: str) -> bool:
    return kind.startswith(f"{LATE}:")
