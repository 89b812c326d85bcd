"""What a sketch of the rounds to come starts from and changes: companies, purses and trains as plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from engine import BANK, CLOSED, IPO, POOL, State, Title
from engine.ids import OR, CorpId, PlayerId, PrivateId
from engine.money import free_cash
from engine.shares import certificates
from opponents.earning import awaited, opening, revenue, standing
from opponents.facts import TitleFacts, facts_of
from opponents.growth import PLAIN, grown, lengths


@dataclass(slots=True)
class Firm:
    """A company as a forecast sees it."""

    facts: TitleFacts
    corp: CorpId
    at: tuple[int, int] | None
    price: int
    cash: float
    trains: list[int]
    held: list[int]
    """Shares by seat."""
    ipo: int
    pool: int
    head: int
    """The seat of the president; -1 if there is none."""
    floated: bool
    needed: int
    """Shares that must be sold before it floats."""
    par: int
    kind: str
    minor: bool
    division: float
    """What of the revenue a share gets."""
    shares: int
    """Into how many shares it is divided."""
    lead: int
    """How many of them the president's certificate is."""
    sums: list[int]
    """What its best stops bring together: none, one, two ..."""
    fit: float = 0.9
    """Its revenue of today as part of what the model says."""
    stop: float = PLAIN
    """What an average stop brings it."""
    base: float = 0.0
    """What its trains earn on the map of today."""
    reach: float = 0.0
    """Stops that its trains call at together, those of further trains counted less."""
    opening: int = 0
    """The first phase in which it can run."""
    ran: float = 0.0
    """Revenue of its last turn."""
    arrived: int = 0
    """When its price came to its cell: of those that share one, the earliest operates first."""

    def trains_changed(self) -> None:
        """Learn anew what its trains earn."""
        self.base, self.reach = lengths(self.facts, self.trains, self.sums)
        self.base *= self.fit

    def income(self, phase: int, clock: int) -> float:
        """What it runs for in that phase, so many operating rounds from now."""
        runs = self.trains and phase >= self.opening
        return grown(self.facts, self.base, self.reach, self.stop, clock) if runs else 0.0

    def move(self, t: Title, at: tuple[int, int]) -> bool:
        """Move its price to a cell; False if there is no other with a price."""
        cell = t.market.cell(*at)
        if cell is None or cell.price <= 0 or at == self.at:
            return False
        self.at, self.price = at, cell.price
        return True


