"""What speaks for a choice of the bot's, in a sentence of figures."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from bot.rooms.opponents.deciding import rough, worse
from bot.words.lexicon import Lexicon, listed
from engine.actions import Action, BuyTrain, Pass, RunTrains
from opponents import Choice, Reason

NO_REASON, NOTHING = "By a rule of thumb.", "It costs nothing."


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice as it is told to whoever must decide, or of them to others where they are `named`."""

    action: Action
    reasons: Sequence[Reason]
    names: Lexicon
    named: bool

    def all(self, why: str) -> list[Reason]:
        """The reasons of a kind."""
        return [one for one in self.reasons if one.why == why]

    def first(self, why: str) -> Reason | None:
        """The first reason of a kind; None if there is none."""
        return next(iter(self.all(why)), None)

    def money(self, amount: int) -> str:
        """An amount in the game's currency."""
        return self.names.money(amount)

    def about(self, amount: int) -> str:
        """An estimate, as rough as it is: "about ¥2,700"."""
        return f"about {self.money(rough(amount))}"

    @property
    def who(self) -> str:
        """Whoever decides."""
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
        return sentence([one for one in clauses if one not in besides])
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
    """How the game may end after the best choice: "of 100 games from here you win 34, ..."."""
    if not end:
        return []
    firsts, ends = end
    low, high = (names.money(rough(amount)) for amount in (ends.before or 0, ends.amount))
    won = f"about {firsts.amount}" if firsts.amount else "hardly any"
    return [f"of 100 games from here you win {won}, and end half with {low} to {high}"]


def sentence(clauses: Sequence[str]) -> str:
    """The clauses as one sentence; "" if there are none."""
    text = "; ".join(clauses)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


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
    return f"{runs}, as without it" if it.before == it.amount else f"{runs} instead of {one.money(it.before)}"


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
        yield f"by a rule of thumb, {value.amount:,} points speak for it"


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
        when = {0: "in this round", 1: "in about one round"}.get(soonest.amount, f"in about {soonest.amount} rounds")
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
    _of("starts", lambda one, it: f"to start {it.what} at {one.money(it.amount)}"),
    _of("buys", lambda one, it: f"to buy a share of {it.what} for {one.money(it.amount)} instead"),
    _leaves,
)
"""In the order in which they speak."""
OF_THE_GAME: tuple[Teller, ...] = (
    _of("contribution", lambda one, it: f"{one.who} will probably have to add {one.about(it.amount)} for trains"),
    _rust,
    _of("rounds", _left),
)
"""What they say is often the same for every move."""
