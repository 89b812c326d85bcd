"""A stock round in a sketch: everybody in turn starts a company or buys the share that promises most."""

from dataclasses import dataclass

from opponents.growth import GROWTH, grown
from opponents.scene import Firm, Scene

TURNS = 8
"""How many turns everybody has at most."""
LEAST = 0.15
"""What a share must promise above its price, as part of it."""
JOINED = 0.6
"""How much of their money others put into a company that somebody else has started, if it floats then."""
ANOTHER = 3.0
"""With how many operating rounds left somebody still starts another company."""
FARTHEST = 14.0
"""How many operating rounds are looked ahead at most."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A share for sale."""

    firm: Firm
    new: bool
    """From the initial offering, not from the pool."""

    @property
    def cost(self) -> int:
        """What it costs."""
        return self.firm.par if self.new else self.firm.price

    @property
    def left(self) -> int:
        """How many there are."""
        return self.firm.ipo if self.new else self.firm.pool


def trade(scene: Scene, *, first: bool = False) -> None:
    """A stock round; `first`: what is left of the one under way."""
    s, seats = scene.s, len(scene.seats)
    start = scene.seats.index(s.up) if first else scene.clock % seats
    turns = [(start + offset) % seats for offset in range(seats)]
    horizon = _horizon(scene)
    awake = set(turns) - ({scene.passed} if first else set())
    waits = first and s.bought
    for _ in range(TURNS):
        active = False
        for seat in turns:
            if waits:
                waits = False
            elif seat in awake and _buys(scene, seat, horizon):
                active = True
            else:
                awake.discard(seat)
        if not active:
            break
    scene.barred = []
    _raise_sold_out(scene)


def _raise_sold_out(scene: Scene) -> None:
    for firm in scene.firms:
        if firm.at and firm.floated and sum(firm.held) == firm.shares and len(scene.t.market.rows) > 1:
            scene.move(firm, (max(firm.at[0] - 1, 0), firm.at[1]))


def _horizon(scene: Scene) -> float:
    """How many operating rounds are thought to be left."""
    flow = sum(max(firm.ran, scene.income(firm), 50.0) for firm in scene.firms if firm.floated) or 50.0
    left = max(scene.bank, 0.0) / (flow * 1.6 + 60)
    last = scene.t.policy.course.last_turn
    return min(left, FARTHEST, 99 if last is None else 3.0 * (last - scene.s.turn + 1)) + 1.0


def _buys(scene: Scene, seat: int, horizon: float) -> bool:
    """Whether the seat starts a company or buys a share."""
    cash = scene.cash[seat]
    if scene.certs[seat] >= scene.cert_limit or cash <= 0:
        return False
    waiting = next((firm for firm in scene.firms if firm.head == seat and firm.par and not firm.floated), None)
    if waiting is None and _starts_first(scene, seat, cash, horizon) and _starts(scene, seat, cash):
        return True
    if waiting is not None and waiting.ipo and waiting.par <= cash:
        offers = [Offer(waiting, new=True), Offer(waiting, new=False)]
    else:
        barred = scene.barred[seat] if scene.barred else ()
        offers = [Offer(firm, new) for firm in scene.firms if firm.corp not in barred for new in (True, False)]
    best = _best(scene, offers, seat, horizon)
    if best is None:
        return _starts(scene, seat, cash)
    _take(scene, best, seat)
    return True


def _starts_first(scene: Scene, seat: int, cash: float, horizon: float) -> bool:
    """Whether the seat would rather start a company than buy a share: its first, or one that it can float alone."""
    if not any(firm.head == seat for firm in scene.firms):
        return True
    cheapest = scene.facts.pars[0][0]
    needed = min((max(firm.lead, firm.needed) for firm in scene.firms if _startable(firm)), default=99)
    return horizon >= ANOTHER and cash >= needed * cheapest


def _startable(firm: Firm) -> bool:
    return not (firm.par or firm.minor or firm.floated) and firm.head < 0 and firm.ipo == firm.shares


def _best(scene: Scene, offers: list[Offer], seat: int, horizon: float) -> Offer | None:
    best, highest = None, LEAST
    limit = scene.t.policy.holdings.holding_limit
    for offer in offers:
        firm, cost = offer.firm, offer.cost
        if firm.minor or not firm.price or not offer.left or cost > scene.cash[seat] or firm.held[seat] >= limit:
            continue
        rate = (_promise(scene, firm, horizon, seat) - cost) / cost
        if rate > highest:
            best, highest = offer, rate
    return best


def _take(scene: Scene, offer: Offer, seat: int) -> None:
    firm, cost = offer.firm, offer.cost
    scene.cash[seat] -= cost
    scene.bank += cost
    scene.certs[seat] += 1
    firm.held[seat] += 1
    if offer.new:
        firm.ipo -= 1
        firm.needed -= 1
        if firm.needed <= 0 and not firm.floated:
            _float(scene, firm)
    else:
        firm.pool -= 1
    if firm.head < 0 or firm.held[seat] > firm.held[firm.head]:
        firm.head = seat


def _float(scene: Scene, firm: Firm) -> None:
    firm.floated = True
    firm.cash = firm.shares * firm.par
    if scene.facts.banked:
        scene.bank -= firm.cash


def _promise(scene: Scene, firm: Firm, horizon: float, seat: int) -> float:
    """What a share is thought to bring until the end: dividends and its price then."""
    if firm.floated and firm.trains:
        flow = grown(scene.facts, firm.base, firm.reach, firm.stop, scene.clock + int(horizon / 2))
    else:
        train = scene.on_sale()
        reach = scene.facts.trains[train].reach if train >= 0 else 5
        flow = reach * (18 + GROWTH * (scene.clock + horizon / 2))
        flow = min(flow, 90 + 9 * horizon) * (0.85 if firm.floated or firm.head == seat else 0.55)
    return flow * firm.division * horizon * 0.85 + firm.price + 9 * min(horizon, 9)


def _starts(scene: Scene, seat: int, cash: float) -> bool:
    """Whether the seat starts a company: as highly as it can float it alone, else as cheaply as others will join."""
    for firm in sorted(scene.firms, key=lambda firm: -firm.stop):
        if not _startable(firm):
            continue
        needed = max(firm.lead, min(firm.needed, firm.shares))
        par = _par(scene, firm.lead, needed, cash)
        if par is None or scene.certs[seat] + needed - firm.lead + 1 > scene.cert_limit:
            return False
        price, row, col = par
        firm.par = firm.price = price
        firm.at = (row, col)
        firm.held[seat] += firm.lead
        firm.ipo -= firm.lead
        firm.needed -= firm.lead
        firm.head = seat
        scene.cash[seat] -= firm.lead * price
        scene.bank += firm.lead * price
        scene.certs[seat] += 1
        return True
    return False


def _par(scene: Scene, lead: int, needed: int, cash: float) -> tuple[int, int, int] | None:
    pars = scene.facts.pars
    alone = [par for par in pars if par[0] * needed <= cash]
    if alone:
        return alone[-1]
    others = sum(scene.cash) - cash
    cheapest = pars[0]
    joined = lead * cheapest[0] <= cash and cheapest[0] * needed <= cash + JOINED * others
    return cheapest if joined else None
