"""1888-N: stock rounds, the market, flotation."""

from __future__ import annotations

import pytest
from tables import allows, ends_round, facts, play, refuses, table
from tables_1888 import railway

from engine import BANK, POOL, certificates, decision, legal
from engine.actions import BuyShare, ExchangePrivate, Par, Pass, SellShares
from engine.facts import Floated, PriceMoved
from engine.ids import IPO
from engine.market import down, in_order, left, right, up

PARS = {70: (6, 3), 75: (5, 3), 80: (4, 3), 85: (3, 3), 90: (2, 3), 95: (1, 3)}


@pytest.mark.rule("1888-SR-01")
def test_sell_then_buy_never_buy_then_sell() -> None:
    t, s = table("1888").par("JHR", 85).par("SSL", 85).shares("JHR", p1=4).shares("SSL", p1=2).build()
    s = play(t, s, SellShares("p1", "JHR", 1), BuyShare("p1", "SSL", "ipo"))
    assert decision(t, s).players == ("p2",)
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=4).set(bought=True).build()
    refuses(t, s, SellShares("p1", "JHR", 1), "1888-SR-01")
    refuses(t, s, BuyShare("p1", "JHR", "ipo"), "1888-SR-01")


@pytest.mark.rule("1888-SR-02", "1888-SR-03")
def test_all_pass_ends_the_round_and_priority_goes_left_of_the_last_to_act() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=2).build()
    s = play(t, s, Pass("p1"), BuyShare("p2", "JHR", "ipo"), Pass("p3"), BuyShare("p1", "JHR", "ipo"))
    s = ends_round(t, s)
    assert s.priority == "p2"


@pytest.mark.rule("1888-SR-05")
def test_shares_are_bought_from_the_bank_alone() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p2=6).build()
    refuses(t, s, BuyShare("p1", "JHR", "p2"), "1888-SR-05")
    refuses(t, s, BuyShare("p1", "JHR", "pool"), "1888-SR-05")


@pytest.mark.rule("1888-SR-06", "1888-SR-07")
@pytest.mark.parametrize(("players", "limit"), [(2, 28), (3, 20), (4, 16), (5, 13), (6, 11)])
def test_certificate_limit(players: int, limit: int) -> None:
    t, s = table("1888", players).par("JHR", 85).shares("JHR", p1=6).private(KT="p1").build()
    assert t.cert_limit == limit
    assert certificates(t, s, "p1") == 5 + 1, "director's certificate and private count one each"


def holdings(count: int) -> dict[str, int]:
    """Companies in which p1 holds so many certificates, five each."""
    names = ("SSL", "CDL", "HJR", "TJL", "LYR", "JZR", "ZDR")
    return dict.fromkeys(names[: count // 5], 6)


@pytest.mark.rule("1888-SR-06")
def test_at_the_limit_nothing_is_bought() -> None:
    found = table("1888", 6).par("JHR", 85).shares("JHR", p2=2)
    for corp, count in holdings(10).items():
        found = found.par(corp, 85).shares(corp, p1=count)
    t, s = found.private(KT="p1").build()
    assert certificates(t, s, "p1") == 11
    refuses(t, s, BuyShare("p1", "JHR", "ipo"), "1888-SR-06")
    refuses(t, s, Par("p1", "ZDR", *PARS[70]), "1888-SR-06")


@pytest.mark.rule("1888-SR-08", "1888-MKT-02")
def test_the_red_area_does_not_count() -> None:
    t, s = table("1888").par("JHR", 70, at=(6, 1)).shares("JHR", p1=6).build()
    assert certificates(t, s, "p1") == 0
    s.cell["JHR"] = (6, 2)
    assert certificates(t, s, "p1") == 5


@pytest.mark.rule("1888-SR-09")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_who_is_over_the_limit_sells_first(options: tuple[str, ...]) -> None:
    found = table("1888", 6, *options)
    for corp, count in holdings(10).items():
        found = found.par(corp, 85).shares(corp, p1=count, p2=2)
    t, s = found.private(KT="p1", FC="p1").build()
    for action in (
        Pass("p1"), BuyShare("p1", "SSL", "ipo"), Par("p1", "ZDR", *PARS[70]), ExchangePrivate("p1", "FC", "SSL", "ipo")
    ):  # fmt: skip
        refuses(t, s, action, "1888-SR-09")
    allows(t, allows(t, s, SellShares("p1", "SSL", 1)), Pass("p1"))


@pytest.mark.rule("1888-SR-09", "1888-SR-08")
def test_a_sale_that_brings_nobody_nearer_to_the_limit_is_not_asked_for() -> None:
    """All that counts is shut in: the market is full. A share of the red area could be sold, but it does not count."""
    found = table("1888", 6).par("JHR", 70, at=(8, 0)).shares("JHR", p2=6, p1=1)
    for corp in ("SSL", "CDL"):
        found = found.par(corp, 85).shares(corp, p1=5, pool=5)
    t, s = found.private(KT="p1", TA="p1", HS="p1", FC="p1").build()
    assert certificates(t, s, "p1") == t.cert_limit + 1
    allows(t, s, SellShares("p1", "JHR", 1))
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1888-SR-05", "1888-SR-10", "1888-SR-12", "1888-SR-17")
def test_nothing_is_sold_that_is_not_there_and_no_company_starts_twice() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=2, p2=2).shares("SSL", p1=1).build()
    for count in (-1, 0, 3):
        refuses(t, s, SellShares("p1", "JHR", count), "1888-SR-05")
    refuses(t, s, SellShares("p1", "SSL", 1), "1888-SR-12")
    refuses(t, s, Par("p1", "JHR", *PARS[70]), "1888-SR-17")


@pytest.mark.rule("1888-SR-10")
def test_who_holds_too_much_sells_down_to_sixty_at_once() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=8, p2=2).build()
    refuses(t, s, SellShares("p1", "JHR", 1), "1888-SR-10")
    allows(t, s, SellShares("p1", "JHR", 2))


