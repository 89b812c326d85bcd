"""Routes typed by their hexes, on boards laid out by hand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tables import table

import engine
from bot.core.position import Position
from bot.core.work import Work
from bot.rooms.turn.run_trains import read_routes, write_routes
from engine.actions import Route, RunTrains
from engine.ids import CorpId, PlayerId, Rank


def test_a_route_through_three_joined_stops_of_one_hex_can_be_typed() -> None:
    """Cowes: a city, a town and a halt on one line of track."""
    laid = table("1860", 3).operating("C&N", "run").par("C&N", 74, (0, 20)).shares("C&N", p1=5).trains("C&N", "3+2")
    t, s = laid.tile("F2", "787").tile("F4", "742", 3).build()
    route = Route(Rank("3+2"), ("F2.0", "F2.1", "F2.2", 0, "F4.0", 5, "G5.0"), 1)
    assert engine.judge(t, s, RunTrains(PlayerId("p1"), CorpId("C&N"), (route,))) is None
    with ThreadPoolExecutor(1) as pool:
        position = Position(t, s, 1, {seat: seat for seat in s.players}, Work(pool))
        written = write_routes(position.board(), [route])
        assert written == "3+2: F2 F4 G5 halts 1"
        assert read_routes(written, position, "p1", "C&N").routes[0].path == route.path
