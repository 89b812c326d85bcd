"""The points with a single answer where titles differ, in groups. A title replaces the functions or values it needs.

The defaults are what most of the family does. Each group stands after the functions that are its defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from engine.actions import Route
from engine.best_routes import best_by_aims
from engine.board.reach import reaches
from engine.board.routes import Run, StopRef
from engine.ids import BANK, IPO, CorpId, HexId, Holder, PlayerId, PrivateId, Rank, Source
from engine.market import in_order, left, price, right
from engine.router import Best, RunRules, Train
from engine.state import Cell, State

if TYPE_CHECKING:
    from engine.title import Title


def nothing_more(t: Title, s: State) -> None:
    """Nothing happens."""


def nothing_open(t: Title, s: State) -> bool:
    """Nothing is left to settle."""
    return False


def no_consequence(t: Title, s: State, corp: CorpId) -> None:
    """It has no further consequence for the company."""


# The opening auction


def clockwise_bidder(t: Title, s: State) -> PlayerId:
    """Who must raise or drop out: the next bidder after the last speaker, the highest bidder left out."""
    assert s.contested is not None
    bids = s.bids[s.contested]
    highest = max(bids, key=lambda player: bids[player])
    return next(player for player in s.after(s.speaker or highest) if player in bids and player != highest)


def lowest_bidder(t: Title, s: State) -> PlayerId:
    """Who must raise or drop out: whoever bids least at the moment."""
    assert s.contested is not None
    bids = s.bids[s.contested]
    return min(bids, key=lambda player: bids[player])


def lowest_then_clockwise(t: Title, s: State) -> PlayerId:
    """The lowest bidder speaks first, then it goes clockwise."""
    return lowest_bidder(t, s) if s.speaker is None else clockwise_bidder(t, s)


def no_rights(t: Title, s: State) -> Mapping[PlayerId, int]:
    """Nobody bids for a right to choose."""
    return {}


@dataclass(frozen=True, slots=True)
class Auctions:
    """How privates are bid for before the first stock round."""

    next_bidder: Callable[[Title, State], PlayerId] = clockwise_bidder
    """Who must raise or drop out."""
    bid_step: int = 5
    """By how much a bid exceeds the one before it, and a stalled auction lowers the first private."""
    right_bids: Callable[[Title, State], Mapping[PlayerId, int]] = no_rights
    """What those still in bid for the right to choose one of several certificates, 0 who has not bid yet."""
    every_stall_ends_set: bool = False
    """Whether a round in which all pass ends a set of operating rounds also while the first private is unsold, so
    that nothing is paid."""


# Shares and certificates of players


def printed_cert_limit(t: Title, s: State) -> int:
    """The limit printed for so many players."""
    return t.cert_limit


def every_private_counts(t: Title, s: State, private: PrivateId) -> bool:
    """Each private is a certificate that counts to the limit."""
    return True


def worth(t: Title, s: State, player: PlayerId) -> int:
    """Cash, shares at market price and privates at their value."""
    shares = sum(held.get(player, 0) * price(t, s, corp) for corp, held in s.shares.items() if player in held)
    privates = sum(t.policy.privates.value(t, s, private) for private, owner in s.owner.items() if owner == player)
    return s.cash[player] + shares + privates


@dataclass(frozen=True, slots=True)
class Holdings:
    """What players may hold and sell, and what it is worth."""

    cert_limit: Callable[[Title, State], int] = printed_cert_limit
    counts_private: Callable[[Title, State, PrivateId], bool] = every_private_counts
    """Whether a player's private counts to the certificate limit."""
    holding_limit: int = 6
    """Tenths of one company that a player may hold outside the exempt zones."""
    excess_sold_off: bool = True
    """Whether a holding above its limit is sold off itself: no other sale serves in a stock round, and an
    emergency sale of it comes down to the limit."""
    pool_limit: int = 5
    """Tenths of one company that the open market takes."""
    first_sales: int = 2
    """Number of the first stock round in which shares may be sold."""
    sale_price: Callable[[Title, State, CorpId], int] = price
    """What a share brings that is sold."""
    worth: Callable[[Title, State, PlayerId], int] = worth
    """What all that a player has is worth at the end."""


# Privates


def blocks_for_player(t: Title, s: State, private: PrivateId) -> bool:
    """A private blocks its hexes while a player owns it."""
    return s.owner[private] in s.names


def printed_value(t: Title, s: State, private: PrivateId) -> int:
    """The private's face value."""
    return t.privates[private].value


@dataclass(frozen=True, slots=True)
class Privates:
    """What privates cost, block and count."""

    company_price: tuple[tuple[int, int], tuple[int, int]] = ((1, 2), (2, 1))
    """Lowest and highest price of a private for a company, as fractions (numerator, denominator) of its value."""
    sale_fee: int = 0
    """What the bank keeps of a private's value when a player sells it back."""
    blocks: Callable[[Title, State, PrivateId], bool] = blocks_for_player
    """Whether the hexes that the private blocks are closed now."""
    value: Callable[[Title, State, PrivateId], int] = printed_value
    """What the private counts in its owner's worth."""


