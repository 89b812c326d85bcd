"""What is asked of the router, the question made ready for searching (stops by number, plain arrays), and the work
allowed, counted in steps so that every machine gives the same answer.
"""

from collections.abc import Callable
from math import gcd

from engine.actions import Route
from engine.board.board import Board
from engine.board.network import Leg, Network, network
from engine.board.routes import StopRef
from engine.frozen import dataclass
from engine.ids import CorpId, Rank
from engine.printed import StopKind

ROUTES = 64
"""More trains than a company can have."""
SMALL_KINDS: frozenset[StopKind] = frozenset({"town", "halt"})
"""Kinds of stop that small calls serve."""


@dataclass(frozen=True, slots=True)
class Train:
    """A train as the router knows it."""

    rank: Rank
    reach: int | None
    """How many stops it visits; None is any number. For m+n trains the number of large calls."""
    small: int = 0
    """Further calls at small stops; large calls left over serve for small stops too."""
    tier: str = ""
    apart: bool = False
    """Whether large calls left over serve for large stops alone; not where rules tie stops and routes together."""
    away: bool = False
    """Whether it stays away from the goal, if the rules name one; otherwise it must call there."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """Added for a train whose route has a stop of each set."""

    one: frozenset[StopRef]
    other: frozenset[StopRef]
    amount: int


@dataclass(frozen=True, slots=True)
class RunRules:
    """What differs between titles and companies, as plain data."""

    value: Callable[[StopRef, Train], int]
    """What a call brings, never negative."""
    through: frozenset[StopRef] = frozenset()
    """Full cities of others that the company passes all the same."""
    closed: frozenset[StopRef] = frozenset()
    """Stops that no route may touch."""
    bonuses: tuple[Bonus, ...] = ()
    """Not for rules that tie stops and routes together."""
    once: tuple[StopRef, int] | None = None
    """A stop, and what is added if any of the routes calls there: once, however many do. Not with a subsidy."""
    bypass: frozenset[StopKind] = frozenset()
    """Kinds of stop that a route may touch without a call; it still touches them once at most."""
    no_end: frozenset[StopKind] = frozenset()
    """Kinds of stop where no route ends."""
    reenter: bool = True
    """Whether a route may come into a hex that it left."""
    home: frozenset[StopRef] = frozenset()
    """If given, one of the routes must touch one of these."""
    joined: bool = False
    """Whether the routes must hang together, each meeting another at a stop, called at or not."""
    single_pass: bool = False
    """Whether the trains together may pass one full city of others, besides those of `through`."""
    subsidy: Callable[[StopRef, Train], int] | None = None
    """What a call brings besides; between equal totals the higher subsidy is better."""
    goal: StopRef | None = None
    """If given, every train that is not `away` calls there, the others do not touch it; nothing runs where that cannot
    be. Not for rules that tie stops and routes together."""
    trains: tuple[Train, ...] | None = None
    """The trains, where these rules say more of them than what they are."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best set of routes found, and what is known of it."""

    routes: tuple[Route, ...]
    total: int
    proved: bool
    """Whether no set of routes brings more; otherwise the work allowed was used up first."""
    bound: int
    """No set of routes brings more than this; equals `total` where proved."""
    work: int = 0
    """Steps taken, the same on every machine."""
    calls: tuple[tuple[StopRef, ...], ...] = ()
    """For each route the stops called at, in order: all but what it bypasses."""
    subsidy: int = 0


