"""1860: track, bases, routes, dividends, trains, insolvency and receivership."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, offered, refuses, table
from tables_1860 import (
    ESPLANADE_BRADING,
    ESPLANADE_RYDE,
    RYDE_BRADING,
    at,
    east_coast,
    lay,
    price_of,
    run,
    ways,
    without_director,
)

from engine import BANK, POOL, State, Title, consent, decision, legal
from engine.actions import BuyTrain, DiscardTrain, Dividend, LayTile, Pass, PlaceToken, Route, RunTrains
from engine.board.reach import reach
from engine.facts import TrainsRan
from engine.market import in_order
from engine.router import Best
from engine.secrets import treasury_visible
from engine.steps.track import colour_open
from engine.titles.t1860 import routing
from engine.titles.t1860.companies import has
from engine.titles.t1860.operating import begin
from engine.titles.t1860.own import own
from engine.titles.t1860.routing import Earned, Terms, earn
from engine.titles.t1860.trains import check_solvency, must_buy
from engine.usual import stop_value


def iow(step: str = "track", *trains: str, **more: object) -> Table:
    """IOW on the east coast, with secret credits unless `options` say otherwise."""
    return east_coast(step, *trains, **{"options": (), **more})


# The round


@pytest.mark.rule("1860-OR-01", "1860-PRV-01", "1860-MKT-10")
def test_privates_pay_and_companies_run_by_price_then_seniority() -> None:
    t, s = iow().par("C&N", 90).par("FYN", 74).private(YHC="p2", BHC=BANK).build()
    keep(s, bankrupt=())
    cash = s.cash["p2"]
    begin(t, s)
    assert s.cash["p2"] == cash + 10
    assert s.queue == ("C&N", "IOW", "FYN")
    assert in_order(t, s, s.queue) == ["C&N", "IOW", "FYN"]


@pytest.mark.rule("1860-OR-02", "1860-OR-05")
def test_the_steps_of_a_turn() -> None:
    t, s = iow("excess", "2+1").build()
    names = [step.name for step in t.rounds["OR"].steps]
    assert names == ["excess", "track", "token", "solvency", "run", "dividend", "trains"]
    refuses(t, s, Pass("p2"), "1860-OR-02")
    assert decision(t, s).players == ("p1",)


@pytest.mark.rule("1860-OR-03", "1860-PHS-02", "1860-PHS-04")
def test_a_new_number_of_operating_rounds_counts_after_the_next_stock_round() -> None:
    t, s = iow("trains", "2+1").cash(IOW=2000).build()
    s.depot["2+1"] = 0
    s.or_count = 1
    after = allows(t, s, BuyTrain("p1", "IOW", "3+2", BANK, 300))
    assert (t.phase(after).name, after.or_count) == ("3", 1)
    after = allows(t, after, Pass("p1")) if after.round == "OR" else after
    while after.round == "SR":
        after = allows(t, after, Pass(after.up))
    assert after.or_count == 2


# Track


@pytest.mark.rule("1860-TRK-01", "1860-TRK-02", "1860-TRK-03")
def test_two_small_yellow_tiles_or_one_large() -> None:
    t, s = iow().tile("J8", "5", 2).build()
    first = allows(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "I7"))
    assert decision(t, first).step == "track"
    large = next((a for a in legal(t, s, "p1") if isinstance(a, LayTile) and t.tiles[a.tile].face.stops[:1]), None)
    assert large is not None
    second = offered(t, first, LayTile)
    assert not any(stop.kind == "city" for a in second for stop in t.tiles[a.tile].face.stops)
    t, s = iow().build()
    city = allows(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "J8"))
    assert decision(t, city).step != "track"


@pytest.mark.rule("1860-TRK-04", "1860-TRK-05", "1860-TRK-16")
def test_yellow_joins_reached_track_and_pays_terrain_once() -> None:
    t, s = iow().build()
    refuses(t, s, lay("F12", "57", 0), "1860-TRK-05")
    refuses(t, s, lay("G11", "743", 0), "1860-TRK-04")
    refuses(t, s, lay("K7", "9", 0), "1860-TRK-05")
    t, s = table("1860", 3).operating("IOW").par("IOW", 74).tile("J4", "57", 2).cash(IOW=100).build()
    after = allows(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "K5"))
    assert after.cash["IOW"] == 40
    s.cash["IOW"] = 50
    assert not [a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "K5"]
    refuses(t, s, lay("K5", "742", 0), "1860-TRK-16")


@pytest.mark.rule("1860-TRK-07", "1860-PHS-01")
def test_colours_open_with_their_phase() -> None:
    t, s = iow("track", "2+1").build()
    action = lay("J4", "12", 0)
    assert colour_open(t, s, action) is not None
    s.phase = 1
    assert colour_open(t, s, action) is None
    assert colour_open(t, s, lay("J4", "776", 0)) is not None
    s.phase = 3
    assert colour_open(t, s, lay("J4", "776", 0)) is None


@pytest.mark.rule("1860-TRK-09", "1860-TRK-10", "1860-TRK-11", "1860-TRK-12")
def test_upgrades_go_as_far_as_the_trains() -> None:
    def brading(*trains: str) -> bool:
        t, s = iow("track", *trains, phase="3").build()
        return any(a.hex == "J6" for a in legal(t, s, "p1") if isinstance(a, LayTile))

    assert not brading("2+1")
    assert brading("3+2")
    assert not brading()
    t, s = iow("track", phase="3").build()
    refuses(t, s, lay("J4", "12", 0), "1860-TRK-12")
    t, s = iow("track", "2+1", phase="3").build()
    refuses(t, s, lay("J6", "762", 0), "1860-TRK-09")
    allows(t, s, lay("J4", "12", 0))


@pytest.mark.rule("1860-TRK-09", "1860-TRK-11")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_an_upgrade_must_lie_where_a_train_calls_not_only_where_one_arrives(options: tuple[str, ...]) -> None:
    joining = lay("J6", "762", 1)

    def beside(*trains: str) -> tuple[Title, State]:
        """Ryde's track runs to the side of Brading, whose own does not join it."""
        laid = table("1860", 3, *options).operating("IOW").par("IOW", 74).trains("IOW", *trains).phase("3")
        return laid.tile("J4", "6", 0).tile("J6", "746", 1).build()

    t, s = beside("2+1")
    assert s.board.face("J4").exits == {0, 2}
    assert 3 not in s.board.face("J6").exits
    refuses(t, s, joining, "1860-TRK-09")
    t, s = beside("3+2")
    assert 3 in allows(t, s, joining).board.face("J6").exits


