"""1889: order of an operating round, routes, revenue, dividends."""

from __future__ import annotations

import pytest
from tables import Table, allows, ends_round, facts, offered, refuses, table

from engine import BANK, POOL, BadAction, decision, judge, legal
from engine.actions import BuyTrain, CompanyBuysPrivate, Dividend, LayTile, Pass, Route, RunTrains, StateRevenue
from engine.facts import CashMoved, DividendDecided, PhaseBegan, TurnBegan
from engine.steps.run import bests_of
from engine.viewing import route_views, table_view


def run(*routes: tuple[str, tuple[object, ...]], corp: str = "AR", by: str = "p1") -> RunTrains:
    return RunTrains(by, corp, tuple(Route(train, path) for train, path in routes))  # type: ignore[arg-type]


TO_NARUTO = ("K8.0", 4, "L7.0")
TO_COAST = ("K8.0", 1, "J9.0")
THROUGH = ("L7.0", 1, "K8.0", 1, "J9.0")


def awa(*trains: str, step: str = "run") -> Table:
    """AR at Tokushima (K8, 20), joined to Naruto (L7, 20/40/80), J9 (10) and Anan (J11, 20)."""
    return (
        table("1889").operating("AR", step).trains("AR", *trains)
        .tile("K8", "57", 1).tile("J9", "58", 4).tile("J11", "6", 1)
    )  # fmt: skip


@pytest.mark.rule("1889-REV-01")
def test_drawn_routes_tell_what_they_would_earn() -> None:
    t, s = awa("3").build()
    (shown,) = route_views(t, s, "AR", (Route("3", THROUGH),))
    assert (shown.value, shown.subsidy) == (allows(t, s, run(("3", THROUGH))).income, 0)


@pytest.mark.rule("1889-REV-01")
def test_a_route_through_kouchi_earns_what_its_stops_are_worth() -> None:
    t, s = table("1889").operating("TR", "run").tile("G10", "58", 2).trains("TR", "2").build()
    (shown,) = route_views(t, s, "TR", (Route("2", ("F9.0", 5, "G10.0")),))
    assert shown.value == 30 + 10


# The operating round


@pytest.mark.rule("1889-OR-01", "1889-OR-07")
def test_a_set_of_rounds_then_a_stock_round() -> None:
    t, s = awa("2", step="trains").rounds(2, 1, 2).build()
    s = allows(t, s, Pass("p1"))
    assert (s.round, s.turn, s.or_number, s.operating) == ("OR", 2, 2, "AR")
    s.step = "trains"
    s = allows(t, s, Pass("p1"))
    assert (s.round, s.turn) == ("SR", 3)
    assert s.depot == table("1889").build()[1].depot, "no train leaves the bank by itself"


@pytest.mark.rule("1889-OR-07", "1889-PHS-03")
def test_a_phase_change_does_not_lengthen_the_present_set() -> None:
    t, s = awa("2", step="trains").rounds(2, 1, 1).cash(AR=500).build()
    s.depot["2"] = 0
    s = allows(t, s, BuyTrain("p1", "AR", "3", "bank", 180))
    assert t.phase(s).name == "3"
    while s.round == "OR":
        s = allows(t, s, Pass("p1"))
    assert s.turn == 3
    s = ends_round(t, s)
    assert (s.or_number, s.or_count) == (1, 2)


@pytest.mark.rule("1889-OR-02", "1889-PRV-14", "1889-TOK-01")
def test_privates_pay_their_owners_first() -> None:
    t, s = awa("2", step="trains").rounds(2, 1, 2).private(A="p1", F="p2", D="AR").build()
    cash = dict(s.cash)
    s = allows(t, s, Pass("p1"))
    gains = {holder: s.cash[holder] - cash[holder] for holder in cash}
    assert {holder: gain for holder, gain in gains.items() if gain} == {"p1": 5, "p2": 20, "AR": 15, BANK: -40}
    assert [type(fact) for fact in s.facts].index(CashMoved) < [type(fact) for fact in s.facts].index(TurnBegan)


@pytest.mark.rule("1889-OR-03", "1889-MKT-12")
def test_companies_operate_once_each_in_share_price_order() -> None:
    laid = table("1889").par("AR", 65).par("SR", 90).par("KO", 65).shares("AR", p1=5)
    t, s = laid.shares("SR", p2=5).shares("KO", p3=5).set(passes=2, up="p3").build()
    s = allows(t, s, Pass("p3"))
    order = []
    while s.round == "OR" and s.or_number == 1 and s.turn == 2:
        order += [s.operating] if s.operating not in order else []
        s = allows(t, s, Pass(decision(t, s).players[0]))
    assert order == ["SR", "AR", "KO"]


