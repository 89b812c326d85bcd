"""1860: stock rounds, privates, the market, floating, receivership and bankruptcy."""

from __future__ import annotations

import pytest
from tables import allows, keep, play, price_at, refuses, table
from tables_1860 import col, holding, price_of

from engine import BANK, CLOSED, IPO, POOL, certificates, decision, legal, worth
from engine.actions import (
    BuyPrivate,
    BuyShare,
    ClosePrivate,
    ExchangePrivate,
    LayTile,
    Par,
    Pass,
    SellPrivate,
    SellShares,
)
from engine.ids import RESERVED
from engine.market import in_order
from engine.titles.t1860.companies import has, open_layers
from engine.titles.t1860.own import own
from engine.titles.t1860.run import spaces_risen
from engine.viewing import market_view, table_view


@pytest.mark.rule("1860-SR-01", "1860-SR-02")
def test_the_round_goes_on_until_all_pass_in_a_row() -> None:
    t, s = holding(p1=4, p2=1).build()
    s = play(t, s, Pass("p1"), BuyShare("p2", "IOW", IPO))
    for player in ("p3", "p1", "p2"):
        assert decision(t, s).players == (player,)
        s = allows(t, s, Pass(player))
    assert s.round == "OR"
    assert s.priority == "p3"


@pytest.mark.rule("1860-SR-03", "1860-SR-04")
def test_sales_come_before_the_one_purchase() -> None:
    t, s = holding(p1=5).private(BHC=BANK, YHC="p1").build()
    sold = allows(t, s, SellPrivate("p1", "YHC"))
    assert allows(t, sold, BuyPrivate("p1", "BHC")).up == "p2", "nothing is left to do after the purchase"
    assert allows(t, s, BuyShare("p1", "IOW", IPO)).up == "p2"
    s.bought = True
    refuses(t, s, BuyShare("p1", "IOW", IPO), "1860-SR-03")
    refuses(t, s, SellShares("p1", "IOW", 1), "1860-SR-03")
    refuses(t, s, BuyPrivate("p1", "BHC"), "1860-SR-04")
    refuses(t, s, SellPrivate("p1", "YHC"), "1860-SR-03")


@pytest.mark.rule("1860-SR-05", "1860-SR-07")
def test_offering_at_par_pool_at_market_price_always_in_full() -> None:
    t, s = holding(100, p1=4, pool=2).trains("IOW").own(layer=1, insolvent=("IOW",)).build()
    assert allows(t, s, BuyShare("p1", "IOW", IPO)).cash["p1"] == 1000 - 74
    assert allows(t, s, BuyShare("p1", "IOW", POOL)).cash["p1"] == 1000 - 100
    s.cash["p1"] = 99
    refuses(t, s, BuyShare("p1", "IOW", POOL), "1860-SR-07")


@pytest.mark.rule("1860-SR-06", "1860-EMR-09")
def test_trainless_shares_sell_at_half_rounded_down_each() -> None:
    t, s = holding(71, p1=5).trains("IOW").build()
    assert allows(t, s, SellShares("p1", "IOW", 3)).cash["p1"] == 1000 + 105
    t, s = holding(71, p1=5).build()
    assert allows(t, s, SellShares("p1", "IOW", 3)).cash["p1"] == 1000 + 213


@pytest.mark.rule("1860-VAR-04")
def test_option_full_price_for_companies_that_have_not_operated() -> None:
    t, s = holding(74, "full_price_unoperated", p1=5).trains("IOW").set(operated=frozenset()).build()
    assert allows(t, s, SellShares("p1", "IOW", 1)).cash["p1"] == 1074
    s.operated = frozenset({"IOW"})
    assert allows(t, s, SellShares("p1", "IOW", 1)).cash["p1"] == 1037


