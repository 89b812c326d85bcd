"""Buying trains: from bank, market and other companies; the duty to own one, and what it can force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.actions import Action, BuyTrain, DiscardTrain, GoBankrupt, Pass, SellShares
from engine.depot import bank_trains, cheapest, discard, take_from_bank
from engine.facts import TrainBought, WentBankrupt
from engine.flow import finish
from engine.ids import BANK, POOL, CorpId, PlayerId
from engine.market import price
from engine.money import pay
from engine.rounds.stock import blocks_of_shares, has_price, has_shares, heir_for_presidency, pool_room, sells_down
from engine.shares import over_holding_limit, sell, successor
from engine.state import State
from engine.steps.common import just_pass, operator, pass_step, shares
from engine.verbs import Guard, Step, Verb, of_seat

if TYPE_CHECKING:
    from engine.title import Title


def must_buy(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the company may not end its turn like this: it owns no train, should, and there is one to buy."""
    return not s.trains[corp] and cheapest(t, s) is not None and t.policy.train_duty(t, s, corp)


def forced_price(t: Title, s: State, corp: CorpId) -> int | None:
    """Price of the train that the president must help to buy; None if the company has no duty or can pay itself."""
    rank = cheapest(t, s)
    if rank is None or not must_buy(t, s, corp):
        return None
    cost = t.trains[rank].price
    return cost if cost > s.cash[corp] else None


def shortfall(t: Title, s: State, corp: CorpId) -> int:
    """What the president still has to raise by selling shares; 0 if nothing."""
    cost = forced_price(t, s, corp)
    player = s.president_of(corp)
    if cost is None or player is None:
        return 0
    return max(0, cost - s.cash[corp] - s.cash[player])


# Buying


def own_turn(t: Title, s: State, a: BuyTrain | GoBankrupt) -> str | None:
    """Only the company whose turn it is buys."""
    return None if a.corp == s.operating else f"It is the turn of {s.operating}, not of {a.corp}."


def train_on_sale(t: Title, s: State, a: BuyTrain) -> str | None:
    """The bank sells the ranks in order, the market what lies there, a company what it owns."""
    if a.source == BANK:
        ranks = bank_trains(t, s)
        text = f"The bank sells {' and '.join(ranks) or 'no trains'} now, not {a.rank}."
    elif a.source == POOL:
        ranks = list(s.train_pool)
        text = f"No {a.rank}-train lies in the open market."
    elif a.source in t.corporations and a.source != a.corp:
        ranks = list(s.trains[CorpId(a.source)])
        text = f"{a.source} owns no {a.rank}-train."
    else:
        return "Trains are bought from the bank, the market or another company."
    return None if a.rank in ranks else text


def room_for_train(t: Title, s: State, a: BuyTrain) -> str | None:
    """At its limit a company may not buy, except by trading a train in."""
    limit = t.train_limit(s, a.corp)
    if a.trade_in is not None or len(s.trains[a.corp]) < limit:
        return None
    return f"{a.corp} owns {len(s.trains[a.corp])} trains; the limit is {limit}."


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
        return f"{short}, and a president cannot help to buy from another company."
    if not must_buy(t, s, a.corp):
        return f"{short}, and a president helps only where a train must be bought."
    rank = cheapest(t, s)
    assert rank is not None
    if a.price > t.trains[rank].price or forced_price(t, s, a.corp) is None:
        return (
            f"{short}; a president helps only to buy the cheapest train, a {rank} for {t.money(t.trains[rank].price)}."
        )
    missing = a.price - s.cash[a.corp] - s.cash[a.by]
    return (
        None if missing <= 0 else f"{short} and you {t.money(s.cash[a.by])}: sell shares for {t.money(missing)} more."
    )


