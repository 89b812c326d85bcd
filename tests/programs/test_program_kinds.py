"""What each kind of program does about a decision, and what stops it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tables import Table, allows, keep, play, table

import engine
from engine import State, Title
from engine import actions as a
from engine.actions import Pass
from engine.facts import RoundBegan
from engine.ids import SR
from programs import (
    WAIT,
    AnswerOffers,
    BidFor,
    BidToPick,
    Buy,
    Cause,
    Event,
    Follow,
    Operate,
    PassAhead,
    Program,
    Sell,
    Stopped,
    presets,
    prompt,
    stops,
)
from programs.following import cut
from programs.following import told as public


def asked(program: Program, t: Title, s: State, seat: str = "p1") -> Any:
    return program.move(prompt(t, s, seat))


def told(program: Program, t: Title, before: State, action: a.Action, seat: str = "p1") -> Any:
    """What becomes of the seat's program when somebody takes the action."""
    event = Event(t, seat, before, action, allows(t, before, action))
    return stops(program, event) or program.after(event)


def why(found: Any) -> str:
    assert isinstance(found, Stopped), found
    return found.cause.why


def a_stock_round(**held: int) -> tuple[Title, State]:
    laid = table("1889", 3).par("AR", 80).shares("AR", {"p1": 2, "p2": 3, **held}, president="p2", pool=1)
    return laid.par("IR", 90).shares("IR", {"p1": 5, "p3": 2}).cash(p1=500, p2=500, p3=500).build()


# Buying


def test_it_buys_the_cheaper_of_two_shares_and_ends_the_turn() -> None:
    t, s = a_stock_round()
    program = Buy(corp="AR", shares=5, most=80)
    first = asked(program, t, s)
    assert first == a.BuyShare("p1", "AR", "ipo")
    s = allows(t, s, first)
    assert asked(program, t, s) == a.Pass("p1")
    assert asked(Buy(corp="AR", shares=5, most=80, source="pool"), t, s) == a.Pass("p1")


def test_it_buys_from_where_it_should() -> None:
    t, s = a_stock_round()
    assert asked(Buy(corp="AR", shares=5, most=80, source="pool"), t, s) == a.BuyShare("p1", "AR", "pool")


def test_it_passes_once_it_has_enough_and_is_done_with_the_round() -> None:
    t, s = a_stock_round()
    for program in (
        Buy(corp="AR", shares=2, most=80),
        Buy(corp="AR", until="float", most=80),
        Buy(corp="IR", until="presidency", most=90),
    ):
        assert asked(program, t, s) == a.Pass("p1"), program
    s.passes = 2
    over = told(Buy(corp="AR", shares=2, most=80), t, s, a.Pass("p1"))
    assert why(over) == "done"
    assert why(told(Buy(corp="AR", shares=5, most=80), t, s, a.Pass("p1"))) == "round"


def test_it_passes_while_a_share_costs_more_than_its_limit_which_its_owner_had_seen() -> None:
    t, s = a_stock_round()
    assert asked(Buy(corp="AR", shares=5, most=79), t, s) == a.Pass("p1")


def test_it_stops_when_the_price_passes_its_limit_unless_that_is_switched_off() -> None:
    laid = table("1889", 3).par("AR", 100, at=(0, 3)).shares("AR", {"p1": 2, "p2": 3}, president="p2", pool=5)
    t, s = laid.cash(p1=500).operating("AR", "dividend").set(income=100, last_run={"AR": 100}).build()
    before = s.cell["AR"]
    paid = a.Dividend("p2", "AR", "pay")
    price = t.market.cell(*before).price  # type: ignore[union-attr]
    assert why(told(Buy(corp="AR", shares=5, most=price), t, s, paid)) == "price"
    quiet = Buy(corp="AR", shares=5, most=price, off=("price",))
    assert told(quiet, t, s, paid) == quiet
    dearer = Buy(corp="AR", shares=5, most=10_000)
    assert told(dearer, t, s, paid) == dearer


def test_it_stops_with_the_rules_own_words_when_it_may_not_buy() -> None:
    t, s = a_stock_round()
    s.cash["p1"] = 30
    found = asked(Buy(corp="AR", shares=5, most=80), t, s)
    assert why(found) == "blocked"
    assert "you have ¥30" in found.cause.text
    assert asked(Buy(corp="AR", shares=5, most=80, off=("blocked",)), t, s) == a.Pass("p1")


