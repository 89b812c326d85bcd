"""1889: trains, phases, forced purchases and bankruptcy."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, offered, play, price_at, refuses, table

from engine import BANK, POOL, consent, decision, legal, worth
from engine.actions import BuyTrain, CompanyBuysPrivate, DiscardTrain, ExchangePrivate, GoBankrupt, Pass, SellShares
from engine.depot import bank_trains
from engine.facts import CashMoved, GameEnded, PhaseBegan, TrainBought, TrainsRusted
from engine.steps.emergency import must_buy


def awa(*trains: str, phase: str = "2", **left: int) -> Table:
    """AR in its train step, with a route from Tokushima (K8) to Naruto (L7)."""
    return table("1889").operating("AR", "trains").trains("AR", *trains).tile("K8", "57", 1).phase(phase, **left)


def buy(rank: str, source: str = "bank", price: int = 0, trade_in: str | None = None, by: str = "p1") -> BuyTrain:
    listed = {"2": 80, "3": 180, "4": 300, "5": 450, "6": 630, "D": 1100}[rank]
    return BuyTrain(by, "AR", rank, source, price or listed, trade_in)


# Buying


@pytest.mark.rule("1889-TRN-01", "1889-TRN-16", "1889-SET-06")
def test_trains_come_from_bank_market_and_companies() -> None:
    t, s = awa("3", phase="3").market_trains("2").par("SR").shares("SR", p2=5).trains("SR", "3").cash(AR=500).build()
    after = allows(t, s, buy("3"))
    assert (after.cash["AR"], after.depot["3"]) == (320, s.depot["3"] - 1)
    after = allows(t, s, buy("2", "pool"))
    assert (after.cash["AR"], after.train_pool) == (420, ())
    after = allows(t, s, buy("3", "SR", 7))
    assert (after.trains["AR"], after.trains["SR"]) == (("3", "3"), ())
    assert (after.cash["AR"], after.cash["SR"]) == (493, 7)
    refuses(t, s, buy("3", "AR"), "1889-TRN-02")
    refuses(t, s, buy("3", "p2"), "1889-TRN-02")
    refuses(t, s, buy("2", "bank"), "1889-TRN-02")
    refuses(t, s, buy("3", "pool"), "1889-TRN-02")


@pytest.mark.rule("1889-TRN-02", "1889-PHS-06")
def test_bank_trains_go_in_order_and_d_from_the_first_6() -> None:
    t, s = awa("2").cash(AR=3000).build()
    refuses(t, s, buy("3"), "1889-TRN-02")
    s.depot["2"] = 0
    assert bank_trains(t, s) == ["3"]
    t, s = awa("5", phase="5", left_5=1).cash(AR=3000).build()
    refuses(t, s, buy("6"), "1889-TRN-02")
    refuses(t, s, buy("D"), "1889-TRN-02")
    s = allows(t, s, buy("5"))
    assert bank_trains(t, s) == ["6"]
    t, s = awa("5", phase="6").build()
    assert bank_trains(t, s) == ["6", "D"]


@pytest.mark.rule("1889-SET-05", "1889-TRN-02")
def test_d_trains_never_run_out() -> None:
    t, s = awa("D", phase="D").cash(AR=3000).build()
    s.depot["6"] = 0
    assert bank_trains(t, s) == ["D"]
    assert bank_trains(t, allows(t, s, buy("D"))) == ["D"]


@pytest.mark.rule("1889-TRN-03")
def test_several_trains_in_a_turn_and_none_of_them_runs() -> None:
    t, s = awa().cash(AR=500).build()
    for count in (1, 2, 3):
        s = allows(t, s, buy("2"))
        assert len(s.trains["AR"]) == count
    assert s.step == "trains"
    assert s.last_run == {}


@pytest.mark.rule("1889-TRN-04", "1889-TRN-05", "1889-SEC-04")
def test_prices_between_companies_are_agreed() -> None:
    laid = awa("2").par("SR").shares("SR", p2=5).trains("SR", "2").par("KO")
    t, s = laid.shares("KO", p1=5).trains("KO", "2").cash(AR=60).build()
    for price in (-5, 0):
        refuses(t, s, BuyTrain("p1", "AR", "2", "SR", price), "1889-TRN-04")
    refuses(t, s, buy("2", "SR", 61), "1889-EMR-03")
    after = allows(t, s, buy("2", "SR", 60))
    assert facts(after, TrainBought) == [TrainBought("AR", "2", "SR", 60, 0, None)]
    assert consent(t, s, buy("2", "SR", 60)) == "p2"
    assert consent(t, s, buy("2", "KO", 60)) is None
    assert consent(t, s, buy("2")) is None


@pytest.mark.rule("1889-TRN-04")
def test_bank_and_market_take_the_printed_price() -> None:
    t, s = awa().market_trains("2").cash(AR=500).build()
    for source in ("bank", "pool"):
        assert "¥80" in refuses(t, s, buy("2", source, 79), "1889-TRN-04")
        refuses(t, s, buy("2", source, 81), "1889-TRN-04")


@pytest.mark.rule("1889-TRN-06", "1889-TRN-07")
def test_a_company_may_sell_its_only_train_in_the_buyers_turn_alone() -> None:
    t, s = awa("2").par("SR").shares("SR", p1=5).trains("SR", "2").cash(AR=60, SR=500).build()
    assert allows(t, s, buy("2", "SR", 1)).trains["SR"] == ()
    refuses(t, s, BuyTrain("p1", "SR", "2", "AR", 1), "1889-TRN-07")


@pytest.mark.rule("1889-TRN-08", "1889-EMR-11")
def test_nobody_must_buy_from_another_company() -> None:
    found = awa().par("SR").shares("SR", p2=5, pool=5).trains("SR", "2").shares("AR", p1=5, pool=5)
    t, s = found.cash(AR=5, p1=0).build()
    allows(t, s, buy("2", "SR", 5))
    allows(t, s, GoBankrupt("p1", "AR"))


@pytest.mark.rule("1889-TRN-09")
@pytest.mark.parametrize("old", ["4", "5", "6"])
def test_a_train_is_traded_in_for_a_d(old: str) -> None:
    t, s = awa(old, phase="6").cash(AR=800).build()
    refuses(t, s, buy("D"), "1889-EMR-03")
    s = allows(t, s, buy("D", "bank", 800, old))
    assert s.trains["AR"] == ("D",)
    assert s.cash["AR"] == 0
    assert s.train_pool == (() if old == "4" else (old,))


@pytest.mark.rule("1889-TRN-09")
def test_trade_ins_that_are_not_offered() -> None:
    t, s = awa("5", "5", phase="6").cash(AR=3000).build()
    refuses(t, s, buy("D", "bank", 800, "6"), "1889-TRN-09")
    refuses(t, s, buy("6", "bank", 330, "5"), "1889-TRN-09")
    refuses(t, s, buy("D", "bank", 1100, "5"), "1889-TRN-04")
    refuses(t, s, buy("D", "bank", 800, "9"), "1889-TRN-09")


@pytest.mark.rule("1889-TRN-10", "1889-PHS-07")
def test_a_4_traded_for_the_first_d_is_scrapped() -> None:
    t, s = awa("4", phase="6").par("SR").shares("SR", p2=5).trains("SR", "4").market_trains("4").cash(AR=800).build()
    s = allows(t, s, buy("D", "bank", 800, "4"))
    assert t.phase(s).name == "D"
    assert s.train_pool == ()
    assert s.trains["SR"] == ()
    assert facts(s, TrainsRusted)[0].rank == "4"


@pytest.mark.rule("1889-TRN-11", "1889-TRN-13")
def test_a_trade_in_at_the_limit() -> None:
    t, s = awa("5", "6", phase="6").cash(AR=3000).build()
    assert "limit is 2" in refuses(t, s, buy("D"), "1889-TRN-13")
    assert sorted(allows(t, s, buy("D", "bank", 800, "5")).trains["AR"]) == ["6", "D"]


@pytest.mark.rule("1889-TRN-12", "1889-TRN-13", "1889-PHS-02", "1889-PHS-03", "1889-PHS-04", "1889-PHS-05")
@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 4), ("4", 3), ("5", 2), ("6", 2), ("D", 2)])
def test_train_limits(phase: str, limit: int) -> None:
    train = {"2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "D": "D"}[phase]
    t, s = awa(*[train] * limit, phase=phase).market_trains(train).cash(AR=3000).build()
    refuses(t, s, buy(train, "pool"), "1889-TRN-13")
    s.trains["AR"] = s.trains["AR"][1:]
    allows(t, s, buy(train, "pool"))


@pytest.mark.rule("1889-TRN-13")
def test_at_the_limit_no_purchase_even_if_it_would_rust_own_trains() -> None:
    t, s = awa("2", "2", "2", "2", phase="3", left_3=0).cash(AR=3000).build()
    refuses(t, s, buy("4"), "1889-TRN-13")


@pytest.mark.rule("1889-TRN-14")
def test_no_voluntary_discard() -> None:
    t, s = awa("2", "2").build()
    refuses(t, s, DiscardTrain("p1", "AR", "2"), "1889-OR-08")
    assert not offered(t, s, DiscardTrain)


@pytest.mark.rule("1889-TRN-15", "1889-TRN-16", "1889-PHS-08")
def test_excess_trains_are_discarded_in_order() -> None:
    laid = awa("4", "4", phase="4", left_4=0).par("SR", 90).par("KO", 80).shares("SR", p2=5)
    t, s = laid.shares("KO", p3=5).trains("SR", "3", "4", "3").trains("KO", "4", "3", "3").cash(AR=3000).build()
    s = allows(t, s, buy("5"))
    assert decision(t, s).step == "discard"
    assert (decision(t, s).players, decision(t, s).subject) == (("p1",), "AR")
    refuses(t, s, buy("5"), "1889-OR-08")
    refuses(t, s, DiscardTrain("p2", "SR", "3"), "1889-TRN-15")
    refuses(t, s, DiscardTrain("p2", "AR", "4"), "1889-TRN-15")
    refuses(t, s, DiscardTrain("p1", "AR", "3"), "1889-TRN-15")
    cash = dict(s.cash)
    s = allows(t, s, DiscardTrain("p1", "AR", "4"))
    assert (decision(t, s).players, decision(t, s).subject) == (("p2",), "SR"), "then in share price order"
    s = allows(t, s, DiscardTrain("p2", "SR", "3"))
    assert decision(t, s).subject == "KO"
    s = allows(t, s, DiscardTrain("p3", "KO", "3"))
    assert s.cash == cash, "no compensation"
    assert s.train_pool == ("4", "3", "3")
    assert s.pending == ()


@pytest.mark.rule("1889-TRN-15")
def test_the_buyer_discards_first_though_its_price_is_lower() -> None:
    board = awa("4", "4", phase="4", left_4=0).par("AR", 65).par("KO", 100).par("SR", 80)
    board.shares("SR", p2=5).shares("KO", p3=5).trains("SR", "3", "4", "3").trains("KO", "4", "3", "3")
    t, s = board.cash(AR=3000).build()
    s = allows(t, s, buy("5"))
    for corp, player, rank in (("AR", "p1", "4"), ("KO", "p3", "3"), ("SR", "p2", "3")):
        assert (decision(t, s).subject, decision(t, s).players) == (corp, (player,))
        s = allows(t, s, DiscardTrain(player, corp, rank))


@pytest.mark.rule("1889-TRN-15", "1889-OR-08", "1889-PRV-09")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_whoever_has_become_president_by_e_discards(options: tuple[str, ...]) -> None:
    board = table("1889", 3, *options).operating("AR", "trains").tile("K8", "57", 1).phase("3", left_3=0).par("IR")
    board.shares("IR", president="p1", p1=2, p2=2).trains("IR", "3", "3", "3", "3").private(E="p2").cash(AR=300)
    t, s = board.build()
    s = allows(t, s, BuyTrain("p1", "AR", "4", BANK, 300))
    assert decision(t, s).players == ("p1",)
    s = allows(t, s, ExchangePrivate("p2", "E"))
    assert decision(t, s).players == ("p2",)
    refuses(t, s, DiscardTrain("p1", "IR", "3"), "1889-TRN-15")
    assert allows(t, s, DiscardTrain("p2", "IR", "3")).pending == ()


@pytest.mark.rule("1889-TRN-15", "1889-VAR-05")
def test_online_anybody_over_the_limit_may_discard_first() -> None:
    laid = table("1889", 3, "online").operating("AR", "trains").trains("AR", "4", "4")
    board = laid.phase("4", left_4=0).tile("K8", "57", 1)
    t, s = board.par("SR").shares("SR", p2=5).trains("SR", "4", "3", "3").cash(AR=500).build()
    s = allows(t, s, buy("5"))
    allows(t, s, DiscardTrain("p2", "SR", "3"))


@pytest.mark.rule("1889-TRN-17", "1889-PHS-04", "1889-PHS-06", "1889-PHS-07")
@pytest.mark.parametrize(("phase", "first", "gone"), [("3", "4", "2"), ("5", "6", "3"), ("6", "D", "4")])
def test_rust(phase: str, first: str, gone: str) -> None:
    earlier = {"3": "left_3", "5": "left_5", "6": "left_6"}[phase]
    laid = awa("5", phase=phase, **{earlier: 0}).par("SR").shares("SR", p2=5)
    t, s = laid.trains("SR", gone, "5").market_trains(gone, "5").cash(AR=3000).build()
    s = allows(t, s, buy(first))
    assert s.trains["SR"] == ("5",)
    assert s.train_pool == ("5",)
    assert t.phase(s).name == first
    assert not [move for move in facts(s, CashMoved) if move.target == "SR"]


@pytest.mark.rule("1889-PHS-01")
def test_each_first_train_starts_its_phase() -> None:
    for phase, following in (("2", "3"), ("3", "4"), ("4", "5"), ("5", "6"), ("6", "D")):
        left = {} if phase == "2" else {f"left_{phase}": 0}
        t, s = awa("5", phase=phase, **left).cash(AR=3000).build()
        if phase == "2":
            s.depot["2"] = 0
        s = allows(t, s, buy(following))
        assert facts(s, PhaseBegan) == [PhaseBegan(following)]
        assert facts(allows(t, s, buy(following)), PhaseBegan) == [] if following in "34" else True


@pytest.mark.rule("1889-PHS-08")
def test_several_phases_in_one_round() -> None:
    t, s = awa("3", phase="3", left_3=0).cash(AR=3000).build()
    s.depot["4"] = 1
    s = allows(t, s, buy("4"))
    assert t.phase(s).name == "4"
    s = allows(t, s, buy("5"))
    assert t.phase(s).name == "5"
    assert decision(t, s).step == "discard"


@pytest.mark.rule("1889-PHS-09")
def test_trains_of_market_and_companies_start_nothing() -> None:
    t, s = awa(phase="2").market_trains("3").par("SR").shares("SR", p2=5).trains("SR", "4").cash(AR=500).build()
    assert t.phase(allows(t, s, buy("3", "pool"))).name == "2"
    assert t.phase(allows(t, s, buy("4", "SR", 10))).name == "2"


@pytest.mark.rule("1889-TRN-18", "1889-TRN-19")
def test_a_company_with_a_route_must_own_a_train() -> None:
    t, s = awa().cash(AR=500).build()
    assert "¥80" in refuses(t, s, Pass("p1"), "1889-TRN-18")
    s = allows(t, s, buy("2"))
    allows(t, s, Pass("p1"))
    t, s = table("1889").operating("AR", "trains").cash(AR=500).build()
    assert not must_buy(t, s, "AR")
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1889-TRN-19")
def test_a_route_of_any_length_obliges() -> None:
    t, s = table("1889").operating("AR", "trains").tile("K8", "57", 1).cash(AR=500).build()
    assert must_buy(t, s, "AR")
    t, s = table("1889").operating("AR", "trains").tile("K8", "6", 1).cash(AR=500).build()
    assert not must_buy(t, s, "AR"), "no other stop is joined"


# Forced purchases


def poor(**held: int) -> Table:
    """AR must buy a 2 for 80, has 30, and its president 20."""
    return awa().shares("AR", held or {"p1": 5}).cash(AR=30, p1=20)


@pytest.mark.rule("1889-EMR-01")
def test_who_can_pay_uses_the_companys_own_money() -> None:
    t, s = awa(phase="5", left_5=2).market_trains("4").cash(AR=300, p1=1000).build()
    refuses(t, s, buy("5"), "1889-EMR-03")
    assert allows(t, s, buy("4", "pool")).cash["p1"] == 1000
    t, s = awa(phase="5", left_5=2).market_trains("4").cash(AR=460, p1=0).build()
    assert allows(t, s, buy("5")).cash["AR"] == 10, "any train that it can afford"


@pytest.mark.rule("1889-EMR-02", "1889-EMR-03")
def test_another_companys_train_for_the_treasury_ends_the_duty() -> None:
    t, s = poor().par("SR").shares("SR", p2=5).trains("SR", "2").build()
    refuses(t, s, buy("2", "SR", 31), "1889-EMR-03")
    s = allows(t, s, buy("2", "SR", 30))
    assert not must_buy(t, s, "AR")
    assert s.cash["p1"] == 20


@pytest.mark.rule("1889-EMR-03", "1889-EMR-04", "1889-EMR-05")
def test_the_president_pays_exactly_what_is_missing_for_the_cheapest() -> None:
    t, s = awa(phase="5", left_5=2).market_trains("4").cash(AR=120, p1=500).build()
    assert "4 for ¥300" in refuses(t, s, buy("5"), "1889-EMR-03")
    s = allows(t, s, buy("4", "pool"))
    assert (s.cash["AR"], s.cash["p1"]) == (0, 320)
    assert facts(s, TrainBought)[0].contribution == 180


@pytest.mark.rule("1889-EMR-05")
def test_the_president_helps_only_for_a_forced_purchase() -> None:
    t, s = awa("2").cash(AR=30, p1=500).build()
    assert "must" in refuses(t, s, buy("2"), "1889-EMR-03")
    refuses(t, s, SellShares("p1", "AR", 1), "1889-EMR-06")


@pytest.mark.rule("1889-EMR-06", "1889-EMR-09", "1889-SR-07")
def test_shares_are_sold_for_what_is_missing() -> None:
    t, s = poor(p1=5).par("SR", 65).shares("SR", p2=4, p1=2).build()
    assert "¥30" in refuses(t, s, buy("2"), "1889-EMR-03")
    s = allows(t, s, SellShares("p1", "SR", 1))
    assert (s.cash["p1"], s.cell["SR"]) == (85, (6, 3))
    s = allows(t, s, buy("2"))
    assert (s.cash["AR"], s.cash["p1"]) == (0, 35), "what is left over stays with him"


@pytest.mark.rule("1889-EMR-06", "1889-SR-07", "1889-SR-23", "1889-END-09")
def test_what_no_stock_round_lets_him_sell_he_cannot_sell_here() -> None:
    t, s = poor(p1=2, pool=4).par("SR", 65).shares("SR", p2=4, p1=1).shares("IR", p1=1).cash(p1=0, AR=0).build()
    for count in (0, -1, 2):
        refuses(t, s, SellShares("p1", "SR", count), "1889-SR-07")
    refuses(t, s, SellShares("p1", "IR", 1), "1889-END-09")
    assert "20 %" in refuses(t, s, SellShares("p1", "AR", 1), "1889-SR-23")


@pytest.mark.rule("1889-EMR-11")
def test_bankruptcy_is_for_the_company_whose_turn_it_is() -> None:
    t, s = poor().par("SR").shares("SR", p1=5).cash(AR=0, p1=0).build()
    assert "It is AR's turn" in refuses(t, s, GoBankrupt("p1", "SR"), "1889-EMR-11")


@pytest.mark.rule("1889-EMR-06")
def test_room_in_the_market_binds_here_too() -> None:
    t, s = poor(p1=5).par("SR", 65).shares("SR", p2=4, p1=1, pool=5).build()
    refuses(t, s, SellShares("p1", "SR", 1), "1889-SR-11")


@pytest.mark.rule("1889-EMR-07")
def test_no_presidency_changes() -> None:
    t, s = awa().shares("AR", p1=5).par("SR", 65).shares("SR", p1=4, p2=3).cash(AR=0, p1=0).build()
    allows(t, s, SellShares("p1", "SR", 1))
    refuses(t, s, SellShares("p1", "SR", 2), "1889-EMR-07")
    t, s = awa().shares("AR", p1=3, p2=2).cash(AR=0, p1=0).set(par={}).build()
    refuses(t, s, SellShares("p1", "AR", 2), "1889-EMR-07")


@pytest.mark.rule("1889-EMR-08")
def test_no_more_than_needed() -> None:
    t, s = poor(p1=5).par("SR", 65).shares("SR", p2=4, p1=3).build()
    assert "1 share of SR" in refuses(t, s, SellShares("p1", "SR", 2), "1889-EMR-08")


@pytest.mark.rule("1889-EMR-08", "1889-SR-13")
def test_above_sixty_percent_he_comes_down_to_it() -> None:
    t, s = poor(p1=5).par("SR", 65).shares("SR", p1=8).build()
    assert "60 %" in refuses(t, s, SellShares("p1", "SR", 1), "1889-SR-13")
    refuses(t, s, SellShares("p1", "SR", 3), "1889-EMR-08")
    allows(t, s, SellShares("p1", "SR", 2))
    t, s = poor(p1=5).par("SR", 65).shares("SR", p1=7).build()
    allows(t, s, SellShares("p1", "SR", 1))
    t, s = poor(p1=5).par("SR", 65, at=(8, 0)).shares("SR", p1=8).build()
    allows(t, s, SellShares("p1", "SR", 1))  # orange: ¥30 is enough


@pytest.mark.rule("1889-EMR-08", "1889-VAR-05")
def test_online_nobody_comes_down_to_sixty_percent_in_an_emergency() -> None:
    laid = table("1889", 3, "online").operating("AR", "trains").tile("K8", "57", 1).cash(AR=30, p1=20)
    t, s = laid.par("SR", 65).shares("SR", p1=8).build()
    allows(t, s, SellShares("p1", "SR", 1))
    refuses(t, s, SellShares("p1", "SR", 2), "1889-EMR-08")


@pytest.mark.rule("1889-EMR-10", "1889-EMR-12", "1889-END-01", "1889-END-08")
def test_bankruptcy_ends_the_game() -> None:
    laid = awa(phase="6").shares("AR", p1=5).par("SR", 65).shares("SR", p2=3, p1=2)
    t, s = laid.cash(AR=10, p1=40).private(A="p1").build()
    s.depot["6"] = 1
    s = allows(t, s, GoBankrupt("p1", "AR"))
    assert s.over == "bankrupt"
    assert s.bankrupt == {"p1"}
    assert s.cash["p1"] == 0
    assert s.held("SR", POOL) == 2
    assert s.held("AR", "p1") == 2, "the president's certificate could not be sold"
    assert worth(t, s, "p1") == 2 * price_at(t, *s.cell["AR"]) + 20
    assert decision(t, s).players == ()
    assert len(facts(s, GameEnded)[0].scores) == 3


@pytest.mark.rule("1889-EMR-11")
def test_no_bankruptcy_while_the_price_can_be_raised() -> None:
    t, s = poor(p1=5).par("SR", 65).shares("SR", p2=4, p1=2).build()
    refuses(t, s, GoBankrupt("p1", "AR"), "1889-EMR-11")
    t, s = awa("2").cash(AR=0, p1=0).build()
    assert "does not need" in refuses(t, s, GoBankrupt("p1", "AR"), "1889-EMR-11")


@pytest.mark.rule("1889-EMR-13", "1889-PRV-02", "1889-PRV-03")
def test_privates_go_to_the_company_alone_and_only_in_phases_3_and_4() -> None:
    for phase in ("2", "3", "4"):
        t, s = awa(phase=phase).cash(AR=30, p1=0).private(A="p1").build()
        sale = CompanyBuysPrivate("p1", "AR", "A", 30)
        if phase == "2":
            refuses(t, s, sale, "1889-PRV-02")
        else:
            s = allows(t, s, sale)
            assert (s.cash["AR"], s.cash["p1"]) == (0, 30)
            assert s.step == "trains"
    assert not any("Private" in type(action).__name__ for action in legal(*table("1889").private(A="p1").build(), "p1"))


@pytest.mark.rule("1889-EMR-14", "1889-MKT-13")
def test_emergency_sales_re_sort_the_queue() -> None:
    laid = awa().shares("AR", p1=5).par("SR", 70).par("KO", 65).shares("SR", p1=2, p2=3)
    t, s = laid.shares("KO", p3=5).operating("AR", "trains", then=("SR", "KO")).cash(AR=0, p1=10).build()
    s = play(t, s, SellShares("p1", "SR", 1), buy("2"))
    while s.operating == "AR":
        s = allows(t, s, Pass("p1"))
    assert s.cell["SR"] == s.cell["KO"]
    assert s.operating == "KO", "SR came into its cell later"


@pytest.mark.rule("1889-PRV-12", "1889-PRV-13", "1889-PHS-05")
def test_the_first_5_closes_the_privates() -> None:
    board = table("1889", 4).operating("AR", "trains").phase("4", left_4=0).tile("K8", "57", 1)
    t, s = board.private(A="p1", B="p2", D="AR", G="p3").cash(AR=950).build()
    s = allows(t, s, buy("5"))
    assert [s.owner[private] for private in "ABDG"] == ["closed", "closed", "closed", "p3"]
    assert s.revenue["G"] == 50
    refuses(t, s, CompanyBuysPrivate("p1", "AR", "G", 75), "1889-PRV-02")
    board = table("1889", 4).operating("AR", "trains").trains("AR", "4").phase("4", left_4=0).tile("K8", "57", 1)
    t, s = board.private(G="AR").cash(AR=500).build()
    assert allows(t, s, buy("5")).owner["G"] == "closed"


def test_the_market_keeps_the_bank_whole() -> None:
    t, s = awa().market_trains("2").cash(AR=500).build()
    bank = s.cash[BANK]
    assert allows(t, s, buy("2", "pool")).cash[BANK] == bank + 80
