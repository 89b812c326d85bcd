"""An operating round in a sketch: companies run, pay out or save, and buy trains and privates when they can."""

from engine.ids import PlayerId, PrivateId
from opponents.sketch import Firm, Sketch, turn_left

BOUGHT = 3
"""How many trains a company gathers in one turn at most."""


def operate(sketch: Sketch, *, first: bool = False) -> None:
    """An operating round; `first`: what is left of the one under way, in which the company whose turn it is buys no
    train."""
    s = sketch.s
    ran = first and turn_left(sketch.t, s) < 2
    if not first:
        _pay_privates(sketch)
    for firm in _order(sketch, first=first):
        turn = first and firm.corp == s.operating
        if not (ran and turn):
            _run(sketch, firm, first=first)
        if not turn:
            buy_trains(sketch, firm)
        if firm.head >= 0 and not firm.minor and sketch.t.phases[sketch.phase].buys_privates:
            _buy_privates(sketch, firm)
    sketch.clock += 1
    if sketch.bank < 0:
        sketch.broken = True


def _order(sketch: Sketch, *, first: bool) -> list[Firm]:
    s = sketch.s
    if first:
        queue = [*([s.operating] if s.operating is not None else []), *s.queue]
        by_corp = {firm.corp: firm for firm in sketch.firms}
        return [by_corp[corp] for corp in queue if corp in by_corp]
    order = sorted((firm for firm in sketch.firms if firm.floated), key=lambda firm: _rank(sketch, firm))
    return sorted(order, key=lambda firm: not firm.minor)


def _rank(sketch: Sketch, firm: Firm) -> tuple[int, ...]:
    """Share price order, as `market.in_order` has it; by price alone where presidents need not pay for trains: who buys
    first there depends on money that the sketch does not know.
    """
    if firm.at is None or not sketch.facts.presidents_pay:
        return (-firm.price,)
    return -firm.price, -firm.at[1], firm.arrived


def _pay_privates(sketch: Sketch) -> None:
    for _, owner, income in sketch.privates:
        if owner in sketch.s.names:
            sketch.cash[sketch.seats.index(PlayerId(owner))] += income
            sketch.bank -= income
        else:
            for firm in sketch.firms:
                if firm.corp == owner:
                    firm.cash += income


# Dividends


def _run(sketch: Sketch, firm: Firm, *, first: bool) -> None:
    prices = sketch.t.policy.prices
    known = first and firm.corp == sketch.s.operating and sketch.s.step == "dividend"
    gained = float(sketch.s.income) if known else sketch.income(firm)
    firm.ran = gained
    if not firm.trains:
        firm.cash += sketch.facts.rent(sketch.on_sale(), firm.cash, len(firm.sums) - 1)
    if firm.minor:
        _pay_half(sketch, firm, gained)
    elif firm.at is not None and gained <= 0:
        sketch.move(firm, prices.unpaid(sketch.t, firm.at))
    elif firm.at is not None and _saves(sketch, firm, gained):
        firm.cash += int(gained)
        if sketch.facts.banked:
            sketch.bank -= gained
        sketch.move(firm, prices.unpaid(sketch.t, firm.at))
    elif firm.at is not None:
        _pay_out(sketch, firm, gained)
        sketch.move(firm, prices.paid(sketch.t, firm.at, int(gained)))


def _pay_half(sketch: Sketch, firm: Firm, gained: float) -> None:
    """A minor company pays half to its owner and keeps half."""
    if firm.head >= 0:
        sketch.cash[firm.head] += gained / 2
    firm.cash += int(gained / 2)
    sketch.bank -= gained


def _pay_out(sketch: Sketch, firm: Firm, gained: float) -> None:
    each = gained * firm.division
    out = 0.0
    for seat, held in enumerate(firm.held):
        if held:
            sketch.cash[seat] += each * held
            out += each * held
    kept = gained - firm.shares * each + (each * firm.pool if sketch.facts.banked else 0.0)
    firm.cash += int(kept)
    sketch.bank -= out + (kept if sketch.facts.banked else 0.0)


def _saves(sketch: Sketch, firm: Firm, gained: float) -> bool:
    """Whether the company keeps its revenue: its last trains are about to rust, and saving pays for the next."""
    rank = sketch.on_sale()
    if rank < 0:
        return False
    train = sketch.facts.trains[rank]
    if firm.cash >= train.price or firm.cash + gained < train.price:
        return False
    if not firm.trains:
        return True
    following = next((other for other in range(rank + 1, len(sketch.depot)) if sketch.depot[other] > 0), -1)
    soon = {rank} if train.phase > sketch.phase else set()
    if sketch.depot[rank] <= 2 and following >= 0:
        soon.add(following)
    return all(sketch.facts.trains[own].rusted_by in soon for own in firm.trains)


def _buy_privates(sketch: Sketch, firm: Firm) -> None:
    """The company takes over the privates of its president, as dearly as it may, if it can spare the money."""
    rank = sketch.on_sale()
    spare = firm.cash - (sketch.facts.trains[rank].price if rank >= 0 and not firm.trains else 0)
    seat = sketch.seats[firm.head]
    for entry in sketch.privates:
        high = sketch.facts.private_prices.get(PrivateId(entry[0]), 0)
        if entry[1] == seat and 0 < high <= spare:
            entry[1] = firm.corp
            sketch.certs[firm.head] -= 1
            firm.cash -= high
            spare -= high
            sketch.cash[firm.head] += high


# Trains


