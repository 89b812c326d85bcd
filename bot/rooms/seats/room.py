"""Opening a game, seats and votes, as the house finds them."""

from __future__ import annotations

from bot.chat.room import Room
from bot.core.notices import SayNotice, VoteNotice
from bot.rooms.seats import loans, presses, saying, seating
from bot.rooms.seats.commands import SeatsCommands
from bot.rooms.seats.joining import redraw_lobby

ROOM = Room(
    presses=presses.HANDLERS,
    says={SayNotice: saying.say_text, VoteNotice: saying.say_vote},
    stands=saying.stands,
    left=saying.left,
    due=loans.due,
    posted=seating.look_for_absent,
    changed=redraw_lobby,
    cogs=(SeatsCommands,),
)
