"""Best routes by sweeping: node by node over the map, for networks with too many routes to list.

Behind the sweep everything is decided; of all the ways to get there only what matters ahead is kept: which train
uses each edge that is still open, which open edges belong to one piece of route, and what each train has done so far
(its token met, ends used, calls made). Two ways that agree in this are one state, the better kept. A state whose
losses (see `router_prices`) leave no chance to beat the best set known is dropped.

Narrow sweeps, which keep only the most promising states, find good sets; a sweep that drops nothing for want of
room proves the last set best.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.hexes import opposite
from engine.board.network import Leg
from engine.board.router_case import Answer, Case, Found
from engine.board.router_nodes import Graph, Local, Plan, graph
from engine.board.router_prices import FINE, Market

WIDTHS = (100, 1_000, 10_000, 100_000)
"""States kept at a node, sweep after sweep."""

TOUCHED, DONE, END, STARTED, CALL, LARGE, FLAGS = 1, 2, 1 << 2, 1 << 4, 1 << 5, 1 << 17, 29
"""Where a train's record keeps: token met, route complete, ends used, begun, calls, large calls, first bit of flags."""


@dataclass(frozen=True, slots=True)
class Move:
    """What all trains do in a node. `works` has one entry for each train that does something."""

    loss: int
    out: tuple[int, ...]
    """The train, counted from 1, on each edge that the node opens; 0 for none."""
    works: tuple[tuple[int, int, int, int, tuple[tuple[int, int], ...]], ...]
    """(train, to add to its record, to set in it, must not be set yet, the pairs of edges joined; -1 is an end)"""
    plans: tuple[Plan, ...]


State = tuple[int, ...]
"""For each open edge 0 or the far end of its piece of route * 8 + train; then one record for each train."""
Past = tuple[int, State | None, Move | None]
"""Loss, and how the state came about."""