def test_1860_it_waits_for_the_stock_round_from_the_opening_on() -> None:
    """It was over with the opening, in which it can buy nothing."""
    t, s = table("1860", 3).par("C&N", 74).shares("C&N", p1=2).build()
    s.round = t.opening
    ended = s.copy()
    ended.facts = [RoundBegan(SR, 1, 1)]
    program = Buy(corp="C&N", shares=4, most=74)
    assert program.after(Event(t, "p1", s, a.Pass("p2"), ended)) == program


def test_it_says_nothing_in_other_decisions() -> None:
    t, s = table("1889", 3).operating("AR").build()
    for program in (Buy(corp="AR", most=80), Sell(corp="AR", least=1), PassAhead(), BidFor(private="A", most=9)):
        assert asked(program, t, s) is WAIT


# Selling


def test_it_sells_down_to_what_it_keeps_and_ends_the_turn() -> None:
    t, s = a_stock_round()
    program = Sell(corp="IR", down_to=2, least=90)
    sale = asked(program, t, s)
    assert sale == a.SellShares("p1", "IR", 3)
    sold = told(program, t, s, sale)
    s = allows(t, s, sale)
    assert asked(sold, t, s) == a.Pass("p1")
    assert why(told(sold, t, s, a.Pass("p1"))) == "done"
    assert asked(Sell(corp="IR", down_to=2, least=90, then="wait"), t, s) is WAIT


def test_it_keeps_its_shares_while_they_bring_less() -> None:
    t, s = a_stock_round()
    assert asked(Sell(corp="IR", down_to=2, least=91), t, s) is WAIT


def test_a_sale_by_hand_does_not_end_the_turn() -> None:
    """It ended before its owner could buy anything for the money."""
    t, s = a_stock_round()
    program, sale = Sell(corp="IR", least=100), a.SellShares("p1", "IR", 1)
    assert asked(program, t, s) is WAIT
    assert told(program, t, s, sale) == program
    for least in (100, 0):  # the same where it is switched on only then
        assert asked(replace(program, least=least), t, allows(t, s, sale)) is WAIT


# Passing


def test_it_passes_and_ends_the_turn_in_which_it_was_switched_on() -> None:
    t, s = a_stock_round()
    assert asked(PassAhead(), t, s) == a.Pass("p1")
    assert asked(PassAhead(span="bought"), t, s) is WAIT
    s = allows(t, s, a.BuyShare("p1", "AR", "ipo"))
    assert asked(PassAhead(), t, s) == a.Pass("p1")
    assert asked(PassAhead(span="bought"), t, s) == a.Pass("p1")


def test_ending_turns_after_a_purchase_outlasts_the_round_and_no_sale_stops_passing_all_round() -> None:
    t, s = a_stock_round()
    s.passes = 2
    assert told(PassAhead(span="bought"), t, s, a.Pass("p1")) == PassAhead(span="bought")
    found = presets(t, a_stock_round()[1], "p1")
    assert {name: one.wants("sale") for name, one in found.items() if one.kind == "pass"} == {
        "sale": True,
        "round": False,
    }


def test_passing_where_nothing_can_be_bought_ends_turns_but_for_the_first_of_each_round() -> None:
    t, s = a_stock_round()
    assert "idle" not in presets(t, s, "p1")
    program = PassAhead(span="idle", off=PassAhead.watches)
    assert asked(program, t, s) is WAIT
    s = allows(t, s, a.BuyShare("p1", "AR", "ipo"))
    assert "idle" in presets(t, s, "p1")
    assert asked(program, t, s) == a.Pass("p1")
    s = allows(t, s, a.Pass("p1"))
    s.up, s.cash["p1"] = "p1", 79
    assert asked(program, t, s) == a.Pass("p1")
    s.passes = 2
    later = told(program, t, s, a.Pass("p1"))
    assert asked(later, t, s) is WAIT
    assert asked(told(later, t, s, a.SellShares("p1", "IR", 1)), t, s) == a.Pass("p1")


@pytest.mark.parametrize(("title", "corp", "par", "private"), [("1889", "IR", 80, "E"), ("1860", "C&N", 74, "CMH")])
def test_a_turn_in_which_a_private_can_be_exchanged_is_no_turn_without_a_purchase(
    title: str, corp: str, par: int, private: str
) -> None:
    """It was passed, as exchanges belong to no step."""
    box = table(title, 3).par(corp, par).shares(corp, {"p2": 5}, president="p2").cash(p1=0)
    t, s = box.private(**{private: "p1"}).build()
    assert a.ExchangePrivate("p1", private) in engine.legal(t, s, "p1")
    assert "idle" not in presets(t, s, "p1")
    assert asked(PassAhead(span="idle"), t, s) is WAIT
    s = allows(t, s, a.ExchangePrivate("p1", private))
    assert asked(PassAhead(span="idle"), t, s) == a.Pass("p1")


