"""1860: which routes are allowed, what trains call at, and what that earns."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, offered, refuses, table
from tables_1860 import ESPLANADE_BRADING, ESPLANADE_RYDE, RYDE_BRADING, east_coast, railway, run, without_director

from engine import best_routes
from engine.actions import Dividend, Pass, Route, RunTrains
from engine.facts import TrainsRan
from engine.steps.run import proposals
from engine.titles.t1860.companies import tokened_out
from engine.titles.t1860.own import own
from engine.titles.t1860.routing import Earned, Terms, bests, earn, joined, passes_tokened_out, terms
from engine.viewing import route_views

COWES_NEWPORT = ("F2.0", "F2.1", "F2.2", 0, "F4.0", 5, "G5.0")


def cowes(*trains: str, options: tuple[str, ...] = (), cement: tuple[str, int] = ("742", 3), **more: object) -> Table:
    """C&N from Cowes (20, a town 10, a halt) by Cement Mills (a halt) to Newport (30)."""
    laid = railway("C&N", "run", *trains, options=options, cash=0, **more)  # type: ignore[arg-type]
    return laid.tile("F2", "787").tile("F4", *cement)


def c_and_n(*routes: tuple) -> RunTrains:
    return run(*routes, corp="C&N")


# Which trains


@pytest.mark.rule("1860-RTE-01")
def test_each_train_runs_once_and_only_trains_owned() -> None:
    t, s = east_coast("run", "2+1").token("IOW", "J6").build()
    refuses(t, s, run(), "1860-RTE-01")
    refuses(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", RYDE_BRADING)), "1860-RTE-01")
    refuses(t, s, run(("3+2", ESPLANADE_BRADING)), "1860-RTE-01")
    allows(t, s, run(("2+1", ESPLANADE_RYDE)))


@pytest.mark.rule("1860-RTE-01")
def test_a_search_that_is_cut_short_offers_a_route_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_routes, "STATES", 1)
    t, s = cowes("2+1").build()
    assert offered(t, s, RunTrains)


@pytest.mark.rule("1860-OR-01")
def test_only_the_company_whose_turn_it_is_runs() -> None:
    t, s = east_coast("run", "2+1").par("C&N", 74).shares("C&N", p1=5).trains("C&N", "2+1").tile("F2", "787").build()
    refuses(t, s, c_and_n(("2+1", ("F2.0", "F2.1"))), "1860-OR-01")


@pytest.mark.rule("1860-RTE-01")
def test_without_any_route_nothing_runs() -> None:
    t, s = railway("IOW", "token", "2+1").build()
    step = t.rounds["OR"].by_name["run"]
    assert not step.asks(t, s)


# Shape


@pytest.mark.rule("1860-RTE-02")
def test_a_route_does_not_end_in_a_halt() -> None:
    laid = railway("IOW", "run", "3+2").tile("J4", "57", 2).tile("K5", "742", 0)
    t, s = laid.tile("K7", "7", 3).tile("L6", "115", 1).build()
    to_halt = ("I3.0", 5, "J4.0", 5, "K5.0")
    assert "halt in K5" in refuses(t, s, run(("3+2", to_halt)), "1860-RTE-02")
    refuses(t, s, run(("3+2", ("K5.0", 2, "J4.0", 2, "I3.0"))), "1860-RTE-02")
    beyond = (*to_halt, 0, 4, "L6.0")
    after = allows(t, s, run(("3+2", beyond)))
    assert (after.income, own(after).subsidy) == (30 + 20 + 20, 10)


@pytest.mark.rule("1860-RTE-02")
def test_a_small_station_may_end_a_route() -> None:
    t, s = cowes("2+1").build()
    after = allows(t, s, c_and_n(("2+1", ("F2.0", "F2.1"))))
    assert after.income == 30


@pytest.mark.rule("1860-RTE-02", "1860-REV-03")
@pytest.mark.parametrize(("phase", "worth"), [("2", 0), ("3", 20), ("5", 40), ("9", 40)])
def test_the_pier_is_a_large_station_at_the_end_of_a_route(phase: str, worth: int) -> None:
    t, s = railway("IOW", "run", "2+1", phase=phase).tile("I3", "758", 0).tile("J4", "6", 0).build()
    after = allows(t, s, run(("2+1", ("J2.0", 1, "I3.0"))))
    assert after.income == 50 + worth
    refuses(t, s, run(("2+1", ("J2.0", 1, "I3.0", 5, "J4.0"))), "1860-RTE-09")


@pytest.mark.rule("1860-RTE-03")
def test_every_route_has_a_base_of_the_company() -> None:
    t, s = east_coast("run", "2+1", "2+1").tile("J8", "57", 0).build()
    text = refuses(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", ("J8.0", 3, "J6.0"))), "1860-RTE-03")
    assert "no station with a base" in text
    t, s = east_coast("run", "2+1", "2+1").token("IOW", "J6").build()
    allows(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", RYDE_BRADING)))


@pytest.mark.rule("1860-RTE-04")
def test_one_route_of_the_turn_includes_the_home() -> None:
    t, s = east_coast("run", "2+1", "2+1").token("IOW", "J6").tile("J8", "57", 0).build()
    away = (RYDE_BRADING, ("J6.0", 0, "J8.0"))
    assert "home" in refuses(t, s, run(*(("2+1", path) for path in away)), "1860-RTE-04")
    allows(t, s, run(("2+1", RYDE_BRADING), ("2+1", ESPLANADE_RYDE)))


@pytest.mark.rule("1860-RTE-05")
def test_a_to_b_and_b_to_c_do_not_carry_d_to_e() -> None:
    a, b, c, d, e = ((name, 0) for name in "ABCDE")
    assert joined([{a, b}, {b, c}])
    assert not joined([{a, b}, {b, c}, {d, e}])
    assert joined([{a, b}, {d, e}, {b, d}]), "the order told does not matter"
    assert joined([])


@pytest.mark.rule("1860-RTE-05")
def test_routes_that_do_not_meet_are_refused() -> None:
    t, s = east_coast("run", "2+1", "2+1").token("IOW", "J6").tile("J8", "57", 0).build()
    text = refuses(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", ("J6.0", 0, "J8.0"))), "1860-RTE-05")
    assert "must meet" in text


@pytest.mark.rule("1860-RTE-06", "1860-RTE-14")
def test_a_route_neither_turns_back_nor_returns() -> None:
    t, s = east_coast("run", "4+2").token("IOW", "J6").build()
    refuses(t, s, run(("4+2", (*ESPLANADE_RYDE, 2, "I3.0"))), "1860-RTE-14")
    refuses(t, s, run(("4+2", (*ESPLANADE_RYDE, 3, "J6.0"))), "1860-RTE-14")
    refuses(t, s, run(("4+2", ("I3.0", 2, "J4.0"))), "1860-RTE-14")


@pytest.mark.rule("1860-RTE-10")
def test_all_stations_of_one_hex_count() -> None:
    t, s = cowes("3+2").build()
    after = allows(t, s, c_and_n(("3+2", COWES_NEWPORT)))
    assert after.income == 20 + 10 + 30


@pytest.mark.rule("1860-RTE-10", "1860-RTE-09")
@pytest.mark.parametrize(("halts", "earned"), [(None, (60, 20)), (1, (60, 10)), (0, (60, 0))])
def test_a_drawn_route_tells_what_it_would_earn(halts: int | None, earned: tuple[int, int]) -> None:
    t, s = cowes("3+2").build()
    (shown,) = route_views(t, s, "C&N", (Route("3+2", COWES_NEWPORT, halts),))
    assert (shown.value, shown.subsidy) == earned


@pytest.mark.rule("1860-VAR-11", "1860-REV-01")
@pytest.mark.parametrize(("halts", "counted"), [(None, [20, 10, 0, 0, 30]), (1, [20, 0, 0, 0, 30])])
def test_a_small_station_without_a_call_is_told_without_a_figure(halts: int | None, counted: list[int]) -> None:
    t, s = cowes("2+1", options=("skip_small_stations",), cement=("748", 3)).build()
    (shown,) = route_views(t, s, "C&N", (Route("2+1", COWES_NEWPORT, halts),))
    assert [counts for _, counts in shown.stops] == counted
    assert shown.value == sum(counted)


@pytest.mark.rule("1860-EMR-06", "1860-VAR-01")
@pytest.mark.parametrize(("options", "counted"), [((), [20, 20]), (("original_insolvency",), [0, 0])])
def test_stations_of_a_leased_run_are_told_by_what_its_calls_earn(options: tuple[str, ...], counted: list[int]) -> None:
    t, s = east_coast("run", cash=0, options=options).build()
    keep(s, insolvent=("IOW",))
    (shown,) = route_views(t, s, "IOW", (Route("2+1", ESPLANADE_RYDE),))
    assert [counts for _, counts in shown.stops] == counted


@pytest.mark.rule("1860-RTE-09")
def test_stations_of_a_route_that_is_too_long_count_nothing() -> None:
    t, s = cowes("2+1", cement=("748", 3)).build()
    (shown,) = route_views(t, s, "C&N", (Route("2+1", COWES_NEWPORT),))
    assert (shown.value, {counts for _, counts in shown.stops}) == (0, {0})


@pytest.mark.rule("1860-RTE-11", "1860-REV-01")
def test_two_trains_share_stations_but_no_track() -> None:
    t, s = east_coast("run", "2+1", "2+1").token("IOW", "J6").build()
    refuses(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", tuple(reversed_path(ESPLANADE_RYDE)))), "1860-RTE-11")
    after = allows(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", RYDE_BRADING)))
    assert after.income == (30 + 20) + (20 + 10), "Ryde counts for each"


def reversed_path(path: tuple) -> tuple:
    """The path told from its other end: sides as they are left that way."""
    return tuple((item + 3) % 6 if isinstance(item, int) else item for item in reversed(path))


# Tokened-out stations


def others_at(*stops: str, trains: tuple[str, ...] = ("3+2",)) -> Table:
    """IOW at Esplanade and Brading; S&C fills these stations of the coast to Sandown and Shanklin."""
    laid = east_coast("run", *trains).tile("J8", "6", 1).tile("I9", "57", 1).no_homes()
    laid.token("IOW", "I3").token("IOW", "J6").par("S&C", 54).shares("S&C", p2=5)
    for stop in stops:
        laid.token("S&C", stop)
    return laid


BRADING_SANDOWN = ("J6.0", 0, "J8.0")
BRADING_SHANKLIN = ("J6.0", 0, "J8.0", 1, "I9.0")


@pytest.mark.rule("1860-RTE-12")
def test_one_train_passes_one_tokened_out_station() -> None:
    t, s = others_at("J4").build()
    allows(t, s, run(("3+2", ESPLANADE_BRADING)))


@pytest.mark.rule("1860-RTE-12")
def test_one_train_does_not_pass_two_nor_two_trains_one_each() -> None:
    t, s = others_at("J4", "J8", trains=("5+3",)).build()
    whole = (*ESPLANADE_BRADING, *BRADING_SHANKLIN[1:])
    assert "2 stations" in refuses(t, s, run(("5+3", whole)), "1860-RTE-12")
    t, s = others_at("J4", "J8", trains=("3+2", "3+2")).build()
    refuses(t, s, run(("3+2", ESPLANADE_BRADING), ("3+2", BRADING_SHANKLIN)), "1860-RTE-12")


@pytest.mark.rule("1860-RTE-12")
def test_any_number_of_trains_ends_in_tokened_out_stations() -> None:
    t, s = others_at("J4", "J8", trains=("3+2", "3+2")).build()
    allows(t, s, run(("3+2", ESPLANADE_BRADING), ("3+2", BRADING_SANDOWN)))


@pytest.mark.rule("1860-RTE-13")
def test_what_tokened_out_means() -> None:
    _, s = others_at("J4").build()
    assert tokened_out(s, "IOW", "J4", 0)
    assert not tokened_out(s, "S&C", "J4", 0), "an own base"
    assert not tokened_out(s, "IOW", "J8", 0), "no base at all"
    keep(s, bankrupt=("S&C",))
    assert not tokened_out(s, "IOW", "J4", 0), "face-down bases"
    assert passes_tokened_out(s, "IOW", [("I3", 0), ("J4", 0), ("J6", 0)]) == 0
    _, s = table("1860", 3).tile("J4", "776", 0).token("S&C", "J4").build()
    assert not tokened_out(s, "IOW", "J4", 0), "a free circle"


@pytest.mark.rule("1860-RTE-13")
def test_ends_of_a_route_are_not_passed() -> None:
    _, s = others_at("J4").build()
    assert passes_tokened_out(s, "IOW", [("J4", 0), ("J6", 0)]) == 0
    assert passes_tokened_out(s, "IOW", [("I3", 0), ("J4", 0)]) == 0


# Length


@pytest.mark.rule("1860-RTE-09")
@pytest.mark.parametrize(
    ("large", "small", "halts", "revenue", "subsidy"),
    [(2, 1, 0, 50, 0), (2, 0, 1, 40, 10), (1, 2, 0, 40, 0), (1, 1, 1, 30, 10)],
)
def test_the_rule_books_calls_of_a_two_plus_one(large: int, small: int, halts: int, revenue: int, subsidy: int) -> None:
    two_one = Terms(2, 1, False, True, False)
    assert earn(two_one, [20] * large, [10] * small, halts, None) == Earned(revenue, subsidy)


@pytest.mark.rule("1860-RTE-09")
@pytest.mark.parametrize(("large", "small"), [(3, 0), (2, 2), (1, 3), (0, 4)])
def test_what_is_too_long_for_a_two_plus_one(large: int, small: int) -> None:
    assert isinstance(earn(Terms(2, 1, False, True, False), [20] * large, [10] * small, 0, None), str)


@pytest.mark.rule("1860-RTE-09")
@pytest.mark.parametrize(
    ("train", "path", "fits"),
    [
        ("2+1", ESPLANADE_RYDE, True),
        ("2+1", ESPLANADE_BRADING, False),
        ("3+2", ESPLANADE_BRADING, True),
        ("3+2", (*ESPLANADE_BRADING, 0, "J8.0"), False),
        ("4+2", (*ESPLANADE_BRADING, 0, "J8.0"), True),
    ],
)
@pytest.mark.long
def test_the_first_number_limits_large_stations(train: str, path: tuple, fits: bool) -> None:
    t, s = east_coast("run", train).tile("J8", "57", 0).build()
    if fits:
        allows(t, s, run((train, path)))
    else:
        assert "too short" in refuses(t, s, run((train, path)), "1860-RTE-09")


@pytest.mark.rule("1860-RTE-07", "1860-RTE-09", "1860-VAR-11")
@pytest.mark.long
def test_small_stations_on_the_way_must_be_called_at() -> None:
    station = ("748", 3)
    path = ("F2.0", "F2.1", "F2.2", 0, "F4.0", 5, "G5.0")
    t, s = cowes("2+1", cement=station).build()
    assert "small stations" in refuses(t, s, c_and_n(("2+1", path)), "1860-RTE-09")
    t, s = cowes("3+2", cement=station).build()
    assert allows(t, s, c_and_n(("3+2", path))).income == 20 + 10 + 10 + 30
    for options, income in ((("skip_small_stations",), 60), (("online",), 60)):
        t, s = cowes("2+1", cement=station, options=options).build()
        assert allows(t, s, c_and_n(("2+1", path))).income == income
    t, s = cowes("2+1", cement=station, options=("first_edition", "online")).build()
    refuses(t, s, c_and_n(("2+1", path)), "1860-RTE-09")


@pytest.mark.rule("1860-RTE-08", "1860-REV-02", "1860-RTE-15")
@pytest.mark.parametrize(("wanted", "subsidy"), [(None, 20), (0, 0), (1, 10), (2, 20), (9, 20)])
def test_halts_are_called_at_or_passed_as_the_director_says(wanted: int | None, subsidy: int) -> None:
    t, s = cowes("3+2").build()
    after = allows(t, s, c_and_n(("3+2", COWES_NEWPORT, wanted)))
    assert (after.income, own(after).subsidy) == (60, subsidy)


@pytest.mark.rule("1860-RTE-08", "1860-RTE-09")
def test_small_stations_leave_no_call_for_halts() -> None:
    t, s = cowes("2+1").build()
    after = allows(t, s, c_and_n(("2+1", COWES_NEWPORT, 2)))
    assert (after.income, own(after).subsidy) == (60, 0)


@pytest.mark.rule("1860-RTE-08", "1860-VAR-11")
def test_where_small_stations_may_be_passed_halts_may_take_their_calls() -> None:
    t, s = cowes("2+1", options=("skip_small_stations",)).build()
    after = allows(t, s, c_and_n(("2+1", COWES_NEWPORT, 1)))
    assert (after.income, own(after).subsidy) == (50, 10)


@pytest.mark.rule("1860-VAR-11")
def test_of_the_small_stations_the_best_are_called_at() -> None:
    skipping = Terms(2, 1, True, True, False)
    assert earn(skipping, [20, 30], [10, 20, 10], 0, None) == Earned(70, 0)
    assert earn(skipping, [20], [10, 20, 10], 0, None) == Earned(50, 0)


@pytest.mark.rule("1860-REV-01", "1860-REV-02")
def test_the_rule_books_run_of_eighty_pounds_and_ten_credits() -> None:
    assert earn(Terms(3, 2, False, True, False), [20, 30, 20], [10], 1, None) == Earned(80, 10)


@pytest.mark.rule("1860-REV-02")
def test_halts_pay_the_treasury_and_no_shareholder() -> None:
    t, s = cowes("3+2").build()
    s = allows(t, s, c_and_n(("3+2", COWES_NEWPORT)))
    cash = s.cash["p1"]
    paid = allows(t, s, Dividend("p1", "C&N", "pay"))
    assert (paid.cash["C&N"], paid.cash["p1"] - cash) == (20, 30)
    assert allows(t, s, Dividend("p1", "C&N", "withhold")).cash["C&N"] == 80


@pytest.mark.rule("1860-REV-04", "1860-PHS-10")
def test_after_the_southern_stock_round_halts_are_only_passed() -> None:
    for southern, subsidy in (("formed", 20), ("over", 0)):
        t, s = cowes("3+2", phase="9").own(layer=1, southern=southern).build()
        after = allows(t, s, c_and_n(("3+2", COWES_NEWPORT, 2)))
        assert (after.income, own(after).subsidy) == (60, subsidy)
        assert terms(t, s, "C&N", "3+2").halts is (southern == "formed")


# Receivership and proposals


@pytest.mark.rule("1860-RTE-16", "1860-EMR-10", "1860-DIV-05")
def test_in_receivership_the_best_run_with_the_most_halts() -> None:
    laid = table("1860", 3).operating("IOW", "trains", then=("C&N",)).par("IOW", 100).par("C&N", 74)
    laid = laid.trains("C&N", "3+2").trains("IOW", "2+1").tile("F2", "787")
    t, s = laid.tile("F4", "742", 3).cash(**{"C&N": 0, "IOW": 0}).build()
    without_director(s, "C&N")
    keep(s, paid={})
    after = allows(t, s, Pass("p1"))
    ran = [fact for fact in facts(after, TrainsRan) if fact.corp == "C&N"]
    assert [fact.revenue for fact in ran] == [60]
    assert after.cash["C&N"] == 60 + 20


@pytest.mark.rule("1860-RTE-16", "1860-VAR-11")
def test_in_receivership_revenue_comes_before_halts() -> None:
    t, s = cowes("2+1", options=("skip_small_stations",)).build()
    assert [best.total for best in bests(t, s, "C&N")] == [60, 50]
    without_director(s, "C&N")
    t.rounds["OR"].by_name["run"].skipped(t, s)  # type: ignore[misc]
    assert (s.income, own(s).subsidy) == (60, 0)


@pytest.mark.rule("1860-RTE-15", "1860-RTE-09", "1860-VAR-11")
def test_whoever_prefers_the_subsidy_is_offered_that_too() -> None:
    tiles = {"F2": ("787", 0), "F4": ("742", 3)}
    for order in (("F2", "F4"), ("F4", "F2")):
        laid = railway("C&N", "run", "2+1", options=("skip_small_stations",), cash=0)
        for hex_id in order:
            laid.tile(hex_id, *tiles[hex_id])
        t, s = laid.build()
        offered = [(best.total, [route.halts for route in action.routes]) for action, best in proposals(t, s, "p1")]
        assert offered == [(60, [None]), (50, [1])]


@pytest.mark.rule("1860-RTE-15", "1860-EMR-06", "1860-VAR-01")
@pytest.mark.parametrize(("options", "earned"), [((), 80), (("original_insolvency",), 30)])
def test_a_leased_run_is_offered_for_what_it_earns(options: tuple[str, ...], earned: int) -> None:
    t, s = east_coast("run", cash=0, options=options).build()
    keep(s, insolvent=("IOW",))
    (offered,) = proposals(t, s, "p1")
    action, best = offered
    assert best.total == allows(t, s, action).last_run["IOW"] == earned


@pytest.mark.rule("1860-RTE-16", "1860-VAR-01", "1860-VAR-11")
def test_of_equal_totals_the_one_with_more_halts_comes_first() -> None:
    t, s = cowes(options=("original_insolvency", "skip_small_stations")).build()
    keep(s, insolvent=("C&N",))
    (best, *others) = bests(t, s, "C&N")
    assert best.total == 30, "half of 60, and of 50 rounded up"
    s = allows(t, s, RunTrains("p1", "C&N", best.routes))
    assert (facts(s, TrainsRan)[0].revenue, s.cash["C&N"]) == (30, 40)
    assert all(other.total < 30 for other in others)


@pytest.mark.rule("1860-RTE-15")
def test_the_director_may_choose_less_and_proposals_offer_what_is_best() -> None:
    t, s = east_coast("run", "3+2").build()
    assert allows(t, s, run(("3+2", ESPLANADE_RYDE))).income == 50
    choices = offered(t, s, RunTrains)
    assert choices[0].routes == (Route("3+2", ESPLANADE_BRADING),)
