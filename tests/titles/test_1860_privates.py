"""1860: private companies: income, sale to the bank, exchange, Fishbourne, and who sees what."""

from __future__ import annotations

import pytest
from tables import allows, facts, keep, refuses, table
from tables_1860 import at, east_coast, holding, par, without_director

from engine import BANK, CLOSED, IPO, State, Title, certificates, legal, worth
from engine.actions import BuyPrivate, BuyShare, BuyTrain, ClosePrivate, ExchangePrivate, Pass, SellPrivate, SellShares
from engine.facts import CashMoved, PresidentChanged, PrivateClosed
from engine.ids import RESERVED
from engine.rounds.operating import pay_privates
from engine.secrets import treasury_visible
from engine.titles.t1860.stock import exchange_of, reserved
from engine.viewing import table_view

# Income


@pytest.mark.rule("1860-PRV-01", "1860-SET-07")
def test_what_each_private_pays_its_owner() -> None:
    t, s = table("1860", 3).private(BHC="p1", YHC="p1", CMH="p2", RPSC="p2", FFC="p3").build()
    before = dict(s.cash)
    pay_privates(t, s)
    assert [s.cash[player] - before[player] for player in s.players] == [15, 50, 25]


@pytest.mark.rule("1860-PRV-01")
def test_privates_of_the_bank_and_closed_ones_pay_nothing() -> None:
    t, s = table("1860", 3).private(BHC=BANK, YHC=CLOSED, CMH=BANK, RPSC=CLOSED, FFC=RESERVED).build()
    pay_privates(t, s)
    assert not facts(s, CashMoved)


# Sale to the bank


@pytest.mark.rule("1860-PRV-02")
@pytest.mark.parametrize(("private", "paid"), [("BHC", 0), ("YHC", 20), ("CMH", 60), ("RPSC", 100), ("FFC", 170)])
def test_the_bank_pays_the_value_less_thirty(private: str, paid: int) -> None:
    t, s = holding().private(**{private: "p1"}).build()
    after = allows(t, s, SellPrivate("p1", private))
    assert (after.cash["p1"], after.owner[private]) == (1000 + paid, BANK)
    assert after.cash[BANK] == s.cash[BANK] - paid


@pytest.mark.rule("1860-PRV-02")
def test_only_its_owner_sells_a_private_and_not_in_the_first_round() -> None:
    t, s = holding().private(CMH="p2", RPSC="p1").build()
    assert "do not own" in refuses(t, s, SellPrivate("p1", "CMH"), "1860-PRV-02")
    s.turn = 1
    assert "after the first" in refuses(t, s, SellPrivate("p1", "RPSC"), "1860-PRV-02")
    s.turn = 2
    allows(t, s, SellPrivate("p1", "RPSC"))


@pytest.mark.rule("1860-PRV-03")
def test_the_seller_may_buy_it_again_in_the_next_round_only() -> None:
    t, s = holding(p1=5, p2=2).private(CMH="p1").build()
    s = allows(t, s, SellPrivate("p1", "CMH"))
    assert "sold CMH" in refuses(t, s, BuyPrivate("p1", "CMH"), "1860-PRV-03")
    s = allows(t, allows(t, allows(t, s, Pass("p1")), Pass("p2")), Pass("p3"))
    assert s.round == "SR", "the sale was no pass"
    refuses(t, s, BuyPrivate("p1", "CMH"), "1860-PRV-03")
    t.rounds["SR"].begin(t, s)
    s.up = "p1"
    allows(t, s, BuyPrivate("p1", "CMH"))


@pytest.mark.rule("1860-PRV-03")
def test_the_bank_asks_the_value_in_cash_and_sells_only_what_it_has() -> None:
    t, s = holding().private(CMH=BANK, RPSC="p2", YHC=CLOSED).cash(p1=89).build()
    assert "costs" in refuses(t, s, BuyPrivate("p1", "CMH"), "1860-PRV-03")
    s.cash["p1"] = 300
    for private in ("RPSC", "YHC"):
        refuses(t, s, BuyPrivate("p1", private), "1860-PRV-03")
    after = allows(t, s, BuyPrivate("p1", "CMH"))
    assert (after.cash["p1"], after.owner["CMH"]) == (210, "p1")