@pytest.mark.rule("1889-MKT-13", "1889-EMR-14")
def test_the_order_follows_the_prices_of_the_moment() -> None:
    laid = table("1889").operating("AR", "trains", then=("SR", "KO")).trains("AR", "2")
    t, s = laid.par("SR", 90, at=(4, 3)).par("KO", 80).shares("SR", p2=5).shares("KO", p3=5).build()
    s = allows(t, s, Pass("p1"))
    assert s.operating == "KO"
    assert s.queue == ("SR",)


@pytest.mark.rule("1889-OR-04")
def test_the_order_of_a_turn() -> None:
    t, s = awa("2", step="track").cash(AR=200).build()
    steps = []
    for kind in (LayTile, Pass, RunTrains, Dividend, Pass):
        steps.append(s.step)
        s = allows(t, s, next(action for action in legal(t, s, "p1") if isinstance(action, kind)))
    assert steps == ["track", "token", "run", "dividend", "trains"]


@pytest.mark.rule("1889-OR-04")
def test_no_step_is_revisited() -> None:
    t, s = awa("2").build()
    refuses(t, s, LayTile("p1", "AR", "K6", "9", 0), "1889-OR-08")
    refuses(t, s, BuyTrain("p1", "AR", "2", "bank", 80), "1889-OR-08")
    refuses(t, s, Dividend("p1", "AR", "pay"), "1889-OR-08")


@pytest.mark.rule("1889-OR-05", "1889-OR-06", "1889-PHS-02")
@pytest.mark.parametrize("step", ["track", "token", "run", "dividend", "trains", "privates"])
def test_companies_buy_privates_at_any_point_of_their_turn(step: str) -> None:
    deal = CompanyBuysPrivate("p1", "AR", "F", 40)
    for phase in "2345":
        t, s = awa("3", step=step).phase(phase).private(F="p1").cash(AR=500).set(income=40).build()
        if phase in "34":
            after = allows(t, s, deal)
            assert after.owner["F"] == "AR"
        else:
            refuses(t, s, deal, "1889-PRV-02")


@pytest.mark.rule("1889-OR-06")
def test_the_buyer_of_the_first_3_train_may_buy_privates_at_once() -> None:
    t, s = awa("2", step="trains").private(F="p1").cash(AR=500).build()
    s.depot["2"] = 0
    refuses(t, s, CompanyBuysPrivate("p1", "AR", "F", 40), "1889-PRV-02")
    s = allows(t, s, BuyTrain("p1", "AR", "3", "bank", 180))
    assert facts(s, PhaseBegan) == [PhaseBegan("3")]
    s = allows(t, s, Pass("p1"))
    assert s.step == "privates"
    allows(t, s, CompanyBuysPrivate("p1", "AR", "F", 40))


@pytest.mark.rule("1889-OR-08")
def test_the_president_decides() -> None:
    t, s = awa("2").shares("AR", p1=3, p2=2).build()
    for player in ("p2", "p3", "chance"):
        refusal = judge(t, s, run(("2", TO_NARUTO), by=player))
        assert refusal is not None
        assert refusal.rule == "1889-OR-08"
        assert "Ann" in refusal.text


@pytest.mark.rule("1889-OR-03")
def test_only_the_operating_company_runs() -> None:
    t, s = awa("2").par("SR").shares("SR", p1=5).trains("SR", "2").build()
    refuses(t, s, run(("2", TO_NARUTO), corp="SR"), "1889-OR-03")
    t, s = awa("2", step="dividend").par("SR").shares("SR", p1=5).set(income=40).build()
    refuses(t, s, Dividend("p1", "SR", "pay"), "1889-OR-03")


# Routes


@pytest.mark.rule("1889-RTE-01", "1889-REV-01")
def test_a_train_runs_one_route_and_earns_its_stops() -> None:
    t, s = awa("2").build()
    s = allows(t, s, run(("2", TO_NARUTO)))
    assert s.income == 20 + 20
    t, s = awa("2").build()
    refuses(t, s, run(("2", TO_NARUTO), ("2", TO_COAST)), "1889-RTE-01")
    refuses(t, s, run(("3", TO_NARUTO)), "1889-RTE-01")


@pytest.mark.rule("1889-RTE-01")
def test_a_route_needs_an_own_token() -> None:
    t, s = awa("2").build()
    refuses(t, s, run(("2", ("J9.0", 0, "J11.0"))), "1889-RTE-01")


@pytest.mark.rule("1889-RTE-02")
def test_a_route_has_two_stops_to_the_number_of_the_train() -> None:
    t, s = awa("2").build()
    refuses(t, s, run(("2", THROUGH)), "1889-RTE-02")
    with pytest.raises(BadAction):
        judge(t, s, run(("2", ("K8.0",))))
    t, s = awa("3").build()
    assert allows(t, s, run(("3", THROUGH))).income == 50
    t, s = awa("D").phase("D").build()
    whole = ("L7.0", 1, "K8.0", 1, "J9.0", 0, "J11.0")
    assert allows(t, s, run(("D", whole))).income == 80 + 20 + 10 + 20


