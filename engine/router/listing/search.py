"""Best routes by listing: every route of a train that could matter, then the best disjoint choice among them.

First each train's best route alone is found, which bounds what the others must reach together; then only the
routes above that mark are listed, and joined with a bound for the trains still to choose.
"""

from collections.abc import Callable

from engine.board.network import Leg
from engine.frozen import dataclass
from engine.router.area import InReach, by_way_of, reached
from engine.router.case import Answer, Case, Exhausted, FoundRoute, Meter


@dataclass(frozen=True, slots=True)
class Candidate:
    """A route that was listed."""

    score: int
    track: int
    token: int
    one: tuple[Leg, ...]
    """Legs from the token to one end of the route."""
    other: tuple[Leg, ...]
    """Legs from the token to its other end; empty if the token is an end."""

    def found(self) -> FoundRoute:
        """The route from end to end."""
        return by_way_of(self.token, self.one, self.other)


class Lister:
    """Lists the routes of one train, best first found or all above a mark."""

    def __init__(self, case: Case, area: InReach, train: int, meter: Meter) -> None:
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
        self.second_arm = self._gains(self._ahead)
        """[calls left][stop]: the most that a route gains whose second arm has come to the stop, itself included."""
        self._first_arm: dict[int, list[list[int]]] = {}

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

    def _ahead(self, stop: int, calls: int) -> int:
        """The most that an arm which has come to the stop brings with so many calls left."""
        return self.onward[calls][stop] if self.case.passable[stop] else 0

    def first_arm(self, token: int) -> list[list[int]]:
        """As `second_arm`, while the second arm, from this token, is still to come: the calls left may be split."""
        found = self._first_arm.get(token)
        if found is None:
            back = [row[token] for row in self.onward]

            def ahead(stop: int, calls: int) -> int:
                return max(self._ahead(stop, part) + back[calls - part] for part in range(calls + 1))

            found = self._first_arm[token] = self._gains(ahead)
        return found

    def _gains(self, ahead: Callable[[int, int], int]) -> list[list[int]]:
        """[calls left][stop]: as `ahead` says for few calls, never more than the best stops; then the slack."""
        rows, always = [], self.slack + 1
        for calls in range(self.case.calls[self.train] + 1):
            top = self.top[min(calls, len(self.top) - 1)]
            row = [top + always] * len(self.case.place)
            if calls < len(self.onward):
                for stop in self.area.stops:
                    row[stop] = min(ahead(stop, calls), top) + always
            rows.append(row)
        return rows

    def best(self, taken: int, floor: int) -> Candidate | None:
        """The best route above `floor` that leaves the track `taken` alone."""
        found = Growth(self, taken, floor, rising=True).routes()
        return found[-1] if found else None

    def above(self, floor: int) -> list[Candidate]:
        """All routes with a score above `floor`, the highest first."""
        return sorted(Growth(self, 0, floor, rising=False).routes(), key=lambda candidate: -candidate.score)


class Growth:
    """The routes above `floor` that leave the track `taken` alone; with `rising` each better than the one before.

    A route is grown from a token: arm `one` first, then, from each state of it, arm `other` by a later leg of the
    token (`rest`). A branch is cut off where what is left of the calls cannot bring it above the floor. Tokens that
    had their turn are barred, so each route is listed once.
    """

    __slots__ = ("barred", "floor", "found", "lister", "one", "other", "rest", "rising", "tables", "taken", "token")

    def __init__(self, lister: Lister, taken: int, floor: int, *, rising: bool) -> None:
        case, train = lister.case, lister.train
        large = [cost if large else 0 for cost, large in zip(case.cost, case.large, strict=True)]
        self.tables = lister.legs, case.place, case.cost, large, case.value[train], case.passable, case.apart[train]
        """What every step reads: by stop its legs, place, calls, large calls, value, whether trains go on; and whether
        what is left of calls beyond the large ones is for small stops alone."""
        self.lister, self.taken, self.floor, self.rising = lister, taken, floor, rising
        self.found: list[Candidate] = []
        self.one: list[Leg] = []
        self.other: list[Leg] = []
        self.rest: list[Leg] = []
        self.token = self.barred = 0

    def routes(self) -> list[Candidate]:
        """All of them, in the order in which they are found. Raises Exhausted."""
        lister, case, train = self.lister, self.lister.case, self.lister.train
        legs_from, place, cost, large_cost, value, passable, _ = self.tables
        for token in case.tokens:
            large, calls = case.reach[train] - large_cost[token], case.calls[train] - cost[token]
            if not case.open[token] or self.barred & place[token] or large < 0 or calls < 0:
                continue
            self.token, gains = token, lister.first_arm(token)
            for first, leg in enumerate(legs_from[token]):
                # The other arm leaves by a later leg, so that no route is listed in both directions.
                self.rest = legs_from[token][first + 1 :] if passable[token] else []
                seen = self.barred | place[token]
                self.extend([leg], self.taken, seen, large, calls, value[token], self.one, gains)
            self.barred |= place[token]
        return self.found

    def extend(
        self, legs: list[Leg], track: int, seen: int, large: int, calls: int, score: int, arm: list[Leg],
        gains: list[list[int]],
    ) -> None:  # fmt: skip
        """Grow the arm by each of the legs and on from there; `gains` is the most that is still to come.

        `track` has a bit for each side crossed, `seen` one for each place met; `large` and `calls` are left.
        """
        meter = self.lister.meter
        meter.left -= len(legs)
        if meter.left < 0:
            raise Exhausted
        legs_from, place, cost, large_cost, value, passable, apart = self.tables
        rest = self.rest if arm is self.one else ()
        for leg in legs:
            to = leg.to
            if track & leg.track or seen & place[to]:
                continue
            calls_left, large_left = calls - cost[to], large - large_cost[to]
            if calls_left < 0 or large_left < 0 or (apart and calls_left < large_left):
                continue
            worth = score + value[to]
            if worth + gains[calls_left][to] <= self.floor:
                continue
            arm.append(leg)
            now, met = track | leg.track, seen | place[to]
            self.record(worth, now, met)
            if passable[to]:
                self.extend(legs_from[to], now, met, large_left, calls_left, worth, arm, gains)
            if rest:
                self.extend(rest, now, met, large_left, calls_left, worth, self.other, self.lister.second_arm)
            arm.pop()

    def record(self, score: int, track: int, seen: int) -> None:
        """Keep the route grown so far if it is above the floor; one more for a train that runs."""
        score += 1
        for here, there, amount in self.lister.bonuses:
            met = seen & ~self.barred
            if met & here and met & there:
                score += amount
        if score > self.floor:
            route = Candidate(score, track ^ self.taken, self.token, tuple(self.one), tuple(self.other))
            self.found.append(route)
            if self.rising:
                self.floor = score


def search(case: Case, kinds: list[int], allowance: int) -> Answer:
    """The best set of routes by listing. `kinds[t]` is the first train that is like train t."""
    meter = Meter(allowance)
    chosen: list[Candidate | None] = [None] * len(kinds)
    try:
        area = reached(case)
    except Exhausted:
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
