"""The best sets of routes of several trains, where rules tie stops and routes together, by total and subsidy.

Walks are listed, and for each kind of train and each amount of subsidy put in a roll, the highest score first. How the
trains share a subsidy among them is a split; what they would earn with it if they did not stand in each other's way
is known from the rolls. Splits are searched from the most promising on, each for what betters the best set known with
as much subsidy: the trains choose one after another, those with the fewest entries first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product
from math import gcd

from engine.board.router_calls import Calls
from engine.board.router_case import ROUTES, Answer, Case, Found
from engine.board.router_rolls import NEVER, Roll, Way, numbers
from engine.board.router_search import Exhausted, Field, Meter, reached
from engine.board.router_walks import Key, Walks

CONTESTED = (6, 14)
"""How much of the track that most walks use is looked at first; what is left beside it is kept for all walks."""
SAMPLE = 500
"""Walks of each kind of train from which that track is told."""


LOOKED = 300
"""Walks that are looked at for one that fits beside those chosen, when a first choice is guessed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """For each train a walk with its calls, or None, with their score and units of subsidy together."""

    picks: tuple[tuple[int, Calls] | None, ...]
    score: int
    subsidy: int


@dataclass(frozen=True, slots=True)
class Split:
    """What each train brings of the subsidy, in units. Where there is a home the first of them goes there."""

    order: tuple[int, ...]
    """Numbers of the trains."""
    units: tuple[int, ...]
    rolls: tuple[Roll | None, ...]
    """None for a train that has nothing to run."""
    hope: int
    """No choice scores more."""


