"""1890: the order of operating rounds and of a company's turn, how games end and what everybody is worth."""

from __future__ import annotations

import pytest
from tables import allows, facts, keep, price_at, refuses, table
from tables_1890 import minor, railway

from engine import State, Title, decision, legal
from engine.actions import (
    Action,
    BuyPassage,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    CompanyBuysPrivate,
    Dividend,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    RunTrains,
)
from engine.facts import BankBroke, CashMoved, GameEnded, PhaseBegan, RoundBegan, TurnBegan
from engine.ids import BANK, IPO
from engine.market import put
from engine.shares import worth


def round_over(t: Title, s: State) -> State:
    """Pass until another operating or stock round begins."""
    now = s.round, s.turn, s.or_number
    while (s.round, s.turn, s.or_number) == now and not s.over:
        s = allows(t, s, Pass(decision(t, s).players[0]))
    return s


@pytest.mark.rule("1890-OR-01", "1890-PRV-01", "1890-OR-02")
def test_privates_pay_first_then_minors_and_companies_operate() -> None:
    found = table("1890", 3).par("Sanyo", 65).shares("Sanyo", p1=5).private(A="p1", B="p2", C="Sanyo", K1="p3", M5="p2")
    t, s = found.cash(Sanyo=0, p1=0, p2=0, p3=0).build()
    s.floated |= {"M5"}
    s.president["M5"], s.passes, s.up = "p2", 2, "p3"
    s = allows(t, s, Pass("p3"))
    assert [s.cash[holder] for holder in ("p1", "p2", "p3", "Sanyo")] == [5, 10, 40, 15]
    kinds = [type(fact) for fact in s.facts if isinstance(fact, RoundBegan | CashMoved | TurnBegan)]
    assert kinds == [RoundBegan, CashMoved, CashMoved, CashMoved, CashMoved, TurnBegan]
    assert (s.operating, s.queue) == ("M5", ("Sanyo",))


@pytest.mark.rule("1890-OR-03")
def test_a_turn_is_track_token_run_dividend_trains() -> None:
    t, _ = railway().build()
    names = [step.name for step in t.rounds["OR"].steps]
    assert names[:5] == ["track", "token", "run", "dividend", "trains"]
    found = railway("Hankyu", "track").tile("E12", "57", 1).tile("E10", "57", 1).trains("Hankyu", "2")
    t, s = found.build()
    steps = [s.step]
    refuses(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180), "1890-OR-03")
    s = allows(t, s, LayTile("p1", "Hankyu", "E12", "14", 1))
    steps.append(s.step)
    refuses(t, s, LayTile("p1", "Hankyu", "E10", "14", 1), "1890-OR-03")
    s = allows(t, s, Pass("p1"))
    steps.append(s.step)
    s = allows(t, s, next(iter(t.rounds["OR"].by_name["run"].verbs[0].candidates(t, s, "p1"))))
    steps.append(s.step)
    s = allows(t, s, Dividend("p1", "Hankyu", "pay"))
    assert [*steps, s.step] == names[:5]


def two_of_p1(operating: str, step: str) -> tuple[Title, State]:
    """The turn of Hankyu or Hanshin, both run by p1, with trains and track; Kobe Rapid has its token in Kobe."""
    found = (
        railway(operating, step, phase="3").par("Hankyu").shares("Hankyu", p1=6).par("Hanshin").shares("Hanshin", p1=6)
    )
    found.tile("E12", "57", 1).tile("E10", "57", 1).tile("F5", "820", 0).tile("F7", "57", 1).tile("F9", "57", 1)
    found.trains("Hankyu", "3").trains("Hanshin", "3").cash(Hankyu=900, Hanshin=900)
    t, s = found.private(A="p2", K2="p2").token("K2", "F5").build()
    s.income = 100
    return t, s


@pytest.mark.rule("1890-OR-03", "1890-OR-04")
@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("track", LayTile), ("token", PlaceToken), ("token", BuyPassage), ("run", RunTrains), ("dividend", Dividend),
        ("trains", BuyTrain), ("privates", CompanyBuysPrivate),
    ],
)  # fmt: skip
def test_only_the_company_whose_turn_it_is_acts_also_among_those_of_one_president(
    step: str, kind: type[Action]
) -> None:
    t, s = two_of_p1("Hanshin", step)
    action = next(one for one in legal(t, s, "p1") if isinstance(one, kind))
    allows(t, s, action)
    t, s = two_of_p1("Hankyu", step)
    refuses(t, s, action, "1890-OR-04" if kind is CompanyBuysPrivate else "1890-OR-03")


