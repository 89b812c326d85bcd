"""1890: regular stock rounds, the market, flotation and closing by price."""

from __future__ import annotations

import pytest
from tables import allows, ends_round, facts, keep, price_at, refuses, table
from tables_1890 import market, railway, turn_over

from engine import IPO, POOL, State, Title, decision, legal
from engine.actions import BuyPrivate, BuyShare, Dividend, ExchangePrivate, Par, Pass, SellShares, TradePrivate
from engine.facts import Floated, PresidentChanged, PriceMoved
from engine.ids import BANK, RESERVED
from engine.market import in_order, put
from engine.past import changed_hexes
from engine.shares import certificates
from engine.titles.t1890.companies import has_closed
from engine.titles.t1890.operating import restack

PARS = {65: (5, 4), 70: (4, 4), 75: (3, 4), 80: (2, 4), 90: (1, 4), 100: (0, 4)}


# Turns


@pytest.mark.rule("1890-SR-01", "1890-SR-05")
def test_turns_go_clockwise_from_the_priority_until_all_pass_in_a_row() -> None:
    t, s = market().par("Sanyo", 65).shares("Sanyo", p3=5).cash(p1=200, p2=200, p3=200).build()
    s = allows(t, s, Pass("p1"))
    s = allows(t, s, BuyShare("p2", "Sanyo", IPO))
    s = allows(t, s, Pass("p2"))  # it could still sell
    assert decision(t, s).players == ("p3",)
    s = allows(t, s, Pass("p3"))
    s = allows(t, s, BuyShare("p1", "Sanyo", IPO))  # passers may act later
    s = allows(t, s, Pass("p1"))
    s = allows(t, s, Pass("p2"))
    s = allows(t, s, Pass("p3"))
    after = allows(t, s, Pass("p1"))
    assert (after.round, after.priority) == ("OR", "p2")


@pytest.mark.rule("1890-SR-05")
def test_the_priority_card_stays_where_it_is_in_a_round_without_action() -> None:
    t, s = market().par("Sanyo", 65).shares("Sanyo", p3=5).cash(p1=200, p2=200, p3=200).build()
    s.priority = s.up = "p3"
    assert ends_round(t, s).priority == "p3"


@pytest.mark.rule("1890-SR-02")
def test_who_acts_out_of_turn_is_told_the_rule_of_the_stock_round() -> None:
    t, s = market().par("Sanyo", 65).shares("Sanyo", p2=3, p1=2).build()
    refuses(t, s, SellShares("p2", "Sanyo", 1), "1890-SR-02")
    refuses(t, s, Dividend("p1", "Sanyo", "pay"), "1890-SR-02")


@pytest.mark.rule("1890-SR-02", "1890-SR-03")
def test_a_turn_sells_and_buys_one_in_either_order_but_not_sell_buy_sell() -> None:
    found = market().par("Sanyo", 65).shares("Sanyo", p2=3, p1=2).par("Nankai", 70).shares("Nankai", p2=4, p1=3)
    t, s = found.cash(p1=300).build()
    sold = allows(t, s, SellShares("p1", "Nankai", 1))
    both = allows(t, sold, BuyShare("p1", "Sanyo", IPO))
    assert both.up == "p2"  # it has sold before it bought: there is nothing more to do
    both.up = "p1"
    both.bought = both.sold_first = True
    refuses(t, both, SellShares("p1", "Sanyo", 1), "1890-SR-03")
    bought = allows(t, s, BuyShare("p1", "Sanyo", IPO))
    refuses(t, bought, BuyShare("p1", "Sanyo", IPO), "1890-SR-12")
    after = allows(t, bought, SellShares("p1", "Nankai", 1))
    allows(t, after, SellShares("p1", "Sanyo", 1))


@pytest.mark.rule("1890-SR-04", "1890-SR-12")
def test_a_share_bought_at_par_may_be_sold_in_the_same_turn_at_the_market_price() -> None:
    """Par 70, market price 100."""
    t, s = market().par("Nankai", 70, (4, 8)).shares("Nankai", p2=5).cash(p1=70).build()
    assert price_at(t, 4, 8) == 100
    s = allows(t, s, BuyShare("p1", "Nankai", IPO))
    assert s.cash["p1"] == 0
    assert allows(t, s, SellShares("p1", "Nankai", 1)).cash["p1"] == 100


