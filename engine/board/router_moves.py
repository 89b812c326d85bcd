"""What all trains together can do in a node: the moves of the sweep, with what each loses and changes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from engine.board.router_case import ROUTES, Case
from engine.board.router_nodes import Graph, Local, Plan
from engine.board.router_prices import Market, Prices

TOUCHED, DONE, END, STARTED, CALL, LARGE, FLAGS = 1, 2, 1 << 2, 1 << 4, 1 << 5, 1 << 17, 29
"""Where a train's record keeps: token met, route complete, ends used, begun, calls, large calls, first bit of flags."""
CALLS = 0xFFF
HOME, PASSED, PAIRS = 1, 2, 2
"""Where the company's record keeps: home met, full city passed, first bit of the pairs of trains that met."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one train does in a node."""

    train: int
    add: int
    """To be added to its record."""
    flags: int
    """To be set in it."""
    barred: int
    """Flags that must not be set before."""
    joins: tuple[tuple[int, int], ...]
    """The pairs of edges joined; -1 is an end."""


@dataclass(frozen=True, slots=True)
class Move:
    loss: int
    out: tuple[int, ...]
    """The train, counted from 1, on each edge that the node opens; 0 for none."""
    works: tuple[Work, ...]
    company: int
    """To be set in the company's record."""
    barred: int
    subsidy: int
    plans: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Fork:
    """A node as the sweep comes to it: the places, among the edges then open, of those that end in the node."""

    closing: tuple[int, ...]
    places: tuple[int, ...]
    opening: tuple[int, ...]
    staying: tuple[int, ...]
    """Places of the edges that stay open."""
    stay_edges: tuple[int, ...]


def forks(graph: Graph) -> list[Fork]:
    found = []
    edges: list[int] = []
    for node in graph.nodes:
        closing = [edge for edge in edges if edge in node.edges]
        opening = [edge for edge in node.edges if edge not in edges]
        stay = [edge for edge in edges if edge not in closing]
        places = tuple(edges.index(edge) for edge in closing)
        staying = tuple(edges.index(edge) for edge in stay)
        found.append(Fork(tuple(closing), places, tuple(opening), staying, tuple(stay)))
        edges = stay + opening
    return found


class Moves:
    """Makes the moves of each node of one case."""

    def __init__(self, case: Case, graph: Graph, kinds: list[int], market: Market, prices: Prices) -> None:
        self.case, self.graph, self.kinds, self.market, self.prices = case, graph, kinds, market, prices
        self.forks = forks(graph)
        self.limited = [train.reach is not None for train in case.trains]
        self.group_bits = 0
        self.flags = self._flags()
        number = case.net.number
        self.home = frozenset(number[stop] for stop in case.rules.home if stop in number)
        pairs = combinations(range(len(kinds)), 2)
        self.pair = {pair: 1 << (PAIRS + index) for index, pair in enumerate(pairs)}

    def _flags(self) -> dict[int, int]:
        """Flags that meeting a stop sets: the sides of bonuses, groups of stops over several hexes."""
        flags: dict[int, int] = {}
        bit = FLAGS
        number = self.case.net.number
        for bonus in self.case.rules.bonuses:
            for stops in (bonus.one, bonus.other):
                for ref in stops:
                    if ref in number:
                        flags[number[ref]] = flags.get(number[ref], 0) | 1 << bit
                bit += 1
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

    def of(self, index: int, room: int) -> dict[tuple[int, ...], list[Move]]:
        """The moves of a node that lose at most `room`, by the trains on its incoming edges, best first."""
        node, fork = self.graph.nodes[index], self.forks[index]
        kinds, top = self.kinds, self.prices.best[index]
        nets = {kind: self.market.net(self.prices, kind, index) for kind in sorted(set(kinds))}
        ranked = {kind: sorted(range(len(net)), key=net.__getitem__, reverse=True) for kind, net in nets.items()}
        rest = [sum(max(nets[kind]) for kind in kinds[train:]) for train in range(len(kinds) + 1)]
        found: dict[tuple[int, ...], list[Move]] = {}
        chosen: list[Plan] = []

        def choose(train: int, total: int, edges: int, inner: int) -> None:
            if train == len(kinds):
                self._add(found, top - total, tuple(chosen), fork)
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

    def _add(self, found: dict[tuple[int, ...], list[Move]], loss: int, plans: tuple[Plan, ...], fork: Fork) -> None:
        case = self.case
        works = []
        company = barred = subsidy = 0
        for train, plan in enumerate(plans):
            if not plan.paths:
                continue
            add, flags = END * plan.ended, STARTED
            if self.limited[train]:
                for stop in plan.stops:
                    add += CALL * case.cost[stop] + (LARGE * case.cost[stop] if case.large[stop] else 0)
            for stop in plan.met:
                flags |= self.flags.get(stop, 0) | (TOUCHED if stop in case.tokens else 0)
            works.append(Work(train, add, flags, flags & self.group_bits, tuple(_join(path) for path in plan.paths)))
            if case.rules.single_pass and plan.passes:
                if barred:
                    return
                company, barred = company | PASSED, PASSED
            if self.home and not self.home.isdisjoint(plan.met):
                company |= HOME
            if case.rules.subsidy is not None:
                subsidy += sum(case.value[train][stop] % case.scale for stop in plan.stops) // ROUTES
        if case.rules.joined:
            for (a, b), bit in self.pair.items():
                if not set(plans[a].met).isdisjoint(plans[b].met):
                    company |= bit
        key = tuple(_user(plans, edge) for edge in fork.closing)
        out = tuple(_user(plans, edge) for edge in fork.opening)
        found.setdefault(key, []).append(Move(loss, out, tuple(works), company, barred, subsidy, plans))


def _join(path: Local) -> tuple[int, int]:
    edges = (*path.edges, -1, -1)
    return edges[0], edges[1]


def _user(plans: tuple[Plan, ...], edge: int) -> int:
    """The train on an edge, counted from 1, or 0."""
    return next((train + 1 for train, plan in enumerate(plans) if plan.edges >> edge & 1), 0)
