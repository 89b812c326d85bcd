"""What most of the family answers where titles differ: the functions, and the groups of `Policy` made of them.

A title replaces what it needs: `replace(usual.HOLDINGS, pool_limit=10)`. Each group stands after its functions.
"""

from collections.abc import Callable, Sequence

from engine import title
from engine.actions import Route
from engine.best_routes import best_by_aims
from engine.board.reach import reaches
from engine.board.routes import Run, StopRef
from engine.ids import BANK, IPO, CorpId, HexId, PlayerId, PrivateId, Rank
from engine.market import in_order, left, price, right
from engine.router import RunRules, Train
from engine.state import State
from engine.title import Title


def nothing_more(t: Title, s: State) -> None:
    """Nothing happens."""


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


AUCTIONS = title.Auctions(
    next_bidder=clockwise_bidder,
    bid_step=5,
    bought=lambda t, s, private, player: None,
    right_bids=lambda t, s: {},
    priority_held=True,
    every_stall_ends_set=False,
)


# Shares and certificates of players


def worth(t: Title, s: State, player: PlayerId) -> int:
    """Cash, shares at market price and privates at their value."""
    shares = sum(held.get(player, 0) * price(t, s, corp) for corp, held in s.shares.items() if player in held)
    privates = sum(t.policy.privates.value(t, s, private) for private, owner in s.owner.items() if owner == player)
    return s.cash[player] + shares + privates


HOLDINGS = title.Holdings(
    cert_limit=lambda t, s: t.cert_limit,
    counts_private=lambda t, s, private: True,
    holding_limit=6,
    excess_sold_off=True,
    pool_limit=5,
    first_sales=2,
    kept=lambda t, s, corp: 0,
    sale_price=price,
    worth=worth,
)


# Privates


def blocks_for_player(t: Title, s: State, private: PrivateId) -> bool:
    """A private blocks its hexes while a player owns it."""
    return s.owner[private] in s.names


def printed_value(t: Title, s: State, private: PrivateId) -> int:
    """The private's face value."""
    return t.privates[private].value


def printed_note(t: Title, s: State, private: PrivateId) -> str:
    """What the private does from the start."""
    return t.privates[private].note


PRIVATES = title.Privates(
    company_price=((1, 2), (2, 1)),
    sale_fee=0,
    blocks=blocks_for_player,
    value=printed_value,
    note=printed_note,
)


# Companies


def sold_from_offering(t: Title, s: State, corp: CorpId) -> int:
    """Shares that count for floating: all that have left the offering."""
    return t.corporations[corp].shares - s.held(corp, IPO)


def homes_to_come(t: Title, s: State, hex_id: HexId, index: int) -> list[CorpId]:
    """Companies whose home is this city and whose token is not there yet."""
    here = t.homes.get(hex_id, ())
    those = dict.fromkeys(corp for corp, printed in here if s.board.printed_stop(hex_id, printed) == index)
    return [corp for corp in those if corp not in s.board.places(hex_id, index)]


COMPANIES = title.Companies(
    bank=BANK,
    par_set=no_consequence,
    payee=lambda t, s, corp, source: BANK,
    float_count=sold_from_offering,
    after_float=no_consequence,
    homes="round",
    waiting_homes=homes_to_come,
    beside=lambda t, s, hex_id: (),
    lays_free=lambda t, s, corp, hex_id: False,
    operating_order=in_order,
    status=lambda t, s, corp: (),
)


# Trains


