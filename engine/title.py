"""What a game is put together from: verbs, steps and rounds, policies, and the `Title` that holds them.

These are records that name one another, so they stand in one module; it knows no rule. `flow.py` reads the verbs, steps
and rounds, `usual.py` has the answers of `Policy` that most of the family gives. `Title` checks its own data when it is
built (ValueError), so that a slip in a table shows at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Final, Literal, TypeVar

from engine.actions import Action, Lay, Route
from engine.board.board import Grid
from engine.board.hexes import Layout
from engine.board.routes import Run
from engine.facts import Fact, PhaseBegan, event
from engine.frozen import dataclass
from engine.ids import OR, SR, CorpId, HexId, Holder, PlayerId, PrivateId, Rank, Source, TileId
from engine.printed import Corporation, Destination, HexDef, Market, Phase, Private, TileDef, TrainType
from engine.router import Best, RunRules, Train
from engine.state import Cell, Own, State
from engine.wording import Wording

# What can be done, by whom, and when


Guard = Callable[["Title", State, Any], str | None]
"""Returns None, or the sentence that objects to the action."""
Cited = Guard | tuple[type[Action], Guard]
"""A guard, with a kind of action where its rule is another for that one."""
Perform = Callable[["Title", State, Any], None]
Candidates = Callable[["Title", State, PlayerId], Iterable[Action]]
Predicate = Callable[["Title", State], bool]
P = TypeVar("P")
Settle = Callable[["Title", State], None]
"""What follows by itself."""


def cites(guards: Mapping[str, tuple[Cited, ...]]) -> dict[Cited, str]:
    """The rule of each guard, from the guards that implement each rule."""
    return {guard: rule for rule, some in guards.items() for guard in some}


_OF_SEAT: set[Guard] = set()
_OF_TILE: set[Guard] = set()


def of_seat(guard: Callable[[Title, State, Action], str | None]) -> Guard:
    """Mark a guard that looks at nothing of the action but who acts: all candidates of a seat ask it once."""
    _OF_SEAT.add(guard)
    return guard


def of_tile(guard: Callable[[Title, State, Lay], str | None]) -> Guard:
    """Mark a guard that looks at nothing of a lay but who lays which tile where: all rotations ask it once."""
    _OF_TILE.add(guard)
    return guard


@dataclass(frozen=True, slots=True)
class Verb:
    """One kind of action, at one place of the game.

    `candidates` gives what is worth trying for a seat, in a fixed order; `guards` run in order, the first
    objection counts; `perform` may assume that every guard agreed. `open_ended`: `candidates` is only a
    sensible choice of what the guards accept.
    """

    action: type[Action]
    candidates: Candidates
    guards: tuple[Guard, ...]
    perform: Perform
    open_ended: bool = False
    anybody: bool = False
    """Whether other seats than the one that is asked may do it (the guards then say who)."""
    of_seat: tuple[Guard, ...] = field(init=False, repr=False, compare=False)
    of_tile: tuple[Guard, ...] = field(init=False, repr=False, compare=False)
    of_action: tuple[Guard, ...] = field(init=False, repr=False, compare=False)
    """The guards marked `of_seat` or, if a tile is laid, `of_tile`, and the others."""

    def __post_init__(self) -> None:
        of_tile = _OF_TILE if issubclass(self.action, Lay) else set()
        object.__setattr__(self, "of_seat", tuple(guard for guard in self.guards if guard in _OF_SEAT))
        object.__setattr__(self, "of_tile", tuple(guard for guard in self.guards if guard in of_tile))
        others = (guard for guard in self.guards if guard not in _OF_SEAT and guard not in of_tile)
        object.__setattr__(self, "of_action", tuple(others))

    def plus(self, *guards: Guard) -> Verb:
        """The verb with further guards, asked last."""
        return replace(self, guards=self.guards + guards)

    def swap(self, old: Guard, new: Guard) -> Verb:
        """The verb with one guard replaced, in its place."""
        return replace(self, guards=tuple(new if guard is old else guard for guard in self.guards))

    def without(self, *guards: Guard) -> Verb:
        """The verb without these guards."""
        return replace(self, guards=tuple(guard for guard in self.guards if guard not in guards))


SHARES: Final = "shares"
"""Name of the step of a stock round."""


def always(t: Title, s: State) -> bool:
    """Whoever comes to the step is asked."""
    return True


@dataclass(frozen=True, slots=True)
class Step:
    """A place in a turn. `asks` says whether it stops the turn for a decision; `skipped` is what happens if not."""

    name: str
    verbs: tuple[Verb, ...]
    asks: Predicate = always
    skipped: Settle | None = None
    by_action: dict[type[Action], Verb] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_action", {verb.action: verb for verb in self.verbs})

    def plus(self, *verbs: Verb) -> Step:
        """The step with further verbs, offered last."""
        return replace(self, verbs=self.verbs + verbs)

    def swap(self, old: Verb, new: Verb) -> Step:
        """The step with one verb replaced."""
        return replace(self, verbs=tuple(new if verb is old else verb for verb in self.verbs))


@dataclass(frozen=True, slots=True)
class Round:
    """A kind of round. `begin` sets it up; `proceed` runs after every action until somebody is asked.

    `actors` are the seats asked at the present step. People know the round as it is `called`, with its `number`.
    """

    name: str
    steps: tuple[Step, ...]
    begin: Settle
    proceed: Settle
    actors: Callable[[Title, State], tuple[PlayerId, ...]]
    called: str
    number: Callable[[Title, State], str] = lambda t, s: ""
    by_name: dict[str, Step] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {step.name: step for step in self.steps})

    def label(self, t: Title, s: State) -> str:
        """The round for people: "Operating round 3.1 (of 2)"."""
        return f"{self.called} {self.number(t, s)}".strip()


# The points with a single answer where titles differ, in groups


@dataclass(frozen=True, slots=True)
class Auctions:
    """How privates are bid for before the first stock round."""

    next_bidder: Callable[[Title, State], PlayerId]
    """Who must raise or drop out."""
    bid_step: int
    """By how much a bid exceeds the one before it, and a stalled auction lowers the first private."""
    bought: Callable[[Title, State, PrivateId, PlayerId], None]
    """What follows when a player has bought a private, or got it for a bid."""
    right_bids: Callable[[Title, State], Mapping[PlayerId, int]]
    """What those still in bid for the right to choose one of several certificates, 0 who has not bid yet."""
    priority_held: bool
    """Whether somebody has the priority deal during the opening, too."""
    every_stall_ends_set: bool
    """Whether a round in which all pass ends a set of operating rounds also while the first private is unsold, so
    that nothing is paid."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """What players may hold and sell, and what it is worth."""

    cert_limit: Callable[[Title, State], int]
    counts_private: Callable[[Title, State, PrivateId], bool]
    """Whether a player's private counts to the certificate limit."""
    holding_limit: int
    """Shares of one company that a player may hold outside the exempt zones."""
    excess_sold_off: bool
    """Whether a holding above its limit is sold off itself: no other sale serves in a stock round, and an
    emergency sale of it comes down to the limit."""
    pool_limit: int
    """Shares of one company that the open market takes."""
    first_sales: int
    """Number of the first stock round in which shares may be sold."""
    kept: Callable[[Title, State, CorpId], int]
    """Shares of the company in the initial offering that nobody may buy."""
    sale_price: Callable[[Title, State, CorpId], int]
    """What a share brings that is sold."""
    worth: Callable[[Title, State, PlayerId], int]
    """What all that a player has is worth at the end."""


