"""The regular: tries what it may do and compares how the game may go on afterwards."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from engine import IPO, POOL, State, Title
from engine import actions as act
from engine.actions import Action
from engine.ids import BANK, CorpId, PlayerId, PrivateId
from engine.market import price
from engine.money import free_cash
from engine.rounds.waterfall import least_bid, price_of
from opponents import learner
from opponents.choice import Choice, Reason
from opponents.earning import outlook
from opponents.facts import facts_of
from opponents.prospects import NEVER, Course, Outcome, course_of, value
from opponents.question import Question
from opponents.track import rate_lays, rate_tokens

EAGER = (400.0, 300.0, 80.0, 0.0)
"""What speaks for a train more beside what the course shows, for a company with none, one, two or more: the course
takes for granted that others buy the trains that stand before the better ones."""
BEGUN = 500.0
"""What speaks more for a share of one's own company that has not floated: what was begun is seen through."""
USUAL = 25.0
"""What speaks more, for each operating round left, for what the rules of thumb would do: the further away the end, the
less is known of the course."""
TRIED = 14
"""How many actions are tried in one decision."""


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
    rounds = min(course_of(q.t, q.s).rounds, 10)
    others = [Choice(action, 0.0 if isinstance(action, act.Pass) else learner.NEVER) for action in _plain(q)]
    return others + rate_lays(q, 0.6 * rounds, 0.3 * max(0, rounds - 1), 0.3 * max(0, rounds - 2), _thrift(q))


def _thrift(q: Question) -> float:
    """What the company's money is worth to it: more where it still has to buy a train."""
    t, s = q.t, q.s
    assert q.corp is not None
    price = min((t.trains[rank].price for rank in t.trains if s.depot.get(rank, 1) > 0), default=0)
    return 0.2 if s.cash[q.corp] >= price + 60 else 0.7


def _token(q: Question) -> list[Choice]:
    rounds = course_of(q.t, q.s).rounds
    others = [Choice(action, 0.0 if isinstance(action, act.Pass) else learner.NEVER) for action in _plain(q)]
    return others + rate_tokens(q, min(rounds, 10))


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
        if after is not None:
            worth, outcome = value(t, after, q.seat, shifted(t, s, after, course))
            usual = USUAL * course.rounds if action == rule else 0.0
            choices.append(Choice(action, worth + small(q, action) + usual, _reasons(q, after, course, outcome)))
    return choices


def shifted(t: Title, before: State, after: State, course: Course) -> Course:
    """The course after an action: all comes earlier where a train was bought."""
    facts = facts_of(t)
    if after.phase == before.phase or not course.sale:
        return course
    rust = list(course.rust)
    for rank, train in enumerate(facts.trains):
        if train.rusted_by >= 0 and after.phase >= facts.trains[train.rusted_by].phase > 0:
            rust[rank] = -1
    return replace(course, rust=tuple(rust))


def small(q: Question, action: Action) -> float:
    """What speaks for an action beside what the sketch sees."""
    match action:
        case act.BuyShare() if q.s.president[action.corp] == q.seat and action.corp not in q.s.floated:
            return BEGUN
        case act.SellShares() if q.s.president[action.corp] == q.seat and action.corp not in q.s.floated:
            return -BEGUN
        case act.BuyShare() | act.Par():
            return 1.0
        case act.ExchangePrivate() | act.ClosePrivate():
            return -60.0
        case act.LayPowerTile():
            return -20.0
        case act.BuyTrain() if action.source not in q.t.corporations:
            owned = len(q.s.trains[action.corp])
            return EAGER[min(owned, 3)]
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
        kept.append((1e7 if action == rule else _prospect(q, action), action))
    kept = [entry for entry in kept if entry[0] > learner.NEVER]
    kept.sort(key=lambda entry: -entry[0])
    chosen = [action for _, action in kept[:TRIED]]
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
            high = max(
                other.price
                for other in q.options
                if isinstance(other, act.CompanyBuysPrivate) and other.private == action.private
            )
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
    t, s = q.t, q.s
    cell = t.market.cell(action.row, action.col)
    assert cell is not None
    forced = act.Pass not in q.kinds()
    if not forced and any(s.president[corp] == q.seat and corp not in s.floated for corp in s.par):
        return learner.NEVER
    prices = sorted({par for par, _, _ in facts_of(t).pars})
    needed = max(2, t.corporations[action.corp].float_shares)
    afford = [par for par in prices if par * needed <= s.cash[q.seat]]
    good = afford[-2:] if afford else []
    if cell.price not in good and not forced:
        return learner.NEVER
    return 210.0 + 0.2 * min(outlook(t, s, action.corp), 200.0) + cell.price / 100


