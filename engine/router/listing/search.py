"""Best routes by listing: every route of a train that could matter, then the best disjoint choice among them.

First each train's best route alone is found, which bounds what the others must reach together; then only the
routes above that mark are listed, and joined with a bound for the trains still to choose.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.network import Leg
from engine.router.area import Area, by_way_of, reached
from engine.router.case import Answer, Case, FoundRoute
from engine.router.limits import Exhausted, Meter


@dataclass(frozen=True, slots=True)
class Candidate:
    score: int
    track: int
    token: int
    one: tuple[Leg, ...]
    """Legs from the token to one end of the route."""
    other: tuple[Leg, ...]
    """Legs from the token to its other end; empty if the token is an end."""

    def found(self) -> FoundRoute:
        return by_way_of(self.token, self.one, self.other)


class Lister:
    """Lists the routes of one train, best first found or all above a mark."""

    def __init__(self, case: Case, area: Area, train: int, meter: Meter) -> None:
        self.case, self.area, self.train, self.meter = case, area, train, meter
        value, shunned = case.value[train], case.shunned[train]
        self.legs = area.legs
        if shunned is not None:
            self.legs = {stop: [leg for leg in legs if leg.to != shunned] for stop, legs in area.legs.items()}
        paid = sorted((value[stop] for stop in area.stops if case.cost[stop]), reverse=True)
        free = sum(value[stop] for stop in area.stops if not case.cost[stop])
        self.slack = free + sum(bonus.amount for bonus in case.rules.bonuses) * case.scale
        """What may be added beyond the calls: stops that use no reach, bonuses."""
        self.top = [sum(paid[:count]) for count in range(len(paid) + 1)]
        self.bonuses = [
            (self._places(bonus.one), self._places(bonus.other), bonus.amount * case.scale)
            for bonus in case.rules.bonuses
        ]
        self.onward = self._onward()

    def _places(self, stops: frozenset[tuple[str, int]]) -> int:
        number = self.case.net.number
        return sum({self.case.place[number[stop]] for stop in stops if stop in number})

    def _onward(self) -> list[dict[int, int]]:
        """[calls left][stop]: the most that a walk onwards from the stop brings, stops counted again and again."""
        case, area, value = self.case, self.area, self.case.value[self.train]
        table: list[dict[int, int]] = [dict.fromkeys(area.stops, 0)]
        targets = {stop: sorted({leg.to for leg in legs}) for stop, legs in self.legs.items()}
        for _ in range(min(case.calls[self.train], 8)):
            row, last = {}, table[-1]
            for stop in area.stops:
                best = 0
                for to in targets.get(stop, ()):
                    if case.cost[to]:
                        best = max(best, value[to] + (last[to] if case.passable[to] else 0))
                row[stop] = best
            table.append(row)
        return table

    def best(self, taken: int, floor: int) -> Candidate | None:
        """The best route above `floor` that leaves the track `taken` alone."""
        found = self._list(taken, floor, rising=True)
        return found[-1] if found else None

    def above(self, floor: int) -> list[Candidate]:
        """All routes with a score above `floor`, the highest first."""
        return sorted(self._list(0, floor, rising=False), key=lambda candidate: -candidate.score)

    def _list(self, taken: int, floor: int, *, rising: bool) -> list[Candidate]:
        """The routes above `floor` that leave the track `taken` alone; with `rising` each better than the one before.

        A route is grown from a token: arm `one` first, then, from each state of it, arm `other` by a later leg of the
        token (`rest`). A branch is cut off where what is left of the calls cannot bring it above the floor. Tokens
        that had their turn are barred, so each route is listed once. `track` has a bit for each side crossed, `seen`
        one for each place met.
        """
        case, meter = self.case, self.meter
        value, cost, large_kind, place = case.value[self.train], case.cost, case.large, case.place
        passable, legs_from, top, onward = case.passable, self.legs, self.top, self.onward
        bonuses, slack, short = self.bonuses, self.slack, len(self.onward) - 1
        apart = case.apart[self.train]  # then what is left of calls beyond the large ones is for small stops
        most = len(top) - 1
        found: list[Candidate] = []
        one: list[Leg] = []
        other: list[Leg] = []
        rest: list[Leg] = []
        token = barred = 0

        def record(score: int, track: int, seen: int) -> None:
            nonlocal floor
            score += 1
            for here, there, amount in bonuses:
                met = seen & ~barred
                if met & here and met & there:
                    score += amount
            if score > floor:
                found.append(Candidate(score, track ^ taken, token, tuple(one), tuple(other)))
                if rising:
                    floor = score

        def extend(legs: list[Leg], track: int, seen: int, large: int, calls: int, score: int, arm: list[Leg]) -> None:
            meter.left -= len(legs)
            if meter.left < 0:
                raise Exhausted
            for leg in legs:
                to = leg.to
                if track & leg.track or seen & place[to]:
                    continue
                price = cost[to]
                calls_left = calls - price
                large_left = large - price if large_kind[to] else large
                if calls_left < 0 or large_left < 0 or (apart and calls_left < large_left):
                    continue
                worth = score + value[to]
                limit = worth + slack + 1
                if calls_left <= short:
                    ahead = onward[calls_left][to] if passable[to] else 0
                    if arm is one:  # what is left may be split between the two arms
                        ahead = max(
                            (onward[part][to] if passable[to] else 0) + onward[calls_left - part][token]
                            for part in range(calls_left + 1)
                        )
                    limit += min(ahead, top[calls_left] if calls_left < most else top[most])
                else:
                    limit += top[calls_left] if calls_left < most else top[most]
                if limit <= floor:
                    continue
                arm.append(leg)
                now, met = track | leg.track, seen | place[to]
                record(worth, now, met)
                if passable[to]:
                    extend(legs_from[to], now, met, large_left, calls_left, worth, arm)
                if arm is one and rest:
                    extend(rest, now, met, large_left, calls_left, worth, other)
                arm.pop()

        for token in case.tokens:
            if not case.open[token] or barred & place[token]:
                continue
            price = cost[token]
            large, calls = case.reach[self.train], case.calls[self.train]
            large, calls = (large - price if large_kind[token] else large), calls - price
            if large < 0 or calls < 0:
                continue
            for first, leg in enumerate(legs_from[token]):
                # The other arm leaves by a later leg, so that no route is listed in both directions.
                rest = legs_from[token][first + 1 :] if passable[token] else []
                extend([leg], taken, barred | place[token], large, calls, value[token], one)
            barred |= place[token]
        return found


def search(case: Case, kinds: list[int], allowance: int) -> Answer:
    """The best set of routes by listing. `kinds[t]` is the first train that is like train t."""
    meter = Meter(allowance)
    chosen: list[Candidate | None] = [None] * len(kinds)
    area = reached(case)
    if area is None:
        return Answer([None] * len(kinds), 0, False, case.most(), 0)
    listers = {kind: Lister(case, area, kind, meter) for kind in sorted(set(kinds))}
    alone = {kind: lister.top[-1] + lister.slack + 1 for kind, lister in listers.items()}
    """The most that a train of this kind can score."""
    try:
        for kind, lister in listers.items():
            best = lister.best(0, 0)
            alone[kind] = best.score if best else 0
        chosen = _greedy(listers, kinds)
        score, limit = _score(chosen), sum(alone[kind] for kind in kinds)
        if score < limit:
            lists = {kind: listers[kind].above(score - limit + alone[kind]) for kind in listers}
            chosen = Join(kinds, lists, score, meter).run() or chosen
        proved = True
    except Exhausted:
        proved = False
    score = _score(chosen)
    bound = score if proved else sum(alone[kind] for kind in kinds)
    return Answer(
        [pick.found() if pick else None for pick in chosen], score, proved, bound, allowance - max(meter.left, 0)
    )


def _score(chosen: list[Candidate | None]) -> int:
    return sum(pick.score for pick in chosen if pick is not None)


def _greedy(listers: dict[int, Lister], kinds: list[int]) -> list[Candidate | None]:
    """A good first answer: the trains choose one after another, in both orders."""
    answers = []
    for order in (range(len(kinds)), range(len(kinds) - 1, -1, -1)):
        chosen: list[Candidate | None] = [None] * len(kinds)
        taken = 0
        for train in order:
            pick = chosen[train] = listers[kinds[train]].best(taken, 0)
            taken |= pick.track if pick else 0
        answers.append(chosen)
    return max(answers, key=_score)


class Join:
    """Chooses a route for each train so that no track is shared and the scores add up to the most.

    A set of routes is a number with one bit a route, the best route lowest: the routes that leave given track
    alone are found by a few operations on long numbers.
    """

    def __init__(self, kinds: list[int], lists: dict[int, list[Candidate]], floor: int, meter: Meter) -> None:
        self.kinds, self.lists, self.floor, self.meter = kinds, lists, floor, meter
        self.users = {kind: _users(routes) for kind, routes in lists.items()}
        self.picks: list[Candidate | None] = [None] * len(kinds)
        self.answer: list[Candidate | None] | None = None

    def run(self) -> list[Candidate | None] | None:
        """The best choice with a score above `floor`, or None."""
        self._choose(0, 0, [(1 << len(self.lists[kind])) - 1 for kind in self.kinds])
        return self.answer

    def _choose(self, train: int, score: int, free: list[int]) -> None:
        """`free[t]`: the routes still open to train t."""
        kinds = self.kinds
        if train == len(kinds):
            if score > self.floor:
                self.floor, self.answer = score, list(self.picks)
            return
        later = sum(self._first(other, free[other]) for other in range(train + 1, len(kinds)))
        routes, open_routes = self.lists[kinds[train]], free[train]
        while open_routes:
            low = open_routes & -open_routes
            pick = routes[low.bit_length() - 1]
            if score + pick.score + later <= self.floor:
                break
            self.meter.left -= 1 + len(routes) // 256
            if self.meter.left < 0:
                raise Exhausted
            open_routes ^= low
            self.picks[train] = pick
            left = list(free)
            for other in range(train + 1, len(kinds)):
                # Trains that are alike choose in the order of their common list.
                rest = open_routes if kinds[other] == kinds[train] else free[other]
                left[other] = rest & ~self._meeting(kinds[other], pick.track)
            self._choose(train + 1, score + pick.score, left)
        self.picks[train] = None
        for other in range(train + 1, len(kinds)):
            if kinds[other] == kinds[train]:
                free = [0 if kinds[t] == kinds[train] and t > train else routes for t, routes in enumerate(free)]
                break
        self._choose(train + 1, score, free)

    def _first(self, train: int, free: int) -> int:
        return self.lists[self.kinds[train]][(free & -free).bit_length() - 1].score if free else 0

    def _meeting(self, kind: int, track: int) -> int:
        users, found = self.users[kind], 0
        while track:
            low = track & -track
            found |= users.get(low, 0)
            track ^= low
        return found


def _users(routes: list[Candidate]) -> dict[int, int]:
    """For each bit of track the routes that use it."""
    size = len(routes) // 8 + 1
    users: dict[int, bytearray] = {}
    for number, route in enumerate(routes):
        track = route.track
        while track:
            low = track & -track
            row = users.get(low)
            if row is None:
                row = users[low] = bytearray(size)
            row[number >> 3] |= 1 << (number & 7)
            track ^= low
    return {bit: int.from_bytes(row, "little") for bit, row in users.items()}
