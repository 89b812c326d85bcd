"""1888-N: operating rounds, track, tokens."""

from __future__ import annotations

import pytest
from tables import Table, all_pass, allows, facts, offered, refuses, table, tokens_at
from tables_1888 import railway

from engine import apply, decision, judge, legal
from engine.actions import CompanyBuysPrivate, LayTile, Pass, PlaceToken
from engine.board.reach import reach
from engine.facts import CashMoved, TokenPlaced, TurnBegan
from engine.steps.track import lay_cost

TIANJIN = LayTile("p1", "JHR", "D10", "6", 2)


# Operating rounds


@pytest.mark.rule("1888-OR-01")
def test_privates_pay_players_and_companies() -> None:
    laid = railway("JHR", "trains", phase="5").trains("JHR", "4").private(KT="p2", FC="JHR")
    t, s = laid.rounds(2, 1, 2).cash(p2=0, JHR=100).build()
    s = allows(t, s, Pass("p1"))
    assert (s.cash["p2"], s.cash["JHR"]) == (5, 130)


@pytest.mark.rule("1888-OR-02", "1888-MKT-06")
def test_companies_operate_in_order_and_the_round_ends() -> None:
    found = railway("JHR", "trains", phase="4", held={"p1": 6}).par("SSL", 95).shares("SSL", p2=6)
    t, s = found.operating("JHR", "trains", then=("SSL",)).trains("JHR", "4").build()
    s = allows(t, s, Pass("p1"))
    assert facts(s, TurnBegan) == [TurnBegan("SSL")]
    refuses(t, s, LayTile("p2", "JHR", "D10", "6", 2), "1888-OR-02")
    assert decision(t, s).players == ("p2",)


@pytest.mark.rule("1888-OR-03")
def test_steps_of_a_turn() -> None:
    t, _ = railway().build()
    assert list(t.rounds["OR"].by_name) == ["track", "token", "run", "dividend", "trains", "privates"]


@pytest.mark.rule("1888-OR-04")
@pytest.mark.parametrize("step", ["track", "dividend", "trains", "privates"])
def test_privates_are_bought_at_any_point(step: str) -> None:
    t, s = railway("JHR", step).trains("JHR", "3").set(income=50).private(KT="p2").build()
    allows(t, s, CompanyBuysPrivate("p1", "JHR", "KT", 25))


@pytest.mark.rule("1888-OR-05")
@pytest.mark.parametrize(("phase", "count"), [("2", 1), ("3", 2), ("5", 3)])
def test_number_of_operating_rounds_is_fixed_after_the_stock_round(phase: str, count: int) -> None:
    t, s = table("1888").phase(phase).par("JHR", 85).shares("JHR", p1=6).build()
    s = all_pass(t, s)
    assert (s.round, s.or_count) == ("OR", count)


@pytest.mark.rule("1888-OR-06")
def test_the_director_alone_decides() -> None:
    t, s = railway().build()
    assert decision(t, s).players == ("p1",)
    refuses(t, s, LayTile("p2", "JHR", "D10", "6", 2), "1888-OR-06")


# Track


@pytest.mark.rule("1888-TRK-01")
def test_one_track_action() -> None:
    t, s = railway().build()
    s = allows(t, s, TIANJIN)
    t2, s2 = railway().tile("D10", "6", 2).set(lays=("yellow",)).build()
    refuses(t2, s2, LayTile("p1", "JHR", "D12", "58", 1), "1888-TRK-01")
    assert not offered(t, s, LayTile)


@pytest.mark.rule("1888-TRK-02")
def test_the_home_tile_must_be_laid() -> None:
    t, s = railway("TJL").build()
    refuses(t, s, Pass("p1"), "1888-TRK-02")
    assert {a.hex for a in legal(t, s, "p1") if isinstance(a, LayTile)} == {"E3"}
    allows(t, s, LayTile("p1", "TJL", "E3", "6", 3))


@pytest.mark.rule("1888-TRK-02", "1888-VAR-01")
def test_the_home_tile_may_be_left_out() -> None:
    allows(*railway("TJL", cash=39).build(), Pass("p1"))
    allows(*railway("TJL").tile("E3", "6", 3).build(), Pass("p1"))
    allows(*railway("TJL", "track", "online").build(), Pass("p1"))
    allows(*railway("TJL").set(operated=frozenset({"TJL"})).build(), Pass("p1"))


@pytest.mark.rule("1888-TRK-03")
def test_tiles_must_be_reachable() -> None:
    t, s = railway().build()
    refuses(t, s, LayTile("p1", "JHR", "F8", "9", 2), "1888-TRK-03")
    refuses(t, s, LayTile("p1", "JHR", "D10", "6", 3), "1888-TRK-08")
    refuses(t, s, LayTile("p1", "JHR", "D10", "5", 0), "1888-TRK-03")
    allows(t, s, TIANJIN)


