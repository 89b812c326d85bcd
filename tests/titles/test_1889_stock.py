"""1889: stock rounds, the market, flotation."""

from __future__ import annotations

import pytest
from tables import allows, ends_round, facts, play, refuses, table

from engine import BANK, POOL, State, Title, apply, certificates, decision, legal
from engine.actions import BuyShare, ExchangePrivate, Par, Pass, RunTrains, SellShares
from engine.facts import CashMoved, Floated, PriceMoved, RoundBegan
from engine.ids import IPO
from engine.market import down, in_order, left, price, right, up

PARS = {65: (5, 3), 70: (4, 3), 75: (3, 3), 80: (2, 3), 90: (1, 3), 100: (0, 3)}


# Turns


@pytest.mark.rule("1889-SR-01")
def test_the_priority_holder_begins_and_it_goes_clockwise() -> None:
    t, s = table("1889", 3).par("AR").shares("AR", p1=3, p2=2).operating("AR", "trains").set(priority="p2").build()
    s.trains["AR"] = ("2",)
    s = allows(t, s, Pass("p1"))
    assert (s.round, s.turn) == ("SR", 3)
    assert decision(t, s).players == ("p2",)
    assert decision(t, allows(t, s, Pass("p2"))).players == ("p3",)


@pytest.mark.rule("1889-SR-02")
def test_whoever_does_something_else_reads_what_is_asked() -> None:
    t, s = table("1889", 3).stock().build()
    asked = "buy a share, start a company, sell shares or pass"
    assert f"it is up to you to {asked}." in refuses(t, s, RunTrains("p1", "AR", ()), "1889-SR-02")
    assert f"it is up to Ann to {asked}." in refuses(t, s, RunTrains("p2", "AR", ()), "1889-SR-02")


@pytest.mark.rule("1889-SR-02")
def test_one_purchase_in_a_turn() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=3, p2=2).build()
    s = allows(t, s, BuyShare("p1", "AR", "ipo"))
    assert decision(t, s).players == ("p1",), "he may still sell"
    refuses(t, s, BuyShare("p1", "AR", "ipo"), "1889-SR-02")
    refuses(t, s, Par("p1", "SR", 5, 3), "1889-SR-02")


@pytest.mark.rule("1889-SR-02")
def test_sell_buy_sell_is_refused() -> None:
    t, s = table("1889").par("AR").par("SR").par("KO").shares("AR", p1=3).shares("SR", p1=3).shares("KO", p1=2).build()
    s = play(t, s, SellShares("p1", "AR", 1), BuyShare("p1", "KO", "ipo"))
    assert decision(t, s).players == ("p2",), "nothing is left to do in such a turn"
    laid = table("1889").par("AR").shares("AR", p1=3).par("SR").shares("SR", p1=4)
    t, s = laid.set(bought=True, sold_first=True).build()
    refuses(t, s, SellShares("p1", "SR", 1), "1889-SR-02")


@pytest.mark.rule("1889-SR-02", "1889-SR-06", "1889-SR-10")
def test_example_buy_at_par_and_sell_dearer_in_one_turn() -> None:
    t, s = table("1889").par("AR", 65, at=(0, 3)).shares("AR", p1=3, p2=2).cash(p1=65).build()
    s = allows(t, s, BuyShare("p1", "AR", "ipo"))
    assert s.cash["p1"] == 0
    s = allows(t, s, SellShares("p1", "AR", 1))
    assert s.cash["p1"] == 100


@pytest.mark.rule("1889-SR-03", "1889-SR-04")
def test_who_passed_may_act_later_and_the_round_ends_when_all_pass() -> None:
    t, s = table("1889", 3).par("AR").shares("AR", p1=3, p2=2).build()
    s = play(t, s, Pass("p1"), BuyShare("p2", "AR", "ipo"), Pass("p2"), Pass("p3"))
    assert decision(t, s).players == ("p1",)
    s = play(t, s, BuyShare("p1", "AR", "ipo"), Pass("p1"))
    for player in ("p2", "p3"):
        assert s.round == "SR"
        s = allows(t, s, Pass(player))
    assert s.round == "SR"
    s = allows(t, s, Pass("p1"))
    assert s.round == "OR"