@pytest.mark.rule("1860-SR-08", "1860-SR-10")
def test_sales_from_the_first_round_on_move_only_companies_that_have_operated() -> None:
    t, s = holding(74, p1=5).set(operated=frozenset()).stock("p1", 1).build()
    after = allows(t, s, SellShares("p1", "IOW", 2))
    assert price_of(t, after, "IOW") == 74
    t, s = holding(74, p1=5).build()
    assert price_of(t, allows(t, s, SellShares("p1", "IOW", 2)), "IOW") == 68
    keep(s, no_limits=True)
    assert price_of(t, allows(t, s, SellShares("p1", "IOW", 2)), "IOW") == 74


@pytest.mark.rule("1860-SR-09", "1860-SR-11", "1860-SR-12", "1860-MKT-02")
def test_red_letter_prices_let_the_first_share_go_free() -> None:
    t, s = holding(182, p1=5).build()
    after = allows(t, s, SellShares("p1", "IOW", 3))
    assert price_of(t, after, "IOW") == 166
    refuses(t, after, SellShares("p1", "IOW", 1), "1860-SR-09")
    t, s = holding(40, p1=5).build()
    assert price_of(t, allows(t, s, SellShares("p1", "IOW", 2)), "IOW") == 31


@pytest.mark.rule("1860-SR-13", "1860-SR-14")
def test_no_limits_of_pool_and_holding_but_no_buying_back() -> None:
    t, s = holding(74, p1=9).build()
    after = allows(t, s, SellShares("p1", "IOW", 9))
    assert after.held("IOW", POOL) == 9
    refuses(t, after, BuyShare("p1", "IOW", IPO), "1860-SR-14")
    allows(t, s, BuyShare("p1", "IOW", IPO))


@pytest.mark.rule("1860-SR-15")
def test_the_first_certificate_is_the_directors_at_a_par_in_range() -> None:
    t, s = holding().own(layer=2).build()
    pars = sorted(price_at(t, a.row, a.col) for a in legal(t, s, "p1") if isinstance(a, Par) and a.corp == "FYN")
    assert pars == [62, 68, 74, 82]
    refuses(t, s, BuyShare("p1", "FYN", IPO), "1860-SR-15")
    refuses(t, s, Par("p1", "FYN", 0, col(65)), "1860-SR-15")
    after = allows(t, s, Par("p1", "FYN", 0, col(68)))
    assert (after.held("FYN", "p1"), after.cash["p1"]) == (2, 1000 - 136)


@pytest.mark.rule("1860-SR-16", "1860-SR-17")
def test_directorship_goes_to_the_larger_holder_the_nearest_if_tied() -> None:
    t, s = holding(74, p1=3, p2=3).stock("p2").build()
    assert s.president["IOW"] == "p1"
    assert allows(t, s, BuyShare("p2", "IOW", IPO)).president["IOW"] == "p2"
    t, s = holding(74, p1=3, p2=2, p3=2).build()
    assert allows(t, s, SellShares("p1", "IOW", 2)).president["IOW"] == "p2"


@pytest.mark.rule("1860-SR-18", "1860-SR-19", "1860-EMR-10")
def test_the_bank_takes_a_directors_certificate_that_nobody_follows() -> None:
    t, s = holding(74, p1=2, p2=1, pool=1).build()
    whole = allows(t, s, SellShares("p1", "IOW", 2))
    assert (whole.president["IOW"], whole.held("IOW", POOL)) == (POOL, 3)
    half = allows(t, s, SellShares("p1", "IOW", 1))
    assert (half.president["IOW"], half.held("IOW", "p1"), half.held("IOW", POOL)) == (POOL, 1, 2)
    t, s = holding(74, p1=2, p2=1).build()
    refuses(t, s, SellShares("p1", "IOW", 1), "1860-SR-18")
    t, s = holding(74, p1=2, p2=2).build()
    after = allows(t, s, SellShares("p1", "IOW", 1))
    assert (after.president["IOW"], after.held("IOW", POOL)) == ("p2", 1)


