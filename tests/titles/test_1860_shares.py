"""1860: buying and selling shares, directorships, the certificate limit and the layers."""

from __future__ import annotations

import pytest
from tables import all_pass, allows, ends_round, facts, keep, play, refuses, table
from tables_1860 import at, holding, par, price_of

from engine import BANK, IPO, POOL, certificates, decision, legal
from engine.actions import BuyPrivate, BuyShare, ClosePrivate, ExchangePrivate, Par, Pass, SellPrivate, SellShares
from engine.facts import Announced, PresidentChanged, PriceMoved
from engine.market import in_order
from engine.titles.t1860.companies import open_layers
from engine.titles.t1860.own import own

# The round


@pytest.mark.rule("1860-SR-01")
def test_who_passed_may_deal_later_in_the_round() -> None:
    t, s = holding(p1=4, p2=1).build()
    s = play(t, s, Pass("p1"), BuyShare("p2", "IOW", IPO), Pass("p3"))
    allows(t, s, BuyShare("p1", "IOW", IPO))


@pytest.mark.rule("1860-SR-01", "1860-SR-02")
def test_the_next_round_begins_with_the_holder_of_the_priority() -> None:
    t, s = holding(p1=4, p2=1).set(priority="p3").build()
    t.rounds["SR"].begin(t, s)
    assert decision(t, s).players == ("p3",)


@pytest.mark.rule("1860-SR-02")
def test_the_priority_moves_on_from_a_seller_and_stays_where_nobody_dealt() -> None:
    t, s = holding(p1=4, p2=2).set(priority="p3").build()
    sold = allows(t, allows(t, s, SellShares("p1", "IOW", 1)), Pass("p1"))
    for player in ("p2", "p3", "p1"):
        sold = allows(t, sold, Pass(player))
    assert (sold.round, sold.priority) == ("OR", "p2")
    s = all_pass(t, s)
    assert (s.round, s.priority) == ("OR", "p3")


@pytest.mark.rule("1860-SR-02")
def test_dealing_in_privates_moves_the_priority_too() -> None:
    for first, action in (({"YHC": "p1"}, SellPrivate("p1", "YHC")), ({"YHC": BANK}, BuyPrivate("p1", "YHC"))):
        t, s = holding(p1=4, p2=2).set(priority="p3").private(**first).build()
        s = allows(t, s, action)
        s = ends_round(t, s)
        assert s.priority == "p2"


@pytest.mark.rule("1860-PRV-06", "1860-SR-02")
def test_an_exchange_alone_is_a_pass_and_moves_no_priority() -> None:
    t, s = holding(p1=4, p2=2).set(priority="p3").private(RPSC="p1").build()
    s = allows(t, s, ExchangePrivate("p1", "RPSC"))
    assert (s.up, s.last_actor, s.passes) == ("p1", None, 0)
    s = allows(t, s, Pass("p1"))
    assert s.passes == 1


@pytest.mark.rule("1860-SR-03")
def test_any_number_of_sales_then_one_purchase() -> None:
    t, s = holding(p1=5).par("C&N", 74, at(74)).shares("C&N", p1=4, p2=2).trains("C&N", "2+1").build()
    s.par["FYN"], s.cell["FYN"], s.shares["FYN"] = 62, at(62), {IPO: 8, "p2": 2}
    s = play(t, s, SellShares("p1", "IOW", 1), SellShares("p1", "C&N", 1))
    assert s.up == "p1"
    after = allows(t, s, BuyShare("p1", "FYN", IPO))
    assert after.up == "p2", "nothing may follow the purchase"


@pytest.mark.rule("1860-SR-03")
def test_nobody_sells_more_than_he_has() -> None:
    t, s = holding(p1=3, p2=2).build()
    refuses(t, s, SellShares("p1", "IOW", 4), "1860-SR-03")
    refuses(t, s, SellShares("p1", "IOW", 0), "1860-SR-03")
    refuses(t, s, SellShares("p1", "IOW", -1), "1860-SR-03")


