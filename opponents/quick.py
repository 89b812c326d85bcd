"""Playouts: a position played on to the end of the stock round by players who decide in a moment.

The engine says what is allowed and what it leads to, as for everybody. The quick player only looks at less: it goes
through what it would like to do, the best first, and does the first that the engine accepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from engine import IPO, POOL, State, Title, apply, decision, legal
from engine import actions as act
from engine.actions import Action
from engine.board.board import Board
from engine.errors import BadAction, Refused
from engine.ids import SR, CorpId, PlayerId, Source, StopId
from engine.market import price
from engine.shares import certificates, successor
from opponents.facts import facts_of
from opponents.forecast import NEVER, Course, Prospect, luck, sketched
from opponents.prospects import Valuation
from opponents.question import Question
from opponents.sketch import Sketch
from opponents.sketch_stock import JOINED
from opponents.trying import to_float
from opponents.weights import Weights

LEAST = 0.05
"""What a share must be worth above its price, as part of it, to be bought."""
UNLOADED = 0.25
"""How far below its price, as part of it, a share must be worth to be sold for nothing in particular."""
BETTER = 0.6
"""How much more a purchase must gain, as part of its price, than the share that is sold for it."""
LONGEST = 160
"""Decisions after which a playout looks no further."""
TASTE = 0.2
"""By what part, at most, others think more or less of a company than the seat does."""
NOTHING = Prospect(0.0, 0.0, 0.0, 0.0, NEVER, 0.0, 0)
"""What a company promises that takes no part."""


class Figures:
    """What companies promise along one course, each worked out when first asked for, and what seats think of them."""

    def __init__(
        self, t: Title, course: Course, weights: Weights, tastes: Mapping[PlayerId, Mapping[CorpId, float]]
    ) -> None:
        self.t, self.course, self.w = t, course, weights
        self.tastes = tastes
        """By what factor each seat thinks more or less of each company."""
        self.facts = facts_of(t)
        self._shares: dict[tuple[object, ...], Prospect] = {}
        self._new: dict[tuple[CorpId, int], Prospect] = {}
        self._pars: dict[CorpId, list[tuple[int, act.Par]]] = {}

    def share(self, s: State, corp: CorpId) -> Prospect | None:
        """Of a company that has a price; None of others."""
        if corp not in s.cell:
            return None
        key = (corp, s.cell[corp], s.held(corp, POOL), corp in s.floated, s.trains[corp], s.phase)
        known = self._shares.get(key)
        if known is None:
            known = self._shares[key] = self._worked_out(s, corp)
        return known

    def new(self, s: State, par: act.Par, value: int) -> Prospect:
        """Of a company that is started at this par and floats."""
        key = (par.corp, value)
        known = self._new.get(key)
        if known is None:
            tried = s.copy()
            tried.par[par.corp], tried.cell[par.corp] = value, (par.row, par.col)
            tried.floated |= {par.corp}
            tried.cash[par.corp] = value * self.t.corporations[par.corp].shares
            known = self._new[key] = self._worked_out(tried, par.corp)
        return known

    def _worked_out(self, s: State, corp: CorpId) -> Prospect:
        return Valuation(self.t, s, self.course, self.w).prospect(corp) or NOTHING

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


class Quick:
    """Plays all seats on in a stock round, each with tastes of its own."""

    def __init__(self, figures: Figures, own: PlayerId | None = None, *, done: bool = False) -> None:
        self.t, self.figures, self.tastes = figures.t, figures, figures.tastes
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


def beliefs(q: Question) -> str:
    """What the draws are made of: the same throughout a round, since whoever believes something else in each turn sells
    what it has just bought."""
    return f"{q.seed} {q.seat} {q.s.turn}"


class Playouts:
    """Plays the positions of one decision on, each time with other luck.

    A little more luck may bring a train a round sooner, and ruin somebody. Along one course alone, what everybody is
    worth would jump from one decision to the next.
    """

    def __init__(self, q: Question, seed: str) -> None:
        self.t, self.q, self.seed = q.t, q, seed
        self._table = Sketch(q.t, q.s)
        self._boards: dict[frozenset[tuple[StopId, Any]], Board] = {}

    def draw(self, number: int) -> Figures:
        """What is left to chance in a playout and is the same for all choices: the course that the game takes, and what
        others think of companies. The seat knows what it thinks itself."""
        course = sketched(self._table.another(luck(self.t, Random(f"{self.seed} world {number}"))))
        random = Random(f"{self.seed} {number}")
        tastes = {
            seat: {
                corp: 1.0 if seat == self.q.seat else random.uniform(1 - TASTE, 1 + TASTE)
                for corp in self.t.corporations
            }
            for seat in self.q.s.players
        }
        return Figures(self.t, course, self.q.w, tastes)

    def played(self, s: State, figures: Figures, *, done: bool = False) -> State:
        """The position at the end of the stock round. One who is `done` trades no more in it."""
        quick = Quick(figures, self.q.seat, done=done)
        for _ in range(LONGEST):
            if s.over or s.round != SR:
                break
            s = quick.move(s)
        board = self._boards.setdefault(frozenset(s.board.tokens.items()), s.board)
        if board.placed == s.board.placed:
            s.board = board  # which knows what earlier playouts have found out about it
        return s