@pytest.mark.rule("1890-SR-12")
def test_a_share_costs_par_in_the_offering_and_the_price_in_the_market() -> None:
    t, s = market().par("Nankai", 70, (4, 8)).shares("Nankai", p2=5, pool=2).cash(p1=150).build()
    assert allows(t, s, BuyShare("p1", "Nankai", IPO)).cash["p1"] == 80
    assert allows(t, s, BuyShare("p1", "Nankai", POOL)).cash["p1"] == 50


@pytest.mark.rule("1890-SR-06", "1890-SR-20")
def test_a_share_without_price_is_not_sold() -> None:
    t, s = market().shares("Hanshin", p1=1).cash(p2=500).build()
    refuses(t, s, SellShares("p1", "Hanshin", 1), "1890-SR-20")
    s.up = "p2"
    s = allows(t, s, Par("p2", "Hanshin", *PARS[80]))
    s = s if s.up == "p1" else allows(t, s, Pass(s.up))
    while s.up != "p1":
        s = allows(t, s, Pass(s.up))
    allows(t, s, SellShares("p1", "Hanshin", 1))


@pytest.mark.rule("1890-SR-07")
def test_a_block_sells_at_the_price_before_it_and_falls_a_row_for_each_share() -> None:
    """Par 100, two shares bring 200, the price is then 80."""
    t, s = market().par("JR").shares("JR", p1=4, p2=2).build()
    s = allows(t, s, SellShares("p1", "JR", 2))
    assert s.cash["p1"] == 840 + 200
    assert s.cell["JR"] == (2, 4)
    assert [fact.price for fact in facts(s, PriceMoved)] == [80]
    refuses(t, s, SellShares("p1", "JR", 1), "1890-SR-07")


@pytest.mark.rule("1890-SR-18", "1890-SR-15")
def test_who_holds_more_than_60_percent_comes_down_to_it_in_one_sale() -> None:
    t, s = market().par("JR", 100).shares("JR", p1=8, p2=2).build()
    refuses(t, s, SellShares("p1", "JR", 1), "1890-SR-18")
    assert allows(t, s, SellShares("p1", "JR", 2)).held("JR", "p1") == 6
    allows(t, s, SellShares("p1", "JR", 3))


@pytest.mark.rule("1890-SR-18", "1890-SR-17")
def test_who_holds_more_than_60_percent_may_sell_the_price_down_to_where_that_is_allowed() -> None:
    """From 55 three shares fall to 40, which is brown; 70 % may be held there."""
    t, s = market().par("JR", 100, (7, 4)).shares("JR", p1=10).build()
    refuses(t, s, SellShares("p1", "JR", 2), "1890-SR-18")
    after = allows(t, s, SellShares("p1", "JR", 3))
    assert after.held("JR", "p1") == 7
    allows(t, after, Pass("p1"))
    t, s = market("earthquake").par("JR", 100, (7, 4)).shares("JR", p1=10).own(quake=True).build()
    refuses(t, s, SellShares("p1", "JR", 3), "1890-SR-18")


@pytest.mark.rule("1890-SR-08")
def test_in_the_bottom_row_the_price_no_longer_falls() -> None:
    t, s = market().par("JR", 100, (10, 3)).shares("JR", p1=4, p2=2).build()
    s = allows(t, s, SellShares("p1", "JR", 2))
    assert (s.cell["JR"], s.cash["p1"]) == ((10, 3), 840 + 70)


@pytest.mark.rule("1890-SR-09")
def test_half_of_a_company_at_most_lies_in_the_market() -> None:
    t, s = market().par("JR").shares("JR", p1=4, p2=2, pool=4).build()
    refuses(t, s, SellShares("p1", "JR", 2), "1890-SR-09")
    allows(t, s, SellShares("p1", "JR", 1))


@pytest.mark.rule("1890-SR-10")
def test_the_presidents_certificate_goes_only_to_who_holds_two_shares() -> None:
    t, s = market().par("JR").shares("JR", p1=3, p2=1).build()
    refuses(t, s, SellShares("p1", "JR", 2), "1890-SR-10")
    t, s = market().par("JR").shares("JR", p1=3, p2=2).build()
    assert allows(t, s, SellShares("p1", "JR", 2)).president["JR"] == "p2"


@pytest.mark.rule("1890-SR-11")
def test_no_sales_in_the_first_game_turn() -> None:
    t, s = market(turn=1).par("JR").shares("JR", p1=4).build()
    refuses(t, s, SellShares("p1", "JR", 1), "1890-SR-11")


