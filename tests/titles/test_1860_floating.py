"""1860: when a company floats and what it brings to the map."""

from __future__ import annotations

import pytest
from tables import Table, allows, ends_round, facts, keep, play, refuses, table, tokens_at
from tables_1860 import at, lay, par, price_of

from engine import BANK, IPO, POOL, decision, legal
from engine.actions import BuyShare, ExchangePrivate, LayTile, Pass, SellShares
from engine.facts import Floated, TileLaid, TokenPlaced
from engine.ids import CREDITS
from engine.market import in_order
from engine.titles.t1860.companies import home_stop, sold_to_players


def nearly(corp: str = "FYN", quote: int = 62, pool: int = 0, options: tuple[str, ...] = (), **held: int) -> Table:
    """A company with its par and no operating turn yet; p1 is up with 1000."""
    laid = table("1860", 3, *options).par(corp, quote).shares(corp, held or {"p1": 4}, pool=pool)
    return laid.cash(p1=1000, p2=1000, p3=1000)


@pytest.mark.rule("1860-FLT-01")
@pytest.mark.parametrize(
    ("held", "pool", "floats"),
    [
        ({"p1": 4}, 0, True),
        ({"p1": 3}, 0, False),
        ({"p1": 3}, 2, False),
        ({"p1": 4}, 2, True),
        ({"p1": 2, "p2": 2}, 3, True),
    ],
)
def test_half_the_shares_with_players_float_a_company(held: dict[str, int], pool: int, floats: bool) -> None:
    t, s = nearly().shares("FYN", held, pool=pool).build()
    s.floated = frozenset()
    after = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert ("FYN" in after.floated) is floats


@pytest.mark.rule("1860-FLT-01")
def test_fifty_per_cent_bought_of_which_ten_sold_back_is_not_yet_half() -> None:
    t, s = nearly(p1=3, p2=1).build()
    sold = allows(t, s, SellShares("p1", "FYN", 1))
    sold = allows(t, allows(t, sold, Pass("p1")), BuyShare("p2", "FYN", IPO))
    assert sold_to_players(t, sold, "FYN") == 4
    assert "FYN" not in sold.floated


@pytest.mark.rule("1860-FLT-01", "1860-PRV-07")
def test_an_exchange_can_float_a_company() -> None:
    t, s = nearly(p1=4).private(YHC="p2").stock("p2").build()
    after = allows(t, s, ExchangePrivate("p2", "YHC"))
    assert "FYN" in after.floated
    assert (decision(t, after).players, decision(t, after).step) == (("p1",), "home tile"), "the director lays it"


@pytest.mark.rule("1860-FLT-02")
@pytest.mark.parametrize(("corp", "quote", "capital"), [("FYN", 62, 620), ("FYN", 82, 820), ("IOW", 100, 1000)])
def test_ten_times_par_in_credits(corp: str, quote: int, capital: int) -> None:
    t, s = nearly(corp, quote).build()
    after = allows(t, s, BuyShare("p1", corp, IPO))
    assert after.cash[corp] == capital
    assert after.cash[BANK] == s.cash[BANK] + quote
    assert after.cash[CREDITS] == s.cash[CREDITS] - capital
    assert facts(after, Floated) == [Floated(corp, capital)]


@pytest.mark.rule("1860-FLT-02", "1860-MKT-08")
def test_the_floating_company_goes_under_others_at_its_par() -> None:
    t, s = nearly().par("IWNJ", 62).shares("IWNJ", p2=5).build()
    s.arrived["FYN"], s.arrived["IWNJ"], s.tickets = 1, 2, 2
    after = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert price_of(t, after, "FYN") == 62
    assert in_order(t, after, ["FYN", "IWNJ"]) == ["IWNJ", "FYN"]


@pytest.mark.rule("1860-FLT-02", "1860-SET-08")
def test_the_home_base_lies_at_once_in_the_stock_round() -> None:
    t, s = nearly("IOW", 74).build()
    after = allows(t, s, BuyShare("p1", "IOW", IPO))
    assert after.round == "SR"
    assert tokens_at(after, "I3") == ("IOW",)
    assert after.tokens["IOW"] == (40, 100, 100)
    assert [(fact.stop, fact.cost, fact.home) for fact in facts(after, TokenPlaced)] == [("I3.0", 0, True)]
    assert home_stop(t, after, "IOW") == ("I3", 0)
    assert home_stop(t, s, "IOW") is None


@pytest.mark.rule("1860-FLT-03")
@pytest.mark.parametrize(
    ("corp", "quote", "asked"),
    [
        ("IOW", 74, False),
        ("IWNJ", 62, False),
        ("FYN", 62, True),
        ("C&N", 74, True),
        ("S&C", 54, True),
        ("VYSC", 54, True),
    ],
)
def test_only_an_empty_home_takes_a_tile(corp: str, quote: int, asked: bool) -> None:
    t, s = nearly(corp, quote).build()
    after = allows(t, s, BuyShare("p1", corp, IPO))
    assert (decision(t, after).step == "home tile") is asked


@pytest.mark.rule("1860-FLT-03")
def test_a_home_that_has_a_tile_already_takes_none() -> None:
    t, s = nearly().tile("B4", "57", 0).build()
    after = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert decision(t, after).step != "home tile"
    assert tokens_at(after, "B4") == ("FYN",)


