"""How far trains of 1860 come: the fewest stations at which they call on the way to each piece of track."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from engine.board.board import Board
from engine.board.upgrades import change
from engine.frozen import dataclass
from engine.ids import CorpId, HexId

Way = tuple[int, int, int]
"""Large and small stations called at, and the hexes left, one bit each, if they may not be entered again."""
EndOfTrack = tuple[HexId, int]
"""A side by which trains come in, or 6 + the index of a stop."""
Distances = dict[EndOfTrack, list[Way]]
"""For an end of track: the ways to it, none with all the calls and hexes of another."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Length of a train: large calls and small calls; spare large ones serve small stops."""

    large: int
    small: int
    apart: bool = False
    """Whether large and small calls are each counted on the way with the fewest of that kind, however long it is in the
    other, and spare large ones serve no track. {1860-VAR-15}
    """
    once: bool = False
    """Whether the train enters no hex twice. {1860-RTE-06}"""

    def calls_at(self, kind: str, large: int, small: int) -> bool:
        """Whether a train that called at so many stations before can call at one more of this kind."""
        if kind in ("city", "offboard"):
            return large < self.large and small <= self.small + self.large - large - 1
        if kind == "town":
            return large <= self.large and small < self.small + self.large - large
        return large <= self.large and small <= self.small + self.large - large

    def passes(self, way: Way) -> bool:
        """Whether a train that came this way can go on, perhaps without a further call."""
        large, small, _ = way
        return self.apart or (large <= self.large and small <= self.small + max(self.large - large, 0))

    def calls(self, kind: str, ways: Sequence[Way]) -> bool:
        """Whether a train can call at a stop of this kind to which these ways lead."""
        return any(self.calls_at(kind, large, small) for large, small, _ in self._counted(ways))

    def uses(self, ways: Sequence[Way]) -> bool:
        """Whether a train can use track to which these ways lead."""
        if self.apart:
            return any(large <= self.large and small <= self.small for large, small, _ in self._counted(ways))
        return any(self.passes(way) for way in ways)

    def _counted(self, ways: Sequence[Way]) -> Sequence[Way]:
        if not self.apart or not ways:
            return ways
        return [(min(large for large, _, _ in ways), min(small for _, small, _ in ways), 0)]


def called(board: Board, hex_id: HexId, end: int, way: Way) -> Way:
    """The way with a call at the stop at this end."""
    kind = board.stop(hex_id, end - 6).kind
    return way[0] + (kind == "city"), way[1] + (kind == "town"), way[2]


def distances(board: Board, corp: CorpId, limit: Limit, without: frozenset[EndOfTrack] = frozenset()) -> Distances:
    """How many stations lie between the company's bases and each piece of track; kept with the board. {1860-TRK-10}

    Track that is too far for a train of this length is left out, and so are ways that go on from the stops `without`.
    """
    key = ("distances", corp, limit, without)
    found: Distances | None = board.memo.get(key)
    if found is None:
        found = board.memo[key] = {}
        bases = [((0, 0, 0), (hex_id, 6 + index)) for hex_id, index in board.token_stops(corp)]
        _spread(board, corp, limit, found, bases, without)
    return found


def upgraded_distances(old: Board, new: Board, corp: CorpId, hex_id: HexId, limit: Limit) -> Distances:
    """The distances on the board with the tile, told from those before; kept with that board.

    All ways from before stay but those through stops that count otherwise now, and new ways go on from where some end.
    A train that enters no hex twice comes to the tile as before and not back: for it only the ends in the hex are told.
    """
    if limit.once:
        return _distances_inside(old, new, corp, hex_id, limit)
    key: tuple[str, CorpId, Limit, frozenset[EndOfTrack]] = ("distances", corp, limit, frozenset())
    if key not in new.memo and not change(old.face(hex_id), new.face(hex_id)).renumbered:
        altered = frozenset(_altered(old, new, corp, hex_id))
        stay = distances(old, corp, limit, altered)
        found = dict(stay)
        _spread(new, corp, limit, found, _opened(old, new, corp, hex_id, limit, stay, altered))
        new.memo[key] = found
    return distances(new, corp, limit)