@pytest.mark.rule("1860-SR-04", "1860-PRV-03")
def test_buying_a_private_is_the_purchase_of_the_turn() -> None:
    t, s = holding(p1=5, p2=2).private(CMH=BANK, YHC=BANK).build()
    s.bought = True
    refuses(t, s, BuyPrivate("p1", "CMH"), "1860-SR-04")
    s.bought = False
    s.sold["p1"] = frozenset({"C&N"})
    after = allows(t, s, BuyPrivate("p1", "CMH"))
    assert after.up == "p2"


@pytest.mark.rule("1860-SR-04", "1860-SR-03")
def test_selling_a_private_belongs_to_the_sales() -> None:
    t, s = holding(p1=5, p2=2).private(CMH="p1").build()
    sold = allows(t, s, SellPrivate("p1", "CMH"))
    assert allows(t, sold, SellShares("p1", "IOW", 1)).up == "p1"
    allows(t, sold, par("p1", "C&N", 74))
    s.bought = True
    refuses(t, s, SellPrivate("p1", "CMH"), "1860-SR-03")


@pytest.mark.rule("1860-SR-20", "1860-PRV-03")
def test_privates_count_to_the_limit_as_one_each() -> None:
    t, s = holding().private(CMH="p1", YHC="p1", BHC="p2").build()
    assert certificates(t, s, "p1") == 4 + 2
    assert certificates(t, s, "p2") == 1


@pytest.mark.rule("1860-PRV-04")
def test_there_is_no_closing_at_will() -> None:
    t, s = holding().private(CMH="p1").build()
    refuses(t, s, ClosePrivate("p1", "CMH"), "1860-SR-03")


@pytest.mark.rule("1860-PRV-15")
def test_no_company_takes_part_in_dealings_in_privates() -> None:
    t, s = east_coast("trains", "2+1").private(CMH="p1").build()
    refuses(t, s, SellPrivate("p1", "CMH"), "1860-OR-02")
    assert all(type(action) in (BuyTrain, Pass) for action in legal(t, s, "p1"))


# Exchange


@pytest.mark.rule("1860-PRV-05", "1860-SET-05")
@pytest.mark.parametrize(("private", "corp"), [("BHC", "BHI&R"), ("YHC", "FYN"), ("CMH", "C&N"), ("RPSC", "IOW")])
def test_each_private_has_its_company(private: str, corp: str) -> None:
    laid = table("1860", 3).par(corp, 74 if corp in ("IOW", "C&N") else 62)
    t, s = laid.shares(corp, p2=2).private(**{private: "p1"}).build()
    assert exchange_of(t, private) == corp
    assert reserved(t, s, corp) == 1
    after = allows(t, s, ExchangePrivate("p1", private))
    assert after.shares[corp] == {IPO: 7, "p2": 2, "p1": 1}
    assert reserved(t, after, corp) == 0
    assert after.cash["p1"] == s.cash["p1"]


@pytest.mark.rule("1860-PRV-05")
def test_the_exchange_waits_for_a_par_and_for_the_owners_turn() -> None:
    t, s = holding().private(CMH="p1", RPSC="p2").build()
    assert "has not been sold" in refuses(t, s, ExchangePrivate("p1", "CMH"), "1860-PRV-05")
    assert "own turn" in refuses(t, s, ExchangePrivate("p2", "RPSC"), "1860-PRV-05")
    refuses(t, s, ExchangePrivate("p1", "RPSC"), "1860-PRV-02")
    for turn in (1, 2):
        s.turn, s.up = turn, "p2"
        allows(t, s, ExchangePrivate("p2", "RPSC"))


@pytest.mark.rule("1860-PRV-05", "1860-PRV-11")
def test_nothing_is_swapped_in_operating_rounds_nor_for_fishbourne() -> None:
    t, s = east_coast("track", "2+1").private(RPSC="p1", FFC="p1").build()
    refuses(t, s, ExchangePrivate("p1", "RPSC"), "1860-PRV-05")
    t, s = holding().private(FFC="p1").build()
    assert "cannot be exchanged" in refuses(t, s, ExchangePrivate("p1", "FFC"), "1860-PRV-05")


