"""The operating round: privates pay, then each floated company operates once in share price order."""

from collections.abc import Callable, Iterable

from engine.depot import export
from engine.facts import RoundBegan, TokenPlaced, TurnBegan
from engine.flow import break_bank, enter, finish
from engine.ids import BANK, OR, RESERVED, SR, CorpId, PlayerId, stop_id
from engine.market import in_order
from engine.money import pay
from engine.secrets import publicly
from engine.state import CLOSED, NO_STEP, TURN_OVER, State
from engine.title import Round, Settle, Step, Title
from engine.usual import nothing_more

Actors = Callable[["Title", State], tuple[PlayerId, ...]]


def pay_privates(t: Title, s: State) -> None:
    """Every open private pays its owner."""
    for private, owner in s.owner.items():
        if owner not in (BANK, RESERVED, CLOSED):
            pay(s, BANK, owner, s.revenue.get(private, t.privates[private].revenue), "private income")


def place_home_tokens(t: Title, s: State, corps: Iterable[CorpId]) -> None:
    """Those of the companies that have none yet get their free home token."""
    for corp in corps:
        if s.board.token_stops(corp):
            continue
        for hex_id, printed in t.corporations[corp].homes:
            index = s.board.printed_stop(hex_id, printed)
            s.board = s.board.with_token(hex_id, index, corp)
            s.tokens[corp] = s.tokens[corp][1:]
            s.facts.append(TokenPlaced(corp, stop_id(hex_id, index), 0, home=True))


def open_round(t: Title, s: State) -> None:
    """The round begins, and the privates pay."""
    s.facts.append(RoundBegan(OR, s.turn, s.or_number))
    s.operating = None
    s.step = NO_STEP
    pay_privates(t, s)


def begin(t: Title, s: State) -> None:
    """Pay the privates, place home tokens, and queue the companies."""
    open_round(t, s)
    if t.policy.companies.homes == "round":
        place_home_tokens(t, s, in_order(t, s, s.floated))
    s.queue = tuple(in_order(t, s, s.floated))


def proceed(t: Title, s: State, close: Settle, end: Settle) -> None:
    """Go down the steps of the turn, and from company to company, until a step asks.

    A step is passed over where everybody can see that the company can do nothing in it.
    """
    steps = t.rounds[OR].steps
    names = [step.name for step in steps]
    while True:
        if s.operating is None:
            ready = t.policy.companies.operating_order(t, s, s.queue)
            if not ready:
                end(t, s)
                return
            _begin_turn(t, s, ready[0], names[0])
        index = names.index(s.step) if s.step != TURN_OVER else len(steps)
        for step in steps[index:]:
            s.step = step.name
            if step.asks(t, publicly(t, s, s.operating)):
                return
            if step.skipped is not None:
                step.skipped(t, s)
            if s.step == TURN_OVER:  # what was skipped ended the company's turn
                break
        close(t, s)
        s.operating = None
        if s.over or s.pending:
            return


def _begin_turn(t: Title, s: State, corp: CorpId, first_step: str) -> None:
    s.operating = corp
    s.queue = tuple(other for other in s.queue if other != corp)
    s.step = first_step
    s.begun = False
    s.sold_now = ()
    s.lays = ()
    s.tokened = False
    s.routes = ()
    s.income = 0
    s.facts.append(TurnBegan(corp))
    if t.policy.companies.homes == "turn":
        place_home_tokens(t, s, (corp,))


def end(t: Title, s: State) -> None:
    """Another operating round of the set, the end of the game, or a stock round.

    Privates may have emptied the bank in a round in which nobody was asked.
    """
    break_bank(t, s)
    if s.or_number < s.or_count:
        s.or_number += 1
        enter(t, s, OR)
    elif s.broken:
        finish(t, s, "bank")
    else:
        s.turn += 1
        export(t, s)
        enter(t, s, SR)


def actors(t: Title, s: State) -> tuple[PlayerId, ...]:
    """Who is asked: the president of the company whose turn it is."""
    assert s.operating is not None
    president = s.president_of(s.operating)
    return (president,) if president else ()


def number(t: Title, s: State) -> str:
    """A round alone in its set, and those that go on beyond it, where there are such, are only counted."""
    goes_on = t.policy.milestones.endless(s) or s.or_number > s.or_count
    of = f" (of {s.or_count})" if s.or_count > 1 and not goes_on else ""
    return f"{s.turn}.{s.or_number}{of}"


def operating_round(
    *steps: Step, begin: Settle = begin, close: Settle = nothing_more, end: Settle = end, actors: Actors = actors
) -> Round:
    """An operating round whose companies' turns have these steps; `close` ends a turn, `end` the round."""

    def go_on(t: Title, s: State) -> None:
        proceed(t, s, close, end)

    return Round(OR, steps, begin, go_on, actors, "Operating round", number)
