"""The best routes: for a company's trains, the set of routes with the highest total.

`best_runs` gives that set, `best_pairs` the choices where a subsidy counts beside the total. The answer is the same on
every machine: the work is counted in steps, not in seconds, and ties are broken by fixed orders. What
`routes.objection` refuses is never proposed. See docs/routing.md for the method and its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.board.board import Board
from engine.board.router_alone import alone
from engine.board.router_case import Answer, Best, Bonus, Case, RunRules, Train
from engine.board.router_front import Front
from engine.board.router_search import Exhausted, search
from engine.board.router_sweep import Sweep
from engine.ids import CorpId

__all__ = ["Best", "Bonus", "RunRules", "Train", "best_pairs", "best_runs"]

LISTING = 100_000
"""Steps after which routes are too many to list and the map is swept instead."""
LISTING_LIMITED = 3_000_000
"""The same where every train has a limit: then listing goes further."""
STATES = 1_000_000
"""States that the sweep may look at."""
LISTING_LINKED = 3
"""Steps of listing for each state allowed, where rules tie stops and routes together."""
SLOWER = 25
"""How many states a state costs in such a sweep."""


def best_runs(
    board: Board,
    corp: CorpId,
    trains: Sequence[Train],
    rules: RunRules,
    *,
    allowed: int = STATES,
    give_up: Callable[[], bool] | None = None,
) -> Best:
    """The best set of routes, at most one for each train; routes come in the order of `trains`.

    A train with nothing to run is left out. Among sets with the same total one in which more trains run is
    preferred. Values must not be negative. `allowed` limits the work (some 10 microseconds a step); if it is used up
    the answer is not proved, and asking again with more goes on to the proof. `give_up` is asked now and then during
    a sweep; when it says yes (the caller's clock, say) the search ends in the same way.
    """
    case = Case(board, corp, tuple(trains), rules)
    if not trains or not case.tokens:
        return Best((), 0, True, 0)
    kinds = [case.trains.index(train) for train in case.trains]
    if case.linked:
        answer = _linked(case, kinds, allowed, give_up, first_only=True)[0]
    else:
        limited = all(train.reach is not None for train in trains)
        answer = search(case, kinds, LISTING_LIMITED if limited else LISTING)
        if not answer.proved:
            answer = _better(answer, Sweep(case, kinds, give_up).run(answer.score, allowed))
    return _best(case, answer)


def _better(listed: Answer, swept: Answer) -> Answer:
    routes = swept.routes if any(swept.routes) else listed.routes
    bound = min(listed.bound, swept.bound)
    return Answer(routes, swept.score, swept.proved, bound, listed.work + swept.work)


def _best(case: Case, answer: Answer) -> Best:
    running = [(train, found) for train, found in enumerate(answer.routes) if found is not None]
    return Best(
        routes=tuple(case.route(train, found) for train, found in running),
        total=case.money(answer.score),
        proved=answer.proved,
        bound=case.money(answer.bound),
        work=answer.work,
        calls=tuple(tuple(case.net.stops[stop] for stop in found.calls()) for _, found in running),
        subsidy=case.subsidy(answer.score),
    )


def best_pairs(
    board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules, *, allowed: int = STATES
) -> tuple[Best, ...]:
    """Every pair of total and subsidy that no other set of routes betters in both, the highest total first."""
    case = Case(board, corp, tuple(trains), rules)
    if not trains or not case.tokens:
        return (Best((), 0, True, 0),)
    kinds = [case.trains.index(train) for train in case.trains]
    return tuple(_best(case, answer) for answer in _linked(case, kinds, allowed))


def _linked(
    case: Case, kinds: list[int], allowed: int, give_up: Callable[[], bool] | None = None, *, first_only: bool = False
) -> list[Answer]:
    """The answers where rules tie stops and routes together, the highest total first."""
    try:
        if len(kinds) == 1:
            return alone(case, allowed * LISTING_LINKED, first_only=first_only)
        return Front(case, kinds, allowed * LISTING_LINKED).all(first_only=first_only)
    except Exhausted:
        return [Sweep(case, kinds, give_up).run(0, allowed // SLOWER)]