# Companies


def bank_is_paid(t: Title, s: State, corp: CorpId, source: Source) -> Holder:
    """Shares are paid to the bank, which gives the company its capital when it floats."""
    return BANK


def sold_from_offering(t: Title, s: State, corp: CorpId) -> int:
    """Tenths that count for floating: all that have left the offering."""
    return 10 - s.held(corp, IPO)


def homes_to_come(t: Title, s: State, hex_id: HexId, index: int) -> list[CorpId]:
    """Companies whose home is this city and whose token is not there yet."""
    return [
        corp.id
        for corp in t.corporations.values()
        if any(home == hex_id and s.board.printed_stop(home, printed) == index for home, printed in corp.homes)
        and corp.id not in s.board.places(hex_id, index)
    ]


def nothing_unusual(t: Title, s: State, corp: CorpId) -> str:
    """Companies are floated or not, no more."""
    return ""


@dataclass(frozen=True, slots=True)
class Companies:
    """How companies start, in what order they operate, and with whom they deal."""

    bank: Holder = BANK
    """With whom companies deal for capital, revenue, trains, tokens and terrain."""
    par_set: Callable[[Title, State, CorpId], None] = no_consequence
    """What follows when a company's par is set, before its president's certificate is paid."""
    payee: Callable[[Title, State, CorpId, Source], Holder] = bank_is_paid
    """Who gets the money for a share from the offering or the market."""
    float_count: Callable[[Title, State, CorpId], int | None] = sold_from_offering
    """Tenths that count for floating a company; None where no sale floats it."""
    after_float: Callable[[Title, State, CorpId], None] = no_consequence
    homes: Literal["round", "turn", "float"] = "round"
    """When home tokens are placed: at the start of the operating round, of the company's first turn, or when the
    company floats, which is then what `after_float` does."""
    waiting_homes: Callable[[Title, State, HexId, int], list[CorpId]] = homes_to_come
    """Companies that keep a place in this city for a home token still to come."""
    operating_order: Callable[[Title, State, Iterable[CorpId]], list[CorpId]] = in_order
    """Those of the companies that may operate now, in their order."""
    status: Callable[[Title, State, CorpId], str] = nothing_unusual
    """A word where something about the company is unusual: "insolvent", "closed"."""


# Trains


