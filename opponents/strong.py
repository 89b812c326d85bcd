"""The strong: plays its best choices on, and looks at how the game ends.

It plays on in a sketch of the rest of the game.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from engine import State, Title
from engine.actions import Action, Par, Pass, SellShares
from engine.ids import SR, CorpId, PlayerId
from engine.shares import worth
from opponents import regular
from opponents.choice import SENSELESS, Choice, Reason, best_first
from opponents.facts import facts_of
from opponents.forecast import luck, sketched_ends
from opponents.prospects import compared
from opponents.question import Question
from opponents.trying import cost_to_float
from opponents.weights import Weights

STEPS = frozenset({"shares", "trains", "dividend", "choose", "privates"})
"""The decisions that are played on; in others the regular sees as much."""
BEST = 4
"""How many choices are played on."""
CLEAR = 500.0
"""How far behind the best a choice may be to be played on."""
DRAWS = 2
"""How often each is played on, with other luck each time, but with the same for all choices."""
RIVAL, RIVALS = 0.6, 0.3
"""What the worth of the best rival and the mean of all count: it plays to come first, the others to get rich.

Between two players nearly nothing but the difference counts.
"""
RAISED = 1.0
"""What counts as money for a train, of what shares would bring when it is due: to sell them before is no safer."""
PLAYED = 0.5
"""What the ends of the sketch count; the rest is what the regular thinks."""


def rate(q: Question, random: Random) -> list[Choice]:
    """What a regular says that minds its rivals, corrected for the best choices by how the sketch ends.

    Where presidents need not pay for trains, playing on gained nothing: there its steps are what a regular says.
    """
    known = facts_of(q.t).presidents_pay
    if known:
        q = replace(q, w=replace(q.w, rival=RIVAL, rivals=RIVALS, raised=RAISED))
    choices = regular.rate(q, random)
    if not known or q.step not in STEPS:
        return choices
    best = best_first(choices)[:BEST]
    near = [choice for choice in best if best[0].score - choice.score < CLEAR]
    near += _other_prices(q, choices, near)
    if len(near) < 2:
        return choices
    lucks = [luck(q.t, random) for _ in range(DRAWS)]
    looked = [_looked(q, choice, lucks) for choice in near]
    floor = min(choice.score for choice in looked)
    others = [replace(choice, score=min(choice.score, floor - 1)) for choice in choices if choice not in near]
    return looked + others


def _other_prices(q: Question, choices: list[Choice], near: list[Choice]) -> list[Choice]:
    """The other prices at which the seat can float alone a company that it would start: whether it pays to operate
    before others or after them is only seen by playing on."""
    known = {choice.action for choice in choices}
    corps = {choice.action.corp for choice in near if isinstance(choice.action, Par)}
    alone: list[Action] = [
        other
        for other in q.options
        if isinstance(other, Par)
        and other.corp in corps
        and other not in known
        and cost_to_float(q.t, q.s, other) <= q.s.cash[q.seat]
    ]
    return regular.tried(q, alone) if alone else []


def _looked(q: Question, choice: Choice, lucks: list[dict[CorpId, float]]) -> Choice:
    after = q.after(choice.action)
    worth = SENSELESS if after is None else end_of(q.t, after, q.seat, lucks, q.w, passes=_ends(q, choice))
    score = (1 - PLAYED) * choice.score + PLAYED * worth
    return replace(choice, score=score, reasons=(*choice.reasons, Reason("looked", round(worth))))


def _ends(q: Question, choice: Choice) -> bool:
    """Whether the choice is thought to end the seat's trading in the stock round under way: to pass, or to sell once
    more for nothing in particular.

    Otherwise a sale would look better than to pass for no other reason than that it keeps the round open, for purchases
    that the next decision would put off again.
    """
    if q.s.round != SR or q.s.bought:
        return False
    sells_on = isinstance(choice.action, SellShares) and choice.purpose is None and bool(q.s.sold.get(q.seat))
    return sells_on or isinstance(choice.action, Pass)


def end_of(
    t: Title, s: State, seat: PlayerId, lucks: list[dict[CorpId, float]], weights: Weights, *, passes: bool = False
) -> float:
    """What the end of the sketch is worth to the seat, in the mean of different luck; one that `passes` trades no more
    in the stock round under way."""
    mine = s.players.index(seat)
    if s.over:
        return compared([worth(t, s, player) for player in s.players], mine, weights)
    ends = sketched_ends(t, s, lucks, mine if passes else None)
    return sum(compared(end, mine, weights) for end in ends) / len(lucks)
