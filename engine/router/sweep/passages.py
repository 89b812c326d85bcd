"""What one train can do in a node, as a sweep comes to it: how it joins the pieces of the route that come in.

For each open edge a sweep keeps 0, or 1 + the far end of the piece of the route on it: another open edge, or the edge
itself where that end is a stop.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.frozen import dataclass
from engine.router.sweep.nodes import Graph, Plan


@dataclass(frozen=True, slots=True)
class Fork:
    """A node as the sweep comes to it: the places, among the edges then open, of those that end in the node."""

    closing: tuple[int, ...]
    places: tuple[int, ...]
    opening: tuple[int, ...]
    staying: tuple[int, ...]
    """Places of the edges that stay open."""
    stay_edges: tuple[int, ...]


def forks(graph: Graph) -> Iterator[Fork]:
    """For each node the edges that come in, stay open and go out."""
    edges: list[int] = []
    for node in graph.nodes:
        closing = [edge for edge in edges if edge in node.edges]
        opening = [edge for edge in node.edges if edge not in edges]
        stay = [edge for edge in edges if edge not in closing]
        places = tuple(edges.index(edge) for edge in closing)
        staying = tuple(edges.index(edge) for edge in stay)
        yield Fork(tuple(closing), places, tuple(opening), staying, tuple(stay))
        edges = stay + opening


class Effect(NamedTuple):
    """What a plan does for the train."""

    plan: int
    score: int
    add: int
    """To be added to the train's record."""
    flags: int
    """To be set in it."""
    barred: int
    """What must not be set before."""


class Passage(NamedTuple):
    """One way through a node."""

    effect: Effect
    whole: bool
    """Whether it completes the route."""
    changed: tuple[tuple[int, int], ...]
    """Place among the staying edges, and what is kept for it now."""
    opened: tuple[int, ...]
    """What is kept for the edges that the node opens."""


class Passages:
    """The passages of one train at a fork, found when they are first asked for."""

    def __init__(self, fork: Fork, effects: list[tuple[Effect, Plan]]) -> None:
        self.fork = fork
        self.effects: dict[int, list[tuple[Effect, Plan]]] = {}
        """By the closing edges used."""
        closing = sum(1 << edge for edge in fork.closing)
        for effect, plan in effects:
            self.effects.setdefault(plan.edges & closing, []).append((effect, plan))
        self.known: dict[tuple[int, ...], list[Passage]] = {}

    def of(self, coming: tuple[int, ...]) -> list[Passage]:
        """All passages where this is kept for the closing edges."""
        passages = self.known.get(coming)
        if passages is None:
            passages = self.known[coming] = list(self._found(coming))
        return passages

    def _found(self, coming: tuple[int, ...]) -> Iterator[Passage]:
        fork = self.fork
        used = {edge: kept - 1 for edge, kept in zip(fork.closing, coming, strict=True) if kept}
        for effect, plan in self.effects.get(sum(1 << edge for edge in used), ()):
            far = dict(used)
            whole = _join(plan, far, fork.closing)
            if whole is None or (whole and any(plan.edges >> edge & 1 for edge in fork.opening)):
                continue
            opened = [far[edge] + 1 if plan.edges >> edge & 1 else 0 for edge in fork.opening]
            changed = [(place, far[edge] + 1) for place, edge in enumerate(fork.stay_edges) if edge in far]
            yield Passage(effect, whole, tuple(changed), tuple(opened))


def _join(plan: Plan, far: dict[int, int], closing: tuple[int, ...]) -> bool | None:
    """Join pieces of the route in `far` (edge -> far end of its piece, itself where that end is a stop).

    Returns whether this completes a route; None if it makes a ring or completes two.
    """
    complete = 0
    for path in plan.paths:
        a, b = (*path.edges, -1, -1)[:2]
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
    return None if complete > 1 else complete > 0
