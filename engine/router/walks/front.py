"""The best sets of routes of several trains, where rules tie stops and routes together, by total and subsidy.

Splits are searched from the most promising on, each for what betters the best set known with as much subsidy. Before
the first split with an amount of subsidy is searched a set for it is guessed, so that few entries need to be looked at.
See docs/routing.md.
"""

from dataclasses import replace
from itertools import permutations

from engine.router.case import ROUTES, Answer, Case, Exhausted, FoundRoute, Meter
from engine.router.walks.chooser import Chooser, joined
from engine.router.walks.rolls import NEVER, Earning
from engine.router.walks.splits import Assignment, Split, Splits

LOOKED = 300
"""Walks that are looked at for one that fits beside those chosen, when a first choice is guessed."""
LOOKED_ANEW = 2_000
"""The same when trains choose anew."""


class Front:
    """The choices of one case. `kinds[t]` is the first train that is like train t. Exhausted if there are too many."""

    def __init__(self, case: Case, kinds: list[int], allowance: int) -> None:
        self.case, self.kinds, self.allowance, self.meter = case, kinds, allowance, Meter(allowance)
        self.splits = Splits(case, kinds, self.meter)

    def all(self, *, first_only: bool = False) -> list[Answer]:
        """Every choice that no other betters both in total and in subsidy, the highest total first.

        With `first_only` the first alone: the highest total, then the highest subsidy, then the most trains.
        """
        left = self._search(first_only)
        if left or self.splits.cut:
            self._choose_anew()
        bounds, known = self._bounds(left), self.splits.known
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
        bounds = [self._most() if self.splits.cut else NEVER] * (last + 1)
        for split in left:
            units = sum(split.units)
            bounds[units] = max(bounds[units], split.hope)
        for units in range(last - 1, -1, -1):
            bounds[units] = max(bounds[units], bounds[units + 1])
        return bounds

    def _most(self) -> int:
        """What no choice exceeds: what the trains bring if they are not in each other's way."""
        most = {
            kind: max((roll.most(None) for roll in rolls.values()), default=0)
            for kind, rolls in self.splits.rolls.items()
        }
        return sum(most[kind] for kind in self.kinds)

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
        picks: list[tuple[int, Earning] | None] = [None] * len(split.order)
        score = 0
        for place in sorted(range(len(split.order)), key=lambda place: place != start):
            roll, must = split.rolls[place], bool(rules.home) and place == 0
            found = pick if place == start else roll and roll.fitting(track, met, LOOKED, home=must, passes=passes)
            if found and roll:
                walk, way = picks[split.order[place]] = found
                track, score = track | roll.walks.track[walk], score + way.score
                met = roll.walks.met[walk] | max(met, 0) if rules.joined else -1
                passes = passes and not (way.key.passes and rules.single_pass)
            elif must or split.units[place]:
                return
        self.splits.note(Assignment(tuple(picks), score, sum(split.units)))

    def _choose_anew(self) -> None:
        """Betters what a search found that was cut short: one train or two choose anew beside the others."""
        trains, known = range(len(self.kinds)), self.splits.known
        groups = [*permutations(trains, 1), *permutations(trains, 2)]
        tried: set[Assignment] = set()
        while fresh := [choice for choice in dict.fromkeys(known) if choice and choice not in tried]:
            tried.add(fresh[0])
            for group in groups:
                self._beside(fresh[0], group)

    def _beside(self, choice: Assignment, group: tuple[int, ...]) -> None:
        """Notes the choice with other walks for the trains of the group, one after another the best that then fits."""
        rules, splits = self.case.rules, self.splits
        picks = {train: pick for train, pick in enumerate(choice.picks) if pick and train not in group}
        for train in group:
            track = met = 0
            for other, (walk, _) in picks.items():
                walks = splits.walks[self.kinds[other]]
                track, met = track | walks.track[walk], met | walks.met[walk]
            ways = [way for _, way in picks.values()]
            must = bool(rules.home) and not any(way.key.home for way in ways)
            passes = not (rules.single_pass and any(way.key.passes for way in ways))
            rolls = splits.rolls[self.kinds[train]].values()
            near = met if rules.joined and met else -1
            fits = [roll.fitting(track, near, LOOKED_ANEW, home=must, passes=passes) for roll in rolls]
            found = max(filter(None, fits), key=lambda fit: fit[1].score, default=None)
            if found:
                picks[train] = found
        parts: list[int] = []
        for train, (walk, _) in picks.items():
            parts = joined(parts, splits.walks[self.kinds[train]].met[walk])
        if (rules.joined and len(parts) > 1) or (rules.home and not any(way.key.home for _, way in picks.values())):
            return
        units = sum(splits.subsidy(self.kinds[train], way) for train, (_, way) in picks.items())
        score = sum(way.score for _, way in picks.values())
        splits.note(Assignment(tuple(picks.get(train) for train in range(len(self.kinds))), score, units))

    def _answer(self, choice: Assignment, bound: int, more: int) -> Answer:
        """`bound`: what sets with more subsidy than the pair before may score; `more`: those with more than this."""
        score = self._score(choice.score, choice.subsidy)
        proved = bound <= choice.score and more // ROUTES < choice.score // ROUTES
        routes: list[FoundRoute | None] = [
            self.splits.walks[kind].found(pick[0], pick[1].calls) if pick else None
            for kind, pick in zip(self.kinds, choice.picks, strict=True)
        ]
        most = score if proved else self._score(max(bound, choice.score), choice.subsidy)
        return Answer(routes, score, proved, most, self.allowance - max(self.meter.left, 0))

    def _score(self, score: int, subsidy: int) -> int:
        """As `Case` writes it."""
        total, running = divmod(score, ROUTES)
        extra = 0 if self.case.rules.subsidy is None else subsidy * self.splits.unit * ROUTES
        return total * self.case.scale + extra + running