@dataclass(frozen=True, slots=True)
class FoundRoute:
    """One route as a search knows it: the number of its first stop, and the legs from stop to stop."""

    start: int
    legs: tuple[Leg, ...]
    bypassed: frozenset[int] = frozenset()

    def calls(self) -> list[int]:
        """The stops called at, in order."""
        stops = [self.start, *(leg.to for leg in self.legs)]
        return [stop for stop in stops if stop not in self.bypassed]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found: a route or None for each train; scores as in `Case`."""

    routes: list[FoundRoute | None]
    score: int
    proved: bool
    bound: int
    work: int


class Exhausted(Exception):
    """The work allowed was used up."""


@dataclass(slots=True)
class Meter:
    """Steps left. Inner loops count down for themselves and raise `Exhausted` below 0."""

    left: int


class Case:
    """One question. Lists are by stop number; `value[k]` belongs to the k-th train.

    Scores are money times `scale`, plus subsidy times `ROUTES`, plus one for each train that runs: of two sets with
    the same total the one with the higher subsidy, then the one with more routes wins.

    What is added once (`RunRules.once`) goes to the calls of one train, the `lucky` one. The best set of routes is then
    the best of those that are found with each train in turn.
    """

    __slots__ = (
        "apart", "board", "bypass", "calls", "corp", "cost", "endable", "guarded", "large", "linked", "lucky", "net",
        "open", "passable", "place", "pulled", "reach", "rules", "scale", "shunned", "tokens", "trains", "unit",
        "value",
    )  # fmt: skip

    def __init__(
        self, board: Board, corp: CorpId, trains: tuple[Train, ...], rules: RunRules, lucky: int | None = None
    ) -> None:
        self.board, self.corp, self.trains, self.rules, self.lucky = board, corp, trains, rules, lucky
        self.net: Network = network(board)
        self.linked = bool(
            rules.bypass or rules.no_end or rules.home or rules.joined or rules.single_pass or rules.subsidy
        ) or not rules.reenter  # fmt: skip
        """Whether a rule holds that the listing does not know."""
        self._check()
        self._take_stops()
        unlimited = sum(self.cost)
        self.reach = [unlimited if train.reach is None else train.reach for train in trains]
        """Large calls of each train."""
        self.calls = [reach + train.small for reach, train in zip(self.reach, trains, strict=True)]
        """Large and small calls of each train together."""
        self.apart = [train.apart for train in trains]
        self.scale = ROUTES if rules.subsidy is None else ROUTES << 12
        self._take_values()

    def _check(self) -> None:
        """ValueError for rules that go together in no title, so that no search knows them."""
        if self.rules.once and self.rules.subsidy:
            raise ValueError("nothing is added once where a subsidy counts beside the total")
        if self.linked and any(train.apart for train in self.trains):
            raise ValueError("trains with calls for small stops alone go with no rule that ties routes together")
        if self.linked and self.rules.bonuses:
            raise ValueError("bonuses go with no rule that ties routes together")

    def _take_stops(self) -> None:
        """What the board and the rules say of each stop."""
        board, rules, stops = self.board, self.rules, self.net.stops
        printed = [board.stop(*stop) for stop in stops]
        self.open = [stop not in rules.closed for stop in stops]
        self.guarded = [stop not in rules.through and board.blocks(*stop, self.corp) for stop in stops]
        self.passable = [
            not stop.terminal and (rules.single_pass or not guarded)
            for stop, guarded in zip(printed, self.guarded, strict=True)
        ]
        self.endable = [stop.kind not in rules.no_end for stop in printed]
        self.bypass = [stop.kind in rules.bypass for stop in printed]
        self.tokens = sorted(self.net.number[stop] for stop in board.token_stops(self.corp))
        self.large = [stop.kind not in SMALL_KINDS for stop in printed]
        self.cost = [stop.visit_cost for stop in printed]
        groups: dict[str, int] = {}
        self.place = [
            1 << (groups.setdefault(stop.group, number) if stop.group else number)
            for number, stop in enumerate(printed)
        ]
        """One bit for each place; stops of one group share theirs."""

    def _take_values(self) -> None:
        """What each stop brings each train, as a score."""
        rules, trains, stops = self.rules, self.trains, self.net.stops
        money = [[rules.value(stop, train) for stop in stops] for train in trains]
        if rules.once and self.lucky is not None:
            money[self.lucky][self.net.number[rules.once[0]]] += rules.once[1]
        self.unit = gcd(*(value for row in money for value in row), *(bonus.amount for bonus in rules.bonuses))
        """Every total is a multiple of this."""
        self.pulled = 0
        """Money added in scores so that all trains call at the goal that must: no set without it brings as much."""
        self.shunned: list[int | None] = [None for _ in trains]
        """For each train the stop that it may not touch."""
        if rules.goal is not None:
            assert not self.linked, "a goal is known to the listing and the sweep alone"
            self.pulled = self._pull(self.net.number[rules.goal], money)
        self.value = [[value * self.scale for value in row] for row in money]
        if rules.subsidy is not None:
            for row, train in zip(self.value, trains, strict=True):
                for number, stop in enumerate(stops):
                    row[number] += rules.subsidy(stop, train) * ROUTES

    def kinds(self) -> list[int]:
        """For each train the first one that is like it."""
        keys = [(train, number == self.lucky) for number, train in enumerate(self.trains)]
        return [keys.index(key) for key in keys]

    def _pull(self, goal: int, money: list[list[int]]) -> int:
        """Add to the goal's value, for trains that must call there, more than all routes together bring."""
        extra = sum(bonus.amount for bonus in self.rules.bonuses)
        pull = sum(sum(row) + extra for row in money) + (self.unit or 1)
        for number, train in enumerate(self.trains):
            if train.away:
                self.shunned[number] = goal
            else:
                money[number][goal] += pull
        return pull * sum(not train.away for train in self.trains)

    def most(self) -> int:
        """A score that no set of routes exceeds, found without looking."""
        bonus = sum(bonus.amount for bonus in self.rules.bonuses) * self.scale
        return sum(sum(row) + bonus + 1 for row in self.value)

    def money(self, score: int) -> int:
        """The total; below 0 where a train does not call at the goal that must."""
        return score // self.scale - self.pulled

    def subsidy(self, score: int) -> int:
        """The subsidy in a score."""
        return score % self.scale // ROUTES

    def route(self, train: int, found: FoundRoute) -> Route:
        """The route as an action writes it."""
        return Route(self.trains[train].rank, self.net.path(found.start, found.legs))
