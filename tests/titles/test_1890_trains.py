"""1890: buying trains, phases, forced purchases and what they force."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, play, refuses, table
from tables_1890 import minor, railway

from engine import POOL, judge
from engine.actions import BuyTrain, DiscardTrain, Dividend, GoBankrupt, Pass, SellShares
from engine.depot import bank_trains
from engine.facts import PhaseBegan, TrainsRusted
from engine.ids import BANK
from engine.market import put
from engine.steps.emergency import shortfall
from engine.titles.t1890.companies import has_closed
from engine.titles.t1890.own import own


def buying(phase: str = "2", corp: str = "Hankyu", *options: str, cash: int = 900, **left: int) -> Table:
    """The company in the train step; it has a route (but JR and minors, which get none)."""
    found = railway(corp, "trains", *options, phase=phase, cash=cash)
    found.state.depot.update({rank.removeprefix("left_").replace("_", "+"): count for rank, count in left.items()})
    return found


def with_route(cash: int, *options: str, **held: int) -> Table:
    """Hankyu with a route, no train and this treasury; p1 has nothing but what `held` says."""
    found = railway("Hankyu", "trains", *options, phase="2", cash=cash, held=held or {"p1": 6})
    return found.tile("E12", "57", 1).tile("E10", "57", 1).cash(p1=0)


# Buying


@pytest.mark.rule("1890-TRN-01", "1890-PHS-06", "1890-SET-12")
def test_the_bank_sells_in_order_and_d_from_the_first_6_on() -> None:
    t, s = buying("1").build()
    assert bank_trains(t, s) == ["2"]
    refuses(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180), "1890-TRN-01")
    t, s = buying("4", "JR", left_5=0).cash(JR=2000).build()
    assert bank_trains(t, s) == ["6"]
    s = allows(t, s, BuyTrain("p1", "JR", "6", BANK, 630))
    assert bank_trains(t, s) == ["6", "D"]
    s = allows(t, s, BuyTrain("p1", "JR", "D", BANK, 1100))
    assert t.trains["D"].count == 6


@pytest.mark.rule("1890-SET-12")
@pytest.mark.parametrize("options", [("scenario_a",), ("scenario_b",), (), ("scenario_d",)], ids="ABCD")
def test_no_d_train_is_sold_after_the_last(options: tuple[str, ...]) -> None:
    t, s = railway("JR", "trains", *options, phase="6", cash=3000).market_trains("6").build()
    s.depot.update({"6": 0, "D": 1})
    s = allows(t, s, BuyTrain("p1", "JR", "D", BANK, 1100))
    assert bank_trains(t, s) == []
    refuses(t, s, BuyTrain("p1", "JR", "D", BANK, 1100), "1890-TRN-01")


@pytest.mark.rule("1890-TRN-02", "1890-PHS-01", "1890-PHS-02")
def test_several_trains_may_be_bought_with_phases_between() -> None:
    t, s = buying("1", left_2=1).build()
    s.depot["2+2"] = 1
    s = play(t, s, BuyTrain("p1", "Hankyu", "2", BANK, 80), BuyTrain("p1", "Hankyu", "2+2", BANK, 120))
    assert t.phase(s).name == "1½"
    s = allows(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180))
    assert [fact.phase for fact in facts(s, PhaseBegan)] == ["2"]
    assert s.trains["Hankyu"] == ("2", "2+2", "3")


@pytest.mark.rule("1890-TRN-03")
def test_a_4_5_or_6_is_traded_in_for_a_d_and_goes_to_the_market() -> None:
    for old, scrapped in (("4", True), ("5", False), ("6", False)):
        t, s = buying("5").trains("Hankyu", old).build()
        s = allows(t, s, BuyTrain("p1", "Hankyu", "D", BANK, 800, old))
        assert (s.cash["Hankyu"], s.trains["Hankyu"]) == (100, ("D",))
        assert s.train_pool == (() if scrapped else (old,))
    t, s = buying("5").trains("Hankyu", "3+3").build()
    refuses(t, s, BuyTrain("p1", "Hankyu", "D", BANK, 800, "3+3"), "1890-TRN-03")
    t, s = buying("6").build()  # after the first D no 4 is left
    refuses(t, s, BuyTrain("p1", "Hankyu", "D", BANK, 800, "4"), "1890-TRN-03")


@pytest.mark.rule("1890-TRN-04", "1890-SET-11")
def test_market_trains_cost_their_price_other_companies_what_is_agreed() -> None:
    t, s = buying().market_trains("2").par("Sanyo").shares("Sanyo", p2=5).trains("Sanyo", "2").build()
    refuses(t, s, BuyTrain("p1", "Hankyu", "2", POOL, 40), "1890-TRN-04")
    allows(t, s, BuyTrain("p1", "Hankyu", "2", POOL, 80))
    refuses(t, s, BuyTrain("p1", "Hankyu", "2", "Sanyo", 0), "1890-TRN-04")
    for price in (1, 80, 900):
        after = allows(t, s, BuyTrain("p1", "Hankyu", "2", "Sanyo", price))
        assert (after.cash["Sanyo"], after.trains["Sanyo"]) == (price, ())
    prices = {"2": 80, "2+2": 120, "3": 180, "3+3": 230, "4": 300, "5": 450, "6": 630, "D": 1100}
    assert {rank: train.price for rank, train in t.trains.items()} == prices


LIMITS = {
    "1": (2, 4, 6), "1½": (2, 4, 6), "2": (2, 4, 6), "2½": (2, 4, 6), "3": (1, 3, 4), "4": (1, 2, 3), "5": (1, 2, 3),
    "6": (1, 2, 3),
}  # fmt: skip


@pytest.mark.rule("1890-TRN-05", "1890-PHS-04", "1890-PHS-05")
def test_limits_differ_for_minors_public_companies_and_jr() -> None:
    t, s = table("1890", 3).build()
    for index, phase in enumerate(t.phases):
        s.phase = index
        assert tuple(t.train_limit(s, corp) for corp in ("M1", "Hankyu", "JR")) == LIMITS[phase.name]
    t, s = buying().trains("Hankyu", "2", "2", "2", "2").build()
    refuses(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180), "1890-TRN-05")
    t, s = minor("M5", "trains", cash=500).trains("M5", "2", "2").build()
    refuses(t, s, BuyTrain("p1", "M5", "2", BANK, 80), "1890-TRN-05")


@pytest.mark.rule("1890-TRN-05")
def test_a_minor_at_its_limit_of_one_owns_one_train() -> None:
    t, s = buying("3", "M1").trains("M1", "2+2").build()
    assert refuses(t, s, BuyTrain("p1", "M1", "4", BANK, 300), "1890-TRN-05") == "M1 owns 1 train; the limit is 1."


@pytest.mark.rule("1890-TRN-06", "1890-TRN-07", "1890-TRN-10", "1890-PHS-05")
def test_too_many_trains_are_discarded_at_once_the_buyer_first_then_in_operating_order() -> None:
    found = buying("3", left_4=0).trains("Hankyu", "3", "4").par("Sanyo", 100).shares("Sanyo", p2=5)
    found.trains("Sanyo", "3", "3", "4").par("JR", 90).shares("JR", p3=5).trains("JR", "3", "3", "3", "4")
    t, s = found.private(M5="p2").cash(Hankyu=450).build()
    s.floated |= {"M5"}
    s.president["M5"], s.trains["M5"] = "p2", ("3", "3")
    s = allows(t, s, BuyTrain("p1", "Hankyu", "5", BANK, 450))
    order = []
    while s.pending:
        order.append(s.pending[-1].subject)
        s = allows(t, s, DiscardTrain(s.pending[-1].player, s.pending[-1].subject, "3"))
    assert order == ["Hankyu", "M5", "Sanyo", "JR"]
    assert s.train_pool == ("3", "3", "3", "3")


@pytest.mark.rule("1890-TRN-06", "1890-TRN-07")
def test_only_the_company_that_is_asked_discards() -> None:
    found = railway("Hankyu", "trains", phase="3").trains("Hankyu", "3", "3", "4", "4", "4")
    t, s = found.par("Sanyo", 100).shares("Sanyo", p1=5).trains("Sanyo", "3").pending("discard", "p1", "Hankyu").build()
    assert "Hankyu must discard" in refuses(t, s, DiscardTrain("p1", "Sanyo", "3"), "1890-TRN-06")
    refuses(t, s, DiscardTrain("p1", "Hankyu", "5"), "1890-TRN-06")
    allows(t, s, DiscardTrain("p1", "Hankyu", "3"))


@pytest.mark.rule("1890-TRN-08")
def test_nothing_is_discarded_by_choice() -> None:
    t, s = buying().trains("Hankyu", "2", "2").build()
    refuses(t, s, DiscardTrain("p1", "Hankyu", "2"), "1890-OR-03")


@pytest.mark.rule("1890-TRN-09")
def test_with_a_route_a_turn_does_not_end_without_a_train() -> None:
    t, s = with_route(900).build()
    refuses(t, s, Pass("p1"), "1890-TRN-09")
    t, s = railway("Hankyu", "trains", cash=900).build()  # no route
    allows(t, s, Pass("p1"))
    t, s = with_route(900).build()
    s.depot = dict.fromkeys(s.depot, 0)
    s.trains["Sanyo"] = ("3",)
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1890-TRN-10", "1890-PHS-04", "1890-PHS-05", "1890-PHS-06", "1890-PHS-07")
@pytest.mark.parametrize(
    ("phase", "rank", "gone"), [("2½", "4", {"2"}), ("3", "5", {"2+2"}), ("4", "6", {"3", "3+3"}), ("5", "D", {"4"})]
)
def test_trains_rust(phase: str, rank: str, gone: set[str]) -> None:
    t, s = railway("JR", "trains", phase=phase).cash(JR=2000).build()
    for other in s.depot:
        if other == rank:
            break
        s.depot[other] = 0
    s.trains["Hankyu"], s.train_pool = ("2", "2+2", "3", "3+3", "4", "5"), ("2", "2+2", "3", "3+3", "4", "5")
    if rank == "D":
        s.depot["6"] = 1
    s = allows(t, s, BuyTrain("p1", "JR", rank, BANK, t.trains[rank].price))
    assert {fact.rank for fact in facts(s, TrainsRusted)} == gone
    assert not gone & {*s.trains["Hankyu"], *s.train_pool}


@pytest.mark.rule("1890-TRN-12")
def test_late_privates_own_no_trains() -> None:
    t, s = buying().private(K2="p2").build()
    assert t.train_limit(s, "K2") == 0
    refuses(t, s, BuyTrain("p1", "Hankyu", "2", "K2", 1), "1890-TRN-01")
    assert t.kind("K2") == "late"


@pytest.mark.rule("1890-PHS-03", "1890-PHS-07", "1890-OR-05", "1890-SET-22")
def test_phases_and_what_they_change() -> None:
    t, _ = table("1890", 3).build()
    seen = [(one.name, one.starts_on, one.operating_rounds, one.tier, one.buys_privates) for one in t.phases]
    assert seen == [
        ("1", None, 1, "yellow", False), ("1½", "2+2", 1, "yellow", False), ("2", "3", 2, "yellow", True),
        ("2½", "3+3", 2, "yellow", True), ("3", "4", 2, "yellow", True), ("4", "5", 3, "brown", False),
        ("5", "6", 3, "brown", False), ("6", "D", 3, "gray", False),
    ]  # fmt: skip
    short, _ = table("1890", 3, "scenario_a").build()
    assert [phase.name for phase in short.phases] == ["1", "2", "3", "4", "5", "6"]


# Forced purchases


@pytest.mark.rule("1890-EMR-01", "1890-EMR-02")
def test_the_treasury_pays_first_and_only_for_the_cheapest_train() -> None:
    t, s = with_route(100).cash(p1=300).market_trains("2+2").build()
    refuses(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180), "1890-EMR-02")
    s = allows(t, s, BuyTrain("p1", "Hankyu", "2+2", POOL, 120))
    assert (s.cash["Hankyu"], s.cash["p1"]) == (0, 280)


@pytest.mark.rule("1890-EMR-03")
def test_another_companys_train_is_bought_with_the_treasury_alone() -> None:
    t, s = with_route(100).par("Sanyo").shares("Sanyo", p2=5).trains("Sanyo", "2").cash(p1=300).build()
    refuses(t, s, BuyTrain("p1", "Hankyu", "2", "Sanyo", 101), "1890-EMR-02")
    s = allows(t, s, BuyTrain("p1", "Hankyu", "2", "Sanyo", 100))
    assert s.cash["p1"] == 300


@pytest.mark.rule("1890-EMR-05", "1890-OR-07")
def test_sales_may_change_the_presidency_of_other_companies_but_not_of_this_one() -> None:
    found = with_route(0, p1=4, p2=3).par("Sanyo", 100).shares("Sanyo", p1=3, p2=2).par("Nankai", 90)
    t, s = found.shares("Nankai", p2=5).operating("Hankyu", "trains", then=("Sanyo", "Nankai")).build()
    refuses(t, s, SellShares("p1", "Hankyu", 2), "1890-EMR-05")
    for count in (0, 4):
        refuses(t, s, SellShares("p1", "Sanyo", count), "1890-SR-07")
    s = allows(t, s, SellShares("p1", "Sanyo", 2))
    assert s.president["Sanyo"] == "p2"
    assert s.cell["Sanyo"] == (2, 4)  # 80: now behind Nankai at 90
    s = allows(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180))
    while s.operating == "Hankyu":
        s = allows(t, s, Pass("p1"))
    assert s.operating == "Nankai"


@pytest.mark.rule("1890-EMR-06", "1890-EMR-07")
def test_no_more_is_sold_than_needed_in_any_order() -> None:
    found = with_route(50, p1=5).par("Sanyo", 100).shares("Sanyo", p1=4, pool=4).par("Nankai", 90)
    t, s = found.shares("Nankai", p1=5).build()
    refuses(t, s, SellShares("p1", "Nankai", 3), "1890-EMR-06")
    refuses(t, s, SellShares("p1", "Nankai", 4), "1890-SR-10")
    refuses(t, s, SellShares("p1", "Sanyo", 2), "1890-SR-09")
    s = allows(t, s, SellShares("p1", "Nankai", 1))
    refuses(t, s, SellShares("p1", "Nankai", 2), "1890-EMR-06")
    s = allows(t, s, SellShares("p1", "Nankai", 1))
    refuses(t, s, SellShares("p1", "Sanyo", 1), "1890-EMR-06")
    allows(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180))


@pytest.mark.rule("1890-EMR-06", "1890-SR-18")
def test_while_no_money_is_missing_not_even_an_excess_is_sold() -> None:
    for treasury, needy in ((900, False), (50, True)):
        t, s = with_route(treasury, p1=5).par("Sanyo", 100).shares("Sanyo", p1=8, p2=2).build()
        sale = SellShares("p1", "Sanyo", 2)
        if needy:
            refuses(t, s, SellShares("p1", "Sanyo", 1), "1890-SR-18")
            allows(t, s, sale)
        else:
            assert "only to pay for a train" in refuses(t, s, sale, "1890-EMR-06")


@pytest.mark.rule("1890-EMR-08", "1890-COR-21")
def test_the_needy_company_may_close_by_the_sale_and_its_need_is_over() -> None:
    found = with_route(30, p1=5).par("Sanyo", 65).shares("Sanyo", p1=2, p2=2, president="p1")
    t, s = found.build()
    put(s, "Hankyu", (7, 0))  # 35: two rows down is the closing area
    bank = s.cash[BANK]
    s = allows(t, s, SellShares("p1", "Sanyo", 2))
    assert s.cash["p1"] == 130
    s = allows(t, s, SellShares("p1", "Hankyu", 1))
    assert not has_closed(s, "Hankyu")
    t, s = found.build()
    put(s, "Hankyu", (8, 0))
    s = play(t, s, SellShares("p1", "Sanyo", 2), SellShares("p1", "Hankyu", 1))
    assert has_closed(s, "Hankyu")
    assert (s.cash["p1"], s.cash[BANK]) == (0, bank + 30)
    assert s.operating != "Hankyu"
    assert s.trains["Hankyu"] == ()


@pytest.mark.rule("1890-EMR-08")
def test_if_another_company_closes_the_purchase_goes_on() -> None:
    found = with_route(150, p1=5).par("Sanyo", 65).shares("Sanyo", p1=2, p2=2, president="p2")
    t, s = found.build()
    put(s, "Sanyo", (8, 0))
    s = allows(t, s, SellShares("p1", "Sanyo", 1))
    assert has_closed(s, "Sanyo")
    assert s.cash["p1"] == 30
    s = allows(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180))
    assert s.trains["Hankyu"] == ("3",)


@pytest.mark.rule("1890-EMR-09")
def test_after_a_forced_sale_the_limits_bind_in_the_next_stock_round() -> None:
    found = with_route(150, p1=5).par("Sanyo", 65).shares("Sanyo", p1=1, p2=7)
    t, s = found.build()
    put(s, "Sanyo", (6, 0))  # brown: any holding
    s = allows(t, s, SellShares("p1", "Sanyo", 1))
    assert s.held("Sanyo", "p2") == 7
    put(s, "Sanyo", (5, 4))
    s.round, s.step, s.operating, s.up, s.sold_now = "SR", "shares", None, "p2", ()
    refuses(t, s, Pass("p2"), "1890-SR-18")


@pytest.mark.rule("1890-EMR-10", "1890-EMR-11", "1890-END-01", "1890-END-05")
def test_bankruptcy_comes_only_when_nothing_else_helps_and_ends_the_game() -> None:
    t, s = with_route(50, p1=5).par("Sanyo", 65).shares("Sanyo", p1=4, pool=1).build()
    refuses(t, s, GoBankrupt("p1", "Hankyu"), "1890-EMR-11")
    t, s = with_route(20, p1=5, pool=5).par("Sanyo", 65).shares("Sanyo", p1=2, president="p1", pool=5).build()
    bank = s.cash[BANK]
    s = allows(t, s, GoBankrupt("p1", "Hankyu"))
    assert (s.over, s.cash["p1"], s.cash[BANK]) == ("bankrupt", 0, bank)
    assert s.bankrupt == {"p1"}
    t, s = with_route(900).build()
    refuses(t, s, GoBankrupt("p1", "Hankyu"), "1890-EMR-11")


@pytest.mark.rule("1890-EMR-11")
def test_bankruptcy_is_for_the_company_whose_turn_it_is() -> None:
    """Sanyo needs a train as badly as Hankyu."""
    found = with_route(20, p1=5, pool=5).par("Sanyo", 65).shares("Sanyo", p1=5, pool=5).cash(Sanyo=0)
    t, s = found.token("Sanyo", "E10").build()
    assert shortfall(t, s, "Sanyo") == 180
    assert "It is Hankyu's turn" in refuses(t, s, GoBankrupt("p1", "Sanyo"), "1890-EMR-11")


@pytest.mark.rule("1890-EMR-11")
def test_no_sale_spoils_the_purchase() -> None:
    """Two shares at 90 bring 180 together, less one by one."""
    t, s = with_route(0, p1=5, pool=5).par("Sanyo", 90).shares("Sanyo", p1=2, p3=4, president="p3").build()
    refuses(t, s, SellShares("p1", "Sanyo", 1), "1890-EMR-11")
    s = allows(t, s, SellShares("p1", "Sanyo", 2))
    allows(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180))


@pytest.mark.rule("1890-EMR-11", "1890-EMR-08")
def test_a_sale_that_closes_the_company_comes_before_bankruptcy() -> None:
    t, s = with_route(20, p1=5).build()
    put(s, "Hankyu", (8, 0))
    assert "needs no train" in refuses(t, s, GoBankrupt("p1", "Hankyu"), "1890-EMR-11")
    allows(t, s, SellShares("p1", "Hankyu", 1))


@pytest.mark.rule("1890-EMR-11", "1890-EMR-08")
@pytest.mark.parametrize("treasury", [90, 60])
def test_a_sale_that_brings_a_cheaper_train_to_the_market_comes_before_bankruptcy(treasury: int) -> None:
    """Sanyo closes by it, at 30. With a treasury of 60 Nankai's share is needed too."""
    found = with_route(treasury, p1=5, pool=5).par("Sanyo", 65).shares("Sanyo", p1=1, p2=2).trains("Sanyo", "2+2")
    t, s = found.par("Nankai", 65).shares("Nankai", p1=1, p2=2).build()
    put(s, "Sanyo", (8, 0))
    put(s, "Nankai", (8, 0))
    assert "Sanyo" in refuses(t, s, GoBankrupt("p1", "Hankyu"), "1890-EMR-11")
    s = allows(t, s, SellShares("p1", "Sanyo", 1))
    if treasury == 60:
        s = allows(t, s, SellShares("p1", "Nankai", 1))
    allows(t, s, BuyTrain("p1", "Hankyu", "2+2", POOL, 120))