def test_what_fits_a_stock_round_names_what_can_float_and_what_was_bought_last() -> None:
    t, s = a_stock_round()
    assert list(presets(t, s, "p2")) == ["idle", "sale", "round", "rest"]
    s.turn = 1  # when nobody may sell
    assert list(presets(t, s, "p2")) == ["idle", "round", "rest"]
    s.turn = 2
    s.floated = frozenset()
    assert list(presets(t, s, "p2")) == ["idle", "sale", "round", "float|AR"]
    again = presets(t, s, "p1", "IR")["again|IR"]
    assert isinstance(again, Buy)
    assert again.most == 90


def test_until_a_sale_is_offered_where_one_can_come_about_to_whoever_has_shares() -> None:
    t, s = a_stock_round()
    assert "sale" in presets(t, s, "p1")
    s.turn = 1  # in 1889, no shares are sold in the first stock round
    assert "sale" not in presets(t, s, "p1")
    t, s = table("1889", 3).par("AR", 80).shares("AR", {"p2": 3}, president="p2").cash(p1=500).build()
    assert list(presets(t, s, "p1")) == ["round"]
    assert "sale" in presets(t, s, "p2")
    t, s = table("1860", 3).par("C&N", 74).shares("C&N", {"p1": 3}, president="p1").set(turn=1).cash(p1=500).build()
    assert "sale" in presets(t, s, "p1")


@pytest.mark.parametrize("title", ["1888", "1889", "1890"])
def test_no_sale_can_come_about_in_an_opening(title: str) -> None:
    t = engine.build(title, 3)
    s = engine.start(t, ("Ann", "Ben", "Cat"))
    (seat,) = engine.decision(t, s).players
    assert list(presets(t, s, seat)) == ["round"]


def test_buying_every_turn_is_offered_where_a_share_can_be_bought_now() -> None:
    t, s = a_stock_round()
    s.floated = frozenset()
    assert {"float|AR", "again|AR"} <= set(presets(t, s, "p1", "AR"))
    s.cash["p1"] = 79
    assert list(presets(t, s, "p1", "AR")) == ["idle", "sale", "round"]
    assert "float|AR" in presets(t, s, "p2")  # whose turn it is not yet
    secret = replace(t, policy=replace(t.policy, secrecy=replace(t.policy.secrecy, open_cash=False)))
    assert {"idle", "float|AR"} & set(presets(secret, s, "p1")) == {"float|AR"}  # nobody is told what the purse holds


def test_only_running_and_paying_is_not_offered_where_a_train_must_be_bought() -> None:
    buys = table("1889", 3).operating("AR", "trains").tile("K8", "57", 1).cash(AR=500)
    assert "rest" not in presets(*buys.build(), "p1")
    assert "rest" in presets(*buys.trains("AR", "2").build(), "p1")


@pytest.mark.rule("1860-TRN-11", "1860-SEC-02")
def test_what_runs_a_company_is_offered_whether_or_not_its_secret_credits_must_buy_a_train() -> None:
    """What is offered is in the channel: that it was missing told everybody that the company had the money."""
    for credits in (0, 900):
        laid = table("1860").par("C&N").shares("C&N", p1=5).operating("C&N", "trains").cash(**{"C&N": credits})
        assert {"run|C&N", "rest"} <= set(presets(*laid.build(), "p1")), credits


def test_who_must_raise_money_or_go_bankrupt_is_offered_no_program_for_the_turns_to_come() -> None:
    buys = table("1889", 3).operating("AR", "trains").tile("K8", "57", 1).cash(AR=20, p1=0)
    t, s = buys.shares("AR", p1=2, p2=2, p3=1).build()
    assert engine.judge(t, s, a.GoBankrupt("p1", "AR")) is None
    assert not presets(t, s, "p1")
    t, s = buys.par("IR", 90).shares("IR", p1=2, p2=5).build()
    assert engine.judge(t, s, a.SellShares("p1", "IR", 1)) is None
    assert not presets(t, s, "p1")
    assert "run|AR" in presets(*buys.trains("AR", "2").build(), "p1")


