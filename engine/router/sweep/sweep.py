"""Best routes by sweeping: node by node over the map, for networks with too many routes to list.

First each train is swept alone (`states.py`): what it brings at most from each of its states is then known. The
trains together are in one state each and bring no more than each of them alone; of all such states the most promising
is looked at first, so that the first one that is through the map is the best.
"""

from heapq import heappop, heappush, nsmallest
from itertools import combinations

from engine.board.hexes import opposite
from engine.board.network import Leg
from engine.router.case import Answer, Case, FoundRoute
from engine.router.sweep.nodes import Graph, LocalPath, graph
from engine.router.sweep.states import CostedMove, TrainStates

NARROW = 100
"""States kept at a node where the work allowed was not enough to look at all that might be best."""
HOME, PASSED, PAIRS = 1, 2, 4
"""Where the company's record keeps: home met, full city passed, the pairs of trains that met."""

JointState = tuple[int, ...]
"""The number of the node ahead, the company's record, the state of each train."""
JointPast = tuple[int, JointState, tuple[CostedMove, ...]]
"""What was forgone, the state before, the way of each train from there."""


class Sweep:
    """All trains together, over the map."""

    def __init__(self, case: Case, kinds: list[int]) -> None:
        self.case = case
        self.order = sorted(range(len(kinds)), key=lambda train: (-case.calls[train], kinds[train]))
        """The trains as they are taken here: first those that call most, those that are alike side by side."""
        self.kinds = [kinds[train] for train in self.order]
        self.graph = graph(case)
        self.work = self.allowance = 0
        rules, number = case.rules, case.net.number
        self.tied = bool(rules.home or rules.joined or rules.single_pass)
        self.home = frozenset(number[stop] for stop in rules.home if stop in number)
        self.pairs = list(combinations(range(len(kinds)), 2))
        spans = [(self.kinds.index(kind), self.kinds.index(kind) + self.kinds.count(kind)) for kind in set(kinds)]
        self.alike = [(first, end) for first, end in spans if end - first > 1 and not rules.joined]
        """Trains that may change places."""
        self.step = case.unit * case.scale if case.unit and rules.subsidy is None else 1
        """Scores are multiples of this, and one more for each train that runs."""

    def run(self, known: int, allowance: int) -> Answer:
        """The best set of routes, proved unless the states allowed are used up.

        Only sets that score more than `known` are looked for; without one the routes are all None.
        """
        self.work, self.allowance = 0, allowance
        self.known = known
        self.plans: list[list[int]] = [[] for _ in self.kinds]
        self.alone = self._alone()
        self.top = sum(alone.most for alone in self.alone)
        bound = self._best_first()
        if any(alone.lost for alone in self.alone):
            bound = max(bound, sum(max(alone.most, alone.lost) for alone in self.alone))
        if bound > self.known:
            self._narrow()
        return Answer(self._routes(), self.known, self.known >= bound, max(self.known, bound), self.work)

    def _alone(self) -> list[TrainStates]:
        """Each train swept alone. A first set of routes is found as well: each train beside those before."""
        lead = self._train(self.kinds[0])
        if not self.tied:
            first, score = [lead.best()], lead.most
            taken = [0 for _ in self.graph.nodes]
            for kind in self.kinds[1:]:
                taken = [bits | tracks[plan] for bits, tracks, plan in zip(taken, lead.tracks, first[-1], strict=True)]
                beside = self._train(kind, taken=taken)
                first.append(beside.best())
                score += beside.most
            if score > self.known:
                self.known, self.plans = score, first
        swept = {self.kinds[0]: lead}
        for kind in self.kinds:
            if kind not in swept:
                others = list(self.kinds)
                others.remove(kind)
                floor = 0
                if all(other in swept for other in others):
                    floor = self._need() - sum(max(swept[other].most, swept[other].lost) for other in others)
                swept[kind] = self._train(kind, floor=floor)
        return [swept[kind] for kind in self.kinds]

    def _train(self, kind: int, *, taken: list[int] | None = None, floor: int = 0) -> TrainStates:
        """One train alone; it may use up half of the work left."""
        share = (self.allowance - self.work) // 2
        alone = TrainStates(self.case, self.graph, kind, share, taken=taken, floor=floor)
        self.work += alone.work
        return alone

    def _need(self) -> int:
        """The least score that is better than the one known."""
        over = (self.known + 1) % self.step
        return self.known + 1 if over <= len(self.kinds) else self.known + 1 + self.step - over

    def _best_first(self) -> int:
        """Finds the best set, if it is better than the one known; returns a score that none exceeds."""
        start = (0, 0, *[0 for _ in self.kinds])
        self.came: dict[JointState, JointPast] = {start: (0, start, ())}
        self.room = self.top - self._need()
        queue = [(-self._chance(0), 0, 0, start)] if self.room >= 0 else []
        last = len(self.graph.nodes)
        while queue:
            chance, _, loss, state = heappop(queue)
            if loss > self.came[state][0]:
                continue  # a better way to it was found since
            if state[0] == last:
                if self._complete(state):
                    self._take(state)
                    return self.known
                continue
            if self.work >= self.allowance:
                return -chance
            for loss, after in self._look(state):
                heappush(queue, (-self._chance(loss), -after[0], loss, after))
        return self.known

    def _chance(self, loss: int) -> int:
        """The highest score that a set of routes can have which forgoes this."""
        over = (self.top - loss) % self.step
        return self.top - loss - over + min(over, len(self.kinds))

    def _narrow(self) -> None:
        """Finds a better set, if there is one among the few most promising states at each node."""
        start = (0, 0, *[0 for _ in self.kinds])
        self.came = {start: (0, start, ())}
        self.room = self.top - self._need()
        layer = [(0, start)]
        for _ in self.graph.nodes:
            layer = [found for _, state in nsmallest(NARROW, layer) for found in self._look(state)]
        for loss, state in sorted(layer):
            if loss <= self.room and self._complete(state):
                self._take(state)
                return

    def _look(self, state: JointState) -> list[tuple[int, JointState]]:
        """The states after one more node to which this is the best way so far, with what is forgone."""
        self.work += 1
        index, company, *places = state
        room, came = self.room, self.came
        together: list[tuple[int, int, tuple[CostedMove, ...]]] = [(came[state][0], 0, ())]
        for alone, place in zip(self.alone, places, strict=True):
            together = [
                (loss + way[0], used | way[2], (*ways, way))
                for loss, used, ways in together
                for way in alone.ways[index][place]
                if not used & way[2] and loss + way[0] <= room
            ]
        found = []
        for loss, _, ways in together:
            record = self._record(index, company, ways) if self.tied else company
            if record is None:
                continue
            after_each = [way[1] for way in ways]
            for first, end in self.alike:
                after_each[first:end] = sorted(after_each[first:end])
            after = (index + 1, record, *after_each)
            old = came.get(after)
            if old is None or loss < old[0]:
                came[after] = loss, state, ways
                found.append((loss, after))
        return found

    def _record(self, index: int, company: int, ways: tuple[CostedMove, ...]) -> int | None:
        """The company's record after its trains do this in a node; None if they may not."""
        plans = [self.graph.nodes[index].plans[way[3]] for way in ways]
        for plan in plans:
            if plan.passes and self.case.rules.single_pass:
                if company & PASSED:
                    return None
                company |= PASSED
            if not self.home.isdisjoint(plan.met):
                company |= HOME
        if self.case.rules.joined:
            for number, (a, b) in enumerate(self.pairs):
                if not set(plans[a].met).isdisjoint(plans[b].met):
                    company |= PAIRS << number
        return company

    def _complete(self, state: JointState) -> bool:
        """Whether a state after the last node keeps the rules about all trains together."""
        _, company, *places = state
        running = [train for train, place in enumerate(places) if place != self.alone[train].idle]
        if self.case.rules.home and running and not company & HOME:
            return False
        if self.case.rules.joined and running:
            met = {pair for number, pair in enumerate(self.pairs) if company & PAIRS << number}
            group = running[:1]
            for train in group:  # grows while it is read
                group += [other for other in running if other not in group and {(train, other), (other, train)} & met]
            return len(group) == len(running)
        return True

    def _take(self, state: JointState) -> None:
        """Makes the set that led to a final state the one known."""
        self.known = self.top - self.came[state][0]
        self.plans = [[] for _ in self.kinds]
        here = list(range(len(self.kinds)))
        """The place of each train in the state."""
        while state[0]:
            _, state, ways = self.came[state]
            order = list(range(len(ways)))
            for first, end in self.alike:
                order[first:end] = sorted(order[first:end], key=lambda place: ways[place][1])
            here = [order[place] for place in here]
            for plans, place in zip(self.plans, here, strict=True):
                plans.insert(0, ways[place][3])

    def _routes(self) -> list[FoundRoute | None]:
        """The routes known, in the order asked for."""
        routes: list[FoundRoute | None] = [None for _ in self.kinds]
        for train, plans in zip(self.order, self.plans, strict=True):
            pieces = [
                (index, path) for index, plan in enumerate(plans) for path in self.graph.nodes[index].plans[plan].paths
            ]
            routes[train] = thread(self.case, self.graph, pieces) if pieces else None
        return routes


