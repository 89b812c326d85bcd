"""1890: routes, revenue and dividends."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, refuses, stop
from tables_1890 import minor, railway

from engine import POOL, State, Title, legal
from engine.actions import Dividend, Pass, Route, RunTrains
from engine.facts import DividendDecided, TrainsRan
from engine.ids import BANK
from engine.router import Best
from engine.steps.run import bests_of
from engine.titles.t1890.run import passed
from engine.viewing import route_views


def route(train: str, *path: str | int) -> Route:
    return Route(train, tuple(path))


def runs(corp: str, *routes: Route) -> RunTrains:
    return RunTrains("p1", corp, routes)


TOYONAKA, ITAMI, HOME, AMAGASAKI = stop("E12"), stop("E10"), stop("F9"), stop("F11")
"""HOME is Hanshin's, Nishinomiya."""


def line(*trains: str, phase: str = "2", corp: str = "Hankyu", options: tuple[str, ...] = ()) -> Table:
    """Toyonaka - Itami - Nishinomiya - Amagasaki - Toyonaka, a ring."""
    found = railway(corp, "run", *options, phase=phase).tile("E12", "15", 0).tile("E10", "6", 4)
    return found.tile("F9", "12", 3).tile("F11", "822", 1).trains(corp, *trains)


# Routes


@pytest.mark.rule("1890-RTE-01", "1890-RTE-07")
def test_a_route_has_an_own_token_and_another_city_and_each_city_once() -> None:
    t, s = line("3").build()
    allows(t, s, runs("Hankyu", route("3", TOYONAKA, 1, ITAMI)))
    refuses(t, s, runs("Hankyu", route("3", ITAMI, 0, HOME)), "1890-RTE-01")
    refuses(t, s, runs("Hankyu", route("3", TOYONAKA, 1, ITAMI, 4, TOYONAKA)), "1890-RTE-05")


@pytest.mark.rule("1890-RTE-02", "1890-RTE-04")
def test_all_cities_on_the_way_count_up_to_the_number_of_the_train() -> None:
    t, s = line("2", "3").build()
    way = (TOYONAKA, 1, ITAMI, 0, HOME)
    refuses(t, s, runs("Hankyu", route("2", *way)), "1890-RTE-02")
    allows(t, s, runs("Hankyu", route("3", *way)))
    t, s = line("D", phase="6").build()
    allows(t, s, runs("Hankyu", route("D", *way)))
    assert t.trains["D"].reach is None


def mixed(train: str) -> tuple[Title, State]:
    """Minor 5 at Tanigami with small cities on both sides: Miki - Tanigami - Arima - (D9) Takarazuka."""
    found = minor("M5", "run", phase="2", cash=0).tile("D7", "4", 1).tile("D9", "57", 1).tile("D3", "4", 1)
    return found.trains("M5", train).build()


@pytest.mark.rule("1890-RTE-03")
def test_m_plus_n_trains_visit_m_large_and_n_small_cities() -> None:
    t, s = mixed("2+2")
    miki, tanigami, arima, takarazuka = stop("D3"), stop("D5"), stop("D7"), stop("D9")
    whole = route("2+2", miki, 4, tanigami, 4, arima, 4, takarazuka)
    allows(t, s, runs("M5", whole))
    t, s = mixed("2")
    refuses(t, s, runs("M5", route("2", *whole.path)), "1890-RTE-02")
    t, s = line("2+2").build()
    text = refuses(t, s, runs("Hankyu", route("2+2", TOYONAKA, 1, ITAMI, 0, HOME)), "1890-RTE-02")
    assert "large" in text
    found = minor("M5", "run", phase="2", cash=0).tile("D7", "4", 1).tile("D3", "4", 1).tile("C4", "9", 0)
    t, s = found.trains("M5", "2+2").build()
    best = next(action for action in legal(t, s, "p1") if isinstance(action, RunTrains))
    assert len([part for part in best.routes[0].path if isinstance(part, str)]) == 3
    assert (t.trains["3+3"].reach, t.trains["3+3"].small) == (3, 3)


def one_large_and_three_small(*options: str) -> tuple[Title, State]:
    """Kinki may run from Sakurai by Tenri and Koriyama to Daito."""
    found = railway("Kinki", "run", "plain_kinki", *options, phase="2").no_homes().token("Kinki", "K18")
    found.tile("K18", "57", 0).tile("J19", "58", 0).tile("I18", "4", 2).tile("H17", "9", 2).tile("G16", "69", 1)
    return found.trains("Kinki", "2+2").build()


TO_DAITO = (stop("K18"), 3, stop("J19"), 2, stop("I18"), 2, 2, stop("G16", 1))


