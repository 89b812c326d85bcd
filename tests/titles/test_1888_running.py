"""1888-N: routes, revenue, dividends."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, offered, refuses, table
from tables_1888 import railway

from engine import BANK, State, Title
from engine.actions import Dividend, LayTile, Pass, Payout, Route, RunTrains
from engine.board.routes import Run, trace
from engine.facts import CashMoved, TrainsRan
from engine.steps.run import bests_of
from engine.titles.t1888n.rules import bonuses
from engine.usual import stop_value
from engine.viewing import route_views


def run(corp: str, *routes: tuple[str, tuple[object, ...]]) -> RunTrains:
    return RunTrains("p1", corp, tuple(Route(train, path) for train, path in routes))  # type: ignore[arg-type]


def eastwards(*trains: str, phase: str = "3", options: tuple[str, ...] = ("online",)) -> Table:
    """Beijing - Tianjin - Tangshan - Qinhuangdao, run by JHR."""
    found = railway("JHR", "run", *options, phase=phase).trains("JHR", *trains)
    return found.tile("D10", "6", 2).tile("D12", "58", 1).tile("C13", "6", 0)


EAST = ("C9.1", 5, "D10.0", 4, "D12.0", 3, "C13.0")


def revenue(t: Title, s: State, corp: str, path: tuple[object, ...]) -> int:
    route = Route("D", path)  # type: ignore[arg-type]
    traced = trace(s.board, route)
    assert isinstance(traced, Run)
    return t.policy.routes.income(t, s, corp, route, traced)[0]


@pytest.mark.rule("1888-OR-03")
def test_each_step_of_a_turn_is_asked_while_something_can_be_done() -> None:
    t, s = eastwards("4", phase="5", options=()).set(step="track").build()
    s.depot["5"] = 1
    s = allows(t, s, Pass("p1"))
    assert s.step == "token"
    s = allows(t, s, Pass("p1"))
    assert s.step == "run"
    s = allows(t, s, run("JHR", ("4", EAST)))
    assert s.step == "dividend"
    rich = allows(t, s, Dividend("p1", "JHR", "pay"))
    assert (rich.operating, rich.step) == ("JHR", "trains")
    s.cash["JHR"] = 0
    assert allows(t, s, Dividend("p1", "JHR", "pay")).step != "trains", "no train can be paid for"


@pytest.mark.rule("1888-OR-03", "1888-TRK-01")
def test_after_its_tile_a_company_is_not_asked_for_another() -> None:
    t, s = eastwards("4", options=()).set(step="track").build()
    assert allows(t, s, LayTile("p1", "JHR", "B12", "3", 4)).step == "token"


@pytest.mark.rule("1888-OR-02")
def test_only_the_company_whose_turn_it_is_runs_and_decides() -> None:
    t, s = eastwards("4", phase="5").par("SSL", 85).shares("SSL", p1=6).trains("SSL", "4").build()
    refuses(t, s, run("SSL", ("4", EAST)), "1888-OR-02")
    s = allows(t, s, run("JHR", ("4", EAST)))
    refuses(t, s, Dividend("p1", "SSL", "pay"), "1888-OR-02")


@pytest.mark.rule("1888-REV-01")
def test_a_drawn_route_tells_what_it_would_earn() -> None:
    t, s = eastwards("4").build()
    (shown,) = route_views(t, s, "JHR", (Route("4", EAST),))
    earned = allows(t, s, run("JHR", ("4", EAST))).income
    assert shown.value + shown.subsidy == earned > 0


@pytest.mark.rule("1888-RTE-01")
def test_a_route_joins_two_places_and_has_a_station() -> None:
    t, s = eastwards("4").build()
    allows(t, s, run("JHR", ("4", EAST[:3])))
    refuses(t, s, run("JHR", ("4", EAST[2:])), "1888-RTE-01")
    refuses(t, s, run("JHR", ("5", EAST)), "1888-RTE-01")


@pytest.mark.rule("1888-RTE-02")
def test_the_train_number_is_its_reach_and_nothing_is_skipped() -> None:
    t, s = eastwards("3").build()
    refuses(t, s, run("JHR", ("3", EAST)), "1888-RTE-02")
    refuses(t, s, run("JHR", ("3", ("C9.1", 5, 4, "D12.0"))), "1888-RTE-03")
    t, s = eastwards("D", phase="7").build()
    allows(t, s, run("JHR", ("D", EAST)))


@pytest.mark.rule("1888-RTE-03", "1888-RTE-04")
def test_no_track_twice_and_no_reversing() -> None:
    t, s = eastwards("4").build()
    refuses(t, s, run("JHR", ("4", ("C9.1", 5, "D10.0", 2, "C9.1"))), "1888-RTE-03")
    found = railway("JZR", "run", "online").trains("JZR", "4").tile("C7", "23", 1).tile("D6", "9", 0)
    t, s = found.tile("C5", "9", 1).build()
    refuses(t, s, run("JZR", ("4", ("C9.0", 1, 4, "C9.0"))), "1888-RTE-03")


@pytest.mark.rule("1888-RTE-05", "1888-RTE-14")
def test_red_places_and_changchun_are_ends() -> None:
    found = railway("CDL", "run", "online").trains("CDL", "4").tile("B18", "8864", 0).tile("B20", "8858", 0)
    t, s = found.build()
    allows(t, s, run("CDL", ("4", ("B18.1", 3, "A19.0"))))
    refuses(t, s, run("CDL", ("4", ("B18.1", 3, "A19.0", 5, "B20.0"))), "1888-RTE-01")
    assert s.board.ends_trails("A19", 0, "CDL")
    assert all(s.board.ends_trails(hex_id, 0, "CDL") for hex_id in ("A1", "H2", "I11"))


@pytest.mark.rule("1888-RTE-06")
def test_a_full_city_may_be_an_end_only() -> None:
    t, s = eastwards("4").token("ZDR", "D10").build()
    allows(t, s, run("JHR", ("4", EAST[:3])))
    refuses(t, s, run("JHR", ("4", EAST[:5])), "1888-RTE-01")


@pytest.mark.rule("1888-RTE-07")
def test_both_cities_of_a_tile_count() -> None:
    found = railway("SSL", "run", "online", phase="4").trains("SSL", "4").tile("B18", "8858", 0).tile("B16", "2", 2)
    t, s = found.no_homes().token("SSL", "B18", 1).build()
    both = ("B18.0", 2, "A17.0", 0, "B16.1", 4, "B18.1")
    allows(t, s, run("SSL", ("4", both)))
    assert revenue(t, s, "SSL", both) == 40 + 20 + 10 + 40


@pytest.mark.rule("1888-RTE-08")
def test_baotou_is_one_place() -> None:
    found = railway("JZR", "run", "online").trains("JZR", "4").tile("B2", "58", 2).tile("B4", "7", 1)
    t, s = found.build()
    refuses(t, s, run("JZR", ("4", ("A1.0", 5, "B2.0", 4, 2, "A3.0"))), "1888-RTE-01")


@pytest.mark.rule("1888-RTE-09")
def test_trains_share_no_track_but_may_meet() -> None:
    t, s = eastwards("2", "2").token("JHR", "D10").build()
    refuses(t, s, run("JHR", ("2", EAST[:3]), ("2", EAST[:3])), "1888-RTE-09")
    allows(t, s, run("JHR", ("2", EAST[:3]), ("2", EAST[2:5])))


def harbour(*trains: str) -> Table:
    """Yantai - Qingdao - harbour, run by LYR."""
    return railway("LYR", "run", "online").trains("LYR", *trains).tile("G15", "9", 0).tile("H14", "5", 3)


@pytest.mark.rule("1888-RTE-10")
def test_the_harbour_is_an_end_that_uses_no_range() -> None:
    t, s = harbour("2").build()
    whole = ("F16.0", 0, 0, "H14.0", 4, "H16.0")
    s2 = allows(t, s, run("LYR", ("2", whole)))
    assert s2.income == 40 + 20 + 10 + 20
    assert s.board.ends_trails("H16", 0, "LYR")
    assert bests_of(t, s, "LYR")[0].total == 90, "the proposal knows it"


@pytest.mark.rule("1888-RTE-11")
def test_a_station_and_the_harbour_are_a_route() -> None:
    t, s = harbour("2").token("LYR", "H14").build()
    assert allows(t, s, run("LYR", ("2", ("H14.0", 4, "H16.0")))).income == 30


def mountain(*trains: str, options: tuple[str, ...] = ()) -> Table:
    """Beijing - Zhangjiakou - mountain - Datong, run by JZR."""
    found = railway("JZR", "run", *options).trains("JZR", *trains)
    return found.tile("C7", "8", 2).tile("B6", "2", 4).tile("C5", "L41", 1).tile("C3", "57", 1)


TO_MOUNTAIN = ("C9.0", 1, 2, "B6.1", 0, "C5.0")


@pytest.mark.rule("1888-RTE-12")
def test_the_mountain_uses_range_and_may_be_passed() -> None:
    t, s = mountain("2", options=("online",)).token("JZR", "C3").build()
    allows(t, s, run("JZR", ("2", ("C3.0", 4, "C5.0"))))
    refuses(t, s, run("JZR", ("2", TO_MOUNTAIN)), "1888-RTE-02")
    t, s = mountain("4", options=("online",)).build()
    allows(t, s, run("JZR", ("4", (*TO_MOUNTAIN, 1, "C3.0"))))


@pytest.mark.rule("1888-RTE-13", "1888-REV-07", "1888-PRV-09")
def test_two_trains_to_the_mountain() -> None:
    t, s = mountain("2", "3", options=("online",)).token("JZR", "C3").cash(JZR=0).build()
    s = allows(t, s, run("JZR", ("2", ("C3.0", 4, "C5.0")), ("3", TO_MOUNTAIN)))
    assert s.income == 20 + (30 + 10 + 40), "the mountain itself is worth nothing"
    s = allows(t, s, Dividend("p1", "JZR", "pay"))
    assert s.cash["JZR"] == 80
    assert [fact.amount for fact in facts(s, CashMoved) if fact.why == "subsidy"] == [80]


@pytest.mark.rule("1888-RTE-15")
def test_running_is_mandatory() -> None:
    t, s = eastwards("4", options=()).build()
    refuses(t, s, Pass("p1"), "1888-OR-06")
    refuses(t, s, run("JHR"), "1888-REV-08")
    allows(*eastwards("4", options=("online",)).build(), run("JHR"))


# Revenue


@pytest.mark.rule("1888-REV-01", "1888-REV-03", "1888-REV-06")
def test_the_destination_bonus_is_revenue() -> None:
    t, s = eastwards("3").build()
    s = allows(t, s, run("JHR", ("3", EAST[:5])))
    assert facts(s, TrainsRan)[0].revenue == s.income == 30 + 20 + 10 + 30
    assert revenue(*eastwards("3").build(), "JHR", EAST[:3]) == 50


@pytest.mark.rule("1888-REV-03")
def test_the_example_of_the_bonus() -> None:
    found = railway("JHR", "run", "online", phase="5").trains("JHR", "5").tile("D12", "58", 1)
    t, s = found.tile("C9", "L42", 0).no_homes().token("JHR", "C9", 3).tile("D10", "611", 2).build()
    assert revenue(t, s, "JHR", ("C9.3", 5, "D10.0", 4, "D12.0")) == 30 + 10 + 40 + 40
    assert {amount for corp in t.corporations for amount in [bonuses(s, t, corp)[0].amount]} == {20, 30, 40}


@pytest.mark.rule("1888-REV-04")
def test_each_train_earns_the_bonus() -> None:
    found = railway("ZDR", "run", "online").trains("ZDR", "2", "2").tile("G11", "5", 2).tile("F12", "3", 0)
    t, s = found.tile("F10", "7", 4).build()
    direct, round_about = ("G11.0", 3, "F12.0"), ("G11.0", 2, 4, "F12.0")
    s2 = allows(t, s, run("ZDR", ("2", direct), ("2", round_about)))
    assert s2.income == 2 * (20 + 10 + 40)


@pytest.mark.rule("1888-REV-05")
def test_any_city_of_the_hex_is_home() -> None:
    t, s = railway("JZR").build()
    (bonus,) = bonuses(s, t, "JZR")
    assert bonus.one == {("C9", 0), ("C9", 1)}
    assert bonus.other == {("B6", 0), ("B6", 1)}


@pytest.mark.rule("1888-REV-02")
@pytest.mark.parametrize(
    ("phase", "value"), [("1", 20), ("2", 20), ("3", 30), ("4", 30), ("5", 40), ("6", 40), ("7", 50)]
)
def test_values_in_boxes_follow_the_phase(phase: str, value: int) -> None:
    t, s = railway(phase=phase).build()
    assert {stop_value(t, s, ("A19", 0), rank) for rank in t.trains} == {value}


def proposed(t: Title, s: State) -> list[RunTrains]:
    return offered(t, s, RunTrains)


@pytest.mark.rule("1888-REV-08")
def test_the_best_with_or_without_the_mountain() -> None:
    t, s = mountain("3").build()
    allows(t, s, run("JZR", ("3", TO_MOUNTAIN)))
    assert proposed(t, s) == [run("JZR", ("3", TO_MOUNTAIN))], "the mountain costs no revenue"
    allows(t, s, run("JZR", ("3", TO_MOUNTAIN[:4])))
    refuses(t, s, run("JZR"), "1888-REV-08")


@pytest.mark.rule("1888-REV-08")
def test_the_mountain_may_cost_revenue_and_less_of_both() -> None:
    """Datong and the mountain bring 20 + 40, Beijing and Zhangjiakou 80 with the bonus."""
    t, s = mountain("2").token("JZR", "C3").build()
    to_datong, to_beijing = run("JZR", ("2", ("C3.0", 4, "C5.0"))), run("JZR", ("2", TO_MOUNTAIN[:4]))
    assert proposed(t, s) == [to_beijing, to_datong], "the best overall first"
    s = allows(t, s, to_datong)
    assert s.income == 20
    t, s = mountain("2").token("JZR", "C3").build()
    allows(t, s, to_beijing)


@pytest.mark.rule("1888-REV-08")
def test_each_choice_of_visitors_has_its_own_best() -> None:
    """Either train may visit the mountain, both or none, each time for the most that is left to the other."""
    t, s = mountain("2", "3").token("JZR", "C3").build()
    near, far, beijing = ("C3.0", 4, "C5.0"), TO_MOUNTAIN, TO_MOUNTAIN[:4]
    allows(t, s, run("JZR", ("2", near), ("3", far)))
    allows(t, s, run("JZR", ("2", near), ("3", beijing)))
    allows(t, s, run("JZR", ("2", beijing), ("3", (*near, 3, "B6.1"))))
    refuses(t, s, run("JZR", ("2", beijing), ("3", near)), "1888-REV-08")
    allows(t, s, run("JZR", ("3", beijing)))
    text = refuses(t, s, run("JZR", ("3", far)), "1888-REV-08")
    assert text == refuses(t, s, run("JZR", ("3", near)), "1888-REV-08").replace("¥60", "¥120")
    refuses(t, s, run("JZR", ("2", near)), "1888-REV-08")
    assert proposed(t, s)[0] == run("JZR", ("2", near), ("3", far))


@pytest.mark.rule("1888-REV-08")
def test_routes_below_the_best_are_refused() -> None:
    t, s = eastwards("4", options=()).build()
    refuses(t, s, run("JHR", ("4", EAST[:5])), "1888-REV-08")
    allows(t, s, run("JHR", ("4", EAST)))


@pytest.mark.rule("1888-REV-08", "1888-VAR-01")
def test_online_routes_are_free() -> None:
    allows(*eastwards("4").build(), run("JHR", ("4", EAST[:3])))


# Dividends


def decided(kind: Payout, income: int = 100, **held: int) -> tuple[State, State]:
    laid = railway("JHR", "dividend", held={"p1": 4, "p2": 2, **held}).trains("JHR", "3")
    t, s = laid.set(income=income).cash(p1=0, p2=0, JHR=0).build()
    return s, allows(t, s, Dividend("p1", "JHR", kind))


@pytest.mark.rule("1888-DIV-01", "1888-DIV-02")
def test_paid_to_players_and_pool_but_not_offering() -> None:
    before, after = decided("pay", pool=2)
    assert (after.cash["p1"], after.cash["p2"], after.cash["JHR"]) == (40, 20, 20)
    assert after.cash[BANK] == before.cash[BANK] - 80


@pytest.mark.rule("1888-DIV-01")
def test_kept_as_a_whole() -> None:
    _, after = decided("withhold")
    assert (after.cash["p1"], after.cash["JHR"]) == (0, 100)
    t, s = railway("JHR", "dividend").set(income=100).build()
    refuses(t, s, Dividend("p1", "JHR", "half"), "1888-DIV-01")


@pytest.mark.rule("1888-DIV-03", "1888-MKT-01", "1888-MKT-02")
def test_the_price_moves_right_or_left() -> None:
    assert decided("pay")[1].cell["JHR"] == (3, 4)
    assert decided("withhold")[1].cell["JHR"] == (3, 2)
    t, s = railway("JHR", "track", phase="3").trains("JHR").build()
    after = allows(t, s, Pass("p1"))
    assert after.cell["JHR"] == (3, 2), "without a route"


@pytest.mark.rule("1888-DIV-04")
def test_the_mountain_is_no_dividend() -> None:
    t, s = mountain("3").cash(JZR=0).build()
    s = allows(t, s, run("JZR", ("3", TO_MOUNTAIN)))
    after = allows(t, s, Dividend("p1", "JZR", "withhold"))
    assert (after.cell["JZR"], after.cash["JZR"]) == ((3, 2), 80 + 40)
    paid = allows(t, s, Dividend("p1", "JZR", "pay"))
    assert paid.cash["p1"] == 800 + 6 * 8
    assert paid.cash["JZR"] == 40
    assert table("1888").build()[1].cash["JZR"] == 0