def test_where_passing_drops_out_of_an_auction_nothing_passes_by_itself() -> None:
    t = engine.build("1860", 3)
    s = engine.start(t, ("Ann", "Ben", "Cat"))
    seat = engine.decision(t, s).players[0]
    assert Pass in engine.present_step(t, s).by_action
    assert not presets(t, s, seat)


def test_a_president_is_asked_for_track_and_once_for_each_place_and_ends_turns_that_can_buy_nothing() -> None:
    t, s = table("1889", 3).operating("AR", "trains").par("AR", 80).cash(AR=0).trains("AR", "2").build()
    runs = presets(t, s, "p1")["run|AR"]
    final = s.copy()
    final.broken, final.or_number = True, final.or_count
    assert "run|AR" not in presets(t, final, "p1")
    final.or_count += 1
    assert "run|AR" in presets(t, final, "p1")
    assert asked(runs, t, s) == a.Pass("p1")
    s.cash["AR"] = 1000
    assert asked(runs, t, s) is WAIT
    _, laying = table("1889", 3).operating("AR", "track").par("AR", 80).cash(AR=500).trains("AR", "2").build()
    assert asked(runs, t, laying) is WAIT
    assert isinstance(runs, Operate)
    rests = replace(runs, rests="AR")
    s.cash["AR"] = 0
    assert asked(rests, t, s) is WAIT
    assert told(rests, t, s, a.Pass("p1")) == replace(rests, rests=None)


@pytest.mark.rule("1860-END-02", "1860-END-11", "1860-END-19")
def test_under_british_rail_turns_to_come_can_be_left_to_a_program_while_more_than_two_companies_are() -> None:
    laid = table("1860").operating("C&N", then=("IOW", "FYN")).phase("9").trains("C&N", "9+5").rounds(9, 3, 2)
    t, s = laid.shares("C&N", p1=5).own(layer=4, british=True, southern="over").build()
    assert "run|C&N" in presets(t, s, "p1")
    keep(s, closed=("FYN",))
    assert "run|C&N" not in presets(t, s, "p1")
    keep(s, british=False, closed=())
    s.broken, s.or_number = True, 1
    assert "run|C&N" not in presets(t, s, "p1"), "the bank is empty: no other round of the set comes"


@pytest.mark.rule("1860-DIV-05")
@pytest.mark.parametrize("step", ["track", "run", "trains"])
def test_an_insolvent_company_which_keeps_what_it_runs_for_is_not_offered_to_pay_every_turn(step: str) -> None:
    laid = table("1860").par("IOW").shares("IOW", p1=5).operating("IOW", step).cash(IOW=0).own(layer=1, paid={})
    laid = laid.tile("J4", "6", 0).tile("J6", "746", 0)
    assert "run|IOW" in presets(*laid.trains("IOW", "2+1").build(), "p1")
    assert "run|IOW" not in presets(*laid.trains("IOW").own(insolvent=("IOW",)).build(), "p1")


def test_withholding_once_is_offered_before_the_run_to_whoever_has_trains() -> None:
    t, s = operating()
    once = presets(t, s, "p1")["withhold|AR"]
    assert asked(once, t, s) is WAIT
    s.trains["AR"] = ()
    assert "withhold|AR" not in presets(t, s, "p1")
    _, s = operating("dividend")
    assert "withhold|AR" not in presets(t, s, "p1")
    s.income = s.last_run["AR"] = 60
    assert asked(once, t, s) == a.Dividend("p1", "AR", "withhold")
    _, s = operating("trains")
    assert why(told(once, t, s, a.Pass("p1"))) == "done"


# What stops a program


def test_each_thing_that_others_do_stops_it_and_can_be_switched_off() -> None:
    t, s = a_stock_round()
    s.up = "p3"
    sale = a.SellShares("p3", "IR", 1)
    par = next(
        one for one in (a.Par("p3", "SR", row, col) for row in range(8) for col in range(8)) if allowed(t, s, one)
    )
    bought = a.BuyShare("p3", "AR", "ipo")
    for action, cause in ((sale, "sale"), (par, "company"), (bought, "purchase")):
        assert why(told(PassAhead(), t, s, action)) == cause
        quiet = PassAhead(off=(cause,))  # type: ignore[arg-type]
        assert told(quiet, t, s, action) == quiet


def allowed(t: Title, s: State, action: a.Action) -> bool:
    from engine import judge

    return judge(t, s, action) is None