def buy_trains(sketch: Sketch, firm: Firm) -> None:
    """Buy what is cheapest while there is money, or one train with the president's help."""
    trains = sketch.facts.trains
    for bought in range(BOUGHT):
        rank = sketch.on_sale()
        used = sketch.pool[0] if sketch.pool else -1
        from_pool = used >= 0 and (rank < 0 or trains[used].price <= trains[rank].price)
        if from_pool and rank >= 0 and trains[rank].price <= firm.cash and _rusts_soon(sketch, used):
            from_pool = False
        choice = used if from_pool else rank
        if choice < 0 or (bought and len(firm.trains) >= BOUGHT) or not _affords(sketch, firm, choice, used=from_pool):
            return
        firm.cash -= trains[choice].price
        if sketch.facts.banked:
            sketch.bank += trains[choice].price
        if from_pool:
            sketch.pool.pop(0)
        else:
            sketch.depot[choice] -= 1
        firm.trains = sorted([*firm.trains, choice])
        if not from_pool and trains[choice].phase > sketch.phase:
            _begin_phase(sketch, choice, sketch.clock)
        firm.trains_changed()


def _affords(sketch: Sketch, firm: Firm, rank: int, *, used: bool) -> bool:
    """Whether the company may and can buy the train; the president puts in what is missing for the first one."""
    price = sketch.facts.trains[rank].price
    if not firm.trains:
        return price <= firm.cash or _helped(sketch, firm, price)
    if len(firm.trains) >= _limit(sketch, firm) or price > firm.cash:
        return False
    return not (used and _rusts_soon(sketch, rank))


def _limit(sketch: Sketch, firm: Firm) -> int:
    return sketch.t.phases[sketch.phase].train_limit.get(firm.kind, 2)


def _rusts_soon(sketch: Sketch, rank: int) -> bool:
    by = sketch.facts.trains[rank].rusted_by
    return by >= 0 and sketch.on_sale() >= by - 1


def _helped(sketch: Sketch, firm: Firm, price: int) -> bool:
    """The president pays what is missing, if the title asks for that."""
    if not sketch.facts.presidents_pay or firm.head < 0 or firm.minor:
        return False
    missing = price - firm.cash
    if sketch.raises:
        _raise(sketch, firm.head, missing)
    sketch.cash[firm.head] -= missing
    firm.cash = price
    return True


def _raise(sketch: Sketch, seat: int, amount: float) -> None:
    """The seat sells shares until it has the amount, or has none left that it can sell."""
    while sketch.cash[seat] < amount and sell_one(sketch, seat):
        pass


def sell_one(sketch: Sketch, seat: int) -> bool:
    """Whether the seat can sell a share, and has: one that earns least for its price, of its own companies last."""
    offered = [firm for firm in sketch.firms if _sellable(sketch, firm, seat)]
    if not offered:
        return False
    firm = min(offered, key=lambda firm: (firm.head == seat, sketch.income(firm) * firm.division / firm.price))
    firm.held[seat] -= 1
    firm.pool += 1
    sketch.certs[seat] -= 1
    sketch.cash[seat] += firm.price
    sketch.bank -= firm.price
    sketch.barred[seat].add(firm.corp)
    assert firm.at is not None
    sketch.move(firm, sketch.t.policy.prices.unpaid(sketch.t, firm.at))
    return True


def _sellable(sketch: Sketch, firm: Firm, seat: int) -> bool:
    """Whether the market takes a share of the company that the seat has; presidents stay what they are."""
    left = firm.held[seat] - 1
    if left < 0 or firm.at is None or not firm.price or firm.pool >= sketch.t.policy.holdings.pool_limit:
        return False
    return firm.head != seat or left >= max(firm.lead, *(held for other, held in enumerate(firm.held) if other != seat))


def end_set(sketch: Sketch) -> None:
    """After a set of operating rounds the bank's next train leaves the game, if its rank does."""
    rank = sketch.on_sale()
    if rank < 0 or list(sketch.t.trains)[rank] not in sketch.t.policy.trains.exported:
        return
    sketch.depot[rank] -= 1
    if sketch.facts.trains[rank].phase > sketch.phase:
        _begin_phase(sketch, rank, sketch.clock - 1)


def _begin_phase(sketch: Sketch, rank: int, clock: int) -> None:
    """The phase that a train of the rank begins, after it has come in that operating round."""
    sketch.phase = sketch.facts.trains[rank].phase
    for other, train in enumerate(sketch.facts.trains):
        if train.rusted_by == rank:
            _rust(sketch, other, clock)
    for firm in sketch.firms:
        while len(firm.trains) > _limit(sketch, firm):
            sketch.pool = sorted([*sketch.pool, firm.trains[0]])
            firm.trains = firm.trains[1:]
            firm.trains_changed()
    if sketch.phase >= sketch.facts.closing:
        _close_privates(sketch)


def _rust(sketch: Sketch, rank: int, clock: int) -> None:
    sketch.rusts.setdefault(rank, clock)
    sketch.depot[rank] = 0
    sketch.pool = [own for own in sketch.pool if own != rank]
    for firm in sketch.firms:
        if rank in firm.trains:
            firm.trains = [own for own in firm.trains if own != rank]
            firm.trains_changed()


def _close_privates(sketch: Sketch) -> None:
    """Those go that pay, but for the ones that survive."""
    t, left = sketch.t, sketch.facts.survivors
    never = sketch.facts.closing >= len(t.phases)
    kept = []
    for private, owner, _ in sketch.privates:
        if PrivateId(private) in left or never or not t.privates[PrivateId(private)].revenue:
            kept.append([private, owner, left.get(PrivateId(private), 0)])
        elif owner in sketch.s.names:
            sketch.certs[sketch.seats.index(PlayerId(owner))] -= 1
    sketch.privates = kept
