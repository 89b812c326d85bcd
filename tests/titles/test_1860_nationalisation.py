"""1860: the Southern Railway, British Rail, the closing of companies, and the final account."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tables import Table, all_pass, allows, ends_round, facts, keep, refuses, table
from tables_1860 import ESPLANADE_BRADING, ESPLANADE_RYDE, at, east_coast, holding, price_of, run

from engine import BANK, CLOSED, IPO, POOL, State, Title, decision, legal, scores, worth
from engine.actions import BuyShare, BuyTrain, Dividend, Pass, SellShares
from engine.facts import Announced
from engine.titles.t1860.companies import british, has, southern_over
from engine.titles.t1860.operating import bank_broken, begin, close_lowest, close_turn, lowest_payers, top_price_reached
from engine.titles.t1860.own import own
from engine.titles.t1860.routing import Earned, Terms, earn, terms
from engine.titles.t1860.stock import nationalise_if_due


def late(step: str = "trains", *trains: str, southern: str = "over", **more: object) -> Table:
    """IOW in phase 9, after the stock round that ended building."""
    laid = east_coast(step, *(trains or ("9+5",)), phase="9", **more)
    return laid.own(layer=4, southern=southern, paid={})


# Southern


@pytest.mark.rule("1860-PHS-08", "1860-PHS-09")
def test_the_first_nine_plus_five_is_announced() -> None:
    t, s = east_coast("trains", phase="8", cash=900).par("FYN", 62).shares("FYN", p2=5).build()
    s.depot["8+4"] = 0
    after = allows(t, s, BuyTrain("p1", "IOW", "9+5", BANK, 800))
    assert facts(after, Announced)[0] == Announced("southern")
    assert not british(after), "FYN has no train"


@pytest.mark.rule("1860-PHS-10", "1860-PHS-09")
def test_the_next_stock_round_ends_building() -> None:
    t, s = late(southern="formed").par("FYN", 62).shares("FYN", p2=2).rounds(5, 3, 3).build()
    assert not southern_over(s)
    after = allows(t, s, Pass("p1"))
    assert (after.round, southern_over(after)) == ("SR", True)
    assert Announced("southern over") in facts(after, Announced)
    t.rounds["SR"].begin(t, after)
    assert facts(after, Announced).count(Announced("southern over")) == 1


@pytest.mark.rule("1860-PHS-10")
def test_running_dividends_and_trains_go_on() -> None:
    t, s = late("run", "7+4", cash=0).build()
    after = allows(t, s, run(("7+4", ESPLANADE_BRADING)))
    assert decision(t, after).step == "dividend"
    allows(t, after, Dividend("p1", "IOW", "pay"))
    t, s = late("trains", "7+4", cash=900).build()
    allows(t, s, BuyTrain("p1", "IOW", "9+5", BANK, 800))


# British Rail forms


@pytest.mark.rule("1860-END-07", "1860-END-08")
def test_the_check_comes_at_the_end_of_an_operating_round() -> None:
    for trains, formed in ((("9+5",), True), ((), False)):
        t, s = late(cash=0).par("FYN", 62).shares("FYN", p2=5).trains("FYN", *trains).rounds(5, 1, 3).build()
        after = allows(t, s, Pass("p1"))
        assert british(after) is formed
        assert (Announced("british") in facts(after, Announced)) is formed
        assert after.or_number == 2, "also in the middle of a set"


@pytest.mark.rule("1860-END-02", "1860-END-07")
def test_with_the_bank_empty_whoever_is_asked_reads_only_what_can_still_come() -> None:
    def told(*trains: str) -> str:
        t, s = holding(p1=5, p2=2).tile("J4", "6").own(layer=1, southern="over").trains("IOW", *trains).build()
        s.broken = True
        return t.policy.milestones.reminder(t, s)

    assert told("9+5").startswith("Unless a company without a train gets a director, British Rail forms")
    assert told() == "", "a train bought in the last operating round comes too late"


@pytest.mark.rule("1860-END-07", "1860-END-08")
def test_the_check_comes_at_the_end_of_a_stock_round_and_not_within() -> None:
    t, s = holding(p1=5, p2=2).tile("J4", "6").own(layer=1, southern="over").trains("IOW", "9+5").build()
    s = allows(t, s, Pass("p1"))
    assert not british(s)
    s = allows(t, allows(t, s, Pass("p2")), Pass("p3"))
    assert (s.round, s.step, british(s)) == ("OR", "run", True), "before the first company has run"


@pytest.mark.rule("1860-END-07", "1860-END-10")
def test_whoever_becomes_director_of_a_company_without_a_train_holds_british_rail_up() -> None:
    """It was told that only another company that is started could."""
    box = holding(p1=5, p2=2).own(layer=1, southern="over").trains("IOW", "9+5")
    t, s = box.par("C&N", 74).shares("C&N", p1=1, pool=4, president="pool").build()
    told = "Unless a company without a train gets a director, British Rail forms at the end of this round."
    assert t.policy.milestones.reminder(t, s) == told
    s = allows(t, s, BuyShare("p1", "C&N", "ipo"))
    assert t.policy.milestones.reminder(t, s) == "British Rail forms once C&N has a train."
    s = allows(t, allows(t, allows(t, s, Pass("p2")), Pass("p3")), Pass("p1"))
    assert (s.round, british(s)) == ("OR", False)


@pytest.mark.rule("1860-END-07", "1860-END-09")
def test_who_starts_a_company_holds_british_rail_up() -> None:
    t, s = holding(p1=5, p2=2).par("FYN", 62).shares("FYN", p2=2).own(layer=1, southern="over").build()
    s = all_pass(t, s)
    assert not british(s), "FYN has not floated and has no train"


@pytest.mark.rule("1860-END-10")
def test_companies_without_director_are_ignored() -> None:
    t, s = late().par("FYN", 62).shares("FYN", p2=5).build()
    s.president["FYN"] = POOL
    nationalise_if_due(t, s)
    assert british(s)
    t, s = late().own(layer=4, southern="over", bankrupt=("FYN",)).build()
    nationalise_if_due(t, s)
    assert british(s)


@pytest.mark.rule("1860-END-07")
@pytest.mark.parametrize(("southern", "formed"), [("", False), ("formed", True), ("over", True)])
def test_not_before_southern(southern: str, formed: bool) -> None:
    t, s = late(southern=southern).build()
    nationalise_if_due(t, s)
    assert british(s) is formed
    nationalise_if_due(t, s)
    assert len(facts(s, Announced)) <= 2, "it forms once"


# Under British Rail


def nationalised(
    step: str = "run", *trains: str, cash: int = 0, number: int = 3, paid: Mapping[str, int] | None = None
) -> tuple[Title, State]:
    """IOW is the last of the round; FYN and C&N have paid this much."""
    laid = late(step, *trains, cash=cash).par("FYN", 62).shares("FYN", p2=5).par("C&N", 74).shares("C&N", p3=5)
    t, s = laid.trains("FYN", "9+5").trains("C&N", "9+5").rounds(5, number, 3).build()
    keep(s, british=True, paid=dict(paid or {}))
    return t, s


@pytest.mark.rule("1860-END-11")
def test_operating_round_follows_operating_round() -> None:
    t, s = nationalised(paid={"FYN": 400, "C&N": 300})
    after = allows(t, s, run(("9+5", ESPLANADE_BRADING)))
    assert (after.round, after.or_number) == ("OR", 4)


@pytest.mark.rule("1860-END-11")
@pytest.mark.parametrize("number", [2, 5])
def test_rounds_that_follow_without_end_are_said_to_be_of_no_set(number: int) -> None:
    t, s = nationalised(number=number)
    assert t.rounds["OR"].label(t, s) == f"Operating round 5.{number}"
    keep(s, british=False)
    assert t.rounds["OR"].label(t, s) == f"Operating round 5.{number}" + (" (of 3)" if number == 2 else "")


@pytest.mark.rule("1860-END-11", "1860-END-03")
def test_the_bank_is_infinite_then() -> None:
    t, s = nationalised()
    s.cash[BANK] = -5
    assert not bank_broken(s)
    keep(s, british=False)
    assert bank_broken(s)
    assert t.bank == 10_000


@pytest.mark.rule("1860-END-11", "1860-END-03")
def test_nor_does_a_dividend_break_it() -> None:
    t, s = nationalised(paid={"FYN": 400, "C&N": 300})
    s.cash[BANK] = 0
    after = allows(t, s, run(("9+5", ESPLANADE_BRADING)))
    assert after.cash[BANK] < 0
    assert not after.broken


@pytest.mark.rule("1860-END-12")
def test_privates_pay_and_companies_must_pay_and_move() -> None:
    t, s = nationalised(paid={"FYN": 400, "C&N": 300})
    s.owner["YHC"] = "p3"
    cash = s.cash["p1"]
    after = allows(t, s, run(("9+5", ESPLANADE_BRADING)))
    assert after.cash["p1"] == cash + 30, "60 on five shares, and nobody was asked"
    assert after.cash["p3"] == s.cash["p3"] + 10, "of Yarmouth, at the start of the next round"
    t, s = nationalised()
    s.income = 80
    keep(s, ran=True)
    t.rounds["OR"].by_name["dividend"].skipped(t, s)  # type: ignore[misc]
    assert price_of(t, s) == 82


@pytest.mark.rule("1860-END-12", "1860-EMR-02")
def test_an_insolvent_company_pays_nothing_even_then() -> None:
    t, s = nationalised()
    s.trains["IOW"], s.income = (), 100
    keep(s, insolvent=("IOW",), ran=True)
    t.rounds["OR"].by_name["dividend"].skipped(t, s)  # type: ignore[misc]
    assert (s.cash["IOW"], price_of(t, s)) == (100, 68)


@pytest.mark.rule("1860-END-13", "1860-VAR-11")
def test_the_first_number_counts_for_all_stations() -> None:
    t, s = nationalised()
    assert terms(t, s, "IOW", "9+5") == Terms(9, 0, False, False, True)
    must = terms(t, s, "IOW", "3+2")
    assert must == Terms(3, 0, False, False, True)
    assert "cannot call at all 2 small stations" in str(earn(must, [20, 30], [10, 20], 0, None))
    assert earn(replace(must, skips=True), [20, 30], [10, 20], 0, None) == Earned(70, 0)


@pytest.mark.rule("1860-END-14", "1860-VAR-15")
def test_each_director_claims_the_maximum() -> None:
    t, s = nationalised()
    assert "60" in refuses(t, s, run(("9+5", ESPLANADE_RYDE)), "1860-END-14")
    allows(t, s, run(("9+5", ESPLANADE_BRADING)))
    keep(s, british=False)
    allows(t, s, run(("9+5", ESPLANADE_RYDE)))


@pytest.mark.rule("1860-END-15")
def test_a_company_without_director_pays_nothing_and_falls() -> None:
    t, s = nationalised()
    s.president["IOW"], s.income = POOL, 60
    keep(s, ran=True)
    t.rounds["OR"].by_name["dividend"].skipped(t, s)  # type: ignore[misc]
    assert (s.cash["p1"], price_of(t, s), s.last_paid["IOW"]) == (0 + s.cash["p1"], 68, 0)
    assert s.cash["IOW"] == 60


@pytest.mark.rule("1860-END-16")
def test_trains_come_from_the_bank_only() -> None:
    t, s = nationalised("trains", "9+5", cash=900)
    s.trains["FYN"] = ("9+5", "8+4")
    refuses(t, s, BuyTrain("p1", "IOW", "8+4", "FYN", 10), "1860-END-16")
    assert {action.source for action in legal(t, s, "p1") if isinstance(action, BuyTrain)} == {BANK}
    s.train_pool = ("7+4",)
    allows(t, s, BuyTrain("p1", "IOW", "7+4", POOL, 600))
    allows(t, s, BuyTrain("p1", "IOW", "9+5", BANK, 800))


# Closing


@pytest.mark.rule("1860-END-17")
@pytest.mark.parametrize(
    ("paid", "closing"),
    [
        ((0, 0, 0, 50), {0, 1, 2}),
        ((40, 50, 50, 90), {0, 1, 2}),
        ((40, 50, 60, 90), {0, 1}),
        ((90, 60, 50, 40), {2, 3}),
        ((40, 40, 50), {0, 1}),
        ((30, 30, 30), {0, 1, 2}),
        ((10, 20, 20), {0, 1, 2}),
        ((10, 20), {0, 1}),
        ((10,), {0}),
    ],
)
def test_which_companies_close(paid: tuple[int, ...], closing: set[int]) -> None:
    told = dict(enumerate(paid))
    assert set(lowest_payers(told)) == closing  # type: ignore[arg-type, comparison-overlap]


@pytest.mark.rule("1860-END-17", "1860-END-18")
def test_closed_companies_leave_the_round_and_keep_their_price() -> None:
    t, s = nationalised(paid={"IOW": 60, "FYN": 400, "C&N": 20})
    assert close_lowest(t, s)
    assert [corp for corp in t.corporations if has(s, "closed", corp)] == ["C&N", "IOW"]
    begin(t, s)
    assert s.queue == ("FYN",)
    assert price_of(t, s, "C&N") == 74
    assert worth(t, s, "p3") == s.cash["p3"] + 5 * 74
    assert not close_lowest(t, s), "the last one closes alone"


@pytest.mark.rule("1860-END-17", "1860-END-19")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_a_company_that_goes_bankrupt_has_paid_least_so_that_the_last_have_another_round(
    options: tuple[str, ...],
) -> None:
    """Where two were left by it, both closed at once, and never operated a last time."""
    box = late("trains", options=options).own(british=True, paid={"FYN": 60}).rounds(5, 2, 3).cash(IOW=0)
    box = box.par("FYN", 62).shares("FYN", p2=5).trains("FYN", "9+5").shares("C&N", pool=5, president="pool")
    box.par("C&N", 74, at(7)).operating("IOW", "trains", then=("C&N",))
    t, s = box.build()
    s.last_run["IOW"], s.last_paid["IOW"] = 90, 9
    after = allows(t, s, Pass("p1"))
    assert has(after, "bankrupt", "C&N")
    assert after.over == ("nationalisation" if options else "")
    if not options:
        assert (has(after, "closed", "FYN"), after.or_number, after.operating) == (True, 3, "IOW")
        last = t.policy.milestones.last_round
        assert (last(t, s), last(t, after)) == (False, True)


@pytest.mark.rule("1860-END-17")
def test_a_dividend_not_paid_counts_as_none() -> None:
    t, s = nationalised(paid={"FYN": 400, "C&N": 20})
    keep(s, insolvent=("C&N",))
    s.last_run["IOW"], s.last_paid["IOW"] = 500, 0
    close_turn(t, s)
    assert own(s).paid == {"FYN": 400, "C&N": 20, "IOW": 0}
    s.last_paid["IOW"] = 50
    close_turn(t, s)
    assert own(s).paid["IOW"] == 500


@pytest.mark.rule("1860-END-19", "1860-END-04")
def test_one_or_two_left_operate_a_last_time() -> None:
    t, s = nationalised(paid={"C&N": 20})
    keep(s, closed=("FYN",))
    after = allows(t, s, run(("9+5", ESPLANADE_BRADING)))
    assert after.over == "nationalisation"
    t, s = nationalised(paid={"FYN": 10, "C&N": 20})
    after = allows(t, s, run(("9+5", ESPLANADE_BRADING)))
    assert not after.over, "three: two close, the last has another round"


@pytest.mark.rule("1860-END-20", "1860-END-01")
def test_a_price_at_the_top_ends_it_at_the_end_of_that_round() -> None:
    t, s = nationalised(paid={"FYN": 400, "C&N": 300})
    s.cell["FYN"] = at(340)
    after = allows(t, s, run(("9+5", ESPLANADE_BRADING)))
    assert after.over == "price"


@pytest.mark.rule("1860-END-19", "1860-END-20")
def test_where_the_last_companies_have_run_that_is_the_end_whatever_the_prices() -> None:
    t, s = nationalised(paid={"C&N": 20})
    keep(s, closed=("FYN",))
    s.cell["FYN"] = at(340)
    assert allows(t, s, run(("9+5", ESPLANADE_BRADING))).over == "nationalisation"


# The other ends


@pytest.mark.rule("1860-END-01")
def test_the_top_price_lets_the_round_be_finished_but_not_the_set() -> None:
    laid = east_coast("dividend", "2+1", price=330, cash=0, then=("C&N",)).par("C&N", 74).shares("C&N", p2=5)
    t, s = laid.rounds(4, 1, 3).build()
    s.income = 340
    keep(s, ran=True, paid={})
    after = allows(t, s, Dividend("p1", "IOW", "pay"))
    assert (after.over, after.operating) == ("", "C&N")
    assert top_price_reached(t, after)
    assert t.policy.milestones.last_price == 340
    while not after.over:
        after = allows(t, after, Pass("p2"))
    assert after.over == "price"


@pytest.mark.rule("1860-END-01", "1860-END-02")
@pytest.mark.parametrize(("price", "left", "ends"), [(330, 39, "price"), (330, 400, "price"), (182, 39, "bank")])
def test_a_bank_that_breaks_when_a_price_is_at_the_top_is_not_what_ends_the_game(
    price: int, left: int, ends: str
) -> None:
    laid = east_coast("dividend", "2+1", price=price, cash=0, then=("C&N",)).par("C&N", 74).shares("C&N", p2=5)
    t, s = laid.rounds(4, 1, 3).build()
    s.income, s.cash[BANK] = 340, left
    keep(s, ran=True, paid={})
    after = allows(t, s, Dividend("p1", "IOW", "pay"))
    after.cash[BANK] = -1
    while not after.over:
        after = allows(t, after, Pass("p2"))
    assert after.over == ends


@pytest.mark.rule("1860-END-02")
def test_a_bank_broken_in_a_stock_round_leaves_one_operating_round() -> None:
    t, s = holding(p1=5, p2=2).bank(10).build()
    s = allows(t, s, SellShares("p1", "IOW", 1))
    assert (s.broken, s.over) == (True, "")
    s = ends_round(t, s)
    assert not s.over
    s.or_count = 3
    for _ in range(9):
        if not s.over:
            s = allows(t, s, next(action for action in legal(t, s, "p1")))
    assert s.over == "bank"


@pytest.mark.rule("1860-END-03")
@pytest.mark.parametrize(("left", "broken"), [(50, False), (40, False), (39, True), (0, True)])
def test_the_bank_is_empty_once_the_players_hold_more_than_all(left: int, broken: bool) -> None:
    t, s = east_coast("dividend", "2+1").par("C&N", 74).shares("C&N", p2=5).build()
    s.income, s.cash[BANK] = 80, left
    keep(s, ran=True, paid={})
    assert allows(t, s, Dividend("p1", "IOW", "pay")).broken is broken


@pytest.mark.rule("1860-END-03", "1860-FLT-06")
def test_credits_do_not_break_the_bank() -> None:
    t, s = table("1860", 3).par("FYN", 62).shares("FYN", p1=4).cash(p1=100).bank(0).build()
    assert not allows(t, s, BuyShare("p1", "FYN", IPO)).broken


# The account


@pytest.mark.rule("1860-END-05", "1860-END-06")
def test_cash_open_privates_and_shares() -> None:
    t, s = holding(71, p1=3, p2=2).private(YHC="p1", CMH=CLOSED, RPSC=BANK).cash(p1=100, IOW=900).build()
    assert worth(t, s, "p1") == 100 + 50 + 3 * 71
    s.trains["IOW"] = ()
    assert worth(t, s, "p1") == 100 + 50 + 3 * 35
    assert worth(t, s, "p3") == 1000


@pytest.mark.rule("1860-END-06", "1860-VAR-15")
def test_online_the_directors_certificate_of_a_trainless_company_is_halved_as_one() -> None:
    t, s = holding(71, "online", p1=3, p2=2).trains("IOW").cash(p1=100, p2=100).build()
    assert worth(t, s, "p1") == 100 + 71 + 35
    assert worth(t, s, "p2") == 100 + 2 * 35


@pytest.mark.rule("1860-END-05")
def test_who_is_worth_most_comes_first() -> None:
    t, s = holding(74, p1=3, p2=4).cash(p1=900, p2=100, p3=500).build()
    assert scores(t, s) == (("p1", 900 + 222), ("p3", 500), ("p2", 100 + 296))


@pytest.mark.rule("1860-END-05", "1860-EMR-16")
def test_shares_of_a_bankrupt_company_are_nobodys() -> None:
    t, s = holding(7, p1=5, p2=2).build()
    after = allows(t, s, SellShares("p1", "IOW", 2))
    assert [worth(t, after, player) for player in after.players] == [1014, 1000, 1000]
