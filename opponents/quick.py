"""A player for playing on: decides a stock round in a moment, by figures worked out once for many playouts.

The engine says what is allowed and what it leads to, as for everybody. The quick player only looks at less: it goes
through what it would like to do, the best first, and does the first that the engine accepts.
"""

from collections.abc import Iterable, Iterator

from engine import IPO, POOL, State, apply, decision, legal
from engine import actions as act
from engine.actions import Action
from engine.errors import BadAction, Refused
from engine.ids import CorpId, PlayerId, Source
from engine.market import price
from engine.shares import successor
from opponents.figures import Figures, Tastes
from opponents.trying import to_float

LEAST = 0.05
"""What a share must be worth above its price, as part of it, to be bought."""
UNLOADED = 0.25
"""How far below its price, as part of it, a share must be worth to be sold for nothing in particular."""
BETTER = 0.6
"""How much more a purchase must gain, as part of its price, than the share that is sold for it."""
JOINED = 0.6
"""What part of the others' money a company counts on that its president cannot float alone."""


class Quick:
    """Plays all seats on in a stock round, each with tastes of its own."""

    def __init__(self, figures: Figures, tastes: Tastes, own: PlayerId | None = None, *, done: bool = False) -> None:
        self.t, self.figures, self.tastes = figures.t, figures, tastes
        self.own, self.done = own, done

    def move(self, s: State) -> State:
        """The position after the next decision."""
        seat = decision(self.t, s).players[0]
        for action in self._wishes(s, seat):
            try:
                after = apply(self.t, s, action)
            except (Refused, BadAction):
                continue
            if seat == self.own and not s.bought and isinstance(action, act.Pass):
                self.done = True
            return after
        return apply(self.t, s, next(iter(legal(self.t, s, seat))))

    def _wishes(self, s: State, seat: PlayerId) -> Iterable[Action]:
        """What the seat would like to do, the best first."""
        if s.pending:
            return ()
        return (act.Pass(seat),) if self.done and seat == self.own else self._trades(s, seat)

    def _trades(self, s: State, seat: PlayerId) -> Iterator[Action]:
        if not s.bought:
            growth = self.figures.growth(s, seat)
            if s.turn >= self.t.policy.holdings.first_sales:
                yield from self._unloads(s, seat, growth)
            yield from self._completes(s, seat)
            purchases = sorted(self._purchases(s, seat, growth), key=lambda entry: -entry[0])
            yield from self._starts(s, seat, growth, purchases[0][0] if purchases else LEAST)
            for _, cost, action in purchases:
                if cost <= s.cash[seat]:
                    yield action
            if purchases and purchases[0][1] > s.cash[seat] and s.turn >= self.t.policy.holdings.first_sales:
                yield from self._pays_for(s, seat, growth, *purchases[0][:2])
        yield act.Pass(seat)

    def _unloads(self, s: State, seat: PlayerId, growth: float) -> Iterator[Action]:
        """What is worth less than it brings: shares whose price is too high, and a company whose trains cost more."""
        for corp in self.t.corporations:
            held = s.held(corp, seat)
            share = self.figures.share(s, corp) if held and corp not in s.sold_now else None
            if share is None:
                continue
            gain = price(self.t, s, corp) * growth * (1 - UNLOADED) - share.worth * self.tastes[seat][corp]
            if s.president[corp] == seat:
                heir = successor(self.t, s, corp, seat, 0)
                if heir is None:
                    continue
                count = held - s.held(corp, heir) + 1
                if gain * held + share.owed * self.figures.w.pay_fear > 0 and gain + share.owed / count > 0:
                    yield act.SellShares(seat, corp, held)
                    yield act.SellShares(seat, corp, count)
            elif gain > 0:
                yield act.SellShares(seat, corp, held)
                yield act.SellShares(seat, corp, 1)

    def _completes(self, s: State, seat: PlayerId) -> Iterator[Action]:
        """A company of one's own is floated."""
        for corp, value in s.par.items():
            if s.president[corp] == seat and corp not in s.floated and value <= s.cash[seat]:
                yield act.BuyShare(seat, corp, IPO)

    def _purchases(self, s: State, seat: PlayerId, growth: float) -> Iterator[tuple[float, int, Action]]:
        """Shares that gain, with the gain as part of the price."""
        for corp in self.t.corporations:
            share = self.figures.share(s, corp)
            if share is None:
                continue
            worth = share.worth * self.tastes[seat][corp]
            for source, cost in self._sources(s, corp):
                rate = worth / cost - growth
                if rate > LEAST:
                    yield rate, cost, act.BuyShare(seat, corp, source)

    def _sources(self, s: State, corp: CorpId) -> Iterator[tuple[Source, int]]:
        held = s.shares[corp]
        if IPO in held and s.par.get(corp):
            yield IPO, s.par[corp]
        if POOL in held and (cost := price(self.t, s, corp)) > 0:
            yield POOL, cost

    def _starts(self, s: State, seat: PlayerId, growth: float, instead: float) -> Iterator[Action]:
        """A company, as highly as it can be floated alone, where that gains more than the best share; a first one also
        where others will join."""
        heads = [corp for corp in s.par if s.president[corp] == seat]
        cash, facts = s.cash[seat], self.figures.facts
        if any(corp not in s.floated for corp in heads) or cash < 2 * facts.pars[0][0]:
            return
        others = sum(s.cash[other] for other in s.players) - cash
        found: list[tuple[float, act.Par]] = []
        for corp in self.t.corporations:
            printed = self.t.corporations[corp]
            if corp in s.par or printed.certificate is not None or printed.formed_in:
                continue
            pars = self.figures.pars(s, seat, corp)
            needed = to_float(self.t, s, corp)
            alone = [par for par in pars if par[0] * needed <= cash]
            if not alone and not heads:
                alone = [par for par in pars if par[0] * needed <= cash + JOINED * others][:1]
            if not alone:
                continue
            value, action = alone[-1]
            share = self.figures.new(s, action, value)
            rate = share.worth * self.tastes[seat][corp] / value - growth
            control = self.figures.w.control - share.owed * self.figures.w.pay_fear
            rate += control / (needed * value)
            if rate > (instead if heads else min(instead, LEAST)):
                found.append((rate, action))
        found.sort(key=lambda entry: -entry[0])
        for _, action in found[:2]:
            yield act.Par(seat, action.corp, action.row, action.col)

    def _pays_for(self, s: State, seat: PlayerId, growth: float, rate: float, cost: int) -> Iterator[Action]:
        """The share that is least worth keeping, sold for a much better one."""
        least, action = rate - BETTER, None
        for corp in self.t.corporations:
            held = s.held(corp, seat)
            share = self.figures.share(s, corp) if held and s.president[corp] != seat else None
            worth = price(self.t, s, corp) if share is not None else 0
            if share is None or not worth or corp in s.sold_now:
                continue
            keeps = share.worth * self.tastes[seat][corp] / worth - growth
            count = -(-(cost - s.cash[seat]) // worth)
            if keeps < least and count <= held:
                least, action = keeps, act.SellShares(seat, corp, count)
        if action is not None:
            yield action