@pytest.mark.rule("1889-RTE-03")
def test_no_stop_on_the_way_is_skipped() -> None:
    t, s = awa("4").build()
    refuses(t, s, run(("4", ("K8.0", 1, 0, "J11.0"))), "1889-RTE-05")
    assert allows(t, s, run(("4", ("L7.0", 1, "K8.0", 1, "J9.0", 0, "J11.0")))).income == 70


@pytest.mark.rule("1889-RTE-04")
def test_off_board_areas_are_only_ends() -> None:
    ways = table("1889").operating("SR", "run").tile("I2", "5", 4).tile("J3", "8", 3)  # I2: 4 5, J3: 3 5
    t, s = ways.trains("SR", "4").build()
    route = run(("4", ("I2.0", 4, "J1.0", 0, 5, "K4.0")), corp="SR")
    assert "off the board" in refuses(t, s, route, "1889-RTE-01")


@pytest.mark.rule("1889-RTE-05")
def test_no_track_twice_by_two_trains() -> None:
    t, s = awa("2", "3").build()
    text = refuses(t, s, run(("2", TO_NARUTO), ("3", THROUGH)), "1889-RTE-05")
    assert "another train" in text
    assert allows(t, s, run(("2", TO_NARUTO), ("3", ("K8.0", 1, "J9.0", 0, "J11.0")))).income == 40 + 50


@pytest.mark.rule("1889-RTE-05", "1889-RTE-07")
def test_no_track_twice_and_no_reversing_by_one_train() -> None:
    t, s = awa("4").build()
    refuses(t, s, run(("4", ("K8.0", 1, "J9.0", 4, "K8.0"))), "1889-RTE-05")
    refuses(t, s, run(("4", ("K8.0", 2, "J9.0"))), "1889-RTE-05")


@pytest.mark.rule("1889-RTE-06")
def test_two_tracks_that_meet_at_an_edge_serve_one_route() -> None:
    """Tile 23 in J3 leads from K4 (side 5) both to I2 (side 2) and to Okayama (side 3)."""
    ways = table("1889", 3, "online").operating("KO", "run").tile("J3", "23", 5).tile("I2", "6", 5)
    t, s = ways.trains("KO", "2", "2").build()
    marugame, okayama = ("K4.0", 2, 2, "I2.0"), ("K4.0", 2, 3, "J1.0")
    allows(t, s, run(("2", marugame), corp="KO"))
    allows(t, s, run(("2", okayama), corp="KO"))
    refuses(t, s, run(("2", marugame), ("2", okayama), corp="KO"), "1889-RTE-05")
    refuses(t, s, run(("2", ("I2.0", 5, 3, "J1.0")), corp="KO"), "1889-RTE-05")  # no way back from 2 to 3


@pytest.mark.rule("1889-RTE-08")
def test_a_centre_counts_once_on_a_route() -> None:
    route = run(("4", ("K4.0", 0, 2, "J5.0", 4, "K4.0")), corp="KO")
    t, s = table("1889").operating("KO", "run").tile("K6", "7", 2).tile("J5", "3", 4).trains("KO", "4").build()
    assert "once" in refuses(t, s, route, "1889-RTE-01")


@pytest.mark.rule("1889-RTE-09")
def test_two_trains_may_count_the_same_centre() -> None:
    t, s = awa("2", "2").build()
    s = allows(t, s, run(("2", TO_NARUTO), ("2", TO_COAST)))
    assert s.income == 40 + 30


@pytest.mark.rule("1889-RTE-10", "1889-TOK-09")
def test_a_full_city_may_end_a_route_but_not_be_passed() -> None:
    line = table("1889").operating("KO", "run").tile("J3", "9", 2).tile("I2", "5", 4).trains("KO", "3")
    t, s = line.par("SR").shares("SR", p2=5).build()
    refuses(t, s, run(("3", ("K4.0", 2, 2, "I2.0", 4, "J1.0")), corp="KO"), "1889-RTE-01")
    assert allows(t, s, run(("3", ("K4.0", 2, 2, "I2.0")), corp="KO")).income == 50
    line = table("1889").operating("KO", "run").tile("J3", "9", 2).tile("I2", "5", 4).trains("KO", "3")
    t, s = line.build()
    assert allows(t, s, run(("3", ("K4.0", 2, 2, "I2.0", 4, "J1.0")), corp="KO")).income == 70