def train_duty_with_route(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the company must own a train at the end of its turn: it has a route of any length."""
    return reaches(s.board, corp, lambda reached: reached.joined)


def train_duty_always(t: Title, s: State, corp: CorpId) -> bool:
    """A company must own a train at the end of its turn, with a route or without."""
    return True


TRAINS = title.Trains(
    duty=train_duty_with_route,
    discards_at_once=True,
    discards_in_order=True,
    exported=frozenset(),
    rent=lambda t, rank, stops: 0,
)


# Routes


def stop_value(t: Title, s: State, stop: StopRef, rank: Rank) -> int:
    """What the stop counts for a train of this rank now."""
    printed = s.board.stop(*stop)
    if not printed.tiers:
        return printed.revenue
    values = dict(printed.tiers)
    special = t.trains[rank].tier
    return values[special] if special in values else values[t.phase(s).tier]


def stops_counted(t: Title, s: State, corp: CorpId, route: Route, run: Run) -> list[int]:
    """Every stop of the route counts."""
    return [stop_value(t, s, stop, route.train) for stop in run.stops]


def route_income(t: Title, s: State, corp: CorpId, route: Route, run: Run) -> tuple[int, int]:
    """Revenue of one train's route, and what it brings the treasury itself besides."""
    return sum(stops_counted(t, s, corp, route, run)), sum(s.board.stop(*stop).subsidy for stop in run.stops)


def each_by_itself(t: Title, s: State, corp: CorpId, ran: Sequence[tuple[Route, Run]]) -> list[tuple[int, int]]:
    """Each route brings what it brings alone."""
    return [t.policy.routes.income(t, s, corp, route, run) for route, run in ran]


def train_values(t: Title, s: State) -> Callable[[StopRef, Train], int]:
    """What a stop counts for a train now, as the router asks for it."""
    return lambda stop, train: stop_value(t, s, stop, train.rank)


def highest_revenue(t: Title, s: State, corp: CorpId) -> tuple[RunRules, ...]:
    """A president runs for the highest revenue."""
    return (RunRules(value=train_values(t, s)),)


def train_of(t: Title, rank: Rank) -> Train:
    """The train as the router knows it."""
    printed = t.trains[rank]
    return Train(rank, printed.reach, printed.small, printed.tier, printed.apart)


def own_trains(t: Title, s: State, corp: CorpId) -> list[Train]:
    """The company's trains as the router knows them."""
    return [train_of(t, rank) for rank in sorted(s.trains[corp])]


ROUTES = title.Routes(
    stops_counted=stops_counted,
    income=route_income,
    destinations=lambda t, s, corp: (),
    turn_incomes=each_by_itself,
    aims=highest_revenue,
    runners=own_trains,
    bests=best_by_aims,
    sensible=lambda t, s, bests: bests,
    best_required=True,
)


# Dividends


DIVIDENDS = title.Dividends(
    per_share=lambda t, s, corp, revenue: revenue // t.corporations[corp].shares,
    price_spared=lambda t, s, corp: False,
)


# The market


PRICES = title.Prices(
    paid=lambda t, at, revenue: right(t, at),
    unpaid=left,
    frozen=lambda s: False,
    moved=no_consequence,
)


# What is secret


def president_sees(t: Title, s: State, corp: CorpId, viewer: PlayerId | None) -> bool:
    """The president alone knows what the treasury holds."""
    return viewer is not None and s.president_of(corp) == viewer


SECRECY = title.Secrecy(
    open_treasuries=True,
    sees_treasury=president_sees,
    open_cash=True,
    open_train_prices=True,
)


# The course of the game


def broken_at_zero(s: State) -> bool:
    """The last money is out."""
    return s.cash[BANK] <= 0


def broken_below_zero(s: State) -> bool:
    """More is to be paid than there is."""
    return s.cash[BANK] < 0


def ending(t: Title, s: State) -> bool:
    """The bank is broken, or it is the last turn."""
    return s.broken or s.turn == t.policy.milestones.last_turn


def last_of_set(t: Title, s: State) -> bool:
    """No other stock round comes, and it is the last operating round before it."""
    return t.policy.milestones.ending(t, s) and s.or_number >= s.or_count


MILESTONES = title.Milestones(
    set_up=nothing_more,
    stock_closing=lambda t, s: False,
    stock_ended=nothing_more,
    last_turn=None,
    bank_broken=broken_at_zero,
    endless=lambda s: False,
    foreseeable=lambda s: True,
    ending=ending,
    last_round=last_of_set,
    last_price=None,
    running_on=lambda t, s, paid: paid,
    reminder=lambda t, s: "",
)


POLICY = title.Policy(
    auctions=AUCTIONS,
    holdings=HOLDINGS,
    privates=PRIVATES,
    companies=COMPANIES,
    trains=TRAINS,
    routes=ROUTES,
    dividends=DIVIDENDS,
    prices=PRICES,
    secrecy=SECRECY,
    milestones=MILESTONES,
)
