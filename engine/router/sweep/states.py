"""All that one train can do alone, swept node by node over the map.

Behind the sweep everything is decided; of all the ways to get there only what matters ahead is kept: which open edges
belong to one piece of the route, and what the train has done so far (its token met, ends used, calls made). Ways that
agree in this lead to one state. Swept back again, it is known of each state what the train brings at most from there
on, and so what each way on forgoes.
"""

from engine.router.case import Case
from engine.router.sweep.nodes import Graph, Plan
from engine.router.sweep.passages import Effect, Fork, Passages, forks

TOUCHED, DONE, BEGUN, END, CALL, LARGE, FLAG = 1, 2, 4, 1 << 3, 1 << 6, 1 << 18, 1 << 30
"""Where a record keeps: token met, route complete, begun, ends used, calls, large calls, first of the flags."""
ENDS, CALLS = 3, 0x7FF
"""The counts start so that they come to this where no more is allowed; one more sets the bit above."""
FIELD = 2 * CALLS + 1
"""A count with the bit above it."""
OVER = (ENDS + 1) * END | (CALLS + 1) * CALL | (CALLS + 1) * LARGE
INNER = 36
"""Bits for the track between stops of a hex; edges come above them."""
NEVER = -1
"""What a state brings that leads to nothing."""

Layer = dict[tuple[int, ...], dict[int, int]]
"""What is kept for the open edges -> the train's record -> number of the state."""
Move = tuple[int, int, int]
"""One way on: the state it leads to, the number of the plan, its score."""
CostedMove = tuple[int, int, int, int]
"""The same: what it forgoes, the state it leads to, the track it uses as bits, the number of the plan."""


