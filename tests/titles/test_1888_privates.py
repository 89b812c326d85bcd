"""1888-N: the privates and their powers."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, offered, refuses, table
from tables_1888 import railway

from engine import BANK, CLOSED, State, Title, certificates, decision, legal
from engine.actions import (
    BuyShare,
    BuyTrain,
    CompanyBuysPrivate,
    ExchangePrivate,
    LayPowerTile,
    LayTile,
    Pass,
    Route,
    SellShares,
)
from engine.board.reach import reach
from engine.board.routes import Run, trace
from engine.facts import PrivateClosed
from engine.state import Pending
from engine.usual import stop_value


@pytest.mark.rule("1888-PRV-02")
@pytest.mark.parametrize(("private", "low", "high"), [("KT", 13, 37), ("HS", 38, 112), ("YRF", 63, 187)])
def test_prices_for_companies(private: str, low: int, high: int) -> None:
    t, s = railway().private(**{private: "p2"}).cash(p2=0).build()
    refuses(t, s, CompanyBuysPrivate("p1", "JHR", private, low - 1), "1888-PRV-02")
    refuses(t, s, CompanyBuysPrivate("p1", "JHR", private, high + 1), "1888-PRV-02")
    s2 = allows(t, s, CompanyBuysPrivate("p1", "JHR", private, low))
    assert (s2.owner[private], s2.cash["p2"]) == ("JHR", low)
    allows(t, s, CompanyBuysPrivate("p1", "JHR", private, high))


@pytest.mark.rule("1888-PRV-02")
@pytest.mark.parametrize("phase", ["2", "5"])
def test_only_in_phases_three_and_four(phase: str) -> None:
    t, s = railway(phase=phase).private(KT="p2").build()
    refuses(t, s, CompanyBuysPrivate("p1", "JHR", "KT", 25), "1888-PRV-02")


@pytest.mark.rule("1888-PRV-02", "1888-OR-04")
def test_the_company_whose_turn_it_is_pays_from_its_treasury() -> None:
    t, s = railway(cash=24).private(KT="p2").par("SSL", 85).shares("SSL", p1=6).cash(SSL=900).build()
    refuses(t, s, CompanyBuysPrivate("p1", "JHR", "KT", 25), "1888-PRV-02")
    refuses(t, s, CompanyBuysPrivate("p1", "SSL", "KT", 25), "1888-OR-04")


@pytest.mark.rule("1888-PRV-03")
def test_privates_never_go_from_company_to_company_or_player_to_player() -> None:
    t, s = railway().private(KT="SSL").build()
    refuses(t, s, CompanyBuysPrivate("p1", "JHR", "KT", 25), "1888-PRV-03")
    t, s = table("1888").private(KT="p2").build()
    assert not offered(t, s, CompanyBuysPrivate)


@pytest.mark.rule("1888-PRV-04", "1888-PRV-07")
def test_all_close_with_the_first_five() -> None:
    found = railway("JHR", "trains", phase="4").trains("JHR", "4").private(KT="p2", TA="JHR", FC="p1")
    t, s = found.set(depot={"2": 0, "3": 0, "4": 0, "5": 3, "6": 2}).build()
    s = allows(t, s, BuyTrain("p1", "JHR", "5", BANK, 500))
    assert set(s.owner.values()) == {CLOSED}
    assert len(facts(s, PrivateClosed)) == 3
    refuses(t, s, LayPowerTile("p1", "TA", "H2", "L39", 5), "1888-PRV-17")


@pytest.mark.rule("1888-PRV-05")
def test_kaiping_has_no_power() -> None:
    t, s = railway().private(KT="JHR").build()
    assert t.privates["KT"].powers == ()
    refuses(t, s, LayPowerTile("p1", "KT", "C7", "8", 2), "1888-PRV-17")


@pytest.mark.rule("1888-PRV-06", "1888-PRV-17")
def test_terracotta_raises_xian_for_all_trains() -> None:
    t, s = railway().private(TA="JHR").build()
    assert stop_value(t, s, ("H2", 0), "3") == 30
    refuses(t, s, LayPowerTile("p1", "TA", "H2", "L39", 0), "1888-PRV-11")
    s = allows(t, s, LayPowerTile("p1", "TA", "H2", "L39", 5))
    assert stop_value(t, s, ("H2", 0), "3") == 50
    assert (s.owner["TA"], s.step) == ("JHR", "track"), "open, and the track action is left"
    refuses(t, s, LayPowerTile("p1", "TA", "H2", "L39", 5), "1888-PRV-17")
    values = dict(s.board.stop("H2", 0).tiers)
    assert values == {"yellow": 40, "green": 50, "brown": 60, "gray": 70}


@pytest.mark.rule("1888-PRV-06")
def test_powers_are_the_owning_companys_in_its_turn() -> None:
    t, s = railway().private(TA="p1").build()
    refuses(t, s, LayPowerTile("p1", "TA", "H2", "L39", 5), "1888-PRV-17")
    t, s = railway().private(TA="SSL").build()
    refuses(t, s, LayPowerTile("p1", "TA", "H2", "L39", 5), "1888-PRV-17")
    t, s = table("1888").private(TA="JHR").build()
    refuses(t, s, LayPowerTile("p1", "TA", "H2", "L39", 5), "1888-PRV-17")


@pytest.mark.rule("1888-PRV-07")
def test_an_unused_piece_cannot_be_laid_otherwise() -> None:
    t, s = railway("JZR", phase="5").tile("C7", "9", 1).build()
    refuses(t, s, LayTile("p1", "JZR", "C5", "L41", 1), "1888-TRK-04")
    refuses(t, s, LayPowerTile("p1", "HS", "C5", "L41", 1), "1888-PRV-17")


@pytest.mark.rule("1888-PRV-08")
def test_the_mountain_comes_free_and_unconnected() -> None:
    t, s = railway(cash=0).private(HS="JHR").build()
    s2 = allows(t, s, LayPowerTile("p1", "HS", "C5", "L41", 1))
    assert s2.board.placed["C5"] == ("L41", 1)
    assert s2.cash["JHR"] == 0
    t, s = railway().private(HS="JHR").tile("C5", "9", 1).build()
    refuses(t, s, LayPowerTile("p1", "HS", "C5", "L41", 1), "1888-PRV-08")


# Great Wall


def wall(*options: str) -> Table:
    return railway("JHR", "track", *options, cash=0).trains("JHR", "3").private(CW="JHR", HS="p2")


def goes_on(t: Title, s: State) -> State:
    """Who is asked passes, or does what he must."""
    (player,) = decision(t, s).players
    able = list(legal(t, s, player))
    return allows(t, s, Pass(player) if Pass(player) in able else able[0])


FIRST, SECOND = LayPowerTile("p1", "CW", "D2", "7", 3), LayPowerTile("p1", "CW", "D4", "9", 1)


@pytest.mark.rule("1888-PRV-10", "1888-PRV-17")
def test_one_or_two_joined_wall_tiles_beside_the_track_action() -> None:
    t, s = wall().build()
    first = allows(t, s, FIRST)
    assert decision(t, first).step == "track"
    second = allows(t, first, SECOND)
    assert set(second.board.placed) == {"D2", "D4"}
    assert second.lays == ()
    refuses(t, second, LayPowerTile("p1", "CW", "D6", "9", 1), "1888-PRV-17")


@pytest.mark.rule("1888-PRV-10")
def test_the_two_must_meet() -> None:
    t, s = wall().build()
    first = allows(t, s, FIRST)
    refuses(t, first, LayPowerTile("p1", "CW", "D4", "9", 0), "1888-PRV-10")
    refuses(t, first, LayPowerTile("p1", "CW", "D6", "9", 1), "1888-PRV-10")
    refuses(t, first, LayPowerTile("p1", "CW", "D8", "9", 1), "1888-PRV-10")
    assert {lay.hex for lay in offered(t, first, LayPowerTile)} == {"C3", "D4"}


@pytest.mark.rule("1888-PRV-10")
def test_other_actions_of_the_turn_may_come_between_the_two_wall_tiles() -> None:
    t, s = wall().private(HS="JHR").build()
    s = allows(t, allows(t, s, FIRST), LayPowerTile("p1", "HS", "C5", "L41", 0))
    while decision(t, s).step != "privates":
        s = goes_on(t, s)
    assert s.operating == "JHR", "the turn waits for what may still be laid"
    assert set(allows(t, s, SECOND).board.placed) == {"D2", "C5", "D4"}


@pytest.mark.rule("1888-PRV-10", "1888-PRV-12")
def test_the_ferry_may_come_between_the_two_wall_tiles() -> None:
    t, s = wall().private(YRF="JHR").build()
    s = allows(t, allows(t, s, FIRST), LayPowerTile("p1", "YRF", "E17", "L40a", 0))
    assert {lay.hex for lay in offered(t, s, LayPowerTile)} == {"C3", "D4"}
    assert set(allows(t, s, SECOND).board.placed) == {"D2", "D4", "E17", "F16"}


@pytest.mark.rule("1888-PRV-10")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_positions_from_when_the_second_tile_was_asked_for_at_once_go_on(options: tuple[str, ...]) -> None:
    """A stored game may wait for that answer, or have had it in an earlier turn."""
    t, s = wall(*options).tile("D2", "7", 3).set(used=frozenset({"CW"})).build()
    keep(s, first_tile="D2")
    refuses(t, s, SECOND, "1888-PRV-17")
    assert not offered(t, s, LayPowerTile)
    s.pending = (Pending("second tile", "p1", "CW"),)
    assert {lay.hex for lay in offered(t, s, LayPowerTile)} == {"C3", "D4"}
    assert decision(t, allows(t, s, SECOND)).step == "track"
    after = allows(t, s, Pass("p1"))
    refuses(t, after, SECOND, "1888-PRV-17")


@pytest.mark.rule("1888-PRV-10")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_the_second_wall_tile_is_laid_in_the_turn_of_the_first(options: tuple[str, ...]) -> None:
    laid = wall(*options).rounds(3, 1, 2).par("SSL", 70).shares("SSL", p2=6)
    t, s = laid.operating("JHR", then=("SSL",)).build()
    s = allows(t, s, FIRST)
    while s.operating != "JHR" or s.or_number == 1:
        s = goes_on(t, s)
    refuses(t, s, SECOND, "1888-PRV-17")
    assert not offered(t, s, LayPowerTile)


@pytest.mark.rule("1888-PRV-10", "1888-VAR-01")
def test_online_other_privates_of_the_company_may_lay_between_the_two_wall_tiles() -> None:
    t, s = wall("online").private(HS="JHR", YRF="JHR", TA="p1").build()
    first = allows(t, s, FIRST)
    assert {lay.private for lay in offered(t, first, LayPowerTile)} == {"CW", "HS"}
    refuses(t, first, LayPowerTile("p1", "YRF", "E17", "L40a", 0), "1888-PRV-10")
    refuses(t, first, LayPowerTile("p1", "TA", "H2", "L39", 0), "1888-PRV-17")
    between = allows(t, first, LayPowerTile("p1", "HS", "C5", "L41", 0))
    assert decision(t, between).step == "second tile"
    assert not allows(t, between, Pass("p1")).pending
    done = allows(t, between, SECOND)
    assert (set(done.board.placed), done.pending) == ({"D2", "C5", "D4"}, ())


@pytest.mark.rule("1888-PRV-08", "1888-PRV-10", "1888-PRV-11", "1888-TRK-14", "1888-VAR-01")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_the_second_wall_tile_is_bound_like_the_first(options: tuple[str, ...]) -> None:
    t, s = wall(*options).build()
    s.supply["7"] = 0
    refuses(t, s, LayPowerTile("p1", "CW", "D2", "7", 3), "1888-TRK-14")
    s.supply["7"] = 1
    first = allows(t, s, LayPowerTile("p1", "CW", "D2", "7", 3))
    assert "does not lay" in refuses(t, first, LayPowerTile("p1", "CW", "D8", "9", 1), "1888-PRV-10")
    refuses(t, first, LayPowerTile("p1", "CW", "D2", "8", 3), "1888-PRV-08")
    refuses(t, first, LayPowerTile("p1", "CW", "D4", "57", 1), "1888-PRV-11")
    refuses(t, first, LayPowerTile("p1", "CW", "C3", "5", 0), "1888-PRV-11")
    first.supply["9"] = 0
    refuses(t, first, LayPowerTile("p1", "CW", "D4", "9", 1), "1888-TRK-14")


@pytest.mark.rule("1888-PRV-11", "1888-TRK-18")
def test_wall_tiles_obey_kind_and_blank_sides() -> None:
    t, s = wall().build()
    refuses(t, s, LayPowerTile("p1", "CW", "C3", "9", 1), "1888-PRV-11")
    refuses(t, s, LayPowerTile("p1", "CW", "B8", "9", 0), "1888-PRV-11")
    refuses(t, s, LayPowerTile("p1", "CW", "C15", "9", 1), "1888-PRV-11")
    refuses(t, s, LayPowerTile("p1", "CW", "C5", "9", 1), "1888-PRV-10")
    after = allows(t, s, LayPowerTile("p1", "CW", "C3", "57", 2))
    assert after.cash["JHR"] == 0, "the 40 are waived"


@pytest.mark.rule("1888-PRV-10", "1888-VAR-01")
def test_online_asks_for_a_second_tile_in_any_case() -> None:
    t, s = wall("online").build()
    first = allows(t, s, LayPowerTile("p1", "CW", "B16", "1", 0))
    assert decision(t, first).step == "second tile"


# The ferry


@pytest.mark.rule("1888-PRV-12")
@pytest.mark.parametrize(("hex_id", "tile"), [("E17", "L40a"), ("F16", "L40b")])
def test_the_ferry_joins_dalian_and_yantai_for_all(hex_id: str, tile: str) -> None:
    t, s = railway(cash=0).private(YRF="JHR").par("LYR", 80).shares("LYR", p2=6).build()
    assert ("E17", 0) not in reach(s.board, "LYR").stops
    s = allows(t, s, LayPowerTile("p1", "YRF", hex_id, tile, 0))
    assert set(s.board.placed) == {"E17", "F16"}
    assert not s.pending
    assert ("E17", 0) in reach(s.board, "LYR").stops
    route = Route("2", ("F16.0", 3, "E17.0"))
    run = trace(s.board, route)
    assert isinstance(run, Run)
    assert t.policy.routes.income(t, s, "LYR", route, run)[0] == 40 + 30
    assert s.board.places("F16", 0) == ("LYR", None)


@pytest.mark.rule("1888-PRV-12")
def test_the_ferry_has_its_places() -> None:
    t, s = railway().private(YRF="JHR").build()
    refuses(t, s, LayPowerTile("p1", "YRF", "E17", "L40b", 0), "1888-PRV-11")
    refuses(t, s, LayPowerTile("p1", "YRF", "E17", "L40a", 1), "1888-PRV-12")


@pytest.mark.rule("1888-PRV-12", "1888-VAR-01")
def test_online_the_ferry_is_laid_in_two_actions() -> None:
    t, s = railway("JHR", "track", "online").private(YRF="JHR", HS="JHR").build()
    s = allows(t, s, LayPowerTile("p1", "YRF", "F16", "L40b", 0))
    refuses(t, s, LayPowerTile("p1", "HS", "C5", "L41", 0), "1888-PRV-10")
    assert set(s.board.placed) == {"F16"}
    refuses(t, s, Pass("p1"), "1888-PRV-12")
    s = allows(t, s, LayPowerTile("p1", "YRF", "E17", "L40a", 0))
    assert set(s.board.placed) == {"E17", "F16"}


# Forbidden City


def city(*options: str, **held: int) -> Table:
    """Forbidden City in p1's hands; JHR has its token in Beijing, SSL has none there."""
    found = table("1888", 3, *options).phase("3").par("JHR", 85).shares("JHR", held or {"p2": 6, "p1": 2, "pool": 1})
    return found.par("SSL", 85).shares("SSL", p2=6, p1=2).private(FC="p1").cash(p1=200)


