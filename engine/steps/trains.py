"""Buying trains: from bank, market and other companies; discarding those beyond the limit."""

from collections.abc import Iterator

from engine.actions import Action, BuyTrain, DiscardTrain, Pass
from engine.depot import TO_DISCARD, bank_trains, cheapest, discard, take_from_bank, without_one
from engine.facts import TrainBought
from engine.ids import BANK, NOBODY, POOL, CorpId, PlayerId, a_rank
from engine.money import free_cash, pay
from engine.state import State
from engine.steps.common import just_pass, operator, own_turn, pass_step
from engine.steps.emergency import BANKRUPT, SELL_FOR_TRAIN, TRAINS_STEP, forced_price, must_buy
from engine.title import Step, Title, Verb

# Buying


def train_on_sale(t: Title, s: State, a: BuyTrain) -> str | None:
    """The bank sells the ranks in order, the market what lies there, a company what it owns."""
    if a.source == BANK:
        ranks = bank_trains(t, s)
        sold = " and ".join(f"{rank}-trains" for rank in ranks) or "no trains"
        text = f"The bank sells {sold} now, not {a.rank}-trains."
    elif a.source == POOL:
        ranks = list(s.train_pool)
        text = f"There is no {a.rank}-train in the open market."
    elif a.source in t.corporations and a.source != a.corp:
        ranks = list(s.trains[CorpId(a.source)])
        text = f"{a.source} owns no {a.rank}-train."
    else:
        return "Trains are bought from the bank, the market or another company."
    return None if a.rank in ranks else text


def room_for_train(t: Title, s: State, a: BuyTrain) -> str | None:
    """At its limit a company may not buy, except by trading a train in."""
    owned, limit = len(s.trains[a.corp]), t.train_limit(s, a.corp)
    if a.trade_in is not None or owned < limit:
        return None
    return f"{a.corp} owns {owned} train{'' if owned == 1 else 's'}; the limit is {limit}."


def trade_open(t: Title, s: State, a: BuyTrain) -> str | None:
    """Companies buy trains from one another in some phases only."""
    if a.source not in t.corporations or t.phase(s).trades_trains:
        return None
    return f"Companies cannot buy trains from one another in phase {t.phase(s).name}."


def trade_in_accepted(t: Title, s: State, a: BuyTrain) -> str | None:
    """Only some trains can be traded in, for trains of the bank that say so."""
    if a.trade_in is None:
        return None
    terms = t.trains[a.rank].trade_in
    if a.source != BANK or terms is None or a.trade_in not in terms.accepts:
        return f"A {a.trade_in}-train cannot be traded in for that."
    return None if a.trade_in in s.trains[a.corp] else f"{a.corp} owns no {a.trade_in}-train to trade in."


def list_price(t: Title, a: BuyTrain) -> int:
    """What bank and market ask."""
    train = t.trains[a.rank]
    discount = train.trade_in.discount if a.trade_in is not None and train.trade_in else 0
    return train.price - discount


def right_price(t: Title, s: State, a: BuyTrain) -> str | None:
    """Printed price at bank and market; between companies what is agreed, at least 1."""
    if a.source in (BANK, POOL):
        wanted = list_price(t, a)
        return None if a.price == wanted else f"That {a.rank}-train costs {t.money(wanted)}."
    return None if a.price >= 1 else f"A train costs at least {t.money(1)} between companies."


def train_affordable(t: Title, s: State, a: BuyTrain) -> str | None:
    """The treasury pays; the president only where the purchase is forced, for the cheapest of bank and market."""
    if a.price <= s.cash[a.corp]:
        return None
    short = f"The train costs {t.money(a.price)}; {a.corp} has {t.money(s.cash[a.corp])}"
    if a.source not in (BANK, POOL):
        return f"{short}, and a {t.wording.head} cannot help it buy from another company."
    if not must_buy(t, s, a.corp):
        return f"{short}, and a {t.wording.head} may help only when a train must be bought."
    rank = cheapest(t, s)
    assert rank is not None
    if a.price > t.trains[rank].price or forced_price(t, s, a.corp) is None:
        cheap = f"{a_rank(rank)} for {t.money(t.trains[rank].price)}"
        return f"{short}; a {t.wording.head} may help only with the cheapest train, {cheap}."
    free = free_cash(s, a.by)
    missing = a.price - s.cash[a.corp] - free
    return None if missing <= 0 else f"{short} and you {t.money(free)}: sell shares to raise {t.money(missing)} more."


def not_after_sale(t: Title, s: State, a: BuyTrain) -> str | None:
    """Who has sold shares for a train buys the train that they were sold for, none of another company."""
    if a.source not in t.corporations or not s.sold_now:
        return None
    return f"You sold shares to help {a.corp}, so it must buy from the bank or the market, not from {a.source}."


