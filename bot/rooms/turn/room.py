"""The turn, as the house finds it."""

from bot.chat.room import Room
from bot.core.notices import OfferNotice, TurnNotice, UndoNotice
from bot.rooms.turn import act, asking, choosing, forms, saying, shown
from bot.rooms.turn.commands import CompanyCommands, PrivateCommands, StockCommands, TrainCommands, TurnCommands

ROOM = Room(
    presses={**act.HANDLERS, **choosing.HANDLERS, **shown.HANDLERS},
    forms={"amount": forms.submitted},
    says={TurnNotice: saying.say_turn, UndoNotice: asking.say_undo, OfferNotice: asking.say_offer},
    left=saying.left,
    stands=asking.stands,
    cogs=(TurnCommands, StockCommands, PrivateCommands, CompanyCommands, TrainCommands),
)
