"""What a company's tokens reach over track of any length.

The first search carries the set of sides that it crossed, so everything it finds is reached by a real trail that
uses no track twice. Where it had to turn down a step for that reason `entries` decides exactly what is left: all
sides that trails come in by in one search, then each piece of track still in doubt in a search of its own.
An off-board area or a full city of others ends every trail; another stop needs to be passed only once,
because any of its exits will do.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from engine.board.board import Board
from engine.board.entries import Gate, Links, Side, entered, links_of, passed
from engine.board.routes import StopRef
from engine.ids import CorpId, HexId

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
    """Whether roundabout trails, not asked for yet, may reach more."""
    doubtful: bool = False
    """Whether they may run over more track."""


def reach(board: Board, corp: CorpId, track_of: Collection[HexId] | None = None) -> Reach:
    """All that the company reaches on this board; kept with the board.

    With `track_of`, `segments` may lack some in other hexes.
    """
    found = _search(board, corp)
    if found.open:
        _settle(board, corp, found)
        found.open = False
    if found.doubtful and track_of != ():
        _settle_track(board, corp, found, track_of)
        found.doubtful = track_of is not None
    return found


def asked_before(board: Board, corp: CorpId) -> bool:
    """Whether something of what the company reaches on this board is known."""
    return ("reach", corp) in board.memo


def reaches(
    board: Board, corp: CorpId, test: Callable[[Reach], bool], track_of: Collection[HexId] | None = None
) -> bool:
    """Whether the test holds of what the company reaches, where it cannot fail for what is reached besides.

    Most often it holds of what is found at once, and roundabout trails need not be asked for. `track_of` names the
    hexes whose `segments` the test looks at, if it does not look at all.
    """
    found = _search(board, corp)
    return test(found) or ((found.open or found.doubtful) and test(reach(board, corp, track_of)))


def _search(board: Board, corp: CorpId) -> Reach:
    """What trails reach that are found without trying all; kept with the board."""
    key = ("reach", corp)
    found: Reach | None = board.memo.get(key)
    if found is None:
        found = board.memo[key] = _first_trails(board, corp)
    return found


def _first_trails(board: Board, corp: CorpId) -> Reach:
    """What a search in breadth finds that comes in by each side once and goes on from each stop once.

    Each trail carries the sides that it crossed, one bit each, so all that is found is reached by a real trail. A
    step that would cross a side again is turned down; if no other trail took it, the answer stays open.
    """
    found = Reach()
    turned_down = _spread(board, corp, found, _from_tokens(board, corp, found))
    missed = any(step not in found.sides or piece not in found.segments for step, piece in turned_down)
    found.doubtful = missed
    found.open = missed or (len(found.stops) > 1 and not found.joined)  # tokens alone: one may hide the other's track
    return found


Trail = tuple[HexId, int, tuple[int, ...], int, StopRef]
"""Hex, end it stands on, ends to go on to, sides crossed, token it came from."""


def _from_tokens(board: Board, corp: CorpId, found: Reach) -> list[Trail]:
    """The trails that begin at the company's tokens."""
    trails: list[Trail] = []
    for origin in board.token_stops(corp):
        here, end = origin[0], 6 + origin[1]
        face = board.faces[here]
        found.stops.add(origin)
        found.hexes.add(here)
        trails.append((here, end, face.from_end[end], 0, origin))
        if not face.segments:  # a bare home hex is open on every side
            found.sides.update((here, side) for side in range(6))
    return trails


