"""A stock round in a sketch: everybody in turn starts a company or buys the share that promises most."""

from opponents.growth import GROWTH, grown
from opponents.sketch import Firm, Sketch
from opponents.sketch_operating import sell_one

LEAST = 0.15
"""What a share must promise above its price, as part of it."""
JOINED = 0.6
"""How much of their money others put into a company that somebody else has started, if it floats then."""
ANOTHER = 3.0
"""With how many operating rounds left somebody still starts another company."""
FARTHEST = 14.0
"""How many operating rounds are looked ahead at most."""


def trade(sketch: Sketch, *, first: bool = False) -> None:
    """A stock round; `first`: what is left of the one under way.

    It has an end, as nobody buys back what they have sold in it.
    """
    s, seats = sketch.s, len(sketch.seats)
    if not first:
        sketch.barred = [set() for _ in sketch.seats]
    start = sketch.seats.index(s.up) if first else sketch.clock % seats
    turns = [(start + offset) % seats for offset in range(seats)]
    horizon = _horizon(sketch)
    awake = set(turns) - ({sketch.passed} if first else set())
    waits = first and s.bought
    active = True
    while active:
        active = False
        for seat in turns:
            if waits:
                waits = False
            elif seat in awake and _buys(sketch, seat, horizon):
                active = True
            else:
                awake.discard(seat)
    _raise_sold_out(sketch)


def _raise_sold_out(sketch: Sketch) -> None:
    for firm in sketch.firms:
        if firm.at and firm.floated and sum(firm.held) == firm.shares and len(sketch.t.market.rows) > 1:
            sketch.move(firm, (max(firm.at[0] - 1, 0), firm.at[1]))


def _horizon(sketch: Sketch) -> float:
    """How many operating rounds are thought to be left."""
    flow = sum(max(firm.ran, sketch.income(firm), 50.0) for firm in sketch.firms if firm.floated) or 50.0
    left = max(sketch.bank, 0.0) / (flow * 1.6 + 60)
    last = sketch.t.policy.milestones.last_turn
    return min(left, FARTHEST, 99 if last is None else 3.0 * (last - sketch.s.turn + 1)) + 1.0


def _buys(sketch: Sketch, seat: int, horizon: float) -> bool:
    """Whether the seat starts a company or buys a share."""
    cash = sketch.cash[seat]
    if cash <= 0:
        return False
    waiting = next((firm for firm in sketch.firms if firm.head == seat and firm.par and not firm.floated), None)
    if sketch.certs[seat] >= sketch.cert_limit:
        if waiting is None:
            return _starts_first(sketch, seat, cash, horizon) and _starts(sketch, seat, cash)
        if not waiting.ipo or waiting.par > cash or not _makes_room(sketch, seat, 1):
            return False
    if waiting is None and _starts_first(sketch, seat, cash, horizon) and _starts(sketch, seat, cash):
        return True
    firms = [waiting] if waiting is not None and waiting.ipo and waiting.par <= cash else sketch.firms
    best = _best(sketch, firms, seat, horizon)
    if best is None:
        return _starts(sketch, seat, cash)
    firm, new = best
    _take(sketch, firm, seat, new=new)
    return True


def _starts_first(sketch: Sketch, seat: int, cash: float, horizon: float) -> bool:
    """Whether the seat would rather start a company than buy a share: its first, or one that it can float alone."""
    if not any(firm.head == seat for firm in sketch.firms):
        return True
    cheapest = sketch.facts.pars[0][0]
    needed = min((max(firm.lead, firm.needed) for firm in sketch.firms if _startable(firm)), default=99)
    return horizon >= ANOTHER and cash >= needed * cheapest


def _startable(firm: Firm) -> bool:
    return not (firm.par or firm.minor or firm.floated) and firm.head < 0 and firm.ipo + sum(firm.held) == firm.shares