@pytest.mark.rule("1890-OR-04", "1890-PHS-02")
@pytest.mark.parametrize("step", ["track", "token", "run", "dividend", "trains", "privates"])
def test_a_public_company_buys_privates_at_any_moment_of_its_turn(step: str) -> None:
    found = railway("Hankyu", step).tile("E12", "57", 1).tile("E10", "57", 1).trains("Hankyu", "2").private(A="p2")
    t, s = found.build()
    s.income = 50
    assert allows(t, s, CompanyBuysPrivate("p1", "Hankyu", "A", 40)).owner["A"] == "Hankyu"
    for phase in ("1", "4"):
        s.phase = next(index for index, one in enumerate(t.phases) if one.name == phase)
        refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "A", 40), "1890-OR-04")
    t, s = minor("M5", "trains", phase="2").private(A="p2").build()
    refuses(t, s, CompanyBuysPrivate("p1", "M5", "A", 20), "1890-PRV-02")


@pytest.mark.rule("1890-OR-04")
@pytest.mark.parametrize(("cash", "phase", "asked"), [(35, "2", True), (34, "2", False), (35, "1", False)])
def test_the_turn_ends_with_a_last_chance_to_buy_one(cash: int, phase: str, asked: bool) -> None:
    t, s = (
        railway("Hankyu", "trains", "open_treasuries", phase=phase, cash=cash)
        .trains("Hankyu", "2")
        .private(C="p2")
        .build()
    )
    s = allows(t, s, Pass("p1"))
    assert ((s.operating, s.step) == ("Hankyu", "privates")) is asked


@pytest.mark.rule("1890-OR-05", "1890-OR-06", "1890-END-03")
def test_more_operating_rounds_count_from_the_next_game_turn() -> None:
    found = railway("Hankyu", "trains", phase="1", cash=900, turn=3).par("Sanyo").shares("Sanyo", p2=5)
    t, s = found.cash(p1=0, p2=0, p3=0).build()
    s.depot.update({"2": 0, "2+2": 0})
    s = allows(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180))
    assert [fact.phase for fact in facts(s, PhaseBegan)] == ["2"]
    s = round_over(t, s)
    assert (s.round, s.turn) == ("SR", 4)
    s = round_over(t, s)
    assert (s.round, s.or_number, s.or_count) == ("OR", 1, 2)
    s = round_over(t, s)
    assert (s.round, s.turn, s.or_number) == ("OR", 4, 2)
    assert round_over(t, s).turn == 5


@pytest.mark.rule("1890-MKT-05", "1890-OR-02", "1890-TRN-07")
def test_public_companies_operate_by_price() -> None:
    found = railway("Hankyu", "trains").par("Sanyo", 100).shares("Sanyo", p2=5).par("Nankai", 90).shares("Nankai", p3=5)
    t, s = found.build()
    s = round_over(t, s)
    seen = []
    while s.or_number == 2:
        seen.append(s.operating)
        corp = s.operating
        while s.operating == corp and s.or_number == 2 and s.round == "OR":
            s = allows(t, s, Pass(decision(t, s).players[0]))
        if s.round != "OR":
            break
    assert seen == ["Sanyo", "Nankai", "Hankyu"]


# The end


@pytest.mark.rule("1890-END-02")
def test_a_broken_bank_ends_the_game_after_the_game_turn() -> None:
    t, s = railway("Hankyu", "dividend", "open_treasuries", cash=0).rounds(2, 1, 2).bank(10).build()
    s.income = 100
    s = allows(t, s, Dividend("p1", "Hankyu", "pay"))
    assert facts(s, BankBroke)
    assert (s.cash[BANK], s.cash["p1"]) == (-50, 840 + 60)
    assert (s.or_number, s.over) == (2, "")  # its turn ended the first round
    s = round_over(t, s)
    assert (s.over, s.turn) == ("bank", 2)
    t, s = railway("Hankyu", "dividend", cash=0).bank(60).build()
    s.income = 100
    assert not allows(t, s, Dividend("p1", "Hankyu", "pay")).broken  # paid in full, to the last yen


LAST = [((), 10), (("scenario_a",), 10), (("scenario_b",), 8), (("scenario_d",), 10)]


@pytest.mark.rule("1890-END-03")
@pytest.mark.parametrize(("options", "last"), LAST)
def test_the_game_ends_after_the_last_game_turn(options: tuple[str, ...], last: int) -> None:
    t, s = railway("Hankyu", "trains", *options, turn=last).rounds(last, 2, 2).build()
    s = round_over(t, s)
    assert s.over == "turns"
    assert facts(s, GameEnded)
    t, s = railway("Hankyu", "trains", *options, turn=last - 1).rounds(last - 1, 2, 2).build()
    s = round_over(t, s)
    assert (s.over, s.turn) == ("", last)


