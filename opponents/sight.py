"""What a seat sees of a position: purses that it may not look into hold an estimate made of what lies open."""

from engine import BANK, State, Title
from engine.ids import CorpId, Holder, PlayerId
from engine.money import set_aside
from engine.secrets import hidden_purses

LEAST = 20
"""What a purse is thought to hold at least, before the estimates are made to fit the sum."""


def seen(t: Title, s: State, seat: PlayerId | None) -> State:
    """The position with estimates in all purses that the seat (None: the public) may not look into.

    Where all money comes from one open bank, what the hidden purses hold together is known to everybody: the estimates
    are made to fit it. So is what a company has that has not operated yet: its capital. Positions that differ only
    in what is hidden from the seat give the same answer.
    """
    hidden = hidden_purses(t, s, seat)
    if not hidden:
        return s
    guesses = {holder: _guess(t, s, holder) for holder in hidden}
    if t.policy.companies.bank == BANK:
        total = sum(s.cash[holder] for holder in hidden)
        bids = {holder: set_aside(s, PlayerId(holder)) for holder in hidden if holder in s.names}
        certain = {holder: guesses[holder] for holder in hidden if holder in s.par and holder in s.floated - s.operated}
        if sum(bids.values()) + sum(certain.values()) > total:
            certain = {}
        unsure = [holder for holder in hidden if holder not in certain]
        spread = max(0, total - sum(bids.values()) - sum(certain.values()))
        weight = sum(guesses[holder] for holder in unsure) or 1
        guesses = certain | {holder: bids.get(holder, 0) + spread * guesses[holder] // weight for holder in unsure}
    estimated = s.copy()
    estimated.cash |= guesses
    return estimated


def _guess(t: Title, s: State, holder: Holder) -> int:
    """How much the holder might have: a company what its capital leaves beside its trains and tokens."""
    if holder in s.names:
        return t.cash // 2
    corp = CorpId(holder)
    if corp not in s.floated:
        return 0
    capital = t.corporations[corp].shares * s.par.get(corp, 30)
    if corp not in s.operated:
        return capital
    trains = sum(t.trains[rank].price for rank in s.trains[corp])
    tokens = sum(t.corporations[corp].token_costs) - sum(s.tokens[corp])
    return max(LEAST, capital - trains - tokens)