@dataclass(frozen=True, slots=True)
class Privates:
    """What privates cost, block and count."""

    company_price: tuple[tuple[int, int], tuple[int, int]]
    """Lowest and highest price of a private for a company, as fractions (numerator, denominator) of its value."""
    sale_fee: int
    """What the bank keeps of a private's value when a player sells it back."""
    blocks: Callable[[Title, State, PrivateId], bool]
    """Whether the hexes that the private blocks are closed now."""
    value: Callable[[Title, State, PrivateId], int]
    """What the private counts in its owner's worth."""
    note: Callable[[Title, State, PrivateId], str]
    """What the private does now, as people are told."""


@dataclass(frozen=True, slots=True)
class Companies:
    """How companies start, in what order they operate, and with whom they deal."""

    bank: Holder
    """With whom companies deal for capital, revenue, trains, tokens and terrain."""
    par_set: Callable[[Title, State, CorpId], None]
    """What follows when a company's par is set, before its president's certificate is paid."""
    payee: Callable[[Title, State, CorpId, Source], Holder]
    """Who gets the money for a share from the offering or the market."""
    float_count: Callable[[Title, State, CorpId], int | None]
    """Shares that count for floating a company; None where no sale floats it."""
    after_float: Callable[[Title, State, CorpId], None]
    homes: Literal["round", "turn", "float"]
    """When home tokens are placed: at the start of the operating round, of the company's first turn, or when the
    company floats, which is then what `after_float` does."""
    waiting_homes: Callable[[Title, State, HexId, int], list[CorpId]]
    """Companies that keep a place in this city for a home token still to come."""
    beside: Callable[[Title, State, HexId], Sequence[CorpId]]
    """Companies whose tokens wait beside the hex for a place."""
    lays_free: Callable[[Title, State, CorpId, HexId], bool]
    """Whether the company's next tile in the hex costs nothing, whatever the map says."""
    operating_order: Callable[[Title, State, Iterable[CorpId]], list[CorpId]]
    """Those of the companies that may operate now, in their order."""
    status: Callable[[Title, State, CorpId], tuple[str, ...]]
    """What is unusual about the company: "insolvent", "closed"."""


