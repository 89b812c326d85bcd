"""Questions that a turn brings: a deal, an undo."""

from __future__ import annotations

from bot.chat.client import Bot
from bot.core import clockwork
from bot.core.errors import TableError
from bot.core.notices import OfferNotice, UndoNotice
from bot.rooms.turn import asking, deals, requests
from storage import OutboxItem


async def say_undo(bot: Bot, item: OutboxItem, asked: UndoNotice) -> None:
    """Ask for an undo, unless the request no longer stands."""
    if await bot.messages.sent_before(item, remember=True):
        return
    table = await bot.tables.get(item.game)
    try:
        request = await requests.request(table, asked.seq)
    except TableError:
        await bot.store.outbox.drop(item, "the request no longer stands")
        return
    screen = await asking.request_screen(table, request)
    by = table.seats[request.by].user_id
    free = await clockwork.pinged_for(bot.store, item.game, asked.ping, item.id, "undo", by)
    await bot.messages.post(item, screen, free, remember=True)


async def say_offer(bot: Bot, item: OutboxItem, asked_for: OfferNotice) -> None:
    """Ask for the answer to an offer, unless it is closed."""
    offers = [one for one in await bot.store.offers.open(item.game) if one.body == asked_for.action]
    if not offers:
        await bot.store.outbox.drop(item, "the offer is closed")
        return
    table = await bot.tables.get(item.game)
    if not await bot.messages.sent_before(item, remember=True):
        asked, by = [table.seats[one].user_id for one in (offers[-1].to_seat, offers[-1].from_seat)]
        free = await clockwork.pinged_for(bot.store, item.game, [asked], item.id, "offer", by)
        await bot.messages.post(item, deals.offer_screen(table, offers[-1]), free, remember=True)
    if item.seq < table.position.seq:  # the turn that was shown meanwhile did not know of it
        for message in await bot.store.messages.live(item.game):
            if (message.kind, message.seq) == (item.kind, item.seq):
                bot.retirer.add(item.game, message)