@pytest.mark.rule("1860-SR-01", "1860-SR-03")
def test_nobody_deals_out_of_turn() -> None:
    t, s = holding(p1=3, p2=2).build()
    refuses(t, s, BuyShare("p2", "IOW", IPO), "1860-SR-03")
    refuses(t, s, SellShares("p2", "IOW", 1), "1860-SR-03")


# Prices


@pytest.mark.rule("1860-SR-05")
def test_a_share_lies_where_it_is_bought() -> None:
    t, s = holding(p1=9, pool=1).build()
    assert "initial offering" in refuses(t, s, BuyShare("p1", "IOW", IPO), "1860-SR-05")
    refuses(t, s, BuyShare("p1", "IOW", "p2"), "1860-SR-05")
    t, s = holding(p1=5).build()
    assert "open market" in refuses(t, s, BuyShare("p1", "IOW", POOL), "1860-SR-05")


@pytest.mark.rule("1860-SR-05")
def test_par_stays_the_price_of_the_offering_whatever_the_quote() -> None:
    for price in (40, 74, 200):
        t, s = holding(price, p1=4, pool=1).build()
        assert allows(t, s, BuyShare("p1", "IOW", IPO)).cash["p1"] == 1000 - 74
        assert allows(t, s, BuyShare("p1", "IOW", POOL)).cash["p1"] == 1000 - price


@pytest.mark.rule("1860-SR-15")
def test_a_directors_certificate_costs_twice_par_in_cash() -> None:
    t, s = holding().cash(p1=147).build()
    refuses(t, s, par("p1", "C&N", 74), "1860-SR-15")
    s.cash["p1"] = 148
    after = allows(t, s, par("p1", "C&N", 74))
    assert (after.cash["p1"], after.held("C&N", "p1"), after.president["C&N"]) == (0, 2, "p1")
    refuses(t, s, par("p1", "IOW", 74), "1860-SR-15")


@pytest.mark.rule("1860-SR-06")
@pytest.mark.parametrize(("price", "count", "full", "half"), [(71, 1, 71, 35), (7, 1, 7, 3), (100, 4, 400, 200)])
def test_what_the_bank_pays_for_shares(price: int, count: int, full: int, half: int) -> None:
    t, s = holding(price, p1=5, p2=5).build()
    assert allows(t, s, SellShares("p1", "IOW", count)).cash["p1"] == 1000 + full
    s.trains["IOW"] = ()
    assert allows(t, s, SellShares("p1", "IOW", count)).cash["p1"] == 1000 + half


@pytest.mark.rule("1860-SR-06")
def test_a_company_that_has_not_floated_has_no_train_and_sells_at_half() -> None:
    t, s = table("1860", 3).par("IOW", 74).shares("IOW", p1=3).cash(p1=0).build()
    assert allows(t, s, SellShares("p1", "IOW", 1)).cash["p1"] == 37


@pytest.mark.rule("1860-SR-06", "1860-SR-15")
def test_without_par_there_is_nothing_to_sell_or_buy() -> None:
    t, s = holding().build()
    refuses(t, s, SellShares("p1", "C&N", 1), "1860-SR-03")
    refuses(t, s, BuyShare("p1", "C&N", IPO), "1860-SR-15")


# Falls


@pytest.mark.rule("1860-SR-10", "1860-SR-11", "1860-SR-12", "1860-MKT-02")
@pytest.mark.parametrize(
    ("price", "count", "to"),
    [
        (74, 1, 71), (74, 4, 62),  # a place a share, on either tier
        (150, 1, 142), (40, 1, 36), (40, 2, 31),  # the last prices at which every share counts
        (158, 1, 158), (158, 2, 150), (182, 3, 166),  # above, the first goes free
        (36, 1, 36), (36, 3, 26), (14, 2, 7),  # and below
        (330, 1, 330), (330, 2, 320),
    ],
)  # fmt: skip
def test_how_far_sales_bring_the_price_down(price: int, count: int, to: int) -> None:
    t, s = holding(price, p1=5, p2=5).build()
    assert price_of(t, allows(t, s, SellShares("p1", "IOW", count))) == to


