"""The best routes: for a company's trains, the set of routes with the highest total.

`best_runs` gives that set, `best_pairs` the choices where a subsidy counts beside the total. The answer is the same on
every machine: the work is counted in steps, not in seconds, and ties are broken by fixed orders. What
`routes.objection` refuses is never proposed. See docs/routing.md for the method and its figures.

`allowed` limits the work: a number of states, some 10 microseconds each; all other limits are in proportion to it. If
they are reached the answer is not proved. To go on, ask with more allowed and with the answer so far as `before`:
nothing that was found is lost, and no bound rises.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.board.board import Board
from engine.board.network import network
from engine.board.routes import StopRef
from engine.ids import CorpId
from engine.router.case import ROUTES, Answer, Best, Case, Exhausted, RunRules, Train
from engine.router.listing.search import search
from engine.router.sweep.sweep import Sweep
from engine.router.walks.alone import alone
from engine.router.walks.front import Front

LISTING = 30_000
"""Steps after which routes are too many to list and the map is swept instead."""
LISTING_LIMITED = 3_000_000
"""The same where every train has a limit: then listing goes further."""
STATES = 1_000_000
"""States that the sweep may look at. This and the limits above are those of a first search."""
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
    before: Best | None = None,
) -> Best:
    """The best set of routes, at most one for each train; routes come in the order of `trains`.

    A train with nothing to run is left out. Among sets with the same total one in which more trains run is
    preferred. Values must not be negative.
    """
    found: Best | None = None
    for lucky in _lucky(board, trains, rules):
        case = Case(board, corp, tuple(trains), rules, lucky)
        if not trains or not case.tokens:
            return Best((), 0, True, 0)
        known = max((_score(case, best) for best in (before, found) if best is not None), default=0)
        now = _best(case, _search(case, allowed, known))
        found = now if found is None else _either(found, now)
    assert found is not None
    return found if before is None else _together(case, (found,), (before,))[0]


def _lucky(board: Board, trains: Sequence[Train], rules: RunRules) -> list[int | None]:
    """The trains to which what is added once must be given in turn: one of each kind. None: there is no such thing."""
    if rules.once is None or rules.once[0] not in network(board).number:
        return [None]
    return [trains.index(train) for train in dict.fromkeys(trains)] or [None]


def _search(case: Case, allowed: int, known: int) -> Answer:
    kinds = case.kinds()
    if case.linked:
        return _linked(case, kinds, allowed, known, first_only=True)[0]
    limited = all(train.reach is not None for train in case.trains)
    answer = search(case, kinds, (LISTING_LIMITED if limited else LISTING) * allowed // STATES)
    if answer.proved:
        return answer
    known = max(known, answer.score)
    return _better(answer, Sweep(case, kinds).run(known, allowed))


def _either(one: Best, other: Best) -> Best:
    """The better of two answers, to the same question with what is added once given to different trains."""
    best = max(one, other, key=lambda found: (found.total, len(found.routes)))
    proved = all(found.proved or found.bound <= best.total for found in (one, other))
    bound = best.total if proved else max(one.bound, other.bound)
    return replace(best, proved=proved, bound=bound, work=one.work + other.work)


def _score(case: Case, best: Best) -> int:
    """As `Case` writes it."""
    extra = 0 if case.rules.subsidy is None else best.subsidy * ROUTES
    return (best.total + case.pulled) * case.scale + extra + len(best.routes) if best.routes else 0


def _better(listed: Answer, swept: Answer) -> Answer:
    """What a sweep adds to a listing. The routes are all None where the sweep was told of better ones than listed."""
    routes = swept.routes if any(swept.routes) or swept.score > listed.score else listed.routes
    bound = min(listed.bound, swept.bound)
    return Answer(routes, swept.score, swept.proved, bound, listed.work + swept.work)


def _best(case: Case, answer: Answer) -> Best:
    if case.money(answer.score) < 0:
        return Best((), 0, answer.proved, max(0, case.money(answer.bound)), answer.work)
    running = [(train, found) for train, found in enumerate(answer.routes) if found is not None]
    calls = tuple(tuple(case.net.stops[stop] for stop in found.calls()) for _, found in running)
    total = case.money(answer.score) + _overlooked(case, dict(zip((train for train, _ in running), calls, strict=True)))
    return Best(
        routes=tuple(case.route(train, found) for train, found in running),
        total=total,
        proved=answer.proved,
        bound=max(case.money(answer.bound), total),
        work=answer.work,
        calls=calls,
        subsidy=case.subsidy(answer.score),
    )


def _overlooked(case: Case, calls: Mapping[int, Sequence[StopRef]]) -> int:
    """What is added once though it is another train than the lucky one that calls there; `calls` by train."""
    if case.rules.once is None or case.lucky is None:
        return 0
    stop, amount = case.rules.once
    callers = [train for train, called in calls.items() if stop in called]
    return amount if callers and case.lucky not in callers else 0


def best_pairs(
    board: Board,
    corp: CorpId,
    trains: Sequence[Train],
    rules: RunRules,
    *,
    allowed: int = STATES,
    before: Sequence[Best] = (),
) -> tuple[Best, ...]:
    """Every pair of total and subsidy that no other set of routes betters in both, the highest total first.

    The bound of a pair that is not proved is for all sets with more subsidy than the pair told before it. If it equals
    the total, there may be more subsidy.
    """
    case = Case(board, corp, tuple(trains), rules)
    if not trains or not case.tokens:
        return (Best((), 0, True, 0),)
    kinds = case.kinds()
    known = max((_score(case, best) for best in before), default=0)
    found = tuple(_best(case, answer) for answer in _linked(case, kinds, allowed, known))
    return _together(case, found, before) if before else found


def _linked(case: Case, kinds: list[int], allowed: int, known: int, *, first_only: bool = False) -> list[Answer]:
    """The answers where rules tie stops and routes together, the highest total first. `known`: a score found before."""
    try:
        if len(kinds) == 1:
            return alone(case, allowed * LISTING_LINKED, first_only=first_only)
        return Front(case, kinds, allowed * LISTING_LINKED).all(first_only=first_only)
    except Exhausted:
        return [Sweep(case, kinds).run(known, allowed // SLOWER)]


def _together(case: Case, now: Sequence[Best], before: Sequence[Best]) -> tuple[Best, ...]:
    """What two searches know: every pair that no other betters, each with the lower bound."""
    limits = [*_limits(now), *_limits(before)]
    found: list[Best] = []
    for best in sorted((*now, *before), key=lambda best: (-best.total, -best.subsidy, -len(best.routes))):
        if found and best.subsidy <= found[-1].subsidy:
            continue
        bound = min(bound for least, bound in limits if least <= best.subsidy)
        alike = [
            other.proved for other in (*now, *before) if (other.total, other.subsidy) == (best.total, best.subsidy)
        ]
        proved = any(alike) or (case.rules.subsidy is None and bound == best.total)
        found.append(replace(best, proved=proved, bound=best.total if proved else bound))
    return tuple(found)


def _limits(bests: Sequence[Best]) -> Iterator[tuple[int, int]]:
    """(subsidy, total): no set with at least this subsidy brings more than this total."""
    least = 0
    for best in bests:
        yield least, best.bound
        least = best.subsidy + 1