@pytest.mark.rule("1890-VAR-21")
def test_shared_calls_serve_a_small_city_with_a_large_call_left_over_but_not_the_other_way() -> None:
    t, s = one_large_and_three_small("shared_calls")
    assert allows(t, s, runs("Kinki", route("2+2", *TO_DAITO))).income == 20 + 10 + 10 + 10
    best = next(action for action in legal(t, s, "p1") if isinstance(action, RunTrains))
    assert allows(t, s, best).income == 20 + 10 + 10 + 10
    t, s = line("2+2", options=("shared_calls",)).build()
    refuses(t, s, runs("Hankyu", route("2+2", TOYONAKA, 1, ITAMI, 0, HOME)), "1890-RTE-02")


@pytest.mark.rule("1890-RTE-03")
def test_a_large_call_left_over_serves_no_small_city() -> None:
    t, s = one_large_and_three_small()
    way = TO_DAITO
    assert "2 small" in refuses(t, s, runs("Kinki", route("2+2", *way)), "1890-RTE-02")
    assert allows(t, s, runs("Kinki", route("2+2", *way[:5]))).income == 20 + 10 + 10
    best = next(action for action in legal(t, s, "p1") if isinstance(action, RunTrains))
    assert allows(t, s, best).income == 20 + 10 + 10
    s.trains["Kinki"] = ("3",)
    refuses(t, s, runs("Kinki", route("3", *way)), "1890-RTE-02")
    s.trains["Kinki"] = ("4",)
    allows(t, s, runs("Kinki", route("4", *way)))


@pytest.mark.rule("1890-RTE-05", "1890-RTE-08")
def test_track_is_used_once_in_a_turn_but_cities_may_be_shared() -> None:
    t, s = line("2", "2").build()
    same = route("2", TOYONAKA, 1, ITAMI)
    refuses(t, s, runs("Hankyu", same, same), "1890-RTE-08")
    refuses(t, s, runs("Hankyu", same, route("2", TOYONAKA, 1, ITAMI), same), "1890-RTE-08")
    apart = runs("Hankyu", same, route("2", TOYONAKA, 0, AMAGASAKI))
    s.trains["Hankyu"] = ("2",)
    refuses(t, s, apart, "1890-RTE-08")
    s.trains["Hankyu"] = ("2", "2")
    s = allows(t, s, apart)
    assert s.income == 30 + 20 + 30 + 40
    # the tracks of tile 20 cross without a switch
    t, s = railway("Hankyu", "run", phase="4").tile("E12", "57", 0).tile("D13", "20", 0).trains("Hankyu", "4").build()
    refuses(t, s, runs("Hankyu", route("4", TOYONAKA, 3, 2, stop("C12"))), "1890-RTE-05")


@pytest.mark.rule("1890-RTE-06", "1890-REV-02")
@pytest.mark.parametrize(("phase", "value"), [("1", 40), ("2", 40), ("3", 40), ("4", 50), ("5", 50), ("6", 70)])
def test_red_areas_are_ends_and_count_by_phase(phase: str, value: int) -> None:
    found = railway("Sanyo", "run", phase=phase).tile("F3", "57", 1).tile("E2", "8", 1).trains("Sanyo", "3")
    t, s = found.build()
    s.board = s.board.with_tile("E2", "7", 5)
    himeji = stop("F1")
    assert [s.board.face("F1").exits] == [frozenset({3, 4})]
    after = allows(t, s, runs("Sanyo", route("3", stop("F3"), 1, himeji)))
    assert after.income == 20 + value
    refuses(t, s, runs("Sanyo", route("3", stop("F3"), 1, himeji, 3, 5, stop("F3"))), "1890-RTE-05")


@pytest.mark.rule("1890-RTE-09")
def test_a_full_city_ends_a_route() -> None:
    t, s = line("3").token("Sanyo", "E10").build()
    refuses(t, s, runs("Hankyu", route("3", TOYONAKA, 1, ITAMI, 0, HOME)), "1890-RTE-01")
    allows(t, s, runs("Hankyu", route("3", TOYONAKA, 1, ITAMI)))
    t, s = line("3").token("Hankyu", "E10").build()
    allows(t, s, runs("Hankyu", route("3", TOYONAKA, 1, ITAMI, 0, HOME)))


@pytest.mark.rule("1890-RTE-10", "1890-RTE-11", "1890-REV-01")
def test_any_routes_may_be_run_but_not_none() -> None:
    t, s = line("3", "2").build()
    refuses(t, s, runs("Hankyu"), "1890-RTE-11")
    refuses(t, s, Pass("p1"), "1890-OR-03")
    s = allows(t, s, runs("Hankyu", route("2", TOYONAKA, 1, ITAMI)))
    assert [fact.revenue for fact in facts(s, TrainsRan)] == [50]