def _best(sketch: Sketch, firms: list[Firm], seat: int, horizon: float) -> tuple[Firm, bool] | None:
    """The share that promises most: of which company, and whether from the initial offering; else from the pool."""
    best, highest = None, LEAST
    limit = sketch.t.policy.holdings.holding_limit
    for firm in firms:
        if firm.minor or not firm.price or firm.held[seat] >= limit or firm.corp in sketch.barred[seat]:
            continue
        for new, left, cost in ((True, firm.ipo, firm.par), (False, firm.pool, firm.price)):
            if left and cost <= sketch.cash[seat]:
                rate = (_promise(sketch, firm, horizon, seat) - cost) / cost
                if rate > highest:
                    best, highest = (firm, new), rate
    return best


def _take(sketch: Sketch, firm: Firm, seat: int, *, new: bool) -> None:
    cost = firm.par if new else firm.price
    sketch.cash[seat] -= cost
    sketch.bank += cost
    sketch.certs[seat] += 1
    firm.held[seat] += 1
    if new:
        firm.ipo -= 1
        firm.needed -= 1
        if firm.needed <= 0 and not firm.floated:
            _float(sketch, firm)
    else:
        firm.pool -= 1
    if firm.head < 0 or firm.held[seat] > firm.held[firm.head]:
        _preside(sketch, firm, seat)


def _preside(sketch: Sketch, firm: Firm, seat: int) -> None:
    """The seat gets the president's certificate, one for several shares."""
    if firm.head >= 0:
        sketch.certs[firm.head] += firm.lead - 1
    sketch.certs[seat] -= firm.lead - 1
    firm.head = seat


def _float(sketch: Sketch, firm: Firm) -> None:
    firm.floated = True
    firm.cash = firm.shares * firm.par
    if sketch.facts.banked:
        sketch.bank -= firm.cash


def _promise(sketch: Sketch, firm: Firm, horizon: float, seat: int) -> float:
    """What a share is thought to bring until the end: dividends and its price then."""
    if firm.floated and firm.trains:
        flow = grown(sketch.facts, firm.base, firm.reach, firm.stop, sketch.clock + int(horizon / 2))
    else:
        train = sketch.on_sale()
        reach = sketch.facts.trains[train].reach if train >= 0 else 5
        flow = reach * (18 + GROWTH * (sketch.clock + horizon / 2))
        flow = min(flow, 90 + 9 * horizon) * (0.85 if firm.floated or firm.head == seat else 0.55)
    return flow * firm.division * horizon * 0.85 + firm.price + 9 * min(horizon, 9)


def _starts(sketch: Sketch, seat: int, cash: float) -> bool:
    """Whether the seat starts a company: as highly as it can float it alone, and another one if it has the money for
    two; else as cheaply as others will join."""
    for firm in sorted(sketch.firms, key=lambda firm: -firm.stop):
        if not _startable(firm):
            continue
        needed = max(firm.lead, min(firm.needed, firm.shares))
        par = _par(sketch, firm.lead, needed, cash)
        if par is None or not _makes_room(sketch, seat, needed - firm.lead + 1):
            return False
        price, row, col = par
        firm.par = price
        sketch.move(firm, (row, col))
        firm.held[seat] += firm.lead
        firm.ipo -= firm.lead
        firm.needed -= firm.lead
        firm.head = seat
        sketch.cash[seat] -= firm.lead * price
        sketch.bank += firm.lead * price
        sketch.certs[seat] += 1
        return True
    return False


def _makes_room(sketch: Sketch, seat: int, count: int) -> bool:
    """Whether the seat has room for so many more certificates, if it sells others."""
    while sketch.certs[seat] + count > sketch.cert_limit:
        if not sell_one(sketch, seat):
            return False
    return True


def _par(sketch: Sketch, lead: int, needed: int, cash: float) -> tuple[int, int, int] | None:
    """At what price and where it starts; None if it does not. Money is left for a second company where presidents pay
    for trains: elsewhere a right to choose first would be worth less the more there is to choose from."""
    pars = sketch.facts.pars
    cheapest = pars[0]
    alone = [par for par in pars if par[0] * needed <= cash]
    if alone:
        two = [par for par in alone if (par[0] + cheapest[0]) * needed <= cash]
        return (two if two and sketch.facts.presidents_pay else alone)[-1]
    others = sum(sketch.cash) - cash
    joined = lead * cheapest[0] <= cash and cheapest[0] * needed <= cash + JOINED * others
    return cheapest if joined else None
