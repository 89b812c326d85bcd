"""The best routes: for a company's trains, the set of routes with the highest total.

`best_runs` is the only entry. The answer is the same on every machine: the work is counted in steps, not in
seconds, and ties are broken by fixed orders. What `routes.objection` refuses is never proposed.
See docs/routing.md for the method and its figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.board.board import Board
from engine.board.router_case import Answer, Best, Bonus, Case, RunRules, Train
from engine.board.router_search import search
from engine.board.router_sweep import Sweep
from engine.ids import CorpId

__all__ = ["Best", "Bonus", "RunRules", "Train", "best_runs"]

LISTING = 100_000
"""Steps after which routes are too many to list and the map is swept instead."""
LISTING_LIMITED = 3_000_000
"""The same where every train has a limit: then listing goes further."""
STATES = 1_000_000
"""States that the sweep may look at."""


def best_runs(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules, *, allowed: int = STATES) -> Best:
    """The best set of routes, at most one for each train; routes come in the order of `trains`.

    A train with nothing to run is left out. Among sets with the same total one in which more trains run is
    preferred. Values must not be negative. `allowed` limits the work (some 10 microseconds a step); if it is used up
    the answer is not proved, and asking again with more goes on to the proof.
    """
    case = Case(board, corp, tuple(trains), rules)
    if not trains or not case.tokens:
        return Best((), 0, True, 0)
    kinds = [case.trains.index(train) for train in case.trains]
    listing = LISTING_LIMITED if all(train.reach is not None for train in trains) else LISTING
    answer = search(case, kinds, listing)
    if not answer.proved:
        answer = _better(answer, Sweep(case, kinds, answer.score).run(allowed))
    routes = tuple(case.route(train, found) for train, found in enumerate(answer.routes) if found is not None)
    return Best(routes, case.money(answer.score), answer.proved, case.money(answer.bound), answer.work)


def _better(listed: Answer, swept: Answer) -> Answer:
    routes = swept.routes if any(swept.routes) else listed.routes
    bound = min(listed.bound, swept.bound)
    return Answer(routes, swept.score, swept.proved, bound, listed.work + swept.work)
