"""How far trains of 1860 come: the fewest stations at which they call on the way to each piece of track."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from engine.board.board import Board
from engine.board.upgrades import change
from engine.frozen import dataclass
from engine.ids import CorpId, HexId

Calls = tuple[int, int]
"""Large and small stations called at."""
EndOfTrack = tuple[HexId, int]
"""A side by which trains come in, or 6 + the index of a stop."""
Distances = dict[EndOfTrack, list[Calls]]
"""For an end of track: the fewest calls on the way to it, none of them better than another in both numbers."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Length of a train: large calls and small calls; spare large ones serve small stops."""

    large: int
    small: int
    apart: bool = False
    """Whether large and small calls are each counted on the way with the fewest of that kind, however long it is in the
    other, and spare large ones serve no track. {1860-VAR-15}
    """

    def calls_at(self, kind: str, large: int, small: int) -> bool:
        """Whether a train that called at so many stations before can call at one more of this kind."""
        if kind in ("city", "offboard"):
            return large < self.large and small <= self.small + self.large - large - 1
        if kind == "town":
            return large <= self.large and small < self.small + self.large - large
        return large <= self.large and small <= self.small + self.large - large

    def passes(self, large: int, small: int) -> bool:
        """Whether a train that called at so many stations can go on, perhaps without a further call."""
        return self.apart or (large <= self.large and small <= self.small + max(self.large - large, 0))

    def calls(self, kind: str, costs: Sequence[Calls]) -> bool:
        """Whether a train can call at a stop of this kind to which ways of these costs lead."""
        return any(self.calls_at(kind, *cost) for cost in self._counted(costs))

    def uses(self, costs: Sequence[Calls]) -> bool:
        """Whether a train can use track to which ways of these costs lead."""
        if self.apart:
            return any(large <= self.large and small <= self.small for large, small in self._counted(costs))
        return any(self.passes(*cost) for cost in costs)

    def _counted(self, costs: Sequence[Calls]) -> Sequence[Calls]:
        if not self.apart or not costs:
            return costs
        return [(min(large for large, _ in costs), min(small for _, small in costs))]


def called(board: Board, hex_id: HexId, end: int, cost: Calls) -> Calls:
    """The cost with a call at the stop at this end."""
    kind = board.stop(hex_id, end - 6).kind
    return cost[0] + (kind == "city"), cost[1] + (kind == "town")


def distances(board: Board, corp: CorpId, limit: Limit, without: frozenset[EndOfTrack] = frozenset()) -> Distances:
    """How many stations lie between the company's bases and each piece of track; kept with the board. {1860-TRK-10}

    Track that is too far for a train of this length is left out, and so are ways that go on from the stops `without`.
    """
    key = ("distances", corp, limit, without)
    found: Distances | None = board.memo.get(key)
    if found is None:
        found = board.memo[key] = {}
        bases = [(hex_id, 6 + index) for hex_id, index in board.token_stops(corp)]
        _spread(board, corp, limit, found, {(0, 0): bases}, without)
    return found


def upgraded_distances(old: Board, new: Board, corp: CorpId, hex_id: HexId, limit: Limit) -> Distances:
    """The distances on the board with the tile, told from those before; kept with that board.

    All ways from before stay but those through stops that count otherwise now, and new ways go on from where some end.
    """
    key: tuple[str, CorpId, Limit, frozenset[EndOfTrack]] = ("distances", corp, limit, frozenset())
    if key not in new.memo and not change(old.face(hex_id), new.face(hex_id)).renumbered:
        altered = frozenset(_altered(old, new, corp, hex_id))
        stay = distances(old, corp, limit, altered)
        found = dict(stay)
        _spread(new, corp, limit, found, _opened(old, new, corp, hex_id, limit, stay, altered))
        new.memo[key] = found
    return distances(new, corp, limit)


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
) -> dict[Calls, list[EndOfTrack]]:
    """The ends of track to which ways that stay go on at once, by new track or through an altered stop."""
    before, after = old.face(hex_id), new.face(hex_id)
    opened: dict[Calls, list[EndOfTrack]] = {}
    for end in range(6 + len(before.face.stops)):
        if end >= 6 and new.ends_trails(hex_id, end - 6, corp):
            continue
        known = () if (hex_id, end) in altered else before.from_end[end]
        steps = [other for other in after.from_end[end] if other not in known]
        for cost in stay.get((hex_id, end), ()) if steps else ():
            gone = cost if end < 6 else called(new, hex_id, end, cost)
            if limit.passes(*gone):
                opened.setdefault(gone, []).extend(_next_ends(new, hex_id, steps))
    return opened


def _next_ends(board: Board, here: HexId, ends: Iterable[int]) -> Iterator[EndOfTrack]:
    """The stops of the hex, and the sides by which trains come into the next one."""
    for end in ends:
        step = (here, end) if end >= 6 else board.grid.beyond.get((here, end))
        if step is not None:
            yield step


def _spread(
    board: Board,
    corp: CorpId,
    limit: Limit,
    found: Distances,
    waiting: dict[Calls, list[EndOfTrack]],
    without: Collection[EndOfTrack] = (),
) -> None:
    """Add all ways that go on from the ends `waiting`, kept by what was called at on the way to them."""
    faces, beyond = board.faces, board.grid.beyond
    while waiting:
        cost = min(waiting)
        large, small = cost
        ends = waiting.pop(cost)
        for here, end in ends:  # grows while it is read
            known = found.get((here, end))
            if known is None:
                found[here, end] = [cost]
            elif any(calls <= large and others <= small for calls, others in known):
                continue
            else:  # a list of its own: `known` may belong to the board before
                found[here, end] = [(calls, others) for calls, others in known if calls < large or others < small]
                found[here, end].append(cost)
            after, following = cost, ends
            if end >= 6:
                if board.ends_trails(here, end - 6, corp) or (here, end) in without:
                    continue
                after = called(board, here, end, cost)
                if not limit.passes(*after):
                    continue
                following = ends if after == cost else waiting.setdefault(after, [])
            for other in faces[here].from_end[end]:
                if other >= 6:
                    following.append((here, other))
                    continue
                step = beyond.get((here, other))
                if step is not None:
                    following.append(step)
