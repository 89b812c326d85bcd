"""The learner: plays by rules of thumb, each looking at one thing, and never ahead."""

from random import Random

from engine import POOL, State, Title
from engine import actions as act
from engine.actions import Action
from engine.ids import BANK, CorpId, PrivateId
from engine.market import price
from engine.money import free_cash
from engine.rounds.waterfall import least_bid, price_of
from engine.steps.shares import cost_of
from opponents.choice import SENSELESS, Choice, Reason
from opponents.earning import opening, outlook
from opponents.question import Question
from opponents.track import next_price, rate_lays, rate_tokens

UNWISE = -1.0
"""Just below passing: what a learner does by error alone, as to start a company that it cannot float."""
DEAR = 1.15
"""How much of its face a learner pays for a private at most."""


def rate(q: Question, random: Random) -> list[Choice]:
    """All that the seat may do, each with a score."""
    kinds = q.kinds()
    if act.LayTile in kinds:
        return _track(q)
    if act.PlaceToken in kinds:
        return _besides(q, act.PlaceToken) + rate_tokens(q, 6.0)
    if q.is_auction():
        return _auction(q)
    return by_rules(q)


def _track(q: Question) -> list[Choice]:
    lays = rate_lays(q, later=0.3, promise=0.3, tried_closely=3)
    return _besides(q, act.LayTile, act.LayPowerTile) + lays


def _besides(q: Question, *kinds: type[Action]) -> list[Choice]:
    """What the rules of thumb say of options of other kinds."""
    return [choice for choice in by_rules(q) if not isinstance(choice.action, kinds)]


def _auction(q: Question) -> list[Choice]:
    t, s = q.t, q.s
    least_kept, free = _kept(t, s), free_cash(s, q.seat)
    choices = []
    for action in q.options:
        score = 0.0
        match action:
            case act.Bid():
                face = t.privates[action.private].value
                kept = free + s.bids.get(action.private, {}).get(q.seat, 0) - action.amount
                dear = action.amount > DEAR * face + 5 or kept < least_kept
                least = action.amount == least_bid(t, s, action.private)
                score = 5.0 - action.amount / face if least and not dear else SENSELESS
                if s.contested is None and q.seat in s.bids.get(action.private, {}):
                    score = SENSELESS
            case act.BuyPrivate():
                fair = price_of(t, s, action.private) <= t.privates[action.private].value
                score = 3.0 if fair else UNWISE
                if _drags_on(q, action.private):
                    score = 10.0
            case act.BidToChoose():
                score = 1.0 if action.amount <= 0.06 * t.cash else SENSELESS
        choices.append(Choice(action, score, (Reason("value", round(score)),)))
    return choices


def _drags_on(q: Question, private: PrivateId) -> bool:
    """Whether the private keeps the game from beginning: the sale has gone on into another game turn, or the seat
    has been paid while it lay there unsold, and has the money for it.

    Who always passes then lets incomes, or the last turn, end the game before it has begun.
    """
    return q.s.turn > 1 or q.s.cash[q.seat] > max(q.t.cash, 2 * q.t.privates[private].value)


def _kept(t: Title, s: State) -> float:
    """What a player keeps beside the bids: some money for shares, and where it can what the dearest private costs that
    nobody bids for. The money of bids is tied up until that is sold."""
    waiting = [
        private.value for private in t.privates.values() if s.owner[private.id] == BANK and not s.bids.get(private.id)
    ]
    return max(0.35 * t.cash, min(0.6 * t.cash, max(waiting, default=0)))


def by_rules(q: Question) -> list[Choice]:
    """What a rule of thumb says of each option that is no lay, token or bid."""
    return [Choice(action, _score(q, action)) for action in q.options]


def _score(q: Question, action: Action) -> float:
    """What speaks for the action by a rule of thumb; to pass is 0."""
    t, s = q.t, q.s
    match action:
        case act.RunTrains():
            after = q.after(action)
            return float(after.last_run[action.corp]) if after is not None else 0.0
        case act.Dividend():
            return 4.0 if action.kind == "pay" else 1.0
        case act.BuyTrain():
            return _train(q, action)
        case act.DiscardTrain():
            return -t.trains[action.rank].price
        case act.BuyShare():
            return share(q, action)
        case act.Par():
            return _par(q, action)
        case act.SellShares():
            return -10.0 * action.count * price(t, s, action.corp) / (1 + s.held(action.corp, POOL))
        case act.CompanyBuysPrivate():
            spare = s.cash[action.corp] - next_price(t, s)
            return 3.0 if action.price == dearest(q, action.private, spare) else SENSELESS
        case act.BuyPrivate():
            return 1.0 + t.privates[action.private].revenue / t.privates[action.private].value
        case act.ExchangePrivate():
            return UNWISE
        case act.PlaceToken() | act.LayTile() | act.LayPowerTile():
            return UNWISE
        case act.GoBankrupt() | act.SellPrivate() | act.ClosePrivate() | act.TradePrivate():
            return SENSELESS
    return 0.0


def dearest(q: Question, private: PrivateId, spare: int | None = None) -> int:
    """The highest price at which a company may buy the private now, of those that it can `spare`; -1 if none."""
    prices = [o.price for o in q.options if isinstance(o, act.CompanyBuysPrivate) and o.private == private]
    return max((price for price in prices if spare is None or price <= spare), default=-1)


def _train(q: Question, action: act.BuyTrain) -> float:
    """A train when there is none, or when the company has the money; from the bank rather than elsewhere."""
    t, s = q.t, q.s
    if action.source in t.corporations:
        return SENSELESS
    if not s.trains[action.corp]:
        return 1000.0 - action.price / 10
    if action.price > s.cash[action.corp]:
        return SENSELESS
    return 500.0 - action.price / 10 if len(s.trains[action.corp]) < 2 or action.source == BANK else UNWISE


def share(q: Question, action: act.BuyShare) -> float:
    """One's own company until it floats; then what paid best for its price. None that can build nothing yet."""
    t, s = q.t, q.s
    if opening(t, s, action.corp) > s.phase:
        return UNWISE
    cost = cost_of(t, s, action.corp, action.source)
    if s.president[action.corp] == q.seat and action.corp not in s.floated:
        return 500.0
    if action.corp in s.floated:
        paying = s.last_paid.get(action.corp, 0) or s.par[action.corp] / 20
        return 100.0 * paying / max(cost, 1) if s.trains[action.corp] or action.corp not in s.operated else UNWISE
    return 4.0


def _par(q: Question, action: act.Par) -> float:
    """A company at the highest price at which it can be floated alone, or nearly; only one at a time."""
    t, s = q.t, q.s
    price = t.market.price(action.row, action.col)
    waiting = any(s.president[corp] == q.seat and corp not in s.floated for corp in s.par)
    needed = min(t.corporations[action.corp].float_shares, t.policy.holdings.holding_limit)
    forced = act.Pass not in q.kinds()
    covered = s.cash[q.seat] / (price * needed)
    if (waiting or covered < 0.99) and not forced:
        return UNWISE
    home = min(outlook(t, s, action.corp), 150.0)
    return 200.0 + price + home if covered >= 0.99 else home - price


def agrees(t: Title, s: State, action: Action) -> bool:
    """Whether a learner agrees to a deal: a train or private at its printed price or more."""
    match action:
        case act.BuyTrain():
            seller = CorpId(action.source)
            return len(s.trains[seller]) > 1 and action.price >= t.trains[action.rank].price
        case act.CompanyBuysPrivate() | act.TradePrivate():
            return action.price >= 1.5 * t.privates[action.private].value
    return False
