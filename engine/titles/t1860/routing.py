"""Routes of 1860: what a train may run, where it calls, what that earns, and good sets of routes.

A route passes stations and calls at some of them: always at large ones, at halts as far as its length allows, at
small stations always or (option `skip_small_stations`) as far as its length allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.actions import Route
from engine.board.network import Leg, Network, network
from engine.board.reach import reach
from engine.board.routes import Run, StopRef
from engine.depot import cheapest
from engine.ids import CorpId, Rank, StopId, stop_id
from engine.state import State
from engine.titles.t1860.companies import british, has, home_stop, southern_over, tokened_out
from engine.titles.t1860.ways import ways

if TYPE_CHECKING:
    from engine.title import Title

SUBSIDY = 10
"""Paid to the treasury for each halt called at. {1860-REV-02}"""
STEPS = 25_000
"""Steps after which looking for further routes is given up."""
TRIALS = 15_000
"""Combinations of routes tried for a company's trains."""
LONG_LIST = 1_500
"""Routes kept for each train."""


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
    """How a leased train earns: "stations" 40 and 20 a call, "half" of the run; empty for an own train."""


def terms(t: Title, s: State, corp: CorpId, rank: Rank) -> Terms:
    train = t.trains[rank]
    leased = ways(t).lease if is_leasing(t, s, corp) else ""
    first_number = british(s) or leased == "stations"
    small = 0 if first_number else train.small
    return Terms(train.reach or 0, small, ways(t).skips_small, not southern_over(s), first_number, leased)


@dataclass(frozen=True, slots=True)
class Earned:
    """What a route earns: revenue, halts' subsidy, stations called at."""

    revenue: int
    subsidy: int
    calls: int


