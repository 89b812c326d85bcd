"""What shares and new companies are worth along one course, each worked out once for many playouts."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine import POOL, State, Title
from engine import actions as act
from engine.ids import CorpId, PlayerId
from engine.shares import certificates
from opponents.facts import facts_of
from opponents.forecast import Course
from opponents.prospects import Valuation
from opponents.weights import Weights

Tastes = Mapping[PlayerId, Mapping[CorpId, float]]
"""By what factor each seat thinks more or less of each company."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a share of a company is worth to whoever holds it to the end, and what its president must pay for trains."""

    worth: float
    owed: float


class Figures:
    """What shares are worth along one course, each worked out when first asked for."""

    def __init__(self, t: Title, course: Course, weights: Weights) -> None:
        self.t, self.course, self.w = t, course, weights
        self.facts = facts_of(t)
        self._shares: dict[tuple[object, ...], Share] = {}
        self._new: dict[tuple[CorpId, int], Share] = {}
        self._pars: dict[CorpId, list[tuple[int, act.Par]]] = {}

    def share(self, s: State, corp: CorpId) -> Share | None:
        """Of a company that has a price; None of others."""
        if corp not in s.cell:
            return None
        key = (corp, s.cell[corp], s.held(corp, POOL), corp in s.floated, s.trains[corp], s.phase)
        known = self._shares.get(key)
        if known is None:
            found = Valuation(self.t, s, self.course, self.w).prospect(corp)
            known = Share(0.0, 0.0) if found is None else Share(found.paid + found.price, found.owed)
            self._shares[key] = known
        return known

    def new(self, s: State, par: act.Par, value: int) -> Share:
        """Of a company that is started at this par and floats."""
        key = (par.corp, value)
        known = self._new.get(key)
        if known is None:
            tried = s.copy()
            tried.par[par.corp], tried.cell[par.corp] = value, (par.row, par.col)
            tried.floated |= {par.corp}
            tried.cash[par.corp] = value * self.t.corporations[par.corp].shares
            found = Valuation(self.t, tried, self.course, self.w).prospect(par.corp)
            known = Share(0.0, 0.0) if found is None else Share(found.paid + found.price, found.owed)
            self._new[key] = known
        return known

    def pars(self, s: State, seat: PlayerId, corp: CorpId) -> list[tuple[int, act.Par]]:
        """The pars of a company that has none, the cheapest first."""
        if not self._pars:
            self._pars = {other: [] for other in self.t.corporations}
            for par in self.t.share_step().by_action[act.Par].candidates(self.t, s, seat):
                assert isinstance(par, act.Par)
                self._pars[par.corp].append((self.t.market.price(par.row, par.col), par))
        return self._pars[corp]

    def growth(self, s: State, seat: PlayerId) -> float:
        """What money kept until the next stock round is worth: more while there is something to invest in."""
        if certificates(self.t, s, seat) >= self.t.policy.holdings.cert_limit(self.t, s):
            return 1.0
        until = self.t.phases[s.phase].operating_rounds
        return 1 + self.w.cash_growth * max(0, self.course.rounds - until)
