"""What a sale makes possible: of shares, in the same turn, a company of one's own or a better share; of a private, more
shares."""

from dataclasses import dataclass

from engine import IPO, POOL, State, decision
from engine import actions as act
from engine.shares import certificates
from engine.steps.shares import cost_of
from opponents.choice import SENSELESS, Reason
from opponents.facts import facts_of
from opponents.forecast import Course, Outcome
from opponents.prospects import value
from opponents.question import Question, ask
from opponents.trying import cost_to_float, par_prospect, prospect

_Possible = act.Par | act.BuyShare | act.BuyPrivate

STARTED = 3
"""How many companies are looked at that a sale gives the money for."""
ENOUGH = 2
"""Of how many companies a seat sells shares in a stock round but to start one: to change more makes the round long."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a sale makes possible, and what the position is worth once that is done."""

    worth: float
    """With what speaks for it as usual."""
    outcome: Outcome | None
    purpose: Reason


def followed(q: Question, sold: State, course: Course) -> FollowUp | None:
    """The best that a sale makes possible in the same turn: a company that could not be floated alone before, or a
    share or private for which the limit of certificates left no room. None if there is nothing.

    It counts as usual, as to pass does, but for shares after the first sale of a stock round: or else seats change one
    share for another, turn after turn, for next to nothing.
    """
    if not q.w.follow_ups or sold.over or decision(q.t, sold).players != (q.seat,):
        return None
    asked = ask(q.t, sold, q.seat, q.w)
    possible: list[_Possible] = [*_startable(q, asked)]
    if not _enough(q) and certificates(q.t, q.s, q.seat) >= q.t.policy.holdings.cert_limit(q.t, q.s):
        possible += _better(asked)
    found = []
    for action in possible:
        after = asked.after(action)
        if after is not None:
            worth, outcome = value(q.t, after, q.seat, course, q.w)
            if isinstance(action, act.Par) or not q.s.sold.get(q.seat):
                worth += q.w.usual * course.rounds
            found.append(FollowUp(worth, outcome, _purpose(q, action)))
    return max(found, key=lambda one: one.worth, default=None)


def put_off(q: Question) -> bool:
    """Whether a sale for nothing in particular, where the seat may pass, is one too many, or could as well have been
    made in its last turn, since all others have only passed: to make it now keeps the round open, one share a turn."""
    only_passed = q.s.last_actor == q.seat and q.s.passes == len(q.s.players) - 1
    return act.Pass in q.kinds() and (_enough(q) or only_passed)


def _enough(q: Question) -> bool:
    return len(q.s.sold.get(q.seat, ())) >= ENOUGH


def _startable(q: Question, asked: Question) -> list[act.Par]:
    """The best few companies that the seat can float alone after a sale, and could not before."""
    before, now = q.s.cash[q.seat], asked.s.cash[q.seat]
    pars = [
        (promise, action)
        for action in asked.options
        if isinstance(action, act.Par)
        and before < cost_to_float(q.t, q.s, action) <= now
        and (promise := par_prospect(asked, action)) > SENSELESS
    ]
    pars.sort(key=lambda entry: -entry[0])
    return [action for _, action in pars[:STARTED]]


def _better(asked: Question) -> list[act.BuyShare | act.BuyPrivate]:
    """The shares and privates that it makes sense to buy."""
    offered = [action for action in asked.options if isinstance(action, act.BuyShare | act.BuyPrivate)]
    return [action for action in offered if prospect(asked, action) > SENSELESS]


def _purpose(q: Question, action: _Possible) -> Reason:
    """What is done with the money of a sale, and at what price."""
    if isinstance(action, act.BuyPrivate):
        return Reason("gets", q.t.privates[action.private].value, what=action.private)
    if isinstance(action, act.Par):
        return Reason("starts", q.t.market.price(action.row, action.col), what=action.corp)
    return Reason("buys", cost_of(q.t, q.s, action.corp, action.source), what=action.corp)


def before_sale(q: Question, action: act.BuyTrain, course: Course) -> bool:
    """Whether a further train would take the money for a private of the seat's that the company can pay in full now.

    Only where trains leave by themselves: phases come sooner there than thought, and what is kept is often sold for
    what is left, or lost.
    """
    facts, s = facts_of(q.t), q.s
    if not (facts.leaving and q.t.phases[s.phase].buys_privates):
        return False
    lasts = any(course.rust[facts.place[own]] > 1 for own in s.trains[action.corp])
    cash = s.cash[action.corp]
    full = [most for private, most in facts.private_prices.items() if s.owner.get(private) == q.seat]
    return lasts and any(cash - action.price < most <= cash for most in full)


def invested(q: Question, after: State, outcome: Outcome, course: Course) -> float:
    """How much more what a private has brought gains in shares than money is thought to: when shares can be bought
    next, the seat gets its part of those for sale, the best first."""
    wait = after.or_count - after.or_number + 1
    grown = 1 + q.w.cash_growth * max(0, course.rounds - wait)
    offers = []
    for corp, firm in outcome.firms.items():
        each = firm.paid * (1 - min(1.0, wait / course.rounds)) + firm.price
        for source in (IPO, POOL):
            if count := after.held(corp, source):
                cost = cost_of(q.t, after, corp, source)
                offers.append((max(0.0, each / cost - grown), cost * max(1.0, count / len(after.players))))
    offers.sort(reverse=True)

    def gained(cash: float) -> float:
        gain = 0.0
        for rate, most in offers:
            gain += rate * min(most, cash)
            cash -= min(most, cash)
        return gain

    return gained(after.cash[q.seat]) - gained(q.s.cash[q.seat])
