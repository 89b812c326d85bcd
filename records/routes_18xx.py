"""Turning routes as 18xx.games records them into paths on a board.

A record lists a route's legs, each with the hexes from one stop to the next; early records only list the hexes.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from engine.board.board import Board
from engine.board.network import Leg, Network, network
from engine.ids import HexId, StopId, stop_id
from records.shapes import Record

Path = tuple[StopId | int, ...]
MOST_ORDERS = 1000
"""In which hexes that are out of order are tried; recorded ones took a few."""


class NoSuchRoute(ValueError):
    """No track on the board joins the recorded hexes."""


def path_of(board: Board, recorded: Record) -> Path:
    """The path of one recorded route; empty if it lists no hexes. Raises NoSuchRoute."""
    nodes = recorded.get("nodes") or ()
    legs = recorded.get("connections")
    if legs and any(len(leg) == 1 or " " in leg[0] for leg in legs):  # one stays within its hex
        path = path_by_legs(board, legs, nodes)
        if path is None:
            raise NoSuchRoute(f"no track runs along {legs}")
        return path
    if legs:
        return path_along(board, _join([[HexId(name) for name in leg] for leg in legs]), nodes)
    hexes = [HexId(name) for name in recorded.get("hexes") or ()]
    if len(set(hexes)) < len(hexes):
        hexes = _through_all(board, list(dict.fromkeys(hexes)))
    return path_along(board, hexes, nodes)


def _through_all(board: Board, hexes: list[HexId]) -> list[HexId]:
    """The first order in which track runs through all the hexes; some early records list them out of order."""
    if all(here in board.faces for here in hexes):
        for order in islice(_orders(board, hexes, []), MOST_ORDERS):
            if len(order) < len(hexes):
                continue
            try:
                path_along(board, order)
            except NoSuchRoute:
                continue
            return order
    raise NoSuchRoute(f"no track runs through {', '.join(hexes)}")


def _orders(board: Board, left: list[HexId], begun: list[HexId]) -> Iterator[list[HexId]]:
    """The orders in which each hex is a neighbour of the one before, also such as cannot go on to all."""
    further = [here for here in left if not begun or _are_neighbours(board, begun[-1], here)]
    if not further:
        yield begun
    for here in further:
        yield from _orders(board, [one for one in left if one != here], [*begun, here])


def _are_neighbours(board: Board, here: HexId, there: HexId) -> bool:
    return any(board.grid.beyond.get((here, side), (None,))[0] == there for side in range(6))


def _join(legs: list[list[HexId]]) -> list[HexId]:
    """Join legs that meet at their ends, any of them possibly written backwards, into one list of hexes."""
    if len(legs) > 1 and legs[0][0] in (legs[1][0], legs[1][-1]) and legs[0][-1] not in (legs[1][0], legs[1][-1]):
        legs[0].reverse()
    joined = list(legs[0])
    for leg in legs[1:]:
        if leg[0] != joined[-1]:
            leg.reverse()
        if leg[0] != joined[-1]:
            raise NoSuchRoute(f"{leg} does not begin where the route stands, at {joined[-1]}")
        joined += leg[1:]
    return joined


def path_along(board: Board, hexes: Sequence[HexId], nodes: Sequence[str] = ()) -> Path:
    """The path through these hexes in order; `nodes` ("HEX-CITY") says which stop of a hex is meant."""
    if len(hexes) < 2:
        return ()
    sides = [_side_between(board, here, there) for here, there in pairwise(hexes)]
    path: list[StopId | int] = [_stop_at(board, hexes[0], {sides[0]}, nodes), sides[0]]
    for index in range(1, len(hexes) - 1):
        here = hexes[index]
        entered, leaves = _other_side(board, hexes[index - 1], sides[index - 1]), sides[index]
        if leaves not in board.face(here).from_end[entered]:
            path.append(_stop_at(board, here, {entered, leaves}, nodes))
        path.append(leaves)
    last = _other_side(board, hexes[-2], sides[-1])
    path.append(_stop_at(board, hexes[-1], {last}, nodes))
    return tuple(path)


def _side_between(board: Board, here: HexId, there: HexId) -> int:
    for side in range(6):
        step = board.grid.beyond.get((here, side))
        if step is not None and step[0] == there:
            return side
    raise NoSuchRoute(f"{here} and {there} are not neighbours")


def _other_side(board: Board, here: HexId, side: int) -> int:
    return board.grid.beyond[here, side][1]


def _stop_at(board: Board, here: HexId, sides: set[int], nodes: Sequence[str]) -> StopId:
    face = board.face(here)
    fitting = [index for index in range(len(face.face.stops)) if sides <= set(face.stop_sides(index))]
    named = [index for index in fitting if f"{here}-{index}" in nodes]
    if not fitting:
        raise NoSuchRoute(f"no stop of {here} has track to {sorted(sides)}")
    return stop_id(here, (named or fitting)[0])


_ALLOWANCE = 10_000


def path_by_legs(board: Board, legs: Sequence[Sequence[str]], nodes: Sequence[str] = ()) -> Path | None:
    """The path with the recorded legs, each written from either end; None if there is none."""
    net = network(board)
    wanted = {stop.replace("-", ".") for stop in nodes}
    first = _hexes(legs[0])
    for start, (hex_id, index) in enumerate(net.stops):
        if hex_id not in (first[0], first[-1]) or (wanted and stop_id(hex_id, index) not in wanted):
            continue
        path = _follow(net, start, legs, (start,), wanted, (stop_id(hex_id, index),))
        if path is not None:
            return path
    return None


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
