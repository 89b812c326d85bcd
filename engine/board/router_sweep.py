"""Best routes by sweeping: node by node over the map, for networks with too many routes to list.

Behind the sweep everything is decided; of all the ways to get there only what matters ahead is kept: which train
uses each edge that is still open, which open edges belong to one piece of route, and what each train has done so far
(its token met, ends used, calls made). Two ways that agree in this are one state, the better kept. A state whose
losses (see `router_prices`) leave no chance to beat the best set known is dropped.

Narrow sweeps, which keep only the most promising states, find good sets; a sweep that drops nothing for want of
room proves the last set best.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.board.router_case import Answer, Case, Found
from engine.board.router_moves import CALLS, DONE, FLAGS, HOME, TOUCHED, Fork, Move, Moves
from engine.board.router_nodes import Graph, Local, graph
from engine.board.router_prices import FINE, Market
from engine.board.router_thread import thread

WIDTHS = (100, 1_000, 10_000, 100_000)
"""States kept at a node, sweep after sweep."""
SERVED = 32
"""First bit of the subsidy so far in the company's record."""

State = tuple[int, ...]
"""For each open edge 0 or the far end of its piece of route * 8 + train; a record for each train; the company's."""
Past = tuple[int, State | None, Move | None]
"""Loss, and how the state came about."""