@pytest.mark.rule("1860-SR-11", "1860-SR-09")
def test_the_price_before_the_sale_says_whether_the_first_share_goes_free() -> None:
    t, s = holding(158, p1=5, p2=5).build()
    assert price_of(t, allows(t, s, SellShares("p1", "IOW", 4))) == 134, "three places, also below 150"


@pytest.mark.rule("1860-SR-09")
def test_other_companies_may_still_be_sold_in_the_turn() -> None:
    t, s = holding(p1=4, p2=2).par("C&N", 74).shares("C&N", p1=3, p2=2).build()
    s = allows(t, s, SellShares("p1", "IOW", 1))
    refuses(t, s, SellShares("p1", "IOW", 1), "1860-SR-09")
    allows(t, s, SellShares("p1", "C&N", 1))


@pytest.mark.rule("1860-SR-09", "1860-SR-14")
def test_the_next_turn_of_the_round_allows_another_sale_but_no_purchase() -> None:
    t, s = holding(p1=5, p2=3).build()
    s = allows(t, allows(t, s, SellShares("p1", "IOW", 1)), Pass("p1"))
    s = allows(t, allows(t, s, Pass("p2")), Pass("p3"))
    refuses(t, s, BuyShare("p1", "IOW", IPO), "1860-SR-14")
    refuses(t, s, BuyShare("p1", "IOW", POOL), "1860-SR-14")
    s = allows(t, allows(t, s, SellShares("p1", "IOW", 1)), Pass("p1"))
    assert allows(t, s, BuyShare("p2", "IOW", POOL)).held("IOW", "p2") == 4, "others may"


@pytest.mark.rule("1860-SR-14")
def test_a_new_round_forgets_who_sold() -> None:
    t, s = holding(p1=5, p2=3).build()
    s = allows(t, s, SellShares("p1", "IOW", 1))
    t.rounds["SR"].begin(t, s)
    s.up = "p1"
    allows(t, s, BuyShare("p1", "IOW", POOL))


@pytest.mark.rule("1860-SR-10")
def test_before_it_has_operated_no_sale_moves_a_company() -> None:
    t, s = holding(182, p1=5, p2=5).set(operated=frozenset({"C&N"})).build()
    after = allows(t, s, SellShares("p1", "IOW", 5))
    assert price_of(t, after) == 182
    assert not facts(after, PriceMoved)


@pytest.mark.rule("1860-MKT-08", "1860-MKT-10")
def test_a_falling_token_goes_under_those_already_there() -> None:
    t, s = holding(78, p1=4, p2=2).par("C&N", 74, at(74)).shares("C&N", p2=3).build()
    after = allows(t, s, SellShares("p1", "IOW", 2))
    assert in_order(t, after, ["IOW", "C&N"]) == ["C&N", "IOW"]


@pytest.mark.rule("1860-SR-13")
def test_the_pool_takes_all_and_one_player_may_hold_all() -> None:
    t, s = holding(p1=4, p2=2, pool=4).build()
    after = allows(t, s, SellShares("p1", "IOW", 4))
    assert after.held("IOW", POOL) == 8
    t, s = holding(p1=9).build()
    assert allows(t, s, BuyShare("p1", "IOW", IPO)).held("IOW", "p1") == 10


@pytest.mark.rule("1860-SR-24")
def test_a_company_wholly_with_players_stays_where_it_is() -> None:
    t, s = holding(82, p1=6, p2=4).build()
    for player in ("p1", "p2", "p3"):
        s = allows(t, s, Pass(player)) if s.round == "SR" else s
    assert price_of(t, s) == 82
    assert not facts(s, PriceMoved)


