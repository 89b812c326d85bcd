"""Whether a company could run over what an upgrade brings, told from the board as it is before.

A trail over new track comes to the first new piece on it over old track alone: so what trails reach before the
upgrade tells to which new pieces they come, and a piece that ends at a stop, or at a side to which no old track of the
hex leads, can always be run over from there. Where it leads on to a side that the same trail may have crossed that is
asked for (`goes_on`). Only where the tile joins stops or opens one to trails must the board after the upgrade be asked.
"""

from collections.abc import Collection, Iterator
from functools import cache

from engine.board.board import Board, carry_stops
from engine.board.reach import Reach, Segment, asked_before, goes_on, reach, reaches
from engine.board.tiles import Turned
from engine.frozen import dataclass
from engine.ids import CorpId, HexId, TileId


@dataclass(frozen=True, slots=True)
class Change:
    """What a face brings that lies on another."""

    track: frozenset[tuple[int, int]]
    stops: frozenset[int]
    """Those worth another sum than before, or new, if track leads to them."""
    steps: tuple[tuple[int, int], ...]
    """The new track in both directions, from a side or stop that was there before."""
    renumbered: bool
    """Whether stops have become one or changed places."""

    def used(self, hex_id: HexId, pieces: set[Segment]) -> bool:
        """Whether one of these pieces is new, or leads to a stop of another worth."""
        return any(
            here == hex_id and ((low, high) in self.track or low - 6 in self.stops or high - 6 in self.stops)
            for here, low, high in pieces
        )


@cache
def change(before: Turned, after: Turned) -> Change:
    """What the upgrade changes."""
    old, new = before.face.stops, after.face.stops
    track = after.segments - before.segments
    worth = (
        index
        for index, stop in enumerate(new)
        if after.from_end[6 + index] and (index >= len(old) or stop.revenue != old[index].revenue)
    )
    steps = sorted({*track, *((high, low) for low, high in track)})
    return Change(
        track,
        frozenset(worth),
        tuple(step for step in steps if step[0] < 6 + len(old)),
        carry_stops(before, after) != list(range(len(old))),
    )


def upgrade_is_used(board: Board, corp: CorpId, hex_id: HexId, tile: TileId, rotation: int) -> bool:
    """Whether with the tile some trail of the company runs over new track of the hex or to a stop of another worth.

    Where nobody has asked yet what the company reaches the board after the upgrade is asked: whoever judges one lay
    alone is about to make it, and goes on with that board.
    """
    upgraded = board.with_tile(hex_id, tile, rotation)
    what = change(board.faces[hex_id], upgraded.faces[hex_id])
    if not asked_before(board, corp) or what.renumbered or _opens(board, upgraded, corp, hex_id, what):
        return reaches(upgraded, corp, lambda reached: what.used(hex_id, reached.segments), (hex_id,))
    if reaches(board, corp, lambda reached: any((hex_id, index) in reached.stops for index in what.stops), ()):
        return True
    return new_track_is_used(board, corp, hex_id, what.steps)


def new_track_is_used(board: Board, corp: CorpId, hex_id: HexId, steps: Collection[tuple[int, int]]) -> bool:
    """Whether some trail of the company can run over one of these steps of new track before any other new track."""
    if reaches(board, corp, lambda reached: _surely(board, corp, reached, hex_id, steps), ()):
        return True
    begun = _begun(board, corp, reach(board, corp, ()), hex_id, steps)
    return any(goes_on(board, corp, hex_id, start, end) for start, end in begun)


def some_track_is_used(old: Board, new: Board, corp: CorpId, hex_id: HexId, track: Collection[tuple[int, int]]) -> bool:
    """Whether on the upgraded board some trail of the company runs over one of these new pieces of track."""
    what = change(old.faces[hex_id], new.faces[hex_id])
    if asked_before(old, corp) and not what.renumbered:
        steps = [(start, end) for start, end in what.steps if (min(start, end), max(start, end)) in track]
        if new_track_is_used(old, corp, hex_id, steps):
            return True
    return reaches(new, corp, lambda reached: any((hex_id, *ends) in reached.segments for ends in track), (hex_id,))


def _opens(board: Board, upgraded: Board, corp: CorpId, hex_id: HexId, what: Change) -> bool:
    """Whether the tile has room in a stop that was full of others' tokens and is worth the same as before."""
    return any(
        board.ends_trails(hex_id, index, corp) and not upgraded.ends_trails(hex_id, index, corp)
        for index in range(len(board.faces[hex_id].face.stops))
        if index not in what.stops
    )


def _surely(board: Board, corp: CorpId, reached: Reach, hex_id: HexId, steps: Collection[tuple[int, int]]) -> bool:
    """Whether trails come to new track by which they can go on whatever they crossed."""
    old_exits, beyond = board.faces[hex_id].exits, board.grid.beyond
    return any(
        end not in old_exits or (hex_id, end) not in beyond for _, end in _begun(board, corp, reached, hex_id, steps)
    )


def _begun(
    board: Board, corp: CorpId, reached: Reach, hex_id: HexId, steps: Collection[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Those steps of new track to whose beginning trails come."""
    for start, end in steps:
        stop = (hex_id, start - 6)
        if start < 6:
            if (hex_id, start) in reached.sides:
                yield start, end
        elif stop in reached.stops and (not board.ends_trails(*stop, corp) or stop in board.token_stops(corp)):
            yield start, end