@pytest.mark.rule("1889-SR-03")
def test_a_turn_with_only_a_sale_is_no_pass() -> None:
    t, s = table("1889", 2).par("AR").shares("AR", p1=4, p2=2).build()
    s = play(t, s, SellShares("p1", "AR", 1), Pass("p1"), Pass("p2"))
    assert s.round == "SR"


@pytest.mark.rule("1889-SR-05")
def test_priority_goes_to_the_left_of_the_last_to_act() -> None:
    t, s = table("1889", 3).par("AR").shares("AR", p1=3, p2=2).build()
    s = allows(t, s, Pass("p1"))
    s = ends_round(t, allows(t, s, BuyShare("p2", "AR", "ipo")))
    assert s.priority == "p3"
    t, s = table("1889", 3).par("AR").shares("AR", p1=3, p2=2).set(priority="p1").build()
    assert ends_round(t, s).priority == "p1", "nobody acted: it stays"


# Buying


@pytest.mark.rule("1889-SR-06", "1889-FLT-06")
def test_par_in_the_offering_and_market_price_in_the_market() -> None:
    t, s = table("1889").par("AR", 75, at=(2, 6)).shares("AR", p2=5, pool=2).build()
    bank = s.cash[BANK]
    from_offering = allows(t, s, BuyShare("p1", "AR", "ipo"))
    assert (from_offering.cash["p1"], from_offering.cash[BANK]) == (420 - 75, bank + 75)
    from_market = allows(t, s, BuyShare("p1", "AR", "pool"))
    assert from_market.cash["p1"] == 420 - 110
    assert from_market.cash["AR"] == s.cash["AR"], "the company gets nothing"
    refuses(t, s, BuyShare("p1", "AR", "bank"), "1889-SR-06")
    refuses(t, s, BuyShare("p1", "AR", "p2"), "1889-SR-06")


@pytest.mark.rule("1889-SR-06")
def test_nothing_is_bought_from_an_empty_place() -> None:
    t, s = table("1889").par("AR").shares("AR", p2=5, p3=5).build()
    refuses(t, s, BuyShare("p1", "AR", "ipo"), "1889-SR-06")
    refuses(t, s, BuyShare("p1", "AR", "pool"), "1889-SR-06")


@pytest.mark.rule("1889-SR-26")
def test_no_credit() -> None:
    t, s = table("1889").par("AR").shares("AR", p2=5, pool=1).cash(p1=99).build()
    assert "¥99" in refuses(t, s, BuyShare("p1", "AR", "ipo"), "1889-SR-26")
    refuses(t, s, Par("p1", "SR", 5, 3), "1889-SR-26")
    t, s = table("1889").cash(p1=131).build()
    assert "¥140" in refuses(t, s, Par("p1", "SR", *PARS[70]), "1889-SR-26")
    s = allows(t, s, Par("p1", "SR", *PARS[65]))
    assert s.cash["p1"] == 1


@pytest.mark.rule("1889-SR-25", "1889-MKT-14")
@pytest.mark.parametrize("par", PARS)
def test_the_first_certificate_is_the_presidents_and_sets_par(par: int) -> None:
    t, s = table("1889").build()
    refuses(t, s, BuyShare("p1", "AR", "ipo"), "1889-SR-25")
    s = allows(t, s, Par("p1", "AR", *PARS[par]))
    assert s.par["AR"] == par
    assert s.cell["AR"] == PARS[par]
    assert price(t, s, "AR") == par
    assert s.held("AR", "p1") == 2
    assert s.president["AR"] == "p1"
    assert s.cash["p1"] == 420 - 2 * par


