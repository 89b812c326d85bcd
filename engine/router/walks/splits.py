"""How several trains can share a subsidy among them, where rules tie stops and routes together.

Walks are listed, and for each kind of train and each amount of subsidy put in a roll, the highest score first. How much
of the subsidy each train brings is a split; its hope is what the trains would earn if they did not stand in each
other's way, known from the rolls alone.
"""

from collections import Counter
from math import comb, gcd, prod

from engine.frozen import dataclass
from engine.router.area import InReach, reached
from engine.router.case import ROUTES, Case, Meter
from engine.router.walks.calls import LooseCalls
from engine.router.walks.rolls import NEVER, Earning, Roll
from engine.router.walks.walks import BucketKey, Walks

CONTESTED = (6, 14)
"""How much of the track that most walks use is looked at first; what is left beside it is kept for all walks."""
SAMPLE = 500
"""Walks of each kind of train from which that track is told."""
MOST_SPLITS = 100_000
"""More are not looked at: then no train brings the highest amounts of subsidy."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """For each train a walk with its calls, or None, with their score and units of subsidy together."""

    picks: tuple[tuple[int, Earning] | None, ...]
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


class Splits:
    """All splits of one case, with the rolls that they choose from and the best choices known so far.

    `kinds[t]` is the first train that is like train t. Exhausted if there are too many walks.
    """

    def __init__(self, case: Case, kinds: list[int], meter: Meter) -> None:
        self.case, self.kinds, self.meter = case, kinds, meter
        self.walks = self._walks(reached(case))
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
        self.units, self.cut = self._units()
        """By kind the amounts of subsidy that are looked at; whether some are not."""
        self.ordered = self._ordered()
        """The most promising first."""
        self.known: list[Assignment | None] = [None] * (1 + sum(max(self.rolls[kind], default=0) for kind in kinds))
        """[s]: the best choice known with at least s units of subsidy."""
        self.known[0] = Assignment((None,) * len(kinds), 0, 0)

    def _walks(self, area: InReach) -> dict[int, Walks]:
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

    def _by_subsidy(self, found: list[tuple[int, int, LooseCalls, BucketKey]]) -> dict[int, list[Earning]]:
        ways: dict[int, list[Earning]] = {}
        for total, subsidy, calls, key in found:
            ways.setdefault(subsidy // self.unit, []).append(Earning(total * ROUTES + 1, key, calls))
        for some in ways.values():
            some.sort(key=lambda way: -way.score)
        return ways

    def _contested(self, ways: dict[int, dict[int, list[Earning]]]) -> tuple[int, ...]:
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

    def _units(self) -> tuple[dict[int, list[int]], bool]:
        units, cut = {kind: sorted({0, *some}) for kind, some in self.rolls.items()}, False
        while self._count(units) > MOST_SPLITS:
            max(units.values(), key=len).pop()
            cut = True
        return units, cut

    def _count(self, units: dict[int, list[int]]) -> int:
        """How many splits there are."""
        found = 0
        for first in units if self.case.rules.home else self.kinds[:1]:
            trains = Counter(self.kinds)
            if self.case.rules.home:
                trains[first] -= 1
            shared = prod(comb(len(units[kind]) + count - 1, count) for kind, count in trains.items() if count)
            found += shared * (len(units[first]) if self.case.rules.home else 1)
        return found

    def _ordered(self) -> list[Split]:
        """All splits, the most promising first.

        With a home, each kind of train comes first in its own splits; then the kinds before it stay away from home.
        """
        found = []
        home = bool(self.case.rules.home)
        for first in sorted(self.rolls) if home else [self.kinds[0]]:
            order = (first, *(train for train in range(len(self.kinds)) if train != first))
            kinds = [self.kinds[train] for train in order]
            for units, hope in self._shared(kinds, home):
                if hope > 0:
                    rolls = tuple(self.rolls[kind].get(part) for kind, part in zip(kinds, units, strict=True))
                    found.append(Split(order, units, rolls, hope))
        return sorted(found, key=lambda split: -split.hope)

    def _shared(self, kinds: list[int], home: bool) -> list[tuple[tuple[int, ...], int]]:
        """What trains of these kinds may bring of the subsidy, with the hope; of those that are alike, but for the one
        that goes home, the first brings the most.
        """
        found: list[tuple[tuple[int, ...], int]] = [((), 0)]
        for place, kind in enumerate(kinds):
            must, hopes = home and place == 0, {}
            for part in self.units[kind]:
                roll = self.rolls[kind].get(part)
                best = roll.most(must or None) if roll else NEVER
                hopes[part] = best if part or must else max(best, 0)
            alike = [other for other in range(1 if home else 0, place) if kinds[other] == kind]
            found = [
                ((*before, part), hope + more)
                for before, hope in found
                for part, more in hopes.items()
                if not alike or part <= before[alike[-1]]
            ]
        return found

    def subsidy(self, kind: int, way: Earning) -> int:
        """The units of subsidy that a train of this kind brings so."""
        return (self.walks[kind].caller.subsidy(way.key.worth) + way.calls.subsidy) // self.unit

    def note(self, choice: Assignment) -> None:
        """Keeps the choice where it is the best with so much subsidy or less."""
        for units in range(choice.subsidy, -1, -1):
            old = self.known[units]
            if old is not None and old.score >= choice.score:
                break
            self.known[units] = choice