@pytest.mark.rule("1888-PRV-13", "1888-PRV-15", "1888-PRV-17")
@pytest.mark.parametrize("source", ["ipo", "pool"])
def test_a_free_share_of_a_company_in_beijing(source: str) -> None:
    t, s = city().build()
    after = allows(t, s, ExchangePrivate("p1", "FC", "JHR", source))
    assert after.held("JHR", "p1") == 3
    assert after.held("JHR", source) == s.held("JHR", source) - 1
    assert (after.owner["FC"], after.cash["p1"]) == (CLOSED, 200)


@pytest.mark.rule("1888-PRV-13")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_only_with_a_token_in_beijing_and_in_the_own_turn(options: tuple[str, ...]) -> None:
    t, s = city(*options).build()
    refuses(t, s, ExchangePrivate("p1", "FC", "SSL", "ipo"), "1888-PRV-13")
    refuses(t, s, ExchangePrivate("p1", "FC", "JHR", "treasury"), "1888-PRV-13")
    refuses(t, s, ExchangePrivate("p1", "FC"), "1888-PRV-13")
    t, s = city(*options).private(FC="p2").build()
    refuses(t, s, ExchangePrivate("p1", "FC", "JHR", "ipo"), "1888-PRV-13")
    refuses(t, s, ExchangePrivate("p2", "FC", "JHR", "ipo"), "1888-SR-01")


