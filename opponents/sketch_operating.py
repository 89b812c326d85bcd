"""An operating round in a sketch: companies run, pay out or save, and buy trains and privates when they can."""

from engine.ids import PlayerId, PrivateId
from opponents.scene import Firm, Scene

BOUGHT = 3
"""How many trains a company gathers in one turn at most."""


def operate(scene: Scene, *, first: bool = False) -> None:
    """An operating round; `first`: what is left of the one under way, in which the company whose turn it is buys no
    train."""
    s = scene.s
    ran = first and _already_ran(scene)
    if not first:
        _pay_privates(scene)
    for firm in _order(scene, first=first):
        turn = first and firm.corp == s.operating
        if not (ran and turn):
            _run(scene, firm, first=first)
        if not turn:
            buy_trains(scene, firm)
        if firm.head >= 0 and not firm.minor and scene.facts.sells_privates[scene.phase]:
            _buy_privates(scene, firm)
    scene.clock += 1
    if scene.bank < 0:
        scene.broken = True


def _order(scene: Scene, *, first: bool) -> list[Firm]:
    s = scene.s
    if first:
        queue = [*([s.operating] if s.operating is not None else []), *s.queue]
        by_corp = {firm.corp: firm for firm in scene.firms}
        return [by_corp[corp] for corp in queue if corp in by_corp]
    order = sorted((firm for firm in scene.firms if firm.floated), key=lambda firm: -firm.price)
    return sorted(order, key=lambda firm: not firm.minor)


def _already_ran(scene: Scene) -> bool:
    """Whether the operating company has paid out or withheld in its turn."""
    s = scene.s
    if s.operating is None:
        return False
    steps = list(scene.t.rounds[s.round].by_name)
    return s.step not in steps or steps.index(s.step) > steps.index("dividend")


def _pay_privates(scene: Scene) -> None:
    for _, owner, income in scene.privates:
        if owner in scene.s.names:
            scene.cash[scene.seats.index(PlayerId(owner))] += income
            scene.bank -= income
        else:
            for firm in scene.firms:
                if firm.corp == owner:
                    firm.cash += income


# Dividends


def _run(scene: Scene, firm: Firm, *, first: bool) -> None:
    prices = scene.t.policy.prices
    known = first and firm.corp == scene.s.operating and scene.s.step == "dividend"
    gained = float(scene.s.income) if known else scene.income(firm)
    firm.ran = gained
    if firm.minor:
        _pay_half(scene, firm, gained)
    elif firm.at is not None and gained <= 0:
        scene.move(firm, prices.unpaid(scene.t, firm.at))
    elif firm.at is not None and _saves(scene, firm, gained):
        firm.cash += int(gained)
        if scene.facts.banked:
            scene.bank -= gained
        scene.move(firm, prices.unpaid(scene.t, firm.at))
    elif firm.at is not None:
        _pay_out(scene, firm, gained)
        scene.move(firm, prices.paid(scene.t, firm.at, int(gained)))


def _pay_half(scene: Scene, firm: Firm, gained: float) -> None:
    """A minor company pays half to its owner and keeps half."""
    if firm.head >= 0:
        scene.cash[firm.head] += gained / 2
    firm.cash += int(gained / 2)
    scene.bank -= gained


def _pay_out(scene: Scene, firm: Firm, gained: float) -> None:
    each = gained * firm.division
    out = 0.0
    for seat, held in enumerate(firm.held):
        if held:
            scene.cash[seat] += each * held
            out += each * held
    kept = gained - firm.shares * each + (each * firm.pool if scene.facts.banked else 0.0)
    firm.cash += int(kept)
    scene.bank -= out + (kept if scene.facts.banked else 0.0)


def _saves(scene: Scene, firm: Firm, gained: float) -> bool:
    """Whether the company keeps its revenue: its last trains are about to rust, and saving pays for the next."""
    rank = scene.on_sale()
    if rank < 0:
        return False
    train = scene.facts.trains[rank]
    if firm.cash >= train.price or firm.cash + gained < train.price:
        return False
    if not firm.trains:
        return True
    following = next((other for other in range(rank + 1, len(scene.depot)) if scene.depot[other] > 0), -1)
    soon = {rank} if train.phase > scene.phase else set()
    if scene.depot[rank] <= 2 and following >= 0:
        soon.add(following)
    return all(scene.facts.trains[own].rusted_by in soon for own in firm.trains)


def _buy_privates(scene: Scene, firm: Firm) -> None:
    """The company takes over the privates of its president, as dearly as it may, if it can spare the money."""
    rank = scene.on_sale()
    spare = firm.cash - (scene.facts.trains[rank].price if rank >= 0 and not firm.trains else 0)
    seat = scene.seats[firm.head]
    for entry in scene.privates:
        high = scene.facts.private_prices.get(PrivateId(entry[0]), 0)
        if entry[1] == seat and 0 < high <= spare:
            entry[1] = firm.corp
            firm.cash -= high
            spare -= high
            scene.cash[firm.head] += high


