"""What a tile's track joins, by the hexes around it, so that its rotations can be told apart in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from engine.actions import Action, LayPowerTile, LayTile
from engine.board.hexes import Layout, across
from engine.board.tiles import Turned, turned
from engine.ids import split_stop
from engine.printed import Stop
from engine.title import Title
from engine.views import BoardView

A = TypeVar("A", bound=Action)


def joined(tile: Turned) -> tuple[tuple[int, ...], ...]:
    """The sides that lead to each stop, cities first, and those that plain track joins.

    Stops without slots that look the same come in one order, since turning the tile only swaps them.
    """
    stops = enumerate(tile.face.stops)
    ordered = sorted((_rank(stop, index), tile.stop_sides(index)) for index, stop in stops)
    plain = sorted(segment for segment in tile.segments if max(segment) < 6)
    return (*(sides for _, sides in ordered if sides), *plain)


def _rank(stop: Stop, index: int) -> tuple[int, str, int, int]:
    return (index, "", 0, 0) if stop.slots else (6, stop.kind, -stop.revenue, -stop.subsidy)


def joins(layout: Layout, hex_id: str, tile: Turned) -> str:
    """The hexes that the track joins: "F9-H11", or "F9-H11 and G8-I10" where it does not meet."""
    groups = ["-".join(across(layout, hex_id, side) for side in sides) for sides in joined(tile)]
    return " and ".join([", ".join(groups[:-1]), groups[-1]] if len(groups) > 1 else groups)


def beside(board: BoardView, stop: str) -> str:
    """The hexes to which a city's track leads, where its hex has other cities: "A19-C21"; else ""."""
    hex_id, index = split_stop(stop)
    cell = next((one for one in board.hexes if one.id == hex_id), None)
    if cell is None or sum(bool(one.slots) for one in cell.stops) < 2:
        return ""
    return "-".join(across(board.layout, hex_id, side) for side, end in cell.track if end == 6 + index)


def without_twins(title: Title, actions: Iterable[A]) -> list[A]:
    """The actions without lays that look the same as an earlier one of the same tile."""
    different: dict[object, A] = {}
    for action in actions:
        different.setdefault(_look(title, action), action)
    return list(different.values())


def _look(title: Title, action: Action) -> object:
    if not isinstance(action, LayTile | LayPowerTile):
        return action
    subject = action.corp if isinstance(action, LayTile) else action.private
    track = joined(turned(title.tiles[action.tile].face, action.rotation))
    return type(action), action.by, subject, action.hex, action.tile, track