@pytest.mark.rule("1889-SR-25")
@pytest.mark.parametrize("cell", [(0, 0), (6, 3), (3, 4), (-1, 3), (99, 99), (5, -4)])
def test_par_only_in_the_marked_cells(cell: tuple[int, int]) -> None:
    t, s = table("1889").build()
    assert "¥65, ¥70, ¥75, ¥80, ¥90, ¥100" in refuses(t, s, Par("p1", "AR", *cell), "1889-SR-25")


@pytest.mark.rule("1889-SR-25")
def test_par_is_set_once() -> None:
    t, s = table("1889").par("AR").shares("AR", p2=2).build()
    refuses(t, s, Par("p1", "AR", *PARS[65]), "1889-SR-25")


@pytest.mark.rule("1889-MKT-14", "1889-MKT-09")
def test_a_new_company_lies_below_others_on_its_par() -> None:
    t, s = table("1889").par("AR", 65).shares("AR", p2=2).build()
    s = allows(t, s, Par("p1", "SR", *PARS[65]))
    assert in_order(t, s, ["SR", "AR"]) == ["AR", "SR"]


@pytest.mark.rule("1889-SR-10")
def test_sold_shares_are_not_bought_back_in_the_round() -> None:
    t, s = table("1889", 2).par("AR").shares("AR", p1=4, p2=2, pool=1).build()
    s = allows(t, s, SellShares("p1", "AR", 1))
    refuses(t, s, BuyShare("p1", "AR", "pool"), "1889-SR-10")
    s = allows(t, allows(t, s, Pass("p1")), Pass("p2"))
    refuses(t, s, BuyShare("p1", "AR", "ipo"), "1889-SR-10")
    s = ends_round(t, s)
    assert s.round == "OR"
    s.operating, s.queue, s.step = "AR", (), "trains"
    s.trains["AR"] = ("2",)
    s = apply(t, s, Pass("p1"))
    assert (s.round, s.sold) == ("SR", {})


@pytest.mark.rule("1889-SR-12")
def test_sixty_percent_at_most() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=6, pool=1).build()
    assert "60 %" in refuses(t, s, BuyShare("p1", "AR", "ipo"), "1889-SR-12")
    refuses(t, s, BuyShare("p1", "AR", "pool"), "1889-SR-12")
    t, s = table("1889").par("AR").shares("AR", p1=5).build()
    allows(t, s, BuyShare("p1", "AR", "ipo"))


@pytest.mark.rule("1889-SR-12", "1889-MKT-03")
def test_orange_lifts_the_limit_of_sixty_percent() -> None:
    t, s = table("1889").par("AR", 65, at=(8, 0)).shares("AR", p1=6, pool=2).build()
    s = allows(t, s, BuyShare("p1", "AR", "pool"))
    assert s.held("AR", "p1") == 7
    t, s = table("1889").par("AR", 65, at=(7, 0)).shares("AR", p1=6, pool=2).build()
    refuses(t, s, BuyShare("p1", "AR", "pool"), "1889-SR-12")


@pytest.mark.rule("1889-SR-13")
def test_above_sixty_percent_outside_orange_he_must_sell_down() -> None:
    t, s = table("1889").par("AR", 65, at=(7, 0)).par("SR").shares("AR", p1=8).shares("SR", p2=3).build()
    assert "80 %" in refuses(t, s, BuyShare("p1", "SR", "ipo"), "1889-SR-18")
    refuses(t, s, Par("p1", "KO", *PARS[65]), "1889-SR-18")
    refuses(t, s, Pass("p1"), "1889-SR-18")
    assert "2 shares" in refuses(t, s, SellShares("p1", "AR", 1), "1889-SR-13")
    s = allows(t, s, SellShares("p1", "AR", 2))
    allows(t, s, BuyShare("p1", "SR", "ipo"))
    t, s = table("1889").par("AR", 65, at=(7, 0)).shares("AR", p1=7, pool=3).build()
    allows(t, s, SellShares("p1", "AR", 1))
    t, s = table("1889").par("AR", 65, at=(7, 0)).shares("AR", p1=8, pool=2).build()
    refuses(t, s, SellShares("p1", "AR", 1), "1889-SR-13")
    t, s = table("1889", 3, "online").par("AR", 65, at=(7, 0)).shares("AR", p1=8).build()
    allows(t, s, SellShares("p1", "AR", 1))