# Trains


def buy_trains(scene: Scene, firm: Firm) -> None:
    """Buy what is cheapest while there is money, or one train with the president's help."""
    trains = scene.facts.trains
    for bought in range(BOUGHT):
        rank = scene.on_sale()
        used = scene.pool[0] if scene.pool else -1
        from_pool = used >= 0 and (rank < 0 or trains[used].price <= trains[rank].price)
        if from_pool and rank >= 0 and trains[rank].price <= firm.cash and _rusts_soon(scene, used):
            from_pool = False
        choice = used if from_pool else rank
        if choice < 0 or (bought and len(firm.trains) >= BOUGHT) or not _affords(scene, firm, choice, used=from_pool):
            return
        firm.cash -= trains[choice].price
        if scene.facts.banked:
            scene.bank += trains[choice].price
        if from_pool:
            scene.pool.pop(0)
        else:
            scene.depot[choice] -= 1
        firm.trains = sorted([*firm.trains, choice])
        if not from_pool and trains[choice].phase > scene.phase:
            _begin_phase(scene, choice)
        scene.trains_changed(firm)


def _affords(scene: Scene, firm: Firm, rank: int, *, used: bool) -> bool:
    """Whether the company may and can buy the train; the president puts in what is missing for the first one."""
    price = scene.facts.trains[rank].price
    if not firm.trains:
        return price <= firm.cash or _helped(scene, firm, price)
    if len(firm.trains) >= _limit(scene, firm) or price > firm.cash:
        return False
    return not (used and _rusts_soon(scene, rank))


def _limit(scene: Scene, firm: Firm) -> int:
    return scene.facts.limits[scene.phase].get(firm.kind, 2)


def _rusts_soon(scene: Scene, rank: int) -> bool:
    by = scene.facts.trains[rank].rusted_by
    return by >= 0 and scene.on_sale() >= by - 1


def _helped(scene: Scene, firm: Firm, price: int) -> bool:
    """The president pays what is missing, if the title asks for that."""
    if not scene.facts.presidents_pay or firm.head < 0 or firm.minor:
        return False
    missing = price - firm.cash
    if scene.raises:
        _raise(scene, firm.head, missing)
    scene.cash[firm.head] -= missing
    firm.cash = price
    return True


def _raise(scene: Scene, seat: int, amount: float) -> None:
    """The seat sells shares until it has the amount, or has none left that it can sell: those first that earn least for
    their price, those of its own companies last."""
    while scene.cash[seat] < amount:
        offered = [firm for firm in scene.firms if _sellable(scene, firm, seat)]
        if not offered:
            return
        firm = min(offered, key=lambda firm: (firm.head == seat, scene.income(firm) * firm.division / firm.price))
        firm.held[seat] -= 1
        firm.pool += 1
        scene.certs[seat] -= 1
        scene.cash[seat] += firm.price
        scene.bank -= firm.price
        assert firm.at is not None
        scene.move(firm, scene.t.policy.prices.unpaid(scene.t, firm.at))


def _sellable(scene: Scene, firm: Firm, seat: int) -> bool:
    """Whether the market takes a share of the company that the seat has; presidents stay what they are."""
    left = firm.held[seat] - 1
    if left < 0 or firm.at is None or not firm.price or firm.pool >= scene.t.policy.holdings.pool_limit:
        return False
    return firm.head != seat or left >= max(firm.lead, *(held for other, held in enumerate(firm.held) if other != seat))


def _begin_phase(scene: Scene, rank: int) -> None:
    scene.phase = scene.facts.trains[rank].phase
    for other, train in enumerate(scene.facts.trains):
        if train.rusted_by == rank:
            _rust(scene, other)
    for firm in scene.firms:
        while len(firm.trains) > _limit(scene, firm):
            scene.pool = sorted([*scene.pool, firm.trains[0]])
            firm.trains = firm.trains[1:]
            scene.trains_changed(firm)
    if scene.phase >= scene.facts.closing:
        _close_privates(scene)


def _rust(scene: Scene, rank: int) -> None:
    scene.rusts.setdefault(rank, scene.clock)
    scene.depot[rank] = 0
    scene.pool = [own for own in scene.pool if own != rank]
    for firm in scene.firms:
        if rank in firm.trains:
            firm.trains = [own for own in firm.trains if own != rank]
            scene.trains_changed(firm)


def _close_privates(scene: Scene) -> None:
    """Those go that pay, but for the ones that survive."""
    t, left = scene.t, scene.facts.survivors
    never = scene.facts.closing >= len(t.phases)
    scene.privates = [
        [private, owner, left.get(PrivateId(private), 0)]
        for private, owner, _ in scene.privates
        if PrivateId(private) in left or never or not t.privates[PrivateId(private)].revenue
    ]
