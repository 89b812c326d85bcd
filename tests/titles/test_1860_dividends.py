"""1860: paying and retaining, and what that does to the price."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, refuses
from tables_1860 import at, east_coast, price_of, without_director

from engine import BANK, POOL, State, Title, decision
from engine.actions import Dividend
from engine.facts import CashMoved, DividendDecided
from engine.ids import CREDITS
from engine.market import in_order
from engine.titles.t1860.companies import has
from engine.titles.t1860.run import spaces_risen


def earned(revenue: int, subsidy: int = 0, **more: object) -> tuple[Title, State]:
    """IOW has run for so much and decides."""
    t, s = dividend(**more).build()
    s.income = revenue
    keep(s, ran=True, subsidy=subsidy, paid={})
    return t, s


def dividend(**more: object) -> Table:
    return east_coast("dividend", "2+1", cash=100, **more)


PAY, KEEP = Dividend("p1", "IOW", "pay"), Dividend("p1", "IOW", "withhold")


@pytest.mark.rule("1860-DIV-01")
def test_all_is_paid_or_all_retained() -> None:
    t, s = earned(80)
    assert allows(t, s, PAY).cash["IOW"] == 100
    assert allows(t, s, KEEP).cash["IOW"] == 180
    refuses(t, s, Dividend("p1", "IOW", "half"), "1860-DIV-01")
    refuses(t, s, Dividend("p2", "IOW", "pay"), "1860-OR-02")
    refuses(t, s, Dividend("p1", "C&N", "pay"), "1860-OR-01")


@pytest.mark.rule("1860-DIV-01", "1860-FLT-06")
def test_retained_money_is_credits_and_not_the_banks() -> None:
    t, s = earned(80)
    after = allows(t, s, KEEP)
    assert after.cash[BANK] == s.cash[BANK]
    assert after.cash[CREDITS] == s.cash[CREDITS] - 80
    paid = allows(t, s, PAY)
    assert (paid.cash[BANK], paid.cash[CREDITS]) == (s.cash[BANK] - 40, s.cash[CREDITS])


@pytest.mark.rule("1860-DIV-02")
def test_offering_and_pool_get_nothing_and_the_treasury_nothing_for_them() -> None:
    t, s = earned(80, held={"p1": 4, "p2": 2})
    s.shares["IOW"] = {"ipo": 2, POOL: 2, "p1": 4, "p2": 2}
    after = allows(t, s, PAY)
    assert s.cash[BANK] - after.cash[BANK] == 48
    assert [after.cash[player] - s.cash[player] for player in s.players] == [32, 16, 0]
    assert after.cash["IOW"] == 100
    assert facts(after, DividendDecided)[0].per_share == 8


@pytest.mark.rule("1860-MKT-03", "1860-MKT-04", "1860-MKT-06", "1860-DIV-03")
@pytest.mark.parametrize(
    ("revenue", "to"),
    [(70, 74), (80, 82), (140, 82), (150, 90), (220, 90), (230, 100), (290, 100), (300, 110), (900, 110)],
)
def test_the_whole_revenue_moves_the_price(revenue: int, to: int) -> None:
    t, s = earned(revenue, held={"p1": 5})
    assert price_of(t, allows(t, s, PAY)) == to
    assert price_of(t, allows(t, s, KEEP)) == 68


@pytest.mark.rule("1860-MKT-06")
@pytest.mark.parametrize(("price", "spaces"), [(74, (0, 1, 1, 2, 3, 4, 4)), (100, (0, 0, 1, 1, 2, 2, 3))])
def test_a_space_for_each_time_the_dividend_covers_the_price(price: int, spaces: tuple[int, ...]) -> None:
    assert tuple(spaces_risen(revenue, price) for revenue in (73, 74, 147, 148, 222, 296, 370)) == spaces


@pytest.mark.rule("1860-MKT-06", "1860-REV-02")
def test_the_halts_subsidy_does_not_count_for_the_price() -> None:
    t, s = earned(70, 40)
    after = allows(t, s, PAY)
    assert (price_of(t, after), after.cash["IOW"]) == (74, 140)


def test_what_was_decided_is_told_before_the_subsidy_that_comes_with_it() -> None:
    t, s = earned(70, 40)
    kinds = [type(fact) for fact in allows(t, s, PAY).facts]
    assert kinds.index(DividendDecided) < len(kinds) - 1 - kinds[::-1].index(CashMoved)


@pytest.mark.parametrize("decided", [PAY, KEEP])
def test_the_halts_subsidy_is_told_by_itself(decided: Dividend) -> None:
    t, s = earned(70, 40)
    moved = [fact.amount for fact in facts(allows(t, s, decided), CashMoved) if fact.why == "subsidy"]
    assert moved == [40]


@pytest.mark.rule("1860-MKT-03")
def test_dividends_move_on_the_tier_where_the_token_lies() -> None:
    for before, paid, kept in ((71, 78, 65), (158, 158, 142), (7, 47, 0)):
        t, s = earned(100, price=before, held={"p1": 5})
        assert price_of(t, allows(t, s, PAY)) == paid
        if kept:
            assert price_of(t, allows(t, s, KEEP)) == kept


@pytest.mark.rule("1860-MKT-07")
@pytest.mark.parametrize(("price", "revenue"), [(330, 400), (320, 1400), (340, 400)])
def test_no_move_goes_beyond_340(price: int, revenue: int) -> None:
    t, s = earned(revenue, price=price)
    assert price_of(t, allows(t, s, PAY)) == 340


@pytest.mark.rule("1860-MKT-08", "1860-MKT-10")
def test_a_token_that_rises_goes_under_those_present() -> None:
    t, s = dividend().par("C&N", 82, at(82)).shares("C&N", p2=5).build()
    s.income = 80
    keep(s, ran=True)
    after = allows(t, s, PAY)
    assert in_order(t, after, ["IOW", "C&N"]) == ["C&N", "IOW"]


@pytest.mark.rule("1860-MKT-09", "1860-VAR-15")
@pytest.mark.parametrize(("option", "order"), [("", ["C&N", "IOW"]), ("online", ["IOW", "C&N"])])
def test_a_company_that_pays_without_moving_goes_under_the_others(option: str, order: list[str]) -> None:
    t, s = dividend(options=(option,) if option else ()).par("C&N", 74).shares("C&N", p2=5).build()
    s.income = 60
    keep(s, ran=True)
    s.arrived["IOW"], s.arrived["C&N"] = 1, 2
    s.tickets = 2
    assert in_order(t, allows(t, s, PAY), ["IOW", "C&N"]) == order


@pytest.mark.rule("1860-MKT-10")
def test_the_dearest_operates_first_and_of_equals_the_one_there_longest() -> None:
    t, s = dividend().par("C&N", 74).shares("C&N", p2=5).par("FYN", 82).shares("FYN", p3=5).build()
    s.arrived["IOW"], s.arrived["C&N"] = 5, 3
    assert in_order(t, s, ["IOW", "C&N", "FYN"]) == ["FYN", "C&N", "IOW"]


@pytest.mark.rule("1860-MKT-11", "1860-PHS-07")
def test_after_the_first_eight_plus_four_dividends_still_move_prices() -> None:
    t, s = earned(80)
    keep(s, no_limits=True)
    assert price_of(t, allows(t, s, PAY)) == 82
    assert price_of(t, allows(t, s, KEEP)) == 68


@pytest.mark.rule("1860-DIV-04", "1860-MKT-04")
def test_a_company_without_revenue_falls_without_being_asked() -> None:
    t, s = earned(0)
    keep(s, ran=False)
    assert not t.rounds["OR"].by_name["dividend"].asks(t, s)
    t.rounds["OR"].by_name["dividend"].skipped(t, s)  # type: ignore[misc]
    assert price_of(t, s) == 68
    assert "IOW" in s.operated


@pytest.mark.rule("1860-DIV-05", "1860-EMR-02", "1860-EMR-10")
def test_insolvent_and_ownerless_companies_must_retain() -> None:
    step_of = earned(80)[0].rounds["OR"].by_name["dividend"]
    for ownerless in (False, True):
        t, s = earned(80, 10)
        assert step_of.asks(t, s)
        if ownerless:
            without_director(s)
        else:
            keep(s, insolvent=("IOW",))
        assert not step_of.asks(t, s)
        step_of.skipped(t, s)  # type: ignore[misc]
        assert (s.cash["IOW"], price_of(t, s)) == (190, 68)
        assert s.last_paid["IOW"] == 0


@pytest.mark.rule("1860-MKT-05", "1860-EMR-15")
@pytest.mark.parametrize(("price", "bankrupt"), [(7, True), (14, True), (20, False), (26, False)])
def test_seven_or_fourteen_without_a_dividend_is_bankruptcy(price: int, bankrupt: bool) -> None:
    t, s = earned(60, price=price)
    after = allows(t, s, KEEP)
    assert has(after, "bankrupt", "IOW") is bankrupt
    if not bankrupt:
        assert price_of(t, after) == {20: 7, 26: 14}[price]


@pytest.mark.rule("1860-EMR-18", "1860-EMR-21", "1860-OR-01")
def test_a_company_gone_bankrupt_buys_no_train_in_that_turn() -> None:
    t, s = dividend(price=14, then=("C&N",)).par("C&N", 74).shares("C&N", p2=5).build()
    s.income, s.cash["IOW"] = 60, 900
    keep(s, ran=True, paid={})
    after = allows(t, s, KEEP)
    assert (decision(t, after).players, after.operating) == (("p2",), "C&N")
    assert after.cash["IOW"] == 960, "and keeps what it earned"


@pytest.mark.rule("1860-MKT-10", "1860-OR-01")
def test_a_company_that_moves_still_has_had_its_turn() -> None:
    t, s = dividend(then=("C&N", "FYN")).par("C&N", 82).shares("C&N", p2=5).par("FYN", 62).shares("FYN", p3=5).build()
    s.income, s.cash["IOW"] = 300, 0
    keep(s, ran=True, paid={})
    after = allows(t, s, PAY)
    assert after.operating == "C&N"
    assert after.queue == ("FYN",)