@pytest.mark.rule("1889-SR-13", "1889-SR-19")
def test_other_sales_do_not_help_against_sixty_percent() -> None:
    """With no room in the market for the company he has too much of, the player goes on."""

    def position(*options: str) -> tuple[Title, State]:
        board = table("1889", 3, *options).par("AR", 65, at=(4, 0)).shares("AR", p1=8, pool=2)
        board.par("SR").shares("SR", p2=3, p1=2)
        return board.set(sold_now=("AR",)).build()  # its one block of this turn is sold

    t, s = position()
    allows(t, s, Pass("p1"))
    t, s = position("online")
    refuses(t, s, Pass("p1"), "1889-SR-18")
    allows(t, allows(t, s, SellShares("p1", "SR", 2)), Pass("p1"))


@pytest.mark.rule("1889-SR-14", "1889-SR-15", "1889-SR-17")
def test_at_the_certificate_limit_nothing_that_counts_is_bought() -> None:
    laid = table("1889", 6).par("AR").par("SR").par("KO").shares("AR", p1=6)
    t, s = laid.shares("SR", p1=5).shares("KO", p2=3).private(A="p1", B="p1").cash(p1=500).build()
    assert certificates(t, s, "p1") == 5 + 4 + 2 == 11
    assert "11" in refuses(t, s, BuyShare("p1", "KO", "ipo"), "1889-SR-17")
    refuses(t, s, Par("p1", "TR", *PARS[65]), "1889-SR-17")
    s = allows(t, s, SellShares("p1", "AR", 1))
    allows(t, s, BuyShare("p1", "KO", "ipo"))


@pytest.mark.rule("1889-SR-16", "1889-MKT-02")
def test_yellow_certificates_do_not_count_and_can_be_bought_at_the_limit() -> None:
    laid = table("1889", 6).par("AR").par("SR").par("KO", 65, at=(5, 0))
    t, s = laid.shares("AR", p1=6).shares("SR", p1=5).shares("KO", p2=5, pool=2).private(A="p1", B="p1").build()
    assert price(t, s, "KO") == 50
    s = allows(t, s, BuyShare("p1", "KO", "pool"))
    assert certificates(t, s, "p1") == 11


@pytest.mark.rule("1889-SR-18")
def test_over_the_certificate_limit_he_must_sell_first() -> None:
    laid = table("1889", 6).par("AR").par("SR").par("KO", 65, at=(5, 0)).shares("AR", p1=6)
    t, s = laid.shares("SR", p1=5).shares("KO", p2=5, pool=2).private(A="p1", B="p1", C="p1").build()
    assert certificates(t, s, "p1") == 12
    refuses(t, s, BuyShare("p1", "KO", "pool"), "1889-SR-18")
    assert "12 certificates" in refuses(t, s, Pass("p1"), "1889-SR-18")
    s = allows(t, s, SellShares("p1", "AR", 1))
    allows(t, s, BuyShare("p1", "KO", "pool"))
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1889-SR-18")
def test_the_limit_is_not_enforced_in_operating_rounds() -> None:
    laid = table("1889", 6).par("SR").shares("SR", p1=6).shares("AR", p1=6)
    t, s = laid.private(A="p1", B="p1", C="p1").operating("AR").build()
    assert certificates(t, s, "p1") > t.cert_limit
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1889-SR-19")
def test_without_a_legal_sale_he_goes_on_but_buys_nothing_that_counts() -> None:
    laid = table("1889", 6).par("AR").par("SR").par("KO", 65, at=(5, 0)).par("TR").shares("AR", p1=5, pool=5)
    laid = laid.shares("SR", p1=5, pool=5).shares("KO", p2=5, pool=2).shares("TR", p2=3)
    t, s = laid.private(A="p1", B="p1", C="p1", D="p1").build()
    assert certificates(t, s, "p1") == 12
    refuses(t, s, BuyShare("p1", "TR", "ipo"), "1889-SR-17")
    allows(t, s, BuyShare("p1", "KO", "pool"))
    allows(t, s, Pass("p1"))


