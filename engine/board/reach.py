"""What a company's tokens reach over track of any length.

The search carries the set of sides that it crossed, so everything it finds is reached by a real trail that
uses no track twice. Where it had to turn down a step for that reason an exact search decides what is left.
An off-board area or a full city of others ends every trail; another stop needs to be passed only once,
because any of its exits will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    open: bool = False
    """Whether roundabout trails, not tried yet, may reach more."""


def reach(board: Board, corp: CorpId) -> Reach:
    """All that the company reaches on this board; kept with the board."""
    found = _search(board, corp)
    if found.open:
        _settle(board, corp, found)
        found.open = False
    return found


def reaches(board: Board, corp: CorpId, test: Callable[[Reach], bool]) -> bool:
    """Whether the test holds of what the company reaches, where it cannot fail for what is reached besides.

    Most often it holds of what is found at once, and roundabout trails need not be tried.
    """
    found = _search(board, corp)
    return test(found) or (found.open and test(reach(board, corp)))


def _search(board: Board, corp: CorpId) -> Reach:
    """What trails reach that are found without trying all; kept with the board."""
    key = ("reach", corp)
    found: Reach | None = board.memo.get(key)
    if found is None:
        found = board.memo[key] = _first_trails(board, corp)
    return found


def _first_trails(board: Board, corp: CorpId) -> Reach:
    grid = board.grid
    beyond, numbers, faces = grid.beyond, grid.side_numbers, board.faces
    found = Reach()
    sides, stops = found.sides, found.stops
    turned_down: list[tuple[Side | None, Segment]] = []
    """Steps that would have crossed a side again; most are found by another trail."""
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
                    turned_down.append((step, piece))
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
    found.open = any(step not in sides or piece not in found.segments for step, piece in turned_down)
    return found


@dataclass(slots=True)
class _Walks:
    """Where walks from the tokens come that may use track again, and what all walks to a place cross before."""

    before: dict[tuple[HexId, int], int] = field(default_factory=dict)
    """For a place the crossings on every walk to it, as bits: twice the number of the side, plus one one way."""
    moves: list[tuple[tuple[HexId, int], int, tuple[HexId, int] | None, int]] = field(default_factory=list)
    """(place, end gone on to, next place, crossing on the way); a crossing of 0 is none."""


def _settle(board: Board, corp: CorpId, found: Reach) -> None:
    """Add what only a roundabout trail reaches.

    A walk that crosses a side after every walk there has crossed the same side before is no trail: what only such
    walks reach is ruled out. All trails are tried only while something is left that is neither reached nor ruled out.
    """
    walks = _relaxed(board, corp)
    segments, sides, stops = set[Segment](), set[Side](), set[tuple[HexId, int]]()
    for (here, end), other, place, _ in walks.moves:
        segments.add((here, min(end, other), max(end, other)))
        if place is not None:
            if place[1] < 6:
                sides.add(place)
            else:
                stops.add((here, other - 6))
    open_questions = len(segments - found.segments) + len(sides - found.sides) + len(stops - found.stops)
    if open_questions:
        _exact(board, corp, found, open_questions)


def _relaxed(board: Board, corp: CorpId) -> _Walks:
    """All moves of walks but those ruled out."""
    walks = _Walks()
    ruled_out: set[tuple[tuple[HexId, int], int]] = set()
    while True:
        _walk_on(board, corp, walks, ruled_out)
        _cross_before(board, corp, walks)
        again = {
            (place, other)
            for place, other, _, crossing in walks.moves
            if crossing and walks.before[place] & (crossing | _back(crossing))
        }
        if not again:
            return walks
        ruled_out |= again


def _back(crossing: int) -> int:
    """The same side crossed the other way."""
    return crossing >> 1 if crossing.bit_length() % 2 == 0 else crossing << 1


def _walk_on(board: Board, corp: CorpId, walks: _Walks, ruled_out: set[tuple[tuple[HexId, int], int]]) -> None:
    beyond, numbers = board.grid.beyond, board.grid.side_numbers
    walks.moves = []
    queue = [(hex_id, 6 + index) for hex_id, index in board.token_stops(corp)]
    met = set(queue)
    for here, end in queue:  # grows while it is read
        if end >= 6 and board.ends_trails(here, end - 6, corp):
            continue
        for other in board.faces[here].from_end[end]:
            if ((here, end), other) in ruled_out:
                continue
            place, crossing = (here, other) if other >= 6 else beyond.get((here, other)), 0
            if place is not None:
                if other < 6:
                    crossing = 1 << 2 * numbers[here, other] + (here < place[0])
                if place not in met:
                    met.add(place)
                    queue.append(place)
            walks.moves.append(((here, end), other, place, crossing))


def _cross_before(board: Board, corp: CorpId, walks: _Walks) -> None:
    before = {place: -1 for _, _, place, _ in walks.moves if place is not None}
    before.update({(hex_id, 6 + index): 0 for hex_id, index in board.token_stops(corp)})
    moves = [(place, to, crossing) for place, _, to, crossing in walks.moves if to is not None]
    changed = True
    while changed:
        changed = False
        for place, to, crossing in moves:
            now = before[to]
            if now and now & (before[place] | crossing) != now:
                before[to] = now & (before[place] | crossing)
                changed = True
    walks.before = before


def _exact(board: Board, corp: CorpId, found: Reach, open_questions: int) -> None:
    """Add what only a roundabout trail reaches, by trying every trail from every token until nothing is open."""
    known = len(found.segments) + len(found.sides) + len(found.stops)
    for here, end, other in _trails(board, corp):
        found.segments.add((here, min(end, other), max(end, other)))
        if other >= 6:
            found.stops.add((here, other - 6))
        else:
            step = board.grid.beyond.get((here, other))
            if step is not None:
                found.sides.add(step)
                found.hexes.add(step[0])
        if len(found.segments) + len(found.sides) + len(found.stops) - known == open_questions:
            return


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