@pytest.mark.rule("1888-TRK-04", "1888-TRK-13")
def test_a_tile_has_the_places_of_its_hex() -> None:
    t, s = railway().build()
    refuses(t, s, LayTile("p1", "JHR", "D10", "58", 2), "1888-TRK-04")
    refuses(t, s, LayTile("p1", "JHR", "D10", "8", 2), "1888-TRK-04")
    t, s = railway().tile("D10", "6", 2).build()
    refuses(t, s, LayTile("p1", "JHR", "D12", "8", 1), "1888-TRK-04")
    allows(t, s, LayTile("p1", "JHR", "D12", "58", 1))


@pytest.mark.rule("1888-TRK-13")
def test_plain_track_becomes_plain_track() -> None:
    t, s = railway("JZR").tile("C7", "7", 4).tile("D8", "9", 2).build()
    refuses(t, s, LayTile("p1", "JZR", "D8", "14", 2), "1888-TRK-04")
    allows(t, s, LayTile("p1", "JZR", "D8", "20", 2))


@pytest.mark.rule("1888-TRK-05")
def test_one_track_of_two_towns_is_enough() -> None:
    t, s = railway("JZR").tile("C7", "8", 2).build()
    found = [a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "B6"]
    assert {a.tile for a in found} <= {"1", "2", "55", "56", "69"}
    assert found
    s = apply(t, s, found[0])
    assert {index for hex_id, index in reach(s.board, "JZR").stops if hex_id == "B6"} in ({0}, {1})


@pytest.mark.rule("1888-TRK-06")
def test_the_first_tile_costs_its_terrain() -> None:
    t, s = railway("JZR", cash=9).build()
    refuses(t, s, LayTile("p1", "JZR", "C7", "8", 2), "1888-TRK-06")
    t, s = railway("JZR", cash=10).build()
    s = allows(t, s, LayTile("p1", "JZR", "C7", "8", 2))
    assert s.cash["JZR"] == 0


@pytest.mark.rule("1888-TRK-07")
def test_upgrades_are_free_but_for_beijing_and_jiaozuo() -> None:
    t, s = railway().tile("C7", "8", 2).build()
    assert [lay_cost(t, s, "JHR", hex_id) for hex_id in ("C9", "H4", "C7", "B18")] == [10, 20, 0, 0]
    s = allows(t, s, LayTile("p1", "JHR", "C9", "L42", 0))
    assert s.cash["JHR"] == 890
    assert lay_cost(t, s, "JHR", "C9") == 0


@pytest.mark.rule("1888-TRK-08")
def test_no_track_against_blank_sides() -> None:
    t, s = railway().build()
    refuses(t, s, LayTile("p1", "JHR", "D10", "57", 2), "1888-TRK-08")
    t, s = railway("ZDR").tile("G11", "5", 2).build()
    said = refuses(t, s, LayTile("p1", "ZDR", "F12", "4", 1), "1888-TRK-08")
    assert said.endswith("would cross the closed side between F12 and F14."), "F14 is on the map"
    t, s = railway("JZR").tile("C7", "7", 3).build()
    refuses(t, s, LayTile("p1", "JZR", "B8", "9", 0), "1888-TRK-08")


@pytest.mark.rule("1888-TRK-09")
def test_a_tile_may_miss_its_neighbours_track() -> None:
    t, s = railway("JZR").tile("D8", "9", 2).build()
    allows(t, s, LayTile("p1", "JZR", "C7", "7", 3))


@pytest.mark.rule("1888-TRK-10")
@pytest.mark.parametrize(("phase", "allowed"), [("2", False), ("3", True)])
def test_green_from_phase_three(phase: str, allowed: bool) -> None:
    t, s = railway(phase=phase).build()
    green = LayTile("p1", "JHR", "C9", "L42", 0)
    if allowed:
        allows(t, s, green)
    else:
        refuses(t, s, green, "1888-TRK-10")


@pytest.mark.rule("1888-TRK-11")
def test_an_upgrade_needs_a_connection_but_no_use() -> None:
    found = railway("JZR").tile("C7", "7", 4).tile("D8", "9", 2)
    t, s = found.build()
    after = allows(t, s, LayTile("p1", "JZR", "D8", "20", 2))
    assert ("D8", 0, 3) not in reach(after.board, "JZR").segments, "the new track is of no use yet"
    t, s = railway("LYR").tile("C7", "7", 4).tile("D8", "9", 2).build()
    refuses(t, s, LayTile("p1", "LYR", "D8", "20", 2), "1888-TRK-11")