# Selling


@pytest.mark.rule("1889-SR-07", "1889-MKT-07")
def test_example_three_sold_at_ninety() -> None:
    t, s = table("1889").par("AR", 90).shares("AR", p1=5).build()
    s = allows(t, s, SellShares("p1", "AR", 3))
    assert s.cash["p1"] == 420 + 270
    assert s.cell["AR"] == (4, 3)
    assert price(t, s, "AR") == 70
    assert s.held("AR", POOL) == 3


@pytest.mark.rule("1889-SR-07")
@pytest.mark.parametrize("count", [0, -1, 6, 10**9])
def test_only_shares_that_he_has_are_sold(count: int) -> None:
    t, s = table("1889").par("AR", 90).shares("AR", p1=5).build()
    refuses(t, s, SellShares("p1", "AR", count), "1889-SR-07")


@pytest.mark.rule("1889-SR-08")
def test_one_block_for_each_company_and_turn() -> None:
    t, s = table("1889", 2).par("AR").shares("AR", p1=6).build()
    s = allows(t, s, SellShares("p1", "AR", 1))
    refuses(t, s, SellShares("p1", "AR", 1), "1889-SR-08")
    s = allows(t, allows(t, s, Pass("p1")), Pass("p2"))
    allows(t, s, SellShares("p1", "AR", 1))


@pytest.mark.rule("1889-SR-09")
def test_blocks_are_priced_when_they_are_sold_in_the_order_he_likes() -> None:
    for order in (("AR", "SR"), ("SR", "AR")):
        t, s = table("1889").par("AR", 100).par("SR", 90).shares("AR", p1=4).shares("SR", p1=4).cash(p1=0).build()
        for corp in order:
            s = allows(t, s, SellShares("p1", corp, 2))
        assert s.cash["p1"] == 200 + 180


@pytest.mark.rule("1889-SR-11")
def test_half_of_a_company_at_most_lies_in_the_market() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=6, pool=3).build()
    assert "room for 2 shares" in refuses(t, s, SellShares("p1", "AR", 3), "1889-SR-11")
    s = allows(t, s, SellShares("p1", "AR", 2))
    assert s.held("AR", POOL) == 5
    t, s = table("1889").par("AR").shares("AR", p1=5, pool=5).build()
    assert "takes no more of AR" in refuses(t, s, SellShares("p1", "AR", 1), "1889-SR-11")


# Presidency


@pytest.mark.rule("1889-SR-20", "1889-SR-21")
def test_more_shares_make_president_equality_does_not() -> None:
    t, s = table("1889").par("AR").shares("AR", p2=3, p1=2).trains("AR", "2").cash(AR=500).build()
    s = allows(t, s, BuyShare("p1", "AR", "ipo"))
    assert s.president["AR"] == "p2"
    s = apply(t, apply(t, apply(t, s, Pass("p1")), Pass("p2")), Pass("p3"))
    s = allows(t, s, BuyShare("p1", "AR", "ipo"))
    assert s.president["AR"] == "p1"
    assert s.trains["AR"] == ("2",)
    assert s.cash["AR"] == 500
    assert (s.held("AR", "p1"), s.held("AR", "p2")) == (4, 3)
    assert certificates(t, s, "p1") == 3
    assert certificates(t, s, "p2") == 3


