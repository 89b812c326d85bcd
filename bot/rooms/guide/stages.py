"""The stages of the guided game: their texts from `stages.toml`, where each begins, and what it asks for.

A stage begins after so many moves of a game that was played before, kept as its actions in `games.json`. There are two:
"first", and "late", which goes on otherwise from a position of "first". An aim looks at a stage as it was played so
far, and recognises by the position, however it was reached, what came of it: it answers with the key of that in the
texts of the stage, and with what these texts say of the position.

Where changed rules no longer let a game replay up to a stage, its test says so: play another game to a position like
it, and write down its actions.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, TypeVar

import engine
from bot.core.moves import final_scores, follow
from bot.core.opponents import named
from bot.rooms.learning.help import flowing, texts
from bot.words.lexicon import Lexicon, listed
from engine import BANK, Action, CorpId, Fact, PlayerId, Rank, State, Title, a_rank, from_json
from engine.facts import DividendDecided, Floated, TrainBought, TrainsRusted
from engine.market import price
from engine.steps.run import bests_of
from engine.titles import AS_MOST_PLAY

YOU = PlayerId("p1")
"""The seat of whoever is guided."""
F = TypeVar("F", bound=Fact)
TITLE = "1889"
OTHERS = {"p2": named(1), "p3": named(2)}
"""The opponents, by seat."""
FORKS = {"late": ("first", 126)}
"""From where a game goes on otherwise: the other game, and how many of its moves."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A stage so far: the position that it began with, and those that every move led to."""

    title: Title
    first: State
    after: tuple[State, ...]
    names: Lexicon

    @property
    def now(self) -> State:
        return self.after[-1] if self.after else self.first

    @property
    def corp(self) -> CorpId:
        """The company whose turn the stage is about, or else the one that the person has started."""
        mine = [corp for corp, who in self.now.president.items() if who == YOU]
        return self.first.operating or next(iter(sorted(mine, key=lambda one: one not in self.now.floated)), CorpId(""))

    def facts(self, kind: type[F]) -> Iterator[F]:
        return (fact for state in self.after for fact in state.facts if isinstance(fact, kind))

    def money(self, amount: int) -> str:
        return self.names.money(amount)

    @property
    def same_round(self) -> bool:
        rounds = {(state.round, state.turn, state.or_number) for state in (self.first, self.now)}
        return len(rounds) == 1 and not self.now.over

    @property
    def same_turn(self) -> bool:
        """Whether the company's turn goes on."""
        return self.same_round and self.now.operating == self.first.operating

    @property
    def same_step(self) -> bool:
        """Whether the same kind of decision goes on."""
        steps = {engine.decision(self.title, state).step for state in (self.first, self.now)}
        return self.same_turn and len(steps) == 1


@dataclass(frozen=True, slots=True)
class Seen:
    """What an aim sees: the key of what came of it, "" as long as it is ahead; and the values for the texts."""

    key: str
    values: Mapping[str, str]


Aim = Callable[[Attempt], Seen]


# Aims


def get_a_private(attempt: Attempt) -> Seen:
    """A private is the person's, or they have bid on one."""
    now, names, money = attempt.now, attempt.names, attempt.money
    owned = [private for private, who in now.owner.items() if who == YOU]
    bids = [(private, by[YOU]) for private, by in now.bids.items() if YOU in by]
    known = {"cash": money(now.cash[YOU])}
    for private in owned:
        known |= {"private": names.private(private), "income": money(attempt.title.privates[private].revenue)}
        return Seen("bought", known | {"paid": money(attempt.first.cash[YOU] - now.cash[YOU])})
    for private, bid in bids:
        known |= {
            "private": names.private(private),
            "income": money(attempt.title.privates[private].revenue),
            "bid": money(bid),
        }
        return Seen("bid", known)
    return Seen("" if attempt.same_round else "over", known)


def start_a_company(attempt: Attempt) -> Seen:
    """The person is president of a company."""
    if attempt.corp:
        return Seen("started", _started(attempt))
    return Seen("" if attempt.same_round else "over", {"cash": attempt.money(attempt.now.cash[YOU])})


