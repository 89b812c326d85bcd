"""Trains of 1860: bought with credits alone; returned at the owner's next turn; the duty to buy; insolvency."""

from collections.abc import Iterator

from engine.actions import Action, BuyTrain, DiscardTrain, Pass
from engine.depot import bank_trains, cheapest, discard, over_limit
from engine.ids import BANK, NOBODY, POOL, CorpId, PlayerId
from engine.state import State
from engine.steps import trains
from engine.steps.common import just_pass, operator, own_turn, pass_step
from engine.title import Step, Title, Verb
from engine.titles.t1860.companies import british, can_pay_bank_train, has, in_receivership, mark, unmark
from engine.titles.t1860.routing import has_route
from engine.titles.t1860.ways import ways

STEP = 10
"""Prices between companies are multiples of it. {1860-TRN-02}"""


# Excess trains


def ranks_to_return(t: Title, s: State, player: PlayerId) -> list[Action]:
    """A train of each rank that the company has; it is returned for nothing. {1860-TRN-06}"""
    corp = operator(s)
    return [DiscardTrain(player, corp, rank) for rank in dict.fromkeys(s.trains[corp])]


def too_many(t: Title, s: State) -> bool:
    """Whether the company is over its limit, and somebody chooses what it returns. {1860-TRN-06}"""
    corp = operator(s)
    return over_limit(t, s, corp) and (ways(t).table_runs_receivership or not in_receivership(s, corp))


def return_without_director(t: Title, s: State) -> None:
    """The program returns the shortest trains."""
    corp = operator(s)
    while over_limit(t, s, corp):
        discard(t, s, corp, min(s.trains[corp], key=lambda rank: t.trains[rank].price))


EXCESS = Step(
    "excess",
    (Verb(DiscardTrain, ranks_to_return, (own_turn, trains.train_owned), trains.discard_train),),
    too_many,
    skipped=return_without_director,
)


# Buying


def right_price(t: Title, s: State, a: BuyTrain) -> str | None:
    """Face value at the bank; between companies a multiple of 10, at least 10."""
    if a.source in (BANK, POOL):
        wanted = t.trains[a.rank].price
        return None if a.price == wanted else f"That {a.rank}-train costs {t.money(wanted)}."
    if a.price >= STEP and a.price % STEP == 0:
        return None
    return f"Between companies a train costs a multiple of {t.money(STEP)}."


def treasury_pays(t: Title, s: State, a: BuyTrain) -> str | None:
    """Company credits alone pay for trains; directors never help."""
    if a.price <= s.cash[a.corp]:
        return None
    return f"The train costs {t.money(a.price)}; {a.corp} has {t.money(s.cash[a.corp])}, and no player may help."


def seller_keeps_one(t: Title, s: State, a: BuyTrain) -> str | None:
    """A company that has a train does not buy another company's only one."""
    if a.source in (BANK, POOL) or not s.trains[a.corp] or len(s.trains[CorpId(a.source)]) > 1:
        return None
    return f"{a.corp} has a train, so it cannot buy the only train of {a.source}."


def directors_deal(t: Title, s: State, a: BuyTrain) -> str | None:
    """No trade with companies in receivership or bankrupt."""
    if a.source in (BANK, POOL):
        return None
    for corp in (a.corp, CorpId(a.source)):
        if has(s, "bankrupt", corp):
            return f"{corp} is bankrupt: until it floats again its trains are not traded."
        if in_receivership(s, corp):
            return f"{corp} has no director to trade its trains."
    return None


def bank_only(t: Title, s: State, a: BuyTrain) -> str | None:
    """After British Rail has formed trains come from the bank alone."""
    if a.source in (BANK, POOL) or not british(s):
        return None
    return "British Rail has formed: trains can be bought from the bank only."


def one_without_director(t: Title, s: State, a: BuyTrain) -> str | None:
    """Without a director a company buys only its first train, the next one of the bank."""
    if not in_receivership(s, a.corp) or not s.trains[a.corp]:
        return None
    return f"{a.corp} is in receivership and has a train, so it cannot buy another."


