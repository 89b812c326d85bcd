"""Routes of 1860: what a train may run, where it calls, what that earns, and the best sets of routes.

A route passes stations and calls at some of them: always at large ones, at halts as far as its length allows, at
small stations always or (option `skip_small_stations`) as far as its length allows.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from engine import usual
from engine.actions import Route
from engine.best_routes import ask_router
from engine.board.network import network
from engine.board.routes import Run, StopRef, follow
from engine.depot import cheapest
from engine.frozen import dataclass
from engine.ids import CorpId, Rank
from engine.printed import StopKind
from engine.router import Best, RunRules, Train
from engine.state import State
from engine.title import Title
from engine.titles.t1860.companies import british, has, home_stop, southern_over, tokened_out
from engine.titles.t1860.own import own
from engine.titles.t1860.ways import ways

SUBSIDY = 10
"""Paid to the treasury for each halt called at. {1860-REV-02}"""


def is_leasing(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the company runs a leased train in this turn. {1860-EMR-05}"""
    return has(s, "insolvent", corp) and not s.trains[corp]


def running_trains(t: Title, s: State, corp: CorpId) -> tuple[Rank, ...]:
    """The company's trains, or the smallest of the bank while it leases."""
    if not is_leasing(t, s, corp):
        return s.trains[corp]
    rank = cheapest(t, s)
    return (rank,) if rank is not None else ()


@dataclass(frozen=True, slots=True)
class Terms:
    """How a train counts its stations."""

    large: int
    small: int
    skips: bool
    """Small stations may be passed."""
    halts: bool
    """Halts may be called at."""
    first_number: bool
    """Only the first number counts, and small stations go before halts."""
    leased: str = ""
    """How a leased train earns: "stations" 40 and 20 a call, "half" of the run, "fixed" as for all calls that it could
    make; empty for an own train."""


def terms(t: Title, s: State, corp: CorpId, rank: Rank) -> Terms:
    """How this train of the company, its own or leased, counts its stations now.

    {1860-RTE-09, 1860-REV-04, 1860-EMR-05, 1860-END-13}
    """
    train = t.trains[rank]
    leased = ways(t).lease if is_leasing(t, s, corp) else ""
    first_number = british(s) or leased in ("stations", "fixed")
    small = 0 if first_number else train.small
    return Terms(train.reach or 0, small, ways(t).skips_small, not southern_over(s), first_number, leased)


class Earned(NamedTuple):
    """What a route earns: revenue, and the halts' subsidy."""

    revenue: int
    subsidy: int


def earn(terms: Terms, large: Sequence[int], towns: Sequence[int], halts: int, wanted: int | None) -> Earned | str:
    """The earnings of a route with these values of large and small stations and so many halts, or why it is too long.

    `wanted` halts are called at; None, or more than fit: as many as fit beside the small stations.
    """
    spare = terms.large - len(large)
    if spare < 0:
        return f"it calls at {terms.large} large stations at most, and there are {len(large)}"
    spare += terms.small
    if len(towns) > spare and not terms.skips:
        return f"it cannot call at all {len(towns)} small stations on the way"
    room = max(spare - len(towns), 0) if not terms.skips or british_first(terms) else spare
    most = min(halts, room) if terms.halts else 0
    if terms.leased in ("stations", "fixed"):
        wanted = None
    if wanted is None or wanted > most or not most:
        towns_called = min(len(towns), spare)
        halts_called = min(halts, spare - towns_called) if terms.halts else 0
    else:
        halts_called = wanted
        towns_called = min(len(towns), spare - halts_called)
    best = sorted(towns, reverse=True)[:towns_called]
    calls = len(large) + towns_called + halts_called
    return _earned(terms, sum(large) + sum(best), halts_called, calls)


def british_first(terms: Terms) -> bool:
    """Own trains that count only the first number prefer small stations to halts."""
    return terms.first_number and not terms.leased


