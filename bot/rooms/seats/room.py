"""Opening a game, seats and votes, as the house finds them."""

from __future__ import annotations

import logging

from bot.chat.client import Bot
from bot.chat.room import Room
from bot.core.errors import TableError
from bot.core.notices import SayNotice, VoteNotice
from bot.rooms.seats import handing, presses, saying, seating
from bot.rooms.seats.commands import SeatsCommands
from bot.rooms.seats.joining import redraw_lobby
from storage import StorageError, Unavailable

log = logging.getLogger("tetsudo.seats")


async def due(bot: Bot) -> int:
    """Give back the seats whose loans are over; how many that were."""
    loans = await bot.store.tenures.loans_over(await bot.store.time())
    done = 0
    for loan in loans:
        try:
            if not bot.is_ours((await bot.store.game(loan.game)).guild_id):
                continue
            await handing.end_loan(await bot.tables.get(loan.game), loan)
            done += 1
        except Unavailable:
            raise
        except (TableError, StorageError) as error:
            log.warning("a loan did not end: %s", error, extra={"game": loan.game})
    return done


ROOM = Room(
    presses=presses.HANDLERS,
    says={SayNotice: saying.say_text, VoteNotice: saying.say_vote},
    stands=saying.stands,
    left=saying.left,
    due=due,
    posted=seating.look_for_absent,
    changed=redraw_lobby,
    cogs=(SeatsCommands,),
)