# Directors


@pytest.mark.rule("1860-SR-16")
def test_equality_changes_no_director() -> None:
    t, s = holding(p1=3, p2=2).stock("p2").build()
    after = allows(t, s, BuyShare("p2", "IOW", IPO))
    assert after.president["IOW"] == "p1"
    assert not facts(after, PresidentChanged)
    s.shares["IOW"] = {IPO: 4, "p1": 3, "p2": 3}
    after = allows(t, s, BuyShare("p2", "IOW", IPO))
    assert after.president["IOW"] == "p2"


@pytest.mark.rule("1860-SR-17")
def test_a_director_who_still_has_as_many_as_anybody_stays() -> None:
    t, s = holding(p1=4, p2=3).build()
    assert allows(t, s, SellShares("p1", "IOW", 1)).president["IOW"] == "p1"
    assert allows(t, s, SellShares("p1", "IOW", 2)).president["IOW"] == "p2"


@pytest.mark.rule("1860-SR-17")
def test_of_equal_successors_the_nearest_clockwise_from_the_old_director() -> None:
    for director, heir in (("p1", "p2"), ("p2", "p3"), ("p3", "p1")):
        others = [player for player in ("p1", "p2", "p3") if player != director]
        t, s = holding().shares("IOW", {director: 4} | dict.fromkeys(others, 3)).stock(director).build()
        assert allows(t, s, SellShares(director, "IOW", 2)).president["IOW"] == heir
    t, s = holding(p1=4, p2=2, p3=3).build()
    assert allows(t, s, SellShares("p1", "IOW", 4)).president["IOW"] == "p3", "the larger holder comes first"


@pytest.mark.rule("1860-SR-18")
def test_half_a_directors_certificate_needs_a_share_in_the_pool() -> None:
    t, s = holding(p1=2, p2=1, pool=1).build()
    after = allows(t, s, SellShares("p1", "IOW", 1))
    assert after.shares["IOW"] == {IPO: 6, "p1": 1, "p2": 1, POOL: 2}
    assert (after.president["IOW"], certificates(t, after, "p1")) == (POOL, 1)
    t, s = holding(p1=2, p2=1).build()
    refuses(t, s, SellShares("p1", "IOW", 1), "1860-SR-18")
    assert allows(t, s, SellShares("p1", "IOW", 2)).president["IOW"] == POOL


@pytest.mark.rule("1860-SR-18")
def test_selling_down_to_one_share_needs_no_change_where_an_ordinary_share_goes_too() -> None:
    t, s = holding(p1=3, p2=1).build()
    after = allows(t, s, SellShares("p1", "IOW", 2))
    assert (after.president["IOW"], after.held("IOW", "p1"), after.held("IOW", POOL)) == (POOL, 1, 2)


@pytest.mark.rule("1860-SR-18")
def test_one_of_two_ordinary_shares_needs_no_change() -> None:
    t, s = holding(p1=2, p2=3).build()
    after = allows(t, s, SellShares("p1", "IOW", 1))
    assert (after.president["IOW"], after.held("IOW", "p1")) == ("p2", 1)


@pytest.mark.rule("1860-SR-19")
def test_a_player_with_two_shares_swaps_them_for_the_directorship() -> None:
    t, s = holding(p1=3, p2=2, pool=1).build()
    after = allows(t, s, SellShares("p1", "IOW", 3))
    assert (after.president["IOW"], after.held("IOW", "p2"), after.held("IOW", POOL)) == ("p2", 2, 4)
    assert certificates(t, after, "p2") == 1


# Limit


