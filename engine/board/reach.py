"""What a company's tokens reach over track of any length.

The search carries the set of sides that it crossed, so everything it finds is reached by a real trail that
uses no track twice. Where it had to turn down a step for that reason an exact search decides what is left.
An off-board area or a full city of others ends every trail; another stop needs to be passed only once,
because any of its exits will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.board.board import Board
from engine.ids import CorpId, HexId

Side = tuple[HexId, int]
"""A hex and the side by which a trail comes into it."""
Segment = tuple[HexId, int, int]


@dataclass(slots=True)
class Reach:
    """`sides` that trails come in by, `stops` met, `segments` run over; `joined`: two stops are linked."""

    sides: set[Side] = field(default_factory=set)
    stops: set[tuple[HexId, int]] = field(default_factory=set)
    segments: set[Segment] = field(default_factory=set)
    hexes: set[HexId] = field(default_factory=set)
    joined: bool = False


def reach(board: Board, corp: CorpId) -> Reach:
    """What the company reaches on this board; kept with the board."""
    key = ("reach", corp)
    found: Reach | None = board.memo.get(key)
    if found is None:
        found = _search(board, corp)
        board.memo[key] = found
    return found


def _search(board: Board, corp: CorpId) -> Reach:
    grid = board.grid
    beyond, numbers, faces = grid.beyond, grid.side_numbers, board.faces
    found = Reach()
    sides, stops = found.sides, found.stops
    turned_down: list[tuple[Side | None, Segment, int]] = []
    """Steps that would have crossed a side again, with the end they start from; most are found by another trail."""
    queue: list[tuple[HexId, int, tuple[int, ...], int, tuple[HexId, int]]] = []
    """(hex, end it stands on, ends to go on to, sides crossed, token it came from)"""
    left_out: dict[tuple[HexId, int], int] = {}
    """For a stop met once: the end it was met by, which another arrival may leave by; -1 when all are taken."""
    for origin in board.token_stops(corp):
        here, end = origin[0], 6 + origin[1]
        stops.add(origin)
        left_out[origin] = -1
        found.hexes.add(here)
        queue.append((here, end, faces[here].from_end[end], 0, origin))
        if not faces[here].segments:  # a bare home hex is open on every side
            sides.update((here, side) for side in range(6))
    for here, end, others, crossed, origin in queue:  # grows while it is read
        for other in others:
            piece = (here, end, other) if end < other else (here, other, end)
            if other < 6:
                step = beyond.get((here, other))
                bit = 0 if step is None else 1 << numbers[here, other]
                if crossed & bit:
                    turned_down.append((step, piece, end))
                    continue
                found.segments.add(piece)
                if step is None or step in sides:
                    continue
                sides.add(step)
                found.hexes.add(step[0])
                queue.append((*step, faces[step[0]].from_end[step[1]], crossed | bit, origin))
                continue
            found.segments.add(piece)
            stop = (here, other - 6)
            stops.add(stop)
            found.joined = found.joined or stop != origin
            if board.ends_trails(here, other - 6, corp):
                continue
            exits = faces[here].from_end[other]
            missing = left_out.get(stop)
            if missing is None:
                left_out[stop] = end
                queue.append((here, other, tuple(e for e in exits if e != end), crossed, origin))
            elif missing not in (-1, end):
                left_out[stop] = -1
                queue.append((here, other, (missing,), crossed, origin))
    open_steps = {
        (piece[0], end, piece[1] + piece[2] - end)
        for step, piece, end in turned_down
        if step not in sides or piece not in found.segments
    }
    if any(_conceivable(board, corp, *step) for step in open_steps):
        _exact(board, corp, found)
    return found


def _conceivable(board: Board, corp: CorpId, target: HexId, end: int, other: int) -> bool:
    """Whether some way from a token comes to the end of this hex without the side `other`, ahead of all finer points.

    Ways that use a side twice are let through; turning round on the spot is not.
    """
    beyond, numbers, faces = board.grid.beyond, board.grid.side_numbers, board.faces
    barred = numbers[target, other]
    queue = [(origin[0], 6 + origin[1], -1) for origin in board.token_stops(corp)]
    """(hex, end it stands on, end by which it came to a stop)"""
    seen = set(queue)
    for here, stands, came in queue:  # grows while it is read
        if (here, stands) == (target, end):
            return True
        for way in faces[here].from_end[stands]:
            state: tuple[HexId, int, int] | None = None
            if way >= 6:
                if not board.ends_trails(here, way - 6, corp):
                    state = (here, way, stands)
            elif way != came and numbers.get((here, way)) != barred:
                step = beyond.get((here, way))
                state = (*step, -1) if step is not None else None
            if state is not None and state not in seen:
                seen.add(state)
                queue.append(state)
    return False


def _exact(board: Board, corp: CorpId, found: Reach) -> None:
    """Add what only a roundabout trail reaches, by trying every trail from every token."""
    for trail in _trails(board, corp):
        here, end, other = trail
        found.segments.add((here, min(end, other), max(end, other)))
        if other >= 6:
            found.stops.add((here, other - 6))
        else:
            step = board.grid.beyond.get((here, other))
            if step is not None:
                found.sides.add(step)
                found.hexes.add(step[0])


def _trails(board: Board, corp: CorpId) -> Iterator[Segment]:
    """Every (hex, from end, to end) that some trail runs over; a state met again with more track used is cut."""
    beyond, numbers = board.grid.beyond, board.grid.side_numbers
    tried: dict[tuple[HexId, int], list[int]] = {}
    stack = [(origin[0], 6 + origin[1], 0) for origin in board.token_stops(corp)]
    while stack:
        here, end, crossed = stack.pop()
        known = tried.setdefault((here, end), [])
        if any(mask & crossed == mask for mask in known):
            continue
        known[:] = [mask for mask in known if crossed & mask != crossed]
        known.append(crossed)
        for other in board.faces[here].from_end[end]:
            if other >= 6:
                yield here, end, other
                if not board.ends_trails(here, other - 6, corp):
                    stack.append((here, other, crossed))
                continue
            step = beyond.get((here, other))
            if step is None:
                yield here, end, other
                continue
            bit = 1 << numbers[here, other]
            if not crossed & bit:
                yield here, end, other
                stack.append((*step, crossed | bit))
