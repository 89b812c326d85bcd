"""The track that a company's routes can use, as nodes and edges for the sweep.

A node is a piece of a hex that holds together: stops and forks. An edge is plain track between two nodes over
any number of hexes where a train has no choice. What trains can do inside a node is listed here for each kind of
train as `Plan`s: which edges it uses, how they are joined, which stops it calls at.
"""

from collections.abc import Iterator
from dataclasses import field
from itertools import combinations

from engine.frozen import dataclass
from engine.ids import HexId
from engine.router.case import Case

ORDERS = 24
Port = tuple[HexId, int]
"""A hex and one of its sides."""


@dataclass(frozen=True, slots=True)
class LocalPath:
    """One way through a node, or to or from a stop in it: the ends met in order, as `Turned` numbers them."""

    ends: tuple[int, ...]
    edges: tuple[int, ...]
    """The edges at its two ends; fewer where the route ends in the node."""
    stops: tuple[int, ...]
    """Stops called at."""
    met: tuple[int, ...]
    """Stops called at or bypassed."""
    inner: int
    """Track between stops of the hex, as bits."""
    passes: int
    """How many full cities of others it passes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one train does in a node. `edges` is a bit set."""

    paths: tuple[LocalPath, ...]
    edges: int
    inner: int
    stops: tuple[int, ...]
    """Stops called at."""
    met: tuple[int, ...]
    """Stops called at or bypassed."""
    ended: int
    """How many ends of the route are in this node."""
    passes: int


@dataclass(slots=True)
class Node:
    """A hex, or a part of it, as the sweep crosses it."""

    hex: HexId
    ends: frozenset[int]
    """The sides and stops of the hex that belong to this node."""
    edges: list[int] = field(default_factory=list)
    port: dict[int, int] = field(default_factory=dict)
    """Side -> edge."""
    plans: list[Plan] = field(default_factory=list)


@dataclass(slots=True)
class Graph:
    """The map as the sweep crosses it: nodes in order, and the edges between them."""

    nodes: list[Node]
    edges: list[tuple[int, int]]
    """The two nodes of each edge."""
    sides: list[tuple[int, ...]]
    """The sides crossed by each edge, as written when leaving its first node."""


def graph(case: Case) -> Graph:
    """Nodes in a good order for the sweep, with their plans."""
    live = _live(case)
    kept: set[HexId] = set()
    while True:
        built, loop = _build(case, live, kept)
        if loop is None:
            break
        kept.add(loop)  # an edge from a node to itself is cut in two
    built = _ordered(built)
    for node in built.nodes:
        node.plans = _plans(case, node)
    return built


def _live(case: Case) -> dict[HexId, set[int]]:
    """Sides that trains can come to, without those that lead nowhere."""
    faces, beyond, stops = case.board.faces, case.board.grid.beyond, case.net.stops
    live: dict[HexId, set[int]] = {}
    queue = [(stops[token][0], 6 + stops[token][1]) for token in case.tokens if case.open[token]]
    met = set(queue)
    for here, end in queue:  # grows while it is read
        for other in faces[here].from_end[end]:
            if other >= 6:
                number = case.net.number[here, other - 6]
                if not case.open[number]:
                    continue
                live.setdefault(here, set())
                step = (here, other) if case.passable[number] else None
            else:
                step = beyond.get((here, other))
                if step is None or not faces[step[0]].from_end[step[1]]:
                    continue
                live.setdefault(here, set()).add(other)
                live.setdefault(step[0], set()).add(step[1])
            if step is not None and step not in met:
                met.add(step)
                queue.append(step)
    doubtful = [(name, side) for name, sides in live.items() for side in sorted(sides)]
    while doubtful:
        here, side = doubtful.pop()
        if side not in live[here] or any(_usable(case, live, here, end) for end in faces[here].from_end[side]):
            continue
        live[here].discard(side)
        there, entry = beyond[here, side]
        live[there].discard(entry)
        doubtful += [(name, end) for name in (here, there) for end in sorted(live[name])]
    return live