def _earned(terms: Terms, value: int, halts: int, calls: int) -> Earned:
    if terms.leased == "stations":
        return Earned(40 + 20 * calls, 0)  # 1860-EMR-06
    if terms.leased == "fixed":
        return Earned(40 + 20 * terms.large, 0)  # 1860-VAR-13
    if terms.leased == "half":
        return Earned(-(-value // 20) * 10, SUBSIDY * halts)  # 1860-VAR-01
    if terms.leased == "exact half":
        return Earned(-(-value // 2), SUBSIDY * halts)  # 1860-VAR-01, option `online`
    return Earned(value, SUBSIDY * halts)


def rent(t: Title, rank: Rank, stops: int) -> int:
    """What a leased train of this rank earns that has so many stops in reach: half of a run is about as much."""
    if stops < 2:
        return 0
    length = t.trains[rank].reach or 0
    return _earned(Terms(length, 0, False, True, True, "stations"), 0, 0, min(stops, length)).revenue


def earnings(t: Title, s: State, corp: CorpId, route: Route, run: Run) -> Earned | str:
    """What the traced route earns, or why the train is too short for it."""
    kinds = [s.board.stop(*stop).kind for stop in run.stops]
    values = [usual.stop_value(t, s, stop, Rank(run.train)) for stop in run.stops]
    large = [value for kind, value in zip(kinds, values, strict=True) if kind in ("city", "offboard")]
    towns = [value for kind, value in zip(kinds, values, strict=True) if kind == "town"]
    return earn(terms(t, s, corp, Rank(run.train)), large, towns, kinds.count("halt"), route.halts)


def stops_counted(t: Title, s: State, corp: CorpId, route: Route, run: Run) -> list[int]:
    """What each station adds to the revenue: nothing where the train only passes, nor where the whole run is halved."""
    earned, lease = earnings(t, s, corp, route, run), terms(t, s, corp, Rank(run.train)).leased
    counted = [0] * len(run.stops)
    if isinstance(earned, str) or lease in ("half", "exact half"):
        return counted
    kinds = [s.board.stop(*stop).kind for stop in run.stops]
    values = [20] * len(run.stops) if lease else usual.stops_counted(t, s, corp, route, run)
    left = earned.revenue - 40 if lease else earned.revenue
    for index in sorted(range(len(kinds)), key=lambda one: (kinds[one] == "halt", kinds[one] == "town", -values[one])):
        counted[index] = values[index] if values[index] <= left else 0
        left -= counted[index]
    return counted


def passes_tokened_out(s: State, corp: CorpId, stops: Sequence[StopRef]) -> int:
    """How many tokened-out stations the route passes; its ends do not count. {1860-RTE-12}"""
    return sum(1 for stop in stops[1:-1] if tokened_out(s, corp, *stop))


def joined(stop_sets: Sequence[set[StopRef]]) -> bool:
    """Whether all routes hang together by stations or halts. {1860-RTE-05}"""
    if not stop_sets:
        return True
    met, left = set(stop_sets[0]), list(stop_sets[1:])
    while left:
        touching = [stops for stops in left if stops & met]
        if not touching:
            return False
        for stops in touching:
            met |= stops
            left.remove(stops)
    return True


# Finding routes

HALT, TOWN = frozenset[StopKind]({"halt"}), frozenset[StopKind]({"town"})


def has_route(t: Title, s: State, corp: CorpId) -> bool:
    """Whether a train, however short, would have a route that includes the home base. {1860-RTE-02, -04, -06}

    Then it can also run from there to the next station, with halts alone on the way: every train is long enough.
    """
    home = home_stop(t, s, corp)
    return home is not None and _leads_on(t, s, home)


def _leads_on(t: Title, s: State, home: StopRef) -> bool:
    net, once = network(s.board), not ways(t).reenters_hexes
    halt = [s.board.stop(*stop).kind == "halt" for stop in net.stops]
    start = net.number[home]
    ways_on: list[tuple[tuple[int, ...], int, int]] = [((start,), 0, 1 << net.hex_number[home[0]])]
    """Walks from home: stops met, track used, hexes entered."""
    for met, track, hexes in ways_on:  # grows while it is read
        for leg in net.legs(met[-1], 10_000) or ():
            here = 1 << net.hex_number[net.stops[met[-1]][0]]
            if leg.to in met or leg.track & track:
                continue
            if once and (leg.hexes & hexes & ~here or leg.hexes.bit_count() <= len(leg.sides)):
                continue
            if not halt[leg.to]:
                return True
            ways_on.append(((*met, leg.to), track | leg.track, hexes | leg.hexes))
    return False


def bests(t: Title, s: State, corp: CorpId, effort: int = 0) -> tuple[Best, ...]:
    """The sets of routes that no other betters both in revenue and in subsidy, the highest revenue first."""
    ranks = tuple(sorted(running_trains(t, s, corp)))
    if not ranks:
        return ()
    lease = terms(t, s, corp, ranks[0])
    key = (corp, ranks, s.phase, lease, own(s).bankrupt)
    best: tuple[Best, ...] | None = s.board.memo.get(("paid", effort, *key))
    if best is None:
        best = _as_paid(t, s, corp, lease, ask_router(t, s, corp, key, effort))
        s.board.memo["paid", effort, *key] = best
    return best


def _as_paid(t: Title, s: State, corp: CorpId, lease: Terms, sets: Sequence[Best]) -> tuple[Best, ...]:
    told: list[Best] = []
    for best in sets:
        routes = _with_halts(t, s, corp, best)
        as_paid = replace(best, routes=routes, total=_paid(lease, best.total), bound=_paid(lease, best.bound))
        if told and told[-1].total == as_paid.total:
            less = told.pop()  # what was left after halving is the same, and the subsidy is higher
            as_paid = replace(as_paid, proved=as_paid.proved and less.proved, bound=max(as_paid.bound, less.bound))
        if best.routes or not best.proved:
            told.append(as_paid)
    return tuple(told)


def _paid(terms: Terms, value: int) -> int:
    """What routes pay that bring this value by `run_rules`; a leased train runs alone."""
    return _earned(terms, value, 0, value // 20).revenue if terms.leased and value else value


def _with_halts(t: Title, s: State, corp: CorpId, best: Best) -> tuple[Route, ...]:
    """The routes, told at how many halts they call where that is not what they do when nothing is said."""
    told = []
    for route, calls in zip(best.routes, best.calls, strict=True):
        run = follow(s.board, route)
        assert isinstance(run, Run), run
        plain = earnings(t, s, corp, route, run)
        halts = sum(s.board.stop(*stop).kind == "halt" for stop in calls)
        otherwise = isinstance(plain, Earned) and plain.subsidy != SUBSIDY * halts
        told.append(replace(route, halts=halts) if otherwise else route)
    return tuple(told)


def runners(t: Title, s: State, corp: CorpId) -> list[Train]:
    """The trains owned, or the one leased, with the lengths that count now."""
    ranks = sorted(running_trains(t, s, corp))
    lengths = [terms(t, s, corp, rank) for rank in ranks]
    return [Train(rank, length.large, length.small) for rank, length in zip(ranks, lengths, strict=True)]


def aims(t: Title, s: State, corp: CorpId) -> tuple[RunRules, ...]:
    """What the router is asked: a leased train by its calls or before halving, see `_paid`."""
    ranks = running_trains(t, s, corp)
    if not ranks:
        return ()
    first = terms(t, s, corp, ranks[0])
    by_calls = first.leased in ("stations", "fixed")
    home = home_stop(t, s, corp)

    def value(stop: StopRef, train: Train) -> int:
        if by_calls:
            return 20 if first.halts or s.board.stop(*stop).kind != "halt" else 0
        return usual.stop_value(t, s, stop, train.rank)

    def subsidy(stop: StopRef, train: Train) -> int:
        return SUBSIDY if s.board.stop(*stop).kind == "halt" else 0

    full = (stop for stop in network(s.board).stops if s.board.blocks(*stop, corp))
    rules = RunRules(
        value,
        through=frozenset(stop for stop in full if not tokened_out(s, corp, *stop)),
        bypass=HALT | TOWN if first.skips else HALT,
        no_end=HALT,
        reenter=ways(t).reenters_hexes,
        home=frozenset() if home is None else frozenset({home}),
        joined=True,
        single_pass=True,
        subsidy=subsidy if first.halts and not by_calls else None,
    )
    return (rules,)