@pytest.mark.rule("1889-RTE-11", "1889-DIV-05", "1889-DIV-06")
@pytest.mark.parametrize(("trains", "joined"), [((), True), (("2",), False)])
def test_without_train_or_route_nothing_runs_and_the_price_falls(trains: tuple[str, ...], joined: bool) -> None:
    board = table("1889").operating("AR", "token").trains("AR", *trains).cash(AR=0)
    if joined:
        board.tile("K8", "57", 1)
    t, s = board.build()
    s = allows(t, s, Pass("p1"))
    assert facts(s, DividendDecided) == [DividendDecided("AR", "withhold", 0, 0)]
    assert s.cell["AR"] == (0, 2)
    assert s.last_run["AR"] == 0


# Revenue


@pytest.mark.rule("1889-REV-02", "1889-PHS-05", "1889-PHS-07")
@pytest.mark.parametrize(
    ("phase", "train", "value"),
    [("2", "2", 30), ("3", "3", 30), ("4", "4", 30), ("5", "5", 60), ("6", "6", 60), ("D", "6", 60), ("D", "D", 100)],
)
def test_off_board_values(phase: str, train: str, value: int) -> None:
    t, s = table("1889").operating("IR", "run").tile("E2", "57", 1).trains("IR", train).phase(phase).build()
    s = allows(t, s, run((train, ("E2.0", 4, "F1.0")), corp="IR"))
    assert s.income == 20 + value


@pytest.mark.rule("1889-REV-03")
def test_the_highest_total_is_compulsory() -> None:
    t, s = awa("2").build()
    assert bests_of(t, s, "AR")[0].total == 40
    assert "¥40" in refuses(t, s, run(("2", TO_COAST)), "1889-REV-03")
    refuses(t, s, run(), "1889-REV-03")
    choices = offered(t, s, RunTrains)
    assert choices
    assert allows(t, s, choices[0]).income == 40


@pytest.mark.rule("1889-REV-03", "1889-VAR-05")
def test_online_any_routes_will_do() -> None:
    laid = table("1889", 3, "online").operating("AR", "run").trains("AR", "2")
    t, s = laid.tile("K8", "57", 1).tile("J9", "58", 4).build()
    assert allows(t, s, run(("2", TO_COAST))).income == 30
    assert allows(t, s, run()).income == 0


@pytest.mark.rule("1889-VAR-05")
def test_stated_revenues_are_for_old_records_alone() -> None:
    t, s = awa("2").build()
    refuses(t, s, StateRevenue("p1", "AR", 40), "1889-OR-08")
    t, s = table("1889", 3, "online").operating("AR", "run").trains("AR", "2").tile("K8", "57", 1).build()
    allows(t, s, StateRevenue("p1", "AR", 40))
    for wrong in (0, -10, 45):
        refuses(t, s, StateRevenue("p1", "AR", wrong), "1889-VAR-05")
    refuses(t, s, StateRevenue("p1", "SR", 40), "1889-OR-03")


# Dividends


def paying(revenue: int, **held: int) -> Table:
    return awa("2", step="dividend").shares("AR", held).set(income=revenue)


@pytest.mark.rule("1889-DIV-01")
def test_all_or_nothing() -> None:
    t, s = paying(130, p1=5).build()
    assert {action.kind for action in legal(t, s, "p1") if isinstance(action, Dividend)} == {"pay", "withhold"}
    refuses(t, s, Dividend("p1", "AR", "half"), "1889-DIV-01")


@pytest.mark.rule("1889-DIV-02", "1889-DIV-03", "1889-DIV-06", "1889-DIV-07", "1889-MKT-11")
def test_paid() -> None:
    t, s = paying(130, p1=3, p2=1, pool=1).build()
    before = dict(s.cash)
    s = allows(t, s, Dividend("p1", "AR", "pay"))
    gains = {holder: s.cash[holder] - before[holder] for holder in before if s.cash[holder] != before[holder]}
    assert gains == {"p1": 39, "p2": 13, "AR": 13, BANK: -65}
    assert s.held("AR", POOL) == 1
    assert s.cell["AR"] == (0, 4)
    assert s.last_paid["AR"] == 13
    row = next(row for row in table_view(t, s).companies if row.company.id == "AR")
    assert 13 in [getattr(row, name) for name in row.__slots__]


@pytest.mark.rule("1889-DIV-04", "1889-DIV-06")
def test_withheld() -> None:
    t, s = paying(130, p1=5).build()
    before = dict(s.cash)
    s = allows(t, s, Dividend("p1", "AR", "withhold"))
    assert s.cash["AR"] == before["AR"] + 130
    assert s.cash["p1"] == before["p1"]
    assert s.cell["AR"] == (0, 2)
    assert s.last_paid["AR"] == 0


@pytest.mark.rule("1889-DIV-05")
def test_without_trains_nothing_is_paid() -> None:
    t, s = awa(step="token").build()
    s.cash["AR"] = 0
    s = allows(t, s, Pass("p1"))
    assert s.step == "trains"
    refuses(t, s, Dividend("p1", "AR", "pay"), "1889-OR-08")