class Sweep:
    def __init__(self, case: Case, kinds: list[int], known: int) -> None:
        self.case, self.kinds = case, kinds
        self.limited = [train.reach is not None for train in case.trains]
        self.graph: Graph = graph(case)
        self.market = Market(case, self.graph, kinds, self.limited)
        self.prices = self.market.settle(known * FINE)
        self.known = known
        """The best score known."""
        bonus = sum(bonus.amount for bonus in case.rules.bonuses) * case.scale
        self.top = self.prices.bound + len(kinds) * (bonus + 1) * FINE
        self.flags = self._flags()
        self.work = 0
        self.fork = self._forks()

    def _flags(self) -> dict[int, int]:
        """Flags that a call at a stop sets: the sides of bonuses, groups of stops over several hexes."""
        flags: dict[int, int] = {}
        bit = FLAGS
        number = self.case.net.number
        for bonus in self.case.rules.bonuses:
            for stops in (bonus.one, bonus.other):
                for ref in stops:
                    if ref in number:
                        flags[number[ref]] = flags.get(number[ref], 0) | 1 << bit
                bit += 1
        self.group_bits = 0
        shared: dict[int, list[int]] = {}
        for stop, place in enumerate(self.case.place):
            shared.setdefault(place, []).append(stop)
        for numbers in shared.values():
            if len({self.case.net.stops[stop][0] for stop in numbers}) > 1:
                for stop in numbers:
                    flags[stop] = flags.get(stop, 0) | 1 << bit
                self.group_bits |= 1 << bit
                bit += 1
        return flags

    def _forks(self) -> list[tuple[list[int], list[int]]]:
        """For each node: places of its edges among those open before it, and the edges it opens."""
        found = []
        open_edges: list[int] = []
        for index, node in enumerate(self.graph.nodes):
            closing = [edge for edge in open_edges if edge in node.edges]
            opening = [edge for edge in node.edges if self.graph.edges[edge][0] == index or edge not in open_edges]
            opening = [edge for edge in opening if edge not in closing]
            found.append(([open_edges.index(edge) for edge in closing], opening))
            open_edges = [edge for edge in open_edges if edge not in closing] + opening
        return found

    def need(self) -> int:
        """The least score that would be better than the best known."""
        case, full = self.case, len(self.kinds)
        if self.known % case.scale == full:  # every train runs: only more money is better
            return (self.known // case.scale + case.unit) * case.scale + 1
        return self.known + 1

    def moves(self, index: int, room: int) -> dict[tuple[int, ...], list[Move]]:
        """The moves of a node by the trains on its incoming edges, those that lose at most `room`, best first."""
        node = self.graph.nodes[index]
        _, opening = self.fork[index]
        incoming = [edge for edge in node.edges if edge not in opening]
        kinds, top = self.kinds, self.prices.best[index]
        nets = {kind: self.market.net(self.prices, kind, index) for kind in set(kinds)}
        found: dict[tuple[int, ...], list[Move]] = {}
        ranked = {kind: sorted(range(len(node.plans)), key=lambda n, net=net: -net[n]) for kind, net in nets.items()}  # type: ignore[misc]
        rest = [0] * (len(kinds) + 1)
        for train in range(len(kinds) - 1, -1, -1):
            rest[train] = rest[train + 1] + max(nets[kinds[train]])
        open_order = self._open_order(index)
        incoming.sort(key=open_order.index)
        chosen: list[Plan] = []

        def choose(train: int, total: int, edges: int, inner: int) -> None:
            if train == len(kinds):
                move = self._move(top - total, tuple(chosen), opening)
                key = tuple(
                    next((t + 1 for t, plan in enumerate(chosen) if plan.edges >> edge & 1), 0) for edge in incoming
                )
                found.setdefault(key, []).append(move)
                return
            net = nets[kinds[train]]
            for number in ranked[kinds[train]]:
                if top - (total + net[number] + rest[train + 1]) > room:
                    break
                plan = node.plans[number]
                if not plan.edges & edges and not plan.inner & inner:
                    chosen.append(plan)
                    choose(train + 1, total + net[number], edges | plan.edges, inner | plan.inner)
                    chosen.pop()

        choose(0, 0, 0, 0)
        for moves in found.values():
            moves.sort(key=lambda move: move.loss)
        return found

    def _open_order(self, index: int) -> list[int]:
        open_edges: list[int] = []
        for places, opening in self.fork[:index]:
            closing = [open_edges[place] for place in places]
            open_edges = [edge for edge in open_edges if edge not in closing] + opening
        return open_edges

    def _move(self, loss: int, plans: tuple[Plan, ...], opening: list[int]) -> Move:
        case = self.case
        works = []
        for train, plan in enumerate(plans):
            if not plan.paths:
                continue
            add, flags = END * plan.halts, STARTED
            for stop in plan.stops:
                if self.limited[train]:
                    add += CALL * case.cost[stop] + (LARGE * case.cost[stop] if case.large[stop] else 0)
                flags |= self.flags.get(stop, 0) | (TOUCHED if stop in case.tokens else 0)
            joins = tuple(self._join(path) for path in plan.paths)
            works.append((train, add, flags, flags & self.group_bits, joins))
        out = tuple(next((t + 1 for t, plan in enumerate(plans) if plan.edges >> edge & 1), 0) for edge in opening)
        return Move(loss, out, tuple(works), plans)

    def _join(self, path: Local) -> tuple[int, int]:
        edges = (*path.edges, -1, -1)
        return edges[0], edges[1]

    def run(self, allowance: int) -> Answer:
        """Sweep wider and wider until the best set is proved or the states allowed are used up."""
        routes: list[Found | None] = [None] * len(self.kinds)
        bound = self.top // FINE
        proved = False
        for width in WIDTHS:
            if self.top < self.need() * FINE:
                proved = True
                break
            end, cut = self._sweep(width, allowance)
            if end is not None:
                loss, layers, state = end
                self.known = (self.top - loss) // FINE
                assert (self.top - loss) % FINE == 0
                routes = self._routes(layers, state)
            if cut is None:
                proved = True
                break
            bound = min(bound, max(self.known, (self.top - cut) // FINE))
            if self.work > allowance:
                break
        if proved:
            bound = self.known
        return Answer(routes, self.known, proved, bound, self.work)

    def _sweep(
        self, width: int, allowance: int
    ) -> tuple[tuple[int, list[dict[State, Past]], State] | None, int | None]:
        """The best end with its loss, and the least loss of a state dropped for want of room (None: none was)."""
        room = self.top - self.need() * FINE
        trains = len(self.kinds)
        states: dict[State, Past] = {(0,) * trains: (0, None, None)}
        layers = [states]
        cut: int | None = None
        edges: list[int] = []
        token_nodes = [
            index for index, node in enumerate(self.graph.nodes)
            if any(stop in self.case.tokens for plan in node.plans for stop in plan.stops)
        ]  # fmt: skip
        for index in range(len(self.graph.nodes)):
            places, opening = self.fork[index]
            if len(states) > width:
                ranked = sorted(states.items(), key=lambda item: item[1][0])
                cut = min(cut, ranked[width][1][0]) if cut is not None else ranked[width][1][0]
                states = dict(ranked[:width])
                layers[-1] = states
            self.work += len(states)
            if self.work > allowance:
                lost = min((past[0] for past in states.values()), default=room)
                return None, lost if cut is None else min(cut, lost)
            states = self._step(index, edges, states, room, not any(n > index for n in token_nodes))
            layers.append(states)
            closing = [edges[place] for place in places]
            edges = [edge for edge in edges if edge not in closing] + opening
        best: tuple[int, State] | None = None
        for state, (loss, _, _) in states.items():
            if any(record and not record & DONE for record in state):
                continue
            idle = sum(self._idle(train) for train in range(trains) if not state[train])
            if loss + idle <= room and (best is None or loss + idle < best[0]):
                best = loss + idle, state
        return (best[0], layers, best[1]) if best else None, cut

    def _idle(self, train: int) -> int:
        """What is lost when a train does not run: its part of the bound."""
        case, kind = self.case, self.kinds[train]
        bonus = sum(bonus.amount for bonus in case.rules.bonuses) * case.scale
        calls = self.prices.call[kind] * case.calls[kind] if self.limited[kind] else 0
        return 2 * self.prices.end[kind] + calls + (bonus + 1) * FINE

    def _finished(self, train: int, record: int) -> int:
        """What is lost when a train's route is complete: calls not made, bonuses not earned."""
        case, kind = self.case, self.kinds[train]
        loss = 0
        if self.limited[kind]:
            loss = self.prices.call[kind] * (case.calls[kind] - (record >> 5 & 0xFFF))
        for number, bonus in enumerate(case.rules.bonuses):
            if record >> (FLAGS + 2 * number) & 3 != 3:
                loss += bonus.amount * case.scale * FINE
        return loss

    def _step(
        self, index: int, edges: list[int], states: dict[State, Past], room: int, last_token: bool
    ) -> dict[State, Past]:
        """The states after a node. `last_token`: no token lies ahead."""
        places, opening = self.fork[index]
        all_moves = self.moves(index, room)
        staying = [place for place in range(len(edges)) if place not in places]
        closing = [edges[place] for place in places]
        stay_edges = [edges[place] for place in staying]
        spot = {edge: number for number, edge in enumerate(stay_edges)}
        width, trains = len(edges), len(self.kinds)
        calls = [(self.case.calls[train], self.case.reach[train], self.limited[train]) for train in range(trains)]
        twin = [train and self.kinds[train] == self.kinds[train - 1] for train in range(trains)]
        found: dict[State, Past] = {}
        for state, (loss, _, _) in states.items():
            key = tuple([state[place] & 7 for place in places])
            slack = room - loss
            for move in all_moves.get(key, ()):
                if move.loss > slack:
                    break
                now = loss + move.loss
                records = list(state[width:])
                far: dict[int, int] = {}
                for edge, place in zip(closing, places, strict=True):
                    if state[place]:
                        far[edge] = state[place] >> 3
                complete = 0
                for train, add, flags, barred, joins in move.works:
                    record = records[train]
                    if record & DONE or record & barred:
                        break
                    if not record and twin[train] and not records[train - 1]:
                        break
                    ends = (record >> 2 & 3) + (add >> 2 & 3)
                    if ends > 2:
                        break
                    record = (record + add) | flags
                    most, large, limited = calls[train]
                    if limited and ((record >> 5 & 0xFFF) > most or (record >> 17 & 0xFFF) > large):
                        break
                    good = True
                    for a, b in joins:
                        far_a = far.get(a, a) if a >= 0 else -1
                        if a >= 0 and far_a == a and a in closing:
                            far_a = -1
                        far_b = far.get(b, b) if b >= 0 else -1
                        if b >= 0 and far_b == b and b in closing:
                            far_b = -1
                        if b >= 0 and far_a == b and a in closing:
                            good = False  # a ring
                            break
                        if far_a < 0 and far_b < 0:
                            if not record & TOUCHED or complete >> train & 1:
                                good = False
                                break
                            complete |= 1 << train
                        elif far_a < 0:
                            far[far_b] = far_b
                        elif far_b < 0:
                            far[far_a] = far_a
                        else:
                            far[far_a], far[far_b] = far_b, far_a
                    if not good:
                        break
                    records[train] = record
                else:
                    after = [state[place] for place in staying]
                    for edge, mate in far.items():
                        number = spot.get(edge)
                        if number is not None:
                            after[number] = mate << 3 | after[number] & 7
                    for edge, train in zip(opening, move.out, strict=True):
                        after.append(far[edge] << 3 | train if train else 0)
                    if complete:
                        spoilt = False
                        for train in range(trains):
                            if complete >> train & 1:
                                if any(label & 7 == train + 1 for label in after if label):
                                    spoilt = True
                                    break
                                now += self._finished(train, records[train])
                                records[train] = DONE
                        if spoilt or now > room:
                            continue
                    if last_token and any(record and not record & (TOUCHED | DONE) for record in records):
                        continue
                    new = (*after, *records)
                    old = found.get(new)
                    if old is None or now < old[0]:
                        found[new] = (now, state, move)
        return found

    def _routes(self, layers: list[dict[State, Past]], state: State) -> list[Found | None]:
        """The routes that led to a final state."""
        used: list[list[tuple[int, Local]]] = [[] for _ in self.kinds]
        here: State | None = state
        for index in range(len(layers) - 1, 0, -1):
            assert here is not None
            _, before, move = layers[index][here]
            assert move is not None
            for train, plan in enumerate(move.plans):
                used[train] += [(index - 1, path) for path in plan.paths]
            here = before
        return [self._route(train, pieces) if pieces else None for train, pieces in enumerate(used)]

    def _route(self, train: int, pieces: list[tuple[int, Local]]) -> Found:
        """Thread the pieces of one train together, from the end that comes first in the sweep's order."""
        case, built = self.case, self.graph
        by_edge: dict[int, list[tuple[int, Local]]] = {}
        for node, path in pieces:
            for edge in path.edges:
                by_edge.setdefault(edge, []).append((node, path))
        node, path = min(
            ((node, path) for node, path in pieces if len(path.edges) < 2), key=lambda piece: (piece[0], piece[1].ends)
        )
        start = -1
        legs: list[Leg] = []
        sides: tuple[int, ...] = ()
        inside = False
        came = -1
        while True:
            hex_id = built.nodes[node].hex
            ends = path.ends
            if came >= 0:
                if built.nodes[node].port.get(ends[0]) != came:
                    ends = ends[::-1]
            elif ends[0] < 6:
                ends = ends[::-1]
            for end in ends:
                if end >= 6:
                    stop = case.net.number[hex_id, end - 6]
                    if start < 0:
                        start = stop
                    elif inside or sides:
                        legs.append(Leg(stop, 0, sides, 0))
                    sides, inside = (), True
            if ends[-1] >= 6:
                break
            edge = built.nodes[node].port[ends[-1]]
            crossed = built.sides[edge]
            if built.edges[edge][0] != node:
                crossed = tuple(opposite(side) for side in reversed(crossed))
            sides = (*sides, *crossed)
            came = edge
            node, path = next(piece for piece in by_edge[edge] if piece[0] != node)
        return Found(start, tuple(legs))
