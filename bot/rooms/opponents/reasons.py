"""What speaks for a choice of the bot's, in a sentence of figures, and what decided where the figures do not say it."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from bot.words.lexicon import Lexicon, listed, sentence
from engine.actions import Action, BuyTrain, Pass, RunTrains
from opponents import Choice, Reason
from opponents.choice import Why

NO_REASON, NOTHING = "By a rule of thumb.", "It costs nothing."
CLOSE = "little between it and the next"
LATER, CHEAPER = "ranked by later runs", "ranked by what it leaves the company"
TOO_LITTLE = "the others return too little for their price"
SPARED, BEST_RUN = "nothing to add for trains", "the best run"
SPEAKS = {
    "worth": "it promises more in the end",
    "rivals": "rivals end with less",
    "looked": "a look further ahead favours it",
    "habit": "a rule of thumb favours it",
}
"""What is said of the first where this figure is better by most than that of the next."""
WORSE = ((0.002, "about as good"), (0.02, "a little worse"), (0.1, "worse"))
"""What is said of others than the best, by how far their scores are behind as part of what one ends with."""
MUCH_WORSE = "much worse"


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice as it is told to whoever must decide, or of them to others where they are `named`."""

    action: Action
    reasons: Sequence[Reason]
    names: Lexicon
    named: bool

    def all(self, why: str) -> list[Reason]:
        return [one for one in self.reasons if one.why == why]

    def first(self, why: str) -> Reason | None:
        return next(iter(self.all(why)), None)

    def money(self, amount: int) -> str:
        return self.names.money(amount)

    def about(self, amount: int) -> str:
        """An estimate, as rough as it is: "about ¥2,700"."""
        return f"about {self.money(rough(amount))}"

    @property
    def who(self) -> str:
        return self.names.player(self.action.by) if self.named else "you"


Teller = Callable[[Advice], Iterator[str]]


def told(
    choice: Choice,
    names: Lexicon,
    *,
    named: bool = False,
    besides: Collection[str] = (),
    first: str = "",
    best: Choice | None = None,
) -> str:
    """The reasons for a choice, as a sentence, `besides` clauses told elsewhere; "" for a run, whose routes say it all.

    What decided comes `first`: "The best run; AR runs for ¥80; ..."; of others than the `best` is said how much worse
    they are.
    """
    if any(one.why == "only" for one in choice.reasons):
        return "There is nothing else to do."
    clauses = [one for one in (first, best and worse(best, choice)) if one]
    tellers = OF_THE_MOVE + OF_THE_GAME if best is not None or not named else (_worth, *OF_THE_MOVE, *OF_THE_GAME)
    clauses += _clauses(Advice(choice.action, choice.reasons, names, named), tellers)
    if clauses:
        return sentence("; ".join(one for one in clauses if one not in besides))
    return "" if isinstance(choice.action, RunTrains) else NOTHING if isinstance(choice.action, Pass) else NO_REASON


def in_common(choices: Sequence[Choice], names: Lexicon) -> list[str]:
    """What is said of the game, and is the same for all of the choices."""
    return _said_of_all(choices, names, OF_THE_GAME)


def alike(choices: Sequence[Choice], names: Lexicon) -> list[str]:
    """What several choices lead to alike."""
    return _said_of_all(choices, names, OF_THE_MOVE) if len(choices) > 1 else []


def _said_of_all(choices: Sequence[Choice], names: Lexicon, tellers: Sequence[Teller]) -> list[str]:
    said = [_clauses(Advice(one.action, one.reasons, names, False), tellers) for one in choices]
    return [one for one in said[0] if all(one in other for other in said)] if said else []


def ahead(end: Sequence[Reason], names: Lexicon) -> list[str]:
    """How the game may end after the best choice: "of 100 games from here you win 34; ..."."""
    if not end:
        return []
    firsts, ends = end
    low, high = (names.money(rough(amount)) for amount in (ends.before or 0, ends.amount))
    won = f"about {firsts.amount}" if firsts.amount else "hardly any"
    return [f"of 100 games from here you win {won}", f"in half of them you end with {low} to {high}"]


def _clauses(one: Advice, tellers: Sequence[Teller]) -> list[str]:
    return list(chain.from_iterable(tell(one) for tell in tellers))


def _of(why: str, words: Callable[[Advice, Reason], str]) -> Teller:
    """Tells of each reason of a kind that has an amount."""
    return lambda one: (words(one, reason) for reason in one.all(why) if reason.amount)


def _runs(one: Advice, it: Reason) -> str:
    """What the company would run for, with the train that it has yet to buy if it has none."""
    runs = f"{'with its first train ' if one.first('trainless') else ''}{it.what} runs for {one.money(it.amount)}"
    if not it.before:
        return runs
    return f"{runs} either way" if it.before == it.amount else f"{runs} instead of {one.money(it.before)}"