class Front:
    """The choices of one case. `kinds[t]` is the first train that is like train t. Exhausted if there are too many."""

    def __init__(self, case: Case, kinds: list[int], allowance: int) -> None:
        self.case, self.kinds, self.allowance, self.meter = case, kinds, allowance, Meter(allowance)
        area = reached(case)
        if area is None:
            raise Exhausted
        self.walks = self._walks(area)
        """By kind; kinds for which stops have the same values share theirs."""
        if case.rules.home and case.rules.joined:
            self._keep_joined()
        found = {kind: walks.ways(kind) for kind, walks in self.walks.items()}
        self.unit = gcd(*{subsidy for some in found.values() for _, subsidy, _, _ in some}) or 1
        ways = {kind: self._by_subsidy(some) for kind, some in found.items()}
        self.contested = self._contested(ways)
        """The track that most of the best walks use, and more of it."""
        self.rolls = {
            kind: {units: Roll(some, self.walks[kind], self.contested) for units, some in by_subsidy.items()}
            for kind, by_subsidy in ways.items()
        }
        """By kind and units of subsidy."""
        self.splits = self._splits()
        self.known: list[Choice | None] = [None] * (1 + max((sum(split.units) for split in self.splits), default=0))
        """[s]: the best choice known with at least s units of subsidy."""
        self.known[0] = Choice((None,) * len(kinds), 0, 0)

    def _walks(self, area: Field) -> dict[int, Walks]:
        by_value: dict[tuple[int, ...], list[int]] = {}
        for kind in sorted(set(self.kinds)):
            by_value.setdefault(tuple(self.case.value[kind]), []).append(kind)
        found = {}
        for kinds in by_value.values():
            found.update(dict.fromkeys(kinds, Walks(self.case, area, kinds, self.meter)))
        return found

    def _keep_joined(self) -> None:
        """Drops the walks that cannot hang together with one that goes home."""
        every = list(dict.fromkeys(self.walks.values()))
        near = 0
        for walks in every:
            for key, bucket in walks.buckets.items():
                if key.home:
                    for walk in bucket:
                        near |= walks.met[walk]
        tokens = sum(1 << token for token in self.case.tokens)
        for _ in self.kinds[2:]:
            if not tokens & ~near:
                break
            met = [met for walks in every for met in walks.met if met & near]
            for stops in met:
                near |= stops
        if tokens & ~near:
            for walks in every:
                walks.keep(near)

    def _by_subsidy(self, found: list[tuple[int, int, Calls, Key]]) -> dict[int, list[Way]]:
        ways: dict[int, list[Way]] = {}
        for total, subsidy, calls, key in found:
            ways.setdefault(subsidy // self.unit, []).append(Way(total * ROUTES + 1, key, calls))
        for some in ways.values():
            some.sort(key=lambda way: -way.score)
        return ways

    def _contested(self, ways: dict[int, dict[int, list[Way]]]) -> tuple[int, ...]:
        users: dict[int, int] = {}
        for kind, by_subsidy in ways.items():
            walks = self.walks[kind]
            for some in by_subsidy.values():
                for way in some[: SAMPLE // len(by_subsidy)]:
                    track = walks.track[walks.buckets[way.key][0]]
                    while track:
                        low = track & -track
                        track ^= low
                        users[low] = users.get(low, 0) + 1
        most = sorted(users, key=lambda bit: (-users[bit], bit))
        return tuple(sum(most[:size]) for size in CONTESTED)

    def _splits(self) -> list[Split]:
        """All splits, the most promising first.

        With a home, each kind of train comes first in its own splits; then the kinds before it stay away from home.
        """
        found = []
        home = bool(self.case.rules.home)
        for first in sorted(self.rolls) if home else [self.kinds[0]]:
            order = (first, *(train for train in range(len(self.kinds)) if train != first))
            kinds = [self.kinds[train] for train in order]
            for units in product(*(sorted({0, *self.rolls[kind]}) for kind in kinds)):
                later = combinations(range(1 if home else 0, len(order)), 2)
                if any(kinds[p] == kinds[q] and units[p] < units[q] for p, q in later):
                    continue  # the same with trains that are alike the other way round
                rolls = tuple(self.rolls[kind].get(part) for kind, part in zip(kinds, units, strict=True))
                hope = 0
                for place, (roll, part) in enumerate(zip(rolls, units, strict=True)):
                    must = home and place == 0
                    best = roll.most(must or None) if roll else NEVER
                    hope += best if part or must else max(best, 0)
                if hope > 0:
                    found.append(Split(order, units, rolls, hope))
        return sorted(found, key=lambda split: -split.hope)

    def all(self, *, first_only: bool = False) -> list[Answer]:
        """Every choice that no other betters both in total and in subsidy, the highest total first.

        With `first_only` the first alone: the highest total, then the highest subsidy, then the most trains.
        """
        left = list(self.splits)
        guessed = set()
        try:
            while left:
                split = left[0]
                units = sum(split.units)
                if units not in guessed:
                    guessed.add(units)
                    self._guess(split)
                known, best = self.known[units], self.known[0]
                floor = known.score if known else -1
                if first_only and best:
                    floor = max(floor, best.score // ROUTES * ROUTES - 1)
                if split.hope > floor:
                    Chooser(self, split, floor).run()
                left.pop(0)
        except Exhausted:
            pass
        bounds = [NEVER] * (len(self.known) + 1)
        """[s]: no choice with at least s units of subsidy scores more than this or than the best known."""
        for split in left:
            units = sum(split.units)
            bounds[units] = max(bounds[units], split.hope)
        for units in range(len(self.known) - 1, -1, -1):
            bounds[units] = max(bounds[units], bounds[units + 1])
        found: list[Answer] = []
        told = 0
        for choice in dict.fromkeys(choice for choice in self.known if choice):
            after = self.known[choice.subsidy + 1] if choice.subsidy + 1 < len(self.known) else None
            if not after or after.score // ROUTES < choice.score // ROUTES:
                found.append(self._answer(choice, bounds[told], bounds[choice.subsidy + 1]))
                told = choice.subsidy + 1
        if bounds[told] > NEVER:
            found[-1] = replace(found[-1], proved=False)  # more subsidy may be possible
        return found[:1] if first_only else found

    def _guess(self, split: Split) -> None:
        """Good first choices: one train takes some entry, the others one after another the best that then fits."""
        for start, roll in enumerate(split.rolls):
            count = len(roll) if roll else 0
            for number in sorted({0, *(1 << power for power in range(count.bit_length()))}):
                if roll and number < count:
                    pick = roll.peek(number)
                    if start or not self.case.rules.home or pick[1].key.home:
                        self._fill(split, start, pick)

    def _fill(self, split: Split, start: int, pick: tuple[int, Way]) -> None:
        """Notes a choice with this entry for the train at place `start`, if the others find something beside it."""
        rules, track, met, passes = self.case.rules, 0, -1, True
        picks: list[tuple[int, Calls] | None] = [None] * len(split.order)
        score = 0
        for place in sorted(range(len(split.order)), key=lambda place: place != start):
            roll, must = split.rolls[place], bool(rules.home) and place == 0
            found = pick if place == start else roll and roll.fitting(track, met, LOOKED, home=must, passes=passes)
            if found and roll:
                walk, way = found
                picks[split.order[place]] = walk, way.calls
                track, score = track | roll.walks.track[walk], score + way.score
                met = roll.walks.met[walk] | max(met, 0) if rules.joined else -1
                passes = passes and not (way.key.passes and rules.single_pass)
            elif must or split.units[place]:
                return
        self.note(Choice(tuple(picks), score, sum(split.units)))

    def note(self, choice: Choice) -> None:
        for units in range(choice.subsidy, -1, -1):
            old = self.known[units]
            if old is not None and old.score >= choice.score:
                break
            self.known[units] = choice

    def _answer(self, choice: Choice, bound: int, more: int) -> Answer:
        """`bound`: what sets with more subsidy than the pair before may score; `more`: those with more than this."""
        score = self._score(choice.score, choice.subsidy)
        proved = bound <= choice.score and more // ROUTES < choice.score // ROUTES
        routes: list[Found | None] = [
            self.walks[kind].found(*pick) if pick else None for kind, pick in zip(self.kinds, choice.picks, strict=True)
        ]
        most = score if proved else self._score(max(bound, choice.score), choice.subsidy)
        return Answer(routes, score, proved, most, self.allowance - max(self.meter.left, 0))

    def _score(self, score: int, subsidy: int) -> int:
        """As `Case` writes it."""
        total, running = divmod(score, ROUTES)
        extra = 0 if self.case.rules.subsidy is None else subsidy * self.unit * ROUTES
        return total * self.case.scale + extra + running


class Chooser:
    """One search of a split: the trains choose an entry each, so that together they score more than `floor`.

    Places are those of the split. The train with the fewest entries chooses first.
    """

    def __init__(self, front: Front, split: Split, floor: int) -> None:
        self.front, self.split, self.floor, self.meter = front, split, floor, front.meter
        self.kinds = [front.kinds[train] for train in split.order]
        self.rolls, self.units = split.rolls, split.units
        rules, places = front.case.rules, range(len(split.order))
        self.home, self.single_pass, self.joined = bool(rules.home), rules.single_pass, rules.joined
        self.home_only = [self._home_only(place) for place in places]
        """Whether a train must go home, must not, or (None) may."""
        self.may_rest = [not units and not self.home_only[place] for place, units in enumerate(self.units)]
        self.most = [
            self._or_rest(place, roll.most(self.home_only[place]) if roll else NEVER)
            for place, roll in enumerate(self.rolls)
        ]
        """The highest score of each train."""
        self.free = [self._open(place, roll) if roll else 0 for place, roll in enumerate(self.rolls)]
        """The entries that each train may choose."""
        self.turns = sorted(places, key=lambda place: self.free[place].bit_length())
        """The places in the order in which they choose."""
        self.after = [sum(self.most[place] for place in self.turns[turn:]) for turn in range(len(places) + 1)]
        """The highest score of all trains from a turn on."""
        self.picks: list[tuple[int, Way] | None] = [None] * len(places)

    def _home_only(self, place: int) -> bool | None:
        if not self.home or not place:
            return self.home or None
        # So that no set is found twice: of the trains that go home the first is of the first kind and brings least.
        kind, first = self.kinds[place], self.kinds[0]
        return False if kind < first or (kind == first and self.units[place] < self.units[0]) else None

    def _or_rest(self, place: int, score: int) -> int:
        """The better of running so and not running."""
        return max(score, 0) if self.may_rest[place] else score

    def _open(self, place: int, roll: Roll) -> int:
        some, home_only = roll.above(self.floor - sum(self.most) + self.most[place]), self.home_only[place]
        return some if home_only is None else some & (roll.home if home_only else ~roll.home)

    def run(self) -> None:
        place = self.turns[0]
        roll = self.rolls[place]
        if roll:
            self._begin(place, roll)
        if self.may_rest[place]:
            self._rest(0, 0, self.free, [])

    def _begin(self, place: int, roll: Roll) -> None:
        """The first train chooses; entries that use the same contested track are dismissed together."""
        hopes: list[tuple[int, int, list[int]]] = []
        most_contested = self.front.contested[0]
        for key, entries in roll.alike().items():
            best = roll.entry(entries[0])[1].score
            if best + self.after[1] <= self.floor:
                break
            hope = best + self._hope(key & most_contested)
            if hope > self.floor:
                hopes.append((hope, key, entries))
        self.meter.left -= len(hopes)
        hopes.sort(key=lambda hope: -hope[0])
        home_only = self.home_only[place]
        for hope, key, entries in hopes:
            if hope <= self.floor:
                break
            beside, free = self._hope(key), None
            for number in entries:
                walk, way = roll.entry(number)
                if way.score + beside <= self.floor:
                    break
                if home_only is None or way.key.home == home_only:
                    free = free or self._free_beside(key)
                    self.meter.left -= 1
                    self.picks[place] = walk, way
                    self._go_on(0, number, way.score, free, [])
        self.picks[place] = None

    def _hope(self, track: int) -> int:
        """What the trains after the first bring at most beside contested track, each for itself."""
        hope = 0
        for p in self.turns[1:]:
            other = self.rolls[p]
            hope += self._or_rest(p, other.beside(track, self.home_only[p])[1] if other else NEVER)
        return hope

    def _free_beside(self, track: int) -> list[int]:
        """What is open to each train beside contested track."""
        return [some & roll.beside(track)[0] if roll else 0 for some, roll in zip(self.free, self.rolls, strict=True)]

    def _choose(self, turn: int, score: int, free: list[int], parts: list[int]) -> None:
        """`free[p]`: what is open to the train at place p; `parts`: the stops met by routes that hang together."""
        place, after = self.turns[turn], self.after[turn + 1]
        roll, last = self.rolls[place], turn == len(self.turns) - 1
        for number in numbers(free[place]) if roll else ():
            assert roll
            walk, way = roll.entry(number)
            gain = score + way.score
            if gain + after <= self.floor:
                break
            self.meter.left -= 1
            self.picks[place] = walk, way
            if last:
                self._record(gain)
                break
            self._go_on(turn, number, gain, free, parts)
        self.picks[place] = None
        if self.meter.left < 0:
            raise Exhausted
        if self.may_rest[place]:
            self._rest(turn, score, free, parts)

    def _rest(self, turn: int, score: int, free: list[int], parts: list[int]) -> None:
        """The train does not run, so none like it does; the next train chooses."""
        if score + self.after[turn + 1] <= self.floor:
            return
        if turn == len(self.turns) - 1:
            if len(parts) < 2:
                self._record(score)
            return
        place = self.turns[turn]
        left = [0 if p in self.turns[turn + 1 :] and self._alike(place, p) else some for p, some in enumerate(free)]
        if turn + 2 == len(self.turns):
            p = self.turns[-1]
            other = self.rolls[p]
            left[p] = other.meeting(left[p], parts) if other else 0
        self._choose(turn + 1, score, left, parts)

    def _alike(self, place: int, other: int) -> bool:
        """Whether the trains at both places choose from the same entries."""
        same = self.kinds[place] == self.kinds[other] and self.units[place] == self.units[other]
        return same and not (self.home and min(place, other) == 0)

    def _go_on(self, turn: int, number: int, score: int, free: list[int], parts: list[int]) -> None:
        """The next train chooses. `number`: that of the entry picked."""
        place = self.turns[turn]
        roll, pick = self.rolls[place], self.picks[place]
        assert roll
        assert pick
        track, way = roll.track[number], pick[1]
        if not turn:
            track &= ~self.front.contested[1]  # what is free leaves that alone already
        left, hope, after = list(free), score, self.after[turn + 1]
        parts = _joined(parts, roll.met[number]) if self.joined else parts
        for p in self.turns[turn + 1 :]:
            other, best = self.rolls[p], NEVER
            if other:
                some = free[p] & other.above(self.floor - score - after + self.most[p])
                if way.key.passes and self.single_pass:
                    some ^= some & other.passes
                if other is roll:
                    some &= self._in_order(place, p, number, way)
                self.meter.left -= 2 + some.bit_length() // 1024
                some = other.clear(some, track)
                if turn + 2 == len(self.turns):
                    some = other.meeting(some, parts)
                left[p], best = some, other.best(some)
            hope += self._or_rest(p, best)
        if self.meter.left < 0:
            raise Exhausted
        if hope > self.floor:
            self._choose(turn + 1, score, left, parts)

    def _in_order(self, place: int, other: int, number: int, way: Way) -> int:
        """The entries left to another train of the same kind and subsidy, so that no set is found twice.

        Of those that go home the first is at place 0; the others choose in the order of their entries.
        """
        roll = self.rolls[place]
        assert roll
        if self.home and place == 0:
            return ~(roll.home & (2 << number) - 1)
        if self.home and other == 0:
            return (1 << number) - 1 if way.key.home else -1
        return -2 << number

    def _record(self, score: int) -> None:
        picks: list[tuple[int, Calls] | None] = [None] * len(self.kinds)
        for train, pick in zip(self.split.order, self.picks, strict=True):
            picks[train] = pick and (pick[0], pick[1].calls)
        self.floor = score
        self.front.note(Choice(tuple(picks), score, sum(self.units)))


def _joined(parts: list[int], met: int) -> list[int]:
    """The parts with one more route."""
    apart = [part for part in parts if not part & met]
    for part in parts:
        if part & met:
            met |= part
    return [*apart, met]
