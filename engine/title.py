"""Title: one game with its options settled. Printed things, rounds, powers, policies and citations.

`Title` checks its own data when it is built (ValueError), so that a slip in a table shows at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.board.board import Board, Grid
from engine.board.hexes import Layout
from engine.facts import (
    Announced,
    BankBroke,
    CompanyChanged,
    Fact,
    PhaseBegan,
    PresidentChanged,
    PriceLowered,
    TrainExported,
    TrainsRusted,
    WentBankrupt,
)
from engine.ids import BANK, IPO, OR, POOL, SR, CorpId, HexId, Holder, PlayerId, PrivateId, Rank, TileId, seat
from engine.policy import Policy
from engine.printed import Corporation, HexDef, Market, Phase, Private, TileDef, TrainType
from engine.state import Own, State
from engine.verbs import SHARES, Cites, Guard, Round, Settle, Step, Verb
from engine.wording import Wording

Options = Mapping[str, str]
"""Names of options, each with a sentence for those who choose."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Options that are chosen together."""

    options: frozenset[str]
    about: str
    """What then differs from the rule book, for those who choose."""


@dataclass(frozen=True)
class Title:
    """One game with its options settled."""

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
    cites: Cites
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
    grid: Grid = field(init=False, repr=False)

    def __post_init__(self) -> None:
        tokens_of = {corp.id: corp.tokens_of for corp in self.corporations.values() if corp.tokens_of}
        object.__setattr__(self, "grid", Grid(self.layout, self.hexes, self.tiles, tokens_of))
        self._check()

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
        """The present phase."""
        return self.phases[state.phase]

    def kind(self, corp: CorpId) -> str:
        """The kind of the company: "public", "minor"."""
        return self.corporations[corp].kind

    def train_limit(self, state: State, corp: CorpId) -> int:
        """How many trains the company may own in the present phase."""
        return self.phase(state).train_limit[self.kind(corp)]


def event(fact: Fact) -> str:
    """What an event is called in `Title.event_rules`: "rust", or by its own word: "insolvent", "british"."""
    match fact:
        case TrainsRusted():
            return "rust"
        case TrainExported():
            return "export"
        case BankBroke():
            return "bank"
        case WentBankrupt():
            return "bankruptcy"
        case PriceLowered():
            return "price lowered"
        case PresidentChanged(target=target) if target == POOL:
            return "leaderless"
        case CompanyChanged(state=state, now=True):
            return state
        case Announced(what=what):
            return what
    return ""


def start(title: Title, names: list[str] | tuple[str, ...]) -> State:
    """The position before the first decision; `names` are the players in seat order.

    ValueError unless there is one name for each seat.
    """
    if len(names) != title.players:
        raise ValueError(f"{title.name} was set up for {title.players} players, not {len(names)}.")
    seats = {seat(index): name for index, name in enumerate(names)}
    cash: dict[Holder, int] = dict.fromkeys(seats, title.cash)
    cash.update(dict.fromkeys(title.corporations, 0))
    cash[title.policy.companies.bank] = 0
    cash[BANK] = title.bank - title.cash * title.players
    state = State(
        names=seats,
        board=Board(title.grid),
        cash=cash,
        shares={corp.id: {} if corp.certificate else {IPO: 10} for corp in title.corporations.values()},
        president={corp.id: BANK if corp.certificate else IPO for corp in title.corporations.values()},
        tokens={corp.id: corp.token_costs for corp in title.corporations.values()},
        trains=dict.fromkeys(title.corporations, ()),
        depot={rank: train.count for rank, train in title.trains.items() if train.count is not None},
        owner=dict.fromkeys(title.privates, BANK),
        supply=dict(title.supply),
        priority=PlayerId("p1"),
        up=PlayerId("p1"),
        round=title.opening,
        own=title.own(),
    )
    title.policy.course.set_up(title, state)
    title.rounds[title.opening].begin(title, state)
    return state
