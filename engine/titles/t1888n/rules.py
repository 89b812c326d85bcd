"""Running trains, the end of the privates, and the words of 1888-N."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from engine import usual
from engine.actions import Route
from engine.board.reach import reaches
from engine.board.routes import Run, StopRef
from engine.ids import BANK, CorpId, HexId
from engine.printed import Destination
from engine.router import Best, Bonus, RunRules, Train
from engine.state import CLOSED, State
from engine.steps import privates
from engine.steps.run import measure
from engine.title import Title
from engine.titles.t1888n.printed import DESTINATIONS
from engine.wording import Wording


def bonuses(s: State, t: Title, corp: CorpId) -> tuple[Bonus, ...]:
    """What a train adds that calls at the company's home and destination, in whichever city there. 1888-REV-03, -05."""
    goal, amount = DESTINATIONS[corp]
    home = t.corporations[corp].homes[0][0]
    return (Bonus(_stops(s, home), _stops(s, goal), amount),)


def destinations(t: Title, s: State, corp: CorpId) -> tuple[Destination, ...]:
    return (Destination(*DESTINATIONS[corp]),)


def _stops(s: State, hex_id: HexId) -> frozenset[StopRef]:
    return frozenset((hex_id, index) for index in range(len(s.board.face(hex_id).face.stops)))


def route_income(t: Title, s: State, corp: CorpId, route: Route, run: Run) -> tuple[int, int]:
    """The stops of a run and the bonus; the mountain pays the treasury apart. 1888-REV-01, 1888-REV-07"""
    revenue = measure(t, RunRules(usual.train_values(t, s), bonuses=bonuses(s, t, corp)), run)
    return revenue, usual.route_income(t, s, corp, route, run)[1]


def aims(t: Title, s: State, corp: CorpId) -> tuple[RunRules, ...]:
    """The highest income for each choice of the trains that visit the mountain. 1888-REV-08"""
    added, peak = bonuses(s, t, corp), mountain(s)

    def income(stop: StopRef, train: Train) -> int:
        return usual.stop_value(t, s, stop, train.rank) + s.board.stop(*stop).subsidy

    if peak is None or not reaches(s.board, corp, lambda reached: peak in reached.stops):
        return (RunRules(income, bonuses=added),)
    most = len(s.board.face(peak[0]).exits)
    return tuple(
        RunRules(income, bonuses=added, goal=peak, trains=trains)
        for trains in _choices(t.policy.routes.runners(t, s, corp))
        if sum(not train.away for train in trains) <= most
    )


def mountain(s: State) -> StopRef | None:
    """The stop that pays the treasury, if it has been laid."""
    for hex_id in s.board.placed:
        for index, stop in enumerate(s.board.face(hex_id).face.stops):
            if stop.subsidy:
                return hex_id, index
    return None


def _choices(trains: list[Train]) -> Iterator[tuple[Train, ...]]:
    """The trains for every choice of those that stay away from the mountain; of equal ones it does not matter which."""
    for away in product((False, True), repeat=len(trains)):
        alike = zip(trains, away, trains[1:], away[1:], strict=False)
        if all(first != second or stays <= stays_too for first, stays, second, stays_too in alike):
            yield tuple(replace(train, away=stays) for train, stays in zip(trains, away, strict=True))


def sensible(t: Title, s: State, bests: tuple[Best, ...]) -> tuple[Best, ...]:
    """Of the best sets of routes for each choice of visitors those that no other betters in revenue and visits, the
    highest income first. 1888-REV-08
    """
    peak, known = mountain(s), dict[tuple[int, int], Best]()
    for best in bests:
        visits = sum(peak in calls for calls in best.calls)
        revenue = best.total - (visits * s.board.stop(*peak).subsidy if peak else 0)
        known.setdefault((revenue, visits), best)
    front = [
        pair
        for pair in known
        if not any(pair != other and pair[0] <= other[0] and pair[1] <= other[1] for other in known)
    ]
    return tuple(sorted((known[pair] for pair in front), key=lambda best: -best.total))


def close_privates(t: Title, s: State) -> None:
    """The first 5-train closes all privates. 1888-PRV-04"""
    for private, owner in s.owner.items():
        if owner not in (BANK, CLOSED):
            privates.close(s, private)


WORDING = Wording(
    head="director",
    headship="directorship",
    tasks={"second tile": "lay the tile that joins the first"},
    passes={"second tile": "No second tile"},
    skips={"second tile": "lays no second tile"},
)