def test_a_purchase_stops_passing_for_which_sales_do_not_matter() -> None:
    """It was said to, and did not."""
    t, s = a_stock_round()
    buys = a.BuyShare("p1", "AR", "ipo")
    assert why(told(PassAhead(off=("sale", "standing")), t, s, buys, "p2")) == "purchase"


def test_a_rival_one_share_from_the_presidency_stops_it() -> None:
    t, s = a_stock_round(p3=2)
    s.up = "p3"
    assert why(told(PassAhead(off=("purchase",)), t, s, a.BuyShare("p3", "AR", "ipo"), seat="p2")) == "standing"
    far = PassAhead(off=("purchase",))
    assert told(far, t, s, a.BuyShare("p3", "AR", "ipo"), seat="p1") == far


def test_a_presidency_that_changes_hands_stops_it() -> None:
    t, s = a_stock_round(p3=2)
    s.up = "p2"
    found = told(PassAhead(off=("sale",)), t, s, a.SellShares("p2", "AR", 2), seat="p3")
    assert why(found) == "presidency"


def test_trains_that_rust_stop_the_owner_of_their_company_alone() -> None:
    laid = table("1889", 3).par("AR", 80).shares("AR", {"p1": 5}).par("IR", 90).shares("IR", {"p2": 5})
    laid = laid.operating("IR", "trains").trains("AR", "2").phase("3", left_3=0).cash(IR=900)
    t, s = laid.build()
    bought = a.BuyTrain("p2", "IR", "4", "bank", 300)
    found = told(PassAhead(), t, s, bought)
    assert found == Stopped(Cause("rust", corp="AR", rank="2"))
    assert told(PassAhead(), t, s, bought, seat="p3") == PassAhead()
    assert told(PassAhead(), t, s, bought, seat="p2") == PassAhead()


def test_what_its_owner_does_never_stops_it() -> None:
    t, s = a_stock_round()
    watchful = Sell(corp="AR", least=500)
    assert told(watchful, t, s, a.SellShares("p1", "IR", 1)) == watchful


# Auctions


def test_it_bids_above_the_highest_bid_up_to_its_limit() -> None:
    t, s = table("1889", 3).opening().build()
    program = BidFor(private="B", most=60, step=0)
    assert asked(program, t, s) == a.Bid("p1", "B", 35)
    assert asked(BidFor(private="B", most=60, step=10), t, s) == a.Bid("p1", "B", 35)
    s = play(t, s, a.Bid("p1", "B", 35), a.Bid("p2", "B", 40), a.Pass("p3"))
    assert asked(program, t, s) == a.Bid("p1", "B", 45)
    assert asked(BidFor(private="B", most=60, step=10), t, s) == a.Bid("p1", "B", 50)
    assert asked(BidFor(private="B", most=47, step=10), t, s) == a.Bid("p1", "B", 47)
    assert why(asked(BidFor(private="B", most=44), t, s)) == "price"
    assert asked(BidFor(private="B", most=44, off=("price",)), t, s) == a.Pass("p1")


def test_it_passes_while_it_has_the_highest_bid_unless_other_turns_are_its_owners() -> None:
    t, s = table("1889", 3).opening().build()
    for action in (a.Bid("p1", "B", 35), a.Pass("p2"), a.Pass("p3")):
        s = allows(t, s, action)
    assert asked(BidFor(private="B", most=60), t, s) == a.Pass("p1")
    assert asked(BidFor(private="B", most=60, then="wait"), t, s) is WAIT


def test_it_buys_the_private_that_comes_at_its_price() -> None:
    t, s = table("1889", 3).opening().build()
    assert asked(BidFor(private="A", most=20), t, s) == a.BuyPrivate("p1", "A")
    assert asked(BidFor(private="A", most=19), t, s) == a.Pass("p1")
    assert why(told(BidFor(private="A", most=20), t, s, a.BuyPrivate("p1", "A"))) == "done"
    assert why(told(BidFor(private="A", most=20), t, s, a.BuyPrivate("p1", "A"), seat="p2")) == "lost"


def test_it_bids_for_the_right_to_choose_until_it_is_won() -> None:
    t, s = table("1860", 3).opening().build()
    program = BidToPick(most=12, step=0)
    assert asked(program, t, s) == a.BidToChoose("p1", 5)
    s = play(t, s, a.BidToChoose("p1", 5), a.BidToChoose("p2", 10), a.Pass("p3"))
    assert why(asked(program, t, s)) == "price"
    assert asked(BidToPick(most=12, off=("price",)), t, s) == a.Pass("p1")
    s = allows(t, s, a.BidToChoose("p1", 15))
    assert why(told(program, t, s, a.Pass("p2"))) == "done"


