"""Which upgrades of 1860 serve: how far the company's trains come, and what they find there. {1860-TRK-09}"""

from collections.abc import Collection
from itertools import zip_longest

from engine.board.board import Board
from engine.board.upgrades import some_track_is_used
from engine.ids import CorpId, HexId, TileId
from engine.printed import Face, StopKind
from engine.titles.t1860.distance import Distances, EndOfTrack, Limit, Way, called, distances, upgraded_distances


def serves(
    old: Board, corp: CorpId, hex_id: HexId, tile: TileId, rotation: int, limit: Limit, raises: bool = True
) -> bool:
    """Whether with the tile a train of this length comes as far as the hex, and finds new track or a higher value.

    Without `raises` any other value will do. {1860-TRK-09, 1860-TRK-10, 1860-TRK-11, 1860-VAR-15}
    """
    if _changes_worth(old, corp, hex_id, old.grid.tiles[tile].face, limit, raises):
        return True
    new = old.with_tile(hex_id, tile, rotation)
    far = upgraded_distances(old, new, corp, hex_id, limit)
    if not comes_to(new, hex_id, limit, far):
        return False
    if _worth_laying(values(old, hex_id, limit, distances(old, corp, limit)), values(new, hex_id, limit, far), raises):
        return True
    fresh = new.face(hex_id).segments - old.face(hex_id).segments
    if limit.once:
        return _come_onto(new, corp, hex_id, limit, far, fresh)
    near = {ends for ends in fresh if limit.uses([way for end in ends for way in beyond(new, corp, far, hex_id, end)])}
    return bool(near) and some_track_is_used(old, new, corp, hex_id, near)


def _worth_laying(before: list[int], after: list[int], raises: bool) -> bool:
    """Whether some stop at which a train calls is worth more; without `raises`, or less."""
    if not raises:
        return before != after
    pairs = zip_longest(reversed(before), reversed(after), fillvalue=0)
    return any(new > old for old, new in pairs)


def _changes_worth(board: Board, corp: CorpId, hex_id: HexId, after: Face, limit: Limit, raises: bool) -> bool:
    """Whether a train calls at the only stop of the hex by ways that are there already, and it is worth more.

    The way to a stop does not lead through it, so no change of the stop itself closes that way.
    """
    if len(after.stops) != 1 or len(board.face(hex_id).face.stops) != 1:
        return False
    far, stop = distances(board, corp, limit), after.stops[0]
    if not _calls_at(limit, stop.kind, far, (hex_id, 6)):
        return False
    return _worth_laying(values(board, hex_id, limit, far), [stop.revenue], raises)


def comes_to(board: Board, hex_id: HexId, limit: Limit, far: Distances) -> bool:
    """Whether a train calls at some stop of the hex; where it has none, whether one comes as far. {1860-TRK-09}"""
    face = board.face(hex_id)
    if not face.face.stops:
        ways = [[*far.get((hex_id, one), ()), *far.get((hex_id, other), ())] for one, other in face.segments]
        return any(limit.calls("halt", either) for either in ways)
    return any(_calls_at(limit, stop.kind, far, (hex_id, 6 + index)) for index, stop in enumerate(face.face.stops))


def _calls_at(limit: Limit, kind: StopKind, far: Distances, end: EndOfTrack) -> bool:
    return limit.calls(kind, far.get(end, ()))


def beyond(board: Board, corp: CorpId, far: Distances, hex_id: HexId, end: int) -> list[Way]:
    """The ways of a train on the track at this end, coming or going; a station there is called at first."""
    ways = far.get((hex_id, end), [])
    if end >= 6:
        return [called(board, hex_id, end, way) for way in ways]
    going = list(ways)
    for other in board.face(hex_id).from_end[end]:
        if other < 6:
            going += far.get((hex_id, other), ())
        elif not board.ends_trails(hex_id, other - 6, corp):
            going += [called(board, hex_id, other, way) for way in far.get((hex_id, other), ())]
    return going


def _come_onto(
    board: Board, corp: CorpId, hex_id: HexId, limit: Limit, far: Distances, track: Collection[tuple[int, int]]
) -> bool:
    """Whether a train that enters no hex twice comes onto one of these pieces of track, and can call where it ends."""
    for start, end in (*track, *((end, start) for start, end in track)):
        ways = far.get((hex_id, start), [])
        if start >= 6:
            goes_on = not board.ends_trails(hex_id, start - 6, corp)
            ways = [called(board, hex_id, start, way) for way in ways if goes_on]
        if limit.calls("halt" if end < 6 else board.stop(hex_id, end - 6).kind, ways):
            return True
    return False


def values(board: Board, hex_id: HexId, limit: Limit, far: Distances) -> list[int]:
    """What the stops of the hex are worth at which a train calls."""
    return sorted(
        stop.revenue
        for index, stop in enumerate(board.face(hex_id).face.stops)
        if _calls_at(limit, stop.kind, far, (hex_id, 6 + index))
    )
