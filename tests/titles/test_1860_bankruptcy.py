"""1860: bankruptcy, the priority after it, and the new start."""

from __future__ import annotations

import pytest
from tables import allows, keep, refuses, table
from tables_1860 import east_coast, holding, par

from engine import BANK, CLOSED, IPO, POOL, State, Title, decision, legal
from engine.actions import BuyShare, BuyTrain, Dividend, Pass, SellShares
from engine.market import price as price_of
from engine.titles.t1860.companies import fewest_shares, has

IOW = "IOW"


@pytest.mark.rule("1860-EMR-15", "1860-SR-11")
@pytest.mark.parametrize(("price", "count", "bankrupt"), [(7, 1, False), (7, 2, True), (14, 2, False), (14, 3, True)])
def test_a_sale_down_to_zero_is_bankruptcy(price: int, count: int, bankrupt: bool) -> None:
    t, s = holding(price, p1=5, p2=2).build()
    after = allows(t, s, SellShares("p1", "IOW", count))
    assert has(after, "bankrupt", IOW) is bankrupt
    assert after.cash["p1"] == 1000 + price * count, "the sale itself is paid"


@pytest.mark.rule("1860-EMR-15", "1860-EMR-25", "1860-VAR-15")
def test_online_a_restarted_company_that_falls_to_zero_is_not_bankrupt_again_and_floats_at_7() -> None:
    t, s = holding(7, "online", p1=2).own(bankrupt=(IOW,)).build()
    s.floated -= {IOW}
    after = allows(t, s, SellShares("p1", IOW, 2))
    assert (after.shares[IOW][POOL], price_of(t, after, IOW), after.up) == (2, 0, "p1")
    after.shares[IOW], after.president[IOW] = {IPO: 6, "p1": 4}, "p1"
    after.sold, after.sold_now = {}, ()
    floats = allows(t, after, BuyShare("p1", IOW, IPO))
    assert (IOW in floats.floated, price_of(t, floats, IOW), has(floats, "bankrupt", IOW)) == (True, 7, False)


@pytest.mark.rule("1860-EMR-16")
def test_all_shares_return_without_compensation_the_reserved_one_too() -> None:
    t, s = holding(7, p1=5, p2=3, pool=2).private(RPSC=CLOSED).build()
    after = allows(t, s, SellShares("p1", "IOW", 2))
    assert after.shares["IOW"] == {IPO: 10}
    assert after.president["IOW"] == IPO
    assert after.cash["p2"] == 1000
    assert "IOW" not in after.cell
    assert "IOW" not in after.floated


@pytest.mark.rule("1860-EMR-18")
def test_treasury_trains_and_bases_stay_and_trains_may_rust() -> None:
    t, s = holding(7, p1=5, p2=2).cash(IOW=300).par("C&N", 74).shares("C&N", p2=5).build()
    after = allows(t, s, SellShares("p1", "IOW", 2))
    assert (after.cash["IOW"], after.trains["IOW"], after.tokens["IOW"]) == (300, ("2+1",), (40, 100, 100))
    assert after.board.token_stops("IOW") == (("I3", 0),)
    after.round, after.step, after.operating, after.phase = "OR", "trains", "C&N", 1
    after.depot.update({"2+1": 0, "3+2": 0})
    after.cash["C&N"] = 900
    rusted = allows(t, after, BuyTrain("p2", "C&N", "4+2", BANK, 350))
    assert rusted.trains["IOW"] == ()


@pytest.mark.rule("1860-EMR-19")
@pytest.mark.parametrize(
    ("held", "holder", "chosen"),
    [
        ((4, 2, 3), "p1", "p2"),  # fewest
        ((2, 2, 3), "p1", "p1"),  # tie: the holder himself first
        ((2, 2, 3), "p2", "p2"),
        ((2, 2, 3), "p3", "p1"),  # else the nearest clockwise from him
        ((2, 3, 2), "p2", "p3"),
        ((2, 2, 2), "p3", "p3"),
    ],
)
def test_priority_to_the_fewest_shares(held: tuple[int, int, int], holder: str, chosen: str) -> None:
    shares = {f"p{seat}": count for seat, count in enumerate(held, 1)}
    _, s = table("1860", 3).par("C&N", 74).shares("C&N", shares).set(priority=holder).build()
    assert fewest_shares(s) == chosen


@pytest.mark.rule("1860-EMR-19")
def test_a_directors_certificate_is_two_shares_and_privates_none() -> None:
    _, s = table("1860", 3).par("C&N", 74).shares("C&N", p1=2, p2=1, p3=3).private(RPSC="p2", CMH="p2").build()
    assert fewest_shares(s) == "p2"


@pytest.mark.rule("1860-EMR-19", "1860-EMR-20")
def test_the_new_round_begins_with_the_new_holder_of_the_priority() -> None:
    t, s = holding(7, p1=5, p2=2).par("C&N", 74).shares("C&N", p1=2, p2=4, p3=2).set(priority="p2").build()
    after = allows(t, s, SellShares("p1", "IOW", 2))
    assert (after.priority, after.up) == ("p3", "p3"), "p1 and p3 have two each; from p2 p3 is nearer"
    assert (after.round, after.turn, after.passes, after.last_actor) == ("SR", 2, 0, None)


