"""What is said to those who watch: followers of a game, and live boards."""

from __future__ import annotations

import logging

import discord

from bot.chat.client import Bot
from bot.chat.rights import channel_is_gone
from bot.core.notices import BoardNotice, FollowNotice, read_notice
from bot.rooms.watching import watching
from bot.rooms.watching.screen import board_screen, digest_screen
from storage import OutboxItem

log = logging.getLogger("tetsudo.watching")


async def say_follow(bot: Bot, item: OutboxItem, told: FollowNotice) -> None:
    """Tell a follower, unless they follow no more, or may not."""
    watch = await bot.store.watches.get(told.watch)
    place = None if watch is None else await watching.place_of(bot, watch)
    if watch is None or place is None:
        if watch is not None:
            await bot.store.watches.stop(watch.id)
        await bot.store.outbox.drop(item, "nobody follows any more")
        return
    if await bot.messages.sent_before(item, place=place):
        return
    link = await watching.link_to(bot, await bot.store.game(item.game))
    await bot.messages.post(item, digest_screen(told.text, item.game, item.seq, link), [], place=place)


async def say_board(bot: Bot, item: OutboxItem, board: BoardNotice) -> None:
    """Show the game as it is now on a live board: in the message that there is, or a new one."""
    store, messages = bot.store, bot.messages
    watch = await store.watches.get(board.watch)
    if watch is None:
        await store.outbox.drop(item, "the board has ended")
        return
    table = await bot.tables.get(item.game)
    screen = await board_screen(table, await watching.link_to(bot, table.game))
    place = await messages.channel(watch.channel_id)
    known = watch.message_id
    if known is None and (earlier := await messages.earlier(item, place)) is not None:
        known = earlier.id
        await store.watches.shown(watch.id, known)
    if known is not None and await messages.edit(watch.channel_id, known, screen):
        await store.outbox.done(item)
        return
    message = await messages.send(place, screen, nonce=item.nonce)

    async def write() -> None:
        await store.watches.shown(watch.id, message.id)
        await store.outbox.done(item, message_id=message.id)

    await store.together(write)


async def lost(bot: Bot, item: OutboxItem, error: discord.HTTPException) -> bool:
    """End a watch whose follower cannot be told, or whose board cannot be shown, any more; False if it can."""
    notice = read_notice(item.kind, item.body)
    watch = await bot.store.watches.get(notice.watch) if isinstance(notice, FollowNotice | BoardNotice) else None
    place = 0 if watch is None else watch.channel_id  # 0: direct messages
    if not isinstance(error, discord.Forbidden) and not await channel_is_gone(bot, place):
        return False
    log.warning("a watch ends: %s", error.text, extra={"game": item.game, "seq": item.seq, "kind": item.kind})
    if watch is not None:
        await watching.ended(bot, watch)
    await bot.store.outbox.drop(item, "nobody can be told")
    return True
