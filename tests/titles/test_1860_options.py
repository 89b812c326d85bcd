"""1860: what each option changes, and that it changes nothing else's rules."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, play, refuses, table
from tables_1860 import east_coast, holding, lay, par, railway, run, ways

from engine import BANK, BadAction, apply, certificates, decision, legal, worth
from engine.actions import BuyPrivate, BuyShare, ClosePrivate, ExchangePrivate, LayTile, Pass, SellPrivate, SellShares
from engine.facts import Announced, PrivatePays
from engine.ids import CREDITS, CorpId
from engine.titles.t1860.own import own
from engine.titles.t1860.printed import DESTINATIONS
from engine.titles.t1860.run import run_trains
from engine.titles.t1860.track import may_build, may_build_more


@pytest.mark.rule("1860-VAR-01", "1860-VAR-13")
def test_two_kinds_of_insolvency_exclude_each_other() -> None:
    for options in (("simplified_insolvency", "original_insolvency"), ("simplified_insolvency", "first_edition")):
        with pytest.raises(BadAction):
            table("1860", 3, *options)


@pytest.mark.rule("1860-VAR-13")
@pytest.mark.parametrize(("phase", "earned"), [("2", 80), ("4", 120), ("9", 220)])
def test_the_simplified_lease_earns_by_the_first_number_alone(phase: str, earned: int) -> None:
    laid = east_coast("run", phase=phase, cash=0, options=("simplified_insolvency",))
    t, s = laid.own(layer=1, insolvent=("IOW",), paid={}).build()
    step = t.rounds["OR"].by_name["run"]
    assert not step.asks(t, s)
    step.skipped(t, s)  # type: ignore[misc]
    assert (s.income, own(s).subsidy) == (earned, 0)
    s.trains["IOW"] = ("9+5",)
    assert step.asks(t, s), "own trains run as ever"


# Variable privates


@pytest.mark.rule("1860-VAR-02")
def test_brading_pays_ten_once_bembridge_railway_has_floated() -> None:
    for options, pays in ((("variable_privates",), 10), ((), None)):
        t, s = table("1860", 3, *options).par("BHI&R", 58).shares("BHI&R", p1=4).private(BHC="p2").cash(p1=900).build()
        after = allows(t, s, BuyShare("p1", "BHI&R", "ipo"))
        assert after.revenue.get("BHC") == pays
        assert "BHI&R" in after.floated
        assert after.board.token_stops("BHI&R"), "and all else of a floating"
    t, s = (
        table("1860", 3, "variable_privates").par("IOW", 74).shares("IOW", p1=4).private(BHC="p2").cash(p1=900).build()
    )
    assert not allows(t, s, BuyShare("p1", "IOW", "ipo")).revenue


@pytest.mark.rule("1860-VAR-02", "1860-VAR-02a", "1860-VAR-02c")
def test_of_a_closed_private_no_higher_income_is_told() -> None:
    t, s = table("1860", 3, "variable_privates").par("BHI&R", 58).shares("BHI&R", p1=4).cash(p1=900).build()
    assert not facts(allows(t, s, BuyShare("p1", "BHI&R", "ipo")), PrivatePays)
    for effect in ways(t).after_run:
        effect(t, s, "FYN", [{("B4", 0), ("G5", 0)}])
    assert not facts(s, PrivatePays)


@pytest.mark.rule("1860-VAR-02b", "1860-VAR-02c")
def test_fishbourne_halves_ryde_and_cowes_and_closes_none() -> None:
    t, s = holding(74, "variable_privates").private(RPSC="p1", CMH="p2", YHC="p3", BHC="p1", FFC=BANK).build()
    after = allows(t, s, BuyPrivate("p1", "FFC"))
    assert after.revenue == {"RPSC": 15, "CMH": 10}
    assert {fact.private for fact in facts(after, PrivatePays)} == {"RPSC", "CMH"}
    assert [after.owner[private] for private in ("RPSC", "CMH", "YHC", "BHC")] == ["p1", "p2", "p3", "p1"]


@pytest.mark.rule("1860-VAR-02c")
def test_privates_are_neither_sold_nor_swapped_but_may_be_closed() -> None:
    t, s = holding(74, "variable_privates", p1=6, p2=3).private(RPSC="p1", CMH="p2").build()
    refuses(t, s, SellPrivate("p1", "RPSC"), "1860-SR-03")
    refuses(t, s, ExchangePrivate("p1", "RPSC"), "1860-SR-03")
    refuses(t, s, ClosePrivate("p1", "CMH"), "1860-VAR-02c")
    refuses(t, s, ClosePrivate("p2", "CMH"), "1860-VAR-02c")
    refuses(t, s, BuyShare("p1", "IOW", "ipo"), "1860-PRV-09")
    after = allows(t, s, ClosePrivate("p1", "RPSC"))
    assert (worth(t, after, "p1"), worth(t, after, "p2")) == (worth(t, s, "p1"), worth(t, s, "p2"))
    assert certificates(t, after, "p1") == certificates(t, s, "p1") - 1
    allows(t, after, BuyShare("p1", "IOW", "ipo"))
    assert after.up == "p1", "closing is no action of the turn"


@pytest.mark.rule("1860-VAR-02c")
@pytest.mark.parametrize("options", [("variable_privates",), ("variable_privates", "online")])
def test_who_can_buy_once_he_has_closed_a_private_has_his_turn(options: tuple[str, ...]) -> None:
    for cash, asked in ((99, "p2"), (73, "p1")):
        t, s = holding(74, *options, players=2, p1=10).par("C&N", 74).shares("C&N", p1=9).private(CMH="p2").build()
        s.cash["p2"] = cash
        s = allows(t, s, Pass("p1"))
        assert decision(t, s).players == (asked,)
    t, s = holding(74, *options, players=2, p1=10).par("C&N", 74).shares("C&N", p1=9).private(CMH="p2").build()
    s.cash["p2"] = 99
    s = play(t, s, Pass("p1"), ClosePrivate("p2", "CMH"), BuyShare("p2", "C&N", "ipo"))
    assert s.held("C&N", "p2") == 1


# Shares


@pytest.mark.rule("1860-VAR-03")
def test_without_layers_one_idle_company_at_a_time() -> None:
    t, s = holding(74, "any_company_order").par("FYN", 62).shares("FYN", p2=5).build()
    allows(t, s, par("p1", "VYSC", 62))
    t, s = holding(74, "any_company_order").par("FYN", 62).shares("FYN", p2=5).par("S&C", 62).build()
    assert "FYN and S&C" in refuses(t, s, par("p1", "VYSC", 62), "1860-VAR-03")
    s.operated |= {"S&C"}
    allows(t, s, par("p1", "VYSC", 62))
    t, s = holding(74).par("FYN", 62).build()
    refuses(t, s, par("p1", "VYSC", 62), "1860-SR-25")


@pytest.mark.rule("1860-VAR-03")
def test_without_layers_nothing_left_in_the_offering_frees_the_next() -> None:
    t, s = holding(74, "any_company_order", p1=10).par("IWNJ", 62).shares("IWNJ", p2=10).par("S&C", 62).build()
    s.shares["S&C"] = {"p3": 9, "ipo": 1}
    refuses(t, s, par("p1", "VYSC", 62), "1860-VAR-03")
    s.shares["S&C"] = {"p3": 10}
    allows(t, s, par("p1", "VYSC", 62))


@pytest.mark.rule("1860-VAR-04")
def test_unoperated_companies_sell_at_full_price() -> None:
    for options, paid in ((("full_price_unoperated",), 74), ((), 37)):
        t, s = holding(74, *options, p1=5).set(operated=frozenset()).trains("IOW").build()
        assert allows(t, s, SellShares("p1", "IOW", 1)).cash["p1"] == 1000 + paid
        s.operated = frozenset({"IOW"})
        assert allows(t, s, SellShares("p1", "IOW", 1)).cash["p1"] == 1037


# Destinations


@pytest.mark.rule("1860-VAR-05")
def test_the_table_of_destinations() -> None:
    t, _ = railway("IOW", "run").build()
    told = {
        corp: [(t.hexes[hex_id].name, stop, bonus) for hex_id, stop, bonus in goals]
        for corp, goals in DESTINATIONS.items()
    }
    assert told == {
        "C&N": [("Newport", 0, 50), ("Ryde Esplanade", 0, 50)],
        "IOW": [("Ventnor", -1, 100)],
        "IWNJ": [("Newport", 1, 100), ("Sandown", 0, 100)],
        "FYN": [("Newport", 0, 200)],
        "NGStL": [("Newport", 0, 100), ("Ventnor", -1, 100)],
        "BHI&R": [("Brading", 0, 100), ("Ryde Esplanade", 0, 100)],
        "S&C": [("Shanklin", 0, 200)],
        "VYSC": [("Ventnor", -1, 100), ("Freshwater", 0, 100)],
    }


def cowes(*trains: str, options: tuple[str, ...] = ("destinations",), **own: object) -> Table:
    """C&N, from Cowes to Newport; it has a second base at Newport."""
    laid = railway("C&N", "run", *trains, cash=0, options=options)
    return laid.tile("F2", "787").tile("F4", "742", 3).token("C&N", "G5").own(**own)


TO_NEWPORT = ("F2.0", "F2.1", "F2.2", 0, "F4.0", 5, "G5.0")
HOME_ONLY = ("F2.0", "F2.1")


@pytest.mark.rule("1860-VAR-05")
def test_the_first_run_between_home_and_destination_brings_the_bonus() -> None:
    t, s = cowes("2+1").build()
    credits = s.cash[CREDITS]
    after = allows(t, s, run(("2+1", TO_NEWPORT), corp="C&N"))
    assert after.cash["C&N"] == 50
    assert after.cash[CREDITS] == credits - 50
    assert own(after).destinations == ("C&N G5",)
    assert allows(t, s, run(("2+1", HOME_ONLY), corp="C&N")).cash["C&N"] == 0


@pytest.mark.rule("1860-VAR-05")
def test_only_the_option_pays_for_destinations() -> None:
    t, s = cowes("2+1", options=()).build()
    after = allows(t, s, run(("2+1", TO_NEWPORT), corp="C&N"))
    assert (after.cash["C&N"], own(after).destinations) == (0, ())
    assert t.policy.routes.destinations(t, after, CorpId("C&N")) == ()


@pytest.mark.rule("1860-VAR-05")
def test_each_destination_pays_once() -> None:
    t, s = cowes("2+1", destinations=("C&N G5",)).build()
    told = t.policy.routes.destinations(t, s, CorpId("C&N"))
    assert [(one.hex, one.bonus, one.reached) for one in told] == [("G5", 50, True), ("I3", 50, False)]
    assert allows(t, s, run(("2+1", TO_NEWPORT), corp="C&N")).cash["C&N"] == 0
    t, s = cowes("2+1", destinations=("C&N I3",)).build()
    after = allows(t, s, run(("2+1", TO_NEWPORT), corp="C&N"))
    assert (after.cash["C&N"], own(after).destinations) == (50, ("C&N I3", "C&N G5"))


@pytest.mark.rule("1860-VAR-05")
def test_without_the_home_base_there_is_no_bonus() -> None:
    t, s = cowes("2+1").build()
    away = run(("2+1", ("F2.1", "F2.2", 0, "F4.0", 5, "G5.0")), corp="C&N")
    run_trains(t, s, away)  # RTE-04 would refuse it
    assert (s.income, own(s).destinations) == (40, ())
    assert s.cash["C&N"] == 0, "the small station of Cowes is not the home base"


@pytest.mark.rule("1860-VAR-05")
def test_connecting_routes_count_together() -> None:
    t, s = cowes("2+1", "2+1").build()
    routes = (("2+1", HOME_ONLY), ("2+1", ("F2.1", "F2.2", 0, "F4.0", 5, "G5.0")))
    assert allows(t, s, run(*routes, corp="C&N")).cash["C&N"] == 50


@pytest.mark.rule("1860-VAR-05")
@pytest.mark.parametrize(
    ("corp", "path", "bonus"),
    [("IWNJ", ("G7.0", "G7.1", 3, "G5.1"), 100), ("NGStL", ("G9.0", 3, "G7.0", "G7.1", 3, "G5.1"), 0)],
)
def test_shide_is_not_newport(corp: str, path: tuple[str | int, ...], bonus: int) -> None:
    laid = railway(corp, "run", "3+2", phase="3", cash=0, options=("destinations",))
    t, s = laid.tile("G5", "763").tile("G7", "761").tile("G9", "746").build()
    after = allows(t, s, run(("3+2", path), corp=corp))
    assert after.cash[corp] == bonus


@pytest.mark.rule("1860-VAR-05", "1860-VAR-11")
@pytest.mark.parametrize("options", [(), ("skip_small_stations",), ("online",)])
def test_no_train_goes_on_from_shide_without_a_call_there(options: tuple[str, ...]) -> None:
    laid = railway("IWNJ", "run", "2+1", "3+2", phase="5", cash=0, options=("destinations", *options))
    t, s = laid.tile("G5", "763").tile("G5", "773").tile("G7", "761").build()
    by_shide = ("G7.0", "G7.1", 3, "G5.1", "G5.0")
    after = allows(t, s, run(("3+2", by_shide), corp="IWNJ"))
    assert (after.income, after.cash["IWNJ"]) == (20 + 20 + 60, 100)
    refuses(t, s, run(("2+1", by_shide), corp="IWNJ"), "1860-RTE-09")


@pytest.mark.rule("1860-VAR-05")
def test_every_destination_is_a_large_station_on_every_tile() -> None:
    t, _ = railway("IOW", "run").build()
    for hex_id in {hex_id for goals in DESTINATIONS.values() for hex_id, _, _ in goals}:
        printed = t.hexes[hex_id].face
        faces = [t.tiles[tile].face for tile in t.supply if t.tiles[tile].face.label == printed.label]
        for face in (printed, *(faces if printed.label else ())):
            assert {stop.kind for stop in face.stops} == {"city"}, hex_id


@pytest.mark.rule("1860-VAR-05")
def test_an_insolvent_company_receives_it_in_full_and_nobody_without_the_option() -> None:
    t, s = cowes(insolvent=("C&N",)).phase("3").build()
    after = allows(t, s, run(("3+2", TO_NEWPORT), corp="C&N"))
    assert after.cash["C&N"] == 40 + 3 * 20 + 50
    t, s = railway("C&N", "run", "2+1", cash=0).tile("F2", "787").tile("F4", "742", 3).build()
    assert allows(t, s, run(("2+1", TO_NEWPORT), corp="C&N")).cash["C&N"] == 0


# Accelerated track


def accelerated(phase: str = "3", *laid: str) -> Table:
    """IOW with `accelerated_track`: J8 leads to I7 (two villages) and I9 (a town)."""
    on = east_coast("track", "4+2", phase=phase, options=("accelerated_track",)).tile("J8", "12", 1)
    return on.own(laid=laid)


@pytest.mark.rule("1860-VAR-06")
def test_two_small_yellow_tiles_or_one_and_an_upgrade() -> None:
    t, s = accelerated().tile("I7", "744", 5).build()
    yellow = allows(t, s, lay("H6", "9", 2))
    assert decision(t, yellow).step == "track"
    green = [a for a in legal(t, yellow, "p1") if isinstance(a, LayTile) and t.tiles[a.tile].face.colour == "green"]
    assert {action.hex for action in green} == {"I7"}, "of the upgrades those without a large station"
    after = allows(t, yellow, green[0])
    assert decision(t, after).step != "track"
    first = next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "I7")
    upgraded = allows(t, s, first)
    assert decision(t, upgraded).step == "track"
    allows(t, upgraded, lay("H6", "9", 2))


@pytest.mark.rule("1860-VAR-06")
def test_not_two_upgrades() -> None:
    t, s = accelerated().tile("I7", "744", 5).tile("K7", "9", 0).build()
    upgraded = allows(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "I7"))
    s = upgraded.copy()
    s.board = s.board.with_tile("H6", "9", 2)
    for tile in ("18", "19", "20"):
        refuses(t, s, lay("H6", tile, 2), "1860-VAR-06")


@pytest.mark.rule("1860-VAR-06")
def test_the_tile_laid_is_not_upgraded_in_the_same_turn() -> None:
    t, s = accelerated().build()
    laid = allows(t, s, lay("I7", "744", 5))
    upgrades = [("754", rotation) for rotation in range(6)] + [("755", rotation) for rotation in range(6)]
    for tile, rotation in upgrades:
        refuses(t, laid, lay("I7", tile, rotation), "1860-VAR-06")
    t, s = accelerated().tile("I7", "744", 5).build()
    assert any(isinstance(a, LayTile) and a.hex == "I7" for a in legal(t, s, "p1")), "in the next turn it is"


@pytest.mark.rule("1860-VAR-06")
def test_a_large_station_stays_the_only_lay() -> None:
    for action in (lay("I9", "57", 1), lay("J4", "12", 0)):
        t, s = accelerated().build()
        assert decision(t, allows(t, s, action)).step != "track"
        small = allows(t, s, lay("I7", "744", 5))
        refuses(t, small, action, "1860-VAR-06")
    t, s = accelerated("3", "J4").tile("J4", "12", 0).build()
    refuses(t, s, lay("I7", "744", 5), "1860-VAR-06")


@pytest.mark.rule("1860-VAR-06")
def test_never_three_lays() -> None:
    t, s = accelerated("3", "I7", "H6").tile("I7", "744", 5).tile("H6", "9", 2).build()
    refuses(t, s, lay("K5", "742", 0), "1860-VAR-06")
    assert not may_build_more(t, s)
    t, s = accelerated("3", "I7").tile("I7", "754", 5).build()
    assert may_build_more(t, s)
    assert not may_build(t, s)


# Trains and maps


@pytest.mark.rule("1860-VAR-07")
def test_without_a_train_limit_nothing_is_returned() -> None:
    t, s = east_coast("excess", *["2+1"] * 5, options=("no_train_limit",), phase="9").build()
    assert not t.rounds["OR"].by_name["excess"].asks(t, s)
    t, s = east_coast("excess", *["2+1"] * 5, phase="9").build()
    assert t.rounds["OR"].by_name["excess"].asks(t, s)


@pytest.mark.rule("1860-VAR-08")
def test_two_sevens() -> None:
    for options, count in (((), 1), (("two_sevens",), 2)):
        t, s = table("1860", 3, *options).opening().build()
        assert t.trains["7+4"].count == s.depot["7+4"] == count


@pytest.mark.rule("1860-VAR-09", "1860-VAR-14")
def test_the_first_edition_is_the_small_map_and_the_original_insolvency() -> None:
    t, _ = table("1860", 3, "first_edition", "skip_small_stations").build()
    plain, _ = table("1860", 3, "small_map", "original_insolvency").build()
    assert t.hexes == plain.hexes
    assert t.policy.lease == plain.policy.lease == "half"  # type: ignore[attr-defined]
    assert not t.policy.skips_small  # type: ignore[attr-defined]


@pytest.mark.rule("1860-VAR-12")
def test_hexes_are_re_entered_by_option_only() -> None:
    assert not table("1860", 3).build()[0].policy.reenters_hexes  # type: ignore[attr-defined]
    assert table("1860", 3, "reenter_hexes").build()[0].policy.reenters_hexes  # type: ignore[attr-defined]


@pytest.mark.rule("1860-VAR-03")
@pytest.mark.parametrize(("options", "heard"), [((), True), (("any_company_order",), False)])
def test_layers_are_announced_only_where_they_matter(options: tuple[str, ...], heard: bool) -> None:
    t, s = holding(74, *options, p1=5, p2=4).build()
    s.owner["RPSC"], s.up = "closed", "p2"
    after = apply(t, s, BuyShare("p2", "IOW", "ipo"))
    assert any(isinstance(fact, Announced) for fact in after.facts) == heard
