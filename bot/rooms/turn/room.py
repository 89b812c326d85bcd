"""The turn, as the house finds it."""

from __future__ import annotations

from bot.chat.room import Room
from bot.core.notices import OfferNotice, TurnNotice, UndoNotice
from bot.rooms.turn import acting, choosing, forms, questions, saying, showing
from bot.rooms.turn.commands import TurnCommands
from bot.rooms.turn.company import CompanyCommands
from bot.rooms.turn.privates import PrivateCommands
from bot.rooms.turn.shares import StockCommands
from bot.rooms.turn.trains import TrainCommands

ROOM = Room(
    presses={**acting.HANDLERS, **choosing.HANDLERS, **showing.HANDLERS},
    forms={"amount": forms.submitted},
    says={TurnNotice: saying.say_turn, UndoNotice: questions.say_undo, OfferNotice: questions.say_offer},
    left=saying.left,
    cogs=(TurnCommands, StockCommands, PrivateCommands, CompanyCommands, TrainCommands),
)