@pytest.mark.rule("1890-SR-11", "1890-SR-13")
def test_no_privates_change_hands_in_the_first_game_turn_either() -> None:
    t, s = market(turn=1).private(A="p2").build()
    assert not any(isinstance(a, TradePrivate) for a in legal(t, s, "p1"))
    refuses(t, s, TradePrivate("p1", "A", 20), "1890-SR-11")
    s.turn = 2
    assert any(isinstance(a, TradePrivate) for a in legal(t, s, "p1"))
    allows(t, s, TradePrivate("p1", "A", 20))


@pytest.mark.rule("1890-SR-14")
def test_what_was_sold_in_the_round_is_not_bought_back() -> None:
    t, s = market().par("JR").shares("JR", p1=4, p2=2).build()
    s = allows(t, s, SellShares("p1", "JR", 1))
    refuses(t, s, BuyShare("p1", "JR", POOL), "1890-SR-14")


@pytest.mark.rule("1890-SR-15", "1890-SR-16", "1890-SR-17")
def test_limits_hold_but_in_the_yellow_and_brown_cells() -> None:
    t, s = market().par("JR").shares("JR", p1=6).cash(p1=2000).build()
    refuses(t, s, BuyShare("p1", "JR", IPO), "1890-SR-15")
    put(s, "JR", (7, 2))  # yellow
    refuses(t, s, BuyShare("p1", "JR", IPO), "1890-SR-15")
    put(s, "JR", (7, 1))  # brown
    s = allows(t, s, BuyShare("p1", "JR", IPO))
    assert s.held("JR", "p1") == 7
    t, s = market().par("JR").shares("JR", p1=6).par("Sanyo", 65).shares("Sanyo", p2=5).cash(p1=2000).build()
    for sym in ("Nankai", "Hankyu", "Keihan"):
        s.shares[sym], s.par[sym], s.president[sym] = {"p1": 5, IPO: 5}, 100, "p1"
        put(s, sym, PARS[100])
    s.owner["A"] = "p1"
    assert certificates(t, s, "p1") == 5 + 3 * 4 + 1 == t.cert_limit
    refuses(t, s, BuyShare("p1", "Sanyo", IPO), "1890-SR-15")
    refuses(t, s, Par("p1", "Hanshin", *PARS[80]), "1890-SR-15")
    put(s, "Sanyo", (4, 0))
    s = allows(t, s, BuyShare("p1", "Sanyo", IPO))
    assert certificates(t, s, "p1") == t.cert_limit


@pytest.mark.rule("1890-SR-16")
def test_privates_minors_and_late_privates_count_one_each() -> None:
    t, s = market().private(A="p1", M4="p1", K1="p1").par("JR").shares("JR", p1=4).build()
    assert certificates(t, s, "p1") == 3 + 3


@pytest.mark.rule("1890-SR-18")
def test_who_is_over_a_limit_sells_first() -> None:
    t, s = market().par("JR").shares("JR", p1=7).cash(p1=2000).build()
    s.owner.update(A="p1", B="p2", K1="bank")
    for action in (
        Pass("p1"), Par("p1", "Sanyo", *PARS[65]), BuyPrivate("p1", "K1"), TradePrivate("p1", "B", 40)
    ):  # fmt: skip
        refuses(t, s, action, "1890-SR-18")
    s = allows(t, s, SellShares("p1", "JR", 1))
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1890-SR-19", "1890-COR-02", "1890-MKT-07")
def test_a_company_starts_with_its_presidents_certificate_at_one_of_six_pars() -> None:
    t, s = market().cash(p1=2000).build()
    refuses(t, s, BuyShare("p1", "Sanyo", IPO), "1890-SR-19")
    for price, at in PARS.items():
        after = allows(t, s, Par("p1", "Sanyo", *at))
        assert after.cash["p1"] == 2000 - 2 * price
        assert (after.held("Sanyo", "p1"), after.president["Sanyo"]) == (2, "p1")
        if price == 100:
            allows(t, s, Par("p1", "JR", *at))
        else:
            refuses(t, s, Par("p1", "JR", *at), "1890-COR-02")
    refuses(t, s, Par("p1", "Sanyo", 0, 5), "1890-SR-19")
    after.up, after.bought = "p1", False
    refuses(t, after, Par("p1", "Sanyo", *PARS[80]), "1890-SR-19")
    s.cash["p1"] = 199
    refuses(t, s, Par("p1", "JR", *PARS[100]), "1890-SR-19")


