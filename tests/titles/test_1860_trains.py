"""1860: buying, returning and rusting trains, and the duty to own one."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, refuses
from tables_1860 import ESPLANADE_RYDE, east_coast, holding, railway, run, without_director

from engine import BANK, POOL, consent, decision, legal
from engine.actions import BuyTrain, DiscardTrain, Pass
from engine.facts import TrainBought
from engine.titles.t1860.operating import begin
from engine.titles.t1860.own import own
from engine.titles.t1860.trains import must_buy, prices_to_offer


def buy(rank: str, source: str, price: int, corp: str = "IOW") -> BuyTrain:
    return BuyTrain("p1", corp, rank, source, price)


def market(*own: str, seller: tuple[str, ...] = (), phase: str = "3", cash: int = 900, seat: str = "p2") -> Table:
    """IOW buys trains; FYN, which p2 directs, owns the seller's."""
    laid = east_coast("trains", *own, phase=phase, cash=cash)
    return laid.par("FYN", 62).shares("FYN", {seat: 5}).trains("FYN", *seller)


@pytest.mark.rule("1860-TRN-01", "1860-SET-06")
def test_the_bank_sells_each_type_out_before_the_next() -> None:
    t, s = market("2+1", phase="2").build()
    for left in (5, 1):
        s.depot["2+1"] = left
        refuses(t, s, buy("3+2", BANK, 300), "1860-TRN-01")
        after = allows(t, s, buy("2+1", BANK, 250))
        assert (after.depot["2+1"], t.phase(after).name) == (left - 1, "2")
    assert t.phase(allows(t, after, buy("3+2", BANK, 300))).name == "3"


@pytest.mark.rule("1860-TRN-01")
def test_a_train_is_bought_where_it_is() -> None:
    t, s = market(seller=("3+2",)).market_trains("2+1").build()
    refuses(t, s, buy("4+2", "FYN", 100), "1860-TRN-01")
    refuses(t, s, buy("4+2", POOL, 350), "1860-TRN-01")
    refuses(t, s, buy("3+2", "IOW", 100), "1860-TRN-01")
    refuses(t, s, buy("3+2", "p2", 100), "1860-TRN-01")


@pytest.mark.rule("1860-TRN-01")
@pytest.mark.parametrize("price", [299, 301, 10, 0])
def test_the_bank_asks_the_price_on_the_card(price: int) -> None:
    t, s = market().build()
    refuses(t, s, buy("3+2", BANK, price), "1860-TRN-02")


@pytest.mark.rule("1860-TRN-02")
@pytest.mark.parametrize(("price", "fine"), [(10, True), (340, True), (900, True), (5, False), (0, False), (15, False)])
def test_between_companies_a_multiple_of_ten(price: int, fine: bool) -> None:
    t, s = market(seller=("3+2",)).build()
    if fine:
        after = allows(t, s, buy("3+2", "FYN", price))
        assert (after.cash["IOW"], after.cash["FYN"]) == (900 - price, s.cash["FYN"] + price)
        assert (after.trains["IOW"], after.trains["FYN"]) == (("3+2",), ())
    else:
        refuses(t, s, buy("3+2", "FYN", price), "1860-TRN-02")


@pytest.mark.rule("1860-TRN-02")
def test_both_directors_agree() -> None:
    t, s = market(seller=("3+2",)).build()
    assert consent(t, s, buy("3+2", "FYN", 100)) == "p2"
    t, s = market(seller=("3+2",), seat="p1").build()
    assert consent(t, s, buy("3+2", "FYN", 100)) is None, "he directs both"
    assert consent(t, s, buy("3+2", BANK, 300)) is None


@pytest.mark.rule("1860-TRN-02")
def test_prices_on_offer_are_multiples_of_ten_that_the_treasury_has() -> None:
    assert prices_to_offer(255, 300) == [10, 150, 250]
    assert prices_to_offer(340, 250) == [10, 120, 250, 340]
    assert prices_to_offer(9, 250) == []


@pytest.mark.rule("1860-TRN-03")
def test_the_rule_books_examples_of_the_only_train() -> None:
    t, s = market("3+2", seller=("4+2",), phase="4").build()
    assert "only train" in refuses(t, s, buy("4+2", "FYN", 100), "1860-TRN-03")
    t, s = market("3+2", seller=("3+2", "4+2"), phase="4").build()
    for rank, other in (("3+2", "4+2"), ("4+2", "3+2")):
        after = allows(t, s, buy(rank, "FYN", 100))
        refuses(t, after, buy(other, "FYN", 100), "1860-TRN-03")
    t, s = market(seller=("4+2",), phase="4").build()
    allows(t, s, buy("4+2", "FYN", 100))