@pytest.mark.rule("1890-COR-14", "1890-RTE-09")
def test_the_subway_runs_through_full_brown_osaka_from_phase_4() -> None:
    nishi, kita, suita = stop("H11"), stop("G12"), stop("F13")

    def osaka(phase: str, *tiles: str, corp: str = "Subway") -> tuple[Title, State]:
        found = railway(corp, "run", phase=phase).tile("H11", "12", 3).tile("F13", "57", 0)
        for tile in tiles:
            found.tile("G12", tile, 1)
        found.token("Sanyo", "G12").token("Hankyu", "G12").token("JR", "G12").trains(corp, "3")
        return found.build()

    through = runs("Subway", route("3", nishi, 3, kita, 3, suita))
    t, s = osaka("4", "823", "833")
    allows(t, s, through)
    assert next(action for action in legal(t, s, "p1") if isinstance(action, RunTrains)).routes == through.routes
    t, s = osaka("4", "823")
    refuses(t, s, through, "1890-RTE-01")
    t, s = osaka("3", "823", "833")
    refuses(t, s, through, "1890-RTE-01")
    assert passed(t, s, "Nankai") == frozenset()


@pytest.mark.rule("1890-PRV-17", "1890-RTE-09")
def test_a_right_bought_since_the_last_look_counts_for_the_proposed_routes() -> None:
    """Akashi - Kobe - Ashiya, Kobe full with JR and Kobe Rapid."""
    found = railway("Sanyo", "run", phase="3").tile("F3", "6", 2).tile("F5", "820", 0).tile("F7", "57", 1)
    found.private(K2="p2").token("JR", "F5").token("K2", "F5").trains("Sanyo", "3")
    t, s = found.build()
    full = next(action for action in legal(t, s, "p1") if isinstance(action, RunTrains))
    assert bests_of(t, s, "Sanyo")[0].total == 20 + 50
    keep(s, passage=("Sanyo",))
    assert bests_of(t, s, "Sanyo")[0].total == 20 + 50 + 20
    best = next(action for action in legal(t, s, "p1") if isinstance(action, RunTrains))
    assert best != full
    after = allows(t, s, best)
    assert after.cash["p2"] == s.cash["p2"] + 25


# Revenue and dividends


@pytest.mark.rule("1890-DIV-01", "1890-DIV-02")
def test_all_is_paid_or_withheld_market_shares_pay_the_treasury() -> None:
    t, s = railway(step="dividend", held={"p1": 4, "p2": 1, POOL: 2}, cash=0).build()
    s.income = 150
    bank = s.cash[BANK]
    paid = allows(t, s, Dividend("p1", "Hankyu", "pay"))
    assert (paid.cash["p1"], paid.cash["p2"], paid.cash["Hankyu"]) == (840 + 60, 840 + 15, 30)
    assert paid.cash[BANK] == bank - 105
    kept = allows(t, s, Dividend("p1", "Hankyu", "withhold"))
    assert (kept.cash["p1"], kept.cash["Hankyu"]) == (840, 150)
    refuses(t, s, Dividend("p1", "Hankyu", "half"), "1890-DIV-01")


@pytest.mark.rule("1890-DIV-03", "1890-MKT-01")
def test_who_runs_nothing_pays_nothing_and_falls() -> None:
    t, s = railway().build()
    at = s.cell["Hankyu"]
    s = allows(t, s, Pass("p1"))
    assert s.cell["Hankyu"] == (at[0], at[1] - 1)
    assert [(fact.kind, fact.revenue) for fact in facts(s, DividendDecided)] == [("withhold", 0)]


@pytest.mark.rule("1890-DIV-06", "1890-DIV-07", "1890-COR-03")
@pytest.mark.parametrize(("revenue", "each", "kept"), [(150, 7, 80), (140, 7, 70), (20, 1, 10), (30, 1, 20)])
def test_jr_pays_half_rounded_down_and_keeps_the_rest(revenue: int, each: int, kept: int) -> None:
    """Of 150 JR pays 70, 7 for each share, and keeps 80."""
    t, s = railway("JR", "dividend", cash=0).build()
    s.income = revenue
    at = s.cell["JR"]
    paid = allows(t, s, Dividend("p1", "JR", "pay"))
    assert (paid.cash["p1"], paid.cash["JR"]) == (840 + 6 * each, kept)
    assert paid.cell["JR"] == (at[0], at[1] + 1)
    withheld = allows(t, s, Dividend("p1", "JR", "withhold"))
    assert (withheld.cash["JR"], withheld.cell["JR"]) == (revenue, (at[0], at[1] - 1))


@pytest.mark.rule("1890-DIV-07")
def test_jr_with_nothing_to_divide_falls() -> None:
    t, s = railway("JR", "dividend", cash=0).build()
    s.income = 10
    at = s.cell["JR"]
    paid = allows(t, s, Dividend("p1", "JR", "pay"))
    assert (paid.cash["p1"], paid.cash["JR"], paid.cell["JR"]) == (840, 10, (at[0], at[1] - 1))


