"""What the forecast reads off a title, once for each: trains, phases, prices and privates as plain numbers."""

from dataclasses import dataclass
from statistics import mean

from engine import BANK, Title
from engine.actions import GoBankrupt
from engine.ids import OR, CorpId, PrivateId
from engine.market import price
from engine.powers import SetsPar, Survives
from engine.steps.privates import price_range
from engine.steps.trains import TRAINS

ENDLESS = 99
"""Stands for the number of trains of a rank that never runs out."""
LONGEST = 10
"""How many stops a train is thought to call at that may call at any number."""
FEW = 4
"""Up to how many players a company each is no harm: with more, too many poor ones need trains at once."""
CLOSING = "close privates"
"""The event of a phase with which the privates close."""


@dataclass(frozen=True, slots=True)
class TrainFacts:
    """A rank of trains as the forecast sees it; other ranks by their place in the list."""

    price: int
    count: int
    reach: float
    """How many stops it calls at, more or less."""
    rusted_by: int
    """The rank whose first purchase rusts it; -1 if none does."""
    phase: int
    """The phase that its first purchase begins; 0 if none."""
    rents: tuple[int, ...]
    """What a company without a train gets that leases it for a turn, by the number of stops in reach."""


@dataclass(frozen=True, slots=True)
class TitleFacts:
    """What the forecast reads off a title."""

    trains: tuple[TrainFacts, ...]
    place: dict[str, int]
    """The place of each rank among the trains."""
    closing: int
    """The phase with which the privates close; beyond the last if they never do."""
    survivors: dict[PrivateId, int]
    """What those pay then that stay open."""
    stop_most: float
    """What an average stop brings on the last tiles."""
    presidents_pay: bool
    """Whether presidents must help to pay for trains."""
    banked: bool
    """Whether companies deal with the bank whose end ends the game."""
    leaving: bool
    """Whether trains on sale leave the game by themselves."""
    timed: bool
    """Whether a last turn is set: a bad start is never made up for."""
    careful: bool
    """Whether, besides, so few play that it does no harm if all start a company as soon as they can."""
    brings: dict[PrivateId, CorpId]
    """The privates that come with the presidency of a company, and close when that buys a train."""
    alone: int
    """What it takes to float any company alone, at the cheapest par."""
    private_prices: dict[PrivateId, int]
    """What a company pays at most for each private that it may buy."""
    pars: tuple[tuple[int, int, int], ...]
    """(price, row, column) of the par cells, the cheapest first."""
    halved: bool
    """Whether a share counts half whose company has no train."""

    def rent(self, rank: int, cash: float, stops: int) -> int:
        """What a company without a train gets of a turn with the rank on sale leased, unless it can pay for that."""
        if rank < 0 or cash >= self.trains[rank].price:
            return 0
        return self.trains[rank].rents[min(stops, LONGEST)]


_KNOWN: dict[tuple[str, int, frozenset[str]], TitleFacts] = {}


def facts_of(t: Title) -> TitleFacts:
    """The facts of the title, kept by what it was built from."""
    key = (t.id, t.players, t.options)
    if key not in _KNOWN:
        _KNOWN[key] = _read(t)
    return _KNOWN[key]


def _read(t: Title) -> TitleFacts:
    place = {rank: index for index, rank in enumerate(t.trains)}
    starts = {phase.starts_on: index for index, phase in enumerate(t.phases) if phase.starts_on}
    trains = tuple(
        TrainFacts(
            train.price,
            ENDLESS if train.count is None else train.count,
            LONGEST if train.reach is None else train.reach + 0.6 * train.small,
            place.get(train.rusts_on, -1) if train.rusts_on else -1,
            starts.get(train.rank, 0),
            tuple(t.policy.trains.rent(t, train.rank, stops) for stops in range(LONGEST + 1)),
        )
        for train in t.trains.values()
    )
    closing = next((index for index, phase in enumerate(t.phases) if CLOSING in phase.events), len(t.phases))
    survivors = {
        private.id: power.revenue
        for private in t.privates.values()
        for power in private.powers
        if isinstance(power, Survives)
    } | {private.id: private.revenue for private in t.privates.values() if private.later}
    last = t.phases[-1].colours[-1]
    cities = [
        stop.revenue
        for tile in t.tiles.values()
        for stop in tile.face.stops
        if tile.face.colour == last and stop.kind == "city" and stop.revenue
    ]
    pars = t.market.pars()
    return TitleFacts(
        trains=trains,
        place={str(rank): index for rank, index in place.items()},
        closing=closing,
        survivors=survivors,
        stop_most=mean(cities) if cities else 45.0,
        presidents_pay=GoBankrupt in t.rounds[OR].by_name[TRAINS.name].by_action,
        banked=t.policy.companies.bank == BANK,
        leaving=bool(t.policy.trains.exported),
        timed=t.policy.milestones.last_turn is not None,
        careful=t.policy.milestones.last_turn is not None and t.players <= FEW,
        brings={
            private.id: power.corp
            for private in t.privates.values()
            for power in private.powers
            if isinstance(power, SetsPar) and power.president
        },
        alone=pars[0][0] * max(corp.float_shares for corp in t.corporations.values()),
        private_prices={
            private.id: price_range(t, private.id)[1]
            for private in t.privates.values()
            if CorpId(private.id) not in t.corporations and private.revenue
        },
        pars=tuple(pars),
        halved=t.policy.holdings.sale_price is not price,
    )