@pytest.mark.rule("1860-SEC-03")
def test_all_know_what_companies_pay_each_other() -> None:
    t, s = market(seller=("3+2", "3+2")).build()
    bought = facts(allows(t, s, buy("3+2", "FYN", 100)), TrainBought)
    assert [(fact.price, fact.secret) for fact in bought] == [(100, False)]


@pytest.mark.rule("1860-TRN-03")
def test_the_banks_last_train_of_a_type_is_for_sale_to_all() -> None:
    t, s = market("3+2", phase="4").market_trains("2+1").build()
    allows(t, s, buy("4+2", BANK, 350))
    allows(t, s, buy("2+1", POOL, 250))


@pytest.mark.rule("1860-TRN-04")
def test_no_trade_where_a_director_is_missing_or_the_company_bankrupt() -> None:
    t, s = market(seller=("3+2", "3+2")).build()
    allows(t, s, buy("3+2", "FYN", 100))
    keep(s, bankrupt=("FYN",))
    assert "director" not in refuses(t, s, buy("3+2", "FYN", 100), "1860-TRN-04"), "it may have one again"
    keep(s, bankrupt=())
    s.president["FYN"] = POOL
    refuses(t, s, buy("3+2", "FYN", 100), "1860-TRN-04")


@pytest.mark.rule("1860-TRN-05")
@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 4), ("4", 3), ("5", 3), ("6", 2), ("9", 2)])
def test_at_the_limit_nothing_is_bought(phase: str, limit: int) -> None:
    held = ("9+5",) * limit
    t, s = market(*held, phase=phase).build()
    rank = next((r for r, left in s.depot.items() if left), "9+5")
    refuses(t, s, buy(rank, BANK, t.trains[rank].price), "1860-TRN-06")
    assert not t.rounds["OR"].by_name["trains"].asks(t, s)
    s.trains["IOW"] = held[1:]
    allows(t, s, buy(rank, BANK, t.trains[rank].price))


@pytest.mark.rule("1860-TRN-06")
def test_a_lower_limit_takes_trains_only_at_the_owners_next_turn() -> None:
    t, s = market(phase="3", seller=("3+2",) * 4).build()
    s.depot.update({"3+2": 0})
    after = allows(t, s, buy("4+2", BANK, 350))
    assert len(after.trains["FYN"]) == 4
    assert after.pending == ()


@pytest.mark.rule("1860-TRN-06", "1860-OR-02")
def test_excess_trains_come_first_and_the_director_chooses() -> None:
    laid = east_coast("excess", "3+2", "3+2", "4+2", "4+2", phase="4").par("FYN", 62)
    t, s = laid.shares("FYN", p1=5).trains("FYN", "3+2").build()
    refuses(t, s, Pass("p1"), "1860-OR-02")
    refuses(t, s, DiscardTrain("p1", "IOW", "5+3"), "1860-TRN-06")
    refuses(t, s, DiscardTrain("p1", "FYN", "3+2"), "1860-TRN-06")
    ranks = [action.rank for action in legal(t, s, "p1") if isinstance(action, DiscardTrain)]
    assert ranks == ["3+2", "4+2"]
    after = allows(t, s, DiscardTrain("p1", "IOW", "4+2"))
    assert (after.trains["IOW"], after.train_pool) == (("3+2", "3+2", "4+2"), ("4+2",))
    assert after.cash["IOW"] == s.cash["IOW"], "without compensation"
    assert decision(t, after).step == "track"


@pytest.mark.rule("1860-TRN-06", "1860-EMR-10")
def test_without_a_director_the_shortest_trains_go_back() -> None:
    t, s = east_coast("excess", "5+3", "4+2", "4+2", phase="6", cash=0).build()
    without_director(s)
    step = t.rounds["OR"].by_name["excess"]
    assert not step.asks(t, s)
    step.skipped(t, s)  # type: ignore[misc]
    assert (s.trains["IOW"], s.train_pool) == (("5+3", "4+2"), ("4+2",))


