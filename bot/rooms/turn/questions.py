"""Sentences, and questions to some people: a deal, an undo, a seat, a vote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core import clockwork, undoing
from bot.core.errors import TableError
from bot.core.notices import SayNotice, UndoNotice, VoteNotice
from bot.rooms.seats import screen as seats
from bot.rooms.seats.votes import vote_screen
from bot.rooms.turn import asking, deals
from storage import OutboxItem

if TYPE_CHECKING:
    from bot.chat.client import Bot

NEWS, OFFERED, VOTED = "something was said to you", "an offer waits for your answer", "the table votes"
TAKEN_BACK = "somebody asks to take something back"
"""What people are told later whom a message may not ping at once, after the channel."""


async def say_text(bot: Bot, item: OutboxItem, said: SayNotice) -> None:
    """Say a sentence, with buttons if it is about a seat."""
    asks = bool(said.about)
    if await bot.messages.sent_before(item, remember=asks):
        return
    screen = seats.notice_screen(said.text, said.about, item.game, item.seq)
    free = await clockwork.pinged_for(bot.store, item.game, said.ping, item.id, said.later or NEWS, said.by)
    await bot.messages.post(item, screen, free, remember=asks)


async def say_undo(bot: Bot, item: OutboxItem, asked: UndoNotice) -> None:
    """Ask for an undo, unless the request no longer stands."""
    if await bot.messages.sent_before(item, remember=True):
        return
    table = await bot.tables.get(item.game)
    try:
        request = await undoing.request(table, asked.seq)
    except TableError:
        await bot.store.outbox.drop(item, "the request no longer stands")
        return
    screen = await asking.request_screen(table, request)
    by = table.seats[request.by].user_id
    free = await clockwork.pinged_for(bot.store, item.game, asked.ping, item.id, TAKEN_BACK, by)
    await bot.messages.post(item, screen, free, remember=True)


async def say_offer(bot: Bot, item: OutboxItem, action: str) -> None:
    """Ask for the answer to an offer, unless it is closed."""
    offers = [one for one in await bot.store.offers.open(item.game) if one.body == action]
    if not offers:
        await bot.store.outbox.drop(item, "the offer is closed")
        return
    table = await bot.tables.get(item.game)
    if not await bot.messages.sent_before(item, remember=True):
        asked, by = [table.seats[one].user_id for one in (offers[-1].to_seat, offers[-1].from_seat)]
        free = await clockwork.pinged_for(bot.store, item.game, [asked], item.id, OFFERED, by)
        await bot.messages.post(item, deals.offer_screen(table, offers[-1]), free, remember=True)
    if item.seq < table.position.seq:  # the turn that was shown meanwhile did not know of it
        for message in await bot.store.messages.live(item.game):
            if (message.kind, message.seq) == (item.kind, item.seq):
                bot.retirer.add(item.game, message)


async def say_vote(bot: Bot, item: OutboxItem, asked: VoteNotice) -> None:
    """Ask for votes, unless it is settled by now."""
    if await bot.messages.sent_before(item, remember=True):
        return
    if not await bot.store.votes.of_game(item.game, asked.question):
        await bot.store.outbox.drop(item, "the vote is over")
        return
    free = await clockwork.pinged_for(bot.store, item.game, asked.ping, item.id, VOTED, asked.by)
    await bot.messages.post(item, vote_screen(asked.text, asked.question, item.game, item.seq), free, remember=True)