def for_sale(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """A train of each rank from the bank, from the pool, and at a few prices from each other company."""
    corp = operator(s)
    for rank in bank_trains(t, s):
        yield BuyTrain(player, corp, rank, BANK, t.trains[rank].price)
    for rank in dict.fromkeys(s.train_pool):
        yield BuyTrain(player, corp, rank, POOL, t.trains[rank].price)
    for other, ranks in s.trains.items():
        if other != corp and s.president_of(other) is not None:
            for rank in dict.fromkeys(ranks):
                for price in prices_to_offer(s.cash[corp], t.trains[rank].price):
                    yield BuyTrain(player, corp, rank, other, price)


def prices_to_offer(cash: int, printed: int) -> list[int]:
    """A few prices worth offering, multiples of 10."""
    amounts = (STEP, printed // 20 * STEP, printed, cash // STEP * STEP)
    return sorted({amount for amount in amounts if STEP <= amount <= cash})


def buy(t: Title, s: State, a: BuyTrain) -> None:
    """Buy the train; a company that owns one is solvent. {1860-TRN-01, 1860-EMR-08}"""
    trains.buy_train(t, s, a)
    unmark(s, "insolvent", a.corp)


def must_buy(t: Title, s: State, corp: CorpId) -> bool:
    """Without a train a company buys one as soon as it can pay the cheapest of the bank. {1860-TRN-10, -11}"""
    rank = cheapest(t, s)
    if s.trains[corp] or rank is None:
        return False
    price = t.trains[rank].price
    return s.cash[corp] >= price if ways(t).buys_at_price else s.cash[corp] > price


def duty_met(t: Title, s: State, a: Pass) -> str | None:
    """A company without a train that can pay the cheapest must buy one."""
    corp = operator(s)
    return f"{corp} has no train and can afford one, so it must buy." if must_buy(t, s, corp) else None


def trains_within_reach(t: Title, s: State) -> bool:
    """Asked where the company could buy some train. A bankrupt company's turn is over."""
    corp = operator(s)
    if corp not in s.floated or len(s.trains[corp]) >= t.train_limit(s, corp):
        return False
    if in_receivership(s, corp):
        return ways(t).table_runs_receivership and not s.trains[corp] and can_pay_bank_train(t, s, corp)
    return can_pay_bank_train(t, s, corp) or any(_within_reach(t, s, corp, other) for other in s.trains)


def _within_reach(t: Title, s: State, corp: CorpId, other: CorpId) -> bool:
    if other == corp or not s.trains[other] or british(s) or s.cash[corp] < STEP:
        return False
    if s.president_of(other) is None or has(s, "bankrupt", other):
        return False
    return not s.trains[corp] or len(s.trains[other]) > 1


def buy_without_director(t: Title, s: State) -> None:
    """In receivership the program buys the next train of the bank as soon as the treasury covers it. {1860-EMR-12}"""
    corp = operator(s)
    if corp in s.floated and in_receivership(s, corp) and must_buy(t, s, corp):
        rank = cheapest(t, s)
        assert rank is not None
        source = POOL if rank in s.train_pool else BANK
        buy(t, s, BuyTrain(NOBODY, corp, rank, source, t.trains[rank].price))


BUY_TRAIN = Verb(
    BuyTrain,
    for_sale,
    (
        own_turn, trains.trade_in_accepted, trains.train_on_sale, trains.room_for_train, right_price,
        one_without_director, directors_deal, seller_keeps_one, bank_only, treasury_pays,
    ),
    buy,
    open_ended=True,
)  # fmt: skip
DONE = Verb(Pass, just_pass, (duty_met,), pass_step)
TRAINS = Step(trains.TRAINS.name, (BUY_TRAIN, DONE), trains_within_reach, skipped=buy_without_director)


def check_solvency(t: Title, s: State, corp: CorpId) -> None:
    """At the end of its turn a company without a train but with a route is insolvent. {1860-EMR-01, -08}"""
    if corp not in s.floated:
        return
    if s.trains[corp]:
        unmark(s, "insolvent", corp)
    elif has_route(t, s, corp):
        mark(s, "insolvent", corp)