class TrainStates:
    """The states of one train.

    Left out are routes that use the track `taken` (bits for each node) or score less than `floor`. `allowance` limits
    how many states are looked at; past it only those that brought most so far are kept.
    """

    def __init__(
        self, case: Case, graph: Graph, train: int, allowance: int,
        *, taken: list[int] | None = None, floor: int = 0,
    ) -> None:  # fmt: skip
        self.case, self.graph, self.floor = case, graph, floor
        self.value, self.calls, self.reach = case.value[train], case.calls[train], case.reach[train]
        self.limited, self.apart = case.trains[train].reach is not None, case.apart[train]
        self.shunned = case.shunned[train]
        self.tracks = [[plan.edges << INNER | plan.inner for plan in node.plans] for node in graph.nodes]
        """[node][plan]: the track it uses as bits."""
        self.taken = taken or [0 for _ in graph.nodes]
        self.flags, self.once = self._flags()
        self.ahead = self._ahead()
        self.work = 0
        self.lost = 0
        """The most that a state not kept could bring."""
        self.idle = NEVER
        """The last state of a train that does not run."""
        steps = self._forth(allowance)
        self.ways: list[list[list[CostedMove]]] = []
        """[node][state]: the ways on that lead to a route or to a train that does not run."""
        self.most = self._back(steps)
        """The most that the train brings in the states kept."""

    def best(self) -> list[int]:
        """The plans of a route that brings the most, by node."""
        state, plans = 0, []
        for layer in self.ways:
            _, state, _, plan = min(layer[state])
            plans.append(plan)
        return plans

    def _flags(self) -> tuple[dict[int, int], int]:
        """For each stop the flags that meeting it sets: sides of bonuses, groups of stops over several hexes; and those
        of them that are set once at most."""
        flags: dict[int, int] = {}
        bit, once = FLAG, 0
        number = self.case.net.number
        for bonus in self.case.rules.bonuses:
            for stops in (bonus.one, bonus.other):
                for ref in stops:
                    if ref in number:
                        flags[number[ref]] = flags.get(number[ref], 0) | bit
                bit <<= 1
        shared: dict[int, list[int]] = {}
        for stop, place in enumerate(self.case.place):
            shared.setdefault(place, []).append(stop)
        for numbers in shared.values():
            if len({self.case.net.stops[stop][0] for stop in numbers}) > 1:
                for stop in numbers:
                    flags[stop] = flags.get(stop, 0) | bit
                once |= bit
                bit <<= 1
        return flags, once

    def _ahead(self) -> list[list[int]]:
        """[node][calls left]: what the train brings at most from the node on; a list ends where all calls are made."""
        found = [[self._extra(~0)]]
        paid: list[int] = []
        free = found[0][0]
        for node in reversed(self.graph.nodes):
            for stop in sorted({stop for plan in node.plans for stop in plan.stops}):
                if self.case.cost[stop]:
                    paid.append(self.value[stop])
                else:
                    free += self.value[stop]
            paid.sort(reverse=True)
            found.append([free + sum(paid[:count]) for count in range(len(paid) + 1)])
        return found[::-1]

    def _extra(self, record: int) -> int:
        """What a complete route brings besides its calls."""
        extra, sides = 1, record // FLAG
        for bonus in self.case.rules.bonuses:
            if sides & 3 == 3:
                extra += bonus.amount * self.case.scale
            sides >>= 2
        return extra

    def _effects(self, index: int) -> list[tuple[Effect, Plan]]:
        """What the train can do in a node, nothing first."""
        case, tokens = self.case, self.case.tokens
        found = []
        for number, plan in enumerate(self.graph.nodes[index].plans):
            if self.tracks[index][number] & self.taken[index] or self.shunned in plan.met:
                continue
            add = flags = barred = 0
            if plan.paths:
                add, flags = END * plan.ended, BEGUN
                if self.limited:
                    add += sum((CALL + LARGE if case.large[stop] else CALL) * case.cost[stop] for stop in plan.stops)
                for stop in plan.met:
                    flags |= self.flags.get(stop, 0) | (TOUCHED if stop in tokens else 0)
                barred = flags & self.once | DONE
            score = sum(self.value[stop] for stop in plan.stops)
            found.append((Effect(number, score, add, flags, barred), plan))
        return found

    def _forth(self, allowance: int) -> list[list[list[Move]]]:
        """[node][state]: the ways on."""
        nodes, tokens = self.graph.nodes, set(self.case.tokens)
        with_token = [any(not tokens.isdisjoint(plan.met) for plan in node.plans) for node in nodes]
        record = END * (ENDS - 2)
        if self.limited:
            record += CALL * (CALLS - self.calls) + LARGE * (CALLS - self.reach)
        states: Layer = {(): {record: 0}}
        scores = [0]
        found = []
        for index, fork in enumerate(forks(self.graph)):
            room = max(1, (allowance - self.work) // (len(nodes) - index))
            if len(scores) > room:  # the first state, a train that does not run, is kept
                ranked = [0, *sorted(range(1, len(scores)), key=lambda number: -scores[number])]
                ahead = self.ahead[index]
                self.lost = max(self.lost, scores[ranked[room]] + ahead[min(self.calls, len(ahead) - 1)])
                kept = set(ranked[:room])
                states = {
                    edges: {record: number for record, number in records.items() if number in kept}
                    for edges, records in states.items()
                }
            self.work += min(room, len(scores))
            untouched = 0 if any(with_token[index + 1 :]) else BEGUN
            steps: list[list[Move]] = [[] for _ in scores]
            states, scores = self._step(index, fork, states, scores, steps, untouched)
            found.append(steps)
        self.idle = states[()].get(record, NEVER) if () in states else NEVER
        return found

    def _step(
        self, index: int, fork: Fork, states: Layer, scores: list[int], steps: list[list[Move]], untouched: int
    ) -> tuple[Layer, list[int]]:
        """The states after a node and the best score of each; fills in `steps`.

        Each state is tried with each passage: what the train can do in the node, given the pieces that come in. With
        the edges 3 and 7 open and a piece of the route from one to the other, (7 + 1, 3 + 1) is kept. A node that
        closes 3 and opens 9 can lead the piece on, which leaves (9 + 1, 7 + 1) for the edges 7 and 9, or end it at
        a stop, which leaves (7 + 1, 0): the far end of what is on 7 is then 7 itself, and 9 is not used.

        A record with BEGUN set and TOUCHED unset is of no use where `untouched` is BEGUN: no token is to come.
        """
        places, staying = fork.places, fork.staying
        passages = Passages(fork, self._effects(index))
        floor, ahead, apart = self.floor, self.ahead[index + 1], self.apart
        most = len(ahead) - 1
        found: Layer = {}
        best: list[int] = []
        # First by what is kept for the edges: which passages there are depends on that alone.
        for edges, records in states.items():
            stay = [edges[place] for place in staying]
            more = any(stay)
            for (plan, score, add, flags, barred), whole, changed, opened in passages.of(
                tuple([edges[place] for place in places])
            ):
                if whole and more:
                    continue  # the route is complete, yet a piece of it stays open
                # The edges behind the node: those that stay, joined otherwise, then those that it opens.
                kept = stay
                if changed:
                    kept = stay[:]
                    for place, value in changed:
                        kept[place] = value
                target = found.setdefault((*kept, *opened), {})
                # Then by record, where a sum and a mask do what the plan does and show what it may not.
                for record, number in records.items():
                    if record & barred:
                        continue
                    after = (record + add) | flags
                    if after & OVER or (untouched and after & (BEGUN | TOUCHED) == untouched):
                        continue
                    if apart and after // CALL & FIELD > after // LARGE & FIELD:
                        continue  # more small calls than it has
                    # A complete route must have met a token; of its record nothing matters any more.
                    brings = score
                    if whole:
                        if not after & TOUCHED:
                            continue
                        brings += self._extra(after)
                        after = DONE
                    # Below the floor it is kept only if the calls left can still make up for it.
                    now = scores[number] + brings
                    if now < floor:
                        left = CALLS - (after // CALL & FIELD)
                        if whole or now + ahead[left if left < most else most] < floor:
                            continue
                    # Ways that agree in edges and record lead to one state.
                    state = target.get(after)
                    if state is None:
                        state = target[after] = len(best)
                        best.append(now)
                    elif now > best[state]:
                        best[state] = now
                    steps[number].append((state, plan, brings))
        return found, best

    def _back(self, steps: list[list[list[Move]]]) -> int:
        """Finds what each state brings from there on, and with it the ways on; returns what the first one brings."""
        brings = [0, 0]  # after the last node a train has run or not
        for tracks, layer in zip(reversed(self.tracks), reversed(steps), strict=True):
            here: list[int] = []
            ways: list[list[CostedMove]] = []
            for some in layer:
                going = [(brings[after] + score, after, plan) for after, plan, score in some if brings[after] >= 0]
                if going:
                    top = max(going)[0]
                    here.append(top)
                    ways.append([(top - score, after, tracks[plan], plan) for score, after, plan in going])
                else:
                    here.append(NEVER)
                    ways.append([])
            brings = here
            self.ways.append(ways)
        self.ways.reverse()
        return brings[0]
