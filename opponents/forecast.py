"""How a game may go on: a quick sketch of all rounds to come, from which everybody's final worth is read.

Companies run for what their trains and map promise, pay out, and buy trains when they can; players buy the shares that
promise most. Nothing is drawn by lot. The sketch is no set of rules: it only has to tell good positions from bad ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine import BANK, CLOSED, IPO, POOL, State, Title
from engine.ids import OR, SR, CorpId, PlayerId, PrivateId
from engine.money import free_cash
from engine.shares import certificates
from opponents.earning import revenue, stop_values
from opponents.facts import TitleFacts, facts_of

LONGEST = 34
"""Operating rounds after which the sketch stops."""
FADE = (1.0, 0.9, 0.75, 0.6, 0.5, 0.4)
"""What the first, second, third ... train of a company brings of what it would bring alone."""
GROWTH = 2.0
"""By how much an average stop gets more valuable from one operating round to the next."""
PLAIN = 21.0
"""What an average stop brings at the start."""
RAMP = tuple(1 - 0.68**clock for clock in range(80))
"""How far a company has built, after so many operating rounds, what its trains can use."""
JOIN = 0.86
"""What a train brings of the stops that it could call at one by one."""
NEED = 1.4
"""What money weighs that a president has not got and must pay all the same."""


@dataclass(slots=True)
class Firm:
    """A company in the sketch."""

    corp: CorpId
    at: tuple[int, int] | None
    price: int
    cash: int
    trains: list[int]
    held: list[int]
    """Tenths by seat."""
    ipo: int
    pool: int
    head: int
    """The seat of the president; -1 if there is none."""
    floated: bool
    needed: int
    """Tenths that must be sold before it floats."""
    par: int
    kind: str
    minor: bool
    division: float
    """What of the revenue a tenth gets."""
    values: tuple[int, ...]
    sums: list[int]
    fit: float = 0.9
    """Its revenue of today as part of what the model says."""
    stop: float = PLAIN
    """What an average stop brings it."""
    base: float = 0.0
    """What its trains earn on the map of today."""
    reach: float = 0.0
    """Stops that its trains call at together, those of further trains counted less."""
    ran: float = 0.0
    """Revenue of its last turn."""
    paid: float = 0.0
    """All that it has paid out since."""


@dataclass(slots=True)
class Sketch:
    """The result: worth of each seat at the end, and when things happen, in operating rounds from now."""

    worth: list[float]
    rounds: int = 0
    rusts: dict[int, int] = field(default_factory=dict)
    """By place of the rank, after how many operating rounds it rusts."""
    sale: list[int] = field(default_factory=list)
    """By operating round from now, the place of the rank on sale at its end; -1 if there is none."""
    phases: list[int] = field(default_factory=list)
    """By operating round from now, the phase at its end."""


def average_stop(values: tuple[int, ...]) -> float:
    """What an average stop brings that a company calls at, from the values of those that it reaches."""
    best = values[:6]
    return max(PLAIN, sum(best) / len(best)) if len(best) > 2 else PLAIN


def lengths(facts: TitleFacts, trains: list[int], sums: list[int]) -> tuple[float, float]:
    """What the trains may earn of stops with these sums of values, and how many stops they call at together."""
    base = reaches = 0.0
    count = len(sums) - 1
    for number, train in enumerate(reversed(trains)):
        reach = facts.trains[train].reach
        fade = FADE[min(number, 5)]
        whole = int(reach)
        base += fade * (
            sums[min(whole, count)] + ((reach - whole) * (sums[whole + 1] - sums[whole]) if whole < count else 0.0)
        )
        reaches += fade * reach
    return JOIN * base, JOIN * reaches


def grown(facts: TitleFacts, base: float, reach: float, stop: float, clock: int) -> float:
    """What trains earn after so many operating rounds, as the map is built up to what they can use."""
    promised = reach * min(stop + GROWTH * clock, max(facts.stop_most, stop))
    return base + max(0.0, promised - base) * RAMP[clock]


class Forecast:
    """One sketch of the rounds to come."""

    def __init__(self, t: Title, s: State, passive: PlayerId | None = None, *, idle: bool = False) -> None:
        """`passive` is a seat that has just passed: it buys nothing more in this stock round. `idle`: the company whose
        turn it is buys no train in it."""
        self.idle = idle
        self.t, self.s = t, s
        self.facts: TitleFacts = facts_of(t)
        self.seats = list(s.players)
        self.cash: list[float] = [free_cash(s, seat) if not s.contested else s.cash[seat] for seat in self.seats]
        self.bound = [s.cash[seat] - self.cash[index] for index, seat in enumerate(self.seats)]
        self.bank: float = s.cash[BANK]
        self.phase = s.phase
        self.depot = [s.depot.get(rank, known.count) for rank, known in zip(t.trains, self.facts.trains, strict=True)]
        place = self.facts.place
        self.pool = sorted(place[rank] for rank in s.train_pool)
        self.passive = self.seats.index(passive) if passive in self.seats else -1
        self.firms = [firm for corp in t.corporations if (firm := self._firm(corp)) is not None]
        self.privates: list[list[Any]] = [
            [private, owner, s.revenue.get(private, t.privates[private].revenue)]
            for private, owner in s.owner.items()
            if owner in s.names or owner in t.corporations
        ]
        self.certs = [certificates(t, s, seat) for seat in self.seats]
        limit = t.policy.holdings.cert_limit(t, s)
        self.cert_limit = limit
        self.sketch = Sketch([])
        self.broken = s.broken
        self.clock = 0
        self.barred = [s.sold.get(seat, frozenset()) for seat in self.seats] if s.round == SR else []
        """What each seat has sold in this stock round and cannot buy back."""

    # Companies

    def _firm(self, corp: CorpId) -> Firm | None:
        t, s = self.t, self.s
        held = s.shares[corp]
        minor = t.corporations[corp].certificate is not None
        if CLOSED in held or s.president[corp] == CLOSED or (minor and corp not in s.floated):
            return None
        at = s.cell.get(corp)
        cell = t.market.cell(*at) if at else None
        head = s.president[corp]
        values = stop_values(t, s, corp)
        sums = [0]
        for value in values:
            sums.append(sums[-1] + value)
        sold = t.policy.companies.float_count(t, s, corp)
        firm = Firm(
            corp, at, cell.price if cell else 0, s.cash[corp],
            sorted(self.facts.place[rank] for rank in s.trains[corp]),
            [held.get(seat, 0) for seat in self.seats], held.get(IPO, 0), held.get(POOL, 0),
            self.seats.index(PlayerId(head)) if head in s.names else -1,
            corp in s.floated, 99 if sold is None else t.corporations[corp].float_shares - sold,
            s.par.get(corp, 0), t.kind(corp), minor,
            0.05 if minor else t.policy.dividends.per_share(t, s, corp, 1000) / 1000, values, sums,
        )  # fmt: skip
        firm.stop = average_stop(values)
        self._trains_changed(firm)
        if s.trains[corp] and s.board.token_stops(corp):
            now = revenue(t, s, corp, tuple(sorted(s.trains[corp])))
            if firm.base > 0 and now:
                firm.fit *= min(1.3, max(0.4, now / firm.base))
                self._trains_changed(firm)
        return firm

    def _trains_changed(self, firm: Firm) -> None:
        firm.base, firm.reach = lengths(self.facts, firm.trains, firm.sums)
        firm.base *= firm.fit

    def income(self, firm: Firm) -> float:
        """What the company runs for in the present round of the sketch."""
        return grown(self.facts, firm.base, firm.reach, firm.stop, self.clock) if firm.trains else 0.0

    # The course

    def play(self) -> Sketch:
        """Sketch the game to its end."""
        s = self.s
        turn, number, count = s.turn, s.or_number, s.or_count
        if s.round == OR:
            self._operate(first=True)
            number += 1
        else:
            if s.round == SR:
                self._stock(first=True)
            number, count = 1, self.facts.rounds[self.phase]
        last = self.t.policy.course.last_turn or 99
        while self.clock < LONGEST:
            while number <= count and self.clock < LONGEST:
                self._operate()
                number += 1
                if self.broken and not self.facts.banked:
                    break
            if self.broken or turn >= last:
                break
            turn += 1
            self._stock()
            number, count = 1, self.facts.rounds[self.phase]
        self.sketch.rounds = self.clock
        self.sketch.worth = self._worth()
        return self.sketch

    def _worth(self) -> list[float]:
        t, s = self.t, self.s
        worth = [self.cash[seat] + self.bound[seat] for seat in range(len(self.seats))]
        for seat, value in enumerate(worth):
            if value < 0:
                worth[seat] = value * NEED
        for firm in self.firms:
            for seat, held in enumerate(firm.held):
                worth[seat] += held * firm.price
        for private, owner, _ in self.privates:
            if owner in s.names:
                worth[self.seats.index(PlayerId(owner))] += t.policy.privates.value(t, s, PrivateId(private))
        return worth

    def _operate(self, *, first: bool = False) -> None:
        """An operating round; `first`: what is left of the one under way."""
        s = self.s
        if first:
            queue = list(s.queue)
            ran = self._already_ran()
            if s.operating is not None:
                queue.insert(0, s.operating)
            by_corp = {firm.corp: firm for firm in self.firms}
            order = [by_corp[corp] for corp in queue if corp in by_corp]
        else:
            self._pay_privates()
            ran = False
            order = sorted((firm for firm in self.firms if firm.floated), key=lambda firm: -firm.price)
            order.sort(key=lambda firm: not firm.minor)
        for firm in order:
            if not (ran and firm.corp == s.operating):
                self._run(firm, first=first)
            if not (first and self.idle and firm.corp == s.operating):
                self._buy(firm)
            if firm.head >= 0 and not firm.minor and self.facts.sells_privates[self.phase]:
                self._buy_privates(firm)
        self.sketch.sale.append(self._on_sale())
        self.sketch.phases.append(self.phase)
        self.clock += 1
        if self.bank < 0:
            self.broken = True

    def _already_ran(self) -> bool:
        """Whether the operating company has paid out or withheld in its turn."""
        s = self.s
        if s.operating is None:
            return False
        steps = list(self.t.rounds[s.round].by_name)
        return s.step not in steps or steps.index(s.step) > steps.index("dividend")

    def _pay_privates(self) -> None:
        for _, owner, income in self.privates:
            if owner in self.s.names:
                self.cash[self.seats.index(PlayerId(owner))] += income
                self.bank -= income
            else:
                for firm in self.firms:
                    if firm.corp == owner:
                        firm.cash += income

    def _run(self, firm: Firm, *, first: bool) -> None:
        t = self.t
        known = first and firm.corp == self.s.operating and self.s.step == "dividend"
        gained = float(self.s.income) if known else self.income(firm)
        firm.ran = gained
        if firm.minor:
            if firm.head >= 0:
                self.cash[firm.head] += gained / 2
            firm.cash += int(gained / 2)
            self.bank -= gained
            return
        if gained <= 0 or firm.at is None:
            if firm.at is not None:
                self._move(firm, t.policy.prices.unpaid(t, firm.at))
            return
        if self._saves(firm, gained):
            firm.cash += int(gained)
            if self.facts.banked:
                self.bank -= gained
            self._move(firm, t.policy.prices.unpaid(t, firm.at))
            return
        each = gained * firm.division
        out = 0.0
        for seat, held in enumerate(firm.held):
            if held:
                self.cash[seat] += each * held
                out += each * held
        kept = gained - 10 * each + (each * firm.pool if self.facts.banked else 0.0)
        firm.cash += int(kept)
        self.bank -= out + (kept if self.facts.banked else 0.0)
        firm.paid += each
        self._move(firm, t.policy.prices.paid(t, firm.at, int(gained)))

    def _saves(self, firm: Firm, gained: float) -> bool:
        """Whether the company keeps its revenue: its last trains are about to rust, and saving pays for the next."""
        rank = self._on_sale()
        if rank < 0:
            return False
        train = self.facts.trains[rank]
        if firm.cash >= train.price or firm.cash + gained < train.price:
            return False
        if not firm.trains:
            return True
        following = next((other for other in range(rank + 1, len(self.depot)) if self.depot[other] > 0), -1)
        soon = {rank} if train.phase > self.phase else set()
        if self.depot[rank] <= 2 and following >= 0:
            soon.add(following)
        return all(self.facts.trains[own].rusted_by in soon for own in firm.trains)

    def _move(self, firm: Firm, at: tuple[int, int]) -> None:
        cell = self.t.market.cell(*at)
        if cell is not None and cell.price > 0:
            firm.at, firm.price = at, cell.price

    def _buy_privates(self, firm: Firm) -> None:
        """The company takes over the privates of its president, as dearly as it may, if it can spare the money."""
        rank = self._on_sale()
        spare = firm.cash - (self.facts.trains[rank].price if rank >= 0 and not firm.trains else 0)
        seat = self.seats[firm.head]
        for entry in self.privates:
            high = self.facts.private_prices.get(PrivateId(entry[0]), 0)
            if entry[1] == seat and 0 < high <= spare:
                entry[1] = firm.corp
                firm.cash -= high
                spare -= high
                self.cash[firm.head] += high

    # Trains

    def _on_sale(self) -> int:
        return next((rank for rank, left in enumerate(self.depot) if left > 0), -1)

    def _limit(self, firm: Firm) -> int:
        return self.facts.limits[self.phase].get(firm.kind, 2)

    def _buy(self, firm: Firm) -> None:
        trains = self.facts.trains
        for bought in range(2):
            if bought and len(firm.trains) > 1:
                return
            rank = self._on_sale()
            old = self.pool[0] if self.pool else -1
            if old >= 0 and (rank < 0 or trains[old].price <= trains[rank].price):
                choice, from_pool = old, True
            else:
                choice, from_pool = rank, False
            if choice < 0:
                return
            price = trains[choice].price
            if firm.trains and (len(firm.trains) >= self._limit(firm) or price > firm.cash):
                return
            if from_pool and firm.trains and self._rusts_soon(choice):
                return
            if price > firm.cash and not self._helped(firm, price):
                return
            firm.cash -= price
            if self.facts.banked:
                self.bank += price
            if from_pool:
                self.pool.pop(0)
            else:
                self.depot[choice] -= 1
            firm.trains.append(choice)
            firm.trains.sort()
            if not from_pool and trains[choice].phase > self.phase:
                self._begin_phase(choice)
            self._trains_changed(firm)

    def _rusts_soon(self, rank: int) -> bool:
        by = self.facts.trains[rank].rusted_by
        return by >= 0 and self._on_sale() >= by - 1

    def _helped(self, firm: Firm, price: int) -> bool:
        """The president pays what is missing, if the title asks for that."""
        if not self.facts.presidents_pay or firm.head < 0 or firm.minor:
            return False
        missing = price - firm.cash
        self.cash[firm.head] -= missing
        firm.cash = price
        return True

    def _begin_phase(self, rank: int) -> None:
        self.phase = self.facts.trains[rank].phase
        for other, train in enumerate(self.facts.trains):
            if train.rusted_by == rank:
                self.sketch.rusts.setdefault(other, self.clock)
                self.depot[other] = 0
                self.pool = [own for own in self.pool if own != other]
                for firm in self.firms:
                    if other in firm.trains:
                        firm.trains = [own for own in firm.trains if own != other]
                        self._trains_changed(firm)
        for firm in self.firms:
            while len(firm.trains) > self._limit(firm):
                self.pool.append(firm.trains.pop(0))
                self.pool.sort()
                self._trains_changed(firm)
        if self.phase >= self.facts.closing:
            left = self.facts.survivors
            self.privates = [
                [private, owner, left.get(PrivateId(private), 0)]
                for private, owner, _ in self.privates
                if PrivateId(private) in left or self.facts.closing >= len(self.t.phases)
                or not self.t.privates[PrivateId(private)].revenue
            ]  # fmt: skip

    # Shares

    def _stock(self, *, first: bool = False) -> None:
        """A stock round: everybody in turn buys the share that promises most."""
        s = self.s
        seats = len(self.seats)
        start = self.seats.index(s.up) if first else self.clock % seats
        asleep = {self.passive} if first and self.passive >= 0 else set()
        skip = start if first and s.bought else -1
        horizon = self._horizon()
        for _ in range(8):
            active = False
            for offset in range(seats):
                seat = (start + offset) % seats
                if seat == skip:
                    skip = -1
                    continue
                if seat in asleep:
                    continue
                if self._buys_share(seat, horizon):
                    active = True
                else:
                    asleep.add(seat)
            if not active:
                break
        self.barred = []
        for firm in self.firms:
            if firm.at and firm.floated and sum(firm.held) == 10:
                self._move(firm, (max(firm.at[0] - 1, 0), firm.at[1]) if len(self.t.market.rows) > 1 else firm.at)

    def _horizon(self) -> float:
        """How many operating rounds are thought to be left."""
        flow = sum(max(firm.ran, self.income(firm), 50.0) for firm in self.firms if firm.floated) or 50.0
        left = max(self.bank, 0.0) / (flow * 1.6 + 60)
        last = self.t.policy.course.last_turn
        return min(left, 14.0, 99 if last is None else 3.0 * (last - self.s.turn + 1)) + 1.0

    def _buys_share(self, seat: int, horizon: float) -> bool:
        cash = self.cash[seat]
        room = self.certs[seat] < self.cert_limit
        if not room or cash <= 0:
            return False
        waiting = next((firm for firm in self.firms if firm.head == seat and firm.par and not firm.floated), None)
        if waiting is None and not any(firm.head == seat for firm in self.firms) and self._starts(seat, cash):
            return True
        best, best_yield = None, 0.15
        source = ""
        barred = self.barred[seat] if self.barred else ()
        for firm in self.firms:
            if firm.minor or not firm.price or firm.corp in barred:
                continue
            if waiting is not None and firm is not waiting and waiting.ipo and waiting.par <= cash:
                continue
            for where, left, cost in (("ipo", firm.ipo, firm.par), ("pool", firm.pool, firm.price)):
                if not left or cost > cash or firm.held[seat] >= self.t.policy.holdings.holding_limit:
                    continue
                promise = self.promise(firm, horizon, seat)
                rate = (promise - cost) / cost
                if rate > best_yield:
                    best, best_yield, source = firm, rate, where
        if best is None:
            return self._starts(seat, cash)
        cost = best.par if source == "ipo" else best.price
        self.cash[seat] -= cost
        best.held[seat] += 1
        self.certs[seat] += 1
        if source == "ipo":
            best.ipo -= 1
            best.needed -= 1
            self.bank += cost
            if best.needed <= 0 and not best.floated:
                self._float(best)
        else:
            best.pool -= 1
            self.bank += cost
        if best.head < 0 or best.held[seat] > best.held[best.head]:
            best.head = seat
        return True

    def _float(self, firm: Firm) -> None:
        firm.floated = True
        firm.cash = 10 * firm.par
        if self.facts.banked:
            self.bank -= firm.cash

    def promise(self, firm: Firm, horizon: float, seat: int) -> float:
        """What a share is thought to bring until the end: dividends and its price then."""
        if firm.floated and firm.trains:
            flow = grown(self.facts, firm.base, firm.reach, firm.stop, self.clock + int(horizon / 2))
        else:
            train = self._on_sale()
            reach = self.facts.trains[train].reach if train >= 0 else 5
            flow = reach * (18 + GROWTH * (self.clock + horizon / 2))
            flow = min(flow, 90 + 9 * horizon) * (0.85 if firm.floated or firm.head == seat else 0.55)
        return flow * firm.division * horizon * 0.85 + firm.price + 9 * min(horizon, 9)

    def _starts(self, seat: int, cash: float) -> bool:
        """The seat starts a company that it can float alone, as highly as it can pay for."""
        for firm in sorted(self.firms, key=lambda firm: -sum(firm.values[:4])):
            if firm.par or firm.minor or firm.head >= 0 or firm.ipo != 10 or firm.floated:
                continue
            needed = max(2, min(firm.needed, 10))
            fitting = [par for par in self.facts.pars if par[0] * needed <= cash]
            if not fitting or self.certs[seat] + needed - 1 > self.cert_limit:
                return False
            price, row, col = fitting[-1]
            firm.par = firm.price = price
            firm.at = (row, col)
            firm.held[seat] += 2
            firm.ipo -= 2
            firm.needed -= 2
            firm.head = seat
            self.cash[seat] -= 2 * price
            self.bank += 2 * price
            self.certs[seat] += 1
            return True
        return False
