"""Puzzles in a game: positions with a question that has one right answer among a few.

What a company can run for is proved by the router, and who is left without a train by the rules. What is best in a
stock round is what both judges of the coach think, by far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest
from random import Random
from typing import Literal

from engine import BANK, State, Title, apply, decision, judge
from engine import actions as act
from engine.actions import Action
from engine.board.reach import reach
from engine.facts import TrainsRusted
from engine.ids import OR, SR, CorpId, PlayerId
from engine.router import Best, RunRules, Train, best_pairs, best_runs
from engine.shares import worth
from engine.steps.run import proposals
from opponents.choice import Choice, Reason
from opponents.coach import led_to
from opponents.levels import advise
from opponents.question import Question, ask

Kind = Literal["run", "rust", "shares"]
Trap = Literal["", "less", "blocked", "long", "shared"]
"""What is wrong with a revenue: it is not the most, or a train would pass a full city, call at one stop more than it
can, or use another's track."""
Answer = int | CorpId | Action
"""A revenue, a company or a move, by the kind of puzzle."""
FAR = 17
"""How many stops a company may reach at most, so that its map can be looked through."""
MOST, FEWEST = 4, 3
"""How many answers a puzzle has; where companies are the answers, one more."""
WIDE = 0.03
"""By how much of the table's mean each judge must think the best move better than each other answer."""
STRIDE = 3
"""Of so many decisions in stock rounds one is looked at, as that takes longest."""
MOVES = (act.BuyShare, act.SellShares, act.Par, act.Pass)
"""The moves that a puzzle about shares offers."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A question about a position."""

    at: int
    """How many moves of the game came before."""
    kind: Kind
    who: CorpId | PlayerId
    """The company that runs or buys a train, or the seat that decides."""
    answers: tuple[Answer, ...]
    right: int
    """The place of the right answer."""
    traps: tuple[Trap, ...] = ()
    """For each revenue."""
    reasons: tuple[Reason, ...] = ()
    """What speaks for the best move."""


def puzzles(t: Title, states: Sequence[State], actions: Sequence[Action], seed: int = 0) -> Iterator[Puzzle]:
    """The puzzles of a game; `states` are its beginning and the position after each action."""
    for at, (s, action) in enumerate(zip(states, actions, strict=False)):
        found = None
        if isinstance(action, act.RunTrains):
            found = best_run(t, s, action.by, seed + at)
        elif s.round == OR and isinstance(action, act.BuyTrain | act.Pass):
            found = left_without(t, s, action.by)
        elif s.round == SR and isinstance(action, MOVES) and not s.pending and not at % STRIDE:
            found = best_move(t, s, action.by, seed)
        if found is not None:
            yield replace(found, at=at)


# What it can run for


def best_run(t: Title, s: State, seat: PlayerId, seed: int = 0) -> Puzzle | None:
    """What the company that is to run its trains can run for, among revenues that people might find."""
    best = proved_run(t, s, seat)
    if best is None or len(reach(s.board, best[0].corp).stops) > FAR:
        return None
    action, most = best
    corp, wrong = action.corp, dict[int, Trap]()
    for rules in t.policy.routes.aims(t, s, corp):
        trains = tuple(t.policy.routes.runners(t, s, corp)) if rules.trains is None else rules.trains
        for revenue, trap in (*_better(s, corp, rules, trains), *_worse(s, corp, rules, trains)):
            if most / 2 <= revenue <= most * 1.5 and (revenue > most) == (trap != "less"):
                wrong.setdefault(revenue, trap)
    wrong.pop(most, None)
    random = Random(seed)
    above = random.sample(over := sorted(one for one in wrong if one > most), min(len(over), random.choice((0, 1, 2))))
    below = sorted((one for one in wrong if one < most), reverse=True)[: MOST - 1 - len(above)]
    if not below or len(above) + len(below) + 1 < FEWEST:
        return None
    answers = sorted([most, *above, *below])
    return Puzzle(0, "run", corp, tuple(answers), answers.index(most), tuple(wrong.get(one, "") for one in answers))


def proved_run(t: Title, s: State, seat: PlayerId) -> tuple[act.RunTrains, int] | None:
    """The best run and its revenue, if it is proved, and of trains of its own."""
    found = list(proposals(t, s, seat))
    if not found or not all(best.proved for _, best in found):
        return None
    action, best = max(found, key=lambda one: one[1].total)
    if not s.trains[action.corp] or len(best.routes) > len(s.trains[action.corp]):
        return None
    income = apply(t, s, action).last_run[action.corp]
    return (action, income) if income == best.total else None


def _better(s: State, corp: CorpId, rules: RunRules, trains: tuple[Train, ...]) -> Iterator[tuple[int, Trap]]:
    """What would be run for against one rule."""
    everywhere = frozenset(
        (hex_id, index) for hex_id, face in s.board.faces.items() for index in range(len(face.face.stops))
    )
    yield _total(s, corp, replace(rules, through=everywhere), trains), "blocked"
    if len(trains) > 1:
        yield sum(_total(s, corp, rules, (train,)) for train in trains), "shared"
    longer = tuple(replace(one, reach=one.reach + 1) if one.reach else one for one in trains)
    if longer != trains:
        yield _total(s, corp, rules, longer), "long"