@pytest.mark.rule("1888-PRV-14")
def test_it_is_the_turns_purchase_without_sales() -> None:
    t, s = city().build()
    after = allows(t, s, ExchangePrivate("p1", "FC", "JHR", "ipo"))
    assert decision(t, after).players == ("p2",), "the turn is over"
    assert after.last_actor == "p1"
    sold = allows(t, s, SellShares("p1", "SSL", 1))
    refuses(t, sold, ExchangePrivate("p1", "FC", "JHR", "ipo"), "1888-PRV-14")
    t, s = city().set(bought=True).build()
    refuses(t, s, ExchangePrivate("p1", "FC", "JHR", "ipo"), "1888-PRV-14")


@pytest.mark.rule("1888-PRV-15")
def test_limits_of_the_exchange() -> None:
    for options in ((), ("online",)):
        t, s = city(*options, p1=6, p2=2).build()
        refuses(t, s, ExchangePrivate("p1", "FC", "JHR", "ipo"), "1888-PRV-15")
    t, s = city().set(sold={"p1": frozenset({"JHR"})}).build()
    refuses(t, s, ExchangePrivate("p1", "FC", "JHR", "ipo"), "1888-PRV-15")
    found = city()
    for corp in ("CDL", "HJR", "TJL"):
        found = found.par(corp, 85).shares(corp, p1=6)
    t, s = found.shares("JHR", p1=2, p2=4).shares("SSL", p1=2, p2=2).build()
    s.president["JHR"] = s.president["SSL"] = "p2"

    assert certificates(t, s, "p1") == t.cert_limit == 20
    refuses(t, s, BuyShare("p1", "JHR", "ipo"), "1888-SR-06")
    allows(t, s, ExchangePrivate("p1", "FC", "JHR", "ipo"))


