"""The way from a notice of the outbox to the message that says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.notices import (
    ArchivedNotice,
    BoardNotice,
    FollowNotice,
    LateNotice,
    OfferNotice,
    RingNotice,
    SayNotice,
    TurnNotice,
    UndoNotice,
    VoteNotice,
    read_notice,
)
from bot.rooms.time.saying import say_archived, say_late, say_ring
from bot.rooms.turn.questions import say_offer, say_text, say_undo, say_vote
from bot.rooms.turn.saying import say_turn
from bot.rooms.watching.saying import say_board, say_follow
from storage import OutboxItem

if TYPE_CHECKING:
    from bot.chat.client import Bot


async def say(bot: Bot, item: OutboxItem) -> None:
    """Post the notice, or edit the message that it is about; then it is done, or dropped as it says nothing now.

    Raises discord.HTTPException, TableError or a storage error: then it waits.
    """
    match read_notice(item.kind, item.body):
        case TurnNotice():
            await say_turn(bot, item)
        case UndoNotice() as asked:
            await say_undo(bot, item, asked)
        case OfferNotice(action):
            await say_offer(bot, item, action)
        case SayNotice() as said:
            await say_text(bot, item, said)
        case VoteNotice() as vote:
            await say_vote(bot, item, vote)
        case RingNotice() as ring:
            await say_ring(bot, item, ring)
        case LateNotice() as late:
            await say_late(bot, item, late)
        case ArchivedNotice():
            await say_archived(bot, item)
        case FollowNotice() as told:
            await say_follow(bot, item, told)
        case BoardNotice(number):
            await say_board(bot, item, number)


def is_watch(item: OutboxItem) -> bool:
    """Whether it is for somebody outside the table, who says nothing about the table's channel."""
    return isinstance(read_notice(item.kind, item.body), FollowNotice | BoardNotice)
