"""Operating rounds of 1860: their beginning, the end of a turn, nationalisation and every way the game ends."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from engine.flow import break_bank, enter, finish
from engine.ids import BANK, OR, SR, CorpId, PlayerId
from engine.market import in_order, price_cell
from engine.rounds import operating
from engine.state import State
from engine.steps import token
from engine.steps.common import operator
from engine.title import Step, Title
from engine.titles.t1860 import printed
from engine.titles.t1860.companies import british, has, in_receivership, mark, open_layers, southern_over
from engine.titles.t1860.own import own
from engine.titles.t1860.stock import nationalise_if_due, without_trains
from engine.titles.t1860.trains import check_solvency
from engine.titles.t1860.ways import ways

TOP = (0, len(printed.MARKET.rows[0]) - 1)
"""The cell of the last price."""
LAST = 2
"""With no more companies than this left, they operate a last time. {1860-END-19}"""


def running_companies(s: State) -> list[CorpId]:
    """Floated companies that are not closed. {1860-OR-01, 1860-END-18}"""
    return [corp for corp in s.shares if corp in s.floated and not has(s, "closed", corp)]


def begin(t: Title, s: State) -> None:
    """Privates pay, the dividends of the round before are forgotten, and companies line up. {1860-OR-01}"""
    operating.open_round(t, s)
    s.own = replace(own(s), paid={})
    s.queue = tuple(in_order(t, s, running_companies(s)))


def close_turn(t: Title, s: State) -> None:
    """What is settled when a company's turn is over."""
    corp = operator(s)
    check_solvency(t, s, corp)
    paid = s.last_run.get(corp, 0) if s.last_paid.get(corp, 0) else 0
    s.own = replace(own(s), paid={**own(s).paid, corp: paid}, laid=(), ran=False, subsidy=0)


def end(t: Title, s: State) -> None:
    """The game ends, or another operating round or a stock round follows.

    Privates may have emptied the bank in a round in which nobody was asked. {1860-END-02}
    """
    break_bank(t, s)
    if s.broken:
        finish(t, s, "bank")
    elif top_price_reached(t, s) and not (british(s) and all_close(t, s)):
        finish(t, s, "price")
    elif british(s) and not close_lowest(t, s):
        finish(t, s, "nationalisation")
    else:
        nationalise_if_due(t, s)
        if british(s) or s.or_number < s.or_count:
            s.or_number += 1
            enter(t, s, OR)
        else:
            open_layers(t, s, operated=True)
            s.turn += 1
            enter(t, s, SR)


def top_price_reached(t: Title, s: State) -> bool:
    """A token on the last price ends the game after this operating round. {1860-END-01, -20}"""
    cells = [price_cell(t, s, corp) for corp in s.cell]
    return any(cell is not None and cell.zone == "end" for cell in cells)


def close_lowest(t: Title, s: State) -> bool:
    """Close the two companies with the lowest dividends, ties included; whether any is left. {1860-END-17, -19}"""
    for corp in _closing(t, s):
        mark(s, "closed", corp)
    return bool(running_companies(s))


def all_close(t: Title, s: State) -> bool:
    """Whether the companies have operated a last time, which counts as the end where a price is at the top as well."""
    return len(_closing(t, s)) == len(running_companies(s))


def _closing(t: Title, s: State) -> list[CorpId]:
    running = running_companies(s)
    return [corp for corp in lowest_payers(_paid(t, s)) if corp in running]


def _paid(t: Title, s: State) -> dict[CorpId, int]:
    """What the companies of this operating round have paid in it, with those that it has left bankrupt."""
    paid = own(s).paid
    gone = [corp for corp in paid if has(s, "bankrupt", corp)] if ways(t).bankrupt_paid_least else []
    return {corp: paid.get(corp, 0) for corp in [*running_companies(s), *gone]}


def lowest_payers(paid: dict[CorpId, int]) -> list[CorpId]:
    """All of the lowest dividend; if that is one company alone, also all of the next; everybody of one or two."""
    if len(paid) <= LAST:
        return list(paid)
    values = sorted(set(paid.values()))
    lowest = [corp for corp in paid if paid[corp] == values[0]]
    if len(lowest) > 1 or len(values) == 1:
        return lowest
    return [corp for corp in paid if paid[corp] <= values[1]]


def actors(t: Title, s: State) -> tuple[PlayerId, ...]:
    """The director; where there is none, everybody, beginning with the priority holder."""
    assert s.operating is not None
    director = s.president_of(s.operating)
    return (director,) if director else (s.priority, *s.after(s.priority)[:-1])


def bank_broken(s: State) -> bool:
    """The players together hold more than the bank had; British Rail's bank is infinite. {1860-END-03, -11}

    With a price at the top the round is the last in any case, and that is what ends the game. {1860-END-01}
    """
    return s.cash[BANK] < 0 and not british(s) and TOP not in s.cell.values()


def ending(t: Title, s: State) -> bool:
    """Whether no other stock round comes. {1860-END-02, -11}"""
    return s.broken or british(s)


def foreseeable(s: State) -> bool:
    """Whether the bank or a price ends the game: after Southern, British Rail may as well. {1860-END-07, -11}"""
    return s.broken or not own(s).southern


def last_round(t: Title, s: State) -> bool:
    """The bank is empty, or British Rail has left one or two companies. {1860-END-02, -19}"""
    return s.broken or (british(s) and len(_paid(t, s)) <= LAST)


def running_on(t: Title, s: State, paid: Mapping[CorpId, int]) -> Collection[CorpId]:
    """Those that British Rail would leave. {1860-END-17, -18, -19}"""
    left = {corp: paid[corp] for corp in running_companies(s) if corp in paid}
    return left.keys() - lowest_payers(left) if british(s) else left


def reminder(t: Title, s: State) -> str:
    """What is left to do once the Southern Railway or British Rail has formed. {1860-END-07, -11, -17}

    With the bank empty one operating round is left at most: only what comes before it can still happen. {1860-END-02}
    """
    if s.broken and (s.round != SR or without_trains(t, s)):
        return ""
    if british(s):
        taken = LAST_TAKEN_OVER if last_round(t, s) else TAKEN_OVER.format(len(running_companies(s)))
        return f"{ENDLESS} {taken}"
    if not own(s).southern:
        return ""
    *others, last = [str(corp) for corp in without_trains(t, s)] or [""]
    if last:
        forms = HELD_UP.format(f"{', '.join(others)} and {last} have trains" if others else f"{last} has a train")
    else:
        forms = FORMS_UNLESS if s.round == SR else FORMS
    return forms if southern_over(s) else f"{LAST_BUILDING} {forms}"


ENDLESS = "British Rail: the bank never runs out."
TAKEN_OVER = "{} companies are left; after each operating round the two that pay least close, and all that pay no more."
LAST_TAKEN_OVER = "This is the last operating round: the last companies close after it."
HELD_UP = "British Rail forms once {}."
FORMS = "Every company with a director has a train: British Rail forms at the end of this round."
FORMS_UNLESS = "Unless a company without a train gets a director, British Rail forms at the end of this round."
LAST_BUILDING = "The Southern Railway has formed: companies build only until the next stock round."


def may_place(t: Title, s: State) -> bool:
    """No bases for insolvent companies, without a director, or after Southern. {1860-TOK-07}"""
    corp = operator(s)
    if southern_over(s) or in_receivership(s, corp) or has(s, "insolvent", corp):
        return False
    return token.can_place(t, s)


TOKEN = Step(token.TOKEN.name, token.TOKEN.verbs, may_place)
