"""The three levels, and what is asked of them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Literal, get_args

from engine import State, Title
from engine.actions import Action, Par
from engine.ids import PlayerId
from opponents import learner, regular, strong
from opponents.choice import Choice, Reason, best_first
from opponents.facts import facts_of
from opponents.forecast import course_of
from opponents.prospects import Valuation
from opponents.question import Question, ask
from opponents.weights import STANDARD, Weights

Level = Literal["learner", "regular", "strong"]
LEVELS: tuple[Level, ...] = get_args(Level)
Levels = Mapping[PlayerId, Level]
"""The seats that the program plays at a table, each with its level, as everybody there knows."""
PEOPLE: Levels = {}
"""A table of people alone."""


RATERS: dict[Level, Callable[[Question, Random], list[Choice]]] = {
    "learner": learner.rate,
    "regular": regular.rate,
    "strong": strong.rate,
}
WOBBLE: dict[Level, float] = {"learner": 5.0, "regular": 3.0, "strong": 3.0}
"""How much the seed moves a score, either way: players of the same level do not all play alike.

The scores of rules of thumb are small, so whoever goes by them errs by that now and then; the others never do.
"""
START_WOBBLE = 60.0
"""The same for companies that are started: what the next best one, or the next price, loses is less than is known of
it, and people who met the same start in every game would know it by heart."""
HASTE, TIMED_HASTE = 0.7, 0.55
"""In what part of its decisions a regular goes by rules of thumb, but for those of the careful steps, and while it need
not fear its own bankruptcy; and the same where a last turn is set, so that there is less time to make up for them.

This sets how far above a learner it stands, and how far below a strong.
"""
EARLY_HASTE, LATER_HASTE = 0.15, 0.75
"""The same where all depends on the start: seldom before a company of its own has run, so that not all games begin
alike, and the more often afterwards."""
CAREFUL = frozenset({"dividend", "trains"})
"""The steps in which a slip may end in bankruptcy."""


def advise(
    t: Title,
    s: State,
    seat: PlayerId,
    level: Level,
    seed: int = 0,
    weights: Weights = STANDARD,
) -> list[Choice]:
    """What the seat may do, the best first, as far as the level looked at it; ValueError if it is not asked."""
    q = ask(t, s, seat, _weights(t, level, weights), seed)
    if not q.options:
        raise ValueError(f"{seat} has nothing to decide.")
    if len(q.options) == 1:
        return [Choice(q.options[0], 0.0, (Reason("only", 1),))]
    random = Random(f"{seed} {q.s.cash[seat]} {s.turn} {s.or_number} {s.step} {s.tickets}")
    hasty = level == "regular" and q.step not in CAREFUL and random.random() < _haste(q) and not _fears_ruin(q)
    way: Level = "learner" if hasty else level
    choices = RATERS[way](q, random)
    if not choices:  # it must do something, and nothing makes sense
        choices = [Choice(option, 0.0) for option in q.options]
    return best_first([_wobbled(choice, way, random) for choice in choices])


def _wobbled(choice: Choice, level: Level, random: Random) -> Choice:
    wide = level != "learner" and isinstance(choice.action, Par)
    wobble = START_WOBBLE if wide else WOBBLE[level]
    return replace(choice, score=choice.score + random.uniform(-wobble, wobble))


def _weights(t: Title, level: Level, weights: Weights) -> Weights:
    """Where a last turn is set, a regular errs seldom at the start; so it looks less far for the rest: it plays to get
    rich, whatever that does for its rivals, and sells shares for what they bring."""
    if level != "regular" or not facts_of(t).timed:
        return weights
    return replace(weights, rival=0.0, rivals=0.0, follow_ups=False)


def _haste(q: Question) -> float:
    """In what part of its decisions a regular goes by rules of thumb: between two, a bad start is not the end."""
    facts = facts_of(q.t)
    if not facts.timed:
        return HASTE
    if not facts.careful or q.t.players == 2:
        return TIMED_HASTE
    begun = any(q.s.last_run.get(corp) and head == q.seat for corp, head in q.s.president.items())
    return LATER_HASTE if begun else EARLY_HASTE


def _fears_ruin(q: Question) -> bool:
    """Whether the seat has its own bankruptcy to fear: nobody is in haste then."""
    if not facts_of(q.t).presidents_pay or q.seat not in q.s.president.values():
        return False
    valuation = Valuation(q.t, q.s, course_of(q.t, q.s), q.w)
    _, chance = valuation.dangers(valuation.outcome().firms)[q.s.players.index(q.seat)]
    return chance > 0


def choose(
    t: Title,
    s: State,
    seat: PlayerId,
    level: Level,
    seed: int = 0,
    weights: Weights = STANDARD,
) -> Choice:
    """What the seat does. The same position and seed give the same answer on every machine."""
    return advise(t, s, seat, level, seed, weights)[0]


def agrees(t: Title, s: State, action: Action, seat: PlayerId, level: Level) -> bool:
    """Whether the seat agrees to a deal that another proposes."""
    return learner.agrees(t, s, action) if level == "learner" else regular.agrees(t, s, action, seat)