def earn(terms: Terms, large: Sequence[int], towns: Sequence[int], halts: int, wanted: int | None) -> Earned | str:
    """The earnings of a route with these values of large and small stations and so many halts, or why it is too long.

    `wanted` halts are called at; None, or more than fit: as many as fit beside the small stations.
    """
    spare = terms.large - len(large)
    if spare < 0:
        return f"the train calls at most at {terms.large} large stations, and there are {len(large)}"
    spare += terms.small
    if len(towns) > spare and not terms.skips:
        return f"the train cannot call at all {len(towns)} small stations on the way"
    room = max(spare - len(towns), 0) if not terms.skips or british_first(terms) else spare
    most = min(halts, room) if terms.halts else 0
    if terms.leased == "stations":
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
        return Earned(40 + 20 * calls, 0, calls)  # 1860-EMR-06
    if terms.leased == "half":
        return Earned(-(-value // 20) * 10, SUBSIDY * halts, calls)  # 1860-VAR-01
    if terms.leased == "exact half":
        return Earned(-(-value // 2), SUBSIDY * halts, calls)  # 1860-VAR-01, option `online`
    return Earned(value, SUBSIDY * halts, calls)


def earnings(t: Title, s: State, corp: CorpId, route: Route, run: Run) -> Earned | str:
    """What the traced route earns, or why the train is too short for it."""
    kinds = [s.board.stop(*stop).kind for stop in run.stops]
    values = [t.policy.stop_value(t, s, stop, Rank(run.train)) for stop in run.stops]
    large = [value for kind, value in zip(kinds, values, strict=True) if kind in ("city", "offboard")]
    towns = [value for kind, value in zip(kinds, values, strict=True) if kind == "town"]
    return earn(terms(t, s, corp, Rank(run.train)), large, towns, kinds.count("halt"), route.halts)


def run_value(t: Title, s: State, corp: CorpId, run: Run) -> int:
    """The revenue of a run that calls at as many halts as it can; 0 if the train is too short."""
    earned = earnings(t, s, corp, Route(Rank(run.train), ()), run)
    return earned.revenue if isinstance(earned, Earned) else 0


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


def can_run(t: Title, s: State, corp: CorpId) -> bool:
    """Whether some train has a route that includes the home base."""
    for rank in dict.fromkeys(running_trains(t, s, corp)):
        rules = terms(t, s, corp, rank)
        key = ("1860 can run", corp, rules.large, rules.small, rules.skips, tuple(s.own.get("bankrupt", ())))
        able: bool | None = s.board.memo.get(key)
        if able is None:
            able = any(candidate.home for candidate in _Finder(t, s, corp, rules).from_home())
            s.board.memo[key] = able
        if able:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A route found: its stops by number, legs, track, and what it earns by train rank."""

    stops: tuple[int, ...]
    legs: tuple[Leg, ...]
    track: int
    places: frozenset[StopRef]
    blocked: bool
    """Passes a tokened-out station."""
    home: bool


@dataclass(frozen=True, slots=True)
class BestSet:
    routes: tuple[Route, ...]
    revenue: int
    subsidy: int


def best_sets(t: Title, s: State, corp: CorpId, *, weights: Iterable[tuple[int, int]]) -> list[BestSet]:
    """For each weighting of revenue and subsidy the best set of routes found, without repeats; possibly none."""
    ranks = tuple(sorted(running_trains(t, s, corp), key=lambda rank: -(t.trains[rank].reach or 0)))
    found: list[BestSet] = []
    for weight in weights:
        best = _best_set(t, s, corp, ranks, weight)
        if best is not None and all((best.revenue, best.subsidy) != (o.revenue, o.subsidy) for o in found):
            found.append(best)
    return [best for best in found if not any(_beats(other, best) for other in found)]


def _beats(one: BestSet, other: BestSet) -> bool:
    return one is not other and one.revenue >= other.revenue and one.subsidy >= other.subsidy


Scored = tuple[int, Earned, Candidate]


def _best_set(t: Title, s: State, corp: CorpId, ranks: tuple[Rank, ...], weight: tuple[int, int]) -> BestSet | None:
    """Branch and bound over the trains, longest first; a train with no joined route stays at home."""
    if not ranks:
        return None
    net = network(s.board)
    lists = {rank: scored(t, s, corp, rank, weight) for rank in dict.fromkeys(ranks)}
    tops = [max((item[0] for item in lists[rank]), default=0) for rank in ranks]
    rest = [sum(tops[index:]) for index in range(len(ranks) + 1)]
    best_score, best_pick = -1, list[tuple[Rank, Earned, Candidate]]()
    trials = 0

    def search(index: int, score: int, track: int, blocked: bool, pick: list[tuple[Rank, Earned, Candidate]]) -> None:
        nonlocal best_score, best_pick, trials
        if score > best_score and pick and any(c.home for _, _, c in pick) and _hang_together(pick):
            best_score, best_pick = score, list(pick)
        if index == len(ranks):
            return
        for value, earned, candidate in lists[ranks[index]]:
            trials += 1
            if trials > TRIALS or score + value + rest[index + 1] <= best_score:
                break
            if candidate.track & track or (candidate.blocked and blocked):
                continue
            pick.append((ranks[index], earned, candidate))
            search(index + 1, score + value, track | candidate.track, blocked or candidate.blocked, pick)
            pick.pop()
        search(index + 1, score, track, blocked, pick)

    search(0, 0, 0, False, [])
    if not best_pick:
        alone = [(value, rank, e, c) for rank, items in lists.items() for value, e, c in items if c.home]
        if not alone:
            return None
        _, rank, earned, candidate = max(alone, key=lambda item: item[0])
        best_pick = [(rank, earned, candidate)]
    routes = tuple(Route(rank, _path(net, item), _halts(s, net, earned, item)) for rank, earned, item in best_pick)
    return BestSet(routes, sum(e.revenue for _, e, _ in best_pick), sum(e.subsidy for _, e, _ in best_pick))


def _hang_together(pick: list[tuple[Rank, Earned, Candidate]]) -> bool:
    return len(pick) == 1 or joined([set(candidate.places) for _, _, candidate in pick])


def _halts(s: State, net: Network, earned: Earned, candidate: Candidate) -> int | None:
    halts = sum(1 for stop in candidate.stops if s.board.stop(*net.stops[stop]).kind == "halt")
    called = earned.subsidy // SUBSIDY
    return None if called == halts or not earned.subsidy else called


def _path(net: Network, candidate: Candidate) -> tuple[StopId | int, ...]:
    path: list[StopId | int] = [stop_id(*net.stops[candidate.stops[0]])]
    for leg in candidate.legs:
        path.extend(leg.sides)
        path.append(stop_id(*net.stops[leg.to]))
    return tuple(path)


def scored(t: Title, s: State, corp: CorpId, rank: Rank, weight: tuple[int, int]) -> list[Scored]:
    """The train's routes with their earnings, best first; those through the home base are never crowded out."""
    found = [
        (earned.revenue * weight[0] + earned.subsidy * weight[1], earned, candidate)
        for earned, candidate in earning_routes(t, s, corp, rank)
    ]
    found.sort(key=lambda item: -item[0])
    if len(found) <= LONG_LIST:
        return found
    home = [item for item in found if item[2].home][:LONG_LIST]
    away = [item for item in found if not item[2].home][:LONG_LIST]
    return sorted([*home, *away], key=lambda item: -item[0])


def earning_routes(t: Title, s: State, corp: CorpId, rank: Rank) -> list[tuple[Earned, Candidate]]:
    """What each route of the train earns; kept with the board."""
    rules = terms(t, s, corp, rank)
    key = ("1860 earnings", corp, rank, rules, s.phase, tuple(s.own.get("bankrupt", ())))
    found: list[tuple[Earned, Candidate]] | None = s.board.memo.get(key)
    if found is None:
        found = list(_earning(t, s, corp, rank, rules))
        s.board.memo[key] = found
    return found


def _earning(t: Title, s: State, corp: CorpId, rank: Rank, rules: Terms) -> Iterator[tuple[Earned, Candidate]]:
    net = network(s.board)
    kinds = [s.board.stop(*stop).kind for stop in net.stops]
    values = [t.policy.stop_value(t, s, stop, rank) for stop in net.stops]
    seen: set[tuple[int, int, int]] = set()
    for candidate in candidates(t, s, corp, rules):
        large = [values[stop] for stop in candidate.stops if kinds[stop] in ("city", "offboard")]
        towns = [values[stop] for stop in candidate.stops if kinds[stop] == "town"]
        halts = len(candidate.stops) - len(large) - len(towns)
        for wanted in (None, *range(halts + 1)) if rules.skips and towns and halts else (None,):
            earned = earn(rules, large, towns, halts, wanted)
            if isinstance(earned, Earned):
                what = (earned.revenue, earned.subsidy, candidate.track)
                if what not in seen:
                    seen.add(what)
                    yield earned, candidate


def candidates(t: Title, s: State, corp: CorpId, rules: Terms) -> list[Candidate]:
    """Routes that a train of these terms could run, each once; kept with the board."""
    flipped = tuple(s.own.get("bankrupt", ()))
    key = ("1860 routes", corp, rules.large, rules.small, rules.skips, flipped)
    found: list[Candidate] | None = s.board.memo.get(key)
    if found is None:
        found = list(_Finder(t, s, corp, rules).find())
        s.board.memo[key] = found
    return found


class _Finder:
    """Walks from each station over legs; a hex left is not entered again."""

    def __init__(self, t: Title, s: State, corp: CorpId, rules: Terms) -> None:
        self.net = network(s.board)
        self.rules = rules
        board = s.board
        stops = self.net.stops
        self.kinds = [board.stop(*stop).kind for stop in stops]
        self.blocked = [tokened_out(s, corp, *stop) for stop in stops]
        self.hex_bit = [1 << self.net.hex_number[stop[0]] for stop in stops]
        self.tokens = {self.net.number[stop] for stop in board.token_stops(corp)}
        home = home_stop(t, s, corp)
        self.home = None if home is None else self.net.number[home]
        self.reenter = ways(t).reenters_hexes
        self.starts = sorted(self.tokens | {self.net.number[stop] for stop in reach(board, corp).stops})
        self.left = STEPS

    def from_home(self) -> Iterator[Candidate]:
        """Routes that begin or end at home first, then all others."""
        if self.home is not None:
            yield from self._from(self.home, both_ways=True)
        yield from self.find()

    def find(self) -> Iterator[Candidate]:
        for start in self.starts:
            if self.kinds[start] != "halt":
                yield from self._from(start)

    def _from(self, start: int, *, both_ways: bool = False) -> Iterator[Candidate]:
        large, towns = self._count(start)
        stack: list[tuple[tuple[int, ...], tuple[Leg, ...], int, int, int, int, bool]] = [
            ((start,), (), 0, self.hex_bit[start], large, towns, False)
        ]
        while stack:
            stops, legs, track, hexes, large, towns, blocked = stack.pop()
            here = stops[-1]
            if len(stops) > 1:
                once = both_ways or here > start
                if self.kinds[here] != "halt" and once and self.tokens.intersection(stops):
                    places = frozenset(self.net.stops[stop] for stop in stops)
                    yield Candidate(stops, legs, track, places, blocked, self.home in stops)
                if self.kinds[here] == "offboard" or (self.blocked[here] and blocked):
                    continue
                blocked = blocked or self.blocked[here]
            for leg in self.net.legs(here, 10_000) or ():
                self.left -= 1
                if self.left < 0:
                    return
                if leg.to in stops or leg.track & track:
                    continue
                if not self.reenter and leg.hexes & hexes & ~self.hex_bit[here]:
                    continue
                more, small = self._count(leg.to)
                if self._too_long(large + more, towns + small):
                    continue
                used, entered = track | leg.track, hexes | leg.hexes
                stack.append(((*stops, leg.to), (*legs, leg), used, entered, large + more, towns + small, blocked))

    def _count(self, stop: int) -> tuple[int, int]:
        kind = self.kinds[stop]
        return int(kind in ("city", "offboard")), int(kind == "town")

    def _too_long(self, large: int, towns: int) -> bool:
        spare = self.rules.large - large
        return spare < 0 or (not self.rules.skips and towns > spare + self.rules.small)