# Companies


def operating(step: str = "track", **more: int) -> tuple[Title, State]:
    laid = table("1889", 3).operating("AR", step).par("AR", 80).cash(AR=500, **more).trains("AR", "2")
    return laid.build()


def test_it_lays_its_plan_in_order_and_then_nothing() -> None:
    t, s = operating()
    lay = next(one for one in prompt(t, s, "p1").legal(a.LayTile))
    other = a.LayTile("p1", "AR", "B3", "8", 0)
    program = Operate(corp="AR", track="plan", tiles=(lay, other))
    assert asked(program, t, s) == lay
    then = told(program, t, s, lay)
    assert then.tiles == (other,)
    empty = Operate(corp="AR", track="plan", tiles=())
    assert asked(empty, t, s) == asked(Operate(corp="AR"), t, s) == a.Pass("p1")
    assert asked(Operate(corp="AR", track="ask"), t, s) is WAIT


def test_a_tile_of_another_company_on_a_planned_hex_is_not_the_planned_one() -> None:
    t, s = operating()
    lay = next(one for one in prompt(t, s, "p1").legal(a.LayTile))
    program = Operate(corp="IR", track="plan", tiles=(replace(lay, corp="IR"),))
    assert told(program, t, s, lay) == program


def test_a_planned_tile_that_cannot_be_laid_stops_it_with_the_reason() -> None:
    t, s = operating()
    lay = next(one for one in prompt(t, s, "p1").legal(a.LayTile))
    far = a.LayTile("p1", "AR", "B3" if lay.hex != "B3" else "C4", lay.tile, lay.rotation)
    program = Operate(corp="AR", track="plan", tiles=(far,))
    found = asked(program, t, s)
    assert why(found) == "blocked"
    assert found.cause.text
    assert asked(Operate(corp="AR", track="plan", tiles=(far,), off=("blocked",)), t, s) == a.Pass("p1")


def test_it_places_a_token_where_it_is_told_asks_or_declines() -> None:
    line = table("1889", 3).operating("AR", "token").tile("K8", "57", 1).tile("J9", "58", 4).tile("J11", "6", 1)
    t, s = line.cash(AR=100).build()
    (place,) = prompt(t, s, "p1").legal(a.PlaceToken)
    assert asked(Operate(corp="AR", token="place", place=place.stop), t, s) == place
    assert asked(Operate(corp="AR", token="place", place="I2.0"), t, s) == a.Pass("p1"), "out of reach"
    for token in ("ask", "new"):
        program = Operate(corp="AR", token=token)
        assert asked(program, t, s) is WAIT
        assert asked(program.unasked({a.LayTile}), t, s) is WAIT
        assert asked(program.unasked({a.PlaceToken, a.Pass}), t, s) == a.Pass("p1")


def test_it_pays_by_what_is_earned() -> None:
    t, s = operating("dividend")
    s.income = 60
    s.last_run["AR"] = 60
    assert asked(Operate(corp="AR", pays="least", least=60), t, s) == a.Dividend("p1", "AR", "pay")
    assert asked(Operate(corp="AR", pays="least", least=61), t, s) == a.Dividend("p1", "AR", "withhold")
    assert asked(Operate(corp="AR", pays="withhold"), t, s) == a.Dividend("p1", "AR", "withhold")
    assert asked(Operate(corp="AR", pays="ask"), t, s) is WAIT
    assert why(asked(Operate(corp="AR", pays="half"), t, s)) == "blocked"


def test_it_buys_one_train_a_turn_if_the_treasury_can_pay() -> None:
    t, s = operating("trains")
    program = Operate(corp="AR", trains="next", rounds=2)
    bought = asked(program, t, s)
    assert bought == a.BuyTrain("p1", "AR", "2", "bank", 80)
    then = told(program, t, s, bought)
    assert asked(then, t, allows(t, s, bought)) == a.Pass("p1")
    assert asked(Operate(corp="AR"), t, s) == a.Pass("p1")
    s.cash["AR"] = 79
    s.trains["AR"] = ("2",)
    assert asked(program, t, s) == a.Pass("p1")