@dataclass(frozen=True, slots=True)
class Trains:
    """Which trains companies must buy and give up."""

    duty: Callable[[Title, State, CorpId], bool]
    """Whether a company without a train must buy one in its turn."""
    discards_at_once: bool
    """Whether companies over a new train limit discard at once, not only in their next turn."""
    discards_in_order: bool
    """Whether they discard one after the other: the buyer, then in share price order."""
    exported: frozenset[Rank]
    """Ranks of which the bank's next train leaves the game after each set of operating rounds, also one that interrupts
    the opening auction."""
    rent: Callable[[Title, Rank, int], int]
    """About what a company without a train gets of a turn with one of this rank leased and so many stops in reach; 0
    where none is leased."""


@dataclass(frozen=True, slots=True)
class Routes:
    """What trains may aim at, and what their routes bring."""

    stops_counted: Callable[[Title, State, CorpId, Route, Run], list[int]]
    """What each stop of a route adds to its revenue, as people are told."""
    income: Callable[[Title, State, CorpId, Route, Run], tuple[int, int]]
    """Revenue and subsidy of one route."""
    destinations: Callable[[Title, State, CorpId], tuple[Destination, ...]]
    turn_incomes: Callable[[Title, State, CorpId, Sequence[tuple[Route, Run]]], list[tuple[int, int]]]
    """The same of each of the routes that a company runs in one turn."""
    aims: Callable[[Title, State, CorpId], tuple[RunRules, ...]]
    """What a president may aim at; routes must be the best by one of these."""
    runners: Callable[[Title, State, CorpId], list[Train]]
    """The trains that run, each at most once."""
    bests: Callable[[Title, State, CorpId, int], tuple[Best, ...]]
    """The best sets of routes after so much effort, for every aim in its turn; none where nothing runs."""
    sensible: Callable[[Title, State, tuple[Best, ...]], tuple[Best, ...]]
    """Those of the best sets that are worth proposing, the best first."""
    best_required: bool
    """Whether only routes that are the best by an aim may be run."""


@dataclass(frozen=True, slots=True)
class Dividends:
    """How revenue is paid out, and what no dividend does to the price."""

    per_share: Callable[[Title, State, CorpId, int], int]
    """What a share gets of a revenue that is paid out; the treasury keeps what is not divided."""
    price_spared: Callable[[Title, State, CorpId], bool]
    """Whether the price stays where it is though nothing is paid."""


@dataclass(frozen=True, slots=True)
class Prices:
    """How dividends move a price, and what stops and follows a move."""

    paid: Callable[[Title, Cell, int], Cell]
    """Where a token goes whose company pays out so much revenue."""
    unpaid: Callable[[Title, Cell], Cell]
    """Where it goes if nothing is paid, unless the title spares it."""

    frozen: Callable[[State], bool]
    """Whether no price moves for the time being."""
    moved: Callable[[Title, State, CorpId], None]
    """What follows when a price token comes to another cell."""