@pytest.mark.rule("1860-EMR-14")
def test_the_directors_certificate_in_the_pool_is_only_swapped_for() -> None:
    t, s = holding(74, p1=1, pool=4).set(president={"IOW": POOL}).build()
    s.president["IOW"] = POOL
    for corp in t.corporations:
        s.president.setdefault(corp, IPO)
    after = allows(t, s, BuyShare("p1", "IOW", POOL))
    assert (after.president["IOW"], after.held("IOW", "p1"), after.held("IOW", POOL)) == ("p1", 2, 3)
    s.shares["IOW"] = {IPO: 7, "p1": 1, POOL: 2}
    refuses(t, s, BuyShare("p1", "IOW", POOL), "1860-EMR-14")
    online = holding(74, "online", p1=1, pool=2).build()
    online[1].president["IOW"] = POOL
    assert allows(*online, BuyShare("p1", "IOW", POOL)).president["IOW"] == "p1"


@pytest.mark.rule("1860-SR-20", "1860-SR-21", "1860-SR-22", "1860-SR-23", "1860-PHS-07")
def test_certificate_limit() -> None:
    t, s = (
        holding(74, p1=8)
        .par("C&N", 74)
        .shares("C&N", p1=8)
        .par("FYN", 62)
        .shares("FYN", p1=6)
        .private(YHC="p1")
        .build()
    )
    assert certificates(t, s, "p1") == 7 + 7 + 5 + 1
    after = allows(t, s, BuyShare("p1", "IOW", IPO))
    assert certificates(t, after, "p1") == 21
    s.shares["FYN"] = {IPO: 3, "p1": 7}
    refuses(t, s, BuyShare("p1", "IOW", IPO), "1860-SR-21")
    s.owner["BHC"] = BANK
    refuses(t, s, BuyPrivate("p1", "BHC"), "1860-SR-21")
    s.shares["FYN"] = {IPO: 2, "p1": 8}
    refuses(t, s, Pass("p1"), "1860-SR-22")
    refuses(t, s, BuyShare("p1", "IOW", IPO), "1860-SR-22")
    refuses(t, s, BuyPrivate("p1", "BHC"), "1860-SR-22")
    keep(s, no_limits=True)
    allows(t, s, BuyShare("p1", "IOW", IPO))


@pytest.mark.rule("1860-SR-24")
def test_sold_out_companies_do_not_rise() -> None:
    t, s = holding(74, p1=6, p2=4).build()
    for player in s.players:
        s = allows(t, s, Pass(player)) if s.round == "SR" else s
    assert price_of(t, s, "IOW") == 74


@pytest.mark.rule("1860-SR-25", "1860-SR-26", "1860-SR-27")
def test_layers_open_by_sale_at_once_and_by_operation_in_the_next_round() -> None:
    t, s = holding(74, p1=9).build()
    refuses(t, s, Par("p1", "FYN", 0, col(68)), "1860-SR-25")
    after = allows(t, s, BuyShare("p1", "IOW", IPO))
    assert own(after).layer == 2
    t, s = holding(74, p1=5).build()
    open_layers(t, s, operated=False)
    assert own(s).layer == 1
    open_layers(t, s, operated=True)
    assert own(s).layer == 2
    allows(t, s, Par("p1", "FYN", 0, col(68)))
    allows(t, s, Par("p1", "IWNJ", 0, col(68)))


@pytest.mark.rule("1860-VAR-03")
def test_option_any_company_order() -> None:
    t, s = holding(74, "any_company_order", p1=5).build()
    allows(t, s, Par("p1", "VYSC", 0, col(62)))
    t, s = holding(74, "any_company_order").par("FYN", 62).par("S&C", 62).build()
    refuses(t, s, Par("p1", "VYSC", 0, col(62)), "1860-VAR-03")
    s.operated |= {"FYN"}
    allows(t, s, Par("p1", "VYSC", 0, col(62)))


@pytest.mark.rule("1860-VAR-03")
def test_reserved_shares_do_not_count_as_available() -> None:
    sold = table("1860", 3, "any_company_order").par("C&N", 74).shares("C&N", p1=6, p2=3).par("IOW", 74)
    t, s = sold.shares("IOW", p2=5, p3=4).cash(p1=500).private(CMH="p1", RPSC="p2").build()
    assert (s.held("C&N", IPO), s.held("IOW", IPO)) == (1, 1)
    start = Par("p1", "FYN", 0, col(62))
    allows(t, s, start)
    s.owner["RPSC"] = CLOSED
    refuses(t, s, start, "1860-VAR-03")