@pytest.mark.rule("1888-PRV-15", "1888-VAR-01")
def test_online_only_sales_of_the_turn_bar_it() -> None:
    t, s = city("online").set(sold={"p1": frozenset({"JHR"})}).build()
    allows(t, s, ExchangePrivate("p1", "FC", "JHR", "ipo"))
    sold = allows(t, s, SellShares("p1", "SSL", 1))
    refuses(t, sold, ExchangePrivate("p1", "FC", "JHR", "ipo"), "1888-PRV-14")


@pytest.mark.rule("1888-PRV-16")
def test_a_company_only_collects_its_income() -> None:
    t, s = city().private(FC="JHR").build()
    refuses(t, s, ExchangePrivate("p1", "FC", "JHR", "ipo"), "1888-PRV-13")


@pytest.mark.rule("1888-VAR-02")
def test_the_prototypes_forbidden_city() -> None:
    t, s = city("prototype").build()
    refuses(t, s, ExchangePrivate("p1", "FC", "JHR", "pool"), "1888-PRV-13")
    after = allows(t, s, ExchangePrivate("p1", "FC", "JHR", "ipo"))
    assert decision(t, after).players == ("p1",)
    allows(t, after, BuyShare("p1", "SSL", "ipo"))


@pytest.mark.rule("1888-VAR-01", "1888-PRV-13")
@pytest.mark.parametrize(("options", "asked"), [((), "p1"), (("online",), "p2")])
def test_who_can_only_exchange_is_asked_but_not_online(options: tuple[str, ...], asked: str) -> None:
    found = table("1888", 3, *options).phase("3").par("JHR", 85).shares("JHR", p2=6).private(FC="p1")
    t, s = found.cash(p1=0).build()
    s.up = "p3"
    assert decision(t, allows(t, s, Pass("p3"))).players == (asked,)


