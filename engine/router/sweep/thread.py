"""Threading the pieces of one train, as the sweep leaves them, into a route."""

from engine.board.hexes import opposite
from engine.board.network import Leg
from engine.router.case import Case, FoundRoute
from engine.router.sweep.nodes import Graph, LocalPath


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