@pytest.mark.rule("1888-SR-10")
def test_sixty_per_cent_also_in_the_red_area() -> None:
    t, s = table("1888").par("JHR", 70, at=(8, 0)).shares("JHR", p1=6).build()
    refuses(t, s, BuyShare("p1", "JHR", "ipo"), "1888-SR-10")


@pytest.mark.rule("1888-SR-11")
def test_the_pool_takes_five() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=4, p2=2, pool=4).build()
    refuses(t, s, SellShares("p1", "JHR", 2), "1888-SR-11")
    allows(t, s, SellShares("p1", "JHR", 1))


@pytest.mark.rule("1888-SR-12", "1888-MKT-03")
def test_the_example_of_three_shares() -> None:
    t, s = table("1888").par("LYR", 95).shares("LYR", p1=5).cash(p1=0).build()
    assert s.cell["LYR"] == (1, 3)
    s = allows(t, s, SellShares("p1", "LYR", 3))
    assert (s.cash["p1"], s.cell["LYR"]) == (285, (4, 3))
    assert facts(s, PriceMoved)[0].price == 80


@pytest.mark.rule("1888-SR-13")
def test_several_sales_of_one_company_in_a_turn() -> None:
    t, s = table("1888").par("LYR", 95).par("JHR", 85).shares("LYR", p1=5).shares("JHR", p1=4).cash(p1=0).build()
    s = play(t, s, SellShares("p1", "LYR", 1), SellShares("p1", "JHR", 1), SellShares("p1", "LYR", 1))
    assert s.cash["p1"] == 95 + 85 + 90


@pytest.mark.rule("1888-SR-14")
def test_what_was_sold_is_not_bought_in_the_same_round() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=4).build()
    s = allows(t, s, SellShares("p1", "JHR", 1))
    refuses(t, s, BuyShare("p1", "JHR", "pool"), "1888-SR-14")
    s = play(t, s, Pass("p1"), BuyShare("p2", "JHR", "pool"), Pass("p3"))
    refuses(t, s, BuyShare("p1", "JHR", "ipo"), "1888-SR-14")


@pytest.mark.rule("1888-SR-15")
def test_the_directors_certificate_is_not_sold_to_the_bank() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=4, p2=1).build()
    refuses(t, s, SellShares("p1", "JHR", 3), "1888-SR-20")
    allows(t, s, SellShares("p1", "JHR", 2))


@pytest.mark.rule("1888-SR-16")
def test_par_from_the_offering_and_price_from_the_pool() -> None:
    t, s = table("1888").par("JHR", 85, at=(4, 3)).shares("JHR", p2=4, pool=1).cash(p1=84).build()
    refuses(t, s, BuyShare("p1", "JHR", "ipo"), "1888-SR-16")
    bank = s.cash[BANK]
    s = allows(t, s, BuyShare("p1", "JHR", "pool"))
    assert (s.cash["p1"], s.cash[BANK]) == (4, bank + 80)


@pytest.mark.rule("1888-SR-17", "1888-SR-18")
def test_par() -> None:
    t, s = table("1888").cash(p1=189).build()
    refuses(t, s, BuyShare("p1", "JHR", "ipo"), "1888-SR-17")
    refuses(t, s, Par("p1", "JHR", *PARS[95]), "1888-SR-17")
    refuses(t, s, Par("p1", "JHR", 0, 3), "1888-SR-18")
    prices = {(a.row, a.col) for a in legal(t, s, "p1") if isinstance(a, Par)}
    assert prices == {cell for par, cell in PARS.items() if par < 95}
    s = allows(t, s, Par("p1", "JHR", *PARS[90]))
    assert (s.cash["p1"], s.held("JHR", "p1"), s.president["JHR"]) == (9, 2, "p1")


@pytest.mark.rule("1888-SR-19", "1888-SR-21")
def test_more_shares_make_the_director() -> None:
    t, s = (
        table("1888").par("JHR", 85).shares("JHR", p2=3, p1=3, president="p2").cash(JHR=500).trains("JHR", "2").build()
    )
    assert s.president["JHR"] == "p2", "equal holdings change nothing"
    s = allows(t, s, BuyShare("p1", "JHR", "ipo"))
    assert s.president["JHR"] == "p1"
    assert (s.held("JHR", "p1"), s.held("JHR", "p2")) == (4, 3)
    assert (s.cash["JHR"], s.trains["JHR"]) == (500, ("2",)), "all assets go along"


