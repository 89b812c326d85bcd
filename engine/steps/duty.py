"""The duty to own a train: who must buy, what it costs, and what the president still lacks for it."""

from engine.depot import cheapest
from engine.ids import CorpId
from engine.money import free_cash
from engine.state import State
from engine.title import Title


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