@pytest.mark.rule("1860-FLT-03")
def test_the_director_lays_a_fitting_yellow_tile_under_the_normal_rules() -> None:
    t, s = nearly().build()
    s = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert {action.tile for action in legal(t, s, "p1") if isinstance(action, LayTile)} == {"5", "115"}
    refuses(t, s, Pass("p1"), "1860-SR-03")
    refuses(t, s, lay("B6", "6", 0, "FYN"), "1860-FLT-03")
    refuses(t, s, lay("B4", "746", 0, "FYN"), "1860-TRK-13")
    refuses(t, s, lay("B4", "7", 0, "FYN"), "1860-TRK-06")
    refuses(t, s, lay("B4", "12", 0, "FYN"), "1860-TRK-08")
    refuses(t, s, lay("B4", "115", 1, "FYN"), "1860-TRK-05")
    s.supply["5"] = 0
    refuses(t, s, lay("B4", "5", 5, "FYN"), "1860-TRK-06")
    after = allows(t, s, lay("B4", "115", 0, "FYN"))
    assert (after.cash["FYN"], facts(after, TileLaid)[0].cost) == (620, 0)
    assert after.pending == ()


@pytest.mark.rule("1860-FLT-03")
def test_the_tile_of_cowes_leads_to_cement_mills_or_west_of_it() -> None:
    t, s = nearly("C&N", 74).build()
    s = allows(t, s, BuyShare("p1", "C&N", IPO))
    rotations = {(a.tile, a.rotation) for a in legal(t, s, "p1") if isinstance(a, LayTile)}
    assert rotations == {("787", 0), ("787", 1)}


@pytest.mark.rule("1860-FLT-03", "1860-TRK-01")
def test_the_home_tile_is_none_of_the_first_turns_lays() -> None:
    t, s = nearly().build()
    s = play(t, s, BuyShare("p1", "FYN", IPO), lay("B4", "115", 0, "FYN"))
    s = ends_round(t, s)
    assert (s.operating, s.step) == ("FYN", "track")
    first = allows(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, LayTile)))
    assert "B6" in first.board.placed


@pytest.mark.rule("1860-FLT-04")
def test_without_a_legal_tile_only_the_base_is_placed() -> None:
    t, s = nearly().build()
    for tile in ("5", "6", "57", "115"):
        s.supply[tile] = 0
    after = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert after.pending == ()
    assert tokens_at(after, "B4") == ("FYN",)
    assert "B4" not in after.board.placed


@pytest.mark.rule("1860-FLT-05")
def test_floated_stays_floated_whatever_is_sold() -> None:
    t, s = nearly("IOW", 74, p1=5).build()
    after = allows(t, s, SellShares("p1", "IOW", 5))
    assert "IOW" in after.floated
    assert after.president["IOW"] == POOL


@pytest.mark.rule("1860-FLT-07")
def test_after_the_southern_stock_round_no_tile_and_no_base_come_with_it() -> None:
    for southern, based in (("formed", True), ("over", False)):
        t, s = nearly().own(layer=4, southern=southern).build()
        after = allows(t, s, BuyShare("p1", "FYN", IPO))
        assert after.cash["FYN"] == 620
        assert (after.board.token_stops("FYN") != ()) is based
        assert (decision(t, after).step == "home tile") is based
        assert after.tokens["FYN"] == ((40, 100) if based else (0, 40, 100))


@pytest.mark.rule("1860-FLT-07")
def test_nor_does_a_base_come_with_its_first_turn() -> None:
    t, s = nearly().own(layer=4, southern="over").build()
    s = allows(t, s, BuyShare("p1", "FYN", IPO))
    s = ends_round(t, s)
    assert s.operating == "FYN"
    assert not s.board.token_stops("FYN")


@pytest.mark.rule("1860-OR-01")
def test_what_has_not_floated_does_not_operate() -> None:
    t, s = nearly(p1=3).par("IOW", 74).shares("IOW", p2=5).build()
    s = ends_round(t, s)
    assert s.operating == "IOW"
    assert "FYN" not in s.queue


@pytest.mark.rule("1860-EMR-22", "1860-EMR-23", "1860-EMR-17")
def test_a_refloated_company_has_its_old_home_and_no_new_tile() -> None:
    t, s = table("1860", 3).cash(p1=900).token("S&C", "F12").tile("F12", "57", 1).own(layer=4).build()
    keep(s, bankrupt=("S&C",))
    s.tokens["S&C"] = (40,)
    s = allows(t, s, par("p1", "S&C", 44))
    assert s.cell["S&C"] == at(44)
    s.shares["S&C"] = {IPO: 6, "p1": 4}
    s.bought, s.up = False, "p1"
    after = allows(t, s, BuyShare("p1", "S&C", IPO))
    assert (after.tokens["S&C"], after.pending) == ((40,), ())
    assert after.cash["S&C"] == 440


@pytest.mark.rule("1860-FLT-03", "1860-FLT-04", "1860-EMR-23")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_a_refloated_company_lays_the_home_tile_that_was_not_to_be_had_before(options: tuple[str, ...]) -> None:
    t, s = nearly(p1=4, options=options).token("FYN", "B4").own(bankrupt=("FYN",)).build()
    s.floated, bases = frozenset(), s.tokens["FYN"]
    asked = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert (decision(t, asked).players, decision(t, asked).step) == (("p1",), "home tile")
    assert (tokens_at(asked, "B4"), asked.tokens["FYN"]) == (("FYN",), bases), "its base lies there as before"
    laid = allows(t, asked, lay("B4", "115", 0, "FYN"))
    assert (laid.pending, laid.up) == ((), "p2")
    for tile in ("5", "6", "57", "115"):
        s.supply[tile] = 0
    bare = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert bool(bare.pending) is bool(options)