def trains_for_sale(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """What bank and market sell, and trains of other companies at sensible prices."""
    corp = operator(s)
    for rank in bank_trains(t, s):
        yield BuyTrain(player, corp, rank, BANK, t.trains[rank].price)
        terms = t.trains[rank].trade_in
        for old in dict.fromkeys(s.trains[corp]) if terms else ():
            if terms and old in terms.accepts:
                yield BuyTrain(player, corp, rank, BANK, t.trains[rank].price - terms.discount, old)
    for rank in dict.fromkeys(s.train_pool):
        yield BuyTrain(player, corp, rank, POOL, t.trains[rank].price)
    cash = s.cash[corp]
    for other, ranks in s.trains.items():
        if other != corp and cash >= 1 and t.phase(s).trades_trains:
            for rank in dict.fromkeys(ranks):
                for amount in sensible_prices(cash, t.trains[rank].price):
                    yield BuyTrain(player, corp, rank, other, amount)


def sensible_prices(most: int, printed: int) -> list[int]:
    """A few prices worth offering for a deal, all between 1 and `most`."""
    return sorted({amount for amount in (1, printed // 2, printed, most) if 1 <= amount <= most})


def buy_train(t: Title, s: State, a: BuyTrain) -> None:
    """Pay for the train, by the president too where he must; what follows from a new rank."""
    contribution = max(0, a.price - s.cash[a.corp])
    pay(s, a.by, a.corp, contribution, "contribution")
    seller = a.source if a.source in t.corporations else t.policy.companies.bank
    pay(s, a.corp, seller, a.price, "train")
    if a.trade_in is not None:
        s.trains[a.corp] = without_one(s.trains[a.corp], a.trade_in)
        s.train_pool += (a.trade_in,)
    s.trains[a.corp] += (a.rank,)
    secret = a.source in t.corporations and not t.policy.secrecy.open_train_prices
    s.facts.append(TrainBought(a.corp, a.rank, a.source, a.price, contribution, a.trade_in, secret))
    if a.source == BANK:
        take_from_bank(t, s, a.rank, a.corp)
    elif a.source == POOL:
        s.train_pool = without_one(s.train_pool, a.rank)
    else:
        seller_id = CorpId(a.source)
        s.trains[seller_id] = without_one(s.trains[seller_id], a.rank)


def duty_met(t: Title, s: State, a: Pass) -> str | None:
    """A company with the duty to own a train must have one at the end of this step."""
    corp = operator(s)
    if not must_buy(t, s, corp):
        return None
    rank = cheapest(t, s)
    assert rank is not None
    return f"{corp} must own a train; the cheapest is {a_rank(rank)}-train for {t.money(t.trains[rank].price)}."


BUY_TRAIN = Verb(
    BuyTrain,
    trains_for_sale,
    (own_turn, train_on_sale, trade_in_accepted, room_for_train, right_price, not_after_sale, train_affordable),
    buy_train,
    open_ended=True,
)
DONE_BUYING = Verb(Pass, just_pass, (duty_met,), pass_step)


def trains_wanted(t: Title, s: State) -> bool:
    """The step is asked where a train can or must be bought."""
    corp = operator(s)
    if must_buy(t, s, corp):
        return True
    prices = [t.trains[rank].price for rank in (*bank_trains(t, s), *s.train_pool)]
    if t.phase(s).trades_trains and any(ranks for other, ranks in s.trains.items() if other != corp):
        prices.append(1)
    if len(s.trains[corp]) < t.train_limit(s, corp) and min(prices, default=10**9) <= s.cash[corp]:
        return True
    return any(
        action.trade_in and action.price <= s.cash[corp]
        for action in trains_for_sale(t, s, NOBODY)
        if isinstance(action, BuyTrain)
    )


TRAINS = Step(TRAINS_STEP, (BUY_TRAIN, SELL_FOR_TRAIN, BANKRUPT, DONE_BUYING), trains_wanted)


# Discarding


def asked_to_discard(t: Title, s: State, a: DiscardTrain) -> str | None:
    """A company over its limit discards, in its turn; its president chooses."""
    asked = [item for item in s.pending if item.step == DISCARD.name]
    if t.policy.trains.discards_in_order:
        asked = asked[-1:]
    if any(item.subject == a.corp and item.player == a.by for item in asked):
        return None
    return f"{asked[-1].subject} must discard now; {s.names[asked[-1].player]} decides."


def train_owned(t: Title, s: State, a: DiscardTrain) -> str | None:
    """Only an own train can be discarded."""
    return None if a.rank in s.trains[a.corp] else f"{a.corp} owns no {a.rank}-train."


def own_ranks(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Each rank that the company owns."""
    for item in reversed(s.pending):
        if item.step == DISCARD.name:
            for rank in dict.fromkeys(s.trains[CorpId(item.subject)]):
                yield DiscardTrain(player, CorpId(item.subject), rank)


def discard_train(t: Title, s: State, a: DiscardTrain) -> None:
    """The train goes to the open market."""
    discard(t, s, a.corp, a.rank)


DISCARD = Step(
    TO_DISCARD, (Verb(DiscardTrain, own_ranks, (asked_to_discard, train_owned), discard_train, anybody=True),)
)
