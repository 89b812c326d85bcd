"""The only place where cash moves, and what is sold for it between holders."""

from engine.facts import CashMoved, Payment, PrivateSold
from engine.ids import Holder, PlayerId, PrivateId
from engine.state import State


def pay(s: State, source: Holder, target: Holder, amount: int, why: Payment) -> None:
    """Move `amount` from one holder to another; nothing happens for 0. Only the bank may go below 0."""
    if amount == 0:
        return
    assert amount > 0, f"negative payment {amount} for {why}"
    s.cash[source] -= amount
    s.cash[target] += amount
    s.facts.append(CashMoved(source, target, amount, why))


def sell_private(s: State, private: PrivateId, seller: Holder, buyer: Holder, price: int) -> None:
    """The private changes hands for this price."""
    pay(s, buyer, seller, price, "private")
    s.owner[private] = buyer
    s.facts.append(PrivateSold(private, seller, buyer, price))


def set_aside(s: State, player: PlayerId) -> int:
    """Money of the player's standing bids."""
    return sum(bids.get(player, 0) for bids in s.bids.values())


def free_cash(s: State, player: PlayerId) -> int:
    """What the player can spend: cash less the standing bids."""
    return s.cash[player] - set_aside(s, player)
