"""What speaks for a choice of the bot's, in a sentence of figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from bot.words.lexicon import Lexicon, listed
from engine.actions import Action, BuyTrain, Pass, RunTrains
from opponents import Choice, Reason

Tellers = tuple[Callable[["Advice"], Iterator[str]], ...]
NO_REASON, NOTHING = "By a rule of thumb.", "It costs nothing."
ONLY = "There is nothing else to do."


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice as it is told to whoever sits in `seat`, or of them to others where they are `named`."""

    action: Action
    reasons: Sequence[Reason]
    names: Lexicon
    named: bool

    def all(self, why: str) -> list[Reason]:
        """The reasons of a kind."""
        return [one for one in self.reasons if one.why == why]

    def first(self, why: str) -> Reason | None:
        """The first reason of a kind; None if there is none."""
        return next((one for one in self.reasons if one.why == why), None)

    @property
    def who(self) -> str:
        """Whoever decides, as the subject of a clause, with a verb in the third person where `named`."""
        return self.names.player(self.action.by) if self.named else "you"

    def verb(self, plain: str, third: str) -> str:
        """The form of a verb after `who`."""
        return third if self.named else plain


def told(choice: Choice, names: Lexicon, *, named: bool = False, besides: Collection[str] = ()) -> str:
    """The reasons for a choice, as a sentence, `besides` clauses told elsewhere; "" for a run, whose routes say it all.

    "AR runs for ¥180 instead of ¥120; costs ¥80." or "You end with about ¥6,780, the best rival with ¥5,770; ..."
    """
    if any(one.why == "only" for one in choice.reasons):
        return ONLY
    about = Advice(choice.action, choice.reasons, names, named)
    clauses = _clauses(about, OF_THE_MOVE + OF_THE_GAME)
    if clauses:
        return sentence([one for one in clauses if one not in besides])
    return "" if isinstance(choice.action, RunTrains) else NOTHING if isinstance(choice.action, Pass) else NO_REASON


def in_common(choices: Sequence[Choice], names: Lexicon) -> list[str]:
    """What is said of the game, not of the move, and is the same for all of several choices."""
    said = [_clauses(Advice(one.action, one.reasons, names, False), OF_THE_GAME) for one in choices]
    return [one for one in said[0] if all(one in other for other in said)] if len(said) > 1 else []


def sentence(clauses: Sequence[str]) -> str:
    """The clauses as one sentence; "" if there are none."""
    text = "; ".join(clauses)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _clauses(one: Advice, tellers: Tellers) -> list[str]:
    return list(chain.from_iterable(tell(one) for tell in tellers))


def _runs(one: Advice) -> Iterator[str]:
    """What the company would run for."""
    reason = one.first("runs")
    if reason is None or not reason.amount:
        return
    money = one.names.money
    if reason.before is None or reason.before == reason.amount:
        yield f"{reason.what} runs for {money(reason.amount)}{', as without it' if reason.before is not None else ''}"
    else:
        yield f"{reason.what} runs for {money(reason.amount)} instead of {money(reason.before)}"


def _outlook(one: Advice) -> Iterator[str]:
    reason = one.first("outlook")
    if reason is not None and reason.amount:
        more = "more" if reason.amount > 0 else "less"
        yield f"the map promises it {one.names.money(abs(reason.amount))} {more} for later"


def _costs(one: Advice) -> Iterator[str]:
    reason = one.first("costs")
    if reason is not None and reason.amount:
        yield f"it costs {one.names.money(reason.amount)}"


def _private(one: Advice) -> Iterator[str]:
    """What a private is thought to gain beyond its price, or what the right to choose is worth."""
    value, price = one.first("value"), one.first("price")
    if value is None or price is None:
        return
    money = one.names.money
    if not value.what:
        yield f"the right to choose is worth about {money(value.amount)} and costs {money(price.amount)}"
    elif value.amount >= 0:
        yield f"it gains {_object(one)} about {money(value.amount)} beyond its price of {money(price.amount)}"
    else:
        yield f"at {money(price.amount)}, it loses {_object(one)} about {money(-value.amount)}"


def _thumb(one: Advice) -> Iterator[str]:
    """A rule of thumb's own figure."""
    value = one.first("value")
    if value is not None and one.first("price") is None and value.amount > 0:
        yield f"by a rule of thumb, {value.amount:,} points speak for it"


def _followed(one: Advice) -> Iterator[str]:
    """What a sale is for."""
    money = one.names.money
    for reason in one.all("starts"):
        yield f"to start {reason.what} at {money(reason.amount)}"
    for reason in one.all("buys"):
        yield f"to buy a share of {reason.what} for {money(reason.amount)} instead"


def _worth(one: Advice) -> Iterator[str]:
    """What the game may end with."""
    worth, rivals = one.first("worth"), one.first("rivals")
    if worth is None:
        return
    money = one.names.money
    other = f", the best rival with {money(rivals.amount)}" if rivals is not None else ""
    yield f"{one.who} {one.verb('end', 'ends')} with about {money(worth.amount)}{other}"


def _looked(one: Advice) -> Iterator[str]:
    if one.first("looked") is not None:
        yield "ranked by a look further ahead, too"


def _leaves(one: Advice) -> Iterator[str]:
    left = [
        f"{_object(one) if reason.what == one.action.by else reason.what} {one.names.money(reason.amount)}"
        for reason in one.all("leaves")
        if reason.before is None or reason.amount < reason.before
    ]
    if left:
        yield f"it leaves {listed(left)}"


def _contribution(one: Advice) -> Iterator[str]:
    reason = one.first("contribution")
    if reason is not None and reason.amount:
        yield f"{one.who} will probably have to add {one.names.money(reason.amount)} for trains"


def _rust(one: Advice) -> Iterator[str]:
    """When the trains that it is about will rust, or those that rust next."""
    about = [one for one in one.all("rust") if one.amount >= 0]
    if not about:
        return
    bought = [it for it in about if isinstance(one.action, BuyTrain) and it.what == one.action.rank]
    soonest = min(bought or about, key=lambda it: it.amount)
    yield f"the {soonest.what}-trains rust {_rounds(soonest.amount)}"


def _left(one: Advice) -> Iterator[str]:
    reason = one.first("rounds")
    if reason is not None and reason.amount > 0:
        word = "operating round is" if reason.amount == 1 else "operating rounds are"
        yield f"about {reason.amount} {word} left"


def _rounds(count: int) -> str:
    if count == 0:
        return "in this round"
    return "in about one round" if count == 1 else f"in about {count} rounds"


def _object(one: Advice) -> str:
    return one.names.player(one.action.by) if one.named else "you"


OF_THE_MOVE: Tellers = (_runs, _outlook, _costs, _private, _thumb, _followed, _worth, _leaves, _contribution)
"""In the order in which they speak."""
OF_THE_GAME: Tellers = (_rust, _left, _looked)
"""What they say is often the same for every move."""