@pytest.mark.rule("1890-VAR-23")
def test_without_its_particulars_jr_starts_at_any_par() -> None:
    t, s = market("scenario_a", "plain_jr_par").build()
    allows(t, s, Par("p1", "JR", *PARS[65]))


@pytest.mark.rule("1890-SR-21", "1890-SR-22")
def test_the_strictly_largest_holder_is_president_ties_nearest_clockwise() -> None:
    t, s = (
        market(players=4).par("JR").shares("JR", p1=2, p2=2, president="p1").trains("JR", "2").private(A="JR").build()
    )
    s.up = "p2"
    s = allows(t, s, BuyShare("p2", "JR", IPO))
    assert (s.president["JR"], s.held("JR", "p2"), s.held("JR", "p1")) == ("p2", 3, 2)
    assert (s.trains["JR"], s.owner["A"]) == (("2",), "JR")
    t, s = market(players=4).par("JR").shares("JR", p1=4, p2=3, p4=3).build()
    s = allows(t, s, SellShares("p1", "JR", 2))
    assert [(fact.source, fact.target) for fact in facts(s, PresidentChanged)] == [("p1", "p2")]
    t, s = market(players=4).par("JR").shares("JR", p3=4, p2=3, p4=3).build()
    s.up = "p3"
    assert allows(t, s, SellShares("p3", "JR", 2)).president["JR"] == "p4"


@pytest.mark.rule("1890-SR-23", "1890-SR-24")
def test_wholly_held_companies_rise_a_row_in_price_order() -> None:
    found = (
        market().par("JR", 100, (1, 5)).shares("JR", p1=5, p2=5).par("Sanyo", 65, (2, 6)).shares("Sanyo", p1=5, p2=5)
    )
    t, s = found.par("Nankai", 100, (0, 6)).shares("Nankai", p1=5, p2=5).cash(p1=0, p2=0, p3=0).build()
    assert price_at(t, 1, 5) == price_at(t, 2, 6) == 100
    s = ends_round(t, s)
    assert s.cell["Nankai"] == (0, 6)
    assert (s.cell["JR"], s.cell["Sanyo"]) == ((0, 5), (1, 6))
    moved = [fact.corp for fact in facts(s, PriceMoved)]
    assert moved == ["Sanyo", "JR"]


# Market


@pytest.mark.rule("1890-MKT-01", "1890-MKT-02")
def test_dividends_move_right_or_up_and_missing_ones_left_or_down() -> None:
    for at, paid, withheld in (((0, 4), (0, 5), (0, 3)), ((4, 11), (3, 11), (4, 10)), ((4, 0), (4, 1), (5, 0))):
        t, s = railway(step="dividend").build()
        put(s, "Hankyu", at)
        s.income = 50
        assert allows(t, s, Dividend("p1", "Hankyu", "pay")).cell["Hankyu"] == paid
        assert allows(t, s, Dividend("p1", "Hankyu", "withhold")).cell["Hankyu"] == withheld


@pytest.mark.rule("1890-MKT-03", "1890-MKT-05")
def test_who_comes_first_into_a_cell_lies_on_top_and_operates_first() -> None:
    t, s = market().par("JR").par("Sanyo", 65).par("Nankai", 65).build()
    put(s, "JR", (2, 6))
    put(s, "Sanyo", (1, 5))
    put(s, "Nankai", (2, 6))
    assert in_order(t, s, ("Sanyo", "Nankai", "JR")) == ["JR", "Nankai", "Sanyo"]  # all at 100: right before left
    restack(s)
    assert in_order(t, s, ("Sanyo", "Nankai", "JR")) == ["JR", "Nankai", "Sanyo"]


@pytest.mark.rule("1890-MKT-04")
def test_at_the_end_of_an_operating_round_the_unstarted_lie_on_top() -> None:
    t, s = market().par("JR").par("Nankai", 90).shares("Nankai", p2=2).build()
    put(s, "JR", (1, 4))
    put(s, "Nankai", (1, 4))
    assert in_order(t, s, ("JR", "Nankai")) == ["JR", "Nankai"]
    s.floated = s.operated = frozenset({"JR"})
    restack(s)
    assert in_order(t, s, ("JR", "Nankai")) == ["Nankai", "JR"]