@pytest.mark.rule("1860-TRN-07")
def test_returned_trains_are_sold_at_face_value_beside_the_current_type() -> None:
    t, s = market(phase="4").market_trains("3+2").build()
    refuses(t, s, buy("3+2", POOL, 290), "1860-TRN-02")
    after = allows(t, s, buy("3+2", POOL, 300))
    assert (after.trains["IOW"], after.train_pool, after.cash["IOW"]) == (("3+2",), (), 600)
    assert t.phase(after).name == "4"
    allows(t, s, buy("4+2", BANK, 350))


@pytest.mark.rule("1860-TRN-08")
def test_trains_in_the_pool_rust_too() -> None:
    t, s = market(phase="3", seller=("2+1", "3+2")).market_trains("2+1", "3+2").build()
    s.depot["3+2"] = 0
    after = allows(t, s, buy("4+2", BANK, 350))
    assert after.train_pool == ("3+2",)
    assert after.trains["FYN"] == ("3+2",)


@pytest.mark.rule("1860-TRN-09")
def test_no_train_is_sold_to_the_bank() -> None:
    t, s = market("2+1").build()
    refuses(t, s, DiscardTrain("p1", "IOW", "2+1"), "1860-OR-02")
    refuses(t, s, BuyTrain("p1", "IOW", "3+2", BANK, 300, "2+1"), "1860-TRN-09")


@pytest.mark.rule("1860-TRN-10", "1860-TRN-11")
@pytest.mark.parametrize(
    ("cash", "options", "must"),
    [(249, (), False), (250, (), True), (251, (), True), (250, ("online",), False), (251, ("online",), True)],
)
def test_who_can_pay_the_cheapest_train_must_buy(cash: int, options: tuple[str, ...], must: bool) -> None:
    t, s = east_coast("trains", cash=cash, options=options).build()
    assert must_buy(t, s, "IOW") is must
    if must:
        refuses(t, s, Pass("p1"), "1860-TRN-10")
    elif cash >= 250:
        allows(t, s, Pass("p1"))


@pytest.mark.rule("1860-TRN-10")
def test_the_duty_needs_no_route_and_ends_with_any_train() -> None:
    t, s = railway("IOW", "trains", cash=300).build()
    refuses(t, s, Pass("p1"), "1860-TRN-10")
    t, s = east_coast("trains", "2+1", cash=300).build()
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1860-TRN-10")
def test_the_cheapest_train_of_bank_and_pool_decides_the_duty() -> None:
    t, s = east_coast("trains", phase="5", cash=300).build()
    assert not must_buy(t, s, "IOW")
    s.train_pool = ("3+2",)
    assert must_buy(t, s, "IOW")


@pytest.mark.rule("1860-TRN-10", "1860-EMR-03")
def test_another_companys_train_meets_the_duty() -> None:
    t, s = market(seller=("3+2",)).own(layer=1, insolvent=("IOW",), paid={}).build()
    after = allows(t, s, buy("3+2", "FYN", 10))
    assert own(after).insolvent == ()
    allows(t, after, Pass("p1"))


@pytest.mark.rule("1860-TRN-12", "1860-FLT-06")
def test_credits_alone_pay_and_no_director_helps() -> None:
    t, s = market(seller=("3+2",), cash=200).cash(p1=5000).build()
    refuses(t, s, buy("3+2", BANK, 300), "1860-TRN-12")
    refuses(t, s, buy("3+2", "FYN", 210), "1860-TRN-12")
    allows(t, s, buy("3+2", "FYN", 200))
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1860-OR-01")
def test_only_the_company_whose_turn_it_is_buys() -> None:
    t, s = market(seat="p1").cash(FYN=900).build()
    refuses(t, s, buy("3+2", BANK, 300, "FYN"), "1860-TRN-01")


@pytest.mark.rule("1860-OR-04")
def test_leasing_starts_no_phase_and_takes_no_train() -> None:
    t, s = east_coast("run", phase="2", cash=0).build()
    s.depot["2+1"] = 0
    keep(s, insolvent=("IOW",))
    after = allows(t, s, run(("3+2", ESPLANADE_RYDE)))
    assert (after.phase, after.depot["3+2"]) == (0, 4)
    assert after.trains["IOW"] == ()


@pytest.mark.rule("1860-OR-01", "1860-MKT-10", "1860-PRV-01")
def test_a_bankrupt_company_does_not_operate() -> None:
    t, s = holding().par("FYN", 62).shares("FYN", p2=5).build()
    s.floated -= {"FYN"}
    begin(t, s)
    assert s.queue == ("IOW",)