@pytest.mark.rule("1888-TRK-12")
def test_old_track_stays() -> None:
    t, s = railway().tile("D10", "6", 2).build()
    refuses(t, s, LayTile("p1", "JHR", "D10", "14", 0), "1888-TRK-12")
    allows(t, s, LayTile("p1", "JHR", "D10", "15", 1))


@pytest.mark.rule("1888-TRK-14")
def test_replaced_tiles_return() -> None:
    t, s = railway().tile("D10", "6", 2).build()
    left = s.supply["6"]
    s = allows(t, s, LayTile("p1", "JHR", "D10", "15", 1))
    assert s.supply["6"] == left + 1
    t, s = railway().set().build()
    s.supply["6"] = 0
    refuses(t, s, TIANJIN, "1888-TRK-14")


@pytest.mark.rule("1888-TRK-15")
def test_lettered_tiles_for_lettered_hexes() -> None:
    t, s = railway().tile("D10", "6", 2).build()
    refuses(t, s, LayTile("p1", "JHR", "C9", "14", 1), "1888-TRK-15")
    refuses(t, s, LayTile("p1", "JHR", "D10", "L42", 0), "1888-TRK-15")
    refuses(t, s, LayTile("p1", "JHR", "B18", "5", 0), "1888-TRK-10")


@pytest.mark.rule("1888-TRK-16", "1888-TOK-07")
def test_cities_part_and_join_and_tokens_stay() -> None:
    found = railway(phase="5").par("JZR", 85).shares("JZR", p2=6)
    t, s = found.build()
    assert (tokens_at(s, "C9", 0), tokens_at(s, "C9", 1)) == (("JZR",), ("JHR",))
    s = allows(t, s, LayTile("p1", "JHR", "C9", "L42", 0))
    assert [tokens_at(s, "C9", index) for index in range(4)] == [("JZR",), (None,), (None,), ("JHR",)]
    s.lays, s.step, s.operating = (), "track", "JHR"
    s = allows(t, s, LayTile("p1", "JHR", "C9", "8892", 0))
    assert set(tokens_at(s, "C9", 0)) == {"JZR", "JHR", None}


@pytest.mark.rule("1888-TRK-17")
@pytest.mark.parametrize(("tile", "open_"), [("6", False), ("14", True)])
def test_a_free_place_lets_everybody_through(tile: str, open_: bool) -> None:
    _, s = railway().tile("D10", tile, 2 if tile == "6" else 1).token("ZDR", "D10").build()
    assert (("D12", 1) in reach(s.board, "JHR").sides) is open_


@pytest.mark.rule("1888-TRK-18")
@pytest.mark.parametrize("phase", ["3", "4"])
def test_heng_shan_is_closed_while_a_player_owns_it(phase: str) -> None:
    def found() -> Table:
        return railway("JZR", phase=phase).tile("C7", "9", 1).trains("JZR", "3")

    normal = LayTile("p1", "JZR", "C5", "9", 1)
    refuses(*found().private(HS="p2").build(), normal, "1888-TRK-18")
    for owner in ("SSL", "closed"):
        t, s = found().private(HS=owner).build()
        assert allows(t, s, normal).cash["JZR"] == 860


# Tokens


@pytest.mark.rule("1888-TOK-01")
def test_the_home_token_comes_at_the_first_turn() -> None:
    found = table("1888").phase("3").par("JHR", 85).shares("JHR", p1=6).par("TJL", 80).shares("TJL", p2=6)
    t, s = found.no_homes().build()
    s = all_pass(t, s)
    assert [(fact.corp, fact.stop, fact.cost) for fact in facts(s, TokenPlaced)] == [("JHR", "C9.1", 0)]
    assert not s.board.token_stops("TJL")
    s = allows(t, s, Pass("p1"))
    while s.operating == "JHR":
        s = apply(t, s, next(a for a in legal(t, s, "p1") if type(a).__name__ == "BuyTrain" or isinstance(a, Pass)))
    assert s.board.token_stops("TJL") == (("E3", 0),), "tile or not"


def linked(*, cash: int = 900, corp: str = "JHR") -> Table:
    """Beijing, Tianjin and Qinhuangdao joined to one another by track of a town."""
    return railway(corp, "token", cash=cash).tile("D10", "6", 2).tile("D12", "58", 1).tile("C13", "6", 0)


@pytest.mark.rule("1888-OR-02")
def test_only_the_company_whose_turn_it_is_places_one() -> None:
    t, s = linked().par("SSL", 85).shares("SSL", p1=6).token("SSL", "D10").cash(SSL=900).build()
    refuses(t, s, PlaceToken("p1", "SSL", "C13.0"), "1888-OR-02")


