"""The map with its tiles and tokens: immutable, so that a position's answers can be kept with it.

`Grid` is what is printed; `Board` adds what was laid and placed. Every side between two hexes that track
may cross has one number, so the track of a route is a set of bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.board.hexes import Layout, across, opposite
from engine.board.tiles import Turned, turned
from engine.ids import CorpId, HexId, StopId, TileId, split_stop, stop_id
from engine.printed import Face, HexDef, Stop, TileDef

Tokens = tuple[CorpId | None, ...]


class Grid:
    """The printed map and the tiles that can come onto it."""

    __slots__ = ("beyond", "hex_numbers", "hexes", "layout", "memo", "side_numbers", "tiles", "tokens_of")

    def __init__(
        self,
        layout: Layout,
        hexes: Mapping[HexId, HexDef],
        tiles: Mapping[TileId, TileDef],
        tokens_of: Mapping[CorpId, CorpId] | None = None,
    ) -> None:
        self.layout = layout
        self.hexes = hexes
        self.tiles = tiles
        self.tokens_of: Mapping[CorpId, CorpId] = tokens_of or {}
        """Companies without tokens of their own, with those whose tokens they use."""
        self.memo: dict[Any, Any] = {}
        """Answers about single hexes, kept by those who ask (`viewing`) by all that they depend on."""
        self.beyond: dict[tuple[HexId, int], tuple[HexId, int]] = {}
        """(hex, side) -> (neighbour, its side), for sides that track may cross."""
        self.side_numbers: dict[tuple[HexId, int], int] = {}
        self.hex_numbers = {name: index for index, name in enumerate(hexes)}
        for name, printed in hexes.items():
            for side in range(6):
                other = across(layout, name, side)
                if other not in hexes or side in printed.impassable or opposite(side) in hexes[other].impassable:
                    continue
                self.beyond[name, side] = (other, opposite(side))
        for number, (near, far) in enumerate((n, f) for n, f in self.beyond.items() if n < f):
            self.side_numbers[near] = self.side_numbers[far] = number

    def between_stops(self, hex_id: HexId, one: int, other: int) -> int:
        """The bit of the track that joins two stops inside a hex, above those of the sides."""
        low, high = sorted((one, other))
        return 1 << (len(self.side_numbers) + self.hex_numbers[hex_id] * 36 + low * 6 + high)


class Board:
    """One position of the map. `with_tile` and `with_token` give new boards; nothing changes in place."""

    __slots__ = ("faces", "grid", "memo", "placed", "tokens")

    def __init__(
        self,
        grid: Grid,
        placed: Mapping[HexId, tuple[TileId, int]] | None = None,
        tokens: Mapping[StopId, Tokens] | None = None,
        faces: Mapping[HexId, Turned] | None = None,
    ) -> None:
        self.grid = grid
        self.placed: Mapping[HexId, tuple[TileId, int]] = placed or {}
        """Hexes that no longer show their printed face: (tile, rotation)."""
        self.tokens: Mapping[StopId, Tokens] = tokens or {}
        """Places of the cities in which a token lies, None for a free place."""
        self.faces: Mapping[HexId, Turned] = faces or _all_faces(grid, self.placed)
        self.memo: dict[Any, Any] = {}
        """Answers that depend on this board alone, kept by those who ask (`reach`, `routes`)."""

    def forget(self) -> None:
        """Drop what was found out about the board, which takes much more memory; it is found out again when asked."""
        self.memo.clear()

    def face(self, hex_id: HexId) -> Turned:
        """The tile that lies in the hex, or what is printed there, as it is turned."""
        return self.faces[hex_id]

    def stop(self, hex_id: HexId, index: int) -> Stop:
        """The stop of this number in the hex."""
        return self.faces[hex_id].face.stops[index]

    def places(self, hex_id: HexId, index: int) -> Tokens:
        """The places of a city with their tokens; empty for other stops."""
        known = self.tokens.get(stop_id(hex_id, index))
        return known if known is not None else (None,) * self.stop(hex_id, index).slots

    def has_token(self, hex_id: HexId, index: int, corp: CorpId) -> bool:
        """Whether a token that the company uses lies in the stop."""
        return self.grid.tokens_of.get(corp, corp) in self.places(hex_id, index)

    def in_hex(self, hex_id: HexId, corp: CorpId) -> bool:
        """Whether a token that the company uses lies in the hex."""
        return any(here == hex_id for here, _ in self.token_stops(corp))

    def token_stops(self, corp: CorpId) -> tuple[tuple[HexId, int], ...]:
        """Where the company has tokens that it uses, in the order of placing."""
        corp = self.grid.tokens_of.get(corp, corp)
        known: tuple[tuple[HexId, int], ...] | None = self.memo.get(("tokens", corp))
        if known is None:
            known = tuple(split_stop(stop) for stop, places in self.tokens.items() if corp in places)
            self.memo["tokens", corp] = known
        return known

    def printed_stop(self, hex_id: HexId, index: int) -> int:
        """Which stop of the hex is now the one printed there as number `index`, whatever was laid since."""
        if hex_id not in self.placed:
            return index
        return carry_stops(turned(self.grid.hexes[hex_id].face, 0), self.faces[hex_id])[index] or 0

    def blocks(self, hex_id: HexId, index: int, corp: CorpId) -> bool:
        """Whether the stop is a city full of other companies' tokens."""
        places = self.tokens.get(stop_id(hex_id, index))
        return places is not None and None not in places and self.grid.tokens_of.get(corp, corp) not in places

    def ends_trails(self, hex_id: HexId, index: int, corp: CorpId) -> bool:
        """Whether no track can be traced through the stop: it is off the board, or full of others' tokens."""
        stop = self.stop(hex_id, index)
        return stop.terminal or (stop.slots > 0 and self.blocks(hex_id, index, corp))

    def with_tile(self, hex_id: HexId, tile: TileId, rotation: int) -> Board:
        """The board after a lay; tokens stay in the stop that their old track leads to."""
        key = ("lay", hex_id, tile, rotation)
        board: Board | None = self.memo.get(key)
        if board is None:
            new = turned(self.grid.tiles[tile].face, rotation)
            faces = dict(self.faces)
            faces[hex_id] = new
            tokens = self._carry_tokens(hex_id, new)
            board = Board(self.grid, {**self.placed, hex_id: (tile, rotation)}, tokens, faces)
            self.memo[key] = board
        return board

    def without_tile(self, hex_id: HexId) -> Board:
        """The board with the printed face of the hex again; its tokens must have been taken off before."""
        placed = {name: tile for name, tile in self.placed.items() if name != hex_id}
        tokens = {stop: places for stop, places in self.tokens.items() if stop.partition(".")[0] != hex_id}
        return Board(self.grid, placed, tokens)

    def _carry_tokens(self, hex_id: HexId, new: Turned) -> Mapping[StopId, Tokens]:
        old = self.faces[hex_id]
        if not any(stop_id(hex_id, index) in self.tokens for index in range(len(old.face.stops))):
            return self.tokens
        carried = {stop: places for stop, places in self.tokens.items() if stop.partition(".")[0] != hex_id}
        for index, target in enumerate(carry_stops(old, new)):
            places = self.tokens.get(stop_id(hex_id, index))
            if places is None or target is None:
                continue
            key = stop_id(hex_id, target)
            slots = new.face.stops[target].slots
            held = [token for token in carried.get(key, ()) if token] + [token for token in places if token]
            carried[key] = tuple(held) + (None,) * (slots - len(held))
        return carried

    def with_token(self, hex_id: HexId, index: int, corp: CorpId) -> Board:
        """The board with the company's token in the first free place; ValueError if none is free."""
        return self.with_token_changed(hex_id, index, None, corp)

    def with_token_changed(self, hex_id: HexId, index: int, old: CorpId | None, new: CorpId | None) -> Board:
        """The board with another token, or none, in place of the old one or none; ValueError if it is not there."""
        places = list(self.places(hex_id, index))
        places[places.index(old)] = new
        return Board(self.grid, self.placed, {**self.tokens, stop_id(hex_id, index): tuple(places)}, self.faces)