def float_it(attempt: Attempt) -> Seen:
    """A company of the person's has floated, or they have taken over one that had."""
    now, corp = attempt.now, attempt.corp
    values = _started(attempt) | {"treasury": attempt.money(now.cash[corp])}
    if corp in now.floated:
        just = any(isinstance(fact, Floated) and fact.corp == corp for fact in now.facts)
        return Seen("floated" if just else "taken", values)
    return Seen("" if attempt.same_round else "over", values | {"instead": _instead(attempt)})


def _instead(attempt: Attempt) -> str:
    """What could have been done to float the company."""
    par, cash = attempt.now.par[attempt.corp], attempt.now.cash[YOU]
    if cash >= par:
        return f"You still have {attempt.money(cash)}, and a share costs {attempt.money(par)}."
    if par > min(cell.price for row in attempt.title.market.rows for cell in row if cell and cell.par):
        return "A lower par would have let you buy more of it."
    return "What you spent on other shares would have bought more of it."


def _started(attempt: Attempt) -> dict[str, str]:
    now, corp = attempt.now, attempt.corp
    sold = attempt.title.policy.companies.float_count(attempt.title, now, corp) or 0
    left = max(0, attempt.title.corporations[corp].float_shares - sold)
    return {
        "corp": str(corp),
        "par": attempt.money(now.par[corp]),
        "cash": attempt.money(now.cash[YOU]),
        "left": f"{left} {'share' if left == 1 else 'shares'}",
    }


def join_a_second_stop(attempt: Attempt) -> Seen:
    """The company has a route."""
    now, corp = attempt.now, attempt.corp
    spent = attempt.first.cash[corp] - now.cash[corp]
    cost = f"cost {attempt.money(spent)}, and the treasury paid, not you" if spent else "was free"
    values = {"corp": str(corp), "cost": cost}
    if attempt.title.policy.trains.duty(attempt.title, now, corp):
        return Seen("joined", values | {"run": attempt.money(_could_run(attempt, corp, Rank("2")))})
    laid = len(now.lays) > len(attempt.first.lays)
    return Seen("elsewhere" if laid else "" if attempt.same_step else "over", values)


def _could_run(attempt: Attempt, corp: CorpId, rank: Rank) -> int:
    """What the company would earn with one such train."""
    with_train = attempt.now.copy()
    with_train.trains[corp] = (rank,)
    return max((best.total for best in bests_of(attempt.title, with_train, corp)), default=0)


def run_and_pay(attempt: Attempt) -> Seen:
    """The company has run its trains, and paid its shareholders."""
    now, corp, title = attempt.now, attempt.corp, attempt.title
    decided = next((fact for fact in attempt.facts(DividendDecided) if fact.corp == corp), None)
    held = now.shares[corp].get(YOU, 0)
    values = {
        "corp": str(corp),
        "before": attempt.money(price(title, attempt.first, corp)),
        "after": attempt.money(price(title, now, corp)),
        "held": str(held),
    }
    if decided is None:
        return Seen("" if attempt.same_turn else "over", values)
    values |= {
        "revenue": attempt.money(decided.revenue),
        "each": attempt.money(decided.per_share),
        "mine": attempt.money(decided.per_share * held),
    }
    return Seen("paid" if decided.per_share else "kept", values)


def buy_the_first(attempt: Attempt) -> Seen:
    """The company has bought the train that rusts others."""
    now, corp = attempt.now, attempt.corp
    cost = attempt.title.trains[Rank("4")].price
    values = {"corp": str(corp), "treasury": attempt.money(now.cash[corp]), "price": attempt.money(cost)}
    for before, after in pairwise((attempt.first, *attempt.after)):
        rusted = next((fact for fact in after.facts if isinstance(fact, TrainsRusted)), None)
        if rusted is not None and any(isinstance(fact, TrainBought) and fact.corp == corp for fact in after.facts):
            counts = {CorpId(who): before.trains[CorpId(who)].count(rusted.rank) for who in rusted.owners}
            lost = listed(f"{attempt.names.holder(who)} lost {count}" for who, count in counts.items())
            return Seen("rusted", values | {"lost": lost, "left": listed(a_rank(rank) for rank in now.trains[corp])})
    ahead = "spent" if now.cash[corp] < cost else ""
    return Seen(ahead if attempt.same_step else "over", values)


