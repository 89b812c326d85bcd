"""The best routes of a train that runs alone, where rules tie stops together: every pair of total and subsidy.

Of the walks that cost alike only the one that is worth most counts, so none is kept but that.
"""

from engine.router.area import reached
from engine.router.case import ROUTES, Answer, Case, Meter
from engine.router.walks.calls import Caller
from engine.router.walks.walks import Lengths, Walker


def alone(case: Case, allowance: int, *, first_only: bool = False) -> list[Answer]:
    """The answers for the case's one train, the highest total first; or that alone. Exhausted if it takes too long.

    Of each cost the best walk is kept; then the calls that it leaves are made at the halts and other loose stops that
    it passes. For a train of three calls, say, with revenues as worth:

        walk   calls made   halts passed   worth
        a      2            1              90       left: 1 call at a halt, so 90 and a subsidy of 10
        b      2            1              70       costs as much as a and brings less: not kept
        c      1            2              60       left: 2 calls at halts, so 60 and 20

    The answers are 90 with 10 and 60 with 20; a walk that brought 50 with 10 would be bettered by the first.
    """
    meter, area = Meter(allowance), reached(case)
    caller = Caller(case, area, case.value[0])
    lengths = Lengths(caller, case.reach[0], case.calls[0])
    walker = Walker(case, area, caller, lengths, meter)
    # Where a route that goes home meets a token there, only walks by way of such tokens are listed.
    home = {stop for stop, ref in enumerate(case.net.stops) if ref in case.rules.home}
    by_token = home <= set(case.tokens)
    """Whether whatever goes home does so by way of a token."""
    best: dict[int, int] = {}
    """By cost what the best walk is worth, without the subsidy of loose stops."""
    where: dict[int, tuple[int, int]] = {}
    """Its token and path."""
    for token, barred in walker.starts([token for token in case.tokens if token in home or not home or not by_token]):

        def record(cost: int, worth: int, mask: int, passes: bool, path: int, token: int = token) -> None:
            # Home is asked only where the token does not settle it: the walk's stops take time to find.
            if not by_token and not home & {token, *(leg.to for leg in walker.legs(path) if leg)}:
                return
            if worth > best.get(cost, -1):
                best[cost], where[cost] = worth, (token, path)

        walker.list(token, barred, record)
    # For each cost all the ways to spend the calls left; they share the walk.
    ways = []
    for cost, worth in best.items():
        total, subsidy = worth // case.scale, caller.subsidy(worth)
        for calls in caller.called(*lengths.left(cost)):
            ways.append((total + calls.total, subsidy + calls.subsidy, calls, cost))
    # From the highest total down only more subsidy than before is of use.
    answers: list[Answer] = []
    most = -1
    for total, subsidy, calls, cost in sorted(ways, key=lambda way: (-way[0], -way[1])):
        if subsidy > most:
            most, score = subsidy, total * case.scale + subsidy * ROUTES + 1
            token, path = where[cost]
            route = caller.found(token, walker.legs(path), calls)
            answers.append(Answer([route], score, True, score, allowance - meter.left))
    return answers[: 1 if first_only else None] or [Answer([None], 0, True, 0, allowance - meter.left)]
