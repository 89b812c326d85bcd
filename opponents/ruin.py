"""Bankruptcies that are in sight: who may not be able to pay for a train, and what the game's end then brings."""

from collections.abc import Mapping

from engine import POOL, State, Title
from engine.ids import CorpId, PlayerId
from engine.market import price
from engine.shares import successor, worth
from opponents.facts import facts_of
from opponents.forecast import Prospect

AHEAD = 4
"""How many operating rounds ahead a bankruptcy is looked for."""
SURE = 500.0
"""How much a president must be short of to go bankrupt for sure."""
MARGIN = 200.0
"""How much more a president is thought to be short of where a last turn is set: companies start poor there, and whoever
went bankrupt was often short of little."""
RAISED = 0.85
"""What part of its price a share brings in a need: prices fall as shares are sold."""
MOST = 0.8
"""How likely a bankruptcy is thought to be at most: there are ways that are not seen."""


Danger = tuple[int, float]
"""In how many operating rounds a seat may go bankrupt, and how likely it does."""


def dangers(t: Title, s: State, firms: Mapping[CorpId, Prospect]) -> list[Danger]:
    if not facts_of(t).presidents_pay:
        return [(0, 0.0)] * len(s.players)
    return [_danger(t, s, seat, firms) for seat in s.players]


def _danger(t: Title, s: State, seat: PlayerId, firms: Mapping[CorpId, Prospect]) -> Danger:
    due = [(firm.due, firm.soon) for corp, firm in firms.items() if s.president[corp] == seat and firm.due < AHEAD]
    if not due:
        return 0, 0.0
    first = min(rounds for rounds, _ in due)
    lacking = sum(owed for _, owed in due) - s.cash[seat] - first * income(t, s, seat, firms) - to_raise(t, s, seat)
    margin = MARGIN if facts_of(t).timed else 0.0
    return first, min(MOST, max(0.0, (lacking + margin) / SURE)) * (1 - first / AHEAD)


def income(t: Title, s: State, seat: PlayerId, firms: Mapping[CorpId, Prospect]) -> float:
    """What the seat gets in an operating round, about."""
    return sum(s.held(corp, seat) * firm.income / t.corporations[corp].shares for corp, firm in firms.items())


def to_raise(t: Title, s: State, seat: PlayerId) -> float:
    """What the seat's shares bring in a need, as far as the market takes them and a president finds an heir."""
    total = 0
    for corp in s.floated:
        if corp in s.cell:
            kept = (
                t.corporations[corp].president_shares
                if s.president[corp] == seat and successor(t, s, corp, seat, 0) is None
                else 0
            )
            room = t.policy.holdings.pool_limit - s.held(corp, POOL)
            total += max(0, min(s.held(corp, seat) - kept, room)) * price(t, s, corp)
    return RAISED * total


def ended(t: Title, s: State, firms: Mapping[CorpId, Prospect], rounds: int) -> list[float]:
    """What everybody is worth if the game ends after so many operating rounds."""
    return [worth(t, s, seat) + rounds * income(t, s, seat, firms) for seat in s.players]
