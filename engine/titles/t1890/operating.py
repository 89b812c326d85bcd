"""The operating round of 1890: incomes, minors before public companies, changes of minors between turns."""

from dataclasses import replace

from engine.flow import break_bank, enter, finish
from engine.ids import BANK, OR, SR
from engine.money import pay
from engine.rounds import operating
from engine.rounds.waterfall import unsold
from engine.state import State
from engine.steps.common import operator
from engine.title import Round, Step, Title
from engine.titles.t1890.auction import lower_price
from engine.titles.t1890.companies import pass_over, turn_order
from engine.titles.t1890.ends import end_if_price_reached, restack
from engine.titles.t1890.minors import between_turns
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import HANKYU, KINKI, TAKARAZUKA
from engine.titles.t1890.tokens import place_automatic
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
    if HANKYU in s.floated and any(hex_id == TAKARAZUKA for hex_id, _ in s.board.token_stops(HANKYU)):
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


def operating_round(*steps: Step) -> Round:
    """An operating round of 1890 with these steps."""
    return operating.operating_round(*steps, begin=begin, close=close_turn, end=end)
