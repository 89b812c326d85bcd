"""What puts one choice above another, where the figures that are shown do not say it."""

from collections.abc import Sequence

from engine.actions import Pass
from opponents import Choice
from opponents.choice import Why

LOOKED, HABIT = "ranked by a look further ahead", "ranked by a rule of thumb"
WORTH, CLOSE = "ranked by worth alone, whatever rivals get", "little between it and the next"
LATER, CHEAPER = "ranked by later runs", "ranked by what it leaves the company"
TOO_LITTLE = "the others bring too little for their money"
AGAINST_ORDER = (LOOKED, HABIT, WORTH, CLOSE, LATER, CHEAPER, TOO_LITTLE)
"""What is said where a figure further down looks better."""
SPARED, BEST_RUN, BEST_END = "nothing to add for trains", "the best run", "the best end"


def rough(amount: int) -> int:
    """The amount to two figures, as estimates are told."""
    step: int = 10 ** max(0, len(str(abs(amount))) - 2)
    return round(amount / step) * step


def decided(choices: Sequence[Choice]) -> list[str]:
    """For each of the choices as they are ranked, what decided: a clause, "" where the figures say it all."""
    against = [_against(choices, place) for place in range(len(choices))]
    return [against[0] or _speaks_for(choices), *against[1:]] if choices else []


def _against(choices: Sequence[Choice], place: int) -> str:
    """Why the choice is above the first that seems better by what is shown of it."""
    above = choices[place]
    found = (_because(above, below) for below in choices[place + 1 :])
    return next((clause for clause in found if clause), "")


def _because(above: Choice, below: Choice) -> str:
    """Why one is above the other though it seems worse; "" where it does not seem so."""
    if isinstance(above.action, Pass) and _promises(below) and not _has(above, "worth"):
        return TOO_LITTLE
    if _has(above, "worth") and _has(below, "worth"):
        return _of_ends(above, below) if _more_likely(below, above) else ""
    if _has(above, "runs") and _has(below, "runs"):
        return _of_runs(above, below) if _amount(below, "runs") > _amount(above, "runs") else ""
    if _has(above, "value") and _has(below, "value"):
        return CLOSE if rough(_amount(below, "value")) > rough(_amount(above, "value")) else ""
    return ""


def _of_ends(above: Choice, below: Choice) -> str:
    if _has(above, "looked") and not _has(below, "looked"):
        return LOOKED
    looked, habit = _more(above, below, "looked"), _more(above, below, "habit")
    if max(looked, habit) > 0:
        return LOOKED if looked >= habit else HABIT
    return WORTH if _amount(above, "worth") > _amount(below, "worth") else CLOSE


def _of_runs(above: Choice, below: Choice) -> str:
    if _more(above, below, "later") > 0 or _more(above, below, "outlook") > 0:
        return LATER
    return CHEAPER if _more(above, below, "costs") < 0 else CLOSE


def _speaks_for(choices: Sequence[Choice]) -> str:
    """What the first choice has that no other has, or that there is little between it and the second."""
    best, *others = choices
    if not others:
        return ""
    second = others[0]
    if all(_has(one, "worth") for one in choices):
        if not _amount(best, "contribution") and all(_amount(one, "contribution") > 0 for one in others):
            return SPARED
        if all(_more_likely(best, one) for one in others):
            return BEST_END
        return "" if _more_likely(best, second) or _more_likely(second, best) else CLOSE
    if _has(best, "runs") and all(_more(best, one, "runs") > 0 for one in others):
        return BEST_RUN
    same = _has(best, "runs") and _has(second, "runs") and not _more(best, second, "runs")
    return _of_runs(best, second) if same else ""


def _promises(choice: Choice) -> bool:
    """Whether what is shown of it says that it brings something."""
    runs = next((one for one in choice.reasons if one.why == "runs"), None)
    return _amount(choice, "value") > 0 or (runs is not None and runs.amount > (runs.before or 0))


def _lead(choice: Choice) -> int:
    """By how much one ends before the best rival, as it is shown."""
    return rough(_amount(choice, "worth")) - rough(_amount(choice, "rivals"))


def _more_likely(one: Choice, other: Choice) -> bool:
    """Whether one ends better by what is shown: by the chances, where both have them, or before the best rival."""
    if _has(one, "firsts") and _has(other, "firsts"):
        return _amount(one, "firsts") > _amount(other, "firsts")
    return _lead(one) > _lead(other)


def _more(one: Choice, other: Choice, why: Why) -> int:
    return _amount(one, why) - _amount(other, why)


def _has(choice: Choice, why: Why) -> bool:
    return any(one.why == why for one in choice.reasons)


def _amount(choice: Choice, why: Why) -> int:
    """The figure of a kind; 0 without."""
    return next((one.amount for one in choice.reasons if one.why == why), 0)