@pytest.mark.rule("1860-TRK-13", "1860-TRK-15")
def test_letters_and_fixed_rotations() -> None:
    t, s = iow("track", "2+1", phase="3").build()
    refuses(t, s, lay("J6", "12", 0), "1860-TRK-13")
    refuses(t, s, lay("J4", "757", 0), "1860-TRK-13")
    refuses(t, s, lay("I3", "758", 1), "1860-TRK-15")
    after = allows(t, s, lay("I3", "758", 0))
    assert "J2" in {hex_id for hex_id, _ in reach(after.board, "IOW").stops}


@pytest.mark.rule("1860-TRK-17", "1860-EMR-02", "1860-TOK-07")
def test_insolvent_companies_build_only_what_is_free_and_receivership_nothing() -> None:
    t, s = table("1860", 3).operating("IOW").par("IOW", 74).tile("J4", "57", 2).cash(IOW=200).build()
    keep(s, insolvent=("IOW",))
    refuses(t, s, lay("K5", "742", 0), "1860-TRK-17")
    after = allows(t, s, Pass("p1"))
    assert decision(t, after).step == "run", "no base"
    without_director(s)
    track = t.rounds["OR"].by_name["track"]
    token = t.rounds["OR"].by_name["token"]
    assert not track.asks(t, s)
    assert not token.asks(t, s)


@pytest.mark.rule("1860-TRK-18", "1860-PHS-10")
def test_nothing_is_built_after_southern() -> None:
    t, s = iow().build()
    keep(s, southern="formed")
    assert t.rounds["OR"].by_name["track"].asks(t, s)
    keep(s, southern="over")
    assert not t.rounds["OR"].by_name["track"].asks(t, s)
    assert not t.rounds["OR"].by_name["token"].asks(t, s)


@pytest.mark.rule("1860-TRK-19", "1860-RTE-13", "1860-EMR-17")
def test_face_down_bases_block_building_but_no_trains() -> None:
    _, s = iow("run", "3+2").par("S&C", 54).shares("S&C", p2=2).token("S&C", "J4").build()
    assert s.board.blocks("J4", 0, "IOW")
    assert routing.passes_tokened_out(s, "IOW", [("I3", 0), ("J4", 0), ("J6", 0)]) == 1
    keep(s, bankrupt=("S&C",))
    assert routing.passes_tokened_out(s, "IOW", [("I3", 0), ("J4", 0), ("J6", 0)]) == 0
    assert ("J6", 0) not in reach(s.board, "IOW").stops