def _usable(case: Case, live: dict[HexId, set[int]], here: HexId, end: int) -> bool:
    return end in live[here] if end < 6 else case.open[case.net.number[here, end - 6]]


def _build(case: Case, live: dict[HexId, set[int]], kept: set[HexId]) -> tuple[Graph, HexId | None]:
    """The graph with its nodes as they come, or a plain hex, not yet `kept` as a node, on an edge that comes back."""
    faces, beyond = case.board.faces, case.board.grid.beyond
    nodes: list[Node] = []
    at: dict[Port, int] = {}
    for here, sides in live.items():
        if here not in kept and _plain(case, live, here):
            continue
        pieces: list[set[int]] = []
        for a, b in sorted(faces[here].segments):
            if not (_usable(case, live, here, a) and _usable(case, live, here, b)):
                continue
            meeting = [piece for piece in pieces if a in piece or b in piece or not case.rules.reenter]
            pieces = [piece for piece in pieces if piece not in meeting] + [{a, b}.union(*meeting)]
        for piece in sorted(pieces, key=min):
            for end in piece & sides:
                at[here, end] = len(nodes)
            nodes.append(Node(here, frozenset(piece)))
    edges: list[tuple[int, int]] = []
    crossed: list[tuple[int, ...]] = []
    for (here, side), start in at.items():
        if side in nodes[start].port:
            continue
        chain, first = [side], None
        there, entry = beyond[here, side]
        while (there, entry) not in at:
            first = first or there
            side = next(end for end in faces[there].from_end[entry] if end in live[there])
            chain.append(side)
            there, entry = beyond[there, side]
        target = at[there, entry]
        if target == start and first is not None:
            return Graph([], [], []), first
        nodes[start].port[chain[0]] = nodes[target].port[entry] = len(edges)
        edges.append((start, target))
        crossed.append(tuple(chain))
    for node in nodes:
        node.edges = sorted(node.port.values())
    return Graph(nodes, edges, crossed), None


def _plain(case: Case, live: dict[HexId, set[int]], here: HexId) -> bool:
    """Whether a train that comes into the hex has one way on and no stop."""
    if not case.rules.reenter and len(live[here]) > 2:
        return False  # a train may come through once only
    ways = [
        [end for end in case.board.faces[here].from_end[side] if _usable(case, live, here, end)] for side in live[here]
    ]
    return bool(ways) and all(len(way) == 1 and way[0] < 6 for way in ways)


def _ordered(built: Graph) -> Graph:
    """The same graph with its nodes in an order that keeps few edges open at a time.

    A set of nodes can be taken in many orders: of each set only the cheapest is kept, of all sets of one size
    only the `ORDERS` cheapest.
    """
    count = len(built.nodes)
    edges = [sum(1 << edge for edge in node.edges) for node in built.nodes]
    beside = [0] * count
    for a, b in built.edges:
        beside[a] |= 1 << b
        beside[b] |= 1 << a
    beam: list[tuple[int, int, int, int, tuple[int, ...]]] = [(0, 0, 0, 0, ())]
    """(cost so far, nodes taken, edges open, nodes beside those taken, order)"""
    for _ in range(count):
        found: dict[int, tuple[int, int, int, int, tuple[int, ...]]] = {}
        for cost, taken, crossing, around, order in beam:
            next_ones = around & ~taken or ((1 << count) - 1) & ~taken
            while next_ones:
                bit = next_ones & -next_ones
                next_ones ^= bit
                node = bit.bit_length() - 1
                now = crossing ^ edges[node]
                price = cost + int(2.5 ** now.bit_count())
                old = found.get(taken | bit)
                if old is None or price < old[0]:
                    found[taken | bit] = price, taken | bit, now, around | beside[node], (*order, node)
        beam = sorted(found.values(), key=lambda item: item[0])[:ORDERS]
    order = beam[0][4]
    rank = {node: index for index, node in enumerate(order)}
    return Graph([built.nodes[n] for n in order], [(rank[a], rank[b]) for a, b in built.edges], built.sides)