# Closing


@pytest.mark.rule("1890-COR-05", "1890-COR-21", "1890-TOK-07")
def test_a_company_that_closes_in_its_turn_ends_it_and_gives_all_back() -> None:
    found = railway("Hankyu", "dividend", cash=70).trains("Hankyu", "3").token("Hankyu", "E10").private(A="Hankyu")
    t, s = found.par("Sanyo").shares("Sanyo", p1=5).operating("Hankyu", "dividend", then=("Sanyo",)).build()
    put(s, "Hankyu", (9, 1))
    s.income = 0
    t.rounds["OR"].proceed(t, s)
    assert has_closed(s, "Hankyu")
    assert s.operating == "Sanyo"
    assert (s.train_pool, s.cash["Hankyu"], s.owner["A"]) == (("3",), 0, "closed")
    assert s.board.token_stops("Hankyu") == ()
    assert s.tokens["Hankyu"] == t.corporations["Hankyu"].token_costs
    assert judge(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180)) is not None


@pytest.mark.rule("1890-COR-05", "1890-MKT-06")
def test_withholding_at_the_edge_closes_the_company_with_what_it_kept() -> None:
    t, s = railway("Hankyu", "dividend", cash=0).set(income=50).build()
    put(s, "Hankyu", (9, 1))
    bank = s.cash[BANK]
    after = allows(t, s, Dividend("p1", "Hankyu", "withhold"))
    assert has_closed(after, "Hankyu")
    assert after.cash[BANK] == bank
    assert not has_closed(allows(t, s, Dividend("p1", "Hankyu", "pay")), "Hankyu")


@pytest.mark.rule("1890-EMR-08")
def test_what_was_raised_for_one_company_is_not_taken_when_a_later_one_closes() -> None:
    found = with_route(150, p1=5).par("Sanyo", 65).shares("Sanyo", p1=5, p2=2, president="p1")
    found.par("Keihan", 65).shares("Keihan", p1=2, p2=2, president="p2")
    t, s = found.build()
    s.queue = ("Sanyo",)
    put(s, "Keihan", (0, 4))
    s = allows(t, s, SellShares("p1", "Keihan", 1))
    raised = s.cash["p1"]
    s = allows(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180))
    kept = s.cash["p1"]
    assert 0 < kept < raised
    while s.operating == "Hankyu":
        s = allows(t, s, Pass("p1"))
    assert (s.operating, s.cash["p1"], own(s).raised) == ("Sanyo", kept, 0)