@pytest.mark.rule("1860-VAR-06")
def test_option_accelerated_track() -> None:
    t, s = iow("track", "2+1", options=("accelerated_track",), phase="3").tile("J8", "5", 2).build()
    first = allows(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "I7"))
    refuses(t, first, lay("J4", "12", 0), "1860-VAR-06")
    large = allows(t, s, lay("J4", "12", 0))
    assert decision(t, large).step != "track"


# Bases


@pytest.mark.rule("1860-TOK-01", "1860-TOK-02", "1860-TOK-03", "1860-TOK-04", "1860-TOK-06")
def test_bases() -> None:
    t, s = iow("token").build()
    refuses(t, s, PlaceToken("p1", "IOW", "J8.0"), "1860-TOK-03")
    refuses(t, s, PlaceToken("p1", "IOW", "I3.0"), "1860-TOK-04")
    after = allows(t, s, PlaceToken("p1", "IOW", "J6.0"))
    assert (after.cash["IOW"], after.tokens["IOW"]) == (460, (100, 100))
    assert decision(t, after).step != "token"
    s.tokened = True
    refuses(t, s, PlaceToken("p1", "IOW", "J6.0"), "1860-TOK-01")
    t, s = iow("track", "3+2", phase="3").token("IOW", "J6").build()
    upgraded = allows(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "J6"))
    assert upgraded.board.places("J6", 0) == ("IOW",)


@pytest.mark.rule("1860-TOK-05")
def test_home_places_are_kept() -> None:
    t, s = iow("token").build()
    s.board = s.board.with_tile("L6", "57", 0)
    from engine.steps.token import not_reserved

    assert not_reserved(t, s, PlaceToken("p1", "IOW", "L6.0")) is not None


# Routes