def trains_for_sale(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
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
    contribution = max(0, a.price - s.cash[a.corp])
    pay(s, a.by, a.corp, contribution, "contribution")
    seller = a.source if a.source in t.corporations else t.policy.company_bank
    pay(s, a.corp, seller, a.price, "train")
    if a.trade_in is not None:
        kept = list(s.trains[a.corp])
        kept.remove(a.trade_in)
        s.trains[a.corp] = tuple(kept)
        s.train_pool += (a.trade_in,)
    s.trains[a.corp] += (a.rank,)
    secret = a.source in t.corporations and not t.policy.open_train_prices
    s.facts.append(TrainBought(a.corp, a.rank, a.source, a.price, contribution, a.trade_in, secret))
    if a.source == BANK:
        take_from_bank(t, s, a.rank, a.corp)
    elif a.source == POOL:
        pool = list(s.train_pool)
        pool.remove(a.rank)
        s.train_pool = tuple(pool)
    else:
        left = list(s.trains[CorpId(a.source)])
        left.remove(a.rank)
        s.trains[CorpId(a.source)] = tuple(left)


def duty_met(t: Title, s: State, a: Pass) -> str | None:
    """A company with a route must own a train at the end of this step."""
    corp = operator(s)
    if not must_buy(t, s, corp):
        return None
    rank = cheapest(t, s)
    assert rank is not None
    return f"{corp} has a route and must own a train; the cheapest is a {rank} for {t.money(t.trains[rank].price)}."


# Raising the money


@of_seat
def money_needed(t: Title, s: State, a: Action) -> str | None:
    """Shares are sold here only to pay for a train that must be bought."""
    if shortfall(t, s, operator(s)) > 0:
        return None
    return "Shares can be sold now only if money is missing for a train that must be bought."


def no_president_changed(t: Title, s: State, a: SellShares) -> str | None:
    """These sales may not change the presidency of any company."""
    if s.president[a.corp] != a.by:
        return None
    left = s.held(a.corp, a.by) - a.count
    if left < 2 or successor(s, a.corp, a.by, left):
        return f"Selling {shares(a.count)} would cost you the presidency of {a.corp}, which is not allowed now."
    return None


def operator_keeps_president(t: Title, s: State, a: SellShares) -> str | None:
    """These sales may not change the presidency of the company that needs the train."""
    return no_president_changed(t, s, a) if a.corp == s.operating else None


def no_more_than_needed(t: Title, s: State, a: SellShares) -> str | None:
    """One share fewer must not be enough; but a holding above its limit may come down to it."""
    needed = shortfall(t, s, operator(s))
    enough = -(-needed // price(t, s, a.corp))
    if over_holding_limit(t, s, a.by, a.corp):
        enough = max(enough, s.held(a.corp, a.by) - t.policy.holding_limit)
    return None if a.count <= enough else f"You need {t.money(needed)}: sell {shares(enough)} of {a.corp} at most."


def sell_for_train(t: Title, s: State, a: SellShares) -> None:
    sell(t, s, a.by, a.corp, a.count, falls=a.count)
    s.sold_now += (a.corp,)


def one_emergency_block(t: Title, s: State, a: SellShares) -> str | None:
    """Also here each company's shares are sold in one block."""
    return f"You sold {a.corp} in this turn already; it must be one block." if a.corp in s.sold_now else None


def most_to_raise(t: Title, s: State, player: PlayerId) -> int:
    """The most that the player can raise by sales that are legal in an emergency (companies are independent)."""
    total = 0
    for corp in t.corporations:
        blocks = [
            count
            for count in range(1, s.held(corp, player) + 1)
            if _sale_allowed(t, s, SellShares(player, corp, count))
        ]
        total += max(blocks, default=0) * price(t, s, corp)
    return total


def _sale_allowed(t: Title, s: State, a: SellShares) -> bool:
    for_now = (money_needed, no_more_than_needed)
    return all(guard(t, s, a) is None for guard in emergency_guards(t) if guard not in for_now)


def emergency_guards(t: Title) -> tuple[Guard, ...]:
    """The guards of this title's sales for a train."""
    return t.rounds["OR"].by_name["trains"].by_action[SellShares].guards


def nothing_left_to_try(t: Title, s: State, a: GoBankrupt) -> str | None:
    """Bankruptcy needs a forced purchase that no legal combination of sales can pay."""
    needed = shortfall(t, s, a.corp)
    if needed == 0:
        return f"{a.corp} does not need money that you cannot pay."
    raisable = most_to_raise(t, s, a.by)
    if raisable >= needed:
        return f"You can still raise {t.money(raisable)} by selling shares and need {t.money(needed)}."
    return None


def ways_out(t: Title, s: State, player: PlayerId) -> list[Action]:
    return [GoBankrupt(player, operator(s))]


def go_bankrupt(t: Title, s: State, a: GoBankrupt) -> None:
    """Sell everything that can be sold, hand the cash to the bank, end the game."""
    for corp in t.corporations:
        while True:
            counts = range(s.held(corp, a.by), 0, -1)
            sale = next((n for n in counts if _sale_allowed(t, s, SellShares(a.by, corp, n))), None)
            if sale is None:
                break
            sell_for_train(t, s, SellShares(a.by, corp, sale))
    pay(s, a.by, BANK, s.cash[a.by], "bankruptcy")
    s.bankrupt |= {a.by}
    s.facts.append(WentBankrupt(a.by))
    finish(t, s, "bankrupt")


BUY_TRAIN = Verb(
    BuyTrain,
    trains_for_sale,
    (own_turn, train_on_sale, trade_in_accepted, room_for_train, right_price, train_affordable),
    buy_train,
    open_ended=True,
)
SELL_FOR_TRAIN = Verb(
    SellShares,
    blocks_of_shares,
    (
        money_needed, has_shares, has_price, one_emergency_block, pool_room, heir_for_presidency,
        no_president_changed, sells_down, no_more_than_needed,
    ),
    sell_for_train,
)  # fmt: skip
BANKRUPT = Verb(GoBankrupt, ways_out, (own_turn, nothing_left_to_try), go_bankrupt)
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
        for action in trains_for_sale(t, s, PlayerId(""))
        if isinstance(action, BuyTrain)
    )


TRAINS = Step("trains", (BUY_TRAIN, SELL_FOR_TRAIN, BANKRUPT, DONE_BUYING), trains_wanted)


# Discarding


def asked_to_discard(t: Title, s: State, a: DiscardTrain) -> str | None:
    """A company over its limit discards, in its turn; its president chooses."""
    asked = [item for item in s.pending if item.step == "discard"]
    if t.policy.discards_in_order:
        asked = asked[-1:]
    if any(item.subject == a.corp and item.player == a.by for item in asked):
        return None
    return f"{asked[-1].subject} must discard now; {s.names[asked[-1].player]} decides."


def train_owned(t: Title, s: State, a: DiscardTrain) -> str | None:
    """Only an own train can be discarded."""
    return None if a.rank in s.trains[a.corp] else f"{a.corp} owns no {a.rank}-train."


def own_ranks(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    for item in reversed(s.pending):
        if item.step == "discard":
            for rank in dict.fromkeys(s.trains[CorpId(item.subject)]):
                yield DiscardTrain(player, CorpId(item.subject), rank)


def discard_train(t: Title, s: State, a: DiscardTrain) -> None:
    discard(t, s, a.corp, a.rank)


DISCARD = Step(
    "discard",
    (Verb(DiscardTrain, own_ranks, (asked_to_discard, train_owned), discard_train, anybody=True),),
    lambda t, s: True,
)