@pytest.mark.rule("1860-SR-20")
@pytest.mark.parametrize(("players", "limit"), [(2, 32), (3, 21), (4, 16)])
def test_the_limit_by_number_of_players(players: int, limit: int) -> None:
    t, s = holding(players=players, p1=4).build()
    shares = limit - certificates(t, s, "p1")
    for corp in ("C&N", "FYN", "IWNJ", "NGStL"):
        held = min(shares, 9)
        s.shares[corp] = {IPO: 10 - held, **({"p1": held} if held else {})}
        shares -= held
    assert certificates(t, s, "p1") == limit
    refuses(t, s, BuyShare("p1", "IOW", IPO), "1860-SR-21")
    refuses(t, s, par("p1", "C&N", 74), "1860-SR-21")
    s.shares["C&N"] = {IPO: 2, "p1": 8}
    allows(t, s, BuyShare("p1", "IOW", IPO))


def at_the_limit(own: int, director: int):  # type: ignore[no-untyped-def]
    """p1 has 21 certificates of 21; of IOW `own` shares, p2 directs it with `director`."""
    t, s = holding(p1=own, p2=director).build()
    s.president["IOW"] = "p2"
    left = 21 - own
    for corp in ("C&N", "FYN", "IWNJ"):
        held = min(left, 9)
        s.shares[corp] = {IPO: 10 - held, **({"p1": held} if held else {})}
        left -= held
    assert certificates(t, s, "p1") == 21
    return t, s


@pytest.mark.rule("1860-SR-21")
def test_not_even_a_share_that_would_bring_a_directorship() -> None:
    t, s = at_the_limit(3, 3)
    refuses(t, s, BuyShare("p1", "IOW", IPO), "1860-SR-21")
    keep(s, no_limits=True)
    assert certificates(t, allows(t, s, BuyShare("p1", "IOW", IPO)), "p1") == 21


@pytest.mark.rule("1860-SR-21", "1860-PRV-06")
def test_at_the_limit_an_exchange_is_one_for_one() -> None:
    t, s = at_the_limit(3, 3)
    s.shares["C&N"] = {IPO: 2, "p1": 8}
    s.owner["RPSC"] = "p1"
    assert certificates(t, s, "p1") == 21
    after = allows(t, s, ExchangePrivate("p1", "RPSC"))
    assert certificates(t, after, "p1") == 20, "with the fourth share the directorship comes too"


@pytest.mark.rule("1860-SR-22")
def test_who_is_over_the_limit_sells_until_within_it() -> None:
    t, s = holding(p1=9, p2=1).par("C&N", 74).shares("C&N", p1=9).par("FYN", 62).shares("FYN", p1=8, p2=2).build()
    assert certificates(t, s, "p1") == 23
    refuses(t, s, Pass("p1"), "1860-SR-22")
    refuses(t, s, par("p1", "IWNJ", 62), "1860-SR-22")
    s = allows(t, s, SellShares("p1", "IOW", 1))
    refuses(t, s, Pass("p1"), "1860-SR-22")
    s = allows(t, s, SellShares("p1", "FYN", 1))
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1860-SR-22")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_who_is_over_the_limit_sells_shares_before_a_private(options: tuple[str, ...]) -> None:
    laid = holding(74, *options, p1=9, p2=1).par("C&N", 74).shares("C&N", p1=9).par("FYN", 62)
    t, s = laid.shares("FYN", p1=6, p2=2).private(YHC="p1").build()
    assert certificates(t, s, "p1") == 22
    refuses(t, s, SellPrivate("p1", "YHC"), "1860-SR-22")
    assert not any(isinstance(action, SellPrivate) for action in legal(t, s, "p1"))
    sold = allows(t, s, SellShares("p1", "C&N", 1))
    kept = allows(t, sold, Pass("p1"))
    assert (kept.up, kept.owner["YHC"]) == ("p2", "p1")
    assert allows(t, sold, SellPrivate("p1", "YHC")).owner["YHC"] == BANK