@pytest.mark.rule("1890-MKT-04", "1890-VAR-14")
def test_a_company_that_has_sold_too_few_shares_for_its_first_turn_lies_on_top() -> None:
    found = railway("Hankyu", "trains", "incremental_float", phase="1", par=100).par("JR").shares("JR", p2=4)
    t, s = found.own(incremental=("Hankyu", "JR")).set(floated=frozenset({"Hankyu", "JR"})).build()
    s.operated = frozenset({"Hankyu"})
    assert in_order(t, s, ("JR", "Hankyu")) == ["Hankyu", "JR"]
    s = allows(t, s, Pass("p1"))
    assert s.round == "SR"
    assert in_order(t, s, ("JR", "Hankyu")) == ["JR", "Hankyu"]


@pytest.mark.rule("1890-MKT-06", "1890-COR-05")
@pytest.mark.parametrize(("at", "count"), [((8, 0), 1), ((9, 1), 1), ((7, 1), 3)])
def test_a_token_that_enters_the_closing_area_closes_the_company(at: tuple[int, int], count: int) -> None:
    found = (
        market().par("Hankyu", 65, at).shares("Hankyu", p1=4, p2=3, pool=1).trains("Hankyu", "3").private(A="Hankyu")
    )
    t, s = found.cash(Hankyu=120).build()
    bank = s.cash[BANK]
    price = price_at(t, *at)
    s = allows(t, s, SellShares("p1", "Hankyu", count))
    assert has_closed(s, "Hankyu")
    assert s.cash["p1"] == 840 + count * price
    assert s.cash[BANK] == bank - count * price + 120
    assert [s.held("Hankyu", player) for player in s.players] == [0, 0, 0]
    assert (s.trains["Hankyu"], s.train_pool, s.owner["A"]) == ((), ("3",), "closed")
    assert s.board.token_stops("Hankyu") == ()
    assert s.board.places("E12", 0) == (None,)
    assert changed_hexes(s.facts) == ("E12",)
    assert "Hankyu" not in s.floated


@pytest.mark.rule("1890-FLT-07")
def test_a_closed_company_never_starts_again() -> None:
    t, s = market().par("Hankyu", 65, (8, 0)).shares("Hankyu", p1=4, p2=3).cash(p2=500).build()
    s = allows(t, s, SellShares("p1", "Hankyu", 1))
    s = allows(t, s, Pass("p1")) if s.up == "p1" else s
    refuses(t, s, Par("p2", "Hankyu", *PARS[80]), "1890-FLT-07")
    refuses(t, s, BuyShare("p2", "Hankyu", IPO), "1890-FLT-07")


# Flotation


@pytest.mark.rule("1890-FLT-01", "1890-FLT-03", "1890-FLT-04")
def test_half_sold_floats_with_ten_times_par_and_nothing_more() -> None:
    t, s = market().par("JR").shares("JR", p2=2, president="p2").cash(p1=2000).build()
    s.shares["JR"] = {"p2": 3, POOL: 1, IPO: 6}
    s = allows(t, s, BuyShare("p1", "JR", IPO))
    assert s.cash["JR"] == 1000
    assert [fact.corp for fact in facts(s, Floated)] == ["JR"]
    s.up, s.bought = "p1", False
    s = allows(t, s, BuyShare("p1", "JR", IPO))
    assert s.cash["JR"] == 1000


@pytest.mark.rule("1890-FLT-02")
@pytest.mark.parametrize("corp", ["Hanshin", "Keihan"])
def test_a_share_that_came_with_a_private_counts(corp: str) -> None:
    t, s = market().shares(corp, p2=1).cash(p1=2000).build()
    s = allows(t, s, Par("p1", corp, *PARS[80]))
    for _ in range(2):
        assert corp not in s.floated
        s.up, s.bought = "p1", False
        s = allows(t, s, BuyShare("p1", corp, IPO))
    assert corp in s.floated


@pytest.mark.rule("1890-FLT-02")
def test_the_subway_needs_three_more_shares() -> None:
    t, s = market().par("Subway", 80).shares("Subway", p1=2).cash(p2=2000).build()
    for _ in range(3):
        assert "Subway" not in s.floated
        s.up, s.bought = "p2", False
        s = allows(t, s, BuyShare("p2", "Subway", IPO))
    assert s.cash["Subway"] == 800