@pytest.mark.rule("1888-VAR-01", "1888-VAR-02", "1888-PRV-13")
@pytest.mark.parametrize("options", [(), ("online",), ("prototype",), ("prototype", "online")])
def test_the_prototypes_forbidden_city_is_exchanged_in_anybodys_turn_online(options: tuple[str, ...]) -> None:
    t, s = city(*options).build()
    s.up = "p2"
    swap = ExchangePrivate("p1", "FC", "JHR", "ipo")
    if len(options) < 2:
        refuses(t, s, swap, "1888-SR-01")
        return
    assert swap in legal(t, s, "p1")
    after = allows(t, s, swap)
    assert (after.held("JHR", "p1"), after.owner["FC"], after.up) == (3, CLOSED, "p2")
    assert allows(t, after, Pass("p2")).passes == 1, "it was no part of anybody's turn"
    in_operating_round = city(*options).operating("JHR").build()
    assert "owner's turn" not in refuses(*in_operating_round, swap, "1888-PRV-13"), "anybody's will do"


def unused(t: Title, s: State) -> set[str]:
    return {a.private for a in legal(t, s, "p1") if isinstance(a, LayPowerTile)}


@pytest.mark.rule("1888-OR-04")
def test_powers_at_any_step_and_a_last_chance() -> None:
    for step in ("track", "token", "dividend", "trains", "privates"):
        t, s = railway("JHR", step).trains("JHR", "3").set(income=50).private(TA="JHR", HS="JHR").build()
        assert unused(t, s) == {"TA", "HS"}
    t, s = railway("JHR", "trains", phase="3").trains("JHR", "3").private(TA="JHR").build()
    s = allows(t, s, Pass("p1"))
    assert decision(t, s).step == "privates"