@pytest.mark.rule("1860-SR-22", "1860-VAR-02c")
def test_who_is_over_the_limit_sells_shares_before_closing_a_private() -> None:
    laid = holding(74, "variable_privates", p1=9, p2=1).par("C&N", 74).shares("C&N", p1=9).par("FYN", 62)
    t, s = laid.shares("FYN", p1=6, p2=2).private(YHC="p1").build()
    refuses(t, s, ClosePrivate("p1", "YHC"), "1860-SR-22")
    allows(t, allows(t, s, SellShares("p1", "C&N", 1)), ClosePrivate("p1", "YHC"))


@pytest.mark.rule("1860-SR-22")
def test_over_the_limit_without_anything_to_sell_nobody_is_stuck() -> None:
    t, s = holding(p1=9, p2=1).par("C&N", 74).shares("C&N", p1=9).par("FYN", 62).shares("FYN", p1=8, p2=2).build()
    s.owner["YHC"] = "p1"
    s.sold_now = ("IOW", "C&N", "FYN")
    allows(t, s, Pass("p1"))
    allows(t, s, SellPrivate("p1", "YHC"))


# Layers


@pytest.mark.rule("1860-SR-25")
def test_only_the_first_layer_can_be_started_at_first() -> None:
    t, s = table("1860", 3).opening().build()
    s.round, s.step, s.turn, s.up = "SR", "shares", 1, "p1"
    assert {action.corp for action in legal(t, s, "p1") if isinstance(action, Par)} == {"C&N", "IOW"}


@pytest.mark.rule("1860-SR-26", "1860-SR-25")
@pytest.mark.parametrize(("corp", "before", "after"), [("IOW", 1, 2), ("FYN", 1, 3), ("NGStL", 1, 4), ("S&C", 1, 4)])
def test_the_layer_below_opens_by_operation(corp: str, before: int, after: int) -> None:
    t, s = table("1860", 3).own(layer=before).set(operated=frozenset({corp})).build()
    open_layers(t, s, operated=False)
    assert own(s).layer == before, "not before the next stock round"
    open_layers(t, s, operated=True)
    assert own(s).layer == after
    keep(s, layer=4)
    open_layers(t, s, operated=True)
    assert own(s).layer == 4, "what is open stays open"


@pytest.mark.rule("1860-SR-26")
def test_the_layer_opens_as_the_operating_rounds_end() -> None:
    t, s = table("1860", 3).operating("IOW", "track").par("IOW", 74).own(layer=1, paid={}).build()
    s.or_number = s.or_count = 1
    after = s
    while after.round == "OR":
        after = allows(t, after, Pass("p1"))
    assert (after.round, own(after).layer) == ("SR", 2)
    assert facts(after, Announced) == [Announced("layer 2")]


@pytest.mark.rule("1860-SR-26")
def test_the_reserved_share_must_be_gone_too() -> None:
    t, s = holding(p1=8).private(RPSC="p2").build()
    s = allows(t, s, BuyShare("p1", "IOW", IPO))
    assert (s.held("IOW", IPO), own(s).layer) == (1, 1)
    s = allows(t, s, Pass("p1")) if s.up == "p1" else s
    after = allows(t, s, ExchangePrivate("p2", "RPSC"))
    assert (after.held("IOW", IPO), own(after).layer) == (0, 2), "and opens the layer at once by an exchange"
    allows(t, after, par("p2", "FYN", 62))


@pytest.mark.rule("1860-SR-26")
def test_shares_in_the_pool_are_sold() -> None:
    t, s = holding(p1=6, pool=3).build()
    after = allows(t, s, BuyShare("p1", "IOW", IPO))
    assert own(after).layer == 2


@pytest.mark.rule("1860-SR-27")
def test_both_companies_of_a_layer_may_be_started_in_any_order() -> None:
    t, s = table("1860", 3).cash(p1=900, p2=900).own(layer=2).build()
    s = allows(t, s, par("p1", "FYN", 62))
    s = allows(t, s, Pass("p1")) if s.up == "p1" else s
    allows(t, s, par("p2", "IWNJ", 62))
