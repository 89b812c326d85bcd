"""The rules of routes one by one, on boards small enough to work out by hand.

Most are strips: hexes A2, A4, A6, ... below one another, joined by their sides 0 (below) and 3 (above).
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from boards import SWEEPING, train

from engine.board.board import Board, Grid
from engine.board.routes import StopRef
from engine.board.tiles import face
from engine.ids import CorpId, HexId, StopId
from engine.printed import HexDef
from engine.router import Best, Bonus, RunRules, Train, best_pairs, best_runs

US, THEM = CorpId("AR"), CorpId("IR")


def board(hexes: dict[str, tuple[str, str]], tokens: dict[str, str]) -> Board:
    """A board of printed hexes {"A2": (stops, track)} and tokens {"A2.0": "AR"}."""
    printed = {HexId(name): HexDef(face("gray", *given)) for name, given in hexes.items()}
    placed = {StopId(stop): (CorpId(corp),) for stop, corp in tokens.items()}
    return Board(Grid("flat", printed, {}), tokens=placed)


def strip(*stops: str, token: int, full: tuple[int, ...] = ()) -> Board:
    """Stops below one another from A2 on; ours has a token at number `token`, others fill those in `full`."""
    names = [f"A{2 * number + 2}" for number in range(len(stops))]
    tokens = {f"{names[token]}.0": US, **{f"{names[number]}.0": THEM for number in full}}
    return board({name: (stop, "0-a 3-a") for name, stop in zip(names, stops, strict=True)}, tokens)


def run(on: Board, *ranks: str, tier: str = "yellow", **rules: object) -> Best:
    def worth(stop: StopRef, owner: Train) -> int:
        printed = on.stop(*stop)
        return dict(printed.tiers).get("diesel" if owner.rank == "D" else tier, printed.revenue)

    return best_runs(on, US, [train(rank) for rank in ranks], RunRules(worth, **rules))  # type: ignore[arg-type]


def paths(best: Best) -> list[tuple[StopId | int, ...]]:
    return [route.path for route in best.routes]


THREE = ("city:10", "city:20", "city:30")


@pytest.mark.rule("1889-RTE-01")
def test_a_route_is_a_path_with_an_own_token() -> None:
    best = run(strip(*THREE, token=0), "2")
    assert paths(best) == [("A2.0", 0, "A4.0")]
    assert (best.total, best.proved, best.bound) == (30, True, 30)


@pytest.mark.rule("1889-RTE-02")
def test_a_train_has_at_most_as_many_stops_as_its_number_and_d_any() -> None:
    assert run(strip(*THREE, token=1), "2").total == 50
    assert run(strip(*THREE, token=1), "3").total == 60
    assert run(strip(*THREE, *THREE, *THREE, token=1), "D").total == 180


@pytest.mark.rule("1889-RTE-02")
def test_one_stop_is_no_route() -> None:
    assert run(strip("city:30", token=0), "D") == Best((), 0, True, 0, work=run(strip("city:30", token=0), "D").work)


@pytest.mark.rule("1889-RTE-03", "1888-RTE-02")
def test_no_stop_on_the_way_is_skipped() -> None:
    best = run(strip("city:30", "town:10", "city:40", token=0), "2")
    assert best.total == 40
    assert best.calls == ((("A2", 0), ("A4", 0)),)


@pytest.mark.rule("1889-RTE-04", "1888-RTE-05", "1890-RTE-06")
def test_off_board_areas_are_ends() -> None:
    assert run(strip("city:30", "offboard:20", "city:40", token=0), "D").total == 50
    assert run(strip("offboard:30", "city:20", "offboard:40", token=1), "D").total == 90


@pytest.mark.rule("1889-RTE-05", "1888-RTE-09", "1890-RTE-08", "1860-RTE-11")
def test_two_trains_share_no_track() -> None:
    best = run(strip("city:30", "city:40", token=0), "2", "D")
    assert best.total == 70
    assert len(best.routes) == 1


FORK = {"A6": ("city:10", "3-a"), "A2": ("city:30", "0-a"), "B3": ("city:50", "1-a")}


@pytest.mark.rule("1889-RTE-06")
def test_tracks_that_meet_at_an_edge_serve_one_train() -> None:
    on = board({**FORK, "A4": ("", "0-3 0-4")}, {"A6.0": US})
    best = run(on, "2", "2")
    assert best.total == 60
    assert paths(best) == [("A6.0", 3, 4, "B3.0")]


@pytest.mark.rule("1889-RTE-06", "1888-RTE-03")
def test_separate_tracks_of_one_tile_serve_two_trains() -> None:
    hexes = {**FORK, "B3": ("city:50", "1-a"), "A4": ("", "0-3 4-5"), "B5": ("city:20", "2-a")}
    assert run(board(hexes, {"A6.0": US, "B3.0": US}), "2", "2").total == 110


@pytest.mark.rule("1889-RTE-07", "1888-RTE-04", "1890-RTE-05", "1860-RTE-14")
def test_no_reversing_at_a_junction() -> None:
    on = board({**FORK, "A4": ("", "0-3 0-4")}, {"A2.0": US})
    assert run(on, "D").total == 40  # from A2 to A6, not back up to B3


RING = {"A4": ("city:10", "4-a 5-a"), "B3": ("city:20", "1-a 0-a"), "B5": ("city:30", "2-a 3-a")}


@pytest.mark.rule("1889-RTE-08", "1890-RTE-07")
def test_a_centre_counts_once_on_a_route() -> None:
    assert run(board(RING, {"A4.0": US}), "D").total == 60


@pytest.mark.rule("1889-RTE-09", "1860-RTE-11")
def test_two_trains_count_a_centre_by_different_track() -> None:
    best = run(strip(*THREE, token=1), "2", "2")
    assert best.total == 80
    assert len(best.routes) == 2


@pytest.mark.rule("1889-RTE-10", "1888-RTE-06", "1890-RTE-09")
def test_a_full_city_ends_a_route() -> None:
    assert run(strip("city:30", "city:20", "city:40", token=0, full=(1,)), "D").total == 50


@pytest.mark.rule("1890-PRV-17", "1890-COR-14")
def test_a_full_city_may_be_passed_by_right() -> None:
    on = strip("city:30", "city:20", "city:40", token=0, full=(1,))
    assert run(on, "D", through=frozenset({(HexId("A4"), 0)})).total == 90


@pytest.mark.rule("1889-RTE-11")
def test_without_a_train_or_a_route_nothing_runs() -> None:
    assert run(strip(*THREE, token=0)).routes == ()
    assert run(board(RING, {}), "D").routes == ()


@pytest.mark.rule("1889-REV-01", "1890-REV-01", "1888-REV-01")
def test_the_company_earns_the_sum_of_its_trains() -> None:
    assert run(strip("city:10", "city:20", "city:30", "city:40", token=1), "2", "3").total == 30 + 90


@pytest.mark.rule("1889-REV-02")
def test_a_d_counts_the_gray_value_and_a_6_the_brown_one() -> None:
    on = strip("offboard:yellow=30,brown=60,diesel=100", "city:20", token=1)
    assert run(on, "6", tier="brown").total == 80
    assert run(on, "D", tier="brown").total == 120


@pytest.mark.rule("1888-RTE-07")
def test_two_cities_of_one_tile_are_two_places() -> None:
    hexes = {
        "A4": ("city:30 city:30", "3-a 0-b"),
        "A2": ("city:10", "0-a 5-a"),
        "B3": ("", "2-0"),
        "B5": ("", "3-1"),
        "A6": ("city:20", "3-a 4-a"),
    }
    on = board(hexes, {"A4.0": US})
    assert run(on, "D").total == 90


@pytest.mark.rule("1888-RTE-08")
def test_an_area_over_two_hexes_is_one_location() -> None:
    on = strip("offboard:50#far", "city:20", "offboard:40#far", token=1)
    assert run(on, "D").total == 70
    assert run(on, "2", "2").total == 130


@pytest.mark.rule("1888-RTE-10", "1888-RTE-14")
def test_the_harbour_is_an_end_and_uses_no_reach() -> None:
    on = strip("city:30", "city:20", "city:40x2~0!", "city:50", token=0)
    assert run(on, "2").total == 90
    assert run(on, "D").total == 90


@pytest.mark.rule("1888-RTE-11")
def test_a_station_and_the_harbour_are_a_route() -> None:
    assert run(strip("city:30", "city:20", "city:40x2~0!", token=1, full=(0,)), "2").total == 90
    assert run(strip("offboard:0", "city:20", "city:40x2~0!", token=1), "1").total == 60


@pytest.mark.rule("1888-RTE-12", "1888-REV-08")
def test_the_mountain_may_be_visited_or_left_out() -> None:
    on = strip("city:30", "town:0", token=0)
    assert len(run(on, "2").routes) == 1
    assert run(on, "2", closed=frozenset({(HexId("A4"), 0)})).routes == ()


@pytest.mark.rule("1888-REV-08")
def test_trains_call_at_a_goal_or_stay_away() -> None:
    on = strip("city:50", "city:20", "town:0", token=1)
    goal = (HexId("A6"), 0)

    def told(*trains: Train) -> tuple[list[tuple[StopId | int, ...]], int, int]:
        best = best_runs(on, US, trains, RunRules(lambda stop, _: on.stop(*stop).revenue, goal=goal))
        assert best.proved
        return paths(best), best.total, best.bound

    assert told(train("2")) == ([("A4.0", 0, "A6.0")], 20, 20)
    assert told(replace(train("2"), away=True)) == ([("A4.0", 3, "A2.0")], 70, 70)
    assert told(train("3"), replace(train("2"), away=True)) == ([("A4.0", 0, "A6.0"), ("A4.0", 3, "A2.0")], 90, 90)
    assert told(train("2"), train("2")) == ([], 0, 0), "one line leads there"


@pytest.mark.rule("1888-REV-03", "1888-REV-04")
def test_each_train_with_home_and_destination_earns_the_bonus() -> None:
    bonus = Bonus(frozenset({(HexId("A4"), 0)}), frozenset({(HexId("B3"), 0)}), 80)
    on = board(RING, {"A4.0": US, "B3.0": US})
    assert run(on, "2").total == 20 + 30
    assert run(on, "2", bonuses=(bonus,)).total == 10 + 20 + 80
    assert run(strip(*THREE, token=1), "2", bonuses=(bonus,)).total == 50
    twice = board({**RING, "B5": ("", "2-3")}, {"A4.0": US})
    assert run(twice, "2", "2", bonuses=(bonus,)).total == 2 * 110


@pytest.mark.rule("1860-RTE-09")
def test_small_stops_may_use_large_calls() -> None:
    on = strip("town:10", "town:10", "city:30", "town:10", "city:50", token=2)
    assert run(on, "2+2").total == 100
    assert run(on, "1+3").total == 60
    assert run(on, "1+1").total == 40
    assert run(on, "3+1").total == 100


@pytest.mark.rule("1890-RTE-03")
def test_calls_are_for_their_own_kind_alone_where_a_train_has_them_apart() -> None:
    on = strip("town:10", "town:10", "city:30", "town:10", "city:50", token=2)
    assert run(on, "2/2").total == 100
    assert run(on, "3/1").total == 90
    assert run(on, "1/1").total == 40
    with SWEEPING:
        assert run(on, "3/1").total == 90


@pytest.mark.rule("1860-RTE-09")
def test_halts_use_small_calls_and_may_be_bypassed() -> None:
    on = strip("city:30", "halt+10", "town:20", "halt+10", "city:40", token=0)

    def subsidy(stop: StopRef, owner: Train) -> int:
        return on.stop(*stop).subsidy

    def value(stop: StopRef, owner: Train) -> int:
        return on.stop(*stop).revenue

    halts = frozenset({"halt"})
    rules = RunRules(value, bypass=halts, no_end=halts, reenter=False, subsidy=subsidy)  # type: ignore[arg-type]

    def pairs(rank: str) -> list[tuple[int, int]]:
        return [(best.total, best.subsidy) for best in best_pairs(on, US, [train(rank)], rules)]

    assert pairs("2+1") == [(90, 0), (50, 10)]
    assert pairs("2+2") == [(90, 10)]
    assert pairs("2+3") == [(90, 20)]
    assert pairs("1+1") == [(50, 0)]


@pytest.mark.rule("1860-RTE-12")
def test_one_train_passes_one_full_city() -> None:
    on = strip("city:50", "city:20", "city:30", "city:20", "city:40", token=2, full=(1, 3))
    assert run(on, "D", single_pass=True).total == 30 + 20 + 20 + 50
    assert run(on, "3", "3", single_pass=True).total == (30 + 20 + 50) + (30 + 20)
    assert run(on, "3", "3").total == 100


@pytest.mark.rule("1860-RTE-04", "1860-RTE-05")
def test_routes_hang_together_and_one_goes_home() -> None:
    hexes = {
        f"A{2 * n + 2}": (stop, "0-a 3-a")
        for n, stop in enumerate(["city:30", "city:30", "city:10", "city:50", "city:50"])
    }
    on = board(hexes, {"A2.0": US, "A10.0": US})
    assert run(on, "2", "3").total == 170
    assert run(on, "2", "3", joined=True).total == 110
    assert run(on, "3", "3", joined=True).total == 180
    home = frozenset({(HexId("A2"), 0)})
    assert run(on, "2", home=home).total == 60
    assert run(on, "2").total == 100


@pytest.mark.rule("1860-RTE-06")
def test_a_hex_is_not_entered_again() -> None:
    crossing = board({"A4": ("", "0-3 4-5"), "A6": ("city:10", "3-a"), "A2": ("city:30", "0-a 5-a"),
                      "B3": ("city:50", "2-a 1-a"), "B5": ("city:20", "2-a")}, {"A6.0": US})  # fmt: skip
    assert run(crossing, "D").total == 110
    assert run(crossing, "D", reenter=False).total == 90


def test_a_limit_leaves_a_bound() -> None:
    on = strip(*THREE, token=0)
    best = best_runs(on, US, [train("D")], RunRules(lambda stop, owner: on.stop(*stop).revenue, joined=True), allowed=0)
    assert not best.proved
    assert best.bound >= 60 >= best.total