@pytest.mark.rule("1890-VAR-15", "1890-VAR-22")
def test_a_private_jr_pays_in_full_from_phase_6_a_plain_one_always() -> None:
    for options, phase, paid in ((("private_jr",), "5", 870), (("private_jr",), "6", 900), ((), "6", 870)):
        t, s = railway("JR", "dividend", *options, phase=phase, cash=0).build()
        s.income = 100
        assert allows(t, s, Dividend("p1", "JR", "pay")).cash["p1"] == paid
    t, s = railway("JR", "dividend", "scenario_a", "plain_jr_dividend", cash=0).cash(p1=0).build()
    s.income = 100
    assert allows(t, s, Dividend("p1", "JR", "pay")).cash["p1"] == 60


# Particulars


@pytest.mark.rule("1890-COR-16", "1890-COR-19", "1890-COR-20")
def test_the_tigers_bring_10_to_revenue_and_treasury_once_with_brown_nishinomiya() -> None:
    def home(*options: str, brown: bool) -> tuple[Title, State]:
        found = railway("Hanshin", "run", *options, phase="4", cash=0).tile("F9", "57", 1).tile("F9", "15", 1)
        if brown:
            turn = 0
            found.tile("F9", "465N", turn)
        found.tile("F7", "57", 1).tile("F11", "202", 1).tile("F11", "822", 1)
        return found.trains("Hanshin", "2", "2").build()

    both = runs("Hanshin", route("2", HOME, 1, stop("F7")), route("2", HOME, 4, AMAGASAKI))
    t, s = home(brown=True)
    after = allows(t, s, both)
    assert (after.income, after.cash["Hanshin"], after.pending) == (40 + 20 + 40 + 40 + 10, 10, ())
    t, s = home(brown=True)
    assert bests_of(t, s, "Hanshin")[0].total == 150
    assert [view.value for view in route_views(t, s, "Hanshin", both.routes)] == [40 + 20 + 10, 40 + 40]
    t, s = home(brown=False)
    assert bests_of(t, s, "Hanshin")[0].total == 120
    after = allows(t, s, both)
    assert (after.income, after.cash["Hanshin"]) == (30 + 20 + 30 + 40, 0)
    t, s = home("scenario_a", brown=True)
    assert bests_of(t, s, "Hanshin")[0].total == 140
    after = allows(t, s, both)
    assert (after.income, after.cash["Hanshin"]) == (140, 0)


@pytest.mark.rule("1890-COR-16")
@pytest.mark.parametrize("trains", [("2",), ("3", "2")])
def test_the_tigers_count_in_the_routes_that_are_proposed(trains: tuple[str, ...]) -> None:
    """From Amagasaki to Nishinomiya or to Osaka Kita: both bring 80, but for the Tigers."""

    def best(*options: str) -> Best:
        found = railway("Hanshin", "run", *options, phase="4").tile("F9", "57", 1).tile("F9", "15", 1)
        found.tile("F9", "465N", 3).tile("F11", "202", 4).tile("F11", "821", 0).token("Hanshin", "F11")
        t, s = found.trains("Hanshin", *trains).build()
        (best,) = bests_of(t, s, "Hanshin")
        assert best.proved
        action = RunTrains("p1", "Hanshin", best.routes)
        assert allows(t, s, action).income == best.total
        return best

    assert best().total == best("scenario_d").total + 10
    assert any(("F9", 0) in calls for calls in best().calls)


@pytest.mark.rule("1890-COR-17", "1890-COR-19", "1890-COR-20")
@pytest.mark.parametrize(("scenario", "amount"), [((), 40), (("scenario_d",), 0), (("scenario_a",), 0)])
def test_hankyu_gets_40_each_operating_round_for_a_token_in_takarazuka(scenario: tuple[str, ...], amount: int) -> None:
    t, s = railway("Hankyu", "trains", *scenario, cash=0).token("Hankyu", "D9").rounds(2, 1, 2).build()
    s = allows(t, s, Pass("p1"))
    assert (s.or_number, s.cash["Hankyu"]) == (2, amount)
    t, s = railway("Hankyu", "trains", *scenario, cash=0).rounds(2, 1, 2).build()
    assert allows(t, s, Pass("p1")).cash["Hankyu"] == 0


@pytest.mark.rule("1890-COR-04")
def test_sanyo_and_nankai_have_no_particulars() -> None:
    t, _ = railway().build()
    for corp in ("Sanyo", "Nankai"):
        assert t.kind(corp) == "public"
        t, s = railway(corp, "dividend", cash=0).build()
        s.income = 100
        assert allows(t, s, Dividend("p1", corp, "pay")).cash["p1"] == 840 + 60