@pytest.mark.rule("1860-PRV-05")
def test_the_share_of_an_exchange_is_not_chosen() -> None:
    t, s = holding().private(RPSC="p1").build()
    refuses(t, s, ExchangePrivate("p1", "RPSC", "C&N", IPO), "1860-PRV-05")


@pytest.mark.rule("1860-PRV-06", "1860-SR-14")
def test_the_exchange_stands_beside_sale_and_purchase() -> None:
    t, s = holding(p1=5, p2=2).private(RPSC="p1").build()
    sold = allows(t, s, SellShares("p1", "IOW", 1))
    swapped = allows(t, sold, ExchangePrivate("p1", "RPSC"))
    assert swapped.held("IOW", "p1") == 5, "also of a company sold in this round"
    allows(t, swapped, par("p1", "C&N", 74))
    s.bought = True
    allows(t, s, ExchangePrivate("p1", "RPSC"))


@pytest.mark.rule("1860-PRV-06")
def test_who_can_only_swap_is_asked_for_it() -> None:
    t, s = holding(p1=5, p2=0, p3=5).private(RPSC="p2").cash(p2=0).build()
    s.shares["IOW"] = {IPO: 1, "p1": 5, "p3": 4}
    s = allows(t, s, Pass("p1"))
    assert s.up == "p2"
    assert [type(action) for action in legal(t, s, "p2")] == [SellPrivate, Pass, ExchangePrivate]


@pytest.mark.rule("1860-PRV-07")
def test_an_exchange_can_change_the_directorship() -> None:
    t, s = holding(p1=2, p2=2).private(RPSC="p2").stock("p2").build()
    after = allows(t, s, ExchangePrivate("p2", "RPSC"))
    assert facts(after, PresidentChanged) == [PresidentChanged("IOW", "p1", "p2")]


@pytest.mark.rule("1860-PRV-08")
def test_an_exchanged_private_is_out_of_the_game() -> None:
    t, s = holding().private(RPSC="p1").build()
    after = allows(t, s, ExchangePrivate("p1", "RPSC"))
    assert facts(after, PrivateClosed) == [PrivateClosed("RPSC")]
    refuses(t, after, BuyPrivate("p1", "RPSC"), "1860-PRV-03")
    refuses(t, after, SellPrivate("p1", "RPSC"), "1860-PRV-02")


@pytest.mark.rule("1860-PRV-09")
@pytest.mark.parametrize("owner", ["p1", "p2", BANK])
def test_the_reserved_share_waits_while_its_private_is_open(owner: str) -> None:
    t, s = holding(p1=6, p2=3).private(RPSC=owner).build()
    refuses(t, s, BuyShare("p1", "IOW", IPO), "1860-PRV-09")
    s.owner["RPSC"] = CLOSED
    allows(t, s, BuyShare("p1", "IOW", IPO))
    s.owner["RPSC"] = owner
    s.shares["IOW"] = {IPO: 2, "p1": 5, "p2": 3}
    allows(t, s, BuyShare("p1", "IOW", IPO))


@pytest.mark.rule("1860-PRV-10")
def test_a_bankrupt_company_takes_no_private_before_its_new_par() -> None:
    t, s = holding().private(YHC="p1").own(layer=2, bankrupt=("FYN",)).build()
    refuses(t, s, ExchangePrivate("p1", "YHC"), "1860-PRV-05")
    s = allows(t, s, par("p1", "FYN", 40))
    after = allows(t, s, ExchangePrivate("p1", "YHC"))
    assert after.held("FYN", "p1") == 3


# Fishbourne


@pytest.mark.rule("1860-PRV-11", "1860-PHS-05")
def test_the_first_six_plus_three_brings_fishbourne_to_the_bank() -> None:
    t, s = holding().private(FFC=RESERVED).cash(p1=200).build()
    refuses(t, s, BuyPrivate("p1", "FFC"), "1860-PRV-03")
    t.events["offer fishbourne"](t, s)
    after = allows(t, s, BuyPrivate("p1", "FFC"))
    assert (after.owner["FFC"], after.cash["p1"]) == ("p1", 0)