def test_what_its_owner_buys_or_declines_for_another_company_is_nothing_to_it() -> None:
    t, s = operating("trains")
    other = Operate(corp="IR", token="new", trains="next", rounds=2)
    assert told(other, t, s, a.BuyTrain("p1", "AR", "2", "bank", 80)) == other
    line = table("1889", 3).operating("AR", "token").tile("K8", "57", 1).tile("J9", "58", 4).tile("J11", "6", 1)
    t, s = line.cash(AR=100).build()
    assert told(replace(other, corp="AR"), t, s, a.Pass("p1")).declined == ("J11.0",)
    assert told(other, t, s, a.Pass("p1")) == other


def in_1890(corp: str, step: str, *options: str, phase: str) -> Table:
    laid = table("1890", 3, *options).phase(phase).par(corp, 80).shares(corp, p1=6).operating(corp, step)
    return laid.cash(**{corp: 900})


@pytest.mark.parametrize("what", ["the right of passage", "a token out of use", "the tile of a private"])
def test_it_asks_about_what_1890_alone_has_until_its_owner_declines_it(what: str) -> None:
    if what == "the right of passage":
        laid = in_1890("Hanshin", "token", phase="3").tile("F5", "820", 0).tile("F7", "57", 1).tile("F9", "57", 1)
        laid = laid.private(K2="p2").token("K2", "F5")
        laid.state.tokens["Hanshin"] = ()
    elif what == "a token out of use":
        laid = in_1890("Hankyu", "token", "earthquake", phase="6").tile("E10", "15", 2).tile("E12", "57", 1)
        laid = laid.own(face_down=("Hankyu",), quaked=True)
    else:
        laid = in_1890("Hankyu", "privates", phase="2").private(A="Hankyu", B="p2")
    t, s = laid.build()
    program = Operate(corp=s.operating, token="new", trains="can", rounds=2)
    assert asked(program, t, s) is WAIT
    then = told(program, t, s, a.Pass("p1"))
    assert asked(then, t, s) == a.Pass("p1")


@pytest.mark.parametrize(("cash", "asks"), [(799, False), (800, True)])
def test_it_asks_about_a_train_that_the_treasury_can_pay_for_by_trading_another_in(cash: int, asks: bool) -> None:
    laid = table("1889", 3).phase("6", left_6=0).operating("AR", "trains").par("AR", 80).cash(AR=cash).trains("AR", "4")
    t, s = laid.build()
    answer = asked(Operate(corp="AR", trains="can"), t, s)
    assert answer is WAIT if asks else answer == a.Pass("p1")


def test_it_asks_about_a_discarded_train_that_the_treasury_can_pay_for() -> None:
    laid = table("1889", 3).phase("4").operating("AR", "trains").par("AR", 80).trains("AR", "3").market_trains("3")
    t, s = laid.cash(AR=180).build()
    assert asked(Operate(corp="AR", trains="can"), t, s) is WAIT
    assert asked(Operate(corp="AR", trains="next"), t, s) == a.Pass("p1")


def test_what_the_rules_refuse_is_left_to_whoever_does_not_want_it_to_stop_for_that() -> None:
    """It stopped all the same where a train had to be bought."""
    t, s = table("1889", 3).operating("AR", "trains").par("AR", 80).tile("K8", "57", 1).cash(AR=500).build()
    assert why(asked(Operate(corp="AR"), t, s)) == "blocked"
    assert asked(Operate(corp="AR", off=("blocked",)), t, s) is WAIT
    t, s = operating("dividend")
    assert asked(Operate(corp="AR", pays="half", off=("blocked",)), t, s) is WAIT


def test_it_never_has_its_president_pay_for_a_train() -> None:
    laid = table("1889", 3).operating("AR", "trains").par("AR", 80).cash(AR=10, p1=500).trains("AR")
    t, s = laid.build()
    assert not isinstance(asked(Operate(corp="AR", trains="next"), t, s), a.BuyTrain)


def test_it_counts_the_companys_turns_and_ends_with_the_last() -> None:
    t, s = operating("trains", p1=0)
    program = Operate(corp="AR", rounds=2, bought=True)
    then = told(program, t, s, a.Pass("p1"))
    assert (then.rounds, then.bought) == (1, False)
    assert why(told(then, t, s, a.Pass("p1"))) == "done"


def test_it_ends_when_the_company_has_another_president() -> None:
    t, s = a_stock_round(p3=2)
    s.up = "p2"
    program = Operate(corp="AR", off=("sale", "presidency"))
    assert why(told(program, t, s, a.SellShares("p2", "AR", 2), seat="p2")) == "lost"