@pytest.mark.rule("1860-EMR-20", "1860-SR-14")
def test_sales_before_the_bankruptcy_no_longer_forbid_buying() -> None:
    t, s = holding(7, p1=5, p2=2).par("C&N", 74).shares("C&N", p1=3, p2=4, p3=2).trains("C&N", "2+1").build()
    s = allows(t, s, SellShares("p1", "C&N", 1))
    s.shares["C&N"] = {IPO: 2, "p1": 0, "p2": 4, "p3": 3, POOL: 1}
    del s.shares["C&N"]["p1"]
    after = allows(t, s, SellShares("p1", "IOW", 2))
    assert after.up == "p1"
    allows(t, after, BuyShare("p1", "C&N", POOL))
    allows(t, after, par("p1", "IOW", 40))


@pytest.mark.rule("1860-EMR-19", "1860-EMR-21")
def test_a_bankruptcy_in_operations_moves_the_priority_and_ends_no_set() -> None:
    laid = east_coast("dividend", "2+1", price=14, held={"p1": 5, "p2": 2}, then=("C&N",))
    t, s = laid.par("C&N", 74).shares("C&N", p2=5, p3=1).rounds(3, 1, 2).set(priority="p2").build()
    s.income = 50
    keep(s, ran=True, paid={})
    after = allows(t, s, Dividend("p1", "IOW", "withhold"))
    assert has(after, "bankrupt", IOW)
    assert after.priority == "p1", "his shares are gone"
    assert (after.round, after.operating, after.or_number, after.or_count) == ("OR", "C&N", 1, 2)


@pytest.mark.rule("1860-EMR-22")
@pytest.mark.parametrize(
    ("corp", "fine", "wrong"),
    [
        ("IOW", (40, 44, 71, 100), (36, 105, 31)),
        ("FYN", (40, 65, 82), (36, 86)),
        ("BHI&R", (40, 68), (71,)),
        ("S&C", (47, 62), (65, 7)),
    ],
)
def test_the_new_par_is_any_price_from_forty_to_the_companys_highest(
    corp: str, fine: tuple[int, ...], wrong: tuple[int, ...]
) -> None:
    t, s = table("1860", 3).cash(p1=900).own(layer=4, bankrupt=(corp,)).build()
    for price in fine:
        after = allows(t, s, par("p1", corp, price))
        assert (after.par[corp], after.cash["p1"]) == (price, 900 - 2 * price)
    for price in wrong:
        refuses(t, s, par("p1", corp, price), "1860-SR-15")


@pytest.mark.rule("1860-EMR-23", "1860-EMR-18")
def test_refloating_adds_ten_times_the_new_par_to_what_was_kept() -> None:
    t, s = table("1860", 3).cash(p1=900).token("IOW", "I3").own(layer=4, bankrupt=("IOW",)).build()
    s.cash["IOW"], s.trains["IOW"] = 120, ("3+2",)
    s = allows(t, s, par("p1", "IOW", 50))
    assert has(s, "bankrupt", IOW), "until it floats"
    s.shares["IOW"] = {IPO: 6, "p1": 4}
    s.up, s.bought = "p1", False
    after = allows(t, s, BuyShare("p1", "IOW", IPO))
    assert (after.cash["IOW"], after.trains["IOW"]) == (620, ("3+2",))
    assert not has(after, "bankrupt", IOW)


@pytest.mark.rule("1860-EMR-24")
def test_refloated_without_a_train_it_is_still_insolvent() -> None:
    t, s = table("1860", 3).cash(p1=900).token("IOW", "I3").own(layer=4).build()
    keep(s, bankrupt=("IOW",), insolvent=("IOW",))
    s = allows(t, s, par("p1", "IOW", 40))
    s.shares["IOW"] = {IPO: 6, "p1": 4}
    s.up, s.bought = "p1", False
    assert has(allows(t, s, BuyShare("p1", "IOW", IPO)), "insolvent", IOW)


@pytest.mark.rule("1860-EMR-19", "1860-EMR-21")
def test_after_a_bankruptcy_in_operations_the_next_stock_round_is_played_once_from_the_new_holder() -> None:
    laid = east_coast("dividend", "2+1", price=14, held={"p1": 5, "p2": 2}, then=("C&N",))
    t, s = laid.par("C&N", 74).shares("C&N", p2=5, p3=1).rounds(3, 1, 2).set(priority="p2").build()
    s.income = 50
    keep(s, ran=True, paid={})
    s = allows(t, s, Dividend("p1", "IOW", "withhold"))
    while s.round == "OR":
        s = quietly(t, s)
    assert (s.round, s.turn, s.up, s.over) == ("SR", 4, "p1", "")
    asked = []
    while s.round == "SR":
        asked.append(s.up)
        s = quietly(t, s)
    assert asked == ["p1", "p2", "p3"]
    assert (s.round, s.turn, s.over) == ("OR", 4, "")


def quietly(t: Title, s: State) -> State:
    """Whoever is asked passes, or does what must be done."""
    player = decision(t, s).players[0]
    moves = list(legal(t, s, player))
    return allows(t, s, next((move for move in moves if isinstance(move, Pass)), moves[0]))
