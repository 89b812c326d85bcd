"""The best sets of routes of several trains, where rules tie stops and routes together, by total and subsidy.

Splits are searched from the most promising on, each for what betters the best set known with as much subsidy. Before
the first split with an amount of subsidy is searched a set for it is guessed, so that few entries need to be looked at.
See docs/routing.md.
"""

from dataclasses import replace

from engine.router.case import ROUTES, Answer, Case, FoundRoute
from engine.router.limits import Exhausted, Meter
from engine.router.walks.calls import LooseCalls
from engine.router.walks.chooser import Chooser
from engine.router.walks.rolls import NEVER, Earning
from engine.router.walks.splits import Assignment, Split, Splits

LOOKED = 300
"""Walks that are looked at for one that fits beside those chosen, when a first choice is guessed."""


class Front:
    """The choices of one case. `kinds[t]` is the first train that is like train t. Exhausted if there are too many."""

    def __init__(self, case: Case, kinds: list[int], allowance: int) -> None:
        self.case, self.kinds, self.allowance, self.meter = case, kinds, allowance, Meter(allowance)
        self.splits = Splits(case, kinds, self.meter)

    def all(self, *, first_only: bool = False) -> list[Answer]:
        """Every choice that no other betters both in total and in subsidy, the highest total first.

        With `first_only` the first alone: the highest total, then the highest subsidy, then the most trains.
        """
        bounds, known = self._bounds(self._search(first_only)), self.splits.known
        found: list[Answer] = []
        told = 0
        """The subsidy from which on nothing has been told."""
        for choice in dict.fromkeys(choice for choice in known if choice):
            after = known[choice.subsidy + 1] if choice.subsidy + 1 < len(known) else None
            if not after or after.score // ROUTES < choice.score // ROUTES:
                found.append(self._answer(choice, bounds[told], bounds[choice.subsidy + 1]))
                told = choice.subsidy + 1
        if bounds[told] > NEVER:
            found[-1] = replace(found[-1], proved=False)  # more subsidy may be possible
        return found[:1] if first_only else found

    def _search(self, first_only: bool) -> list[Split]:
        """Searches the splits until the work allowed is used up; returns those that are left."""
        left, known = list(self.splits.ordered), self.splits.known
        guessed = set()
        try:
            while left:
                split = left[0]
                units = sum(split.units)
                if units not in guessed:
                    guessed.add(units)
                    self._guess(split)
                alike, best = known[units], known[0]
                floor = alike.score if alike else -1
                if first_only and best:
                    floor = max(floor, best.score // ROUTES * ROUTES - 1)
                if split.hope > floor:
                    Chooser(self.splits, split, floor).run()
                left.pop(0)
        except Exhausted:
            pass
        return left

    def _bounds(self, left: list[Split]) -> list[int]:
        """[s]: no choice with at least s units of subsidy scores more than this or than the best known."""
        last = len(self.splits.known)
        bounds = [NEVER] * (last + 1)
        for split in left:
            units = sum(split.units)
            bounds[units] = max(bounds[units], split.hope)
        for units in range(last - 1, -1, -1):
            bounds[units] = max(bounds[units], bounds[units + 1])
        return bounds

    def _guess(self, split: Split) -> None:
        """Good first choices: one train takes some entry, the others one after another the best that then fits."""
        for start, roll in enumerate(split.rolls):
            count = len(roll) if roll else 0
            for number in sorted({0, *(1 << power for power in range(count.bit_length()))}):
                if roll and number < count:
                    pick = roll.peek(number)
                    if start or not self.case.rules.home or pick[1].key.home:
                        self._fill(split, start, pick)

    def _fill(self, split: Split, start: int, pick: tuple[int, Earning]) -> None:
        """Notes a choice with this entry for the train at place `start`, if the others find something beside it."""
        rules, track, met, passes = self.case.rules, 0, -1, True
        picks: list[tuple[int, LooseCalls] | None] = [None] * len(split.order)
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
        self.splits.note(Assignment(tuple(picks), score, sum(split.units)))

    def _answer(self, choice: Assignment, bound: int, more: int) -> Answer:
        """`bound`: what sets with more subsidy than the pair before may score; `more`: those with more than this."""
        score = self._score(choice.score, choice.subsidy)
        proved = bound <= choice.score and more // ROUTES < choice.score // ROUTES
        routes: list[FoundRoute | None] = [
            self.splits.walks[kind].found(*pick) if pick else None
            for kind, pick in zip(self.kinds, choice.picks, strict=True)
        ]
        most = score if proved else self._score(max(bound, choice.score), choice.subsidy)
        return Answer(routes, score, proved, most, self.allowance - max(self.meter.left, 0))

    def _score(self, score: int, subsidy: int) -> int:
        """As `Case` writes it."""
        total, running = divmod(score, ROUTES)
        extra = 0 if self.case.rules.subsidy is None else subsidy * self.splits.unit * ROUTES
        return total * self.case.scale + extra + running
