"""Routes recorded leg by leg where stops of one hex are joined: "F2 0.1" is the track between stops 0 and 1 of F2."""

from __future__ import annotations

from collections.abc import Sequence

from engine.board.board import Board
from engine.board.network import Leg, Network, network
from engine.ids import HexId, StopId, stop_id

Path = tuple[StopId | int, ...]
_ALLOWANCE = 10_000


def inside_hexes(legs: Sequence[Sequence[str]]) -> bool:
    """Whether some leg stays within its hex."""
    return any(len(leg) == 1 or " " in leg[0] for leg in legs)


def path_by_legs(board: Board, legs: Sequence[Sequence[str]], nodes: Sequence[str] = ()) -> Path | None:
    """The path with the recorded legs, each written from either end; None if there is none."""
    net = network(board)
    wanted = {stop.replace("-", ".") for stop in nodes}
    first = _hexes(legs[0])
    path: Path | None = None
    for start, (hex_id, index) in enumerate(net.stops):
        if hex_id not in (first[0], first[-1]) or (wanted and stop_id(hex_id, index) not in wanted):
            continue
        path = _follow(net, start, legs, (start,), wanted, (stop_id(hex_id, index),))
        if path is not None:
            break
    return path


def _hexes(leg: Sequence[str]) -> list[HexId]:
    """A leg's hexes, without stop marks."""
    return list(dict.fromkeys(HexId(name.partition(" ")[0]) for name in leg))


def _follow(
    net: Network, here: int, legs: Sequence[Sequence[str]], passed: tuple[int, ...], wanted: set[str], path: Path
) -> Path | None:
    if not legs:
        return path
    for leg in net.legs(here, _ALLOWANCE) or ():
        if leg.to in passed or not _is(net, here, leg, legs[0]):
            continue
        target = stop_id(*net.stops[leg.to])
        if wanted and target not in wanted:
            continue
        whole = _follow(net, leg.to, legs[1:], (*passed, leg.to), wanted, (*path, *leg.sides, target))
        if whole is not None:
            return whole
    return None


def _is(net: Network, here: int, leg: Leg, recorded: Sequence[str]) -> bool:
    """Whether the leg runs through the recorded hexes, and between the marked stops."""
    hexes = [net.stops[here][0]]
    for side in leg.sides:
        hexes.append(net.board.grid.beyond[hexes[-1], side][0])
    names = _hexes(recorded)
    if hexes not in (names, names[::-1]):
        return False
    mark = recorded[0].partition(" ")[2]
    ends = {net.stops[here][1], net.stops[leg.to][1]}
    return len(recorded) > 1 or not mark or ends == {int(part) for part in mark.split(".")}
