"""The regular: tries what it may do and compares how the game may go on afterwards."""

from dataclasses import replace
from math import inf
from random import Random

from engine import State, Title
from engine import actions as act
from engine.actions import Action
from engine.depot import left_of
from engine.ids import BANK, SR, CorpId, PlayerId, Rank
from opponents import learner
from opponents.auction import auction
from opponents.choice import SENSELESS, Choice, Reason
from opponents.earning import revenue
from opponents.facts import facts_of
from opponents.forecast import NEVER, Course, Outcome, course_of
from opponents.prospects import SOON, value
from opponents.question import Question
from opponents.selling import before_sale, followed, invested, put_off
from opponents.track import next_price, rate_lays, rate_tokens
from opponents.trying import cost_to_float, worth_trying
from opponents.weights import Weights

DUE = 2
"""In how many operating rounds a train is missing that money is kept for."""
SHORT = 3
"""Within how many operating rounds a train rusts that is only worth having for what it adds at once."""
ENOUGH = 2
"""Beside how many trains that last as long one more is only worth having for what it adds at once."""
AHEAD = 0.5
"""What counts of what a second lay would bring, where the first brings nothing and all depends on the start."""


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
    """The lays that bring something, where the seat may also pass, and the rest."""
    course = course_of(q.t, q.s)
    ahead = AHEAD if facts_of(q.t).careful else 0.0
    lays = rate_lays(q, *lay_weights(q.w, min(course.rounds, 10)), _thrift(q, course), ahead=ahead)
    least = 0.0 if act.Pass in q.kinds() else -inf
    return _others(q) + [lay for lay in lays if lay.score > least]


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
    return _others(q) + rate_tokens(q, min(course.rounds, 10), max(1.0, _thrift(q, course)))


def _others(q: Question) -> list[Choice]:
    """What is neither a lay nor a token; to pass alone makes sense then."""
    plain = (one for one in q.options if not isinstance(one, act.LayTile | act.LayPowerTile | act.PlaceToken))
    return [Choice(action, 0.0 if isinstance(action, act.Pass) else SENSELESS) for action in plain]


def tried(q: Question, actions: list[Action] | None = None) -> list[Choice]:
    """The actions worth trying, or these, by the value of what they lead to."""
    t, s = q.t, q.s
    course = course_of(t, s)
    choices = []
    rule = max(learner.by_rules(q), key=lambda choice: choice.score).action
    for action in worth_trying(q, rule) if actions is None else actions:
        if isinstance(action, act.BuyTrain) and (idle(q, action, course) or before_sale(q, action, course)):
            continue
        after = q.after(action)
        if after is None:
            continue
        worth, outcome = value(t, after, q.seat, shifted(t, s, after, course), q.w)
        reasons: tuple[Reason, ...] = ()
        if isinstance(action, act.SellShares) and s.round == SR:
            if not _halved_soon(q, action.corp, course):
                worth -= q.w.kept * (after.cash[q.seat] - s.cash[q.seat])
            best = followed(q, after, course)
            if best is not None and best.worth > worth:
                worth, outcome, reasons = best.worth, best.outcome, (best.purpose,)
            elif put_off(q):
                continue
        if isinstance(action, act.CompanyBuysPrivate) and outcome is not None and facts_of(t).leaving:
            worth += invested(q, after, outcome, course)
        habit = usual(q, action, rule, course) * course.rounds
        beside = small(q, action) + habit
        reasons += _reasons(q, after, course, outcome)
        reasons += (Reason("habit", round(beside)),) if round(beside) else ()
        choices.append(Choice(action, worth + beside, reasons))
    return choices


def _halved_soon(q: Question, corp: CorpId, course: Course) -> bool:
    """Whether a share brings half once shares can be sold again, since all trains of its company rust before."""
    facts = facts_of(q.t)
    last = max((course.rust[facts.place[rank]] for rank in q.s.trains[corp]), default=NEVER)
    return facts.halved and last < q.t.phases[q.s.phase].operating_rounds


def idle(q: Question, action: act.BuyTrain, course: Course) -> bool:
    """Whether it is a further train that adds nothing to what the company runs for on the track of today, while two of
    its own last as long, or before it rusts, too soon for the company to build what the train could use.

    The latter not where presidents need not pay for trains, trains leave by themselves, or a last turn is set: there it
    is worth something that others' trains rust sooner.
    """
    facts, owned = facts_of(q.t), q.s.trains[action.corp]
    if not owned or _opens_next(q, action):
        return False
    rust = course.rust[facts.place[action.rank]]
    lasting = tuple(rank for rank in owned if course.rust[facts.place[rank]] >= rust)
    if len(lasting) >= ENOUGH and _adds_nothing(q, action, lasting):
        return True
    if not facts.presidents_pay or facts.leaving or facts.timed:
        return False
    return rust <= SHORT and _adds_nothing(q, action, owned)


def _adds_nothing(q: Question, action: act.BuyTrain, trains: tuple[Rank, ...]) -> bool:
    """Whether the company runs for no more with this train than with these alone."""
    more = revenue(q.t, q.s, action.corp, tuple(sorted((*trains, action.rank))))
    return more <= revenue(q.t, q.s, action.corp, tuple(sorted(trains)))


def _opens_next(q: Question, action: act.BuyTrain) -> bool:
    """Whether the company can buy all that is left of the rank and one of the next, which the others would have."""
    facts, left = facts_of(q.t), q.s.depot.get(action.rank, 0)
    following = facts.place[action.rank] + 1
    if action.source != BANK or not left or following == len(facts.trains):
        return False
    limit = q.t.phases[q.s.phase].train_limit.get(q.t.kind(action.corp), 0)
    cost = left * action.price + facts.trains[following].price
    return cost <= q.s.cash[action.corp] and len(q.s.trains[action.corp]) + left < limit


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
    alone = isinstance(action, act.Par) and cost_to_float(q.t, q.s, action) <= q.s.cash[q.seat]
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


def agrees(t: Title, s: State, action: Action, seat: PlayerId) -> bool:
    """Whether a regular agrees to a deal: only where it is better off than without."""
    if not learner.agrees(t, s, action):
        return False
    return not isinstance(action, act.BuyTrain) or s.president_of(CorpId(action.source)) == seat
