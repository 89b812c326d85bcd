"""Routes: what a run of a train passes, and whether it is one.

A run's track is a set of bits: one for each side crossed, and above them one for each piece of track that
joins two stops inside a hex. Two runs use the same track exactly when their bits meet.
"""

from engine.actions import Route
from engine.board.board import Board
from engine.errors import BadAction
from engine.frozen import dataclass
from engine.ids import CorpId, HexId, split_stop

StopRef = tuple[HexId, int]


@dataclass(frozen=True, slots=True)
class Run:
    """A route traced on a board: its stops in order, its track as bits, the pieces of track in order."""

    train: str
    stops: tuple[StopRef, ...]
    track: int
    segments: tuple[tuple[HexId, int, int], ...]


def follow(board: Board, route: Route) -> Run | str:
    """The same as `trace`; kept with the board."""
    key = ("run", route)
    known: Run | str | None = board.memo.get(key)
    if known is None:
        known = board.memo[key] = trace(board, route)
    return known


def trace(board: Board, route: Route) -> Run | str:
    """Follow a route on the board. Returns the run, or a sentence that says where the track is missing.

    Checked here: the track exists, is continuous, and is not used twice by this train.
    BadAction if the path is not a path at all.
    """
    path = route.path
    if len(path) < 2 or not isinstance(path[0], str) or not isinstance(path[-1], str):
        raise BadAction("A route begins and ends at a stop.")
    here, end = _stand(board, path[0])
    stops = [(here, end - 6)]
    segments: list[tuple[HexId, int, int]] = []
    used = 0
    for part in path[1:]:
        target = part if isinstance(part, int) else _stand(board, part)[1]
        if isinstance(part, str) and split_stop(part)[0] != here:
            return f"The track from {stops[-1][0]} does not lead to {split_stop(part)[0]}."
        if target == end or target not in board.faces[here].from_end[end]:
            return f"There is no track in {here} that the train could follow there."
        segments.append((here, end, target))
        if target >= 6:
            if end >= 6:
                bit = board.grid.between_stops(here, end - 6, target - 6)
                if used & bit:
                    return f"The track between the stops of {here} is used twice."
                used |= bit
            stops.append((here, target - 6))
            end = target
            continue
        step = board.grid.beyond.get((here, target))
        if step is None:
            return f"The track leaves the map at {here}."
        bit = 1 << board.grid.side_numbers[here, target]
        if used & bit:
            return f"The side between {here} and {step[0]} is crossed twice."
        used |= bit
        here, end = step
    return Run(route.train, tuple(stops), used, tuple(segments))


def _stand(board: Board, stop: str | int) -> tuple[HexId, int]:
    try:
        hex_id, index = split_stop(str(stop))
    except ValueError as error:
        raise BadAction(f"{stop} is not a stop.") from error
    if hex_id not in board.faces or not 0 <= index < len(board.faces[hex_id].face.stops):
        raise BadAction(f"{stop} is not a stop.")
    return hex_id, 6 + index


def objection(board: Board, corp: CorpId, run: Run, *, through: frozenset[StopRef] = frozenset()) -> str | None:
    """Why the company may not run this, or None: ends, repeated centres, blocked cities, own token.

    `through` lists full cities that this company may pass all the same. Train length and the company's other
    runs are the caller's.
    """
    if len(run.stops) < 2:
        return "A route has at least two stops."
    places = [board.stop(*stop).group or stop for stop in run.stops]
    if len(set(places)) < len(places):
        twice = next(stop for stop, place in zip(run.stops, places, strict=True) if places.count(place) > 1)
        return f"{twice[0]} may count only once on a route."
    for stop in run.stops[1:-1]:
        if board.stop(*stop).terminal:
            return f"{stop[0]} is off the board: it can only be the first or the last stop."
        if stop not in through and board.blocks(*stop, corp):
            return f"{stop[0]} is full of other companies' tokens: a train may end there but not pass."
    if not any(board.has_token(*stop, corp) for stop in run.stops):
        return f"The route touches no city with a token of {corp}."
    return None
