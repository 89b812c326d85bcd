"""The best routes: for a company's trains, the set of routes with the highest total.

`best_runs` is the only entry. The answer is the same on every machine: the work is counted in steps, not in
seconds, and ties are broken by fixed orders. What `routes.objection` refuses is never proposed.
See docs/routing.md for the method and its figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.board.board import Board
from engine.board.router_case import Best, Bonus, Case, RunRules, Train
from engine.board.router_search import search
from engine.ids import CorpId

__all__ = ["Best", "Bonus", "RunRules", "Train", "best_runs"]


def best_runs(board: Board, corp: CorpId, trains: Sequence[Train], rules: RunRules) -> Best:
    """The best set of routes, at most one for each train; routes come in the order of `trains`.

    A train with nothing to run is left out. Among sets with the same total one in which more trains run is
    preferred. Values must not be negative.
    """
    case = Case(board, corp, tuple(trains), rules)
    return search(case)
