"""What a seat sees of a position: purses that it may not look into hold an estimate made of what lies open."""

from __future__ import annotations

from engine import BANK, State, Title
from engine.ids import CorpId, Holder, PlayerId
from engine.money import set_aside
from engine.viewing import hidden_purses

LEAST = 20
"""What a purse is thought to hold at least, before the estimates are made to fit the sum."""


def seen(t: Title, s: State, seat: PlayerId) -> State:
    """The position with estimates in all purses that the seat may not look into.

    Where all money comes from one open bank, what the hidden purses hold together is known to everybody: the estimates
    are made to fit it. Positions that differ only in what is hidden from the seat give the same answer.
    """
    hidden = hidden_purses(t, s, seat)
    if not hidden:
        return s
    guesses = {holder: _guess(t, s, holder) for holder in hidden}
    if t.policy.companies.bank == BANK:
        total = sum(s.cash[holder] for holder in hidden)
        least = {holder: _known(s, holder) for holder in hidden}
        spread = max(0, total - sum(least.values()))
        weight = sum(guesses.values()) or 1
        guesses = {holder: least[holder] + spread * guess // weight for holder, guess in guesses.items()}
    estimated = s.copy()
    estimated.cash |= guesses
    return estimated


def _known(s: State, holder: Holder) -> int:
    """What the holder has at any rate: a player the money of his bids."""
    return set_aside(s, PlayerId(holder)) if holder in s.names else 0


def _guess(t: Title, s: State, holder: Holder) -> int:
    """How much the holder might have: a company what its capital leaves beside its trains and tokens."""
    if holder in s.names:
        return t.cash // 2
    corp = CorpId(holder)
    if corp not in s.floated:
        return 0
    capital = 10 * s.par.get(corp, 30)
    if corp not in s.operated:
        return capital
    trains = sum(t.trains[rank].price for rank in s.trains[corp])
    tokens = sum(t.corporations[corp].token_costs) - sum(s.tokens[corp])
    return max(LEAST, capital - trains - tokens)
