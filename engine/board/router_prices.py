"""Prices for track: a bound on what all trains together can earn, and what each choice in a node forgoes.

A route through an edge is worth a price to the node on one side and costs it the node on the other. With any prices
the best plans of the nodes, each chosen for itself, add up to at least the best total; good prices bring the sum
close to it. What a choice in a node falls short of the node's best is its loss, and the score of a whole set of routes
is exactly the bound less all losses.

All numbers are whole (scores times `FINE`), so every machine finds the same prices.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.router_case import Case
from engine.board.router_nodes import Graph, Plan

FINE = 64
ROUNDS = 120


@dataclass(slots=True)
class Prices:
    edge: list[list[int]]
    """[kind][edge]: what the first node of the edge pays and the second receives."""
    end: list[int]
    """[kind]: price of an end of a route."""
    call: list[int]
    """[kind]: price of a call."""
    bound: int
    best: list[int]
    """[node]: the most that its plans bring at these prices."""


class Market:
    """Finds prices for one case."""

    def __init__(self, case: Case, graph: Graph, kinds: list[int]) -> None:
        self.case, self.graph, self.kinds = case, graph, kinds
        self.limited = [train.reach is not None for train in case.trains]
        self.shown = sorted(set(kinds))
        self.gross = {
            kind: [[self._worth(kind, plan) for plan in node.plans] for node in graph.nodes] for kind in self.shown
        }
        """[kind][node][plan]: what the stops of the plan bring."""
        self.calls = [[sum(case.cost[stop] for stop in plan.stops) for plan in node.plans] for node in graph.nodes]
        self.signs = [
            [(edge, 1 if graph.edges[edge][0] != index else -1) for edge in node.edges]
            for index, node in enumerate(graph.nodes)
        ]
        self.uses = [
            [[pair for pair in self.signs[index] if plan.edges >> pair[0] & 1] for plan in node.plans]
            for index, node in enumerate(graph.nodes)
        ]

    def _worth(self, kind: int, plan: Plan) -> int:
        value = self.case.value[kind]
        return FINE * sum(value[stop] for stop in plan.stops)

    def net(self, prices: Prices, kind: int, node: int) -> list[int]:
        """What each plan of the node brings a train of this kind at these prices."""
        edge, end, call = prices.edge[kind], prices.end[kind], prices.call[kind]
        found = []
        for plan, gross, calls, uses in zip(
            self.graph.nodes[node].plans, self.gross[kind][node], self.calls[node], self.uses[node], strict=True
        ):
            net = gross - end * plan.ended - call * calls
            for number, sign in uses:
                net += edge[number] if sign > 0 else -edge[number]
            found.append(net)
        return found

    def settle(self, known: int) -> Prices:
        """Prices with a low bound. `known` is a score already reached, in the same units."""
        count, edges = len(self.case.trains), len(self.graph.edges)
        prices = Prices([[0] * edges for _ in range(count)], [0] * count, [0] * count, 0, [])
        best: Prices | None = None
        stuck, share = 0, 1000
        for _ in range(ROUNDS):
            slope_edge = [[0] * edges for _ in range(count)]
            slope_end, slope_call = [0] * count, [0] * count
            bound = 0
            tops = []
            for index, node in enumerate(self.graph.nodes):
                nets = {kind: self.net(prices, kind, index) for kind in self.shown}
                top, chosen = self._pick(node.plans, nets)
                bound += top
                tops.append(top)
                for train, number in enumerate(chosen):
                    kind = self.kinds[train]
                    plan = node.plans[number]
                    slope_end[kind] -= plan.ended
                    slope_call[kind] -= self.calls[index][number]
                    for edge, sign in self.uses[index][number]:
                        slope_edge[kind][edge] += sign
            for kind in self.kinds:
                slope_end[kind] += 2
                bound += 2 * prices.end[kind]
                if self.limited[kind]:
                    slope_call[kind] += self.case.calls[kind]
                    bound += self.case.calls[kind] * prices.call[kind]
            if best is None or bound < best.bound:
                best = Prices([list(row) for row in prices.edge], list(prices.end), list(prices.call), bound, tops)
                stuck = 0
            else:
                stuck += 1
                if stuck >= 6:
                    stuck, share = 0, share // 2
            if best.bound <= known or share < 4:
                break
            norm = sum(slope * slope for row in slope_edge for slope in row)
            norm += sum(s * s for s in slope_end) + sum(
                s * s for s, on in zip(slope_call, self.limited, strict=True) if on
            )
            if not norm:
                break
            aim = max(known, bound * 7 // 10)
            step = max(1, share * (bound - aim) // (1000 * norm))
            for kind in self.shown:
                row = prices.edge[kind]
                for edge, slope in enumerate(slope_edge[kind]):
                    if slope:
                        row[edge] -= step * slope
                prices.end[kind] = max(0, prices.end[kind] - step * slope_end[kind])
                if self.limited[kind]:
                    prices.call[kind] = max(0, prices.call[kind] - step * slope_call[kind])
        assert best is not None
        return best

    def _pick(self, plans: list[Plan], nets: dict[int, list[int]]) -> tuple[int, list[int]]:
        """The plans, one for each train, that bring the most without sharing track."""
        orders = {kind: sorted(range(len(plans)), key=lambda n, net=net: -net[n]) for kind, net in nets.items()}  # type: ignore[misc]
        kinds = self.kinds
        best, answer = 0, [0] * len(kinds)
        tops = [nets[kind][orders[kind][0]] for kind in kinds]
        rest = [sum(tops[train:]) for train in range(len(kinds) + 1)]
        chosen = [0] * len(kinds)

        def choose(train: int, total: int, edges: int, inner: int) -> None:
            nonlocal best, answer
            if train == len(kinds):
                if total > best:
                    best, answer = total, list(chosen)
                return
            net = nets[kinds[train]]
            for number in orders[kinds[train]]:
                if total + net[number] + rest[train + 1] <= best:
                    break
                plan = plans[number]
                if not plan.edges & edges and not plan.inner & inner:
                    chosen[train] = number
                    choose(train + 1, total + net[number], edges | plan.edges, inner | plan.inner)
            chosen[train] = 0

        choose(0, 0, 0, 0)
        return best, answer
