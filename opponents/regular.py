"""The regular: tries what it may do and compares how the game may go on afterwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from engine import IPO, POOL, State, Title, decision
from engine import actions as act
from engine.actions import Action
from engine.depot import left_of
from engine.ids import SR, CorpId, PlayerId
from engine.market import price
from engine.shares import certificates
from opponents import learner
from opponents.auction import auction
from opponents.choice import Choice, Reason
from opponents.earning import surroundings
from opponents.facts import facts_of
from opponents.forecast import NEVER, Course, course_of
from opponents.prospects import SOON, Outcome, value
from opponents.question import Question, ask
from opponents.sketch_stock import JOINED
from opponents.track import next_price, rate_lays, rate_tokens
from opponents.weights import Weights

TRIED = 8
"""How many actions of one kind are tried in one decision."""
DUE = 2
"""In how many operating rounds a train is missing that money is kept for."""
AHEAD = 0.5
"""What counts of what a second lay would bring, where the first brings nothing and all depends on the start."""
STARTED = 3
"""How many companies are looked at that a sale gives the money for."""


def rate(q: Question, random: Random) -> list[Choice]:
    """What the seat may do and is worth looking at, each with a score."""
    kinds = q.kinds()
    if act.LayTile in kinds or (act.LayPowerTile in kinds and q.corp is not None and q.step == "track"):
        return _track(q)
    if act.PlaceToken in kinds:
        return _token(q)
    if q.is_auction():
        return auction(q)
    if act.RunTrains in kinds:
        return learner.rate(q, random)
    return tried(q)


def _track(q: Question) -> list[Choice]:
    course = course_of(q.t, q.s)
    others = [Choice(action, 0.0 if isinstance(action, act.Pass) else learner.NEVER) for action in _plain(q)]
    ahead = AHEAD if facts_of(q.t).careful else 0.0
    return others + rate_lays(q, *lay_weights(q.w, min(course.rounds, 10)), _thrift(q, course), ahead=ahead)


def lay_weights(w: Weights, rounds: int) -> tuple[float, float, float]:
    """What counts of a lay with so many operating rounds left: runs at once, runs with the next train, the promise."""
    return w.runs_now * rounds, w.runs_later * max(0, rounds - 1), w.promise * max(0, rounds - 2)


def _thrift(q: Question, course: Course) -> float:
    """What the company's money is worth to it: more where it still has to buy a train, most where its president must
    help."""
    t, s = q.t, q.s
    assert q.corp is not None
    lacks = lacking(q, course)
    if lacks:
        return q.w.pay_fear + (q.w.poor_fear if lacks > s.cash[q.seat] else 0.0)
    return 0.2 if s.cash[q.corp] >= next_price(t, s) + 60 else 0.7


def _token(q: Question) -> list[Choice]:
    course = course_of(q.t, q.s)
    others = [Choice(action, 0.0 if isinstance(action, act.Pass) else learner.NEVER) for action in _plain(q)]
    return others + rate_tokens(q, min(course.rounds, 10), max(1.0, _thrift(q, course)))


def _plain(q: Question) -> list[Action]:
    return [action for action in q.options if not isinstance(action, act.LayTile | act.LayPowerTile | act.PlaceToken)]


def tried(q: Question) -> list[Choice]:
    """The actions worth trying, by the value of what they lead to."""
    t, s = q.t, q.s
    course = course_of(t, s)
    choices = []
    rule = max(learner.by_rules(q), key=lambda choice: choice.score).action
    for action in worth_trying(q, rule):
        after = q.after(action)
        if after is None:
            continue
        worth, outcome = value(t, after, q.seat, shifted(t, s, after, course), q.w)
        habit = usual(q, action, rule, course) * course.rounds
        if isinstance(action, act.SellShares) and s.round == SR:
            next_best = max(started(q, after, course), swapped(q, after, course))
            worth = max(worth, next_best + q.w.usual * course.rounds)
        choices.append(Choice(action, worth + small(q, action) + habit, _reasons(q, after, course, outcome)))
    return choices


def started(q: Question, sold: State, course: Course) -> float:
    """What a position after a sale is worth once a company is started that could not be floated alone before."""
    t, before, now = q.t, q.s.cash[q.seat], sold.cash[q.seat]
    to_float = {max(2, t.corporations[corp].float_shares) for corp in t.corporations if corp not in sold.par}
    if not any(before < needed * par <= now for needed in to_float for par, _, _ in facts_of(t).pars):
        return learner.NEVER
    if sold.over or decision(t, sold).players != (q.seat,):
        return learner.NEVER
    asked = ask(t, sold, q.seat, q.w)
    pars = [
        (prospect, action)
        for action in asked.options
        if isinstance(action, act.Par)
        and before < _cost_to_float(t, action) <= now
        and (prospect := _par_prospect(asked, action)) > learner.NEVER
    ]
    pars.sort(key=lambda entry: -entry[0])
    after = [asked.after(action) for _, action in pars[:STARTED]]
    return max((value(t, state, q.seat, course, q.w)[0] for state in after if state is not None), default=learner.NEVER)


def swapped(q: Question, sold: State, course: Course) -> float:
    """What a position after a sale is worth once the best share is bought for which the limit of certificates left no
    room before."""
    t, s = q.t, q.s
    if certificates(t, s, q.seat) < t.policy.holdings.cert_limit(t, s):
        return learner.NEVER
    if sold.over or decision(t, sold).players != (q.seat,):
        return learner.NEVER
    asked = ask(t, sold, q.seat, q.w)
    shares = [action for action in asked.options if isinstance(action, act.BuyShare)]
    after = [asked.after(action) for action in shares if _prospect(asked, action) > learner.NEVER]
    return max((value(t, state, q.seat, course, q.w)[0] for state in after if state is not None), default=learner.NEVER)


def usual(q: Question, action: Action, rule: Action, course: Course) -> float:
    """What speaks, for each round left, for what the rules of thumb would do, and for a company that floats at once.

    The rules know no good price for a private: to sell one counts as usual where they would do nothing. Nor do they
    look ahead to the next train: to pay does not count as usual where it is missing soon, or before long if its
    president has not the money either.
    """
    if isinstance(action, act.Dividend) and (lacking(q, course) or lacking(q, course, SOON) > q.s.cash[q.seat]):
        return 0.0
    if isinstance(action, act.CompanyBuysPrivate):
        return q.w.usual if isinstance(rule, act.CompanyBuysPrivate | act.Pass) else 0.0
    alone = isinstance(action, act.Par) and _cost_to_float(q.t, action) <= q.s.cash[q.seat]
    return q.w.usual if action == rule or alone else 0.0


def lacking(q: Question, course: Course, due: int = DUE) -> int:
    """What the company lacks for its next train where that is due within so many operating rounds and its president
    has to help, else 0."""
    facts = facts_of(q.t)
    if q.corp is None or not facts.presidents_pay:
        return 0
    last = max((course.rust[facts.place[rank]] for rank in q.s.trains[q.corp]), default=0)
    rank = course.on_sale(last)
    return max(0, facts.trains[rank].price - q.s.cash[q.corp]) if last < due and rank >= 0 else 0


def _cost_to_float(t: Title, action: act.Par) -> int:
    return max(2, t.corporations[action.corp].float_shares) * _par_price(t, action)


def _par_price(t: Title, action: act.Par) -> int:
    cell = t.market.cell(action.row, action.col)
    assert cell is not None
    return cell.price


def shifted(t: Title, before: State, after: State, course: Course) -> Course:
    """The course after an action: all comes earlier where a train was bought."""
    if after.depot == before.depot or not course.sale:
        return course
    facts = facts_of(t)
    on_sale = next((place for place, rank in enumerate(t.trains) if left_of(after, rank)), -1)
    rust = tuple(
        -1 if train.rusted_by >= 0 and after.phase >= facts.trains[train.rusted_by].phase > 0 else when
        for train, when in zip(facts.trains, course.rust, strict=True)
    )
    return replace(
        course,
        sale=tuple(place if place < 0 else max(place, on_sale) for place in course.sale) if on_sale >= 0 else (-1,),
        phases=tuple(max(phase, after.phase) for phase in course.phases),
        rust=rust,
    )


def small(q: Question, action: Action) -> float:
    """What speaks for an action beside what the sketch sees."""
    match action:
        case act.BuyShare() if q.s.president[action.corp] == q.seat and action.corp not in q.s.floated:
            return q.w.begun
        case act.SellShares() if q.s.president[action.corp] == q.seat and action.corp not in q.s.floated:
            return -q.w.begun
        case act.BuyShare() | act.Par():
            return 1.0
        case act.ExchangePrivate() | act.ClosePrivate():
            return -60.0
        case act.LayPowerTile():
            return -20.0
        case act.BuyTrain():
            owned = len(q.s.trains[action.corp])
            needed = not owned and facts_of(q.t).presidents_pay
            return q.w.train(owned) if needed or action.source not in q.t.corporations else 0.0
    return 0.0


def _reasons(q: Question, after: State, course: Course, outcome: Outcome | None) -> tuple[Reason, ...]:
    reasons = []
    if outcome is not None:
        mine = q.s.players.index(q.seat)
        others = [worth for index, worth in enumerate(outcome.worth) if index != mine]
        reasons = [
            Reason("worth", round(outcome.worth[mine])),
            Reason("rivals", round(max(others))),
            Reason("rounds", course.rounds),
        ]
        if outcome.owed[mine]:
            reasons.append(Reason("contribution", round(outcome.owed[mine])))
        names = list(q.t.trains)
        reasons += [
            Reason("rust", when, what=names[rank]) for rank, when in enumerate(course.rust) if 0 <= when < NEVER
        ]
    if after.cash.get(q.seat) != q.s.cash[q.seat]:
        reasons.append(Reason("leaves", after.cash[q.seat], q.s.cash[q.seat], q.seat))
    if q.corp is not None and after.cash[q.corp] != q.s.cash[q.corp]:
        reasons.append(Reason("leaves", after.cash[q.corp], q.s.cash[q.corp], q.corp))
    return tuple(reasons)


def worth_trying(q: Question, rule: Action) -> list[Action]:
    """Those of the options that a sensible player would think of, in a fixed order."""
    kept: list[tuple[float, Action]] = []
    for action in q.options:
        named = action == rule and not isinstance(action, act.CompanyBuysPrivate)
        kept.append((1e7 if named else _prospect(q, action), action))
    kept = [entry for entry in kept if entry[0] > learner.NEVER]
    kept.sort(key=lambda entry: -entry[0])
    chosen: list[Action] = []
    counts: Counter[type[Action]] = Counter()
    for _, action in kept:
        counts[type(action)] += 1
        if counts[type(action)] <= TRIED:
            chosen.append(action)
    return chosen or [q.options[0]]


def _prospect(q: Question, action: Action) -> float:
    """How much an action deserves to be tried."""
    t, s = q.t, q.s
    match action:
        case act.Pass():
            return 1e6
        case act.Dividend() | act.DiscardTrain() | act.RollDie() | act.Deal():
            return 1e5
        case act.BuyShare():
            cost = s.par[action.corp] if action.source == IPO else price(t, s, action.corp)
            other = price(t, s, action.corp) if action.source == IPO else s.par[action.corp]
            if action.source == IPO and s.held(action.corp, POOL) and other < cost:
                return learner.NEVER
            return 200 + 100.0 * (s.last_run.get(action.corp, 50) / 10) / max(cost, 1)
        case act.Par():
            return _par_prospect(q, action)
        case act.SellShares():
            return _sale_prospect(q, action)
        case act.BuyTrain():
            return _train_prospect(q, action)
        case act.CompanyBuysPrivate():
            high = learner.dearest(q, action.private)
            return 150.0 if action.price == high and q.step in ("trains", "privates") else learner.NEVER
        case act.GoBankrupt():
            return -1e5
        case act.LayTile() | act.LayPowerTile():
            return -10.0
        case act.SellPrivate():
            return 50.0
        case act.TradePrivate() | act.ClosePrivate():
            return learner.NEVER
    return 100.0


def _par_prospect(q: Question, action: act.Par) -> float:
    """The two highest prices at which the seat can float the company alone; else those at which others must join."""
    t, s = q.t, q.s
    price = _par_price(t, action)
    forced = act.Pass not in q.kinds()
    if not forced and any(s.president[corp] == q.seat and corp not in s.floated for corp in s.par):
        return learner.NEVER
    if price not in _pars(q, action.corp) and not forced:
        return learner.NEVER
    return 210.0 + 40.0 * surroundings(t, action.corp) + price / 100


def _pars(q: Question, corp: CorpId) -> list[int]:
    """The prices at which it makes sense to start the company."""
    t, s = q.t, q.s
    prices = sorted({par for par, _, _ in facts_of(t).pars})
    needed = max(2, t.corporations[corp].float_shares)
    alone = [par for par in prices if par * needed <= s.cash[q.seat]]
    if alone:
        return alone[-2:]
    others = [s.cash[seat] for seat in s.players if seat != q.seat]
    joined = [
        par
        for par in prices
        if par * needed <= s.cash[q.seat] + JOINED * sum(others) and s.cash[q.seat] // par >= max(others) // par
    ]
    return [joined[0], joined[-1]] if joined else []


def _sale_prospect(q: Question, action: act.SellShares) -> float:
    """All of a company that can go, or one share, or what falls short; weak companies first."""
    t, s = q.t, q.s
    counts = [other.count for other in q.options if isinstance(other, act.SellShares) and other.corp == action.corp]
    worth = price(t, s, action.corp)
    if action.count not in (min(counts), max(counts)) and action.count not in _to_start(q, worth):
        return learner.NEVER
    rate = (s.last_run.get(action.corp, 0) / 10) / max(worth, 1)
    bare = not s.trains[action.corp] and action.corp in s.operated
    return 190.0 - 300 * rate + (60 if bare else 0)


def _to_start(q: Question, worth: int) -> set[int]:
    """How many shares at that price pay for floating a company alone, at the lowest par and at the highest."""
    pars = facts_of(q.t).pars
    needed = max((corp.float_shares for corp in q.t.corporations.values()), default=2)
    lacking = [needed * par - q.s.cash[q.seat] for par in (pars[0][0], pars[-1][0])]
    return {-(-lack // max(worth, 1)) for lack in lacking if lack > 0}


def _train_prospect(q: Question, action: act.BuyTrain) -> float:
    t, s = q.t, q.s
    if action.source in t.corporations:
        prices = sorted(
            other.price
            for other in q.options
            if isinstance(other, act.BuyTrain) and (other.source, other.rank) == (action.source, action.rank)
        )
        spare = len(s.trains[CorpId(action.source)]) > 1 and not s.trains[action.corp]
        return 300.0 if spare and action.price in (prices[0], prices[-1]) else learner.NEVER
    return 400.0 - action.price / 100


def agrees(t: Title, s: State, action: Action, seat: PlayerId) -> bool:
    """Whether a regular agrees to a deal: only where it is better off than without."""
    if not learner.agrees(t, s, action):
        return False
    return not isinstance(action, act.BuyTrain) or s.president_of(CorpId(action.source)) == seat