@pytest.mark.rule("1888-SR-20")
def test_the_director_sells_out_of_control() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=5, p2=2).build()
    s = allows(t, s, SellShares("p1", "JHR", 4))
    assert (s.president["JHR"], s.held("JHR", "p1"), s.held("JHR", "p2")) == ("p2", 1, 2)


@pytest.mark.rule("1888-SR-20")
def test_the_nearest_of_equals_succeeds() -> None:
    t, s = table("1888", 4).par("JHR", 85).shares("JHR", p2=4, p4=2, p1=2, president="p2").stock("p2").build()
    s = allows(t, s, SellShares("p2", "JHR", 3))
    assert s.president["JHR"] == "p4"


@pytest.mark.rule("1888-SR-22", "1888-MKT-04")
def test_sold_out_companies_rise() -> None:
    found = table("1888").par("JHR", 85).shares("JHR", p1=6, p2=4).par("SSL", 80, at=(0, 5)).shares("SSL", p1=6, p2=4)
    t, s = found.par("CDL", 85).shares("CDL", p1=5, p2=4, pool=1).build()
    s = ends_round(t, s)
    assert (s.cell["JHR"], s.cell["SSL"], s.cell["CDL"]) == ((2, 3), (0, 5), (3, 3))


# The market


@pytest.mark.rule("1888-MKT-01", "1888-MKT-02", "1888-MKT-03", "1888-MKT-04")
def test_moves_on_the_market() -> None:
    t, _ = table("1888").build()
    assert right(t, (3, 3)) == (3, 4)
    assert right(t, (2, 14)) == (1, 14), "at the right end one up"
    assert right(t, (0, 17)) == (0, 17)
    assert left(t, (3, 3)) == (3, 2)
    assert left(t, (1, 1)) == (2, 1), "blank cells count as the end of the row"
    assert left(t, (0, 2)) == (1, 2)
    assert left(t, (8, 0)) == (8, 0)
    assert down(t, (7, 5), 3) == (7, 5)
    assert down(t, (3, 3), 9) == (8, 3)
    assert up(t, (1, 1)) == (1, 1), "nothing is above"
    assert up(t, (2, 0)) == (2, 0)
    assert up(t, (3, 3)) == (2, 3)


@pytest.mark.rule("1888-MKT-05", "1888-MKT-06", "1888-MKT-08")
def test_operating_order() -> None:
    found = table("1888").par("JHR", 85).par("SSL", 85).par("CDL", 90, at=(4, 4)).par("HJR", 90)
    t, s = found.build()
    assert in_order(t, s, ["SSL", "JHR", "CDL", "HJR"]) == ["HJR", "CDL", "JHR", "SSL"]
    s = allows(t, s, Par("p1", "ZDR", 3, 3))
    assert in_order(t, s, ["ZDR", "SSL", "JHR"]) == ["JHR", "SSL", "ZDR"], "new tokens go under"
    s.cell["CDL"] = (2, 3)
    assert in_order(t, s, ["CDL", "HJR"]) == ["CDL", "HJR"]


@pytest.mark.rule("1888-MKT-07")
def test_sales_in_an_operating_round_change_the_order() -> None:
    laid = railway("JHR", "trains", cash=0).par("SSL", 90).shares("SSL", p1=3, p2=6).par("CDL", 85)
    t, s = laid.shares("CDL", p2=6).operating("JHR", "trains", then=("SSL", "CDL")).cash(p1=0).build()
    s = allows(t, s, SellShares("p1", "SSL", 2))
    assert in_order(t, s, s.queue) == ["CDL", "SSL"]


# Flotation


@pytest.mark.rule("1888-FLT-01", "1888-FLT-02")
def test_sixty_per_cent_sold_float_a_company() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=2, p2=2, pool=1).build()
    assert not s.floated
    bank = s.cash[BANK]
    s = allows(t, s, BuyShare("p1", "JHR", "ipo"))
    assert facts(s, Floated) == [Floated("JHR", 850)]
    assert s.cash["JHR"] == 850
    assert s.cash[BANK] == bank + 85 - 850, "the bank pays"
    assert not s.board.token_stops("JHR"), "the home token comes with the first turn"


@pytest.mark.rule("1888-FLT-01", "1888-VAR-02")
def test_the_prototype_floats_at_fifty() -> None:
    t, s = table("1888", 3, "prototype").par("JHR", 85).shares("JHR", p1=2, p2=2).build()
    assert allows(t, s, BuyShare("p1", "JHR", "ipo")).floated == {"JHR"}


@pytest.mark.rule("1888-FLT-03")
def test_it_operates_in_the_next_round_and_stays_floated() -> None:
    t, s = table("1888").par("JHR", 85).shares("JHR", p1=3, p2=3, pool=0).build()
    s = allows(t, s, SellShares("p1", "JHR", 1))
    assert s.held("JHR", POOL) == 1
    assert s.held("JHR", IPO) == 4
    s = ends_round(t, s)
    assert (s.round, s.operating) == ("OR", "JHR")