# Offers


def test_it_agrees_from_its_price_on_and_leaves_other_offers_to_its_owner() -> None:
    laid = table("1889", 3).operating("AR", "trains").par("AR", 80).cash(AR=500).phase("3")
    t, s = laid.par("IR", 90).shares("IR", {"p2": 5}).trains("IR", "3").build()
    q = prompt(t, s, "p2")
    offer = a.BuyTrain("p1", "AR", "3", "IR", 200)
    assert AnswerOffers(deal="train", agrees=True, price=200).answer(q, offer) is True
    assert AnswerOffers(deal="train", agrees=True, price=201).answer(q, offer) is None
    assert AnswerOffers(deal="train", agrees=False, price=201).answer(q, offer) is False
    assert AnswerOffers(deal="train", agrees=False, price=200).answer(q, offer) is None
    assert AnswerOffers(deal="train", agrees=False).answer(q, offer) is False
    assert AnswerOffers(deal="train", of="SR", agrees=False).answer(q, offer) is None
    assert AnswerOffers(deal="private", agrees=False).answer(q, offer) is None
    assert AnswerOffers(deal="private", agrees=False).move(q) is WAIT


def test_1890_hidden_money_of_others_never_moves_a_program() -> None:
    """Two positions that differ only in what others have hidden give the same moves."""
    found = []
    for purse in (3, 700):
        laid = table("1890", 3, "hidden_cash").par("Hanshin", 80).shares("Hanshin", {"p1": 3, "p2": 3}, pool=1)
        t, s = laid.cash(p1=400, p2=purse, p3=purse).build()
        kinds = [Buy(corp="Hanshin", shares=6, most=90), Sell(corp="Hanshin", down_to=1, least=10), PassAhead()]
        found.append([asked(one, t, s) for one in kinds])
    assert found[0] == found[1]


# Lines


def a_line(*moves: a.Action) -> Follow:
    return Follow(name="Line 1", moves=moves)


def test_a_line_is_played_move_by_move_while_all_moves_are_as_in_it() -> None:
    t, s = a_stock_round()
    buy, ends, passes = a.BuyShare("p1", "AR", "ipo"), a.Pass("p1"), a.Pass("p2")
    line = a_line(buy, ends, passes, a.Pass("p3"), buy)
    for action in (buy, ends):
        assert asked(line, t, s) == action
        left, s = told(line, t, s, action), allows(t, s, action)
        assert left == a_line(*line.moves[1:])
        line = left
    assert asked(line, t, s, "p1") is WAIT
    assert told(line, t, s, passes) == a_line(a.Pass("p3"), buy)


def test_a_line_ends_with_any_other_move() -> None:
    t, s = a_stock_round()
    other = told(a_line(a.Pass("p1"), a.Pass("p2")), t, s, a.BuyShare("p1", "AR", "ipo"))
    assert why(other) == "hand"
    s = allows(t, s, a.Pass("p1"))
    left = told(a_line(a.Pass("p2"), a.Pass("p1")), t, s, a.BuyShare("p2", "AR", "ipo"))
    assert (why(left), left.cause.player) == ("otherwise", "p2")


def test_a_line_ends_when_it_is_done_and_where_a_move_is_not_allowed() -> None:
    t, s = a_stock_round()
    assert why(told(a_line(a.Pass("p1")), t, s, a.Pass("p1"))) == "done"
    assert why(asked(a_line(a.BuyShare("p1", "UR", "ipo")), t, s)) == "blocked"


def test_a_line_is_cut_after_ten_moves_of_its_owner_and_forty_of_all() -> None:
    mine, other = a.Pass("p1"), a.Pass("p2")
    assert cut((other, mine, other), "p1") == (other, mine)
    assert cut((other,), "p1") == ()
    assert cut((mine,) * 12, "p1") == (mine,) * 10
    assert cut((other,) * 39 + (mine, mine), "p1") == (other,) * 39 + (mine,)


def test_1890_a_secret_price_neither_stops_a_line_nor_is_asked_for() -> None:
    for options, same in ((("hidden_train_price",), True), ((), False)):
        t, _ = table("1890", 3, *options).build()
        corps = list(t.corporations)
        one, other = (a.BuyTrain("p2", corps[0], next(iter(t.trains)), corps[1], price) for price in (50, 90))
        assert (public(t, one) == public(t, other)) is same