@pytest.mark.rule("1889-SR-22", "1889-SR-23")
def test_the_last_twenty_percent_stay_without_an_heir() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=3, p2=1, p3=1).build()
    allows(t, s, SellShares("p1", "AR", 1))
    refuses(t, s, SellShares("p1", "AR", 2), "1889-SR-23")
    refuses(t, s, SellShares("p1", "AR", 3), "1889-SR-23")


@pytest.mark.rule("1889-SR-21", "1889-SR-22", "1889-SR-23")
def test_example_selling_out_of_a_presidency() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=3, p2=2).build()
    s = allows(t, s, SellShares("p1", "AR", 2))
    assert s.president["AR"] == "p2"
    assert (s.held("AR", "p1"), s.held("AR", "p2"), s.held("AR", POOL)) == (1, 2, 2)
    assert (certificates(t, s, "p1"), certificates(t, s, "p2")) == (1, 1)


@pytest.mark.rule("1889-SR-23")
def test_selling_out_needs_room_in_the_market() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=3, p2=2, pool=4).build()
    allows(t, s, SellShares("p1", "AR", 1))
    refuses(t, s, SellShares("p1", "AR", 2), "1889-SR-11")


@pytest.mark.rule("1889-SR-24")
@pytest.mark.parametrize(("seller", "heir"), [("p1", "p2"), ("p3", "p4")])
def test_the_nearest_to_the_left_succeeds(seller: str, heir: str) -> None:
    others = {"p1": 2, "p2": 2, "p3": 2, "p4": 2} | {seller: 2}
    t, s = table("1889", 4).par("AR").shares("AR", others, president=seller).stock(up=seller).build()
    s = allows(t, s, SellShares(seller, "AR", 1))
    assert s.president["AR"] == heir


@pytest.mark.rule("1889-SR-24", "1889-SR-20")
def test_the_largest_holding_succeeds_before_the_nearest() -> None:
    t, s = table("1889", 4).par("AR").shares("AR", p1=4, p2=2, p4=3).build()
    s = allows(t, s, SellShares("p1", "AR", 3))
    assert s.president["AR"] == "p4"


@pytest.mark.rule("1889-SR-26")
def test_players_do_not_trade_shares() -> None:
    t, s = table("1889").par("AR").shares("AR", p2=5).build()
    sources = {action.source for action in legal(t, s, "p1") if isinstance(action, BuyShare)}
    assert sources == {IPO}


# End of the round


@pytest.mark.rule("1889-SR-27", "1889-MKT-11")
def test_sold_out_companies_rise() -> None:
    t, s = table("1889").par("AR", 100, at=(2, 6)).par("SR").shares("AR", p1=6, p2=4).shares("SR", p1=5, pool=5).build()
    s = ends_round(t, s)
    assert s.cell["AR"] == (1, 6)
    assert price(t, s, "AR") == 125
    assert s.cell["SR"] == (0, 3)


@pytest.mark.rule("1889-SR-27", "1889-MKT-06")
def test_sold_out_in_the_top_row_stays() -> None:
    t, s = table("1889").par("AR", 100, at=(0, 6)).shares("AR", p1=6, p2=4).build()
    s = ends_round(t, s)
    assert s.cell["AR"] == (0, 6)
    assert not [move for move in facts(s, PriceMoved) if move.corp == "AR"]


@pytest.mark.rule("1889-SR-27", "1889-MKT-09")
@pytest.mark.parametrize(("upper", "lower"), [("AR", "SR"), ("SR", "AR")])
def test_sold_out_companies_move_in_share_price_order(upper: str, lower: str) -> None:
    """Who lies on top in a cell arrives first in the next and lies on top again."""
    board = table("1889").par(upper, 90, at=(2, 5)).par(lower, 90, at=(2, 5))
    t, s = board.shares("AR", p1=6, p2=4).shares("SR", p1=6, p2=4).build()
    s = ends_round(t, s)
    assert s.cell["AR"] == s.cell["SR"] == (1, 5)
    assert in_order(t, s, ["AR", "SR"]) == [upper, lower]


