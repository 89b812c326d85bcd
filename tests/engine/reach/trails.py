"""What a company reaches, found by following every trail from every token: slow, but with nothing to prove."""

from __future__ import annotations

from engine.board.board import Board
from engine.board.reach import Reach
from engine.ids import CorpId, HexId

Ways = dict[tuple[HexId, int], list[int]]


class TooMany(Exception):
    """There are more trails than were asked for."""


def every_trail(board: Board, corp: CorpId, most: int = 20_000) -> Reach:
    """All that trails reach, of `most` steps from each token at most; TooMany if there are more.

    A place met again after crossing all the sides that were crossed before it once is not gone on from again.
    """
    found = Reach()
    for origin in board.token_stops(corp):
        here = origin[0]
        found.stops.add(origin)
        found.hexes.add(here)
        if not board.face(here).segments:  # a bare home hex is open on every side
            found.sides.update((here, side) for side in range(6))
        _follow(board, corp, found, origin, most)
    return found


def every_way(board: Board, corp: CorpId, most: int = 20_000) -> Ways:
    """For each side come in by and stop that trails go on from: the sides crossed by trails to it, as bits.

    Trails that cross more than another are left out.
    """
    ways: Ways = {}
    for origin in board.token_stops(corp):
        for place, crossed in _follow(board, corp, Reach(), origin, most).items():
            ways.setdefault(place, []).extend(crossed)
    return ways


def _follow(board: Board, corp: CorpId, found: Reach, origin: tuple[HexId, int], steps: int) -> Ways:
    beyond, numbers = board.grid.beyond, board.grid.side_numbers
    tried: Ways = {}
    stack = [(origin[0], 6 + origin[1], 0)]
    while stack:
        here, end, crossed = stack.pop()
        known = tried.setdefault((here, end), [])
        steps -= 1 + len(known)
        if steps < 0:
            raise TooMany
        if any(mask & crossed == mask for mask in known):
            continue
        known[:] = [mask for mask in known if crossed & mask != crossed]
        known.append(crossed)
        for other in board.face(here).from_end[end]:
            piece = (here, min(end, other), max(end, other))
            bit = 1 << numbers[here, other] if (here, other) in beyond else 0
            if crossed & bit:
                continue
            found.segments.add(piece)
            if bit:
                step = beyond[here, other]
                found.sides.add(step)
                found.hexes.add(step[0])
                stack.append((*step, crossed | bit))
            elif other >= 6:
                stop = (here, other - 6)
                found.stops.add(stop)
                found.joined = found.joined or stop != origin
                if not board.ends_trails(*stop, corp):
                    stack.append((here, other, crossed))
    return tried
