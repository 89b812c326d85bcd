"""1860: insolvency and leased trains, and companies in receivership."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, refuses, table
from tables_1860 import (
    ESPLANADE_BRADING,
    ESPLANADE_RYDE,
    OPEN,
    east_coast,
    holding,
    price_of,
    railway,
    run,
    without_director,
)

from engine import BANK, IPO, POOL, State, decision
from engine.actions import BuyShare, BuyTrain, Pass
from engine.facts import CompanyChanged, TrainsRan
from engine.titles.t1860.companies import has
from engine.titles.t1860.routing import Earned, Terms, earn, has_route, is_leasing, running_trains, terms
from engine.titles.t1860.run import settle_insolvency
from engine.titles.t1860.trains import check_solvency

IOW = "IOW"


def insolvent(step: str = "run", cash: int = 0, **more: object) -> Table:
    """IOW has no train, no money, and a route from Ryde to Brading."""
    return east_coast(step, cash=cash, **more).own(layer=1, insolvent=("IOW",), paid={})


def is_insolvent(s: State) -> bool:
    return has(s, "insolvent", IOW)


# Becoming insolvent


@pytest.mark.rule("1860-EMR-01")
def test_at_the_end_of_a_turn_without_train_but_with_a_route() -> None:
    for laid, expected in (
        (east_coast("trains", cash=0), True),
        (east_coast("trains", "2+1", cash=0), False),
        (railway("IOW", "trains", cash=0), False),
    ):
        t, s = laid.build()
        check_solvency(t, s, IOW)
        assert is_insolvent(s) is expected


@pytest.mark.rule("1860-EMR-01")
def test_a_trainless_turn_without_a_lease_ends_in_insolvency() -> None:
    t, s = east_coast("track", cash=0, then=("C&N",)).par("C&N", 74).shares("C&N", p2=5).build()
    keep(s, paid={})
    after = allows(t, s, Pass("p1"))
    assert after.operating == "C&N"
    assert is_insolvent(after)
    assert not facts(after, TrainsRan), "it leases from its next turn on"
    assert price_of(t, after) == 68


@pytest.mark.rule("1860-EMR-01")
def test_a_halt_is_no_end_of_a_route() -> None:
    t, s = railway("C&N", "trains").tile("F2", "787").build()
    assert has_route(t, s, "C&N"), "from the large to the small station of Cowes"
    t, s = railway("IWNJ", "trains").tile("H8", "742", 2).build()
    assert not has_route(t, s, "IWNJ")


@pytest.mark.rule("1860-EMR-01", "1860-RTE-06")
@pytest.mark.parametrize("options", [(), ("reenter_hexes",)])
def test_where_the_only_way_comes_back_to_a_hex_there_is_no_route(options: tuple[str, ...]) -> None:
    """From Shorwell (E9) by D8, E7 and Calbourne (D6) through D8 again to Shalcombe (C7) and Freshwater (B6)."""
    laid = railway("VYSC", "track", phase="3", cash=0, options=(*OPEN, *options)).tile("E9", "746", 2)
    laid.tile("D8", "625", 2).tile("E7", "7", 1).tile("D6", "741", 5).tile("C7", "743", 2).tile("B6", "115", 5)
    t, s = laid.build()
    after = allows(t, s, Pass("p1"))
    assert has(after, "insolvent", "VYSC") is bool(options)


@pytest.mark.rule("1860-EMR-08", "1860-EMR-03")
def test_a_train_ends_the_insolvency() -> None:
    t, s = insolvent("trains", cash=250).build()
    refuses(t, s, Pass("p1"), "1860-TRN-10")
    after = allows(t, s, BuyTrain("p1", "IOW", "2+1", BANK, 250))
    assert not is_insolvent(after)
    assert facts(after, CompanyChanged) == [CompanyChanged("IOW", "insolvent", False)]


# Leasing


@pytest.mark.rule("1860-EMR-05")
@pytest.mark.parametrize(
    ("phase", "pool", "leased"),
    [
        ("2", (), "2+1"),
        ("4", (), "4+2"),
        ("4", ("2+1",), "2+1"),
        ("4", ("5+3",), "4+2"),
        ("9", (), "9+5"),
        ("9", ("6+3",), "6+3"),
    ],
)
def test_the_smallest_train_of_pool_or_offering(phase: str, pool: tuple[str, ...], leased: str) -> None:
    t, s = insolvent(phase=phase).market_trains(*pool).build()
    assert running_trains(t, s, IOW) == (leased,)
    assert is_leasing(t, s, IOW)
    allows(t, s, run((leased, ESPLANADE_RYDE)))
    other = "3+2" if leased != "3+2" else "4+2"
    refuses(t, s, run((other, ESPLANADE_RYDE)), "1860-RTE-01")
    refuses(t, s, run((leased, ESPLANADE_RYDE), (leased, ESPLANADE_RYDE)), "1860-RTE-01")


@pytest.mark.rule("1860-EMR-05")
def test_a_company_with_a_train_leases_none_whatever_it_is_called() -> None:
    t, s = insolvent().trains("IOW", "3+2").build()
    assert running_trains(t, s, IOW) == ("3+2",)
    assert not is_leasing(t, s, IOW)


@pytest.mark.rule("1860-EMR-05")
def test_only_the_first_number_counts_for_all_stops() -> None:
    t, s = insolvent(phase="3").build()
    assert terms(t, s, IOW, "3+2") == Terms(3, 0, False, True, True, "stations")
    three = Terms(3, 0, False, True, True, "stations")
    assert earn(three, [20, 20], [10], 0, None) == Earned(100, 0)
    assert isinstance(earn(three, [20, 20], [10, 10], 0, None), str)
    assert earn(three, [20, 20], [], 4, None) == Earned(100, 0)


@pytest.mark.rule("1860-EMR-05", "1860-RTE-03", "1860-RTE-09")
def test_the_leased_run_follows_the_normal_rules() -> None:
    t, s = insolvent(phase="2").token("IOW", "J6").tile("J8", "57", 0).build()
    assert "too short" in refuses(t, s, run(("2+1", ESPLANADE_BRADING)), "1860-RTE-09")
    refuses(t, s, run(("2+1", ("J6.0", 0, "J8.0"))), "1860-RTE-04")
    refuses(t, s, run(), "1860-RTE-01")


@pytest.mark.rule("1860-EMR-06")
@pytest.mark.parametrize(
    ("rank", "phase", "stops", "revenue"), [("2+1", "2", 2, 80), ("3+2", "3", 3, 100), ("5+3", "5", 3, 100)]
)
def test_forty_and_twenty_for_each_station(rank: str, phase: str, stops: int, revenue: int) -> None:
    t, s = insolvent(phase=phase).build()
    path = ESPLANADE_RYDE if stops == 2 else ESPLANADE_BRADING
    after = allows(t, s, run((rank, path)))
    assert [(fact.revenue, fact.leased) for fact in facts(after, TrainsRan)] == [(revenue, True)]
    assert after.cash["IOW"] == revenue


@pytest.mark.rule("1860-EMR-06")
def test_halts_count_as_stations_and_pay_no_subsidy() -> None:
    path = ("F2.0", "F2.1", "F2.2", 0, "F4.0", 5, "G5.0")
    for phase, rank, calls in (("3", "3+2", 3), ("4", "4+2", 4), ("5", "5+3", 5)):
        laid = railway("C&N", "run", phase=phase, cash=0).tile("F2", "787").tile("F4", "742", 3)
        t, s = laid.own(layer=1, insolvent=("C&N",), paid={}).build()
        after = allows(t, s, run((rank, path, 0), corp="C&N"))
        assert after.cash["C&N"] == 40 + 20 * calls


@pytest.mark.rule("1860-EMR-06")
@pytest.mark.parametrize(("first", "most"), [(5, 140), (9, 220)])
def test_the_rule_books_maximum_of_a_lease(first: int, most: int) -> None:
    leased = Terms(first, 0, False, True, True, "stations")
    assert earn(leased, [60] * (first - 1), [20], 7, None) == Earned(most, 0)


@pytest.mark.rule("1860-EMR-07", "1860-DIV-05")
def test_a_leasing_company_retains_and_falls() -> None:
    t, s = insolvent().build()
    after = allows(t, s, run(("2+1", ESPLANADE_RYDE)))
    assert (price_of(t, after), after.cash["p1"]) == (68, s.cash["p1"])
    assert is_insolvent(after)


@pytest.mark.rule("1860-EMR-04")
@pytest.mark.parametrize(("cash", "leases"), [(249, True), (250, False), (800, False)])
def test_who_can_pay_the_cheapest_train_when_it_would_run_leases_none(cash: int, leases: bool) -> None:
    t, s = insolvent("token", cash=cash).build()
    s.tokened = True
    after = allows(t, s, Pass("p1"))
    assert (decision(t, after).step == "run") is leases
    if not leases:
        assert decision(t, after).step == "trains"
        refuses(t, after, Pass("p1"), "1860-TRN-10")


@pytest.mark.rule("1860-EMR-04")
def test_it_is_the_cheapest_of_bank_and_pool_that_must_be_paid() -> None:
    t, s = insolvent("solvency", phase="5", cash=300).build()
    settle_insolvency(t, s, IOW)
    assert is_insolvent(s)
    s.train_pool = ("3+2",)
    settle_insolvency(t, s, IOW)
    assert not is_insolvent(s)


@pytest.mark.rule("1860-VAR-01", "1860-VAR-15")
@pytest.mark.parametrize(
    ("options", "income"),
    [
        ((), 80),
        (("original_insolvency",), 30),
        (("original_insolvency", "online"), 25),
        (("simplified_insolvency",), 80),
    ],
)
def test_what_a_lease_earns_by_option(options: tuple[str, ...], income: int) -> None:
    t, s = insolvent("token", options=options).build()
    s.tokened = True
    after = allows(t, s, Pass("p1"))
    if decision(t, after).step == "run":
        after = allows(t, after, run(("2+1", ESPLANADE_RYDE)))
    assert after.cash["IOW"] == income


@pytest.mark.rule("1860-VAR-01")
def test_the_original_lease_uses_both_numbers_and_gives_the_full_subsidy() -> None:
    half = Terms(5, 3, False, True, False, "half")
    assert earn(half, [70, 60, 60, 60], [], 4, None) == Earned(130, 40)
    assert earn(half, [20, 20], [], 0, None) == Earned(20, 0)
    t, s = insolvent(options=("original_insolvency",), phase="3").build()
    assert terms(t, s, IOW, "3+2") == Terms(3, 2, False, True, False, "half")


# Receivership


@pytest.mark.rule("1860-EMR-11")
@pytest.mark.parametrize(("cash", "routed", "marked"), [(0, True, True), (250, True, False), (0, False, False)])
def test_a_trainless_company_without_director_is_insolvent_at_once(cash: int, routed: bool, marked: bool) -> None:
    laid = east_coast("solvency", cash=cash) if routed else railway("IOW", "solvency", cash=cash)
    t, s = laid.build()
    settle_insolvency(t, s, IOW)
    assert not is_insolvent(s), "with a director not before the end of its turn"
    without_director(s)
    settle_insolvency(t, s, IOW)
    assert is_insolvent(s) is marked


def ownerless(cash: int, *trains: str) -> tuple:
    """C&N of p2 ends its turn; IOW without a director follows."""
    laid = table("1860", 3).operating("C&N", "trains", then=("IOW",)).par("C&N", 90).shares("C&N", p2=5)
    laid.trains("C&N", "2+1").par("IOW", 74).trains("IOW", *trains).tile("J4", "6", 0).tile("J6", "746", 0)
    t, s = laid.cash(IOW=cash, **{"C&N": 300}).own(layer=1, paid={}).build()
    without_director(s)
    return t, s


@pytest.mark.rule("1860-EMR-10", "1860-RTE-16")
def test_a_company_in_receivership_builds_nothing_runs_and_retains() -> None:
    t, s = ownerless(60, "2+1")
    after = allows(t, s, Pass("p2"))
    assert [(fact.corp, fact.revenue) for fact in facts(after, TrainsRan)] == [("IOW", 50)]
    assert (after.cash["IOW"], price_of(t, after)) == (110, 68)
    assert after.board.placed == s.board.placed
    assert after.tokens["IOW"] == s.tokens["IOW"]


@pytest.mark.rule("1860-EMR-11", "1860-EMR-13")
def test_leasing_in_receivership_earns_by_stations() -> None:
    t, s = ownerless(60)
    after = allows(t, s, Pass("p2"))
    assert after.cash["IOW"] == 60 + 80
    assert is_insolvent(after)


@pytest.mark.rule("1860-EMR-12")
@pytest.mark.parametrize(
    ("cash", "trains", "bought"), [(250, (), True), (170, (), True), (169, (), False), (900, ("2+1",), False)]
)
def test_it_buys_its_first_train_as_soon_as_the_treasury_covers_it(
    cash: int, trains: tuple[str, ...], bought: bool
) -> None:
    t, s = ownerless(cash, *trains)
    after = allows(t, s, Pass("p2"))
    assert (len(after.trains["IOW"]) > len(trains)) is bought
    assert is_insolvent(after) is (not trains and not bought)


@pytest.mark.rule("1860-EMR-12")
def test_in_receivership_the_cheapest_of_the_pool_is_bought() -> None:
    t, s = ownerless(400)
    s.phase, s.train_pool = 2, ("3+2",)
    s.depot.update({"2+1": 0, "3+2": 0})
    after = allows(t, s, Pass("p2"))
    assert (after.trains["IOW"], after.train_pool, after.cash["IOW"]) == (("3+2",), (), 100)


@pytest.mark.rule("1860-EMR-12", "1860-VAR-15")
def test_where_the_table_acts_for_it_a_second_train_is_refused() -> None:
    t, s = east_coast("trains", "2+1", options=("online",)).build()
    without_director(s)
    refuses(t, s, BuyTrain("p1", "IOW", "2+1", BANK, 250), "1860-EMR-12")


@pytest.mark.rule("1860-EMR-14", "1860-EMR-10")
def test_a_second_share_from_anywhere_brings_the_directorship() -> None:
    t, s = holding(p1=1, p2=1, pool=4).build()
    s.president["IOW"] = POOL
    for source, pool in ((POOL, 3), (IPO, 4)):
        after = allows(t, s, BuyShare("p1", "IOW", source))
        assert (after.president["IOW"], after.held("IOW", POOL)) == ("p1", pool)
    s.up = "p3"
    after = allows(t, s, BuyShare("p3", "IOW", POOL))
    assert after.president["IOW"] == POOL, "one share is not enough"


@pytest.mark.rule("1860-EMR-14")
@pytest.mark.parametrize(("pool", "sold"), [(2, False), (3, True)])
def test_the_two_shares_of_the_directors_certificate_are_not_for_sale(pool: int, sold: bool) -> None:
    t, s = holding(p1=1, pool=pool).build()
    s.president["IOW"] = POOL
    if sold:
        allows(t, s, BuyShare("p1", "IOW", POOL))
    else:
        refuses(t, s, BuyShare("p1", "IOW", POOL), "1860-EMR-14")
    s.president["IOW"] = "p1"
    allows(t, s, BuyShare("p1", "IOW", POOL))