@pytest.mark.rule("1890-END-04", "1890-END-06", "1890-AUC-16")
def test_the_score_is_cash_shares_and_faces_but_no_treasuries() -> None:
    found = table("1890", 3).par("JR").shares("JR", p1=6).par("Sanyo", 65, (3, 6)).shares("Sanyo", p1=2, p2=5)
    t, s = found.private(A="p1", C="p1", M4="p1", K1="p1", B="JR").cash(p1=123, JR=700).build()
    assert worth(t, s, "p1") == 123 + 6 * 100 + 2 * 90 + 20 + 70 + 160 + 200
    keep(s, face_zero=("C",))
    assert worth(t, s, "p1") == 123 + 6 * 100 + 2 * 90 + 20 + 160 + 200


@pytest.mark.rule("1890-END-07", "1890-VAR-09")
def test_a_price_of_400_ends_only_the_variant_after_the_companys_turn() -> None:
    def rising(*options: str) -> State:
        found = railway("Hankyu", "dividend", *options).par("Sanyo", 65).shares("Sanyo", p2=5)
        t, s = found.operating("Hankyu", "dividend", then=("Sanyo",)).build()
        put(s, "Hankyu", (0, 16))
        s.income = 100
        s = allows(t, s, Dividend("p1", "Hankyu", "pay"))
        assert price_at(t, *s.cell["Hankyu"]) == 400
        while s.operating == "Hankyu" and not s.over:
            s = allows(t, s, Pass("p1"))
        return s

    assert rising().operating == "Sanyo"
    assert rising("end_at_400").over == "price"


@pytest.mark.rule("1890-VAR-09")
def test_a_price_of_400_at_the_end_of_a_stock_round_ends_the_variant_at_once() -> None:
    for options, over in (((), ""), (("end_at_400",), "price")):
        found = table("1890", 3, *options).par("JR", 100, (1, 17)).shares("JR", p1=5, p2=5).cash(p1=0, p2=0, p3=0)
        t, s = found.build()
        s = round_over(t, s)
        assert (s.over, price_at(t, *s.cell["JR"])) == (over, 400)


@pytest.mark.rule("1890-AUC-13", "1890-AUC-18", "1890-OR-06")
def test_after_the_sale_of_the_privates_stock_rounds_follow_in_the_same_game_turn() -> None:
    t, s = table("1890", 3).cash(p1=700).build()
    s.round, s.step, s.turn = "ISR", "offer", 3
    s.owner["M5"] = BANK
    s = allows(t, s, BuyPrivate("p1", "M5"))
    assert (s.round, s.turn) == ("SR", 3)
    s.up = "p1"
    s = allows(t, s, Par("p1", "Sanyo", 5, 4))
    assert s.cash["p1"] == 700 - 100 - 130
    s.up, s.bought = "p1", False
    assert allows(t, s, BuyShare("p1", "Sanyo", IPO)).held("Sanyo", "p1") == 3


@pytest.mark.rule("1890-END-02")
def test_a_bank_that_breaks_is_broken_at_once_and_not_as_the_round_ends() -> None:
    t, s = railway("Hankyu", "dividend").bank(10).build()
    s.income = 100
    after = allows(t, s, Dividend("p1", "Hankyu", "pay"))
    assert (after.step, after.broken) == ("trains", True)


@pytest.mark.rule("1890-END-02")
def test_a_bank_that_could_not_pay_is_broken_though_money_comes_back_at_once() -> None:
    """What Sanyo keeps closes it: its treasury goes to the bank, which could not pay all of it."""
    t, s = railway("Sanyo", "dividend", phase="4", cash=300).par("Sanyo", 65, at=(9, 1)).bank(50).build()
    s.income = 100
    after = allows(t, s, Dividend("p1", "Sanyo", "withhold"))
    assert (after.cash[BANK], after.broken) == (350, True)
    s.cash[BANK] = 100
    assert not allows(t, s, Dividend("p1", "Sanyo", "withhold")).broken


@pytest.mark.rule("1890-END-02", "1890-MIN-17")
def test_so_is_one_that_kobe_electric_gives_its_money_when_the_turn_ends() -> None:
    found = minor("M4", "run", phase="3").private(M5="p2").trains("M4", "4").cash(M4=0, M5=200).bank(10)
    t, s = found.tile("C18", "57", 2).own(declared=("M5",)).build()
    s.floated |= {"M5"}
    s.president["M5"] = "p2"
    run = next(action for action in legal(t, s, "p1") if isinstance(action, RunTrains))
    after = allows(t, s, run)
    assert "M5" not in after.floated
    assert after.cash[BANK] > 0
    assert after.broken