@pytest.mark.rule("1889-SR-28")
def test_shares_in_the_market_are_not_sold_out() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=6, p2=3, pool=1).build()
    assert ends_round(t, s).cell["AR"] == (0, 3)
    t, s = table("1889").par("AR", 90).shares("AR", p1=6, p2=4).build()
    assert "AR" in s.floated
    assert ends_round(t, s).cell["AR"] == (0, 3)


# The market


@pytest.mark.rule("1889-MKT-01", "1889-MKT-02", "1889-MKT-03")
def test_areas() -> None:
    t, _ = table("1889").build()
    cells = [(row, col, cell) for row, line in enumerate(t.market.rows) for col, cell in enumerate(line) if cell]
    orange = {cell.price for _, _, cell in cells if cell.zone == "orange"}
    assert orange == {10, 20, 30}
    assert {(row, col) for row, col, cell in cells if cell.par} == set(PARS.values())
    assert all(cell.zone == "normal" for _, _, cell in cells if cell.par)
    assert t.market.zones["yellow"].holding_limit
    assert not t.market.zones["yellow"].counts_certs
    assert not t.market.zones["orange"].holding_limit
    assert not t.market.zones["orange"].counts_certs


@pytest.mark.rule("1889-MKT-04", "1889-MKT-05", "1889-MKT-06", "1889-MKT-07", "1889-MKT-08")
def test_steps_on_the_chart() -> None:
    t, _ = table("1889").build()
    assert right(t, (2, 3)) == (2, 4)
    assert right(t, (2, 11)) == (1, 11)
    assert right(t, (0, 14)) == (0, 14)
    assert left(t, (5, 3)) == (5, 2)
    assert left(t, (5, 0)) == (6, 0)
    assert left(t, (10, 0)) == (10, 0)
    assert up(t, (3, 3)) == (2, 3)
    assert up(t, (0, 14)) == (0, 14)
    assert down(t, (3, 8), 2) == (3, 8)
    assert down(t, (2, 8), 2) == (3, 8)
    assert down(t, (8, 1), 7) == (10, 1)


@pytest.mark.rule("1889-MKT-07", "1889-MKT-10")
def test_a_ledge_stops_the_token_and_it_keeps_its_place() -> None:
    t, s = (
        table("1889").par("AR", 100, at=(3, 8)).par("SR", 100, at=(3, 8)).shares("AR", p1=4).shares("SR", p1=4).build()
    )
    s = allows(t, s, SellShares("p1", "AR", 2))
    assert s.cell["AR"] == (3, 8)
    assert in_order(t, s, ["SR", "AR"]) == ["AR", "SR"]
    assert not facts(s, PriceMoved)


@pytest.mark.rule("1889-MKT-09")
def test_who_arrives_lies_below() -> None:
    t, s = (
        table("1889").par("AR", 100, at=(2, 3)).par("SR", 100, at=(3, 3)).shares("AR", p1=4).shares("SR", p2=4).build()
    )
    s = allows(t, s, SellShares("p1", "AR", 1))
    assert s.cell["AR"] == s.cell["SR"]
    assert in_order(t, s, ["AR", "SR"]) == ["SR", "AR"]


@pytest.mark.rule("1889-MKT-12")
def test_share_price_order() -> None:
    laid = table("1889").par("AR", 65, at=(3, 3)).par("SR", 65, at=(2, 3)).par("KO", 65, at=(0, 0))
    laid = laid.par("TR", 65, at=(3, 3)).shares("AR", p1=2).shares("SR", p1=2)
    t, s = laid.shares("KO", p1=2).shares("TR", p1=2).build()
    # 80 before 75; of the three at 75 the rightmost cell first, in one cell the top of the stack
    assert in_order(t, s, t.corporations)[:4] == ["SR", "AR", "TR", "KO"]