class Sweep:
    def __init__(self, case: Case, kinds: list[int], give_up: Callable[[], bool] | None = None) -> None:
        self.case, self.kinds = case, kinds
        self.give_up = give_up or (lambda: False)
        self.graph: Graph = graph(case)
        self.work = 0
        self.quota = 0
        """The least subsidy that an answer must bring."""
        self._market = Market(case, self.graph, kinds)
        self._prices_for(0)

    def _prices_for(self, known: int) -> None:
        case, kinds = self.case, self.kinds
        self.prices = self._market.settle(known * FINE)
        self.bonus = sum(bonus.amount for bonus in case.rules.bonuses) * case.scale
        self.top = self.prices.bound + len(kinds) * (self.bonus + 1) * FINE
        """No set of routes scores more, in units of 1 / FINE."""
        self.moves = Moves(case, self.graph, kinds, self._market, self.prices)
        self.last_token = max(
            (index for index, node in enumerate(self.graph.nodes)
             if any(stop in case.tokens for plan in node.plans for stop in plan.met)), default=-1,
        )  # fmt: skip

    def run(self, known: int, allowance: int, quota: int = 0) -> Answer:
        """Sweep wider and wider until the best set is proved or the states allowed are used up.

        Only sets that score more than `known` are looked for; without one the routes are all None.
        """
        self.quota, self.work = quota, 0
        routes: list[Found | None] = [None] * len(self.kinds)
        bound, proved = self.top // FINE, False
        for width in WIDTHS:
            room = self.top - self._need(known) * FINE
            if room < 0:
                proved = True
                break
            state, layers, cut = self._sweep(width, room, allowance)
            if state is not None:
                loss = layers[-1][state][0]
                assert (self.top - loss) % FINE == 0
                known, routes = (self.top - loss) // FINE, self._routes(layers, state)
            if cut is None:
                proved = True
                break
            bound = min(bound, max(known, (self.top - cut) // FINE))
            if self.work > allowance:
                break
        return Answer(routes, known, proved, known if proved else bound, self.work)

    def _need(self, known: int) -> int:
        """The least score that would be better than `known`."""
        case = self.case
        if known and known % case.scale == len(self.kinds):  # every train runs: only more money is better
            return (known // case.scale + case.unit) * case.scale + 1 if case.rules.subsidy is None else known + 1
        return known + 1

    def _sweep(self, width: int, room: int, allowance: int) -> tuple[State | None, list[dict[State, Past]], int | None]:
        """The best final state, the states after each node, the least loss of a state dropped for want of room."""
        states: dict[State, Past] = {(0,) * (len(self.kinds) + 1): (0, None, None)}
        layers = [states]
        cut: int | None = None
        for index, fork in enumerate(self.moves.forks):
            if len(states) > width:
                ranked = sorted(states.items(), key=lambda item: item[1][0])
                cut = min(cut, ranked[width][1][0]) if cut is not None else ranked[width][1][0]
                layers[-1] = states = dict(ranked[:width])
            self.work += len(states)
            if self.work > allowance or self.give_up():
                self.work = max(self.work, allowance + 1)
                lost = min((past[0] for past in states.values()), default=room)
                return None, layers, lost if cut is None else min(cut, lost)
            states = self._step(index, fork, states, room)
            layers.append(states)
        layers[-1] = final = {}
        for state, (loss, before, move) in states.items():
            if self._complete(state):
                idle = sum(self._idle(train) for train in range(len(self.kinds)) if not state[train])
                if loss + idle <= room:
                    final[state] = loss + idle, before, move
        return min(final, key=lambda state: final[state][0], default=None), layers, cut

    def _complete(self, state: State) -> bool:
        """Whether a final state keeps the rules about all trains together."""
        *records, company = state
        running = [train for train, record in enumerate(records) if record]
        if not all(records[train] & DONE for train in running) or company >> SERVED < self.quota:
            return False
        if self.moves.home and running and not company & HOME:
            return False
        if self.case.rules.joined and running:
            met = running[:1]
            for train in met:  # grows while it is read
                met += [t for t in running if t not in met and self._met(company, train, t)]
            return len(met) == len(running)
        return True

    def _met(self, company: int, a: int, b: int) -> bool:
        return bool(company & self.moves.pair[min(a, b), max(a, b)])

    def _idle(self, train: int) -> int:
        """What is lost when a train does not run: its part of the bound."""
        kind = self.kinds[train]
        calls = self.prices.call[kind] * self.case.calls[kind] if self.moves.limited[kind] else 0
        return 2 * self.prices.end[kind] + calls + (self.bonus + 1) * FINE

    def _finished(self, train: int, record: int) -> int:
        """What is lost when a train's route is complete: calls not made, bonuses not earned."""
        case, kind = self.case, self.kinds[train]
        loss = 0
        if self.moves.limited[kind]:
            loss = self.prices.call[kind] * (case.calls[kind] - (record >> 5 & CALLS))
        for number, bonus in enumerate(case.rules.bonuses):
            if record >> (FLAGS + 2 * number) & 3 != 3:
                loss += bonus.amount * case.scale * FINE
        return loss

    def _step(self, index: int, fork: Fork, states: dict[State, Past], room: int) -> dict[State, Past]:
        """The states after a node."""
        all_moves = self.moves.of(index, room)
        places, closing, opening, staying = fork.places, fork.closing, fork.opening, fork.staying
        spot = {edge: number for number, edge in enumerate(fork.stay_edges)}
        width, trains = len(places) + len(staying), len(self.kinds)
        limits = [
            (self.case.calls[train], self.case.reach[train]) if self.moves.limited[train] else (CALLS, CALLS)
            for train in range(trains)
        ]
        twin = [train > 0 and self.kinds[train] == self.kinds[train - 1] for train in range(trains)]
        token_ahead, quota = index < self.last_token, self.quota
        found: dict[State, Past] = {}
        for state, (loss, _, _) in states.items():
            company = state[-1]
            slack = room - loss
            for move in all_moves.get(tuple([state[place] & 7 for place in places]), ()):
                if move.loss > slack:
                    break
                if company & move.barred:
                    continue
                now = loss + move.loss
                records = list(state[width:-1])
                far = {edge: state[place] >> 3 for edge, place in zip(closing, places, strict=True) if state[place]}
                complete = 0
                for work in move.works:
                    train = work.train
                    record = records[train]
                    # Trains that are alike start in their order.
                    if record & DONE or record & work.barred or (not record and twin[train] and not records[train - 1]):
                        break
                    if (record >> 2 & 3) + (work.add >> 2 & 3) > 2:
                        break
                    records[train] = record = (record + work.add) | work.flags
                    if (record >> 5 & CALLS) > limits[train][0] or (record >> 17 & CALLS) > limits[train][1]:
                        break
                    ends = _join(work.joins, far, closing)
                    if ends is None or ends > 1 or (ends and not record & TOUCHED):
                        break
                    complete |= ends << train
                else:
                    after = [state[place] for place in staying]
                    for edge, mate in far.items():
                        number = spot.get(edge)
                        if number is not None:
                            after[number] = mate << 3 | after[number] & 7
                    for edge, train in zip(opening, move.out, strict=True):
                        after.append(far[edge] << 3 | train if train else 0)
                    if complete:
                        for train in range(trains):
                            if complete >> train & 1:
                                if any(label & 7 == train + 1 for label in after):
                                    now = room + 1  # another piece of the same train is left over
                                now += self._finished(train, records[train])
                                records[train] = DONE
                        if now > room:
                            continue
                    if not token_ahead and any(record and not record & (TOUCHED | DONE) for record in records):
                        continue
                    together = company | move.company
                    if quota:
                        together += (min(quota, (company >> SERVED) + move.subsidy) - (company >> SERVED)) << SERVED
                    new = (*after, *records, together)
                    old = found.get(new)
                    if old is None or now < old[0]:
                        found[new] = (now, state, move)
        return found

    def _routes(self, layers: list[dict[State, Past]], state: State) -> list[Found | None]:
        """The routes that led to a final state."""
        used: list[list[tuple[int, Local]]] = [[] for _ in self.kinds]
        here: State = state
        for index in range(len(layers) - 1, 0, -1):
            _, before, move = layers[index][here]
            assert before is not None
            assert move is not None
            for train, plan in enumerate(move.plans):
                used[train] += [(index - 1, path) for path in plan.paths]
            here = before
        return [thread(self.case, self.graph, pieces) if pieces else None for pieces in used]


def _join(joins: tuple[tuple[int, int], ...], far: dict[int, int], closing: tuple[int, ...]) -> int | None:
    """Join pieces of a route in `far` (edge -> far end of its piece, itself where that end is a stop).

    Returns how many routes this completes; None if it makes a ring.
    """
    complete = 0
    for a, b in joins:
        far_a = far.get(a, a)  # an edge opened here is its own far end until it is joined
        if far_a == a and a in closing:
            far_a = -1
        elif far_a == b and b >= 0:
            return None
        far_b = far.get(b, b)
        if far_b == b and b in closing:
            far_b = -1
        if far_a >= 0:
            far[far_a] = far_b if far_b >= 0 else far_a
        if far_b >= 0:
            far[far_b] = far_a if far_a >= 0 else far_b
        complete += far_a < 0 and far_b < 0
    return complete