@pytest.mark.rule("1860-VAR-04", "1860-END-05")
def test_full_price_is_for_sales_not_for_the_final_score() -> None:
    for more, each in (((), 37), (("online",), 74)):
        t, s = holding(74, "full_price_unoperated", *more, p1=5, p2=3).trains("IOW").set(operated=frozenset()).build()
        assert allows(t, s, SellShares("p1", "IOW", 1)).cash["p1"] == 1074
        assert worth(t, s, "p1") == 1000 + 5 * each


# Privates


@pytest.mark.rule("1860-PRV-02", "1860-PRV-03", "1860-PRV-13")
def test_selling_privates_to_the_bank_and_buying_them() -> None:
    t, s = holding().private(CMH="p1", BHC="p1", FFC="p1").build()
    sold = allows(t, s, SellPrivate("p1", "CMH"))
    assert (sold.cash["p1"], sold.owner["CMH"]) == (1060, BANK)
    refuses(t, sold, BuyPrivate("p1", "CMH"), "1860-PRV-03")
    refuses(t, sold, SellPrivate("p1", "CMH"), "1860-PRV-02")
    assert allows(t, s, SellPrivate("p1", "BHC")).cash["p1"] == 1000
    fishbourne = allows(t, s, SellPrivate("p1", "FFC"))
    assert fishbourne.cash["p1"] == 1170
    after = allows(t, allows(t, sold, Pass("p1")), BuyPrivate("p2", "CMH"))
    assert (after.cash["p2"], after.owner["CMH"]) == (910, "p2")
    s.turn = 1
    refuses(t, s, SellPrivate("p1", "CMH"), "1860-PRV-02")


@pytest.mark.rule("1860-PRV-04", "1860-PRV-15")
def test_privates_are_not_closed_at_will_nor_owned_by_companies() -> None:
    t, _ = holding().build()
    assert not [verb for verb in t.every_verb() if verb.action is ClosePrivate]
    assert "CompanyBuysPrivate" not in {verb.action.__name__ for verb in t.every_verb()}


@pytest.mark.rule("1860-PRV-05", "1860-PRV-06", "1860-PRV-07", "1860-PRV-08", "1860-PRV-09")
def test_exchange_is_no_action_floats_and_changes_the_director() -> None:
    t, s = holding(74, p1=2, p2=2, p3=0).set(floated=frozenset()).private(RPSC="p2").stock("p2", 1).build()
    s.shares["IOW"] = {IPO: 6, "p1": 2, "p2": 2}
    s.floated = frozenset()
    s.sold["p2"] = frozenset({"IOW"})
    after = allows(t, s, ExchangePrivate("p2", "RPSC"))
    assert (after.held("IOW", "p2"), after.cash["p2"], after.owner["RPSC"]) == (3, 1000, CLOSED)
    assert "IOW" in after.floated
    assert after.president["IOW"] == "p2"
    assert (after.bought, after.last_actor) == (False, None)
    s.shares["IOW"] = {IPO: 1, "p1": 9}
    refuses(t, s, BuyShare("p2", "IOW", IPO), "1860-SR-14")
    s.sold = {}
    refuses(t, s, BuyShare("p2", "IOW", IPO), "1860-PRV-09")
    assert {row.company.id: row.buyable for row in table_view(t, s).companies}["IOW"] == 0
    s.up = "p1"
    refuses(t, s, ExchangePrivate("p2", "RPSC"), "1860-PRV-05")


@pytest.mark.rule("1860-PRV-10")
def test_no_exchange_while_the_company_has_no_par() -> None:
    t, s = holding().private(YHC="p1").own(layer=2, bankrupt=("FYN",)).build()
    refuses(t, s, ExchangePrivate("p1", "YHC"), "1860-PRV-05")
    allows(t, allows(t, s, Par("p1", "FYN", 0, col(40))), ExchangePrivate("p1", "YHC"))