def _plans(case: Case, node: Node) -> list[Plan]:
    """All that one train can do in the node, doing nothing first."""
    paths = [(path, sum(1 << edge for edge in path.edges), places) for path, places in _placed(case, node)]
    sets: list[tuple[tuple[LocalPath, ...], int, int, int, int]] = [((), 0, 0, 0, 0)]
    """Paths that may go together; their edges, inner track and places as bits; the first path that may be added."""
    plans = [Plan((), 0, 0, (), (), 0, 0)]
    for count in (1, 2, 3):
        sets = [
            ((*chosen, path), edges | own, inner | path.inner, places | spots, number + 1)
            for chosen, edges, inner, places, first in sets
            for number, (path, own, spots) in enumerate(paths[first:], first)
            if not edges & own and not inner & path.inner and not places & spots
        ]
        for chosen, edges, inner, _, _ in sets:
            ended, passes = 2 * count - edges.bit_count(), sum(path.passes for path in chosen)
            if ended <= 2 and (passes < 2 or not case.rules.single_pass):
                stops = tuple(stop for path in chosen for stop in path.stops)
                met = tuple(stop for path in chosen for stop in path.met)
                plans.append(Plan(chosen, edges, inner, stops, met, ended, passes))
        if len(plans) == 1 or count * 2 >= len(node.ends) or not case.rules.reenter:
            break
    return plans


def _placed(case: Case, node: Node) -> Iterator[tuple[LocalPath, int]]:
    """The ways through a node with the places that they touch, each once."""
    for path in _locals(case, node):
        places = 0
        for stop in path.met:
            places |= case.place[stop]
        if places.bit_count() == len(path.met):
            yield path, places


def _locals(case: Case, node: Node) -> list[LocalPath]:
    """All ways through the node, to a stop in it or from one, each in one direction and with each choice of calls.

    `follow` goes on from the last of the ends met by every piece of track, `add` notes what it finds. In a hex with
    sides 0 and 3 and a city, end 6, between them the ways are (0, 6), where the route ends in the city, (0, 6, 3)
    through it, and (3, 6). If the stop may be bypassed, (0, 6, 3) is there twice: with the call and without.
    """
    turned = case.board.faces[node.hex]
    found: list[LocalPath] = []

    def number(end: int) -> int:
        return case.net.number[node.hex, end - 6]

    def follow(ends: tuple[int, ...], inner: int) -> None:
        last = ends[-1]
        for end in turned.from_end[last]:
            if end in ends or end not in node.ends or (end < 6 and end not in node.port):
                continue
            if end < 6:  # out of the hex; the same way from the other side is not listed
                if ends[0] < end:
                    add((*ends, end), inner)
                continue
            # To a stop: track from another stop lies inside the hex, and has a bit so that no two trains use it.
            bits = inner
            if last >= 6:
                low, high = sorted((last - 6, end - 6))
                bits |= 1 << (low * 6 + high)
            if ends[0] < end and case.endable[number(end)]:
                add((*ends, end), bits)
            if case.passable[number(end)]:
                follow((*ends, end), bits)

    def add(ends: tuple[int, ...], inner: int) -> None:
        edges = tuple(node.port[end] for end in (ends[0], ends[-1]) if end < 6)
        met = tuple(number(end) for end in ends if end >= 6)
        passed = [number(end) for end in ends[1:-1] if end >= 6]
        passes = sum(case.guarded[stop] for stop in passed)
        # Stops that may be bypassed are called at or not, each by itself; those that bring nothing never.
        loose = [stop for stop in met if case.bypass[stop]]
        never = {stop for stop in loose if not any(row[stop] for row in case.value)}
        loose = [stop for stop in loose if stop not in never]
        for skipped in ({*never, *some} for count in range(len(loose) + 1) for some in combinations(loose, count)):
            stops = tuple(stop for stop in met if stop not in skipped)
            found.append(LocalPath(ends, edges, stops, met, inner, passes))

    # From every side with an edge, and from every stop where a route may end.
    for end in sorted(node.ends):
        if (end < 6 and end in node.port) or (end >= 6 and case.endable[number(end)]):
            follow((end,), 0)
    return found