@dataclass(frozen=True, slots=True)
class Secrecy:
    """What players know of one another."""

    open_treasuries: bool
    """Whether all know the companies' money."""
    sees_treasury: Callable[[Title, State, CorpId, PlayerId | None], bool]
    """Who knows a company's money where treasuries are not open."""
    open_cash: bool
    """Whether players know one another's cash."""
    open_train_prices: bool
    """Whether all know what companies pay one another for trains."""

    @property
    def hides_nothing(self) -> bool:
        """Whether all money lies open."""
        return self.open_treasuries and self.open_cash and self.open_train_prices


@dataclass(frozen=True, slots=True)
class Milestones:
    """What comes before, between and after the rounds."""

    set_up: Callable[[Title, State], None]
    """What is laid out otherwise before the first round."""
    stock_closing: Callable[[Title, State], bool]
    """What must be settled before a stock round is over; True while somebody is asked for it."""
    stock_ended: Callable[[Title, State], None]
    """What follows a stock round, before the operating rounds."""
    last_turn: int | None
    """Number of the last set of operating rounds, where the game has so many and no more."""
    bank_broken: Callable[[State], bool]
    """Whether the bank has run out of money, which ends the game."""
    endless: Callable[[State], bool]
    """Whether the bank never runs out."""
    foreseeable: Callable[[State], bool]
    """Whether money alone says how many rounds are left; not where the bank never runs out, or may come to."""
    ending: Callable[[Title, State], bool]
    """Whether the rounds up to the next stock round are the last."""
    last_round: Callable[[Title, State], bool]
    """Whether the operating round under way is known to be the last of all."""
    last_price: int | None
    """A share price that ends the game."""
    running_on: Callable[[Title, State, Mapping[CorpId, int]], Collection[CorpId]]
    """Which companies would operate again after a last operating round in which they paid so much."""
    reminder: Callable[[Title, State], str]
    """What whoever is asked must know beside the usual, as a sentence or two of what everybody knows; else ""."""


@dataclass(frozen=True, slots=True)
class Policy:
    """All points where titles differ, by what they are about."""

    auctions: Auctions
    holdings: Holdings
    privates: Privates
    companies: Companies
    trains: Trains
    routes: Routes
    dividends: Dividends
    prices: Prices
    secrecy: Secrecy
    milestones: Milestones


# One game


