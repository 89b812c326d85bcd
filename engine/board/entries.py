"""By which sides a company's trails come into the hexes, exactly, in one search without trying trails.

A trail crosses no side between two hexes twice. Take each side with its two faces, one to each hex, as a pair of
partners, and the track inside a hex (stops that are passed included) as links between faces. A trail is then a path
that goes by turns over a link and from a face to its partner, and meets no face twice: an alternating path of matching
theory, in which the crossings are the matching and the company's tokens together the one vertex without a partner.
Which faces such paths come in by is what Edmonds' blossom search finds, exactly: an alternating tree is grown from the
tokens, and a cycle of odd length that closes in it can be run either way round, so all its faces are come in by, and it
is treated as one from then on. There is nothing to augment to, as no other vertex is free. Time grows with faces times
links at worst, whatever the number of trails.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache

from engine.board.board import Board
from engine.board.tiles import Turned
from engine.frozen import dataclass
from engine.ids import CorpId, HexId

Side = tuple[HexId, int]
"""A hex and one of its sides: the face of a crossing towards that hex."""
StopAt = tuple[HexId, int]
TOKENS: Side = (HexId(""), -1)
"""Where every trail begins: stands for the company's token stops."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A side by which trails leave only if they come from these others, or from `TOKENS`, track or no track."""

    side: Side
    come_from: frozenset[Side]


class Links:
    """The track of a board as the company may run over it, from side to side of each hex."""

    __slots__ = ("_ends", "_onward", "board", "corp")

    def __init__(self, board: Board, corp: CorpId) -> None:
        self.board = board
        self.corp = corp
        self._ends: dict[HexId, tuple[int, ...]] = {}
        self._onward: dict[Side, list[Side]] = {}

    def onward(self, came_in: Side) -> list[Side]:
        """The sides by which a trail that comes in by this one can leave, over track and through stops."""
        known = self._onward.get(came_in)
        if known is None:
            here, side = came_in
            beyond, sides = self.board.grid.beyond, _passages(self.board.faces[here], self.ends(here))[side]
            known = self._onward[came_in] = [(here, other) for other in sides if (here, other) in beyond]
        return known

    def ends(self, hex_id: HexId) -> tuple[int, ...]:
        """The stops of the hex that end trails."""
        known = self._ends.get(hex_id)
        if known is None:
            board, stops = self.board, range(len(self.board.faces[hex_id].face.stops))
            known = self._ends[hex_id] = tuple(stop for stop in stops if board.ends_trails(hex_id, stop, self.corp))
        return known

    def around(self, stop: StopAt) -> Around:
        """What is joined to the stop inside its hex."""
        return _around(self.board.faces[stop[0]], self.ends(stop[0]), stop[1])

    def met(self, came_in: Iterable[Side]) -> set[StopAt]:
        """The stops that trails meet by coming in by these sides."""
        faces = self.board.faces
        stops = ((here, end - 6) for here, side in came_in for end in faces[here].from_end[side] if end >= 6)
        return {
            (here, stop)
            for here, index in stops
            for stop in ((index,) if index in self.ends(here) else self.around((here, index)).stops)
        }

    def before(self, stop: StopAt) -> frozenset[Side]:
        """The sides by which a trail that goes on from the stop may have come in, `TOKENS` if it may begin there."""
        here, around = stop[0], self.around(stop)
        sides = {(here, side) for side in around.sides if (here, side) in self.board.grid.beyond}
        tokens = self.board.token_stops(self.corp)
        return frozenset(sides | {TOKENS} if any((here, other) in tokens for other in around.stops) else sides)

    def starts(self, tokens: Iterable[StopAt]) -> list[Side]:
        """The sides by which trails from these stops leave the hex."""
        beyond = self.board.grid.beyond
        sides = ((stop[0], side) for stop in tokens for side in self.around(stop).sides)
        return [side for side in dict.fromkeys(sides) if side in beyond]


@dataclass(frozen=True, slots=True)
class Around:
    """The sides and stops of a hex that a stop is joined to, through no stop that ends trails; itself included."""

    sides: tuple[int, ...]
    stops: frozenset[int]


