"""The strong: plays its best few choices on in its head, and looks at where they have led."""

from __future__ import annotations

from random import Random

from engine import CHANCE, BadAction, Refused, State, Title, apply, decision, legal
from engine import actions as act
from engine.actions import Action
from engine.ids import PlayerId
from engine.steps.track import put_tile
from opponents import learner, regular
from opponents.choice import Choice, Reason, best_first
from opponents.earning import outlook
from opponents.forecast import course_of
from opponents.prospects import value
from opponents.question import Question, ask
from opponents.weights import STANDARD, Weights

STEPS = frozenset({"shares", "trains", "dividend", "choose"})
"""The decisions that are played on; in others the regular sees as much."""
BEST = 3
"""How many choices are played on."""
DRAWS = 2
"""How often each is played on; what is hidden or drawn is another each time."""
LONGEST = 45
"""After how many decisions the look ahead ends, if the set of operating rounds has not ended before."""
CLEAR = 900.0
"""A lead that needs no second look."""
PLAYED = 0.5
"""What the positions that were played to count; the rest is what the regular thinks."""
LAYS = 5
"""How many lays are looked at in a company's turn while playing on."""


def rate(q: Question, random: Random) -> list[Choice]:
    """What the regular says, corrected for the best few by playing on."""
    choices = regular.rate(q, random)
    if q.step not in STEPS or len(choices) < 2:
        return choices
    best = best_first(choices)[:BEST]
    near = [choice for choice in best if best[0].score - choice.score < CLEAR]
    if len(near) < 2:
        return choices
    seeds = [random.randrange(10**6) for _ in range(DRAWS)]
    led = [_mean_value(q, choice.action, seeds) for choice in near]
    looked = [
        Choice(
            choice.action,
            (1 - PLAYED) * choice.score + PLAYED * worth,
            (*choice.reasons, Reason("looked", round(worth))),
        )
        for choice, worth in zip(near, led, strict=True)
    ]
    floor = min(choice.score for choice in looked)
    others = [
        Choice(choice.action, min(choice.score, floor - 1), choice.reasons) for choice in choices if choice not in near
    ]
    return looked + others


def _mean_value(q: Question, action: Action, seeds: list[int]) -> float:
    after = q.after(action)
    if after is None:
        return learner.NEVER
    return sum(value_later(q.t, after, q.seat, Random(seed), q.w) for seed in seeds) / len(seeds)


def value_later(t: Title, s: State, seat: PlayerId, random: Random, weights: Weights = STANDARD) -> float:
    """What the position is worth to the seat some time later, when all have played on by rules of thumb."""
    turn = s.turn
    for _ in range(LONGEST):
        if s.over or s.turn > turn + 1:
            break
        action = _quick(t, s, random)
        try:
            s = apply(t, s, action)
        except (Refused, BadAction):
            break
    return value(t, s, seat, course_of(t, s), weights)[0]


def _quick(t: Title, s: State, random: Random) -> Action:
    """What somebody does who does not think long."""
    asked = decision(t, s).players[0]
    if asked == CHANCE:
        return random.choice(list(legal(t, s, CHANCE)))
    q = ask(t, s, asked)
    if len(q.options) == 1:
        return q.options[0]
    lays = [option for option in q.options if isinstance(option, act.LayTile)]
    if lays and q.corp is not None:
        tried = random.sample(lays, min(LAYS, len(lays)))
        return max(tried, key=lambda lay: _promise(t, s, lay))
    rated = learner.by_rules(q) if not q.is_auction() else learner.rate(q, random)
    return max(rated, key=lambda choice: choice.score + random.uniform(-2, 2)).action


def _promise(t: Title, s: State, lay: act.LayTile) -> float:
    after = s.copy()
    put_tile(t, after, lay.hex, lay.tile, lay.rotation)
    return outlook(t, after, lay.corp)
