"""Watching, as the house finds it."""

from __future__ import annotations

from bot.chat.answers import acknowledge
from bot.chat.press import Press
from bot.chat.room import Room
from bot.core.notices import BoardNotice, FollowNotice
from bot.rooms.watching import saying, watching


async def _follow(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await watching.follow(given.bot, given.interaction, given.game, "".join(given.parts))


ROOM = Room(
    presses={
        "follow": _follow,
    },
    says={FollowNotice: saying.say_follow, BoardNotice: saying.say_board},
    lost=saying.lost,
    due=watching.tell_watchers,
)