def thread(case: Case, built: Graph, pieces: list[tuple[int, LocalPath]]) -> FoundRoute:
    """The route made of these (node, way through it), from the end whose node comes first.

    Two pieces hang together where they use the same edge, so the route is followed from edge to edge, and `sides`
    gathers what is crossed since the last stop:

        pieces   A: stop, side 2     B: side 5, side 1     C: side 3, stop
        edges    A to B crosses side 2; B to C crosses side 1, and side 0 of a plain hex between
        route    from A's stop one leg to C's, over the sides 2, 1, 0
    """
    by_edge: dict[int, list[tuple[int, LocalPath]]] = {}
    for node, path in pieces:
        for edge in path.edges:
            by_edge.setdefault(edge, []).append((node, path))
    # Begin with a piece that ends in its node: it uses one edge, or none.
    node, path = min(
        ((node, path) for node, path in pieces if len(path.edges) < 2), key=lambda piece: (piece[0], piece[1].ends)
    )
    bypassed = frozenset(stop for _, piece in pieces for stop in piece.met if stop not in piece.stops)
    start = -1
    legs: list[Leg] = []
    sides: tuple[int, ...] = ()
    came = -1
    while True:
        hex_id = built.nodes[node].hex
        # Read the piece away from the edge that the route came by; the first one away from its stop.
        ends = path.ends
        if came >= 0:
            if built.nodes[node].port.get(ends[0]) != came:
                ends = ends[::-1]
        elif ends[0] < 6:
            ends = ends[::-1]
        # Each stop but the first completes a leg.
        for end in ends:
            if end >= 6:
                stop = case.net.number[hex_id, end - 6]
                if start < 0:
                    start = stop
                else:
                    legs.append(Leg(stop, 0, sides, 0))
                sides = ()
        if ends[-1] >= 6:
            break
        # Cross the edge, whose sides are written as left from its first node, to the other piece on it.
        edge = built.nodes[node].port[ends[-1]]
        crossed = built.sides[edge]
        if built.edges[edge][0] != node:
            crossed = tuple(opposite(side) for side in reversed(crossed))
        sides = (*sides, *crossed)
        came = edge
        node, path = next(piece for piece in by_edge[edge] if piece[0] != node)
    return FoundRoute(start, tuple(legs), bypassed)
