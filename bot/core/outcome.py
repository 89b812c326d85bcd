"""What an action leads to until a person has a choice again, and what the bot does for somebody who is late.

Everything here is slow and runs in a worker thread, once per action.
"""

import secrets
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from random import Random

import engine
from bot.core.moves import Move, Note, company_of, same_turn
from bot.core.orders import Maker, Orders
from engine import CHANCE, Action, PlayerId, State, Title
from engine import actions as a
from engine.facts import TurnBegan
from engine.secrets import hidden_purses, with_purses

RANDOM: Random = secrets.SystemRandom()
"""What chance decides with."""
LONGEST_CHAIN = 500
"""Moves that follow from one press at most; programs of several players can play whole rounds."""


def outcomes(
    title: Title, state: State, actions: Sequence[Action], user: int | None, note: Note | None, seq: int, orders: Orders
) -> list[Move]:
    """The actions of one press, one after the other from move `seq` on, each with every move that must come between.

    Updates `orders`. Raises Refused or BadAction where one of them cannot be done; then none is.
    """
    moves: list[Move] = []
    for action, then in zip_longest(actions, actions[1:]):
        after, number = engine.apply(title, state, action), seq + len(moves)
        if note is None or note.how in ("host", "suggested"):
            orders.overruled(title, state, action)
        orders.moved(title, state, action, after, number)
        moves.append(Move(number, action, user, note, after, company_of(state), joined=bool(moves)))
        moves += following(title, after, number + 1, orders, then)
        state = moves[-1].state
    return moves


def following(title: Title, state: State, seq: int, orders: Orders, then: Action | None = None) -> Iterator[Move]:
    """Chance draws, forced passes and moves of programs, from move `seq` on, until a person has a choice, or made it.

    A program's move is its owner's own: nothing in it says that a program made it.
    """
    for number in range(seq, seq + LONGEST_CHAIN):
        chosen = then is not None and engine.judge(title, state, then) is None
        automatic = None if state.over or chosen else _next(title, state, orders)
        if automatic is None:
            return
        action, note, maker = automatic
        company, before = company_of(state), state
        state = engine.apply(title, before, action)
        orders.moved(title, before, action, state, number, maker=maker)
        user = None if maker is None else orders.users.get(action.by)
        yield Move(number, action, user, note, state, company)


def _next(title: Title, state: State, orders: Orders) -> tuple[Action, Note | None, Maker | None] | None:
    """The move that needs nobody here, and the program that makes it; None if a person must choose."""
    asked = engine.decision(title, state)
    if asked.players == (CHANCE,):
        return RANDOM.choice(list(engine.legal(title, state, CHANCE))), Note("drawn"), None
    if must_pass(title, state) and must_pass(title, with_purses(state, hidden_purses(title, state, None))):
        # If only somebody with more money could do something, passing for them would reveal how little there is.
        return a.Pass(asked.players[0]), Note("forced"), None
    found = orders.move(title, state, asked)
    return None if found is None else (found[0], None, found[1])


def must_pass(title: Title, state: State) -> bool:
    """Whether the only seat that must decide can do nothing but pass."""
    asked = engine.decision(title, state).players
    if len(asked) != 1 or a.Pass not in engine.present_step(title, state).by_action:
        return False
    return {type(action) for action in islice(engine.legal(title, state, asked[0]), 2)} == {a.Pass}


_PREFERRED: tuple[type[Action], ...] = (
    *(a.RunTrains, a.Dividend, a.Pass),
    *(a.PlaceToken, a.DiscardTrain, a.BuyTrain, a.BuyPrivate, a.Par, a.BuyShare, a.BuyPassage, a.RestoreToken),
    *(a.LayTile, a.LayPowerTile, a.SellPrivate, a.ExchangePrivate, a.ClosePrivate),
    *(a.Bid, a.BidToChoose, a.SellShares, a.GoBankrupt),
)
"""What is done: the first kind that is possible, most of them only where nothing can be passed."""
_PAYOUTS = ("pay", "half", "withhold")
MOST = 60
"""More moves than any turn has; then a person must go on."""


def cautious(title: Title, state: State, seat: PlayerId) -> Action | None:
    """What the bot does for somebody who is late; None where only an agreement is possible, which is not the bot's.

    It never bids, sells, dumps or trades, and lays nothing: it runs the best routes, pays, passes, and does only what
    the rules leave no way around, the cheapest first.
    """
    declined = a.Pass(seat)
    verbs = engine.present_step(title, state).by_action
    if a.RunTrains not in verbs and a.Dividend not in verbs and engine.judge(title, state, declined) is None:
        return declined
    legal = [one for one in engine.legal(title, state, seat) if engine.consent(title, state, one) in (None, one.by)]
    for kind in _PREFERRED:
        found = [one for one in legal if isinstance(one, kind)]
        if found:
            return min(found, key=lambda one: _cost(title, one))
    return None


def _cost(title: Title, action: Action) -> int:
    """What the action costs or gives up; of equal ones the first that is offered is taken."""
    match action:
        case a.Dividend():
            return _PAYOUTS.index(action.kind)
        case a.BuyTrain():
            return action.price
        case a.DiscardTrain():
            return title.trains[action.rank].price
        case a.SellShares():
            return action.count
        case a.Bid() | a.BidToChoose():
            return action.amount
        case a.Par():
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
        moves += outcomes(title, state, [action], None, Note("cautious"), seq + len(moves), orders)
        state = moves[-1].state
        if asked.subject is None and any(isinstance(one.action, a.Pass) for one in moves):
            break
        if any(isinstance(fact, TurnBegan) for one in moves for fact in one.state.facts):
            break  # the next, which may be the same company's
    return moves


def whatever(title: Title, state: State, seat: PlayerId) -> Action:
    """A decision where none could be found: what the cautious policy does, or else the first that is legal."""
    action = cautious(title, state, seat)
    return next(iter(engine.legal(title, state, seat))) if action is None else action