def _all_faces(grid: Grid, placed: Mapping[HexId, tuple[TileId, int]]) -> Mapping[HexId, Turned]:
    printed = {name: turned(hex_def.face, 0) for name, hex_def in grid.hexes.items()}
    return printed | {name: turned(grid.tiles[tile].face, rotation) for name, (tile, rotation) in placed.items()}


def carry_stops(old: Turned, new: Turned) -> list[int | None]:
    """For each stop of the old face its stop on the new one: same family, all its sides kept.

    A stop without track goes to the first stop of its kind that no other claims; None where nothing fits.
    """
    targets: list[int | None] = []
    for index, stop in enumerate(old.face.stops):
        sides = set(old.stop_sides(index))
        fitting = [
            candidate
            for candidate, other in enumerate(new.face.stops)
            if _family(other) == _family(stop) and sides <= set(new.stop_sides(candidate))
        ]
        unclaimed = [candidate for candidate in fitting if candidate not in targets]
        targets.append(next(iter(unclaimed or fitting), None))
    return targets


def _family(stop: Stop) -> str:
    """Halts and towns may take each other's place."""
    return "town" if stop.kind == "halt" else stop.kind


@cache
def rotations(old: Turned, new: Face) -> tuple[int, ...]:
    """At which rotations the new face keeps the track of the old one."""
    return tuple(rotation for rotation in range(6) if keeps_track(old, turned(new, rotation)))


def keeps_track(old: Turned, new: Turned) -> bool:
    """Whether the new face has all track, exits and stops of the old one (rotations applied)."""
    targets = carry_stops(old, new)
    if None in targets or len(new.face.stops) < len(set(targets)):
        return False

    def moved(end: int) -> int:
        target = targets[end - 6] if end >= 6 else None
        return 6 + target if target is not None else end

    return all(tuple(sorted((moved(a), moved(b)))) in new.segments for a, b in old.segments)