@pytest.mark.rule("1889-MKT-15")
def test_a_company_that_has_not_floated_moves_only_by_sales() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=4).build()
    assert "AR" not in s.floated
    after = ends_round(t, s)
    assert after.cell["AR"] == (0, 3)
    s = allows(t, s, SellShares("p1", "AR", 1))
    assert s.cell["AR"] == (1, 3)


# Flotation


@pytest.mark.rule("1889-FLT-01", "1889-FLT-02", "1889-FLT-03")
def test_the_fifth_share_floats_the_company_with_ten_times_par() -> None:
    t, s = table("1889").par("AR", 80).shares("AR", p1=3, p2=1).build()
    bank = s.cash[BANK]
    assert "AR" not in s.floated
    s = allows(t, s, BuyShare("p1", "AR", "ipo"))
    assert "AR" in s.floated
    assert s.cash["AR"] == 800
    assert s.cash[BANK] == bank + 80 - 800
    assert s.cash["p1"] == 420 - 80
    assert facts(s, Floated) == [Floated("AR", 800)]


@pytest.mark.rule("1889-FLT-01")
def test_shares_in_the_market_count_for_floating() -> None:
    t, s = table("1889").par("AR", 80).shares("AR", p1=2, pool=2).build()
    s = allows(t, s, BuyShare("p1", "AR", "pool"))
    assert "AR" not in s.floated
    t, s = table("1889").par("AR", 80).shares("AR", p1=2, pool=2).build()
    assert "AR" in allows(t, s, BuyShare("p1", "AR", "ipo")).floated


@pytest.mark.rule("1889-FLT-04")
def test_what_has_not_floated_takes_no_turn() -> None:
    t, s = table("1889").par("AR").par("SR").shares("AR", p1=4).shares("SR", p2=5).build()
    s = ends_round(t, s)
    assert s.operating == "SR"
    assert s.queue == ()


@pytest.mark.rule("1889-FLT-04", "1889-PRV-09")
def test_floating_in_an_operating_round_means_operating_in_the_next() -> None:
    t, s = table("1889").par("IR").shares("IR", p2=4).private(E="p2").operating("AR").rounds(2, 1, 2).build()
    s = allows(t, s, ExchangePrivate("p2", "E"))
    assert "IR" in s.floated
    assert s.cash["IR"] == 1000
    assert s.queue == ()
    assert s.board.token_stops("IR") == ()
    s.step = "trains"
    s.trains["AR"] = ("2",)
    s = apply(t, s, Pass("p1"))
    assert (s.round, s.or_number) == ("OR", 2)
    assert {s.operating, *s.queue} == {"AR", "IR"}
    assert s.board.token_stops("IR") == (("E2", 0),)


@pytest.mark.rule("1889-FLT-05")
def test_sales_do_not_unfloat() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=5).build()
    s = allows(t, s, SellShares("p1", "AR", 3))
    assert "AR" in s.floated


@pytest.mark.rule("1889-FLT-06", "1889-FLT-02")
def test_capital_is_paid_once() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=5).cash(AR=10).build()
    s = allows(t, s, BuyShare("p1", "AR", "ipo"))
    assert s.cash["AR"] == 10
    assert [move.why for move in facts(s, CashMoved)] == ["share"]


@pytest.mark.rule("1889-OR-07", "1889-OR-01")
def test_the_number_of_operating_rounds_is_fixed_at_the_end_of_the_stock_round() -> None:
    for phase, count in (("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("D", 3)):
        t, s = table("1889").par("AR").shares("AR", p1=5).phase(phase).build()
        s = ends_round(t, s)
        assert s.or_count == count
        assert [(begun.round, begun.number) for begun in facts(s, RoundBegan)] == [("OR", 1)]