@pytest.mark.rule("1860-PRV-12")
def test_fishbourne_closes_all_others_wherever_they_are() -> None:
    t, s = holding(p1=6, p2=3).private(RPSC="p1", YHC="p2", CMH=BANK, BHC=CLOSED, FFC=BANK).build()
    before = worth(t, s, "p2")
    after = allows(t, s, BuyPrivate("p1", "FFC"))
    assert {private for private, owner in after.owner.items() if owner == CLOSED} == {"RPSC", "YHC", "CMH", "BHC"}
    assert {fact.private for fact in facts(after, PrivateClosed)} == {"RPSC", "YHC", "CMH"}
    assert worth(t, after, "p2") == before - 50
    while after.up != "p2":
        after = allows(t, after, Pass(after.up))
    assert allows(t, after, BuyShare("p2", "IOW", IPO)).held("IOW", IPO) == 0, "the reserved share is free"


@pytest.mark.rule("1860-PRV-13")
def test_fishbourne_goes_back_to_the_bank_and_comes_again() -> None:
    t, s = holding(p1=5, p2=2).private(FFC="p1").build()
    sold = allows(t, s, SellPrivate("p1", "FFC"))
    assert sold.cash["p1"] == 1170
    again = allows(t, allows(t, sold, Pass("p1")), BuyPrivate("p2", "FFC"))
    assert (again.owner["FFC"], again.cash["p2"], facts(again, PrivateClosed)) == ("p2", 800, [])


@pytest.mark.rule("1860-PRV-14")
def test_the_buyer_of_fishbourne_may_swap_first_in_the_same_turn() -> None:
    t, s = holding(p1=5, p2=2).private(RPSC="p1", FFC=BANK).build()
    s = allows(t, s, ExchangePrivate("p1", "RPSC"))
    after = allows(t, s, BuyPrivate("p1", "FFC"))
    assert (after.held("IOW", "p1"), after.owner["FFC"]) == (6, "p1")


# Who sees what


def books(*options: str) -> tuple[Title, State]:
    return holding(74, *options, p1=4, p2=1).cash(IOW=340).build()


@pytest.mark.rule("1860-SEC-02")
def test_only_shareholders_see_a_treasury() -> None:
    t, s = books()
    shown = {viewer: treasury_visible(t, s, "IOW", viewer) for viewer in ("p1", "p2", "p3", None)}
    assert shown == {"p1": True, "p2": True, "p3": False, None: False}
    for viewer, treasury in (("p2", 340), ("p3", None), (None, None)):
        rows = {row.company.id: row.treasury for row in table_view(t, s, viewer).companies}
        assert rows["IOW"] == treasury


@pytest.mark.rule("1860-SEC-02")
def test_treasuries_without_director_or_bankrupt_are_shown_to_all() -> None:
    t, s = books()
    without_director(s)
    assert treasury_visible(t, s, "IOW", "p3")
    t, s = books()
    keep(s, bankrupt=("C&N",))
    assert not treasury_visible(t, s, "IOW", "p3")
    keep(s, bankrupt=("IOW",))
    assert treasury_visible(t, s, "IOW", "p3")
    assert treasury_visible(t, s, "IOW", None)


@pytest.mark.rule("1860-VAR-10", "1860-VAR-15")
@pytest.mark.parametrize("option", ["open_treasuries", "online"])
def test_options_that_show_treasuries_to_all(option: str) -> None:
    t, s = books(option)
    assert treasury_visible(t, s, "IOW", "p3")


@pytest.mark.rule("1860-SEC-03")
def test_what_sets_a_company_apart_is_shown() -> None:
    from engine.titles.t1860.rules import status

    t, s = books()
    told = [status(t, s, "IOW")]
    keep(s, insolvent=("IOW",))
    told.append(status(t, s, "IOW"))
    without_director(s)
    told.append(status(t, s, "IOW"))
    keep(s, insolvent=())
    told.append({row.company.id: row.states for row in table_view(t, s, None).companies}["IOW"])
    keep(s, bankrupt=("IOW",))
    told.append(status(t, s, "IOW"))
    keep(s, closed=("IOW",))
    told.append(status(t, s, "IOW"))
    assert told == [(), ("insolvent",), ("receivership", "insolvent"), ("receivership",), ("bankrupt",), ("closed",)]
    assert at(74) == s.cell["IOW"]