def _spread(board: Board, corp: CorpId, found: Reach, trails: list[Trail]) -> list[tuple[Side | None, Segment]]:
    """Follow the trails, each a step at a time, and note what they find.

    Returns the steps that would have crossed a side again; most are found by another trail.
    """
    beyond, numbers, faces = board.grid.beyond, board.grid.side_numbers, board.faces
    sides, stops, segments = found.sides, found.stops, found.segments
    turned_down: list[tuple[Side | None, Segment]] = []
    left_out = dict.fromkeys(stops, -1)
    for here, end, others, crossed, origin in trails:  # grows while it is read
        for other in others:
            piece = (here, end, other) if end < other else (here, other, end)
            if other >= 6:
                segments.add(piece)
                stop = (here, other - 6)
                stops.add(stop)
                found.joined = found.joined or stop != origin
                onward = _exits(board, corp, stop, end, left_out)
                if onward:
                    trails.append((here, other, onward, crossed, origin))
                continue
            step = beyond.get((here, other))
            bit = 0 if step is None else 1 << numbers[here, other]
            if crossed & bit:
                turned_down.append((step, piece))
                continue
            segments.add(piece)
            if step is not None and step not in sides:
                sides.add(step)
                found.hexes.add(step[0])
                trails.append((*step, faces[step[0]].from_end[step[1]], crossed | bit, origin))
    return turned_down


def _exits(board: Board, corp: CorpId, stop: StopRef, end: int, left_out: dict[StopRef, int]) -> tuple[int, ...]:
    """The ends by which a trail that came to the stop by `end` goes on; each end is left by once.

    `left_out` keeps for a stop met once the end it was met by, which another trail may leave by; -1 when none is left.
    """
    missing = left_out.get(stop)
    if missing is None:
        here, index = stop
        if board.ends_trails(here, index, corp):
            left_out[stop] = -1
            return ()
        left_out[stop] = end
        return tuple(other for other in board.faces[here].from_end[6 + index] if other != end)
    if missing in (-1, end):
        return ()
    left_out[stop] = -1
    return (missing,)


def _settle(board: Board, corp: CorpId, found: Reach) -> None:
    """Add what only roundabout trails reach, but for their track."""
    links, tokens = links_of(board, corp), board.token_stops(corp)
    came_in = entered(links, tokens)
    found.sides |= came_in
    found.hexes.update(hex_id for hex_id, _ in came_in)
    found.stops |= links.met(came_in)
    found.joined = found.joined or any(links.met(entered(links, [token])) - {token} for token in tokens)


def _settle_track(board: Board, corp: CorpId, found: Reach, hexes: Collection[HexId] | None) -> None:
    """Add the track, in these hexes or in all, over which only roundabout trails run."""
    links = links_of(board, corp)
    for piece, gate in _in_doubt(links, found, hexes):
        if piece not in found.segments and (gate is None or passed(links, gate)):
            found.segments.add(piece)


def goes_on(board: Board, corp: CorpId, hex_id: HexId, start: int, end: int) -> bool:
    """Whether some trail that comes to `start`, a side or stop, could leave by the side `end`, were there track.

    Kept with the board.
    """
    key = ("goes on", corp, hex_id, start, end)
    found: bool | None = board.memo.get(key)
    if found is None:
        links = links_of(board, corp)
        before = frozenset({(hex_id, start)}) if start < 6 else links.before((hex_id, start - 6))
        found = board.memo[key] = passed(links, Gate((hex_id, end), before))
    return found


def _in_doubt(links: Links, found: Reach, hexes: Collection[HexId] | None) -> Iterator[tuple[Segment, Gate | None]]:
    """Track beside what is reached of which no trail is known, with the gate by which a trail over it must leave.

    Without a gate it is reached: it ends at a stop or at the edge of the map.
    """
    faces, beyond = links.board.faces, links.board.grid.beyond
    places = [(here, side, frozenset({(here, side)})) for here, side in found.sides]
    places += [
        (here, 6 + stop, links.before((here, stop))) for here, stop in found.stops if stop not in links.ends(here)
    ]
    for here, end, come_from in places:
        if hexes is not None and here not in hexes:
            continue
        for other in faces[here].from_end[end]:
            piece = (here, end, other) if end < other else (here, other, end)
            if piece not in found.segments:
                yield piece, Gate((here, other), come_from) if (here, other) in beyond else None