def _distances_inside(old: Board, new: Board, corp: CorpId, hex_id: HexId, limit: Limit) -> Distances:
    """The distances in the hex with the tile; as if all hexes had been left, no way leads out again."""
    before, found = distances(old, corp, limit), Distances()
    ways = [((*way[:2], -1), (hex_id, side)) for side in range(6) for way in before.get((hex_id, side), ())]
    ways += [((0, 0, -1), (hex_id, 6 + index)) for here, index in new.token_stops(corp) if here == hex_id]
    _spread(new, corp, limit, found, ways)
    return found


def _altered(old: Board, new: Board, corp: CorpId, hex_id: HexId) -> Iterator[EndOfTrack]:
    """The stops of the hex that have become of another kind, or let trains through on one board alone."""
    stops = new.face(hex_id).face.stops
    for index, stop in enumerate(old.face(hex_id).face.stops):
        ended, ends = old.ends_trails(hex_id, index, corp), new.ends_trails(hex_id, index, corp)
        if stop.kind != stops[index].kind or ended != ends:
            yield hex_id, 6 + index


def _opened(
    old: Board,
    new: Board,
    corp: CorpId,
    hex_id: HexId,
    limit: Limit,
    stay: Distances,
    altered: Collection[EndOfTrack],
) -> list[tuple[Way, EndOfTrack]]:
    """The ways that stay with one step more, by new track or through an altered stop."""
    before, after = old.face(hex_id), new.face(hex_id)
    opened: list[tuple[Way, EndOfTrack]] = []
    for end in range(6 + len(before.face.stops)):
        if end >= 6 and new.ends_trails(hex_id, end - 6, corp):
            continue
        known = () if (hex_id, end) in altered else before.from_end[end]
        fresh = [other for other in after.from_end[end] if other not in known]
        for way in stay.get((hex_id, end), ()) if fresh else ():
            gone = way if end < 6 else called(new, hex_id, end, way)
            if limit.passes(gone):
                opened += _steps(new, limit, gone, hex_id, fresh)
    return opened


def _steps(board: Board, limit: Limit, way: Way, here: HexId, ends: Iterable[int]) -> Iterator[tuple[Way, EndOfTrack]]:
    """The way on to these ends of track in the hex: to stops, or over a side into the next hex."""
    large, small, left = way
    beyond, numbers = board.grid.beyond, board.grid.hex_numbers
    onward = (large, small, left | 1 << numbers[here]) if limit.once else way
    for end in ends:
        if end >= 6:
            yield way, (here, end)
        elif (step := beyond.get((here, end))) is not None and not left >> numbers[step[0]] & 1:
            yield onward, step


def _spread(
    board: Board,
    corp: CorpId,
    limit: Limit,
    found: Distances,
    waiting: list[tuple[Way, EndOfTrack]],
    without: Collection[EndOfTrack] = (),
) -> None:
    """Add the ways `waiting` and all that go on from them."""
    faces = board.faces
    for way, (here, end) in waiting:  # grows while it is read
        large, small, left = way
        known = found.get((here, end))
        if known is None:
            found[here, end] = [way]
        elif any(calls <= large and others <= small and not hexes & ~left for calls, others, hexes in known):
            continue
        else:  # a list of its own: `known` may belong to the board before
            better = [one for one in known if one[0] < large or one[1] < small or left & ~one[2]]
            found[here, end] = [*better, way]
        if end >= 6:
            if board.ends_trails(here, end - 6, corp) or (here, end) in without:
                continue
            way = called(board, here, end, way)
            if not limit.passes(way):
                continue
        waiting += _steps(board, limit, way, here, faces[here].from_end[end])