@pytest.mark.rule("1860-PRV-11", "1860-PRV-12", "1860-PRV-14", "1860-PHS-05")
def test_fishbourne_closes_all_others() -> None:
    t, s = holding().private(RPSC="p1", YHC="p2", FFC=RESERVED).build()
    refuses(t, s, BuyPrivate("p1", "FFC"), "1860-PRV-03")
    t.events["offer fishbourne"](t, s)
    allows(t, allows(t, s, ExchangePrivate("p1", "RPSC")), BuyPrivate("p1", "FFC"))
    after = allows(t, s, BuyPrivate("p1", "FFC"))
    assert after.cash["p1"] == 800
    assert [after.owner[private] for private in ("RPSC", "YHC")] == [CLOSED, CLOSED]
    assert after.owner["FFC"] == "p1"


@pytest.mark.rule("1860-VAR-02", "1860-VAR-02b", "1860-VAR-02c")
def test_option_variable_privates() -> None:
    t, s = holding(74, "variable_privates").private(RPSC="p1", CMH="p2", BHC="p1", FFC=BANK).build()
    refuses(t, s, SellPrivate("p1", "RPSC"), "1860-SR-03")
    refuses(t, s, ExchangePrivate("p1", "RPSC"), "1860-SR-03")
    after = allows(t, s, BuyPrivate("p1", "FFC"))
    assert (after.owner["RPSC"], after.revenue["RPSC"], after.revenue["CMH"]) == ("p1", 15, 10)
    closed = allows(t, s, ClosePrivate("p1", "RPSC"))
    assert closed.owner["RPSC"] == CLOSED
    assert worth(t, closed, "p1") == worth(t, s, "p1")
    assert certificates(t, closed, "p1") == certificates(t, s, "p1") - 1


# Floating


@pytest.mark.rule("1860-FLT-01", "1860-FLT-02", "1860-FLT-05", "1860-MKT-08")
def test_floating_needs_half_from_the_offering_still_with_players() -> None:
    t, s = holding(74, p1=4, pool=1).par("C&N", 74).shares("C&N", p2=4).build()
    s.floated = frozenset()
    s.cash["IOW"] = 0
    s.tokens["IOW"] = (0, 40, 100, 100)
    s.board = s.board.__class__(t.grid)
    after = allows(t, s, BuyShare("p1", "IOW", IPO))
    assert "IOW" in after.floated
    assert after.cash["IOW"] == 740
    assert after.board.token_stops("IOW") == (("I3", 0),)
    assert in_order(t, after, ["IOW", "C&N"]) == ["C&N", "IOW"], "a floating company goes under the others"
    s.shares["IOW"] = {IPO: 5, "p1": 4, POOL: 1}
    half = allows(t, s, BuyShare("p1", "IOW", POOL))
    assert "IOW" in half.floated
    s.shares["IOW"] = {IPO: 6, "p1": 3, POOL: 1}
    assert "IOW" not in allows(t, s, BuyShare("p1", "IOW", POOL)).floated
    after.up, after.bought = "p1", False
    assert "IOW" in allows(t, after, SellShares("p1", "IOW", 4)).floated, "floated stays floated"


@pytest.mark.rule("1860-FLT-03", "1860-FLT-04", "1860-FLT-07")
def test_the_home_tile_is_laid_at_once() -> None:
    t, s = table("1860", 3).par("FYN", 62).shares("FYN", p1=4).cash(p1=500).build()
    after = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert decision(t, after).step == "home tile"
    refuses(t, after, LayTile("p1", "FYN", "B6", "6", 0), "1860-FLT-03")
    refuses(t, after, LayTile("p1", "FYN", "B4", "57", 0), "1860-TRK-05")
    laid = allows(t, after, next(action for action in legal(t, after, "p1") if isinstance(action, LayTile)))
    assert "B4" in laid.board.placed
    assert laid.cash["FYN"] == 620
    for tile in ("5", "6", "57", "115"):
        s.supply[tile] = 0
    bare = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert (bare.pending, bare.board.token_stops("FYN")) == ((), (("B4", 0),))
    keep(s, southern="over")
    late = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert "FYN" in late.floated
    assert late.board.token_stops("FYN") == ()