@pytest.mark.rule("1890-FLT-05", "1890-TOK-09", "1890-COR-01")
def test_every_charter_has_its_tokens_and_homes() -> None:
    t, _ = table("1890", 3).build()
    count = {corp.id: len(corp.token_costs) for corp in t.corporations.values()}
    wanted = {"Hanshin": 3, "Hankyu": 4, "JR": 6, "Sanyo": 2, "Keihan": 3, "Nankai": 3, "Kinki": 6, "Subway": 1}
    assert {corp: count[corp] for corp in wanted} == wanted
    costs = {corp: sorted(t.corporations[corp].token_costs) for corp in wanted}
    assert costs["Hankyu"] == [0, 40, 100, 100]
    assert costs["JR"] == costs["Kinki"] == [0, 0, 0, 0, 40, 100]
    homes = {corp: {t.hexes[hex_id].name for hex_id, _ in t.corporations[corp].homes} for corp in wanted}
    assert homes == {
        "JR": {"Osaka Kita", "Kyoto", "Nara", "Kobe"}, "Subway": {"Osaka Nishi"}, "Keihan": {"Hirakata"},
        "Nankai": {"Osaka Minami"}, "Kinki": set(), "Sanyo": {"Akashi"}, "Hanshin": {"Nishinomiya"},
        "Hankyu": {"Toyonaka"},
    }  # fmt: skip
    plain, _ = table("1890", 3, "plain_kinki").build()
    assert [plain.hexes[hex_id].name for hex_id, _ in plain.corporations["Kinki"].homes] == ["Osaka Higashi"]


# Companies that float share by share


@pytest.mark.rule("1890-VAR-14", "1890-VAR-14a")
def test_incrementally_the_offering_pays_the_treasury_and_the_bank_attached_shares() -> None:
    t, s = market("incremental_float").shares("Hanshin", p2=1).cash(p1=2000).build()
    s = allows(t, s, Par("p1", "Hanshin", *PARS[80]))
    assert s.cash["Hanshin"] == 160 + 80
    assert s.cash["p1"] == 2000 - 160
    s.up, s.bought = "p1", False
    s = allows(t, s, BuyShare("p1", "Hanshin", IPO))
    assert s.cash["Hanshin"] == 160 + 80 + 80
    s.shares["Hanshin"] = {"p1": 3, POOL: 2, IPO: 5}
    s.up, s.bought = "p1", False
    assert allows(t, s, BuyShare("p1", "Hanshin", POOL)).cash["Hanshin"] == 320


def incremental(phase: str, sold: int, corp: str = "Sanyo", *options: str, on_sale: str = "") -> State:
    """The operating round after a stock round in which the company has just these tenths sold."""
    t, s = market("incremental_float", "open_treasuries", *options).phase(phase).cash(p1=2000, p2=0, p3=0).build()
    s = allows(t, s, Par("p1", corp, *PARS[100]))
    if on_sale:
        s.depot |= {rank: 0 for rank in s.depot if rank != on_sale}
    held = {"p1": min(sold, 5), POOL: sold - min(sold, 5), IPO: 10 - sold}
    s.shares[corp] = {holder: count for holder, count in held.items() if count}
    s.up, s.bought, s.passes, s.cash["p1"] = "p1", False, 2, 0
    return ends_round(t, s)


@pytest.mark.rule("1890-VAR-14", "1890-VAR-14c")
def test_incrementally_a_company_operates_once_it_sold_as_many_as_the_train_on_sale() -> None:
    """While a 3 is on sale, 20 % are not enough."""
    assert incremental("1", 2).operating == "Sanyo"
    assert incremental("2", 2).operating is None
    assert incremental("2", 3).operating == "Sanyo"
    assert incremental("2", 4, "JR").operating is None
    assert incremental("2", 5, "JR").operating == "JR"


@pytest.mark.rule("1890-VAR-14", "1890-VAR-07")
def test_incrementally_a_d_on_sale_asks_for_all_ten_and_an_8_for_eight() -> None:
    assert incremental("4", 9, on_sale="D").operating is None
    assert incremental("4", 10, on_sale="D").operating == "Sanyo"
    assert incremental("4", 7, "Sanyo", "eight_trains", on_sale="D").operating is None
    assert incremental("4", 8, "Sanyo", "eight_trains", on_sale="D").operating == "Sanyo"