def _worse(s: State, corp: CorpId, rules: RunRules, trains: tuple[Train, ...]) -> Iterator[tuple[int, Trap]]:
    """What is run for where a stop of the best run is missed, or a train stays at home."""
    for stop in dict.fromkeys(stop for calls in _best(s, corp, rules, trains).calls for stop in calls):
        yield _total(s, corp, replace(rules, closed=rules.closed | {stop}), trains), "less"
    for number in range(len(trains) if len(trains) > 1 else 0):
        yield _total(s, corp, rules, trains[:number] + trains[number + 1 :]), "less"


def _total(s: State, corp: CorpId, rules: RunRules, trains: tuple[Train, ...]) -> int:
    """The most by these rules; 0 where that is not proved."""
    best = _best(s, corp, rules, trains)
    return best.total if best.proved else 0


def _best(s: State, corp: CorpId, rules: RunRules, trains: tuple[Train, ...]) -> Best:
    if rules.subsidy is None:
        return best_runs(s.board, corp, trains, rules)
    return best_pairs(s.board, corp, trains, rules)[0]


# Who is left without a train


def left_without(t: Title, s: State, seat: PlayerId) -> Puzzle | None:
    """Who has no train any more once the company whose turn it is has bought the train that begins the next phase."""
    bought = first_of_next(t, s, seat)
    if bought is None:
        return None
    action, after = bought
    losing = {corp for fact in after.facts if isinstance(fact, TrainsRusted) for corp in fact.owners}
    holders = [corp for corp, trains in s.trains.items() if trains]
    bare = [corp for corp in holders if not after.trains[corp]]
    if len(bare) != 1 or len(losing) < 2 or len(holders) < FEWEST:
        return None
    first = sorted(holders, key=lambda corp: (corp not in bare, corp not in losing))[: MOST + 1]
    answers = tuple(corp for corp in t.corporations if corp in first)
    return Puzzle(0, "rust", action.corp, answers, answers.index(bare[0]))


def first_of_next(t: Title, s: State, seat: PlayerId) -> tuple[act.BuyTrain, State] | None:
    """The purchase with which the next phase begins, and what it leads to, as if the company had the money and all
    trains before were sold; None where it cannot buy."""
    rank = t.phases[s.phase + 1].starts_on if s.phase + 1 < len(t.phases) else None
    if rank is None or s.operating is None:
        return None
    then = s.copy()
    then.cash[s.operating] += t.trains[rank].price
    then.depot.update({one: 0 for one in takewhile(lambda one: one != rank, t.trains) if one in then.depot})
    action = act.BuyTrain(seat, s.operating, rank, BANK, t.trains[rank].price)
    return None if judge(t, then, action) is not None else (action, apply(t, then, action))


# What is best in a stock round


def best_move(t: Title, s: State, seat: PlayerId, seed: int = 0) -> Puzzle | None:
    """What the seat does best, where both judges think that it is by far better than the others."""
    q = ask(t, s, seat, seed=seed)
    if decision(t, s).players != (seat,) or len(q.options) < FEWEST:
        return None
    best, *others = _one_of_each(advise(t, s, seat, "strong", seed))
    wide = WIDE * max(sum(worth(t, s, one) for one in s.players) / len(s.players), 1)
    others = [one for one in others if best.score - one.score >= wide]
    if not isinstance(best.action, MOVES) or len(others) < FEWEST - 1:
        return None
    worse, firsts = _clearly_worse(q, best, others)
    if len(worse) < FEWEST - 1 or not any(isinstance(one, act.BuyShare | act.Par) for one in (best.action, *worse)):
        return None
    answers = sorted([best.action, *worse], key=lambda one: (MOVES.index(type(one)), q.options.index(one)))
    return Puzzle(0, "shares", seat, tuple(answers), answers.index(best.action), (), (*best.reasons, firsts))


def _one_of_each(choices: Sequence[Choice]) -> list[Choice]:
    """The sensible ones, of each kind and company the best; behind the first, each kind in turn."""
    kinds: dict[type[Action], dict[str, Choice]] = {}
    for one in choices:
        if one.sensible and (isinstance(one.action, MOVES) or one is choices[0]):
            kinds.setdefault(type(one.action), {}).setdefault(getattr(one.action, "corp", ""), one)
    columns = zip_longest(*(list(of_kind.values()) for of_kind in kinds.values()))
    return [one for row in columns for one in row if one is not None][: MOST + 2]


def _clearly_worse(q: Question, best: Choice, others: Sequence[Choice]) -> tuple[list[Action], Reason]:
    """The first few that the learnt estimate, too, thinks worse by far; and in how many of a hundred ways the seat ends
    first after the best and after the best of those."""
    seat, nothing = q.s.players.index(q.seat), Reason("firsts", 0)
    ends = led_to(q, [best.action, *(one.action for one in others)])
    if ends is None:
        return [], nothing
    lead, first = ends[0].leads[seat], ends[0].firsts()[seat]
    worse = [(one.action, end) for one, end in zip(others, ends[1:], strict=True) if lead - end.leads[seat] >= WIDE]
    worse = [(action, end) for action, end in worse if end.firsts()[seat] < first][: MOST - 1]
    before = max((end.firsts()[seat] for _, end in worse), default=0)
    return [action for action, _ in worse], Reason("firsts", first, before)
