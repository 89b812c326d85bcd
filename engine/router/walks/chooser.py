"""Choosing a walk for each train of a split: branch and bound, the train with the fewest entries first.

Sets of entries are numbers with one bit an entry (see `rolls`): what stays open to the other trains beside a choice is
found by a few operations on long numbers.
"""

from engine.router.case import Exhausted
from engine.router.walks.rolls import NEVER, Earning, Roll, numbers
from engine.router.walks.splits import Assignment, Split, Splits


class Chooser:
    """One search of a split: the trains choose an entry each, so that together they score more than `floor`.

    Places are those of the split. The train with the fewest entries chooses first.
    """

    def __init__(self, splits: Splits, split: Split, floor: int) -> None:
        self.splits, self.split, self.floor, self.meter = splits, split, floor, splits.meter
        self.kinds = [splits.kinds[train] for train in split.order]
        self.rolls, self.units = split.rolls, split.units
        rules, places = splits.case.rules, range(len(split.order))
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
        self.picks: list[tuple[int, Earning] | None] = [None] * len(places)

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
        """Search the split."""
        place = self.turns[0]
        roll = self.rolls[place]
        if roll:
            self._begin(place, roll)
        if self.may_rest[place]:
            self._rest(0, 0, self.free, [])

    def _begin(self, place: int, roll: Roll) -> None:
        """The first train chooses; entries that use the same contested track are dismissed together."""
        hopes: list[tuple[int, int, list[int]]] = []
        most_contested = self.splits.contested[0]
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
            track &= ~self.splits.contested[1]  # what is free leaves that alone already
        left, hope, after = list(free), score, self.after[turn + 1]
        parts = joined(parts, roll.met[number]) if self.joined else parts
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

    def _in_order(self, place: int, other: int, number: int, way: Earning) -> int:
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
        picks: list[tuple[int, Earning] | None] = [None] * len(self.kinds)
        for train, pick in zip(self.split.order, self.picks, strict=True):
            picks[train] = pick
        self.floor = score
        self.splits.note(Assignment(tuple(picks), score, sum(self.units)))


def joined(parts: list[int], met: int) -> list[int]:
    """The parts with one more route."""
    apart = [part for part in parts if not part & met]
    for part in parts:
        if part & met:
            met |= part
    return [*apart, met]