def three_sold(sanyo: int = 100) -> tuple[Title, State]:
    """The first turn of a round, Kobe Electric's; Sanyo has sold three tenths, Keihan runs, the bank sells 4-trains."""
    found = market("incremental_float", phase="3").par("Sanyo", sanyo).shares("Sanyo", p1=3)
    found.par("Keihan", 90).shares("Keihan", p1=6).private(M5="p2").trains("M5", "3").cash(p1=0, p2=0, p3=0)
    t, s = found.set(operated=frozenset({"Keihan"}), floated=frozenset({"Sanyo", "Keihan", "M5"})).build()
    keep(s, incremental=("Sanyo", "Keihan"))
    s.president["M5"], s.tokens["Sanyo"], s.passes = "p2", t.corporations["Sanyo"].token_costs, 2
    s = ends_round(t, s)
    assert s.operating == "M5"
    return t, s


@pytest.mark.rule("1890-VAR-14", "1890-MIN-18")
def test_incrementally_what_counts_is_the_train_on_sale_when_the_companys_turn_comes() -> None:
    """Kobe Electric's 3-train is on sale again, so three tenths are enough; not for whose turn was before that."""
    t, s = three_sold()
    assert turn_over(t, s).operating == "Keihan"
    changed = allows(t, s, ExchangePrivate("p2", "M5"))
    assert (changed.or_number, changed.operating) == (1, "Sanyo")
    s = allows(t, turn_over(t, s), Pass("p1"))
    s = turn_over(t, allows(t, s, ExchangePrivate("p2", "M5")))
    assert s.or_number == 2, "it is Sanyo's turn no more"
    t, s = three_sold(80)
    s = allows(t, turn_over(t, s), Pass("p1"))
    s = turn_over(t, allows(t, s, ExchangePrivate("p2", "M5")))
    assert (s.or_number, s.operating) == (1, "Sanyo"), "Sanyo comes after Keihan"


@pytest.mark.rule("1890-VAR-11", "1890-VAR-14", "1890-VAR-14a")
@pytest.mark.parametrize("option", ["plain_kinki", "scenario_d"])
def test_incrementally_a_kinki_without_minors_starts_like_the_others(option: str) -> None:
    t, s = market("incremental_float", option).phase("2").cash(p1=2000).build()
    s = allows(t, s, Par("p1", "Kinki", *PARS[80]))
    assert (s.cash["Kinki"], "Kinki" in s.floated) == (160, True)
    s.passes = 2
    assert ends_round(t, s).operating is None
    s.passes, s.up, s.bought = 0, "p1", False
    s = allows(t, s, BuyShare("p1", "Kinki", IPO))
    assert s.cash["Kinki"] == 240
    s.passes, s.up = 2, "p2"
    assert ends_round(t, s).operating == "Kinki"


@pytest.mark.rule("1890-VAR-14b")
def test_from_phase_5_new_companies_float_as_usual() -> None:
    t, s = market("incremental_float").phase("5").cash(p1=2000).build()
    s = allows(t, s, Par("p1", "Sanyo", *PARS[100]))
    assert (s.cash["Sanyo"], "Sanyo" in s.floated) == (0, False)
    for _ in range(3):
        s.up, s.bought = "p1", False
        s = allows(t, s, BuyShare("p1", "Sanyo", IPO))
    assert s.cash["Sanyo"] == 1000


@pytest.mark.rule("1890-VAR-14d")
def test_incrementally_kinki_gets_the_money_of_shares_sold_before_when_it_forms() -> None:
    t, s = market("incremental_float").phase("2").private(M2="p1", M3="p1").cash(p2=500, M2=100, M3=50).build()
    s.floated, s.president["M2"], s.president["M3"] = frozenset({"M2", "M3"}), "p1", "p1"
    s.par["Kinki"] = 80
    keep(s, incremental=("Kinki",))
    s.shares["Kinki"], s.president["Kinki"] = {IPO: 4, RESERVED: 6}, RESERVED
    put(s, "Kinki", PARS[80])
    s.up = "p2"
    s = allows(t, s, BuyShare("p2", "Kinki", IPO))
    assert s.cash["Kinki"] == 0
    s.passes, s.up = 2, "p3"
    s = ends_round(t, s)
    s = allows(t, s, ExchangePrivate("p1", "M2"))
    assert s.cash["Kinki"] == 80 + 150
