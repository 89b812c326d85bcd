"""Which of its options a player would try at all, and what they cost."""

from collections import Counter

from engine import IPO, POOL, State, Title
from engine import actions as act
from engine.actions import Action
from engine.ids import SR, CorpId
from engine.market import price
from engine.steps.shares import cost_of
from opponents import learner
from opponents.choice import SENSELESS
from opponents.earning import surroundings
from opponents.facts import facts_of
from opponents.question import Question
from opponents.sketch_stock import JOINED
from opponents.track import next_price

TRIED = 8
"""How many actions of one kind are tried in one decision."""


def worth_trying(q: Question, rule: Action) -> list[Action]:
    """Those of the options that a sensible player would think of, in a fixed order."""
    kept: list[tuple[float, Action]] = []
    for action in q.options:
        named = action == rule and not isinstance(action, act.CompanyBuysPrivate)
        kept.append((1e7 if named else prospect(q, action), action))
    kept = [entry for entry in kept if entry[0] > SENSELESS]
    kept.sort(key=lambda entry: -entry[0])
    chosen: list[Action] = []
    counts: Counter[type[Action]] = Counter()
    for _, action in kept:
        counts[type(action)] += 1
        if counts[type(action)] <= TRIED:
            chosen.append(action)
    return chosen or [q.options[0]]


def prospect(q: Question, action: Action) -> float:
    """How much an action deserves to be tried."""
    t, s = q.t, q.s
    match action:
        case act.Pass():
            return 1e6
        case act.Dividend() | act.DiscardTrain() | act.RollDie() | act.Deal():
            return 1e5
        case act.BuyShare():
            cost = cost_of(t, s, action.corp, action.source)
            other = price(t, s, action.corp) if action.source == IPO else s.par[action.corp]
            if action.source == IPO and s.held(action.corp, POOL) and other < cost:
                return SENSELESS
            return 200 + 100.0 * (s.last_run.get(action.corp, 50) / t.corporations[action.corp].shares) / max(cost, 1)
        case act.Par():
            return par_prospect(q, action)
        case act.SellShares():
            return _sale_prospect(q, action)
        case act.BuyTrain():
            return _train_prospect(q, action)
        case act.CompanyBuysPrivate():
            high = learner.dearest(q, action.private)
            return 150.0 if action.price == high and q.step in ("trains", "privates") else SENSELESS
        case act.GoBankrupt():
            return -1e5
        case act.LayTile() | act.LayPowerTile():
            return -10.0
        case act.SellPrivate():
            return 50.0
        case act.TradePrivate() | act.ClosePrivate():
            return SENSELESS
    return 100.0


def par_prospect(q: Question, action: act.Par) -> float:
    """The two highest prices at which the seat can float the company alone; else those at which others must join."""
    t, s = q.t, q.s
    price = t.market.price(action.row, action.col)
    forced = act.Pass not in q.kinds()
    if not forced and any(s.president[corp] == q.seat and corp not in s.floated for corp in s.par):
        return SENSELESS
    if price not in _pars(q, action.corp) and not forced:
        return SENSELESS
    return 210.0 + 40.0 * surroundings(t, action.corp) + price / 100


def _pars(q: Question, corp: CorpId) -> list[int]:
    """The prices at which it makes sense to start the company."""
    t, s = q.t, q.s
    prices = sorted({par for par, _, _ in facts_of(t).pars})
    needed = to_float(t, s, corp)
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
    """All of a company that can go, or one share, or what falls short; weak companies first. None in a stock round once
    something was bought: whatever is to be sold is sold before that, and what was just bought is kept."""
    t, s = q.t, q.s
    if s.round == SR and s.bought:
        return SENSELESS
    counts = [other.count for other in q.options if isinstance(other, act.SellShares) and other.corp == action.corp]
    worth = price(t, s, action.corp)
    if action.count not in (min(counts), max(counts)) and action.count not in _to_start(q, worth):
        return SENSELESS
    rate = (s.last_run.get(action.corp, 0) / t.corporations[action.corp].shares) / max(worth, 1)
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
        wanted = not s.trains[action.corp] and action.price in (prices[0], prices[-1])
        return 300.0 if wanted and _spares(q, CorpId(action.source), action.price) else SENSELESS
    return 400.0 - action.price / 100


def _spares(q: Question, seller: CorpId, price: int) -> bool:
    """Whether the company can do without a train that another of its president's would have: it has more, or has run
    and, where it need not own one, can then pay for another of the bank's. Else nothing is gained: the one has no train
    then instead of the other."""
    if len(q.s.trains[seller]) > 1:
        return True
    replaced = facts_of(q.t).presidents_pay or q.s.cash[seller] + price >= next_price(q.t, q.s)
    return replaced and _has_run(q.s, seller)


def _has_run(s: State, corp: CorpId) -> bool:
    """Whether the company's turn in this operating round is over: it needs its train no more before the next."""
    return corp in s.operated and corp not in s.queue and corp != s.operating


def cost_to_float(t: Title, s: State, action: act.Par) -> int:
    return to_float(t, s, action.corp) * t.market.price(action.row, action.col)


def to_float(t: Title, s: State, corp: CorpId) -> int:
    """How many shares whoever starts the company must buy to float it alone; one that came with a private counts."""
    printed = t.corporations[corp]
    sold = t.policy.companies.float_count(t, s, corp) or 0
    return max(printed.president_shares, printed.float_shares - sold)