@cache
def _around(face: Turned, ends: tuple[int, ...], index: int) -> Around:
    sides: list[int] = []
    stops = [index]
    for stop in stops:  # grows while it is read
        if stop != index and stop in ends:
            continue
        for end in face.from_end[6 + stop]:
            if end < 6:
                sides.append(end)
            elif end - 6 not in stops:
                stops.append(end - 6)
    return Around(tuple(dict.fromkeys(sides)), frozenset(stops))


@cache
def _passages(face: Turned, ends: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            dict.fromkeys(
                other
                for end in face.from_end[side]
                for other in ((end,) if end < 6 else () if end - 6 in ends else _around(face, ends, end - 6).sides)
                if other != side
            )
        )
        for side in range(6)
    )


def entered(links: Links, tokens: Iterable[StopAt]) -> set[Side]:
    """All sides by which some trail from one of the tokens comes into a hex."""
    tree = _Tree(links, tokens, None)
    return {side for side in tree.grow() if side != TOKENS}


def passed(links: Links, gate: Gate) -> bool:
    """Whether some trail of the company leaves through the gate."""
    target = links.board.grid.beyond[gate.side]
    return target in _Tree(links, links.board.token_stops(links.corp), gate).grow()


class _Tree:
    """Edmonds' alternating tree: sides left by hang on the side come in by, which leads on to their partners."""

    def __init__(self, links: Links, tokens: Iterable[StopAt], gate: Gate | None) -> None:
        self.links = links
        self.starts = links.starts(tokens)
        self.gate = gate
        self.come_from: dict[Side, Side] = {}
        """For a side left by: the side come in by before."""
        self.base: dict[Side, Side] = {TOKENS: TOKENS}
        """For a side come in by: itself, or one nearer the root of the odd cycles that it lies on (see `_root`)."""
        self.entries = [TOKENS]

    def grow(self) -> Iterator[Side]:
        """The sides come in by, as they are found."""
        beyond = self.links.board.grid.beyond
        come_from, base, entries = self.come_from, self.base, self.entries
        for here in entries:  # grows while it is read
            yield here
            for side in self._onward(here):
                if side in base:
                    if self._root(side) != self._root(here):
                        self._close(here, side)
                elif side not in come_from:
                    come_from[side] = here
                    entry = beyond[side]
                    base[entry] = entry
                    entries.append(entry)

    def _onward(self, here: Side) -> Collection[Side]:
        sides, gate = self.starts if here == TOKENS else self.links.onward(here), self.gate
        if gate is None:
            return sides
        if here == gate.side:
            return gate.come_from - {TOKENS}
        others = [side for side in sides if side != gate.side]
        return [*others, gate.side] if here in gate.come_from else others

    def _root(self, side: Side) -> Side:
        """The entry by which all odd cycles are come into that the side lies on; the side itself if on none."""
        base = self.base
        while base[side] != side:
            base[side] = base[base[side]]
            side = base[side]
        return side

    def _towards_tokens(self, side: Side) -> Iterator[Side]:
        """The entries (or roots of cycles) on the tree's way back."""
        side = self._root(side)
        while side != TOKENS:
            yield side
            side = self._root(self.come_from[self.links.board.grid.beyond[side]])
        yield side

    def _close(self, one: Side, other: Side) -> None:
        """A link between two entries closes an odd cycle: the sides left by on it are come in by too."""
        before = set(self._towards_tokens(one))
        top = next(side for side in self._towards_tokens(other) if side in before)
        for end in (one, other):
            side = self._root(end)
            while side != top:
                left_by = self.links.board.grid.beyond[side]
                self.base[side] = self.base[left_by] = top
                self.entries.append(left_by)
                side = self._root(self.come_from[left_by])


def links_of(board: Board, corp: CorpId) -> Links:
    """The company's links; kept with the board."""
    links: Links | None = board.memo.get(("links", corp))
    if links is None:
        links = board.memo["links", corp] = Links(board, corp)
    return links
