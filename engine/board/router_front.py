"""The best sets of routes among all listed ones, by total and subsidy, where the routes must hang together.

For each amount of subsidy the highest total is sought. What the trains would earn if they did not stand in each
other's way is known from the buckets of walks; from there on downwards it is tried what they can earn together.
Only walks that could take part in it are looked at, and the trains choose among them one after another, the one
that goes home first. Sets of walks are numbers with one bit a walk, as in `Join`.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from math import gcd

from engine.board.router_case import ROUTES, Answer, Case, Found
from engine.board.router_rolls import Roll, Way, numbers
from engine.board.router_search import Exhausted, Field, Meter, reached
from engine.board.router_walks import Calls, Key, Walk, Walks

LEVEL = 1_500_000
"""Steps for one level of subsidy."""
GUESSES = 60
"""Walks of the first train from which a first answer is guessed, spread over all."""
CONTESTED = (8, 20)
"""How much of the track that most walks use is looked at first; what is left beside it is kept for all walks."""
NEVER = -1
"""The score of what cannot be."""


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
        if len(kinds) == 1:
            found = {kind: _undominated(some, home=bool(case.rules.home)) for kind, some in found.items()}
        self.unit = gcd(*(calls.subsidy for some in found.values() for _, calls in some)) or 1
        self.rolls = {
            kind: Roll(
                sorted(
                    (Way(calls.total * ROUTES + 1, calls.subsidy // self.unit, key, calls) for key, calls in some),
                    key=lambda way: -way.score,
                ),
                self.walks[kind].buckets,
            )
            for kind, some in found.items()
        }
        self.levels = 1 + sum(self.rolls[kind].levels() - 1 for kind in kinds)
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
            collecting = gc.isenabled()
            gc.disable()  # a hundred thousand walks and no cycle among them: looking for some takes a third of the time
            try:
                walks = Walks(self.case, area, kinds, self.meter, all_of_them=len(self.kinds) > 1)
            finally:
                if collecting:
                    gc.enable()
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
            while self.most[subsidy] > floor:
                mark = max(floor, self.most[subsidy] - margin)
                for plan in self.plans:
                    choice = plan.best(subsidy, mark)
                    if choice is not None:
                        self._note(choice)
                        mark = floor = choice.score
                self.most[subsidy] = mark
                # Where nothing is known there may be nothing, so the mark falls fast.
                margin = max(margin * (2 if floor > NEVER else 8), self.case.unit * ROUTES)
        except Exhausted:
            pass
        self.meter.left = max(self.meter.left, 0) + kept
        return self.known[subsidy]

    def _guess(self, plan: Plan) -> None:
        """Good first answers: the first train takes some walk, each other the best that then fits."""
        first = self.rolls[plan.kinds[0]]
        ways = [way for way in first.ways if not plan.goes_home or way.key.home]
        for way in ways[:: max(1, len(ways) // GUESSES)]:
            walk = self.walks[plan.kinds[0]].buckets[way.key][0]
            picks: list[tuple[Walk, Calls] | None] = [None] * len(self.kinds)
            picks[plan.order[0]] = walk, way.calls
            track, met, passes = walk.track, walk.met, way.key.passes
            score, subsidy = way.score, way.subsidy
            for train, kind in zip(plan.order[1:], plan.kinds[1:], strict=True):
                found = self._fitting(self.rolls[kind], track, met, passes=passes)
                if found is not None:
                    walk, way = found
                    picks[train] = walk, way.calls
                    track, met, passes = track | walk.track, met | walk.met, passes or way.key.passes
                    score, subsidy = score + way.score, subsidy + way.subsidy
            self._note(Choice(tuple(picks), score, subsidy))

    def _fitting(self, roll: Roll, track: int, met: int, *, passes: bool) -> tuple[Walk, Way] | None:
        """The best entry beside what is taken, of those made ready first."""
        roll.ready(roll.ways[0].score - 1 if roll.ways else 0)
        fitting = roll.clear((1 << len(roll.walks)) - 1, track)
        if passes and self.case.rules.single_pass:
            fitting &= ~roll.passes
        if self.case.rules.joined:
            fitting = roll.meeting(fitting, met)
        return roll.entry((fitting & -fitting).bit_length() - 1) if fitting else None

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
                if found and choice is None:
                    found[-1] = found[-1][0], False  # more subsidy may be possible
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
        self.top = [profile[0] for profile in alone]
        """The highest score of each train alone."""
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
        for way in self.front.rolls[self.kinds[place]].ways:
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
    """One search: the entries that could take part, and the trains choosing among them."""

    def __init__(self, plan: Plan, subsidy: int, floor: int) -> None:
        self.plan, self.need, self.floor = plan, subsidy, floor
        self.meter, self.kinds = plan.front.meter, plan.kinds
        self.rolls = [plan.front.rolls[kind] for kind in plan.kinds]
        self.picks: list[tuple[Walk, Way] | None] = [None] * len(self.kinds)
        self.choice: Choice | None = None

    def run(self) -> Choice | None:
        every = [self._eligible(place) for place in range(len(self.kinds))]
        if self.plan.goes_home:
            every[0] &= self.rolls[0].home
        self.contested = self._contested(every[0]) if len(every) > 1 else ()
        self.bases = {0: self._based(every)}
        self._choose(0, 0, 0, every, [])
        return self.choice

    def _eligible(self, place: int) -> int:
        """The entries with which the train could take part in a choice above the floor."""
        roll, others = self.rolls[place], self.plan.others[place]
        found = 0
        for level in range(min(roll.levels(), self.need + 1)):
            rest = others[self.need - level]
            if rest != NEVER:
                found |= roll.bring(level) & (1 << roll.ready(self.floor - rest)) - 1
        self.meter.left -= found.bit_length() // 256
        return found

    def _contested(self, entries: int) -> tuple[int, ...]:
        """The track that most of the first train's entries use, in growing sets."""
        users = sorted(((row & entries).bit_count(), bit) for bit, row in self.rolls[0].users.items())
        most = [bit for count, bit in reversed(users) if count]
        return tuple(sum(most[:size]) for size in CONTESTED)

    def _based(self, free: list[int]) -> tuple[list[int], int]:
        """What is open to each train, and the most that all but the first bring with it, each for itself."""
        hope = 0
        for roll, some in zip(self.rolls[1:], free[1:], strict=True):
            self.meter.left -= 1 + some.bit_length() // 1024
            hope += roll.entry((some & -some).bit_length() - 1)[1].score if some else 0
        return free, hope

    def _base(self, track: int, depth: int) -> tuple[list[int], int]:
        """The same once the contested part of the track is taken; many entries share that part."""
        key = track & self.contested[depth]
        found = self.bases.get(key)
        if found is None:
            free = self._base(track, depth - 1)[0] if depth else self.bases[0][0]
            taken = [roll.clear(some, key) for roll, some in zip(self.rolls[1:], free[1:], strict=True)]
            found = self.bases[key] = self._based([free[0], *taken])
        return found

    def _choose(self, place: int, score: int, subsidy: int, free: list[int], parts: list[int]) -> None:
        """`free[p]`: what is open to the train at place p; `parts`: the stops met by routes that hang together."""
        if place == len(self.kinds):
            if score > self.floor and subsidy >= self.need and len(parts) < 2:
                self._record(score, subsidy)
            return
        kind, must = self.kinds[place], self.plan.goes_home and place == 0
        roll, after = self.rolls[place], self.plan.after[place + 1]
        open_routes = free[place]
        if place == len(self.kinds) - 1:
            for part in parts:
                open_routes = self.rolls[place].meeting(open_routes, part)
            if subsidy < self.need:
                open_routes &= self.rolls[place].bring(self.need - subsidy)
            if open_routes:
                low = open_routes & -open_routes
                walk, way = self.picks[place] = roll.entry(low.bit_length() - 1)
                if score + way.score > self.floor:
                    self._record(score + way.score, subsidy + way.subsidy)
                self.picks[place] = None
            if not must:
                self._choose(place + 1, score, subsidy, free, parts)
            return
        bases, contested = self.bases, self.contested[-1]
        for number in numbers(open_routes):
            walk, way = roll.entry(number)
            gain = score + way.score
            if gain + after[0] <= self.floor:
                break
            if place == 0:
                self.meter.left -= 1
                base = bases.get(walk.track & contested)
                if base is not None and gain + base[1] <= self.floor:
                    continue
            left = max(self.need - subsidy - way.subsidy, 0)
            if after[left] == NEVER or gain + after[left] <= self.floor:
                continue
            self.picks[place] = walk, way
            self._go_on(place, gain, subsidy + way.subsidy, free, number, parts)
        self.picks[place] = None
        if not must:
            alike = [0 if self.kinds[p] == kind and p > place else routes for p, routes in enumerate(free)]
            if score + after[max(self.need - subsidy, 0)] > self.floor:
                self._choose(place + 1, score, subsidy, alike, parts)

    def _go_on(self, place: int, score: int, subsidy: int, free: list[int], number: int, parts: list[int]) -> None:
        """The next train chooses. `number`: that of the entry picked."""
        picked = self.picks[place]
        assert picked is not None
        walk, way = picked
        kind, must = self.kinds[place], self.plan.goes_home and place == 0
        after, last = self.plan.after[place + 1], len(self.kinds) - 1
        if place == 0:
            free, hope = self._base(walk.track, len(CONTESTED) - 1)
            if score + hope <= self.floor:
                return
        left, hope = list(free), score
        for p in range(place + 1, last + 1):
            roll = self.rolls[p]
            some = free[p] & (1 << roll.count(self.floor - score - after[0] + self.plan.top[p])) - 1
            if self.kinds[p] == kind:
                # Trains that are alike choose in the order of their common list; those that stay away from home
                # may come before the one that goes there.
                some ^= some & (roll.home if must else -1) & (2 << number) - 1
            if p == last == place + 1 and subsidy < self.need:
                some &= roll.bring(self.need - subsidy)
            if way.key.passes and self.plan.single_pass:
                some ^= some & roll.passes
            self.meter.left -= 2 + some.bit_length() // 1024
            some = left[p] = roll.clear(some, walk.track)
            hope += roll.entry((some & -some).bit_length() - 1)[1].score if some else 0
        if self.meter.left < 0:
            raise Exhausted
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


def _undominated(ways: list[tuple[Key, Calls]], *, home: bool) -> list[tuple[Key, Calls]]:
    """What a train that runs alone may choose, none worse in both than another; with `home` only what goes there."""
    kept: list[tuple[Key, Calls]] = []
    for key, calls in sorted(ways, key=lambda way: (-way[1].total, -way[1].subsidy)):
        if (key.home or not home) and (not kept or calls.subsidy > kept[-1][1].subsidy):
            kept.append((key, calls))
    return kept
