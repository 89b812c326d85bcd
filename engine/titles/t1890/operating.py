"""The operating round of 1890: incomes, minors before public companies and their changes between turns, tokens, trains,
and what ends a game beside bank and last turn.
"""

from dataclasses import replace

from engine.actions import BuyTrain, PlaceToken, SellShares
from engine.board.reach import reach
from engine.facts import Announced, TokenPlaced
from engine.flow import break_bank, enter, finish
from engine.ids import BANK, OR, SR, stop_id
from engine.market import price
from engine.money import pay
from engine.rounds import operating
from engine.rounds.waterfall import unsold
from engine.state import State
from engine.steps import emergency, token, trains
from engine.steps.common import operator
from engine.title import Round, Step, Title, Verb
from engine.titles.t1890.auction import lower_price
from engine.titles.t1890.companies import AUTOMATIC, has_closed, may_operate, pass_over, reached, turn_order
from engine.titles.t1890.minors import between_turns
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import HANKYU, KINKI, TAKARAZUKA
from engine.titles.t1890.ways import ways


def begin(t: Title, s: State) -> None:
    """Privates pay, then what companies get without running; changes that are due come before the first turn."""
    operating.open_round(t, s)
    if ways(t).hankyu:
        takarazuka(t, s)
    for income in ways(t).incomes:
        income(t, s)
    if not ways(t).scenario.forms_kinki:
        place_automatic(t, s)
    s.queue = tuple(turn_order(t, s, s.floated))
    between_turns(t, s)
    pass_over(t, s)


def takarazuka(t: Title, s: State) -> None:
    """The revue brings Hankyu 40 in every operating round while it has a token there. {1890-COR-17}"""
    if HANKYU in s.floated and s.board.in_hex(TAKARAZUKA, HANKYU):
        pay(s, BANK, HANKYU, 40, "bonus")


def close_turn(t: Title, s: State) -> None:
    """What ends with a company's turn, and what others have waited for."""
    corp = operator(s)
    s.own = replace(own(s), raised=0, special_turn=own(s).special_turn and corp != KINKI)
    end_if_price_reached(t, s)
    if not s.over:
        between_turns(t, s)
        pass_over(t, s)


def end(t: Title, s: State) -> None:
    """Restack the price tokens; another operating round follows, the end of the game, or the next game turn: a stock
    round, initial or regular, and the operating rounds after it. {1890-MKT-04, 1890-OR-05, 1890-OR-06}
    """
    restack(s)
    break_bank(t, s)  # what is paid by itself may have emptied it in a round in which nobody was asked
    if s.or_number < s.or_count:
        s.or_number += 1
        enter(t, s, OR)
    elif s.broken:
        finish(t, s, "bank")
    elif s.turn == t.policy.milestones.last_turn:
        finish(t, s, "turns")
    else:
        s.turn += 1
        lower_price(t, s)
        enter(t, s, "ISR" if unsold(s) else SR)


def end_if_price_reached(t: Title, s: State) -> None:
    """1890-VAR-09"""
    if price_reached(t, s):
        finish(t, s, "price")


def price_reached(t: Title, s: State) -> bool:
    """Whether a share price ends the game: at once, or after the turn of the company that has brought it there."""
    last = t.policy.milestones.last_price
    return last is not None and any(price(t, s, corp) >= last for corp in s.floated)


def about_price(t: Title, s: State) -> str:
    """That the game ends, and when; else ""."""
    if s.over or not price_reached(t, s):
        return ""
    return f"A share price has reached {t.policy.milestones.last_price}: {t.wording.after_price}."


def stock_ended(t: Title, s: State) -> None:
    """What an earthquake changed is as usual again; a share price may then end the game. {1890-VAR-17a, 1890-VAR-09}"""
    if own(s).quake:
        s.facts.append(Announced("earthquake over"))
    s.own = replace(own(s), quake=False)
    end_if_price_reached(t, s)


def restack(s: State) -> None:
    """At the end of an operating round companies that have not started lie on top of those that have. {1890-MKT-04}"""
    order = sorted(s.cell, key=lambda corp: (corp in s.floated & s.operated, s.arrived[corp]))
    s.arrived = {corp: ticket for ticket, corp in enumerate(order, 1)}
    s.tickets = len(order)


def operating_round(*steps: Step) -> Round:
    """An operating round of 1890 with these steps."""
    return operating.operating_round(*steps, begin=begin, close=close_turn, end=end)


# Station tokens


def token_left(t: Title, s: State, a: PlaceToken) -> str | None:
    """Free tokens wait for homes; another one must be left on the charter."""
    return None if token.next_token(s, a.corp) else f"{a.corp} has no station token left to place."


PLACE = token.PLACE.swap(token.token_left, token_left)
TOKEN = token.TOKEN.swap(token.PLACE, PLACE)


def place_automatic(t: Title, s: State) -> None:
    """An ordinary Kinki gets its home, and free tokens where the phase has come, a place is free and it is connected.

    One that does not operate yet, for want of shares sold, gets none. {1890-VAR-11a, 1890-VAR-14}
    """
    if KINKI not in s.floated or ways(t).scenario.forms_kinki or not may_operate(t, s, KINKI):
        return
    operating.place_home_tokens(t, s, (KINKI,))
    while True:
        stops = reach(s.board, KINKI).stops
        for (hex_id, printed), phase in AUTOMATIC:
            index = s.board.printed_stop(hex_id, printed)
            free = None in s.board.places(hex_id, index)
            if free and not s.board.in_hex(hex_id, KINKI) and reached(t, s, phase) and (hex_id, index) in stops:
                s.board = s.board.with_token(hex_id, index, KINKI)
                token.spend_token(s, KINKI, 0)
                s.facts.append(TokenPlaced(KINKI, stop_id(hex_id, index), 0, home=True))
                break
        else:
            return


# Trains


def buy_train(t: Title, s: State, a: BuyTrain) -> None:
    """Buy the train, and what follows from it: a private that closes, the quake, the raids."""
    trains.buy_train(t, s, a)
    for effect in ways(t).after_train:
        effect(t, s, a)


def sell_for_train(t: Title, s: State, a: SellShares) -> None:
    """If the company that needs the train closes, all that was raised for it goes to the bank. {1890-EMR-08}"""
    corp = operator(s)
    s.own = replace(own(s), raised=own(s).raised + a.count * price(t, s, a.corp))
    emergency.sell_for_train(t, s, a)
    if has_closed(s, corp):
        pay(s, a.by, BANK, own(s).raised, "shares sold")


BUY_TRAIN = Verb(BuyTrain, trains.BUY_TRAIN.candidates, trains.BUY_TRAIN.guards, buy_train, open_ended=True)
SELL_FOR_TRAIN = replace(
    emergency.SELL_FOR_TRAIN.swap(emergency.no_president_changed, emergency.operator_keeps_president),
    perform=sell_for_train,
)
TRAINS = trains.TRAINS.swap(trains.BUY_TRAIN, BUY_TRAIN).swap(emergency.SELL_FOR_TRAIN, SELL_FOR_TRAIN)
