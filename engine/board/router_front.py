"""The best sets of routes among all listed ones, by total and subsidy, where the routes must hang together.

For each amount of subsidy the highest total is sought. What the trains would earn if they did not stand in each
other's way is known from the buckets of walks; from there on downwards it is tried what they can earn together.
Only walks that could take part in it are looked at, and the trains choose among them one after another, the one
that goes home first. Sets of walks are numbers with one bit a walk, as in `Join`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from engine.board.router_case import ROUTES, Answer, Case, Found
from engine.board.router_search import Exhausted, Field, Meter, reached
from engine.board.router_walks import Calls, Key, Walk, Walks

LEVEL = 500_000
"""Steps for one level of subsidy."""
TASTE = 150
"""Walks of each train that a first choice is made from."""
GUESSES = 60
"""Walks of the first train from which a first answer is guessed, spread over all."""
SCAN = 20_000
"""Walks looked at for the next train in a guess."""
NEVER = -1
"""The score of what cannot be."""


@dataclass(frozen=True, slots=True)
class Way:
    """What a train can do with the walks of one bucket. `score` is total times ROUTES plus one."""

    score: int
    subsidy: int
    """In units."""
    key: Key
    calls: Calls


@dataclass(frozen=True, slots=True)
class Choice:
    """For each train a walk with its calls, or None, with their score and units of subsidy together."""

    picks: tuple[tuple[Walk, Calls] | None, ...]
    score: int
    subsidy: int


class Front:
    """The choices of one case. `kinds[t]` is the first train that is like train t. Exhausted if there are too many."""

    def __init__(self, case: Case, kinds: list[int], allowance: int) -> None:
        self.case, self.kinds, self.allowance, self.meter = case, kinds, allowance, Meter(allowance)
        area = reached(case)
        if area is None:
            raise Exhausted
        self.walks = self._walks(area)
        """By kind; kinds for which stops have the same values share theirs."""
        found = {
            kind: [(key, calls) for key in walks.buckets for calls in walks.ways(kind, key)]
            for kind, walks in self.walks.items()
        }
        self.unit = gcd(*(calls.subsidy for some in found.values() for _, calls in some)) or 1
        self.ways = {
            kind: sorted(
                (Way(calls.total * ROUTES + 1, calls.subsidy // self.unit, key, calls) for key, calls in some),
                key=lambda way: -way.score,
            )
            for kind, some in found.items()
        }
        most = {kind: max((way.subsidy for way in ways), default=0) for kind, ways in self.ways.items()}
        self.levels = 1 + sum(most[kind] for kind in kinds)
        self.none = Choice((None,) * len(kinds), 0, 0)
        self.known: list[Choice | None] = [self.none] + [None] * (self.levels - 1)
        """[s]: the best choice known with at least s units of subsidy."""
        self.most = [0] * self.levels
        """[s]: no choice with at least s units scores more."""
        self.plans = self._plans()
        for level in range(self.levels):
            self.most[level] = max(0, *(plan.after[0][level] for plan in self.plans))

    def _walks(self, area: Field) -> dict[int, Walks]:
        by_value: dict[tuple[int, ...], list[int]] = {}
        for kind in sorted(set(self.kinds)):
            by_value.setdefault(tuple(self.case.value[kind]), []).append(kind)
        found = {}
        for kinds in by_value.values():
            walks = Walks(self.case, area, kinds, self.meter, all_of_them=len(self.kinds) > 1)
            found.update(dict.fromkeys(kinds, walks))
        return found

    def _plans(self) -> list[Plan]:
        trains = range(len(self.kinds))
        if not self.case.rules.home:
            return [Plan(self, list(trains), goes_home=False)]
        return [Plan(self, [kind, *(t for t in trains if t != kind)], goes_home=True) for kind in sorted(self.walks)]

    def level(self, subsidy: int) -> Choice | None:
        """The best choice known with at least so many units of subsidy; `most` tells whether it is the best.

        Levels are asked from 0 on.
        """
        known = self.known[subsidy]
        floor = known.score if known else NEVER
        self.most[subsidy] = min(self.most[subsidy], self.most[max(subsidy - 1, 0)])
        margin = 1
        self.meter.left, kept = min(self.meter.left, LEVEL), max(self.meter.left - LEVEL, 0)
        try:
            if len(self.kinds) > 1 and self.most[subsidy] > floor:
                for plan in self.plans:
                    choice = Chooser(plan, subsidy, floor, TASTE).run()
                    if choice is not None:
                        self._note(choice)
                        floor = choice.score
            while self.most[subsidy] > floor:
                mark = max(floor, self.most[subsidy] - margin)
                for plan in self.plans:
                    choice = plan.best(subsidy, mark)
                    if choice is not None:
                        self._note(choice)
                        mark = floor = choice.score
                self.most[subsidy] = mark
                margin = max(margin * 2, self.case.unit * ROUTES)
        except Exhausted:
            pass
        self.meter.left = max(self.meter.left, 0) + kept
        return self.known[subsidy]

    def _guess(self, plan: Plan) -> None:
        """Good first answers: the first train takes some walk, each other the best that then fits."""
        ways = [way for way in self.ways[plan.kinds[0]] if not plan.goes_home or way.key.home]
        for way in ways[:: max(1, len(ways) // GUESSES)]:
            walk = self.walks[plan.kinds[0]].buckets[way.key][0]
            picks: list[tuple[Walk, Calls] | None] = [None] * len(self.kinds)
            picks[plan.order[0]] = walk, way.calls
            track, met, passes = walk.track, walk.met, way.key.passes
            score, subsidy = way.score, way.subsidy
            for train, kind in zip(plan.order[1:], plan.kinds[1:], strict=True):
                found = self._fitting(kind, track, met, passes=passes)
                if found is not None:
                    walk, way = found
                    picks[train] = walk, way.calls
                    track, met, passes = track | walk.track, met | walk.met, passes or way.key.passes
                    score, subsidy = score + way.score, subsidy + way.subsidy
            self._note(Choice(tuple(picks), score, subsidy))

    def _fitting(self, kind: int, track: int, met: int, *, passes: bool) -> tuple[Walk, Way] | None:
        rules, buckets, left = self.case.rules, self.walks[kind].buckets, SCAN
        for way in self.ways[kind]:
            if passes and way.key.passes and rules.single_pass:
                continue
            for walk in buckets[way.key]:
                left -= 1
                if not walk.track & track and (walk.met & met or not rules.joined):
                    return walk, way
            if left < 0:
                break
        return None

    def _note(self, choice: Choice) -> None:
        for less in range(choice.subsidy + 1):
            old = self.known[less]
            if old is None or old.score < choice.score:
                self.known[less] = choice

    def all(self, *, first_only: bool = False) -> list[Answer]:
        """Every choice that no other betters both in total and in subsidy, the highest total first.

        With `first_only` the first alone: the highest total, then the highest subsidy, then the most trains.
        """
        found: list[tuple[Choice, bool]] = []
        proved = True
        for plan in self.plans if len(self.kinds) > 1 else ():
            self._guess(plan)
        for subsidy in range(self.levels):
            if found and subsidy <= found[-1][0].subsidy:
                continue
            choice = self.level(subsidy)
            proved = proved and self.most[subsidy] == (choice.score if choice else NEVER)
            if choice is None or (found and not choice.score):
                if self.most[subsidy] == NEVER:
                    break
            elif found and found[-1][0].score // ROUTES == choice.score // ROUTES:
                found[-1] = choice, proved
            elif found and first_only:
                break
            else:
                found.append((choice, proved))
        return [self._answer(choice, proved) for choice, proved in found]

    def _answer(self, choice: Choice, proved: bool) -> Answer:
        score = self._score(choice.score, choice.subsidy)
        bound = score if proved else self._score(self.most[0], choice.subsidy)
        routes: list[Found | None] = []
        for train, pick in enumerate(choice.picks):
            routes.append(self.walks[self.kinds[train]].found(*pick) if pick else None)
        return Answer(routes, score, proved, bound, self.allowance - self.meter.left)

    def _score(self, score: int, subsidy: int) -> int:
        """As `Case` writes it."""
        total, running = divmod(score, ROUTES)
        extra = 0 if self.case.rules.subsidy is None else subsidy * self.unit * ROUTES
        return total * self.case.scale + extra + running


class Plan:
    """The trains in the order in which they choose; with `goes_home` the first must go home."""

    def __init__(self, front: Front, order: list[int], *, goes_home: bool) -> None:
        self.front, self.order, self.goes_home = front, order, goes_home
        self.kinds = [front.kinds[train] for train in order]
        self.single_pass, self.joined = front.case.rules.single_pass, front.case.rules.joined
        alone = [self._alone(place) for place in range(len(order))]
        self.after = [[0] + [NEVER] * (front.levels - 1)]
        """[p][s]: the highest score of the trains from place p on, alone, with at least s units of subsidy."""
        for profile in reversed(alone):
            self.after.insert(0, _together(profile, self.after[0]))
        self.others = []
        """[p][s]: the same for the trains at all places but p."""
        before = self.after[-1]
        for place, profile in enumerate(alone):
            self.others.append(_together(before, self.after[place + 1]))
            before = _together(before, profile)

    def _alone(self, place: int) -> list[int]:
        home = self.goes_home and place == 0
        profile = [NEVER if home else 0] + [NEVER] * (self.front.levels - 1)
        for way in self.front.ways[self.kinds[place]]:
            if not home or way.key.home:
                profile[way.subsidy] = max(profile[way.subsidy], way.score)
        for level in range(len(profile) - 2, -1, -1):
            profile[level] = max(profile[level], profile[level + 1])
        return profile

    def best(self, subsidy: int, floor: int) -> Choice | None:
        """The best choice that scores more than `floor` and brings at least so many units of subsidy, or None."""
        if self.after[0][subsidy] <= floor:
            return None
        return Chooser(self, subsidy, floor).run()


def _together(one: list[int], other: list[int]) -> list[int]:
    """What two profiles allow together."""
    found = [NEVER] * len(one)
    for a, score in enumerate(one):
        if score == NEVER:
            break
        for b, more in enumerate(other[: len(one) - a]):
            if more == NEVER:
                break
            found[a + b] = max(found[a + b], score + more)
    return found


class Chooser:
    """One search: the walks that could take part, and the trains choosing among them."""

    def __init__(self, plan: Plan, subsidy: int, floor: int, taste: int | None = None) -> None:
        """With `taste` only so many walks of each train, and as many that go home, are looked at."""
        self.plan, self.need, self.floor, self.taste = plan, subsidy, floor, taste
        self.front, self.meter, self.kinds = plan.front, plan.front.meter, plan.kinds
        self.lists = {kind: self._list(kind) for kind in sorted(set(self.kinds))}
        """By kind: walks with their ways, the highest score first."""
        self.users = {kind: _by_bit([walk.track for walk, _ in entries]) for kind, entries in self.lists.items()}
        self.meets = {kind: _by_bit([walk.met for walk, _ in entries]) for kind, entries in self.lists.items()}
        self.passers = {kind: _mask(way.key.passes for _, way in entries) for kind, entries in self.lists.items()}
        self.homely = {kind: _mask(way.key.home for _, way in entries) for kind, entries in self.lists.items()}
        self.bring = {
            kind: [_mask(way.subsidy >= level for _, way in entries) for level in range(subsidy + 1)]
            for kind, entries in self.lists.items()
        }
        self.picks: list[tuple[Walk, Way] | None] = [None] * len(self.kinds)
        self.choice: Choice | None = None

    def _list(self, kind: int) -> list[tuple[Walk, Way]]:
        places = [place for place, other in enumerate(self.kinds) if other == kind]
        need, floor, buckets = self.need, self.floor, self.front.walks[kind].buckets
        found: list[tuple[Walk, Way]] = []
        room = {True: self.taste, False: self.taste}
        for way in self.front.ways[kind]:
            left = max(need - way.subsidy, 0)
            for place in places:
                rest = self.plan.others[place][left]
                if rest == NEVER or way.score + rest <= floor:
                    continue
                if place or not self.plan.goes_home or way.key.home:
                    walks = buckets[way.key][: room[way.key.home]]
                    left_over = room[way.key.home]
                    if left_over is not None:
                        room[way.key.home] = left_over - len(walks)
                    self.meter.left -= len(walks)
                    found += [(walk, way) for walk in walks]
                    break
        return found

    def run(self) -> Choice | None:
        every = [(1 << len(self.lists[kind])) - 1 for kind in self.kinds]
        if self.plan.goes_home:
            every[0] = self.homely[self.kinds[0]]
        self._choose(0, 0, 0, every, [])
        return self.choice

    def _choose(self, place: int, score: int, subsidy: int, free: list[int], parts: list[int]) -> None:
        """`free[p]`: what is open to the train at place p; `parts`: the stops met by routes that hang together."""
        if place == len(self.kinds):
            if score > self.floor and subsidy >= self.need and len(parts) < 2:
                self._record(score, subsidy)
            return
        kind, must = self.kinds[place], self.plan.goes_home and place == 0
        entries, after = self.lists[kind], self.plan.after[place + 1]
        open_routes = free[place]
        if place == len(self.kinds) - 1:
            open_routes &= self.bring[kind][max(self.need - subsidy, 0)]
            for part in parts:
                open_routes &= _using(self.meets[kind], part)
            if open_routes:
                low = open_routes & -open_routes
                walk, way = self.picks[place] = entries[low.bit_length() - 1]
                if score + way.score > self.floor:
                    self._record(score + way.score, subsidy + way.subsidy)
                self.picks[place] = None
            if not must:
                self._choose(place + 1, score, subsidy, free, parts)
            return
        while open_routes:
            low = open_routes & -open_routes
            walk, way = entries[low.bit_length() - 1]
            if score + way.score + after[0] <= self.floor:
                break
            open_routes ^= low
            left = max(self.need - subsidy - way.subsidy, 0)
            if after[left] == NEVER or score + way.score + after[left] <= self.floor:
                continue
            self.meter.left -= 4 + len(entries) // 2048
            if self.meter.left < 0:
                raise Exhausted
            self.picks[place] = walk, way
            self._go_on(place, score + way.score, subsidy + way.subsidy, free, open_routes, parts)
        self.picks[place] = None
        if not must:
            alike = [0 if self.kinds[p] == kind and p > place else routes for p, routes in enumerate(free)]
            if score + after[max(self.need - subsidy, 0)] > self.floor:
                self._choose(place + 1, score, subsidy, alike, parts)

    def _go_on(self, place: int, score: int, subsidy: int, free: list[int], later: int, parts: list[int]) -> None:
        """The next train chooses. `later`: what comes after this pick in its list."""
        picked = self.picks[place]
        assert picked is not None
        walk, way = picked
        kind, must = self.kinds[place], self.plan.goes_home and place == 0
        left, hope = list(free), score
        for p in range(place + 1, len(self.kinds)):
            other = self.kinds[p]
            # Trains that are alike choose in the order of their common list.
            some = later if other == kind and not must else free[p]
            if way.key.passes and self.plan.single_pass:
                some &= ~self.passers[other]
            some &= ~_using(self.users[other], walk.track)
            left[p] = some
            hope += self.lists[other][(some & -some).bit_length() - 1][1].score if some else 0
        if hope > self.floor:
            self._choose(place + 1, score, subsidy, left, _joined(parts, walk.met) if self.plan.joined else parts)

    def _record(self, score: int, subsidy: int) -> None:
        picks: list[tuple[Walk, Calls] | None] = [None] * len(self.kinds)
        for train, pick in zip(self.plan.order, self.picks, strict=True):
            picks[train] = pick and (pick[0], pick[1].calls)
        self.floor, self.choice = score, Choice(tuple(picks), score, subsidy)


def _joined(parts: list[int], met: int) -> list[int]:
    """The parts with one more route."""
    apart = [part for part in parts if not part & met]
    for part in parts:
        if part & met:
            met |= part
    return [*apart, met]


def _using(users: dict[int, int], mask: int) -> int:
    found = 0
    while mask:
        low = mask & -mask
        found |= users.get(low, 0)
        mask ^= low
    return found


def _mask(marks: object) -> int:
    """A number with one bit for each mark, set where it is true."""
    return int("".join("1" if mark else "0" for mark in marks)[::-1] or "0", 2)  # type: ignore[attr-defined]


SET = [bytes(48 + (byte >> bit & 1) for byte in range(256)) for bit in range(8)]
"""[bit][byte]: the digit 1 where the byte has the bit."""


def _by_bit(masks: list[int]) -> dict[int, int]:
    """For each bit the numbers of the masks that have it, one bit each."""
    size = max((mask.bit_length() for mask in masks), default=0) // 8 + 1
    data = b"".join(mask.to_bytes(size, "little") for mask in reversed(masks))
    rows: dict[int, int] = {}
    for place in range(size):
        column = data[place::size]
        if column.strip(b"\0"):
            for bit in range(8):
                row = int(column.translate(SET[bit]), 2)
                if row:
                    rows[1 << place * 8 + bit] = row
    return rows