def _sale_prospect(q: Question, action: act.SellShares) -> float:
    """All of a company that can go, or one share, or what falls short in an emergency; weak companies first."""
    t, s = q.t, q.s
    counts = [other.count for other in q.options if isinstance(other, act.SellShares) and other.corp == action.corp]
    if action.count not in (min(counts), max(counts)):
        return learner.NEVER
    rate = (s.last_run.get(action.corp, 0) / 10) / max(price(t, s, action.corp), 1)
    bare = not s.trains[action.corp] and action.corp in s.operated
    return 190.0 - 300 * rate + (60 if bare else 0)


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


# Auctions


def auction(q: Question) -> list[Choice]:
    """Bids and purchases of privates: how the game may go on with the private at that price, and how without it."""
    t, s = q.t, q.s
    course = course_of(t, s)
    base, _ = value(t, _without_bids(q), q.seat, course)
    choices = []
    for action in q.options:
        match action:
            case act.Bid():
                choices.append(_bid(q, action, base, course))
            case act.BuyPrivate():
                cost = price_of(t, s, action.private)
                gain = value(t, owning(q, action.private, cost), q.seat, course)[0] - base
                if free_cash(s, q.seat) - cost < reserve(t):
                    gain = learner.NEVER
                if q.drags_on(action.private):
                    gain = max(gain, 10.0)
                choices.append(Choice(action, gain, _priced(action.private, gain, cost)))
            case act.BidToChoose():
                edge = 0.05 * t.cash - action.amount
                choices.append(
                    Choice(action, edge, (Reason("value", round(0.05 * t.cash)), Reason("price", action.amount)))
                )
            case _:
                choices.append(Choice(action, 0.0))
    return choices


def _priced(private: PrivateId, worth: float, cost: int) -> tuple[Reason, ...]:
    return Reason("value", round(worth), what=private), Reason("price", cost, what=private)


def _without_bids(q: Question) -> State:
    """The position in which the private that is fought for goes to the others' highest bid."""
    s = q.s
    if s.contested is None:
        return s
    bids = {seat: amount for seat, amount in s.bids[s.contested].items() if seat != q.seat}
    rival = max(bids, key=lambda seat: bids[seat])
    return _given(s, s.contested, rival, bids[rival])


def owning(q: Question, private: PrivateId, cost: int) -> State:
    """The position in which the seat has bought the private at this price."""
    return _given(q.s, private, q.seat, cost)


def _given(s: State, private: PrivateId, seat: PlayerId, cost: int) -> State:
    after = s.copy()
    after.bids.pop(private, None)
    after.contested = after.speaker = None
    after.owner[private] = seat
    after.cash[seat] -= cost
    after.cash[BANK] += cost
    return after


def reserve(t: Title) -> float:
    """What a player keeps of his money to start a company with."""
    cheapest = facts_of(t).pars[0][0]
    needed = max(corp.float_shares for corp in t.corporations.values())
    return min(0.8 * t.cash, float(needed * cheapest))


def _bid(q: Question, action: act.Bid, base: float, course: Course) -> Choice:
    t, s = q.t, q.s
    mine = s.bids.get(action.private, {}).get(q.seat)
    if action.amount != least_bid(t, s, action.private) or (mine is not None and s.contested is None):
        return Choice(action, learner.NEVER)
    spent = sum(bids.get(q.seat, 0) for bids in s.bids.values()) - (mine or 0)
    if s.cash[q.seat] - spent - action.amount < reserve(t):
        return Choice(action, learner.NEVER)
    gain = value(t, owning(q, action.private, action.amount), q.seat, course)[0] - base
    return Choice(action, gain - 15.0, _priced(action.private, gain, action.amount))


def agrees(t: Title, s: State, action: Action, seat: PlayerId) -> bool:
    """Whether a regular agrees to a deal: only where it is better off than without."""
    if not learner.agrees(t, s, action):
        return False
    return not isinstance(action, act.BuyTrain) or s.president_of(CorpId(action.source)) == seat