@pytest.mark.rule("1860-RTE-01", "1860-RTE-03", "1860-RTE-04", "1860-REV-01")
def test_routes_of_one_train() -> None:
    t, s = iow("run", "2+1").build()
    refuses(t, s, run(), "1860-RTE-01")
    refuses(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", RYDE_BRADING)), "1860-RTE-01")
    refuses(t, s, run(("2+1", RYDE_BRADING)), "1860-RTE-03")
    after = allows(t, s, run(("2+1", ESPLANADE_RYDE)))
    assert after.income == 50
    t, s = iow("run", "2+1").token("IOW", "J6").build()
    refuses(t, s, run(("2+1", RYDE_BRADING)), "1860-RTE-04")
    t, s = iow("run", "2+1", "2+1").token("IOW", "J6").build()
    after = allows(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", RYDE_BRADING)))
    assert after.income == 50 + 30, "Ryde counts for both"


@pytest.mark.rule("1860-RTE-01")
def test_a_train_that_can_run_beside_the_others_must() -> None:
    t, s = iow("run", "2+1", "2+1").token("IOW", "J6").build()
    text = refuses(t, s, run(("2+1", ESPLANADE_RYDE)), "1860-RTE-01")
    assert "between J6 and J4" in text
    allows(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", RYDE_BRADING)))
    t, s = iow("run", "3+2", "3+2").token("IOW", "J6").build()
    allows(t, s, run(("3+2", ESPLANADE_BRADING)))
    t, s = iow("run", "2+1", "2+1").build()
    allows(t, s, run(("2+1", ESPLANADE_RYDE)))
    t, s = iow("run", "2+1", "2+1", options=("online",)).token("IOW", "J6").build()
    allows(t, s, run(("2+1", ESPLANADE_RYDE)))


@pytest.mark.rule("1860-RTE-01")
@pytest.mark.parametrize(
    ("far", "train", "idle"),
    [("J8", "2+1", False), ("J8", "3+2", True), ("I9", "3+2", False), ("I9", "4+2", True)],
)
def test_an_idle_train_runs_only_as_far_as_its_length_takes_it_to_the_others(far: str, train: str, idle: bool) -> None:
    laid = iow("run", train, "2+1").tile("J8", "6", 1).tile("I9", "5", 3)
    t, s = laid.token("IOW", far).build()
    if idle:
        refuses(t, s, run(("2+1", ESPLANADE_RYDE)), "1860-RTE-01")
    else:
        allows(t, s, run(("2+1", ESPLANADE_RYDE)))


@pytest.mark.rule("1860-RTE-01", "1860-RTE-02")
def test_an_idle_train_does_not_run_to_a_halt_but_past_it() -> None:
    laid = iow("run", "3+2", "2+1").tile("J4", "205", 5).token("IOW", "J4").tile("K5", "742", 0)
    t, s = laid.build()
    assert s.board.face("J4").exits == {0, 2, 5}
    allows(t, s, run(("3+2", ESPLANADE_BRADING)))
    t, s = laid.tile("K7", "7", 3).tile("L6", "57", 1).build()
    assert "between J4 and L6" in refuses(t, s, run(("3+2", ESPLANADE_BRADING)), "1860-RTE-01")


@pytest.mark.rule("1860-RTE-01", "1860-RTE-12")
def test_an_idle_train_may_pass_the_one_tokened_out_station_that_the_others_leave() -> None:
    laid = iow("run", "3+2", "2+1").par("S&C", 54).shares("S&C", p2=2).par("VYSC", 54).shares("VYSC", p2=2)
    t, s = laid.tile("J8", "6", 1).token("IOW", "J8").token("S&C", "J6").build()
    refuses(t, s, run(("2+1", ESPLANADE_RYDE)), "1860-RTE-01")
    laid = iow("run", "4+2", "2+1").par("S&C", 54).shares("S&C", p2=2).par("VYSC", 54).shares("VYSC", p2=2)
    laid.tile("J8", "6", 1).tile("I9", "5", 3).token("IOW", "I9").token("S&C", "J6").token("VYSC", "J8")
    allows(*laid.build(), run(("2+1", ESPLANADE_RYDE)))


@pytest.mark.rule("1860-RTE-01")
@pytest.mark.parametrize("found", [(), (Route("2+1", ESPLANADE_RYDE),)])
def test_where_the_search_was_cut_short_every_train_that_can_runs_in_what_is_proposed(found: tuple[Route, ...]) -> None:
    t, s = iow("run", "2+1", "2+1", options=("no_train_limit",)).token("IOW", "J6").build()
    (best,) = t.policy.routes.sensible(t, s, (Best(found, 50 if found else 0, False, 90),))
    assert allows(t, s, RunTrains("p1", "IOW", best.routes)).income == best.total == 80
    assert (best.proved, best.bound) == (False, 90)


@pytest.mark.rule("1860-RTE-05")
def test_routes_hang_together() -> None:
    assert routing.joined([{("A", 0), ("B", 0)}, {("B", 0), ("C", 0)}])
    assert not routing.joined([{("A", 0), ("B", 0)}, {("B", 0), ("C", 0)}, {("D", 0), ("E", 0)}])
    t, s = iow("run", "2+1", "2+1").tile("J8", "57", 0).token("IOW", "J8").build()
    text = refuses(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", ("J8.0", 3, "J6.0"))), "1860-RTE-05")
    assert "must meet" in text


@pytest.mark.rule("1860-RTE-02", "1860-RTE-06", "1860-RTE-11", "1860-RTE-14")
def test_shape_of_routes() -> None:
    t, s = iow("run", "2+1", "2+1").tile("I5", "742", 2).tile("J8", "57", 0).build()
    refuses(t, s, run(("2+1", ESPLANADE_RYDE), ("2+1", ESPLANADE_RYDE)), "1860-RTE-11")
    refuses(t, s, run(("2+1", ("I3.0", 5, "J4.0", 2, "I3.0"))), "1860-RTE-14")
    laid = table("1860", 3).operating("IOW", "run").par("IOW", 74).trains("IOW", "2+1")
    t, s = laid.tile("J4", "57", 2).tile("K5", "742", 0).build()
    assert s.board.face("K5").exits == {0, 2}
    refuses(t, s, run(("2+1", ("I3.0", 5, "J4.0", 5, "K5.0"))), "1860-RTE-02")


@pytest.mark.rule("1860-RTE-06", "1860-VAR-12")
def test_a_route_does_not_come_back_to_a_hex() -> None:
    loop = ("3+2", ("G7.0", 1, 3, "F6.0", 1, 5, 5, "G9.0"))
    for options in ((), ("reenter_hexes",)):
        on = table("1860", 3, *options).operating("IWNJ", "run").par("IWNJ", 58).trains("IWNJ", "3+2").no_homes()
        for hex_id, tile, rotation in (("F6", "751", 1), ("G9", "757", 2), ("E7", "779", 0), ("F8", "780", 2)):
            on.tile(hex_id, tile, rotation)
        t, s = on.tile("G7", "775", 0).token("IWNJ", "G7").build()
        action = RunTrains("p1", "IWNJ", (Route(*loop),))
        if options:
            assert allows(t, s, action).income > 0
        else:
            assert "F8 twice" in refuses(t, s, action, "1860-RTE-06")


@pytest.mark.rule("1860-RTE-07", "1860-RTE-08", "1860-RTE-09", "1860-REV-02", "1860-VAR-11")
def test_calls_of_an_m_plus_n_train() -> None:
    terms = Terms(2, 1, False, True, False)
    assert earn(terms, [20, 30], [10], 0, None) == Earned(60, 0)
    assert earn(terms, [20, 30], [], 1, None) == Earned(50, 10)
    assert earn(terms, [20], [10, 10], 0, None) == Earned(40, 0)
    assert earn(terms, [20], [10], 1, None) == Earned(30, 10)
    assert earn(terms, [20, 30], [10], 2, None) == Earned(60, 0), "halts may be passed"
    assert earn(terms, [20], [], 5, None) == Earned(20, 20)
    assert isinstance(earn(terms, [20, 30, 10], [], 0, None), str)
    assert isinstance(earn(terms, [20, 30], [10, 10], 0, None), str), "small stations must be called at"
    skipping = Terms(2, 1, True, True, False)
    assert earn(skipping, [20, 30], [10, 20], 1, None) == Earned(70, 0)
    assert earn(skipping, [20, 30], [10, 20], 1, 1) == Earned(50, 10)


@pytest.mark.rule("1860-RTE-10")
def test_several_stations_of_one_hex_count() -> None:
    t, s = table("1860", 3).operating("C&N", "run").par("C&N", 74).trains("C&N", "2+1").tile("F2", "787").build()
    after = allows(t, s, RunTrains("p1", "C&N", (Route("2+1", ("F2.0", "F2.1")),)))
    assert after.income == 30


@pytest.mark.rule("1860-RTE-12")
def test_one_train_passes_one_tokened_out_station() -> None:
    t, s = iow("run", "3+2").par("S&C", 54).shares("S&C", p2=2).token("S&C", "J4").build()
    assert allows(t, s, run(("3+2", ESPLANADE_BRADING))).income == 60
    laid = iow("run", "4+2").par("S&C", 54).shares("S&C", p2=2).tile("J8", "57", 0)
    t, s = laid.token("S&C", "J4").token("S&C", "J6").build()
    refuses(t, s, run(("4+2", (*ESPLANADE_BRADING, 0, "J8.0"))), "1860-RTE-12")


@pytest.mark.rule("1860-RTE-15", "1860-DIV-01", "1860-DIV-02", "1860-DIV-03", "1860-MKT-09")
def test_directors_need_not_maximise_and_pay_players_only() -> None:
    t, s = iow("run", "3+2").shares("IOW", p1=4, p2=2, pool=1).par("C&N", 74).build()
    allows(t, s, run(("3+2", ESPLANADE_RYDE)))
    s = allows(t, s, run(("3+2", ESPLANADE_BRADING)))
    cash = {holder: s.cash[holder] for holder in ("p1", "p2", "IOW")}
    refuses(t, s, Dividend("p1", "IOW", "half"), "1860-DIV-01")
    after = allows(t, s, Dividend("p1", "IOW", "pay"))
    assert (after.cash["p1"] - cash["p1"], after.cash["p2"] - cash["p2"], after.cash["IOW"] - cash["IOW"]) == (
        24,
        12,
        0,
    )
    assert price_of(t, after) == 74
    assert in_order(t, after, ["IOW", "C&N"]) == ["C&N", "IOW"], "it goes under"
    kept = allows(t, s, Dividend("p1", "IOW", "withhold"))
    assert (kept.cash["IOW"] - cash["IOW"], price_of(t, kept)) == (60, 68)


@pytest.mark.rule("1860-VAR-15", "1860-TRN-11")
def test_online_keeps_the_stack_and_asks_for_more_than_the_price() -> None:
    t, s = iow("run", "3+2", options=("online",)).par("C&N", 74).build()
    s = allows(t, s, run(("3+2", ESPLANADE_RYDE)))
    after = allows(t, s, Dividend("p1", "IOW", "pay"))
    assert in_order(t, after, ["IOW", "C&N"]) == ["IOW", "C&N"]
    for options, must in (((), True), (("online",), False)):
        t, s = iow("trains", options=options).cash(IOW=250).build()
        assert must_buy(t, s, "IOW") is must


@pytest.mark.rule("1860-DIV-04", "1860-MKT-04", "1860-MKT-05", "1860-EMR-21")
def test_no_revenue_is_one_space_left_perhaps_to_bankruptcy() -> None:
    t, s = table("1860", 3).operating("IOW", "track", then=("C&N",)).par("IOW", 74, at(14)).build()
    keep(s, paid={})
    after = allows(t, s, Pass("p1"))
    if after.step == "token":
        after = allows(t, after, Pass("p1"))
    assert has(after, "bankrupt", "IOW")
    assert (after.round, after.operating) == ("OR", "C&N"), "the set goes on"


@pytest.mark.rule("1860-MKT-07", "1860-END-01", "1860-END-20")
def test_a_token_at_340_ends_the_game_after_the_round() -> None:
    t, s = iow("dividend", "3+2", price=330).build()
    s.income = 1400
    keep(s, ran=True, paid={})
    s.shares["IOW"] = {"ipo": 5, "p1": 5}
    after = allows(t, s, Dividend("p1", "IOW", "pay"))
    assert price_of(t, after) == 340
    if not after.over:
        after = allows(t, after, Pass("p1"))
    assert after.over == "price"


@pytest.mark.rule("1860-REV-03")
def test_ryde_pier_grows_with_the_phases() -> None:
    t, s = iow("run", "3+2", phase="2").build()
    values = []
    for phase in (0, 1, 3):
        s.phase = phase
        values.append(stop_value(t, s, ("J2", 0), "3+2"))
    assert values == [0, 20, 40]


@pytest.mark.rule("1860-REV-04", "1860-END-13")
def test_halts_and_second_numbers_stop_counting() -> None:
    t, s = iow("run", "3+2").build()
    assert routing.terms(t, s, "IOW", "3+2") == Terms(3, 2, False, True, False)
    keep(s, southern="over")
    assert not routing.terms(t, s, "IOW", "3+2").halts
    keep(s, british=True)
    assert routing.terms(t, s, "IOW", "3+2") == Terms(3, 0, False, False, True)


# Trains


@pytest.mark.rule("1860-TRN-01", "1860-TRN-02", "1860-TRN-03", "1860-TRN-09", "1860-TRN-12", "1860-FLT-06")
def test_buying_trains() -> None:
    t, s = iow("trains").par("FYN", 62).shares("FYN", p2=5).trains("FYN", "2+1").build()
    after = allows(t, s, BuyTrain("p1", "IOW", "2+1", BANK, 250))
    assert (after.cash["IOW"], after.cash[BANK]) == (250, s.cash[BANK])
    refuses(t, s, BuyTrain("p1", "IOW", "3+2", BANK, 300), "1860-TRN-01")
    refuses(t, s, BuyTrain("p1", "IOW", "2+1", "FYN", 15), "1860-TRN-02")
    deal = BuyTrain("p1", "IOW", "2+1", "FYN", 10)
    assert consent(t, s, deal) == "p2"
    allows(t, s, deal)
    refuses(t, after, deal, "1860-TRN-03")
    s.cash["IOW"] = 200
    refuses(t, s, BuyTrain("p1", "IOW", "2+1", BANK, 250), "1860-TRN-12")


@pytest.mark.rule("1860-TRN-04", "1860-END-16")
def test_no_trade_without_director_or_after_british_rail() -> None:
    t, s = iow("trains").par("FYN", 62).shares("FYN", p2=5).trains("FYN", "2+1", "2+1").build()
    keep(s, british=True)
    refuses(t, s, BuyTrain("p1", "IOW", "2+1", "FYN", 10), "1860-END-16")
    s.president["FYN"] = POOL
    refuses(t, s, BuyTrain("p1", "IOW", "2+1", "FYN", 10), "1860-TRN-04")


@pytest.mark.rule("1860-TRN-05", "1860-TRN-06", "1860-TRN-07")
def test_limits_and_returned_trains() -> None:
    t, s = iow("excess", "3+2", "3+2", "3+2", "3+2", phase="4").build()
    assert [phase.train_limit["public"] for phase in t.phases] == [4, 4, 3, 3, 2, 2, 2, 2]
    after = allows(t, s, DiscardTrain("p1", "IOW", "3+2"))
    assert after.train_pool == ("3+2",)
    assert decision(t, after).step == "track"
    after.step = "trains"
    refuses(t, after, BuyTrain("p1", "IOW", "3+2", "pool", 300), "1860-TRN-06")


@pytest.mark.rule("1860-VAR-07", "1860-VAR-08")
def test_options_about_trains() -> None:
    t, _ = table("1860", 2, "no_train_limit").build()
    assert min(phase.train_limit["public"] for phase in t.phases) > 50
    t, _ = table("1860", 2, "two_sevens").build()
    assert t.trains["7+4"].count == 2


@pytest.mark.rule("1860-TRN-10", "1860-EMR-03", "1860-EMR-08")
def test_who_can_pay_a_train_must_buy() -> None:
    t, s = iow("trains").build()
    keep(s, insolvent=("IOW",))
    refuses(t, s, Pass("p1"), "1860-TRN-10")
    after = allows(t, s, BuyTrain("p1", "IOW", "2+1", BANK, 250))
    assert not has(after, "insolvent", "IOW")


# Insolvency and receivership


@pytest.mark.rule("1860-EMR-01")
def test_a_trainless_company_with_a_route_is_insolvent() -> None:
    t, s = iow("trains").cash(IOW=0).build()
    check_solvency(t, s, "IOW")
    assert has(s, "insolvent", "IOW")
    t, s = table("1860", 3).operating("IOW", "trains").par("IOW", 74).build()
    check_solvency(t, s, "IOW")
    assert not has(s, "insolvent", "IOW")


@pytest.mark.rule("1860-EMR-04", "1860-EMR-05", "1860-EMR-06", "1860-EMR-07", "1860-DIV-05", "1860-OR-04")
def test_leasing() -> None:
    t, s = iow("token").cash(IOW=100).build()
    keep(s, insolvent=("IOW",))
    s = allows(t, s, Pass("p1")) if decision(t, s).step == "token" else s
    s.step = "run"
    after = allows(t, s, run(("2+1", ESPLANADE_RYDE)))
    assert facts(after, TrainsRan)[0].revenue == 40 + 2 * 20
    assert (after.cash["IOW"], price_of(t, after)) == (180, 68)
    assert after.phase == 0
    s.cash["IOW"] = 250
    s.step = "token"
    rich = allows(t, s, Pass("p1"))
    assert rich.step == "trains", "it can pay a train and leases none"
    leased = Terms(5, 0, False, True, True, "stations")
    assert earn(leased, [20] * 5, [], 3, None) == Earned(140, 0)
    assert earn(Terms(9, 0, False, True, True, "stations"), [20] * 4, [10] * 3, 4, None) == Earned(220, 0)


@pytest.mark.rule("1860-VAR-01", "1860-EMR-13")
def test_original_insolvency() -> None:
    half = Terms(5, 3, False, True, False, "half")
    assert earn(half, [70, 60, 60, 60], [], 4, None) == Earned(130, 40)
    t, _ = table("1860", 2, "original_insolvency").build()
    assert ways(t).lease == "half"


@pytest.mark.rule("1860-VAR-13")
def test_simplified_insolvency_needs_no_route() -> None:
    t, s = iow("token", options=("simplified_insolvency",)).cash(IOW=100).build()
    keep(s, insolvent=("IOW",))
    s.step = "track"
    after = allows(t, s, Pass("p1"))
    assert after.cash["IOW"] == 100 + 40 + 2 * 20
    with pytest.raises(Exception, match="combined"):
        table("1860", 2, "simplified_insolvency", "original_insolvency")


def before_receivership(*options: str) -> tuple[Title, State]:
    """C&N ends its turn; next is IOW in receivership, with a train and a route for £50."""
    laid = table("1860", 3, *options).operating("C&N", "trains", then=("IOW",)).par("C&N", 90).par("IOW", 74)
    laid = laid.tile("J4", "6", 0).tile("J6", "746", 0).trains("IOW", "2+1")
    t, s = laid.cash(**{"C&N": 300}).trains("C&N", "2+1").build()
    without_director(s)
    keep(s, paid={})
    return t, s


@pytest.mark.rule("1860-RTE-16", "1860-VAR-15")
def test_online_the_table_runs_and_buys_for_receivership() -> None:
    t, s = before_receivership("online")
    after = allows(t, s, Pass("p1"))
    assert facts(after, TrainsRan) == []
    asked = decision(t, after)
    assert (asked.step, asked.subject, set(asked.players)) == ("run", "IOW", {"p1", "p2", "p3"})
    s.trains["IOW"] = ()
    s.cash["IOW"] = 260
    asked = decision(t, allows(t, s, Pass("p1")))
    assert (asked.step, asked.subject) == ("trains", "IOW")


@pytest.mark.rule("1860-RTE-16", "1860-EMR-11", "1860-EMR-12")
def test_receivership_runs_for_the_maximum_and_buys_by_itself() -> None:
    t, s = before_receivership()
    after = allows(t, s, Pass("p1"))
    assert [fact.revenue for fact in facts(after, TrainsRan)] == [50]
    assert after.cash["IOW"] == s.cash["IOW"] + 50
    s.trains["IOW"] = ()
    s.cash["IOW"] = 260
    bought = allows(t, s, Pass("p1"))
    assert bought.trains["IOW"] == ("2+1",)
    s.cash["IOW"] = 100
    leased = allows(t, s, Pass("p1"))
    assert leased.cash["IOW"] == 100 + 80
    assert has(leased, "insolvent", "IOW")


@pytest.mark.rule("1860-RTE-16", "1860-RTE-01")
def test_in_receivership_every_train_that_can_runs_where_the_search_was_cut_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cut = Best((Route("2+1", ESPLANADE_RYDE),), 50, False, 90)
    monkeypatch.setattr("engine.titles.t1860.run.routing.bests", lambda t, s, corp: (cut,))
    t, s = before_receivership("no_train_limit")
    s.trains["IOW"] = ("2+1", "2+1")
    s.board = s.board.with_token("J6", 0, "IOW")
    (ran,) = facts(allows(t, s, Pass("p1")), TrainsRan)
    assert (len(ran.routes), ran.revenue) == (2, 80)


@pytest.mark.rule("1860-VAR-05")
def test_destination_bonus_once() -> None:
    laid = table("1860", 3, "destinations").operating("C&N", "run").par("C&N", 74)
    t, s = laid.trains("C&N", "2+1").tile("F2", "787").tile("F4", "742", 3).build()
    path = ("F2.0", "F2.1", "F2.2", 0, "F4.0", 5, "G5.0")
    s.cash["C&N"] = 0
    assert s.board.face("F4").exits == {3, 5}
    after = allows(t, s, RunTrains("p1", "C&N", (Route("2+1", path),)))
    assert after.cash["C&N"] == 50
    assert own(after).destinations == ("C&N G5",)


@pytest.mark.rule("1860-VAR-02a")
@pytest.mark.parametrize(
    ("corp", "routes", "revenue"),
    [
        ("FYN", ({("B4", 0), ("C5", 0), ("G5", 0)},), 15),
        ("FYN", ({("B4", 0), ("C5", 0)}, {("C5", 0), ("G5", 0)}), None),
        ("FYN", ({("B4", 0), ("G5", 1)},), None),
        ("C&N", ({("B4", 0), ("G5", 0)},), None),
    ],
    ids=["one train", "two trains", "to Shide", "another company"],
)
def test_yarmouth_pays_more_once_a_train_of_fyn_has_run_to_newport(
    corp: str, routes: tuple[set[tuple[str, int]], ...], revenue: int | None
) -> None:
    t, s = table("1860", 3, "variable_privates").private(YHC="p1").build()
    for effect in ways(t).after_run:
        effect(t, s, corp, routes)
    assert s.revenue.get("YHC") == revenue


@pytest.mark.rule("1860-VAR-02a")
def test_only_the_option_pays_more_for_yarmouth() -> None:
    t, _ = table("1860", 3).private(YHC="p1").build()
    assert not ways(t).after_run


@pytest.mark.rule("1860-VAR-12", "1860-VAR-14", "1860-VAR-09")
def test_options_of_map_and_routes() -> None:
    t, _ = table("1860", 2, "first_edition", "online").build()
    assert "A7" not in t.hexes
    assert (ways(t).lease, ways(t).skips_small) == ("exact half", False)
    assert ways(table("1860", 2, "reenter_hexes").title).reenters_hexes
    assert table("1860", 2, "small_map").build()[0].supply["776"] == 2


@pytest.mark.rule("1860-SEC-01", "1860-SEC-02", "1860-SEC-03", "1860-VAR-10")
def test_treasuries_are_shown_to_shareholders() -> None:
    t, s = iow().shares("IOW", p1=4, p2=1).build()
    assert treasury_visible(t, s, "IOW", "p1")
    assert treasury_visible(t, s, "IOW", "p2")
    assert not treasury_visible(t, s, "IOW", "p3")
    without_director(s)
    assert treasury_visible(t, s, "IOW", "p3")
    t, s = iow(options=("open_treasuries",)).build()
    assert treasury_visible(t, s, "IOW", "p3")
