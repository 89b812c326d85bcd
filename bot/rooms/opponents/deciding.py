"""What puts one choice above another, where the figures that are shown do not say it."""

from collections.abc import Sequence

from engine.actions import Pass
from opponents import Choice
from opponents.choice import Why

CLOSE = "little between it and the next"
LATER, CHEAPER = "ranked by later runs", "ranked by what it leaves the company"
TOO_LITTLE = "the others bring too little for their money"
SPARED, BEST_RUN = "nothing to add for trains", "the best run"
SPEAKS = {
    "worth": "the better end",
    "rivals": "rivals end with less",
    "looked": "better after a look further ahead",
    "habit": "a rule of thumb speaks for it",
}
"""What is said of the first where this figure is better by most than that of the next."""
WORSE = ((0.002, "about as good"), (0.02, "a little worse"), (0.1, "worse"))
"""What is said of others than the best, by how far their scores are behind as part of what one ends with."""
MUCH_WORSE = "much worse"


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
    if _has(above, "runs") and _has(below, "runs"):
        return _of_runs(above, below) if _amount(below, "runs") > _amount(above, "runs") else ""
    if _has(above, "value") and _has(below, "value"):
        return CLOSE if rough(_amount(below, "value")) > rough(_amount(above, "value")) else ""
    return ""


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
        return CLOSE if worse(best, second) == WORSE[0][1] else _most(best, second)
    if _has(best, "runs") and all(_more(best, one, "runs") > 0 for one in others):
        return BEST_RUN
    same = _has(best, "runs") and _has(second, "runs") and not _more(best, second, "runs")
    return _of_runs(best, second) if same else ""


def _most(best: Choice, second: Choice) -> str:
    """By what the first is better than the second."""
    by = {"worth": _more(best, second, "worth"), "rivals": _more(second, best, "rivals")}
    by["habit"] = _more(best, second, "habit")
    by["looked"] = _more(best, second, "looked") if _has(best, "looked") and _has(second, "looked") else 0
    return SPEAKS[max(by, key=lambda why: by[why])]


def _promises(choice: Choice) -> bool:
    """Whether what is shown of it says that it brings something."""
    runs = next((one for one in choice.reasons if one.why == "runs"), None)
    return _amount(choice, "value") > 0 or (runs is not None and runs.amount > (runs.before or 0))


def worse(best: Choice, other: Choice) -> str:
    """How much worse the other is; "" where their scores do not say what one ends with.

    In words: beside what is foreseen, scores are of rules of thumb.
    """
    if not (_has(best, "worth") and _has(other, "worth")):
        return ""
    gap = (best.score - other.score) / max(_amount(best, "worth"), 1)
    return next((words for most, words in WORSE if gap <= most), MUCH_WORSE)


def _more(one: Choice, other: Choice, why: Why) -> int:
    return _amount(one, why) - _amount(other, why)


def _has(choice: Choice, why: Why) -> bool:
    return any(one.why == why for one in choice.reasons)


def _amount(choice: Choice, why: Why) -> int:
    """The figure of a kind; 0 without."""
    return next((one.amount for one in choice.reasons if one.why == why), 0)
