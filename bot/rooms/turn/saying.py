"""Turns: one message each, posted when it begins, edited as it goes on, reduced to what happened when it is over."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import TYPE_CHECKING

from bot.chat.screen import Screen
from bot.core import clockwork
from bot.core.clock import LATE
from bot.core.notices import AGAIN, LOBBY, seat_matter, turn_of, vote_matter
from bot.core.opponents import is_person
from bot.core.table import Table
from bot.rooms.past.finish import present_screen
from bot.rooms.seats import lobby
from bot.rooms.seats import screen as seats
from bot.rooms.seats.seating import look_for_absent
from bot.rooms.time import late
from bot.rooms.turn import screen as turn
from storage import Message, OutboxItem

if TYPE_CHECKING:
    from bot.chat.client import Bot

log = logging.getLogger("tetsudo.turns")
SAME_TURN, MOST_PINGS = 3600, 3
"""In so many seconds the people of one turn are pinged so often at most."""


async def say_turn(bot: Bot, item: OutboxItem) -> None:
    """Show a turn in one message: post it when the turn begins, and edit it as the turn goes on."""
    started = time.perf_counter()
    table = await bot.tables.get(item.game)
    if table.position.chance:
        await table.go_on()  # a notice of its own follows
    if table.thinking is not None:
        await _say_answered(bot, item, table)
        return
    if await bot.messages.sent_before(item, remember=True):
        for message in await bot.store.messages.live(item.game):
            if message.kind != item.kind and item.seq == table.position.seq and await _has_passed(table, message):
                bot.retirer.add(item.game, message)
        await _shown(bot, table)
        return
    if item.seq < table.position.seq:
        await bot.store.outbox.drop(item, "the position has passed")
        return
    screen = await present_screen(table, await _learned(bot, table))
    live = await bot.store.messages.live(item.game)
    here = table.game.channel_id
    same = [message for message in live if message.kind == item.kind and message.channel_id == here]
    edited = bool(same) and await bot.messages.edit(same[-1].channel_id, same[-1].message_id, screen)
    if edited:
        await _shown(bot, table)
        await bot.store.outbox.done(item, channel_id=here, message_id=same[-1].message_id)
    else:
        ping = await _to_ping(bot, item, table)
        await bot.messages.post(item, screen, ping, remember=True, told=partial(_shown, bot, table))
    spent = round(1000 * (time.perf_counter() - started))
    bot.counts.turn_shown(spent)
    about = {"game": item.game, "seq": item.seq, "kind": item.kind, "attempt": item.attempts, "ms": spent}
    log.info("turn shown", extra=about)
    bot.ahead.add(item.game, table.position)
    for message in live:
        shown = edited and message.kind == item.kind and message.channel_id == here
        if not shown and await _has_passed(table, message):
            bot.retirer.add(item.game, message)
    if not edited:
        await look_for_absent(bot, table)


async def _say_answered(bot: Bot, item: OutboxItem, table: Table) -> None:
    """Let opponents move, and take the controls off the last turn's message meanwhile.

    What they do is told with the next person's turn.
    """
    bot.opponents.wake(item.game)
    for message in await bot.store.messages.live(item.game):
        if (key := turn_of(message.kind)) is not None:
            await bot.messages.edit(
                message.channel_id, message.message_id, await turn.answered_screen(table, key.start)
            )
    await bot.store.outbox.done(item)


async def _learned(bot: Bot, table: Table) -> frozenset[str]:
    """In a teaching game, what whoever is up needs no more tips on."""
    if not table.settings.teaching or len(table.position.up) != 1 or table.position.chance:
        return frozenset()
    return await bot.store.lessons.of_user(table.seats[table.position.up[0]].user_id)


async def _shown(bot: Bot, table: Table) -> None:
    """The turn's message is there, so it has told those who are up, but for whoever is told apart from it."""
    runs = (await clockwork.clock_of(bot.store, table.game.id)).runs
    await clockwork.heard(bot.store, [table.game.id], {one.user for one in runs if not one.rung})


async def _to_ping(bot: Bot, item: OutboxItem, table: Table) -> list[int]:
    """Those who are up and may be disturbed, unless the turn was begun again and again by undo, redo and moves.

    Whoever may not be is told later.
    """
    if item.body == AGAIN and await bot.store.messages.posted_since(item.game, item.kind, 0):
        return []
    since = bot.clock() - SAME_TURN
    if await bot.store.messages.posted_since(item.game, item.kind, since) >= MOST_PINGS:
        return []
    up = (table.seats[seat].user_id for seat in table.position.up if seat in table.seats)
    users = [user for user in dict.fromkeys(up) if is_person(user)]
    return await clockwork.pinged_for_turn(bot.store, table.game, users)


async def _has_passed(table: Table, message: Message) -> bool:
    """Whether a message with controls has nothing more to offer once another turn is shown."""
    matter = seat_matter(message.kind)
    if question := vote_matter(message.kind):
        return table.position.over or not await table.store.votes.of_game(table.game.id, question)
    return not matter or not seats.stands(table, matter)


async def retire(bot: Bot, game_id: str, message: Message) -> None:
    """Replace an old message with what happened, without controls; a question that is still open stays."""
    table, kind = await bot.tables.get(game_id), message.kind
    if kind.startswith(f"{LATE}:") and (await clockwork.clock_of(bot.store, game_id)).late is not None:
        return
    await bot.messages.edit(message.channel_id, message.message_id, await _left_of(table, kind))
    await bot.store.messages.retire([message.message_id])


async def _left_of(table: Table, kind: str) -> Screen:
    """What is left of a message of this kind."""
    if kind == LOBBY:
        return lobby.lobby_screen(table.game, list(table.seats.values()))
    if (key := turn_of(kind)) is not None:
        return await turn.past_screen(table, key.start)
    if matter := seat_matter(kind):
        return seats.past_notice(table, matter)
    if kind.startswith("offer:"):
        return Screen("*This offer has lapsed.*")
    if kind.startswith("undo:"):
        return Screen("*This request has lapsed.*")
    return Screen(late.SETTLED)