def train_duty_with_route(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the company must own a train at the end of its turn: it has a route of any length."""
    return reaches(s.board, corp, lambda reached: reached.joined)


def train_duty_always(t: Title, s: State, corp: CorpId) -> bool:
    """A company must own a train at the end of its turn, with a route or without."""
    return True


@dataclass(frozen=True, slots=True)
class Trains:
    """Which trains companies must buy and give up."""

    duty: Callable[[Title, State, CorpId], bool] = train_duty_with_route
    """Whether a company without a train must buy one in its turn."""
    discards_at_once: bool = True
    """Whether companies over a new train limit discard at once, not only in their next turn."""
    discards_in_order: bool = True
    """Whether they discard one after the other: the buyer, then in share price order."""


# Routes


def stop_value(t: Title, s: State, stop: StopRef, rank: Rank) -> int:
    """What the stop counts for a train of this rank now."""
    printed = s.board.stop(*stop)
    if not printed.tiers:
        return printed.revenue
    values = dict(printed.tiers)
    special = t.trains[rank].tier
    return values[special] if special in values else values[t.phase(s).tier]


def run_value(t: Title, s: State, corp: CorpId, run: Run) -> int:
    """What one train's run earns."""
    return sum(t.policy.routes.stop_value(t, s, stop, Rank(run.train)) for stop in run.stops)


def route_income(t: Title, s: State, corp: CorpId, route: Route, run: Run) -> tuple[int, int]:
    """Revenue of one train's route, and what it brings the treasury itself besides."""
    return t.policy.routes.run_value(t, s, corp, run), sum(s.board.stop(*stop).subsidy for stop in run.stops)


def each_by_itself(t: Title, s: State, corp: CorpId, ran: Sequence[tuple[Route, Run]]) -> list[tuple[int, int]]:
    """Each route brings what it brings alone."""
    return [t.policy.routes.income(t, s, corp, route, run) for route, run in ran]


def highest_revenue(t: Title, s: State, corp: CorpId) -> tuple[RunRules, ...]:
    """A president runs for the highest revenue."""

    def value(stop: StopRef, train: Train) -> int:
        return t.policy.routes.stop_value(t, s, stop, train.rank)

    return (RunRules(value=value),)


def train_of(t: Title, rank: Rank) -> Train:
    """The train as the router knows it."""
    printed = t.trains[rank]
    return Train(rank, printed.reach, printed.small, printed.tier, printed.apart)


def own_trains(t: Title, s: State, corp: CorpId) -> list[Train]:
    """The company's trains as the router knows them."""
    return [train_of(t, rank) for rank in sorted(s.trains[corp])]


def all_sensible(t: Title, s: State, bests: tuple[Best, ...]) -> tuple[Best, ...]:
    """Every set of routes that is best by some aim is worth proposing."""
    return bests


@dataclass(frozen=True, slots=True)
class Routes:
    """What trains may aim at, and what their routes bring."""

    stop_value: Callable[[Title, State, StopRef, Rank], int] = stop_value
    run_value: Callable[[Title, State, CorpId, Run], int] = run_value
    income: Callable[[Title, State, CorpId, Route, Run], tuple[int, int]] = route_income
    """Revenue and subsidy of one route, as people are told before it is run."""
    turn_incomes: Callable[[Title, State, CorpId, Sequence[tuple[Route, Run]]], list[tuple[int, int]]] = each_by_itself
    """The same of each of the routes that a company runs in one turn."""
    aims: Callable[[Title, State, CorpId], tuple[RunRules, ...]] = highest_revenue
    """What a president may aim at; routes must be the best by one of these."""
    runners: Callable[[Title, State, CorpId], list[Train]] = own_trains
    """The trains that run, each at most once."""
    bests: Callable[[Title, State, CorpId, int], tuple[Best, ...]] = best_by_aims
    """The best sets of routes after so much effort, for every aim in its turn; none where nothing runs."""
    sensible: Callable[[Title, State, tuple[Best, ...]], tuple[Best, ...]] = all_sensible
    """Those of the best sets that are worth proposing, the best first."""
    best_required: bool = True
    """Whether only routes that are the best by an aim may be run."""


# Dividends


def tenth(t: Title, s: State, corp: CorpId, revenue: int) -> int:
    """Each tenth gets a tenth of the revenue, rounded down."""
    return revenue // 10


def never_spared(t: Title, s: State, corp: CorpId) -> bool:
    """Every turn without a dividend lowers the price."""
    return False


@dataclass(frozen=True, slots=True)
class Dividends:
    """How revenue is paid out, and what no dividend does to the price."""

    per_share: Callable[[Title, State, CorpId, int], int] = tenth
    """What a tenth gets of a revenue that is paid out; the treasury keeps what is not divided."""
    price_spared: Callable[[Title, State, CorpId], bool] = never_spared
    """Whether the price stays where it is though nothing is paid."""


# The market


def never_frozen(s: State) -> bool:
    """Prices are never frozen."""
    return False


def one_right(t: Title, at: Cell, revenue: int) -> Cell:
    """One space right, however much is paid."""
    return right(t, at)


@dataclass(frozen=True, slots=True)
class Prices:
    """How dividends move a price, and what stops and follows a move."""

    paid: Callable[[Title, Cell, int], Cell] = one_right
    """Where a token goes whose company pays out so much revenue."""
    unpaid: Callable[[Title, Cell], Cell] = left
    """Where it goes if nothing is paid, unless the title spares it."""

    frozen: Callable[[State], bool] = never_frozen
    """Whether no price moves for the time being."""
    moved: Callable[[Title, State, CorpId], None] = no_consequence
    """What follows when a price token comes to another cell."""


# What is secret


def president_sees(t: Title, s: State, corp: CorpId, viewer: PlayerId | None) -> bool:
    """The president alone knows what the treasury holds."""
    return viewer is not None and s.president_of(corp) == viewer


@dataclass(frozen=True, slots=True)
class Secrecy:
    """What players know of one another."""

    open_treasuries: bool = True
    """Whether all know the companies' money."""
    sees_treasury: Callable[[Title, State, CorpId, PlayerId | None], bool] = president_sees
    """Who knows a company's money where treasuries are not open."""
    open_cash: bool = True
    """Whether players know one another's cash."""
    open_train_prices: bool = True
    """Whether all know what companies pay one another for trains."""


# The course of the game


def broken_at_zero(s: State) -> bool:
    """The last money is out."""
    return s.cash[BANK] <= 0


def broken_below_zero(s: State) -> bool:
    """More is to be paid than there is."""
    return s.cash[BANK] < 0


@dataclass(frozen=True, slots=True)
class Course:
    """What comes before, between and after the rounds."""

    set_up: Callable[[Title, State], None] = nothing_more
    """What is laid out otherwise before the first round."""
    stock_closing: Callable[[Title, State], bool] = nothing_open
    """What must be settled before a stock round is over; True while somebody is asked for it."""
    stock_ended: Callable[[Title, State], None] = nothing_more
    """What follows a stock round, before the operating rounds."""
    set_ended: Callable[[Title, State], None] = nothing_more
    """What follows a set of operating rounds, also one that interrupts the opening auction."""
    last_turn: int | None = None
    """Number of the last set of operating rounds, where the game has so many and no more."""
    bank_broken: Callable[[State], bool] = broken_at_zero
    """Whether the bank has run out of money, which ends the game."""


@dataclass(frozen=True, slots=True)
class Policy:
    """All points where titles differ, by what they are about."""

    auctions: Auctions = Auctions()
    holdings: Holdings = Holdings()
    privates: Privates = Privates()
    companies: Companies = Companies()
    trains: Trains = Trains()
    routes: Routes = Routes()
    dividends: Dividends = Dividends()
    prices: Prices = Prices()
    secrecy: Secrecy = Secrecy()
    course: Course = Course()