Options = Mapping[str, str]
"""Names of options, each with a sentence for those who choose."""
Covers = Mapping[str, frozenset[str]]
"""By option, those that change nothing beside it."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Options that are chosen together."""

    options: frozenset[str]
    about: str
    """What then differs from the rule book, for those who choose."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """What differs then with an option that leaves some of it out."""

    def told(self, options: Collection[str]) -> str:
        """What differs with these options."""
        return next((words for option, words in self.beside.items() if option in options), self.about)


@dataclass(frozen=True, eq=False)
class Title:
    """One game with its options settled; it is equal to none but itself."""

    id: str
    name: str
    currency: str
    """A format: "¥{}"."""
    options: frozenset[str]
    players: int
    bank: int
    """All the money there is, players' cash included."""
    cash: int
    """What each player starts with."""
    cert_limit: int
    layout: Layout
    hexes: Mapping[HexId, HexDef]
    tiles: Mapping[TileId, TileDef]
    supply: Mapping[TileId, int]
    corporations: Mapping[CorpId, Corporation]
    privates: Mapping[PrivateId, Private]
    """Those in play, in offering order."""
    trains: Mapping[Rank, TrainType]
    phases: tuple[Phase, ...]
    market: Market
    rounds: Mapping[str, Round]
    opening: str
    """Name of the first round."""
    interrupts: Mapping[str, Step]
    anytime: tuple[Verb, ...]
    """Verbs open beside the step's own; their guards say to whom and when."""
    settle: tuple[Settle, ...]
    events: Mapping[str, Settle]
    """What phases set off, by the names in `Phase.events`."""
    cites: Mapping[Cited, str]
    policy: Policy
    turn_rules: Mapping[str, str]
    """By round: the rule quoted to who acts out of turn."""
    event_rules: Mapping[str, str]
    """By event, as `event` calls them: the rule that describes it. Phases name their own."""
    changes: tuple[str, ...] = ()
    """What the second, the third ... revision of the rules changed for running games: a clause each, with rule IDs."""
    sea: bool = False
    """Whether the map is of islands, with the sea around them."""
    wording: Wording = field(default_factory=Wording)
    own: type[Own] = Own
    """The record of what this title alone keeps in a position."""
    homes: Mapping[HexId, Sequence[tuple[CorpId, int]]] = field(init=False, repr=False)
    """By hex: the companies that have a home there, and in which of its printed stops."""

    def __post_init__(self) -> None:
        homes: dict[HexId, list[tuple[CorpId, int]]] = {}
        for corp in self.corporations.values():
            for hex_id, index in corp.homes:
                homes.setdefault(hex_id, []).append((corp.id, index))
        object.__setattr__(self, "homes", homes)
        self._check()

    @cached_property
    def grid(self) -> Grid:
        """The map; copies of a title that differ in its policy need none."""
        tokens_of = {corp.id: corp.tokens_of for corp in self.corporations.values() if corp.tokens_of}
        return Grid(self.layout, self.hexes, self.tiles, tokens_of)

    def _check(self) -> None:
        unknown = set(self.supply) - set(self.tiles)
        if unknown:
            raise ValueError(f"{self.id}: tiles without a face: {sorted(unknown)}")
        for corp in self.corporations.values():
            for hex_id, index in corp.homes:
                if hex_id in self.hexes and index >= len(self.hexes[hex_id].face.stops):
                    raise ValueError(f"{self.id}: {corp.id} has no home stop at {hex_id}")
        silent = set(self.rounds) - set(self.turn_rules)
        if silent:
            raise ValueError(f"{self.id}: no rule for who acts out of turn in {sorted(silent)}")
        missing = {event for phase in self.phases for event in phase.events} - set(self.events)
        if missing:
            raise ValueError(f"{self.id}: phases name unknown events {sorted(missing)}")
        for verb in self.every_verb():
            for guard in verb.guards:
                if not self.rule(verb, guard):
                    raise ValueError(f"{self.id}: {guard.__name__} cites no rule")

    def own_step(self, shared: Step) -> Step:
        """What this title has in the place of a shared step of company turns; both have one name."""
        return self.rounds[OR].by_name[shared.name]

    def share_step(self) -> Step:
        """The step of the stock round."""
        return self.rounds[SR].by_name[SHARES]

    def every_verb(self) -> list[Verb]:
        """The verbs of all steps, interrupts and those open at any time."""
        steps = [step for round_ in self.rounds.values() for step in round_.steps] + list(self.interrupts.values())
        return [verb for step in steps for verb in step.verbs] + list(self.anytime)

    def rule(self, verb: Verb, guard: Guard) -> str:
        """The rule that the guard implements for the verb; "" if it cites none."""
        return self.cites.get((verb.action, guard)) or self.cites.get(guard, "")

    def event_rule(self, fact: Fact) -> str:
        """The rule that describes what happened, if it is an event that people may wonder about; else ""."""
        if isinstance(fact, PhaseBegan):
            return next(phase.rule for phase in self.phases if phase.name == fact.phase)
        return self.event_rules.get(event(fact), "")

    @property
    def revision(self) -> int:
        """The number of the present rules, counted from 1; every row of a log carries it."""
        return 1 + len(self.changes)

    def money(self, amount: int) -> str:
        """The amount as people of this title write it."""
        return self.currency.format(f"{amount:,}") if amount >= 0 else "-" + self.currency.format(f"{-amount:,}")

    def phase(self, state: State) -> Phase:
        return self.phases[state.phase]

    def percent(self, corp: CorpId, count: int) -> str:
        """So many shares of the company, as people put them: "30 %"."""
        return f"{count * 100 // self.corporations[corp].shares} %"

    def kind(self, corp: CorpId) -> str:
        """The kind of the company: "public", "minor"."""
        return self.corporations[corp].kind

    def number(self, tile: TileId) -> str:
        """What is printed on the tile."""
        return self.tiles[tile].printed or tile

    def power(self, private: PrivateId, kind: type[P]) -> P | None:
        """The private's power of this kind, if it has one."""
        for power in self.privates[private].powers:  # asked of every lay by a power: a generator would take longer
            if isinstance(power, kind):
                return power
        return None

    def train_limit(self, state: State, corp: CorpId) -> int:
        """How many trains the company may own in the present phase."""
        return self.phase(state).train_limit[self.kind(corp)]