def _outlook(one: Advice, it: Reason) -> str:
    more = "more" if it.amount > 0 else "less"
    return f"later runs could bring {one.money(rough(abs(it.amount)))} {more}"


def _later(one: Advice) -> Iterator[str]:
    """What its next train would run for besides; the next but one of a company without trains is far off."""
    it = one.first("later")
    if it is not None and it.amount and not one.first("trainless"):
        yield f"with its next train {one.money(abs(it.amount))} {'more' if it.amount > 0 else 'less'}"


def _private(one: Advice) -> Iterator[str]:
    """What a private is thought to gain beyond its price, or what the right to choose is worth."""
    value, price = one.first("value"), one.first("price")
    if value is None or price is None:
        return
    if not value.what:
        yield f"the right to choose is worth {one.about(value.amount)} and costs {one.money(price.amount)}"
    elif value.amount >= 0:
        yield f"it gains {one.who} {one.about(value.amount)} beyond its price of {one.money(price.amount)}"
    else:
        yield f"at {one.money(price.amount)}, it loses {one.who} {one.about(-value.amount)}"


def _thumb(one: Advice) -> Iterator[str]:
    """A rule of thumb's own figure."""
    value = one.first("value")
    if value is not None and one.first("price") is None and value.amount > 0:
        yield f"a rule of thumb gives it {value.amount:,} points"


def _worth(one: Advice) -> Iterator[str]:
    """What an opponent thought that the game ends with."""
    worth, rivals = one.first("worth"), one.first("rivals")
    if worth is not None:
        other = f", the best rival with {one.money(rough(rivals.amount))}" if rivals is not None else ""
        yield f"{one.who} ends with {one.about(worth.amount)}{other}"


def _leaves(one: Advice) -> Iterator[str]:
    left = [
        f"{one.who if reason.what == one.action.by else reason.what} {one.money(reason.amount)}"
        for reason in one.all("leaves")
        if reason.before is None or reason.amount < reason.before
    ]
    if left:
        yield f"it leaves {listed(left)}"


def _rust(one: Advice) -> Iterator[str]:
    """When the trains that it is about will rust, or those that rust next."""
    about = [it for it in one.all("rust") if it.amount >= 0]
    if about:
        bought = [it for it in about if isinstance(one.action, BuyTrain) and it.what == one.action.rank]
        soonest = min(bought or about, key=lambda it: it.amount)
        when = {0: "any turn now", 1: "in about one round"}.get(soonest.amount, f"in about {soonest.amount} rounds")
        yield f"the {soonest.what}-trains rust {when}"


def _left(one: Advice, it: Reason) -> str:
    return "one operating round is left" if it.amount == 1 else f"about {it.amount} operating rounds are left"


OF_THE_MOVE: tuple[Teller, ...] = (
    _of("runs", _runs),
    _later,
    _of("outlook", _outlook),
    _of("costs", lambda one, it: f"it costs {one.money(it.amount)}"),
    _private,
    _thumb,
    _of("starts", lambda one, it: f"it lets {one.who} start {it.what} at {one.money(it.amount)}"),
    _of("buys", lambda one, it: f"it lets {one.who} buy a share of {it.what} for {one.money(it.amount)} instead"),
    _of("gets", lambda one, it: f"it lets {one.who} buy {it.what} for {one.money(it.amount)} instead"),
    _leaves,
)
"""In the order in which they speak."""
OF_THE_GAME: tuple[Teller, ...] = (
    _of("contribution", lambda one, it: f"{one.who} will probably have to add {one.about(it.amount)} for trains"),
    _rust,
    _of("rounds", _left),
)
"""What they say is often the same for every move."""


# What decided


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
        return _of_runs(above, below) if amount_of(below, "runs") > amount_of(above, "runs") else ""
    if _has(above, "value") and _has(below, "value"):
        return CLOSE if rough(amount_of(below, "value")) > rough(amount_of(above, "value")) else ""
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
        if not amount_of(best, "contribution") and all(amount_of(one, "contribution") > 0 for one in others):
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
    return amount_of(choice, "value") > 0 or (runs is not None and runs.amount > (runs.before or 0))


def worse(best: Choice, other: Choice) -> str:
    """How much worse the other is; "" where their scores do not say what one ends with.

    In words: beside what is foreseen, scores are of rules of thumb.
    """
    if not (_has(best, "worth") and _has(other, "worth")):
        return ""
    gap = (best.score - other.score) / max(amount_of(best, "worth"), 1)
    return next((words for most, words in WORSE if gap <= most), MUCH_WORSE)


def _more(one: Choice, other: Choice, why: Why) -> int:
    return amount_of(one, why) - amount_of(other, why)


def _has(choice: Choice, why: Why) -> bool:
    return any(one.why == why for one in choice.reasons)


def amount_of(choice: Choice, why: Why) -> int:
    """The figure of a kind; 0 without."""
    return next((one.amount for one in choice.reasons if one.why == why), 0)
