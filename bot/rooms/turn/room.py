"""The turn, as the house finds it."""

from __future__ import annotations

from bot.chat.room import Room
from bot.core.notices import OfferNotice, TurnNotice, UndoNotice
from bot.rooms.turn import acting, choosing, forms, questions, saying, showing
from bot.rooms.turn.commands import CompanyCommands, PrivateCommands, StockCommands, TrainCommands, TurnCommands

ROOM = Room(
    presses={**acting.HANDLERS, **choosing.HANDLERS, **showing.HANDLERS},
    forms={"amount": forms.submitted},
    says={TurnNotice: saying.say_turn, UndoNotice: questions.say_undo, OfferNotice: questions.say_offer},
    left=saying.left,
    cogs=(TurnCommands, StockCommands, PrivateCommands, CompanyCommands, TrainCommands),
)
