"""The duty to own a train, raising the money for one that must be bought, and bankruptcy where nothing raises it."""

from typing import Final

from engine.actions import Action, BuyTrain, ExchangePrivate, GoBankrupt, SellShares
from engine.depot import cheapest
from engine.facts import WentBankrupt
from engine.flow import finish, once_done, possible
from engine.ids import BANK, OR, CorpId, PlayerId
from engine.market import price
from engine.money import free_cash, pay
from engine.shares import sell, successor
from engine.state import State
from engine.steps.common import n_shares, operator
from engine.steps.shares import (
    blocks_of_shares,
    has_price,
    has_shares,
    heir_for_presidency,
    least_block,
    pool_room,
    sells_down,
)
from engine.title import Step, Title, Verb, of_seat

TRAINS_STEP: Final = "trains"
"""Name of the step in which a company buys trains."""

# The duty: who must buy, what it costs, and what the president still lacks for it


def must_buy(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the company may not end its turn like this: it owns no train, should, and there is one to buy."""
    return not s.trains[corp] and cheapest(t, s) is not None and t.policy.trains.duty(t, s, corp)


def forced_price(t: Title, s: State, corp: CorpId) -> int | None:
    """Price of the train that the president must help to buy; None if the company has no duty or can pay itself."""
    rank = cheapest(t, s)
    if rank is None or not must_buy(t, s, corp):
        return None
    cost = t.trains[rank].price
    return cost if cost > s.cash[corp] else None


def shortfall(t: Title, s: State, corp: CorpId) -> int:
    """What the president still has to raise beside his free cash; 0 if nothing. Money of bids stays set aside."""
    cost = forced_price(t, s, corp)
    player = s.president_of(corp)
    if cost is None or player is None:
        return 0
    return max(0, cost - s.cash[corp] - free_cash(s, player))


# Selling shares


@of_seat
def money_needed(t: Title, s: State, a: Action) -> str | None:
    """Shares are sold here only to pay for a train that must be bought."""
    if shortfall(t, s, operator(s)) > 0:
        return None
    return "You can sell shares now only to pay for a train that must be bought."


def no_president_changed(t: Title, s: State, a: SellShares) -> str | None:
    """These sales may not change the presidency of any company."""
    if s.president[a.corp] != a.by:
        return None
    left = s.held(a.corp, a.by) - a.count
    if left < t.corporations[a.corp].president_shares or successor(t, s, a.corp, a.by, left):
        lost = f"the {t.wording.headship} of {a.corp}"
        return f"Selling {n_shares(a.count)} would cost you {lost}, which is not allowed now."
    return None


def operator_keeps_president(t: Title, s: State, a: SellShares) -> str | None:
    """These sales may not change the presidency of the company that needs the train."""
    return no_president_changed(t, s, a) if a.corp == s.operating else None


def no_more_than_needed(t: Title, s: State, a: SellShares) -> str | None:
    """One share fewer must not be enough, unless a holding above its limit has to come down to it."""
    needed = shortfall(t, s, operator(s))
    enough = max(-(-needed // price(t, s, a.corp)), least_block(t, s, a.by, a.corp))
    return None if a.count <= enough else f"You need {t.money(needed)}: sell at most {n_shares(enough)} of {a.corp}."


def no_more_papers_than_needed(t: Title, s: State, a: SellShares) -> str | None:
    """The same, but a president's certificate counts as one paper where it is all that the seller holds."""
    held = s.held(a.corp, a.by)
    whole = s.president[a.corp] == a.by and a.count == held == t.corporations[a.corp].president_shares
    return None if whole else no_more_than_needed(t, s, a)


def leaves_a_way(t: Title, s: State, a: SellShares) -> str | None:
    """No sale may spoil the purchase: what could be paid before it can be paid after it.

    Shares sold one by one bring less than together, and a sale bars the trains of other companies.
    """
    corp = operator(s)
    after = once_done(t, s, _trains(t).by_action[SellShares], a)
    if _solved(t, after, a.by, corp):
        return None
    way = way_out(t, s, a.by, corp)
    return f"After that sale you could no longer pay for the train. {way}" if way else None


def sell_for_train(t: Title, s: State, a: SellShares) -> None:
    """The president's shares go to the market to pay for the train."""
    sell(t, s, a.by, a.corp, a.count, falls=a.count)
    s.sold_now += (a.corp,)


# What could still pay


def way_out(t: Title, s: State, player: PlayerId, corp: CorpId) -> str | None:
    """What would still give the company its train, or end its need of one, in words; None if nothing would."""
    return _sales(t, s, player, corp) or _other_way(t, s, player, corp)


def _solved(t: Title, s: State, player: PlayerId, corp: CorpId) -> bool:
    """Whether nothing is lacking any more, or something would still help."""
    return shortfall(t, s, corp) == 0 or way_out(t, s, player, corp) is not None


def most_to_raise(t: Title, s: State, player: PlayerId) -> int:
    """The most that the player can raise by sales that are legal in an emergency (companies are independent)."""
    return sum(_largest_block(t, s, player, corp) * price(t, s, corp) for corp in t.corporations)


def _largest_block(t: Title, s: State, player: PlayerId, corp: CorpId) -> int:
    """How many shares of the company the player can sell together; 0 if none."""
    counts = range(s.held(corp, player), 0, -1)
    return next((count for count in counts if _sale_allowed(t, s, SellShares(player, corp, count))), 0)


def _sale_allowed(t: Title, s: State, a: SellShares) -> bool:
    for_now = (money_needed, no_more_than_needed, no_more_papers_than_needed, leaves_a_way)
    guards = _trains(t).by_action[SellShares].guards
    return all(guard(t, s, a) is None for guard in guards if guard not in for_now)


def _trains(t: Title) -> Step:
    """The title's own step of buying trains."""
    return t.rounds[OR].by_name[TRAINS_STEP]


def _sales(t: Title, s: State, player: PlayerId, corp: CorpId) -> str | None:
    needed, raisable = shortfall(t, s, corp), most_to_raise(t, s, player)
    if raisable < needed:
        return None
    return f"You can still raise {t.money(raisable)} by selling shares and need {t.money(needed)}."


def _other_way(t: Title, s: State, player: PlayerId, corp: CorpId) -> str | None:
    """A train of another company that he runs, a sale that ends or lessens the need, or an exchange that helps."""
    step = _trains(t)
    for offer in possible(t, s, step.by_action[BuyTrain], player):
        if isinstance(offer, BuyTrain) and s.president.get(CorpId(offer.source)) == player:
            return f"{corp} can still buy the {offer.rank}-train of {offer.source}, which you run."
    for other in t.corporations:
        if count := _largest_block(t, s, player, other):
            after = once_done(t, s, step.by_action[SellShares], SellShares(player, other, count))
            if forced_price(t, after, corp) != forced_price(t, s, corp) and _solved(t, after, player, corp):
                what = "which then needs no train" if other == corp else "whose trains come to the market then"
                return f"You can still sell {n_shares(count)} of {other}, {what}."
    for verb in t.anytime:
        if verb.action is ExchangePrivate:
            for exchange in possible(t, s, verb, player):
                after = once_done(t, s, verb, exchange)
                if isinstance(exchange, ExchangePrivate) and _solved(t, after, player, corp):
                    return f"You can still exchange {exchange.private}."
    return None


# Bankruptcy


def money_missing(t: Title, s: State, a: GoBankrupt) -> str | None:
    """Only who must pay for a train and lacks the money goes bankrupt."""
    if a.corp != s.operating:
        return f"It is {s.operating}'s turn, not {a.corp}'s."
    return None if shortfall(t, s, a.corp) else f"{a.corp} does not need more money than you can pay."


def nothing_left_to_sell(t: Title, s: State, a: GoBankrupt) -> str | None:
    """Nobody goes bankrupt whose shares would pay for the train."""
    return _sales(t, s, a.by, a.corp)


def no_other_way(t: Title, s: State, a: GoBankrupt) -> str | None:
    """Nobody goes bankrupt while an exchange or the train of another of his companies would do."""
    return _other_way(t, s, a.by, a.corp)


def only_way_left(t: Title, s: State, player: PlayerId) -> list[Action]:
    """Bankruptcy; the guards say whether another way is left."""
    return [GoBankrupt(player, operator(s))]


def sell_up(t: Title, s: State, a: GoBankrupt) -> None:
    """Sell everything that can be sold, hand the cash to the bank, end the game."""
    for corp in t.corporations:
        while count := _largest_block(t, s, a.by, corp):
            sell_for_train(t, s, SellShares(a.by, corp, count))
    pay(s, a.by, BANK, s.cash[a.by], "bankruptcy")
    go_bankrupt(t, s, a)


def go_bankrupt(t: Title, s: State, a: GoBankrupt) -> None:
    """End the game as it stands."""
    s.bankrupt |= {a.by}
    s.facts.append(WentBankrupt(a.by))
    finish(t, s, "bankrupt")


SELL_FOR_TRAIN = Verb(
    SellShares,
    blocks_of_shares,
    (
        money_needed, has_shares, has_price, pool_room, heir_for_presidency, no_president_changed, sells_down,
        no_more_than_needed, leaves_a_way,
    ),
    sell_for_train,
)  # fmt: skip
BANKRUPT = Verb(GoBankrupt, only_way_left, (money_missing, nothing_left_to_sell, no_other_way), sell_up)