def takes_part(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the company has not been closed, and has begun if it is a minor."""
    closed = CLOSED in s.shares[corp] or s.president[corp] == CLOSED
    return not closed and (t.corporations[corp].certificate is None or corp in s.floated)


def turn_left(t: Title, s: State) -> int:
    """What is left of the operating company's turn: 2 all, 1 from the trains on, 0 nothing."""
    steps = list(t.rounds[OR].by_name)
    if s.step not in steps:
        return 0
    return 2 if steps.index(s.step) <= steps.index("dividend") else 1


def firm_of(t: Title, s: State, corp: CorpId) -> Firm:
    """A company that takes part, as it is now."""
    facts, held, printed = facts_of(t), s.shares[corp], t.corporations[corp]
    minor = printed.certificate is not None
    at, head = s.cell.get(corp), s.president[corp]
    cell = t.market.cell(*at) if at else None
    values, stop = standing(t, s, corp)
    sold = t.policy.companies.float_count(t, s, corp)
    firm = Firm(
        facts, corp, at, cell.price if cell else 0, s.cash[corp],
        sorted(facts.place[rank] for rank in s.trains[corp]),
        [held.get(seat, 0) for seat in s.players], held.get(IPO, 0), held.get(POOL, 0),
        s.players.index(PlayerId(head)) if head in s.names else -1,
        corp in s.floated, 99 if sold is None else printed.float_shares - sold,
        s.par.get(corp, 0), t.kind(corp), minor,
        0.5 / printed.shares if minor else t.policy.dividends.per_share(t, s, corp, 1000) / 1000,
        printed.shares, printed.president_shares, list(accumulate(values, initial=0)),
        stop=stop, opening=opening(t, s, corp), arrived=s.arrived.get(corp, 0),
    )  # fmt: skip
    firm.trains_changed()
    if s.trains[corp] and s.board.token_stops(corp):
        now = revenue(t, s, corp, tuple(sorted(s.trains[corp])))
        if firm.base > 0 and now:
            firm.fit *= min(1.3, max(0.4, now / firm.base))
            firm.trains_changed()
    return firm


class Sketch:
    """The table in a sketch. Functions of the stock and the operating rounds change it in place."""

    def __init__(self, t: Title, s: State) -> None:
        self.t, self.s = t, s
        self.facts: TitleFacts = facts_of(t)
        self.seats = list(s.players)
        self.cash: list[float] = [free_cash(s, seat) if not s.contested else s.cash[seat] for seat in self.seats]
        self.bank: float = s.cash[BANK]
        self.phase = s.phase
        self.depot = [s.depot.get(rank, known.count) for rank, known in zip(t.trains, self.facts.trains, strict=True)]
        place = self.facts.place
        self.pool = sorted(place[rank] for rank in s.train_pool)
        self.firms = [firm_of(t, s, corp) for corp in t.corporations if takes_part(t, s, corp)]
        self.privates: list[list[Any]] = [
            [private, owner, s.revenue.get(private, t.privates[private].revenue)]
            for private, owner in s.owner.items()
            if owner in s.names or owner in t.corporations
        ]
        self.certs = [certificates(t, s, seat) for seat in self.seats]
        self.cert_limit = t.policy.holdings.cert_limit(t, s)
        self.rusts: dict[int, int] = {}
        """By place of the rank, after how many operating rounds it rusts."""
        self.closing: dict[CorpId, int] = {}
        """By company that never operates again, after how many operating rounds it has done so."""
        self.broken = s.broken
        self.clock = 0
        self.tickets = s.tickets
        self.barred = [set(s.sold.get(seat, ())) for seat in self.seats]
        """What each seat has sold in this stock round and cannot buy back."""
        self.passed: int | None = None
        """The seat that trades no more in the stock round under way."""
        self.raises = False
        """Whether presidents sell shares for trains that they cannot pay for; else they go into debt."""

    def another(self, luck: Mapping[CorpId, float]) -> Sketch:
        """The same table with other luck: by what factor each company earns more than it is thought to."""
        other = copy(self)
        other.cash, other.depot, other.pool = self.cash.copy(), self.depot.copy(), self.pool.copy()
        other.certs, other.rusts, other.closing = self.certs.copy(), self.rusts.copy(), self.closing.copy()
        other.privates = [entry.copy() for entry in self.privates]
        other.barred = [sold.copy() for sold in self.barred]
        other.firms = [
            replace(firm, trains=firm.trains.copy(), held=firm.held.copy(), fit=firm.fit * luck[firm.corp])
            for firm in self.firms
        ]
        for firm in other.firms:
            firm.trains_changed()
        return other

    def income(self, firm: Firm) -> float:
        """What the company runs for in the present round of the sketch."""
        return firm.income(self.phase, self.clock)

    def on_sale(self) -> int:
        """The place of the rank that the bank sells; -1 if there is none."""
        return next((rank for rank, left in enumerate(self.depot) if left > 0), -1)

    def move(self, firm: Firm, at: tuple[int, int]) -> None:
        """Move the company's price to a cell, if there is another with a price."""
        if firm.move(self.t, at):
            self.tickets += 1
            firm.arrived = self.tickets

    def close(self) -> bool:
        """Companies that what all paid in this round closes operate no more; whether others are left."""
        paid = {firm.corp: int(firm.ran) if firm.head >= 0 else 0 for firm in self.firms if firm.floated}
        left = self.t.policy.milestones.running_on(self.t, self.s, paid)
        for firm in self.firms:
            if firm.floated and firm.corp not in left:
                firm.floated = False
                self.closing[firm.corp] = self.clock
        return bool(left)

    def worth(self) -> list[float]:
        """What each seat is worth as the sketch stands."""
        t, s = self.t, self.s
        worth = self.cash.copy()
        for firm in self.firms:
            each = firm.price // 2 if self.facts.halved and not firm.trains else firm.price
            worth = [mine + held * each for mine, held in zip(worth, firm.held, strict=True)]
        stopped = {firm.corp for firm in self.firms if firm.minor and not firm.trains and not awaited(t, s)}
        for private, owner, _ in self.privates:
            if owner in s.names and private not in stopped:
                worth[self.seats.index(PlayerId(owner))] += t.policy.privates.value(t, s, PrivateId(private))
        return worth
