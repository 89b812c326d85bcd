"""The cautious policy: what the bot does in the turn of somebody who is late, if the table has agreed to it.

It never bids, sells, dumps or trades, and lays nothing: it runs the best routes, pays, passes, and does only what the
rules leave no way around, the cheapest first. It is pure over the legal actions; every such move says that it was the
bot's.
"""

from __future__ import annotations

import engine
from bot.core.notes import Note
from bot.core.orders import Orders
from bot.core.outcome import outcome
from bot.core.turns import Move, same_turn
from engine.actions import (
    Action,
    Bid,
    BidToChoose,
    BuyPassage,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ClosePrivate,
    CompanyBuysPrivate,
    DiscardTrain,
    Dividend,
    EndGame,
    ExchangePrivate,
    GoBankrupt,
    LayPowerTile,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    RestoreToken,
    RunTrains,
    SellPrivate,
    SellShares,
    TradePrivate,
)
from engine.ids import PlayerId
from engine.state import State
from engine.title import Title

FORBIDDEN: tuple[type[Action], ...] = (
    *(Bid, BidToChoose, SellShares, SellPrivate, TradePrivate, CompanyBuysPrivate, ExchangePrivate, ClosePrivate),
    *(LayTile, LayPowerTile, GoBankrupt, EndGame),
)
"""What it does only where the rules leave nothing else, as a sale of shares for a train that must be bought."""
_COMPULSORY: tuple[type[Action], ...] = (
    *(PlaceToken, DiscardTrain, BuyTrain, BuyPrivate, Par, BuyShare, BuyPassage, RestoreToken),
    *(LayTile, LayPowerTile, SellPrivate, ExchangePrivate, ClosePrivate, Bid, BidToChoose, SellShares, GoBankrupt),
)
"""What is done where nothing can be passed: the first kind that is possible."""
_PAYOUTS = ("pay", "half", "withhold")
MOST = 60
"""More moves than any turn has; then a person must go on."""


def cautious(title: Title, state: State, seat: PlayerId) -> Action | None:
    """What the policy does now; None where the seat can only agree with somebody, which is not the bot's to do."""
    declined = Pass(seat)
    verbs = engine.present_step(title, state).by_action
    if RunTrains not in verbs and Dividend not in verbs and engine.judge(title, state, declined) is None:
        return declined
    legal = [one for one in engine.legal(title, state, seat) if not _needs_somebody(title, state, one)]
    runs = [one for one in legal if isinstance(one, RunTrains)]
    if runs:
        return runs[0]
    pays = [one for one in legal if isinstance(one, Dividend)]
    if pays:
        return min(pays, key=lambda one: _PAYOUTS.index(one.kind))
    if declined in legal:
        return declined
    for kind in _COMPULSORY:
        found = [one for one in legal if isinstance(one, kind)]
        if found:
            return min(found, key=lambda one: _cost(title, state, one))
    return None


def _needs_somebody(title: Title, state: State, action: Action) -> bool:
    """Whether another person would have to agree."""
    other = engine.consent(title, state, action)
    return other is not None and other != action.by


def _cost(title: Title, state: State, action: Action) -> int:
    """What the action costs or gives up; of equal ones the first that is offered is taken."""
    match action:
        case BuyTrain():
            return action.price
        case DiscardTrain():
            return title.trains[action.rank].price
        case SellShares():
            return action.count
        case Bid() | BidToChoose():
            return action.amount
        case Par():
            cell = title.market.cell(action.row, action.col)
            return 0 if cell is None else cell.price
    return 0


def cautious_turn(title: Title, state: State, seat: PlayerId, seq: int, orders: Orders) -> list[Move]:
    """The rest of the seat's turn as the policy plays it, from move `seq` on, with what follows. Updates `orders`.

    Empty where the policy can do nothing. It leaves off after `MOST` moves, which no turn has.
    """
    asked, moves = engine.decision(title, state), list[Move]()
    while seat in asked.players and same_turn(asked, engine.decision(title, state)) and len(moves) < MOST:
        action = cautious(title, state, seat)
        if action is None:
            break
        moves += outcome(title, state, action, None, Note("by the bot, cautiously"), seq + len(moves), orders)
        state = moves[-1].state
        if asked.subject is None and any(isinstance(one.action, Pass) for one in moves):
            break
    return moves