def own_a_train(attempt: Attempt) -> Seen:
    """The company has a train, and the president has paid what it could not."""
    now, corp = attempt.now, attempt.corp
    values = {"corp": str(corp), "cash": attempt.money(now.cash[YOU])}
    bought = next((fact for fact in attempt.facts(TrainBought) if fact.corp == corp), None)
    if bought is None:
        return Seen("bankrupt" if now.over else "" if attempt.same_step else "over", values)
    values |= {
        "rank": str(bought.rank),
        "own": attempt.money(bought.price - bought.contribution),
        "mine": attempt.money(bought.contribution),
    }
    return Seen("helped" if bought.contribution else "alone", values)


def play_to_the_end(attempt: Attempt) -> Seen:
    now, names = attempt.now, attempt.names
    scores = dict(final_scores(attempt.title, now) or engine.scores(attempt.title, now))
    values = {
        "bank": f"the bank has {attempt.money(now.cash[BANK])} left" if now.cash[BANK] > 0 else "the bank is broken",
        "worth": attempt.money(scores[YOU]),
        "winner": names.player(max(scores, key=lambda seat: scores[seat])),
        "standings": listed(f"{names.player(seat)} {names.money(worth)}" for seat, worth in scores.items()),
    }
    return Seen("over" if now.over else "", values)


AIMS: Mapping[str, Aim] = {
    "get a private": get_a_private,
    "start a company": start_a_company,
    "float it": float_it,
    "join a second stop": join_a_second_stop,
    "run and pay": run_and_pay,
    "buy the first": buy_the_first,
    "own a train": own_a_train,
    "play to the end": play_to_the_end,
}
"""By the name that a stage has for it."""


# Stages


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do: the aim in a sentence, why, and what came of it."""

    aim: str
    why: str
    asks: Aim
    then: Mapping[str, str]
    """By what came of it."""
    missed: Mapping[str, str]
    """By what was done instead: a kind word, and the way back."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage: what is told at its start, and what is to be done, one after the other."""

    key: str
    heading: str
    story: str
    game: str
    at: int
    """After how many moves of its game it begins."""
    tasks: tuple[Task, ...]


def _task(one: Mapping[str, Any]) -> Task:
    then, missed = ({key: flowing(text) for key, text in one[group].items()} for group in ("then", "missed"))
    return Task(one["aim"], flowing(one["why"]), AIMS[one["asks"]], then, missed)


_TEXTS = texts("stages.toml", __package__)
ABOUT = {key: flowing(text) for key, text in _TEXTS["about"].items()}
"""What is told before the first stage and after the last."""
STAGES = tuple(
    Stage(key, one["heading"], flowing(one["story"]), one["game"], one["at"], tuple(map(_task, one["tasks"])))
    for key, one in _TEXTS["stages"].items()
)
"""In their order."""
BY_KEY = {stage.key: stage for stage in STAGES}


@cache
def title() -> Title:
    """The title of the guided game: as most people play it."""
    return engine.build(TITLE, 1 + len(OTHERS), [AS_MOST_PLAY])


def _moves(game: str) -> tuple[Action, ...]:
    games = json.loads((resources.files(__package__) / "games.json").read_text("utf-8"))
    other, count = FORKS.get(game, ("", 0))
    begun = _moves(other)[:count] if other else ()
    return (*begun, *map(from_json, games[game]))


@cache
def beginning(game: str, at: int) -> State:
    """The position after so many moves of a game; names are put in when it is shown."""
    state = engine.start(title(), [str(YOU), *OTHERS.values()])
    for action in _moves(game)[:at]:
        after = engine.apply(title(), state, action)
        follow(state, after)
        state = after
    return state