@pytest.mark.rule("1888-SET-11")
def test_the_mountain_is_laid_on_no_other_town() -> None:
    t, s = railway("JHR").tile("E5", "57", 1).token("JHR", "E5").build()
    lays = [LayTile("p1", "JHR", "E7", "L41", rotation) for rotation in range(6)]
    assert not any(lay in legal(t, s, "p1") for lay in lays)
    assert "1888-SET-11" in {refusal.rule for lay in lays if (refusal := judge(t, s, lay))}


@pytest.mark.rule("1888-TOK-02", "1888-TOK-05")
def test_one_token_in_a_turn() -> None:
    t, s = linked().build()
    assert "no city" in refuses(t, s, PlaceToken("p1", "JHR", "B12.0"), "1888-TOK-05")
    s = allows(t, s, PlaceToken("p1", "JHR", "C13.0"))
    t, s = linked().set(tokened=True).build()
    refuses(t, s, PlaceToken("p1", "JHR", "C13.0"), "1888-TOK-02")


@pytest.mark.rule("1888-TOK-03")
def test_forty_then_a_hundred_each() -> None:
    t, s = linked().build()
    s = allows(t, s, PlaceToken("p1", "JHR", "C13.0"))
    assert [fact.amount for fact in facts(s, CashMoved) if fact.why == "token"] == [40]
    assert s.tokens["JHR"] == (100,)
    assert t.corporations["CDL"].token_costs == (0, 40, 100, 100)
    refuses(*linked(cash=39).build(), PlaceToken("p1", "JHR", "C13.0"), "1888-TOK-03")


@pytest.mark.rule("1888-TOK-03", "1888-VAR-01")
def test_online_prices_of_tokens() -> None:
    t, _ = table("1888", 3, "online").build()
    assert t.corporations["CDL"].token_costs == (0, 40, 60, 80)


@pytest.mark.rule("1888-TOK-04")
def test_one_token_in_a_hex() -> None:
    t, s = railway("JHR", "token").tile("C9", "L42", 0).no_homes().token("JHR", "C9", 3).build()
    refuses(t, s, PlaceToken("p1", "JHR", "C9.1"), "1888-TOK-04")


@pytest.mark.rule("1888-TOK-05", "1888-SET-08")
def test_a_token_needs_a_free_city_in_reach() -> None:
    t, s = linked().token("ZDR", "C13").build()
    refuses(t, s, PlaceToken("p1", "JHR", "C13.0"), "1888-TOK-05")
    refuses(t, s, PlaceToken("p1", "JHR", "D12.0"), "1888-TOK-05")
    refuses(t, s, PlaceToken("p1", "JHR", "E5.0"), "1888-TOK-05")
    t, s = linked().set().build()
    s.tokens["JHR"] = ()
    refuses(t, s, PlaceToken("p1", "JHR", "C13.0"), "1888-SET-08")


@pytest.mark.rule("1888-TOK-06")
def test_home_places_stay_free() -> None:
    t, s = railway("JHR", "token").tile("E5", "57", 2).tile("F6", "57", 2).token("JHR", "E5").build()
    refuses(t, s, PlaceToken("p1", "JHR", "F6.0"), "1888-TOK-06")


@pytest.mark.rule("1888-TOK-07")
def test_beijing_keeps_a_place_for_both() -> None:
    t, s = linked(corp="SSL").no_homes().token("SSL", "C13").build()
    said = refuses(t, s, PlaceToken("p1", "SSL", "C9.1"), "1888-TOK-06")
    assert said == "The last free place in that city of C9 is kept for the home token of JHR.", "C9 has another city"
    t, s = linked(corp="SSL").no_homes().tile("C9", "L42", 0).token("SSL", "C13").token("CDL", "C9", 2).build()
    assert "in that city of C9" in refuses(t, s, PlaceToken("p1", "SSL", "C9.2"), "1888-TOK-05"), "and two free ones"
    assert "joins that city of C9" in refuses(t, s, PlaceToken("p1", "SSL", "C9.1"), "1888-TOK-05")
    found = linked(corp="SSL").no_homes().tile("C9", "L42", 0).tile("C9", "8892", 0).token("SSL", "C13")
    t, s = found.build()
    s = allows(t, s, PlaceToken("p1", "SSL", "C9.0"))
    t, s = found.token("HJR", "C9").token("ZDR", "C9").build()
    refuses(t, s, PlaceToken("p1", "SSL", "C9.0"), "1888-TOK-06")