# Price and bankruptcy


@pytest.mark.rule("1860-MKT-03", "1860-MKT-06")
def test_spaces_by_dividend() -> None:
    assert [spaces_risen(revenue, 74) for revenue in (0, 73, 74, 148, 222, 296, 999)] == [0, 0, 1, 2, 3, 4, 4]


@pytest.mark.rule("1860-EMR-15", "1860-EMR-16", "1860-EMR-18", "1860-EMR-19", "1860-EMR-20")
def test_a_sale_to_price_zero_is_bankruptcy_and_a_new_stock_round() -> None:
    t, s = holding(7, p1=5, p2=2).par("C&N", 74).shares("C&N", p2=3, p3=1).cash(IOW=300).build()
    s.sold["p3"] = frozenset({"C&N"})
    after = allows(t, s, SellShares("p1", "IOW", 3))
    assert has(after, "bankrupt", "IOW")
    assert after.shares["IOW"] == {IPO: 10}
    assert (after.trains["IOW"], after.cash["IOW"]) == (("2+1",), 300)
    assert "IOW" not in after.par
    assert after.priority == after.up == "p1", "p1 has no share left"
    assert (after.round, after.turn, after.sold) == ("SR", 2, {})


@pytest.mark.rule("1860-EMR-17", "1860-EMR-22", "1860-EMR-23", "1860-EMR-24")
def test_restart_of_a_bankrupt_company() -> None:
    t, s = table("1860", 3).cash(p1=900).token("S&C", "F12").own(layer=4).build()
    keep(s, bankrupt=("S&C",), insolvent=("S&C",))
    s.cash["S&C"] = 90
    pars = sorted(price_at(t, a.row, a.col) for a in legal(t, s, "p1") if isinstance(a, Par) and a.corp == "S&C")
    assert pars == [40, 44, 47, 50, 52, 54, 56, 58, 60, 62]
    s = allows(t, s, Par("p1", "S&C", 0, col(40)))
    s.shares["S&C"] = {IPO: 6, "p1": 4}
    s.bought = False
    s.up = "p1"
    after = allows(t, s, BuyShare("p1", "S&C", IPO))
    assert after.cash["S&C"] == 90 + 400
    assert not has(after, "bankrupt", "S&C")
    assert has(after, "insolvent", "S&C")


@pytest.mark.rule("1860-EMR-22")
def test_the_market_tells_the_new_par_of_a_restarted_company() -> None:
    t, s = table("1860", 3).cash(p1=900).token("S&C", "F12").own(layer=4, bankrupt=("S&C",)).build()
    s = allows(t, s, Par("p1", "S&C", 0, col(40)))
    assert [cell.price for cell in market_view(t, s).rows[0] if cell and "S&C" in cell.pars] == [40]


@pytest.mark.rule("1860-EMR-25", "1860-EMR-23", "1860-FLT-02")
@pytest.mark.parametrize(("options", "quote"), [((), 62), (("online",), 58)])
def test_a_restarted_company_has_no_quote_to_lose_before_it_floats(options: tuple[str, ...], quote: int) -> None:
    t, s = table("1860", 3, *options).cash(p1=900).token("S&C", "F12").own(layer=4).build()
    keep(s, bankrupt=("S&C",))
    s.operated |= {"S&C"}
    s = allows(t, s, Par("p1", "S&C", 0, col(62)))
    s.shares["S&C"] = {IPO: 5, "p1": 5}
    s.up, s.bought = "p1", False
    sold = allows(t, s, SellShares("p1", "S&C", 2))
    assert sold.cash["p1"] == s.cash["p1"] + 2 * 31, "trainless: half of the par"
    assert price_of(t, sold, "S&C") == quote
    sold.shares["S&C"] = {IPO: 6, "p1": 4}
    sold.up, sold.bought, sold.sold, sold.sold_now = "p1", False, {}, ()
    floats = allows(t, sold, BuyShare("p1", "S&C", IPO))
    assert "S&C" in floats.floated
    assert (floats.cash["S&C"], price_of(t, floats, "S&C")) == (620, quote)
