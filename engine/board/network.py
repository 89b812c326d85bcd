"""The track of a board as stops and legs, for those who look for routes.

A leg is track between two stops with no stop on the way. It is known by the sides crossed and by its track
as bits (see `routes`). Legs depend on the board alone and are kept with it; they are found stop by stop, when
somebody asks, because a company rarely reaches the whole map.
"""

from collections.abc import Iterable

from engine.board.board import Board
from engine.board.routes import StopRef
from engine.frozen import dataclass
from engine.ids import HexId, StopId, stop_id


@dataclass(frozen=True, slots=True)
class Leg:
    """Track from one stop to another: `sides` as a route's path writes them, `track` as in `routes.Run`."""

    to: int
    """Number of the stop at the far end."""
    track: int
    sides: tuple[int, ...]
    hexes: int
    """Hexes that the leg touches, ends included, one bit each in the order of the printed map."""


class Network:
    """Stops numbered in the order of the printed map, and the legs between them."""

    __slots__ = ("_legs", "board", "hex_number", "number", "stops")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.hex_number = board.grid.hex_numbers
        self.stops: list[StopRef] = [
            (name, index) for name in board.grid.hexes for index in range(len(board.faces[name].face.stops))
        ]
        self.number = {stop: index for index, stop in enumerate(self.stops)}
        self._legs: dict[int, list[Leg]] = {}

    def path(self, start: int, legs: Iterable[Leg]) -> tuple[StopId | int, ...]:
        """The way from a stop over these legs, as a route writes it."""
        path: list[StopId | int] = [stop_id(*self.stops[start])]
        for leg in legs:
            path += [*leg.sides, stop_id(*self.stops[leg.to])]
        return tuple(path)

    def legs(self, stop: int, allowance: int) -> list[Leg] | None:
        """The legs from a stop, in a fixed order; None if looking for them takes more than `allowance` steps.

        A leg whose track holds all track of another between the same stops is left out: whatever
        uses it can use the other.
        """
        found = self._legs.get(stop)
        if found is None:
            found = self._find(stop, allowance)
            if found is not None:
                self._legs[stop] = found
        return found

    def _find(self, start: int, allowance: int) -> list[Leg] | None:
        faces, beyond, numbers = self.board.faces, self.board.grid.beyond, self.board.grid.side_numbers
        home, index = self.stops[start]
        found: list[Leg] = []
        hexes = 1 << self.hex_number[home]
        queue: list[tuple[HexId, int, int, tuple[int, ...], int]] = []
        """(hex, side it was entered by, track, sides crossed, hexes)"""
        for end in faces[home].from_end[6 + index]:
            if end >= 6:
                bit = self.board.grid.between_stops(home, index, end - 6)
                found.append(Leg(self.number[home, end - 6], bit, (), hexes))
            elif (step := beyond.get((home, end))) is not None:
                bit = 1 << numbers[home, end]
                queue.append((*step, bit, (end,), hexes | 1 << self.hex_number[step[0]]))
        for here, side, track, sides, hexes in queue:  # grows while it is read, so short legs come first
            allowance -= 1
            if allowance < 0:
                return None
            for end in faces[here].from_end[side]:
                if end >= 6:
                    target = self.number[here, end - 6]
                    if target != start:
                        found.append(Leg(target, track, sides, hexes))
                    continue
                step = beyond.get((here, end))
                if step is None:
                    continue
                bit = 1 << numbers[here, end]
                if not track & bit:
                    queue.append((*step, track | bit, (*sides, end), hexes | 1 << self.hex_number[step[0]]))
        return _undominated(found)


def _undominated(legs: list[Leg]) -> list[Leg]:
    by_target: dict[int, list[Leg]] = {}
    for leg in sorted(legs, key=lambda leg: (leg.track.bit_count(), leg.sides)):
        kept = by_target.setdefault(leg.to, [])
        if not any(other.track & leg.track == other.track for other in kept):
            kept.append(leg)
    return [leg for target in sorted(by_target) for leg in by_target[target]]


def network(board: Board) -> Network:
    """The board's network; kept with the board."""
    found: Network | None = board.memo.get("network")
    if found is None:
        found = Network(board)
        board.memo["network"] = found
    return found
